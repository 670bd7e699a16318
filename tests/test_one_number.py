"""One evaluation through every way in and every engine: the same bits, and within 1e-12 where SQL computes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl
import pyarrow.dataset
import pytest

import rankgauge as rg
from rankgauge.inputs import memory_budget
from rankgauge.sql import query_of
from tests.engines.spark.data import JUDGED, RANKED, bits, frame, rows
from tests.engines.spark.one_number import summary
from tests.engines.spark.test_spark import run
from tests.scale.parts_on_disk import watched

# Neither side fits into a third of it: both go to disk, and to many parts.
MEMORY: Final = "20kB"
# Those that SQL has, too.
MEASURES: Final = ["ndcg@10", "ndcg", "dcg@5", "precision@5", "recall@10", "success@3", "mrr", "map"]
JUDGED_ROWS, RANKED_ROWS = (frame(table, names) for table, names in zip(rows(), (JUDGED, RANKED), strict=True))


def groups(table: pl.DataFrame, value: str) -> dict[str, dict[str, Any]]:
    by_query: dict[str, dict[str, Any]] = {}
    for query, item, number in table.select("query", "item", value).rows():
        by_query.setdefault(query, {})[item] = number
    return by_query


def trec(path: Path, table: pl.DataFrame, line: str) -> str:
    path.write_text("".join(line.format(*row) for row in table.rows()), encoding="utf-8")
    return str(path)


def pieces(folder: Path, table: pl.DataFrame) -> str:
    """A folder of Parquet files, in which the rows of a query lie apart."""
    folder.mkdir()
    for place, piece in enumerate(table.sample(fraction=1.0, shuffle=True, seed=1).iter_slices(300)):
        piece.write_parquet(folder / f"{place}.parquet")
    return str(folder)


def ways_in(folder: Path) -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    """Both sides, and how they are to be read."""
    judged, ranked = JUDGED_ROWS, RANKED_ROWS.drop("place")
    yield "dicts", groups(judged, "grade"), groups(ranked, "score"), {}
    yield "pandas", judged.to_pandas(), ranked.to_pandas(), {}
    yield "Polars", judged, ranked, {}
    yield "Arrow", judged.to_arrow(), ranked.to_arrow(), {}
    judgments = trec(folder / "qrels", judged, "{} 0 {} {}\n")
    yield "TREC files", judgments, trec(folder / "run", ranked, "{} Q0 {} 1 {!r} tag\n"), {}
    judged.write_csv(folder / "judged.csv")
    ranked.write_csv(folder / "ranked.csv")
    yield "CSV files", folder / "judged.csv", folder / "ranked.csv", {}
    judged.sort("query").write_parquet(folder / "judged.parquet")
    ranked.sort("query").write_parquet(folder / "ranked.parquet", row_group_size=700)
    yield "Parquet files", folder / "judged.parquet", folder / "ranked.parquet", {}
    yield "DuckDB", duckdb.from_arrow(judged.to_arrow()), duckdb.from_arrow(ranked.to_arrow()), {}
    for memory in (None, MEMORY):
        in_files = pieces(folder / f"judged-{memory}", judged), pieces(folder / f"ranked-{memory}", ranked)
        yield "folders", *in_files, {"memory": memory}
        yield "datasets", *map(pyarrow.dataset.dataset, in_files), {"memory": memory}
        yield "batches", *(iter(each.to_arrow().to_batches(97)) for each in (judged, ranked)), {"memory": memory}
        yield "lazy frames", judged.lazy(), ranked.lazy(), {"memory": memory}


@pytest.mark.usefixtures("tiny_parts")
@pytest.mark.parametrize("least_rows", [0, memory_budget.LEAST_ROWS])  # Parquet page by page, and in memory
def test_every_way_in_gives_the_same_bits(least_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_budget, "LEAST_ROWS", least_rows)
    expected = rg.evaluate(JUDGED_ROWS, RANKED_ROWS, MEASURES, engine="reference")
    for way, judgments, ranking, settings in ways_in(tmp_path):
        with watched() as on_disk:
            actual = rg.evaluate(judgments, ranking, MEASURES, **settings)
        is_on_disk = settings.get("memory") == MEMORY
        assert on_disk.written == ([rg.Judgments, rg.Ranking] if is_on_disk else []), (way, settings)
        assert (on_disk.parts > 10) == is_on_disk, (way, settings)
        assert bits(actual.means) == bits(expected.means), (way, settings)
        assert actual.counts == expected.counts, (way, settings)
        assert {measure: actual.interval(measure) for measure in MEASURES} == {
            measure: expected.interval(measure) for measure in MEASURES
        }, (way, settings)


@pytest.mark.parametrize("kind", ["classic", "connect"])
def test_spark_gives_the_same_bits(kind: str) -> None:
    expected = rg.evaluate(JUDGED_ROWS, RANKED_ROWS, MEASURES)
    assert json.loads(run("one_number", kind, *MEASURES)) == summary(expected)


def test_sql_gives_the_same_to_1e_12() -> None:
    expected = rg.evaluate(JUDGED_ROWS, RANKED_ROWS, MEASURES)
    database = duckdb.connect()
    database.register("qrels", JUDGED_ROWS.to_arrow())
    database.register("run", RANKED_ROWS.to_arrow())
    query = query_of(MEASURES, dialect="duckdb", judgments="qrels", ranking="run")
    row = database.execute(query).fetchone()
    assert row is not None
    assert dict(zip(MEASURES, row, strict=False)) == pytest.approx(expected.means, abs=1e-12)
