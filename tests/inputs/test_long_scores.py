"""Scores with more digits than a float: whole numbers keep their order, and what becomes equal is counted."""

from __future__ import annotations

import csv
import decimal
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.remarks import Remark

NOW = 1_700_000_000_000_000_000
JUDGMENTS = {"q": {"a": 1, "b": 0, "c": 0}}
SCORES = {"b": NOW + 1, "a": NOW + 2, "c": NOW}
ROWS = [{"query": "q", "item": item, "score": score} for item, score in SCORES.items()]
FRAME = pd.DataFrame(ROWS)
DOUBLE, SINGLE = "textbook(ties=worst)", "textbook(ties=worst,precision=float32)"
# The relevant item is the last where all are equal.
KEPT, LOST = 1.0, 1 / 3


def evaluated(ranking: Any, convention: str = DOUBLE, **options: Any) -> tuple[float, list[Remark]]:
    """Evaluate with both engines, which agree; return the value and the remarks on scores."""
    outcomes = []
    for engine in ("native", "reference"):
        result = rg.evaluate(JUDGMENTS, ranking, "mrr", convention=convention, engine=engine, **options)
        said = [remark for remark in result.remarks if remark.code in ("merged-scores", "rounded-scores")]
        outcomes.append((result["mrr"], said))
    assert outcomes[0] == outcomes[1]
    return outcomes[0]


def as_decimals(frame: pd.DataFrame) -> Any:
    return [decimal.Decimal(score) / 10**18 for score in frame["score"]]


def chunked(frame: pd.DataFrame) -> Any:
    table = pa.Table.from_pandas(frame)
    return pa.concat_tables([table[:1], table[1:]])


WHOLE: dict[str, Callable[[], Any]] = {
    "dict": lambda: {"q": SCORES},
    "dict of pairs": lambda: {"q": list(SCORES.items())},
    "dict of NumPy integers": lambda: {"q": {item: np.int64(score) for item, score in SCORES.items()}},
    "dict of unsigned integers": lambda: {"q": {item: np.uint64(score) for item, score in SCORES.items()}},
    "dict beyond 64 bits": lambda: {"q": {item: 10**30 + score for item, score in SCORES.items()}},
    "dict of negative integers": lambda: {"q": {item: score - 2 * NOW for item, score in SCORES.items()}},
    "dict with floats among them": lambda: {"q": {**SCORES, "d": 0.5, "e": float(NOW) - 1e13}},
    "dict of a Series": lambda: {"q": pd.Series(SCORES)},
    "a noun": lambda: rg.read_ranking({"q": SCORES}),
    "a pickled noun": lambda: pickle.loads(pickle.dumps(rg.read_ranking({"q": SCORES}))),  # noqa: S301 - made here
    "list of dicts": lambda: ROWS,
    "pandas": lambda: FRAME,
    "pandas, unsigned": lambda: FRAME.astype({"score": "uint64"}),
    "pandas, nullable": lambda: FRAME.astype({"score": "Int64"}),
    "pandas, objects": lambda: FRAME.astype({"score": object}),
    "pandas, categories": lambda: FRAME.astype({"score": "category"}),
    "pandas, of Arrow": lambda: FRAME.astype({"score": "int64[pyarrow]"}),
    "pandas, ranks": lambda: FRAME.assign(rank=-FRAME["score"]).drop(columns="score"),
    "pandas, lists": lambda: pd.DataFrame({"query": ["q"], "item": [list(SCORES)], "score": [list(SCORES.values())]}),
    "Polars": lambda: pl.DataFrame(ROWS),
    "Polars, lazy": lambda: pl.DataFrame(ROWS).lazy(),
    "Polars, decimals without a point": lambda: pl.DataFrame(ROWS).cast({"score": pl.Decimal(38, 0)}),
    "Arrow, in chunks": lambda: chunked(FRAME),
}


@pytest.mark.parametrize("way", WHOLE)
def test_long_whole_scores_in_any_input_keep_their_order(way: str) -> None:
    assert evaluated(WHOLE[way]()) == (KEPT, [])


