"""Every grader on a real Spark, compared with Polars: `python -m tests.grading.on_spark CASE…`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from tests.grading.plain_returns import messy_prices
from tests.grading.test_libraries import CASES, Columns, check

import rankgauge as rg
from rankgauge.grading.returns import returns

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    # To compile a plan takes longer than to interpret it for so few rows.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
}
TYPES = {pl.String: "string", pl.Float64: "double", pl.Int64: "bigint", pl.Date: "date", pl.Datetime: "timestamp_ntz"}


@contextmanager
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # which has pyarrow
    builder = SparkSession.builder.master("local[2]")
    with TemporaryDirectory() as folder:
        for name, value in {**SETTINGS, "spark.sql.warehouse.dir": folder}.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        yield spark
        spark.stop()


def spark_table(spark: Any, columns: Columns) -> Any:
    schema = pl.DataFrame(columns, strict=False).schema
    types = ", ".join(f"`{name}` {TYPES[dtype.base_type()]}" for name, dtype in schema.items())
    return spark.createDataFrame(list(zip(*columns.values(), strict=True)), schema=types)


def check_evaluation(spark: Any) -> None:
    """What Spark has graded is evaluated as it is, whatever type its dates have."""
    columns = messy_prices(1)
    expected = returns(pl.DataFrame(columns, strict=False), horizon=2)
    scores = expected.frame.select(date="day", ticker="symbol", score=-pl.col("return"))
    value = rg.evaluate(expected, scores, "ndcg@3")["ndcg@3"]
    table = spark_table(spark, columns)
    for kind in ("date", "timestamp_ntz", "timestamp"):
        graded = returns(table.withColumn("day", table["day"].cast(kind)), horizon=2)
        assert dict(graded.frame.dtypes)["day"] == kind
        assert graded.audit.to_dict() == expected.audit.to_dict()
        assert rg.evaluate(graded, scores, "ndcg@3", engine="native")["ndcg@3"] == value, kind
        there = table.sparkSession.createDataFrame(scores.to_arrow())
        there = there.withColumn("date", there["date"].cast(kind))
        assert rg.evaluate(graded, there, "ndcg@3")["ndcg@3"] == value, kind


def main(names: list[str]) -> None:
    from pyspark.sql import DataFrame

    with session() as spark:
        for name in names:
            check(name, spark_table(spark, CASES[name].columns), DataFrame)
        check_evaluation(spark)
    sys.stdout.write(f"{len(names)} cases agree\n")


if __name__ == "__main__":
    main(sys.argv[1:])
