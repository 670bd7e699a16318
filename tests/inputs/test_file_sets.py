"""Several files that are one table: a column has the type that holds the values of all of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankgauge as rg


def pieces(folder: Path, *tables: Mapping[str, object]) -> Path:
    for place, columns in enumerate(tables):
        pl.DataFrame(columns).write_parquet(folder / f"{place}.parquet")
    return folder


@pytest.mark.parametrize("memory", [None, 1])
def test_whole_scores_beside_decimals_are_decimals(tmp_path: Path, memory: int | None) -> None:
    first = {"query": ["p"], "item": ["a"], "score": [1]}
    folder = pieces(tmp_path, first, {"query": ["q", "q"], "item": ["a", "b"], "score": [0.9, 0.6]})
    result = rg.evaluate({"p": {"a": 1}, "q": {"a": 1}}, folder, "mrr", memory=memory)
    assert result.per_query["mrr"] == {"p": 1.0, "q": 1.0}


@pytest.mark.parametrize("memory", [None, 1])
def test_whole_ids_beside_texts_are_texts(tmp_path: Path, memory: int | None) -> None:
    first = {"query": [1, 1], "item": ["a", "b"], "score": [1.0, 2.0]}
    folder = pieces(tmp_path, first, {"query": ["2", "02"], "item": ["a", "b"], "score": [1.0, 2.0]})
    result = rg.evaluate({"1": {"a": 1}, "2": {"a": 1}, "02": {"b": 1}}, folder, "mrr", memory=memory)
    assert result.per_query["mrr"] == {"1": 0.5, "2": 1.0, "02": 1.0}


def test_column_that_a_piece_lacks_is_refused(tmp_path: Path) -> None:
    first = {"query": ["p"], "item": ["a"], "score": [1.0]}
    folder = pieces(tmp_path, first, {"query": ["q"], "item": ["a"], "points": [0.9]})
    with pytest.raises(rg.RankgaugeError, match="column 'score', row 1: expected a value in every row"):
        rg.evaluate({"p": {"a": 1}}, folder, "mrr")


def test_points_in_time_of_parquet_are_utc_whatever_the_zone_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = pa.array([dt.datetime(2026, 1, 1, 15)], pa.timestamp("us")).cast(pa.timestamp("us", "Asia/Seoul"))
    pq.write_table(pa.table({"query": moment, "item": ["a"], "score": [1.0]}), tmp_path / "run.parquet")
    monkeypatch.setenv("TZ", "Asia/Seoul")
    judgments = {"2026-01-01T15:00:00+00:00": {"a": 1}}
    assert rg.evaluate(judgments, tmp_path / "run.parquet", "mrr")["mrr"] == 1.0
