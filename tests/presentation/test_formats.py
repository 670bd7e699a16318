"""The list of formats: every result that a user can hold is presented in each of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.presentation.formats import DEFAULT, FORMATS, SUFFIXES, Presentable, format_of_path, render

GENERAL = [name for name in FORMATS if name != "trec"]
JUDGMENTS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 1}}
RANKING = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"x": 1.0, "c": 0.5}}
MANY = {f"q{number}": {"a": 1, "b": number % 3} for number in range(30)}
MANY_RANKED = {query: ["b", "a"] for query in MANY}
PRICES = pl.DataFrame({"date": [f"2026-01-{day:02}" for day in range(1, 29)]}).with_columns(
    **{f"T{number}": 100 + (number + 1) * pl.int_range(pl.len()) / 10 for number in range(6)}
)
SCORES = PRICES.select("date", *(pl.lit(float(number)).alias(f"T{number}") for number in range(6)))


def study() -> rg.stocks.Study:
    return rg.stocks.study(PRICES, SCORES, k=2, horizon=1)


RESULTS: dict[str, Callable[[], Presentable]] = {
    "result": lambda: rg.evaluate(JUDGMENTS, RANKING, ["ndcg@10", "map"]),
    "segments": lambda: rg.evaluate(JUDGMENTS, RANKING, ["ndcg@10", "map"]).by({"q1": "a", "q2": "b"}),
    "compared segments": lambda: rg.compare(JUDGMENTS, {"a": RANKING, "b": RANKING}).by({"q1": "a", "q2": "b"}),
    "result of human and machine labels": lambda: rg.evaluate(MANY, MANY_RANKED, human=MANY),
    "explanation": lambda: rg.explain(JUDGMENTS, RANKING, "q1", "ndcg@10"),
    "convention comparison": lambda: rg.conventions.compare(JUDGMENTS, RANKING, "ndcg@10"),
    "walk between conventions": lambda: rg.conventions.why(JUDGMENTS, RANKING, "ndcg@10", "lightgbm", "sklearn"),
    "identified conventions": lambda: rg.conventions.identify(JUDGMENTS, RANKING, "ndcg@10", "0.71"),
    "stock study": study,
    "stock comparison": lambda: study().compare(study()),
    "audit": lambda: rg.grading.returns(PRICES, horizon=1).audit,
}


@pytest.mark.parametrize("format_", GENERAL)
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_render_of_every_result_in_every_format_has_its_form(result: Callable[[], Presentable], format_: str) -> None:
    text = render(result(), format_)
    forms = {
        "table": r"\S",
        "json": r"\{",
        "csv": r"[^,\n]+(,[^,\n]+)+\n",
        "markdown": r"\| .* \|\n\|[:-]",
        "latex": r"\\begin\{tabular\}",
        "html": r"<!DOCTYPE html>",
    }
    assert re.match(forms[format_], text)
    assert format_ != "json" or isinstance(json.loads(text), dict)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_render_as_table_is_what_print_shows(result: Callable[[], Presentable]) -> None:
    assert render(result()) == str(result())


@pytest.mark.parametrize("format_", ["table", "markdown", "latex", "html"])
@pytest.mark.parametrize("name", [name for name in RESULTS if name != "audit"])  # an audit has whole numbers alone
def test_render_with_places_leaves_no_number_of_four_digits(name: str, format_: str) -> None:
    assert re.search(r"\d\.\d{4}\b", render(RESULTS[name](), format_))
    assert re.findall(r"\d\.\d{3,}\b", render(RESULTS[name](), format_, places=2)) == []


@pytest.mark.parametrize("format_", ["json", "csv"])
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_render_with_places_keeps_all_digits_of_data(result: Callable[[], Presentable], format_: str) -> None:
    assert render(result(), format_, places=0) == render(result(), format_)


@pytest.mark.parametrize(
    ("path", "format_"),
    [
        ("result.json", "json"),
        ("folder.html/values.csv", "csv"),
        ("paper.md", "markdown"),
        ("TABLE.TEX", "latex"),
        ("page.html", "html"),
        ("page.HTM", "html"),
        ("result.txt", "table"),
        ("result", "table"),
        (".json", "table"),
        ("-", "table"),
        (None, "table"),
    ],
)
def test_format_of_path_goes_by_the_suffix(path: str | None, format_: str) -> None:
    assert format_of_path(path) == format_


def test_suffixes_stand_for_one_format_each() -> None:
    assert DEFAULT in FORMATS
    known = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".html": "html", ".htm": "html"}
    assert known == SUFFIXES


@pytest.mark.parametrize("format_", ["trec", "xml", "", None])
def test_render_in_a_format_that_a_result_lacks_is_refused_with_those_it_has(format_: str) -> None:
    with pytest.raises(rg.RankgaugeError, match="one of table, json, csv, markdown, latex, html, got"):
        render(RESULTS["result"](), format_)
