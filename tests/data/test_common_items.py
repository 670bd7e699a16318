"""Ids that never meet make every value 0: that is said, and an honest bad ranking is left alone."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.remarks import Remark

KINDS = ["mapping", "frame", "csv", "trec", "trec.gz", "read"]


def ranking(kind: str, items: dict[str, list[str]], folder: Path) -> Any:
    if kind == "mapping":
        return items
    if kind == "read":
        return rg.read_ranking(items)
    rows = [(query, item, -rank) for query, ranked in items.items() for rank, item in enumerate(ranked)]
    if kind in ("frame", "csv"):
        frame = pd.DataFrame(rows, columns=["query", "item", "score"])
        return frame if kind == "frame" else written(folder / "run.csv", frame.to_csv(index=False))
    text = "".join(f"{query} Q0 {item} {1 - score} {score} tag\n" for query, item, score in rows)
    return written(folder / f"run.{kind}", text)


def written(path: Path, text: str) -> Path:
    import gzip

    content = text.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def actual(result: rg.Result) -> list[Remark]:
    return [remark for remark in result.remarks if remark.code in ("no-common-item", "few-common-items")]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("kind", KINDS)
def test_ranking_without_a_judged_item_is_a_severe_remark(kind: str, engine: Any, tmp_path: Path) -> None:
    judged = {f"q{query}": {"7": 1, "8": 2} for query in range(60)}
    source = ranking(kind, {query: ["007", "008"] for query in judged}, tmp_path)
    result = rg.evaluate(judged, source, engine=engine)
    assert result["ndcg@10"] == 0.0
    (remark,) = actual(result)
    assert (remark.code, remark.severity) == ("no-common-item", "severe")
    assert remark.text == (
        "no ranked item is judged in 50 of 50 queries that were looked at; query 'q0' has '007', '008' ranked and "
        "'7', '8' judged; '7' and '007' differ only in leading zeros"
    )
    with pytest.raises(RankgaugeError, match="no common item"):
        rg.evaluate(judged, source, engine=engine, strict=True)


@pytest.mark.parametrize("unjudged", ["zero", "drop"])
def test_ranking_without_a_judged_item_is_remarked_whatever_an_unjudged_item_is(unjudged: Any) -> None:
    (remark,) = actual(rg.evaluate({"q": {"a": 1}}, {"q": ["b"]}, unjudged=unjudged))
    assert remark.severity == "severe"
    assert remark.text.startswith(
        "no ranked item is judged in the only query that was looked at; query 'q' has 'b' ranked"
    )


@pytest.mark.parametrize(
    "write",
    [
        lambda item: item.upper(),
        lambda item: item + " ",
        lambda item: unicodedata.normalize("NFD", item),
        lambda item: f"doc:{item}" if item.isdecimal() else f"{item}.txt",
    ],
)
def test_ids_that_are_written_in_another_way_are_named(write: Any) -> None:
    judged = {f"q{query}": {f"é{query}": 1, "é": 1} for query in range(5)}
    ranked = {query: [write(item) for item in items] for query, items in judged.items()}
    (remark,) = actual(rg.evaluate(judged, ranked))
    assert remark.severity == "severe"
    assert "differ only in" in remark.text


@pytest.mark.parametrize("kind", KINDS)
def test_ranking_with_judged_items_below_the_cutoff_is_not_remarked(kind: str, tmp_path: Path) -> None:
    judged = {f"q{query}": {"good": 1} for query in range(60)}
    items = [f"d{rank}" for rank in range(200)]
    source = ranking(kind, {query: [*items, "good"] for query in judged}, tmp_path)
    result = rg.evaluate(judged, source, "ndcg@10")
    assert result["ndcg@10"] == 0.0
    assert actual(result) == []


def test_streamed_ranking_whose_queries_lie_apart_is_looked_at_to_its_end(tmp_path: Path) -> None:
    """The first half megabyte has no judged item of any query; all of them come after it."""
    judged = {f"q{query}": {"good": 1} for query in range(40)}
    rows = [f"{query} Q0 d{rank} {rank} {-rank} t\n" for rank in range(1, 1001) for query in judged]
    rows += [f"{query} Q0 good 1001 -1001 t\n" for query in judged]
    assert sum(map(len, rows)) > 1 << 19
    path = written(tmp_path / "run.txt", "".join(rows))
    assert actual(rg.evaluate(judged, path, "ndcg@10")) == []


def test_recommendations_that_mostly_miss_are_not_remarked() -> None:
    """One held-out item per user, and lists of popular items: the ids are the same on both sides."""
    judged = {f"u{user}": {f"i{user % 20}": 1} for user in range(50)}
    ranked = {query: [f"i{number}" for number in (18, 19)] for query in judged}
    assert actual(rg.evaluate(judged, ranked)) == []


def test_search_that_mostly_misses_is_a_caution() -> None:
    """One judged passage per query, and short lists of passages that are judged for no query."""
    judged = {f"q{query}": {f"p{query}": 1} for query in range(50)}
    ranked = {
        query: [f"x{number}", f"p{number}" if number % 4 == 0 else f"y{number}"] for number, query in enumerate(judged)
    }
    (remark,) = actual(rg.evaluate(judged, ranked))
    assert (remark.code, remark.severity) == ("few-common-items", "caution")


def test_ids_that_meet_by_accident_are_a_severe_remark() -> None:
    judged = {f"u{user}": {f"i{user}": 1} for user in range(50)}
    ranked: dict[str, list[str]] = {query: [f"{query}-x", f"{query}-y"] for query in judged}
    ranked["u7"] = ["i7"]
    (remark,) = actual(rg.evaluate(judged, ranked))
    assert remark.code == "no-common-item"
    assert "in 49 of 50 queries" in remark.text


def test_ranking_that_half_the_queries_share_an_item_with_is_not_remarked() -> None:
    judged = {f"u{user}": {"a": 1} for user in range(10)}
    ranked = {query: ["x", "y", "a" if user % 2 else "z"] for user, query in enumerate(judged)}
    assert actual(rg.evaluate(judged, ranked)) == []


def test_evaluate_arrays_has_no_remark_on_common_items() -> None:
    assert actual(rg.evaluate_arrays([[0, 0, 1]], [[3, 2, 1]])) == []
