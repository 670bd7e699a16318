"""DataFrames of Spark on this machine: interactions and recommendations, from Parquet files.

`shuffle` and `crossing` compute nothing: they bring the rows of both sides together by query, and the latter hands them
to Python, which counts them. `windows` has the eight measures of rankgauge; the others have fewer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.peers.work import Work

if TYPE_CHECKING:
    import pyarrow as pa

MEASURES = "ndcg@10,map,mrr,precision@10,recall@100,hit_rate@10,rbp,bpref"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.sql.shuffle.partitions": "8",
}


class Frames(NamedTuple):
    """DataFrames of Spark."""

    interactions: Any
    recommendations: Any

    def shuffled(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        judged = self.interactions.selectExpr("true AS judged", "user_id", "item_id", "CAST(grade AS double) AS value")
        ranked = self.recommendations.selectExpr("false", "user_id", "item_id", "score")
        return judged.union(ranked).repartition("user_id")


def load(folder: str) -> Frames:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder: Any = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    frames = Frames(*(spark.read.parquet(str(Path(folder) / f"{name}.parquet")) for name in Frames._fields))
    return frames._replace(recommendations=frames.recommendations.drop("rank"))


def rankgauge(folder: str) -> Work:
    import rankgauge as rg

    frames = load(folder)
    return lambda: rg.evaluate(*frames, MEASURES)["ndcg@10"]


def shuffle(folder: str) -> Work:
    frames = load(folder)

    def work() -> float:
        frames.shuffled().write.format("noop").mode("overwrite").save()
        return 0.0

    return work


def crossing(folder: str) -> Work:
    frames = load(folder)
    return lambda: float(sum(row.rows for row in frames.shuffled().mapInArrow(_count, "rows bigint").collect()))


def crossing_unlimited(folder: str) -> Work:
    """Without the limit on the bytes of a batch, which Spark checks after each row; an evaluation lifts it too."""
    load(folder).interactions.sparkSession.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", str(2**31 - 1))
    return crossing(folder)


def _count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    yield pa.RecordBatch.from_pydict({"rows": [sum(batch.num_rows for batch in batches)]})


def ranking_evaluator(folder: str) -> Work:
    """One measure, which is what a call computes; its ids are floats, and an item is relevant or not."""
    from pyspark.ml.evaluation import RankingEvaluator

    both = _lists(load(folder))
    return lambda: float(RankingEvaluator(metricName="ndcgAtK", k=10).evaluate(both))


def ranking_evaluator_4(folder: str) -> Work:
    """The four measures that it has of ours, a call each; the lists of items are kept in between."""
    from pyspark.ml.evaluation import RankingEvaluator

    both = _lists(load(folder))
    evaluators = [
        RankingEvaluator(metricName="ndcgAtK", k=10),
        RankingEvaluator(metricName="meanAveragePrecision"),
        RankingEvaluator(metricName="precisionAtK", k=10),
        RankingEvaluator(metricName="recallAtK", k=100),
    ]

    def work() -> float:
        kept = both.persist()
        values = [float(evaluator.evaluate(kept)) for evaluator in evaluators]
        kept.unpersist()
        return values[0]

    return work


def _lists(frames: Frames) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    """The judged and the ranked items of each user, as RankingEvaluator takes them."""
    item = "CAST(xxhash64(item_id) AS double)"
    judged = frames.interactions.groupBy("user_id").agg(_sql(f"collect_list({item}) AS label"))
    best = (
        f"transform(array_sort(collect_list(struct(-score AS low, {item} AS item))), each -> each.item) AS prediction"
    )
    return judged.join(frames.recommendations.groupBy("user_id").agg(_sql(best)), "user_id")


def _sql(expression: str) -> Any:  # noqa: ANN401 - a column of Spark
    from pyspark.sql import functions

    return functions.expr(expression)


def windows(folder: str) -> Work:
    """The eight measures, in SQL as one would write it by hand."""
    return _query(folder, _RANKED + _JUDGED)


def windows_10(folder: str) -> Work:
    """Six measures at 10: Spark keeps ten rows of a query before its shuffle, and none looks at the others."""
    return _query(folder, _RANKED + _HITS)


def _query(folder: str, sql: str) -> Work:
    frames = load(folder)
    for name, frame in frames._asdict().items():
        frame.createOrReplaceTempView(name)
    session = frames.interactions.sparkSession
    return lambda: float(session.sql(sql).collect()[0].ndcg)


_RANKED = """
WITH best AS (
  SELECT user_id, grade, row_number() OVER (PARTITION BY user_id ORDER BY grade DESC) AS place FROM interactions
), ideal AS (
  SELECT user_id, sum(IF(place <= 10, grade / log2(place + 1), 0)) AS idcg, max(grade) AS most,
    count_if(grade > 0) AS relevant, count_if(grade <= 0) AS others
  FROM best GROUP BY user_id
), ranked AS (
  SELECT user_id, item_id, row_number() OVER (PARTITION BY user_id ORDER BY score DESC, item_id DESC) AS place
  FROM recommendations
)"""
_JUDGED = """, judged AS (
  SELECT user_id, place, grade, count_if(grade > 0) OVER above AS nth, count_if(grade <= 0) OVER above AS worse
  FROM ranked JOIN interactions USING (user_id, item_id) WINDOW above AS (PARTITION BY user_id ORDER BY place)
), per_query AS (
  SELECT user_id, sum(IF(place <= 10, grade / log2(place + 1), 0)) AS dcg, sum(IF(grade > 0, nth / place, 0)) AS ap,
    max(IF(grade > 0, 1 / place, 0)) AS rr, count_if(place <= 10 AND grade > 0) AS first,
    count_if(place <= 100 AND grade > 0) AS found, sum(grade / most * pow(0.9, place - 1)) * 0.1 AS rbp,
    sum(IF(grade > 0, 1 - IF(worse = 0, 0, least(worse, relevant) / least(relevant, others)), 0)) AS bpref
  FROM judged JOIN ideal USING (user_id) GROUP BY user_id
)
SELECT avg(coalesce(dcg / idcg, 0)) AS ndcg, avg(coalesce(ap / relevant, 0)) AS map, avg(coalesce(rr, 0)) AS mrr,
  avg(coalesce(first / 10, 0)) AS precision, avg(coalesce(found / relevant, 0)) AS recall,
  avg(IF(first > 0, 1, 0)) AS hit_rate, avg(coalesce(rbp, 0)) AS rbp, avg(coalesce(bpref / relevant, 0)) AS bpref
