"""The same bits behind Spark Connect: `python -m tests.engines.spark.on_connect`."""

from __future__ import annotations

import sys

from tests.engines.spark.comparisons import Runs
from tests.engines.spark.on_spark import Setting, local_sides
from tests.engines.spark.sessions import session

import rankgauge as rg


def main() -> None:
    with session("local[2]", remote=True) as spark:
        setting = Setting(spark)
        assert type(setting.spark_ranking).__module__.startswith("pyspark.sql.connect")
        actual = setting.check()
        expected = rg.evaluate(setting.judgments, setting.ranking, "ndcg@10,map")
        values = {row["query"]: row["map"] for row in actual.per_query_frame.collect()}
        assert values == expected.per_query["map"]
        local_sides(spark)
        Runs(spark, 20).check("map", names=2)
    sys.stdout.write("the same bits\n")


if __name__ == "__main__":
    main()
