"""The same bits behind Spark Connect: `python -m tests.engines.spark.on_connect CASE…`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import polars as pl
from tests.engines.spark.comparisons import Runs, faults_of_runs, many_queries
from tests.engines.spark.data import JUDGED, RANKED, frame, rows
from tests.engines.spark.on_spark import batch_limit, first_faults, local_sides, odd_rows, partitions
from tests.engines.spark.orders import orders
from tests.engines.spark.sessions import session
from tests.engines.spark.setting import Setting
from tests.program import run_with_java

import rankgauge as rg


def values(spark: Any) -> None:
    """Means, intervals, counts and values of queries, which the server computes when asked for, or keeps."""
    setting = Setting(spark)
    assert type(setting.spark_ranking).__module__.startswith("pyspark.sql.connect")
    expected = rg.evaluate(setting.judgments, setting.ranking, "ndcg@10,map")
    for persist in (False, True):
        actual = rg.evaluate(setting.spark_judgments, setting.spark_ranking, "ndcg@10,map", persist=persist)
        assert actual.means == expected.means
        values = {row["query"]: row["map"] for row in actual.per_query_frame.collect()}
        assert values == expected.per_query["map"]
        assert ("InMemoryTableScan" in plan(actual.per_query_frame)) is persist
    with TemporaryDirectory() as folder:
        actual.per_query_frame.write.parquet(f"{folder}/values")
        written = pl.read_parquet(f"{folder}/values/*.parquet")
    assert {query: tuple(row) for query, *row in written.iter_rows()} == {
        query: tuple(row) for query, *row in expected.per_query
    }


def plan(frame: Any) -> str:
    """How the server computes a DataFrame: where it keeps the rows, it reads them from memory."""
    with redirect_stdout(io.StringIO()) as printed:
        frame.explain()
    return printed.getvalue()


def comparison(spark: Any) -> None:
    """A comparison is that of this machine."""
    Runs(spark, 20).check("map", names=2)


def command(spark: Any) -> None:
    """`--master sc://…` joins the server."""
    judged, ranked = rows(30)
    server = f"sc://{spark.client._builder.endpoint}"
    with TemporaryDirectory() as name:
        folder = Path(name)
        frame(judged, JUDGED).write_parquet(folder / "judgments.parquet")
        frame(ranked, RANKED).write_parquet(folder / "run.parquet")
        asked = ("evaluate", folder / "judgments.parquet", folder / "run.parquet", "-m", "map", "--format", "json")
        native, actual = run_with_java(*asked), run_with_java(*asked, "--engine", "spark", "--master", server)
        assert (actual.code, actual.stdout, actual.stderr) == (0, native.stdout, native.stderr)
        lost = run_with_java(*asked, "--engine", "spark", "--master", "sc://localhost:1;use_ssl=perhaps")
        assert lost.refusal()


CASES: Final[Mapping[str, Callable[[Any], None]]] = {
    case.__name__: case
    for case in (
        *(values, local_sides, batch_limit, comparison, command),
        *(partitions, first_faults, odd_rows, orders, faults_of_runs, many_queries),
    )
}


def main(names: list[str]) -> None:
    with session("local[2]", remote=True) as spark:
        for name in names:
            CASES[name](spark)
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
