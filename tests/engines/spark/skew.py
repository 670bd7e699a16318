"""Queries that are much longer than the others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from pyspark import TaskContext
from tests.engines.spark.data import assert_same
from tests.engines.spark.parts import USUAL, merged, watched
from tests.engines.spark.setting import Setting

import rankgauge as rg
from rankgauge._core import Evaluation
from rankgauge.engines import spark as engine
from rankgauge.engines.partition import Digest
from rankgauge.engines.spark import Side, Task
from rankgauge.inputs.roles import Roles


def skewed(spark: Any) -> None:
    """One query with most of the rows, whether Spark changes its plans while it runs or not; no other waits for it."""
    setting = Setting(spark, longest=10_000)
    for adaptive in ("true", "false"):
        spark.conf.set("spark.sql.adaptive.enabled", adaptive)
        setting.check("ndcg@10,map")
        _others_end_before_longest(setting)
    spark.conf.set("spark.sql.adaptive.enabled", "true")


def _others_end_before_longest(setting: Setting) -> None:
    """While the partition of the longest query keeps one of two cores, all others end on the other."""
    expected = rg.evaluate(setting.judgments, setting.ranking, "ndcg@10,map")
    judgments = Side(setting.spark_judgments, Roles("query", "item", "grade", descending=True))
    ranking = Side(setting.spark_ranking, Roles("query", "item", "score", descending=True))
    parts = 5  # Spark's hash gives the longest query the second of them, and two cores begin with the first two
    setting.spark.conf.set("spark.sql.shuffle.partitions", str(parts))
    with TemporaryDirectory() as folder:
        task = Task(digest=held_until_others_end(folder, parts - 1))
        actual = engine.evaluate(judgments, [ranking], expected.request, task)
    assert sorted(actual.digests) == ["0", "1 has the longest", "2", "3", "4"]
    assert expected.evaluation.compiled is not None
    assert actual.of(0).light == expected.evaluation.compiled.light()
    setting.spark.conf.set("spark.sql.shuffle.partitions", "2")


def held_until_others_end(folder: str, others: int) -> Digest:
    """Note that a partition was evaluated; that of the longest query does not end before all others.

    If another waited for it, neither would end: after five minutes this fails instead.
    """

    def hold(evaluations: Sequence[Evaluation], _: object) -> str:  # travels to workers, which lack this module
        context = TaskContext.get()
        assert context is not None
        number = str(context.partitionId())
        if "longest" not in evaluations[0].queries():
            Path(folder, number).touch()
            return number
        latest = time.monotonic() + 300
        while len(list(Path(folder).iterdir())) < others:
            assert time.monotonic() < latest, "the other partitions wait for the longest query"
            time.sleep(0.01)
        return f"{number} has the longest"

    return hold


def longest(spark: Any) -> None:
    """One query of ten million rows beside others, in batches of Spark's own size."""
    count = 10_000_000
    setting = Setting(spark)
    # Scores that differ, in an order that no row number shows.
    number = pl.int_range(count, eager=True)
    frame = pl.DataFrame({"query": pl.repeat("longest", count, eager=True), "item": number.cast(pl.String)})
    ranked = frame.with_columns(score=(number * 7_368_787 % 999_999_937).cast(pl.Float64))
    judged = frame[::1000].with_columns(grade=pl.int_range(count // 1000, eager=True) % 4)
    here = (
        pl.concat([setting.judgments, judged], how="vertical_relaxed"),
        pl.concat([setting.ranking.drop("place"), ranked]),
    )
    id_of = "'longest' AS query, CAST(id AS string) AS item"
    there = (
        setting.spark_judgments.union(spark.createDataFrame(judged.to_arrow())),
        setting.spark_ranking.drop("place").union(
            spark.range(count).selectExpr(*id_of.split(", "), "CAST(id * 7368787 % 999999937 AS double) AS score")
        ),
    )
    with watched() as received:
        actual = rg.evaluate(*there, "ndcg@10,map")
    assert merged(received[0]) == USUAL
    assert_same(actual, rg.evaluate(*here, "ndcg@10,map"))
