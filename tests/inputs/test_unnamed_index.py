"""The index of pandas in a file, which nobody named: it numbers rows, and no role is found in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from pyarrow import parquet
from tests.remarks import lines

import rankgauge as rg

INDEX = "__index_level_0__"
JUDGED = {"q1": {"b": 1}, "q2": {"b": 1}}
RANKED = {"query": ["q1", "q1", "q1", "q2", "q2"], "item": ["a", "b", "c", "a", "b"]}
Write = Callable[[pl.DataFrame, Path], Any]


def file(write: Callable[[pl.DataFrame, Path], object]) -> Write:
    def written(frame: pl.DataFrame, path: Path) -> Path:
        write(frame, path)
        return path

    return written


SOURCES: dict[str, Write] = {
    "Polars": lambda frame, _: frame,
    "a lazy frame": lambda frame, _: frame.lazy(),
    "pandas": lambda frame, _: frame.to_pandas(),
    "Arrow": lambda frame, _: frame.to_arrow(),
    "batches": lambda frame, _: iter(frame.to_arrow().to_batches(2)),
    "DuckDB": lambda frame, _: duckdb.from_arrow(frame.to_arrow()),
    "rows": lambda frame, _: frame.to_dicts(),
    "Parquet": file(pl.DataFrame.write_parquet),
    "an Arrow file": file(pl.DataFrame.write_ipc),
    "CSV": file(pl.DataFrame.write_csv),
    "quoted CSV": file(lambda frame, path: frame.write_csv(path, quote_style="always")),
    "JSON lines": file(pl.DataFrame.write_ndjson),
}


@pytest.mark.parametrize("source", SOURCES)
def test_index_is_no_score_unless_it_is_named(source: str, tmp_path: Path) -> None:
    frame, write = pl.DataFrame({**RANKED, INDEX: [4, 9, 2, 1, 7]}), SOURCES[source]
    result = rg.evaluate(JUDGED, write(frame, tmp_path / "run"), "mrr")
    assert result["mrr"] == 0.5
    assert lines(result.remarks, "columns", "order", "number-as-score") == [
        "columns: ranking query=query, item=item",
        "order: no column of scores or ranks, so items are ranked in the order of the rows",
    ]
    named = rg.evaluate(JUDGED, write(frame, tmp_path / "run"), "mrr", columns_ranking={"score": INDEX})
    assert named["mrr"] == 1.0


def test_shuffled_frame_that_pandas_wrote_is_in_the_order_of_its_rows(tmp_path: Path) -> None:
    frame = pd.DataFrame(RANKED).iloc[[2, 0, 1, 4, 3]]
    frame.to_parquet(tmp_path / "run.parquet")
    assert parquet.read_schema(tmp_path / "run.parquet").names[-1] == INDEX
    expected = rg.evaluate(JUDGED, {"q1": ["c", "a", "b"], "q2": ["b", "a"]}, "mrr")["mrr"]
    assert rg.evaluate(JUDGED, tmp_path / "run.parquet", "mrr")["mrr"] == expected
    assert rg.evaluate(JUDGED, frame, "mrr")["mrr"] == expected


def test_number_beside_an_index_is_the_score() -> None:
    frame = pl.DataFrame({**RANKED, INDEX: [4, 9, 2, 1, 7], "logits": [0.1, 0.2, 0.3, 0.1, 0.2]})
    assert rg.evaluate(JUDGED, frame, "mrr")["mrr"] == 0.75


def test_index_of_judgments_is_not_named_as_their_grade() -> None:
    frame = pl.DataFrame({"query": ["q1", "q1"], "item": ["a", "b"], INDEX: [1, 0]})
    assert lines(rg.evaluate(frame, {"q1": ["a"]}).remarks, "unused-numbers") == []