@pytest.mark.parametrize("way", WHOLE)
def test_long_whole_scores_in_any_input_tie_as_32_bit_floats(way: str) -> None:
    value, said = evaluated(WHOLE[way](), SINGLE)
    assert (value, [remark.code for remark in said]) == (LOST, ["rounded-scores"])
    assert said[0].severity == "caution"


WRITTEN: dict[str, Callable[[], Any]] = {
    "dict of decimals": lambda: {"q": {item: decimal.Decimal(score) for item, score in SCORES.items()}},
    "dict of long fractions": lambda: {"q": {item: decimal.Decimal(n) / 10**18 for item, n in SCORES.items()}},
    "dict beyond 128 bits": lambda: {"q": {item: 10**40 + score for item, score in SCORES.items()}},
    "pandas, texts": lambda: FRAME.astype({"score": str}),
    "pandas, decimals": lambda: FRAME.assign(score=as_decimals),
    "Polars, decimals": lambda: pl.DataFrame(ROWS).cast({"score": pl.Decimal(38, 2)}),
    "Polars, texts": lambda: pl.DataFrame(ROWS).cast({"score": pl.String}),
    "Polars, categories": lambda: pl.DataFrame(ROWS).cast({"score": pl.String}).cast({"score": pl.Categorical}),
}


@pytest.mark.parametrize("way", WRITTEN)
def test_long_scores_that_became_equal_in_any_input_are_counted(way: str) -> None:
    value, said = evaluated(WRITTEN[way]())
    assert (value, [remark.code for remark in said]) == (LOST, ["merged-scores"])
    assert said[0].severity == "severe"
    assert said[0].text == "1 query whose distinct scores are equal as 64-bit floats, so that their order is lost"
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(JUDGMENTS, WRITTEN[way](), convention=DOUBLE, strict=True)
    assert caught.value.code == "severe-remark"


def trec(folder: Path, rows: list[tuple[str, str]]) -> Path:
    path = folder / "run.txt"
    path.write_text("".join(f"q Q0 {item} 1 {score} t\n" for item, score in rows))
    return path


def write_csv(folder: Path, quoting: int) -> Path:
    path = folder / "run.csv"
    FRAME.to_csv(path, index=False, quoting=quoting)  # type: ignore[call-overload]
    return path


def write_json(folder: Path, name: str, content: str) -> Path:
    (folder / name).write_text(content)
    return folder / name


FILES: dict[str, Callable[[Path], Any]] = {
    "TREC": lambda folder: trec(folder, [(item, str(score)) for item, score in SCORES.items()]),
    "CSV": lambda folder: write_csv(folder, csv.QUOTE_MINIMAL),
    "quoted CSV": lambda folder: write_csv(folder, csv.QUOTE_ALL),
    "JSON lines": lambda folder: write_json(folder, "run.jsonl", "\n".join(map(json.dumps, ROWS))),
}


@pytest.mark.parametrize("way", FILES)
@pytest.mark.parametrize("read", [str, rg.read_ranking])
def test_long_scores_that_became_equal_in_a_file_are_counted(way: str, read: Any, tmp_path: Path) -> None:
    path = FILES[way](tmp_path)
    value, said = evaluated(read(path))
    assert (value, [remark.code for remark in said]) == (LOST, ["merged-scores"])
    assert [remark.code for remark in evaluated(read(path), SINGLE)[1]] == ["rounded-scores"]
    if read is rg.read_ranking:
        again = pickle.loads(pickle.dumps(read(path)))  # noqa: S301 - made here
        assert evaluated(again)[1] == said


def test_json_mapping_of_long_scores_keeps_their_order(tmp_path: Path) -> None:
    assert evaluated(write_json(tmp_path, "run.json", json.dumps({"q": SCORES}))) == (KEPT, [])


def test_parquet_of_long_scores_keeps_their_order(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "run.parquet")
    assert evaluated(tmp_path / "run.parquet") == (KEPT, [])


