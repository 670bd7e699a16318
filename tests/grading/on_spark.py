"""Every grader on a real Spark, compared with Polars: `python -m tests.grading.on_spark classic|connect CASE…`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl
from tests.engines.spark.data import assert_same
from tests.engines.spark.sessions import session
from tests.grading.plain_returns import messy_prices
from tests.grading.test_libraries import CASES, Columns, check

import rankgauge as rg
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns

TYPES = {pl.String: "string", pl.Float64: "double", pl.Int64: "bigint", pl.Date: "date", pl.Datetime: "timestamp_ntz"}
# Where these are among the cases, what the grader made is evaluated.
EVALUATED = ("actions", "ratings", "the last interactions")


def spark_table(spark: Any, columns: Columns) -> Any:
    schema = pl.DataFrame(columns, strict=False).schema
    types = ", ".join(f"`{name}` {TYPES[dtype.base_type()]}" for name, dtype in schema.items())
    return spark.createDataFrame(list(zip(*columns.values(), strict=True)), schema=types)


@contextmanager
def never_collected(kind: type) -> Iterator[None]:
    """Fail where the rows of a DataFrame are brought here as a table."""

    def refuse(*_: object) -> None:
        raise AssertionError("the rows were brought here")

    kept = {name: getattr(kind, name) for name in ("toArrow", "toPandas", "toLocalIterator")}
    for name in kept:
        setattr(kind, name, refuse)
    try:
        yield
    finally:
        for name, method in kept.items():
            setattr(kind, name, method)


def check_dates(spark: Any) -> None:
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


def check_evaluation(spark: Any, name: str) -> None:
    """What Spark has graded goes on to be evaluated there: the bits of this machine, and no row is brought here."""
    case = CASES[name]
    table = spark_table(spark, case.columns)
    here, there = (judgments(case.grade(each)) for each in (pl.DataFrame(case.columns, strict=False), table))
    query, item, grade = here.roles["query"], here.roles["item"], here.roles["grade"]
    shown = here.frame.select(query, item, score=pl.col(grade).cast(pl.Float64) % 2.5)
    ranking = spark.createDataFrame(shown.to_arrow())
    with never_collected(type(table)):
        actual = rg.evaluate(there, ranking, "ndcg@3,map")
    assert_same(actual, rg.evaluate(here, shown, "ndcg@3,map"))


def judgments(made: Any) -> Audited:
    return made if isinstance(made, Audited) else made.truth


def main(server: str, names: list[str]) -> None:
    with session(remote=server == "connect", spark_sql_adaptive_enabled="false") as spark:
        kind = type(spark.range(1))
        assert kind.__module__.startswith("pyspark.sql.connect" if server == "connect" else "pyspark.sql.classic")
        for name in names:
            check(name, spark_table(spark, CASES[name].columns), kind)
            if name in EVALUATED:
                check_evaluation(spark, name)
        if "returns" in names:
            check_dates(spark)
    sys.stdout.write(f"{len(names)} cases agree\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