FROM ideal LEFT JOIN per_query USING (user_id)
"""
_HITS = """, hits AS (
  SELECT user_id, place, grade, row_number() OVER (PARTITION BY user_id ORDER BY place) AS nth
  FROM ranked JOIN interactions USING (user_id, item_id) WHERE place <= 10 AND grade > 0
), per_query AS (
  SELECT user_id, sum(grade / log2(place + 1)) AS dcg, count(*) AS found, 1 / min(place) AS rr, sum(nth / place) AS ap
  FROM hits GROUP BY user_id
)
SELECT avg(coalesce(dcg / idcg, 0)) AS ndcg, avg(coalesce(ap / relevant, 0)) AS map, avg(coalesce(rr, 0)) AS mrr,
  avg(coalesce(found / 10, 0)) AS precision, avg(coalesce(found / relevant, 0)) AS recall,
  avg(IF(found > 0, 1, 0)) AS hit_rate
FROM ideal LEFT JOIN per_query USING (user_id)
"""


def replay(folder: str) -> Work:
    """Six measures at 10; an item is relevant or not."""
    from replay.metrics import MAP, MRR, NDCG, HitRate, OfflineMetrics, Precision, Recall

    frames = load(folder)
    judged = frames.interactions.withColumnRenamed("grade", "score")
    measures = [measure(10) for measure in (NDCG, MAP, MRR, Precision, Recall, HitRate)]
    evaluate = OfflineMetrics(measures, query_column="user_id", item_column="item_id", rating_column="score")
    return lambda: float(evaluate(frames.recommendations, judged)["NDCG@10"])
