"""`rankgauge explain`: one query, rank by rank, with numbers worked out by hand."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from rankgauge.cli.output import GENERAL

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.watched_page import WatchedPages
    from tests.cli.conftest import Files, Run, RunOnTerminal

L = math.log2(3)
DCG, IDCG = 1 / L + 2 / 2, 2 + 1 / L  # ranked: unjudged, 1, 2; judged: 2, 1, 0


def report(run: Run, files: Files, *switches: str) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(run("explain", *files, "--format", "json", *switches).text())
    return printed


def test_explain_as_table_prints_ranks_sums_and_costs(run: Run, files: Files) -> None:
    expected = f"""\
ndcg@10 = {DCG / IDCG:.4f} for query 'q1', convention: trec_eval (gain linear, discount log2, ideal judged)

rank  item  grade  gain  discount    adds     DCG  ideal item  ideal grade    IDCG
   1  d9        –     0    1.0000  0.0000  0.0000  d1                    2  2.0000
   2  d2        1     1    0.6309  0.6309  0.6309  d2                    1  2.6309
   3  d1        2     2    0.5000  1.0000  1.6309  d3                    0  2.6309

DCG 1.6309 / IDCG 2.6309 = {DCG / IDCG:.4f}

What costs most of the missing {1 - DCG / IDCG:.4f}:
item  grade  rank  ideal rank    cost
d1        2     3           1  {1 / IDCG:.4f}
"""
    assert run("explain", *files, "--query", "q1").text() == expected


def test_explain_as_json_has_all_digits(run: Run, files: Files) -> None:
    printed = report(run, files, "--query", "q1")
    assert (printed["query"], printed["measure"], printed["convention"]) == ("q1", "ndcg@10", "trec_eval")
    assert (printed["dcg"], printed["idcg"], printed["value"]) == pytest.approx((DCG, IDCG, DCG / IDCG), rel=1e-14)
    assert [rank["item"] for rank in printed["ranks"]] == ["d9", "d2", "d1"]
    assert [rank["grade"] for rank in printed["ranks"]] == [None, 1, 2]
    assert [rank["discount"] for rank in printed["ranks"]] == pytest.approx([1, 1 / L, 1 / 2], rel=1e-14)
    assert [rank["running"] for rank in printed["ranks"]] == pytest.approx([0, 1 / L, DCG], rel=1e-14)
    assert [rank["item"] for rank in printed["ideal_ranks"]] == ["d1", "d2", "d3"]
    assert [rank["running"] for rank in printed["ideal_ranks"]] == pytest.approx([2, IDCG, IDCG], rel=1e-14)


@pytest.mark.parametrize("measure", ["ndcg@10", "ndcg", "ndcg(gain=exp2)@2", "ndcg@1"])
def test_explain_costs_sum_to_the_difference_from_the_ideal(run: Run, files: Files, measure: str) -> None:
    printed = report(run, files, "--query", "q1", "-m", measure)
    assert sum(cost["cost"] for cost in printed["costs"]) == pytest.approx(1 - printed["value"], abs=1e-14)
    assert printed["costs"] == sorted(printed["costs"], key=lambda cost: -cost["cost"])


def test_explain_as_csv_has_a_row_per_rank(run: Run, files: Files) -> None:
    rows = list(csv.reader(io.StringIO(run("explain", *files, "--query", "q1", "--format", "csv").text())))
    assert [row[1] for row in rows] == ["item", "d9", "d2", "d1"]
    assert [float(row[6]) for row in rows[1:]] == pytest.approx([0, 1 / L, DCG], rel=1e-14)


def test_explain_as_markdown_has_a_row_per_rank(run: Run, files: Files) -> None:
    lines = run("explain", *files, "--query", "q1", "--format", "markdown").text().splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("| rank | item |")
    assert {line.count("|") for line in lines} == {lines[0].count("|")}


@pytest.mark.parametrize("format_", GENERAL)
def test_explain_into_a_file_writes_what_is_printed(run: Run, files: Files, tmp_path: Path, format_: str) -> None:
    arguments = ("explain", *files, "--query", "q1", "--format", format_)
    printed = run(*arguments).text()
    assert "\x1b" not in printed
    assert run(*arguments, "-o", tmp_path / "out").text() == ""
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(
    ("switches", "value"),
    [
        (["-m", "dcg"], DCG),
        (["-m", "idcg@1"], 2),
        (["-m", "ndcg@2"], 1 / L / IDCG),
        (["--depth", "2"], 1 / L / IDCG),
        (["--unjudged", "drop"], (1 + 2 / L) / IDCG),
        (["--convention", "burges"], (1 / L + 3 / 2) / (3 + 1 / L)),
        (["--convention", "implicit-feedback", "-m", "ndcg@3"], (1 / L + 1 / 2) / (1 + 1 / L)),
    ],
)
def test_explain_with_a_switch_has_the_value_of_evaluate(
    run: Run, files: Files, switches: list[str], value: float
) -> None:
    assert report(run, files, "--query", "q1", *switches)["value"] == pytest.approx(value, rel=1e-14)
    evaluated = run("evaluate", *files, "--per-query", "--format", "json", *switches).text()
    per_query = next(iter(json.loads(evaluated)["per_query"].values()))
    assert per_query["q1"] == pytest.approx(value, rel=1e-14)


def test_explain_of_a_single_query_needs_no_name(run: Run, write: Callable[[str, str], Path], files: Files) -> None:
    one = write("one.txt", "q1 0 d1 2\nq1 0 d2 1\n")
    assert json.loads(run("explain", one, files.ranking, "--format", "json").text())["query"] == "q1"


def test_explain_of_a_missing_query_prints_a_remark(run: Run, files: Files) -> None:
    shown = run("explain", *files, "--query", "q3").text()
    assert "this query is not in the ranking" in shown
    assert "ndcg@10 = 0.0000" in shown


def test_explain_of_a_query_without_relevant_items_prints_a_remark(
    run: Run, write: Callable[[str, str], Path], files: Files
) -> None:
    nothing = write("nothing.txt", "q1 0 d1 0\n")
    assert "nothing_relevant=zero" in run("explain", nothing, files.ranking, "--query", "q1").text()
    convention = ("--convention", "trec_eval(nothing_relevant=nan)", "--format", "json")
    text = run("explain", nothing, files.ranking, "--query", "q1", *convention).text()
    assert json.loads(text, parse_constant=pytest.fail)["value"] is None


def test_explain_of_a_long_ranking_shows_its_first_ranks(run: Run, large: Files) -> None:
    shown = run("explain", *large, "--query", "q007", "-m", "ndcg").text()
    assert "more ranks are not shown" in shown
    whole = json.loads(run("explain", *large, "--query", "q007", "-m", "ndcg", "--format", "json").text())
    assert len(whole["ranks"]) == 60


def test_explain_on_a_terminal_has_colours(run_on_terminal: RunOnTerminal, files: Files) -> None:
    shown = run_on_terminal("explain", *files, "--query", "q1").text()
    assert "\x1b[" in shown
    assert f"{DCG / IDCG:.4f}" in shown


def test_explain_on_a_dumb_terminal_is_plain(run: Run, run_on_terminal: RunOnTerminal, files: Files) -> None:
    arguments = ("explain", *files, "--query", "q1")
    assert run_on_terminal(*arguments, env={"TERM": "dumb"}).text() == run(*arguments).text()


def test_explain_on_80_columns_shows_items_and_whole_numbers(run_on_terminal: RunOnTerminal, files: Files) -> None:
    shown = run_on_terminal("explain", *files, "--query", "q1", columns=80).text()
    table = shown.partition("What costs most")[0]
    assert [item for item in ("d9", "d2", "d1", "d3") if item not in table] == []
    assert "…" not in table
    (line,) = (line for line in table.split("\n") if "ideal item" in line)
    assert re.search(r"ideal item\W+ideal grade\W+IDCG", re.sub(r"\x1b\[[0-9;]*m", "", line))


def test_explain_html_is_a_page_that_starts_with_the_query(
    run: Run, files: Files, open_page: WatchedPages, tmp_path: Path
) -> None:
    path = tmp_path / "q1.html"
    run("explain", *files, "--query", "q1", "--html", "-o", path)
    page = open_page(path)
    assert page.locator("#printed").inner_text() == run("explain", *files, "--query", "q1").text().split("\n")[0]
    assert page.locator("#value").inner_text() == f"{DCG / IDCG:.4f}"
    assert [name.input_value() for name in page.locator(".name").all()] == ["d9", "d2", "d1", "d3"]
    assert page.locator(".divider + .row .name").input_value() == "d3"
    assert "What costs most of the missing" in page.locator(".in-full").inner_text()


def test_explain_html_is_the_format_html(run: Run, files: Files, tmp_path: Path) -> None:
    page = run("explain", *files, "--query", "q1", "--html").text()
    assert page == run("explain", *files, "--query", "q1", "--format", "html").text()
    path = tmp_path / "q1.txt"
    run("explain", *files, "--query", "q1", "--html", "-o", path)
    assert path.read_text(encoding="utf-8") == page
    refused = run("explain", *files, "--query", "q1", "--html", "--format", "json").refusal()
    assert "--html is --format html; leave out the other format" in refused


def test_explain_html_of_averaged_ties_says_that_the_page_has_one_order(
    run: Run, files: Files, open_page: WatchedPages, tmp_path: Path
) -> None:
    path = tmp_path / "q2.html"
    run("explain", *files, "--query", "q2", "--convention", "sklearn", "--lang", "ko", "-o", path)
    page = open_page(path)
    assert page.get_attribute("html", "lang") == "ko"
    assert "평균했습니다" in page.locator("#tied").inner_text()
    page.click("#language")
    assert "averaged over their orders" in page.locator("#tied").inner_text()
