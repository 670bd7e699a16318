"""The rows of the tests, in Spark and on this machine."""

from __future__ import annotations

from typing import Any

from tests.engines.spark.data import JUDGED, MEASURES, RANKED, assert_same, frame, rows
from tests.engines.spark.parts import USUAL, merged, watched

import rankgauge as rg


class Setting:
    """The same rows in Spark and on this machine."""

    def __init__(self, spark: Any, *, longest: int = 0) -> None:
        self.spark = spark
        self.judged, self.ranked = rows(longest=longest)
        self.judgments, self.ranking = frame(self.judged, JUDGED), frame(self.ranked, RANKED)
        self.spark_judgments = spark.createDataFrame(self.judged, JUDGED)
        self.spark_ranking = spark.createDataFrame(self.ranked, RANKED)

    @property
    def scored(self) -> list[tuple[Any, str]]:
        """Each side in Spark, and the column of its grades or scores."""
        return [(self.spark_judgments, "grade"), (self.spark_ranking, "score")]

    def check(self, measures: str = MEASURES, *, parts: int = USUAL, **settings: Any) -> rg.Result:
        expected = rg.evaluate(self.judgments, self.ranking, measures, **settings)
        by_row = expected.convention.ties == "given"
        order: dict[str, Any] = {"order": "place"} if by_row else {}
        with watched() as received:
            actual = rg.evaluate(self.spark_judgments, self.spark_ranking, measures, **settings, **order)
        assert merged(received[0]) == parts
        assert_same(actual, expected)
        return actual