def test_letor_scores_that_became_equal_are_counted(tmp_path: Path) -> None:
    (tmp_path / "labels.letor").write_text("0 qid:1\n1 qid:1\n0 qid:2\n")
    (tmp_path / "scores.txt").write_text(f"{NOW}\n{NOW + 1}\n1\n")
    result = rg.evaluate(tmp_path / "labels.letor", tmp_path / "scores.txt", "mrr", convention=DOUBLE)
    assert [remark.text for remark in result.remarks if remark.code == "merged-scores"] == [
        "1 query whose distinct scores are equal as 64-bit floats, so that their order is lost"
    ]


def test_rows_apart_in_a_file_are_compared_by_query(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    rows = [("q", "a", NOW), ("r", "x", NOW + 1), ("q", "b", NOW + 1), ("r", "y", NOW + 1), ("q", "c", 1)]
    path.write_text("".join(f"{query} Q0 {item} 1 {score} t\n" for query, item, score in rows))
    judgments = {"q": {"a": 1}, "r": {"x": 1}}
    for ranking in (path, rg.read_ranking(path)):
        result = rg.evaluate(judgments, ranking, "mrr", convention=DOUBLE)
        assert result.evaluation.counts.merged == 1
        assert result.evaluation.counts.tied == 2


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ("0.1234567890123456789", "0.1234567890123456788", True),
        ("0.12345678901234567", "0.12345678901234567", False),
        ("1700000000000000001", "1700000000000000001.0", False),
        ("1700000000000000001", "1.700000000000000001e18", False),
        ("0.50", "0.5", False),
        ("0.500000000000000000000000", "0.5", False),
        ("-1700000000000000001", "-1700000000000000002", True),
        ("0.1", "0.10000000000000001", False),  # as a double is printed
    ],
)
def test_texts_of_one_number_are_not_taken_for_distinct_scores(
    first: str, second: str, merged: bool, tmp_path: Path
) -> None:
    _, said = evaluated(trec(tmp_path, [("a", first), ("b", second)]))
    assert bool(said) == merged


def test_scores_below_the_ranks_that_count_are_not_counted() -> None:
    ranking = {"q": {"a": decimal.Decimal(NOW * 2), "b": decimal.Decimal(NOW + 1), "c": NOW}}
    codes = {remark.code for remark in rg.evaluate(JUDGMENTS, ranking, "ndcg@1", convention=DOUBLE).remarks}
    assert "merged-scores" not in codes


def test_scores_of_different_queries_are_not_compared() -> None:
    ranking = {"q": {"a": decimal.Decimal(NOW)}, "r": {"a": decimal.Decimal(NOW + 1)}}
    result = rg.evaluate({"q": ["a"], "r": ["a"]}, ranking, "mrr", convention=DOUBLE)
    assert result.evaluation.counts.merged == 0


def test_duplicates_that_are_settled_are_compared_as_they_are_kept(tmp_path: Path) -> None:
    path = trec(tmp_path, [("a", str(NOW)), ("a", str(NOW + 1)), ("b", str(NOW))])
    for rule, merged in (("first", 0), ("last", 1)):
        _, said = evaluated(path, f"textbook(ties=worst,duplicates={rule})")
        assert len(said) == merged


def test_trec_eval_scores_that_tie_as_32_bit_floats_are_a_caution() -> None:
    result = rg.evaluate(
        {"q": {"a": 1}}, {"q": {"a": 0.1, "b": 0.1 + 1e-12}}, "ndcg@10", convention="trec_eval-9", strict=True
    )
    said = next(remark for remark in result.remarks if remark.code == "rounded-scores")
    assert "1 query whose distinct scores are equal as 32-bit floats" in said.text
    other = rg.evaluate({"q": {"a": 1}}, {"q": {"a": 0.1, "b": 0.1}}, "ndcg@10", convention="trec_eval-9")
    assert "rounded-scores" not in {remark.code for remark in other.remarks}


def test_merged_evaluations_add_up_the_counts() -> None:
    plan = rg.Request.of("mrr", SINGLE).plan()
    parts = [plan.evaluate({query: ["a"]}, {query: {"a": 0.1, "b": 0.1 + 1e-12}}) for query in ("q", "r")]
    merged = rg.Result.of(parts[0].merge(parts[1]))
    assert merged.evaluation.counts.merged == 2
    light = rg.Result.of(parts[0].merge(parts[1]).light())
    assert light.evaluation.counts.merged == 2
