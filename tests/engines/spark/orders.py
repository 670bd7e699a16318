"""The column that gives the order of rows on Spark: which side needs it, equal places in it, and none."""

from __future__ import annotations

import random
from typing import Any, Final

from tests.engines.spark.data import JUDGED, RANKED, Rows, assert_same, frame, refused, rows

import rankgauge as rg

LAST: Final = "ir_measures"  # which keeps the last row of an item


def orders(spark: Any) -> None:
    """Rows have the order that the column says, and a side whose order does not count needs none."""
    judged, ranked = rows(30)
    judgments, local = spark.createDataFrame(judged, JUDGED), frame(judged, JUDGED)
    assert rg.conventions.get(LAST).duplicates == "last"
    twice = [(query, item, 1 - score, 15 + place) for query, item, score, place in ranked if place < 5]
    ranking = spark.createDataFrame(_shuffled([*ranked, *twice]), RANKED)
    expected = rg.evaluate(local, frame([*ranked, *twice], RANKED), convention=LAST)
    assert_same(rg.evaluate(judgments, ranking, convention=LAST, order="place"), expected)
    _judged_twice(spark, judged, ranked)
    _equal_places(spark, judged, ranked)
    _no_place(spark, judged, ranked)
    _equal_grades(spark, judged, ranked)
    assert "duplicates=last" in refused(lambda: rg.evaluate(judgments, ranking, convention=LAST))
    for order, got in (("nowhere", "the columns query, item, score, place"), ("grade", "a ranking with the columns")):
        words = refused(lambda order=order: rg.evaluate(judgments, ranking, convention=LAST, order=order))
        assert f"the column {order!r}" in words
        assert got in words


def _equal_grades(spark: Any, judged: Rows, ranked: Rows) -> None:
    """A measure that takes items of equal grades as the rows came needs the column under every convention."""
    judgments, ranking = spark.createDataFrame(judged, JUDGED), spark.createDataFrame(_shuffled(ranked), RANKED)
    words = refused(lambda: rg.evaluate(judgments, ranking, "map,concordance"))
    assert "got none, and concordance takes items of equal grades as the rows came" in words
    expected = rg.evaluate(frame(judged, JUDGED), frame(ranked, RANKED), "map,concordance")
    assert_same(rg.evaluate(judgments, ranking, "map,concordance", order="place"), expected)


def _judged_twice(spark: Any, judged: Rows, ranked: Rows) -> None:
    """Judgments need the column as soon as an item is judged twice."""
    later = [("q7", "d5", 3), ("q12", "d1", 2), ("q12", "d2", 2), ("q7", "d5", 0)]
    both = [row for row in judged if row[:2] not in {row[:2] for row in later}]
    both = [*both, *later, *((query, item, 1) for query, item, _ in later)]
    ranking = spark.createDataFrame(ranked, RANKED)
    unplaced = spark.createDataFrame(_shuffled(both), JUDGED)
    words = refused(lambda: rg.evaluate(unplaced, ranking, convention=LAST, order="place"))
    assert words.startswith("query 'q12', item 'd1': expected order='column' on a cluster")
    assert "got none in the judgments, and ir_measures has duplicates=last" in words
    placed = [(*row, place) for place, row in enumerate(both)]
    judgments = spark.createDataFrame(_shuffled(placed), f"{JUDGED}, place int")
    for convention in (LAST, f"{LAST}(duplicates=first)"):
        expected = rg.evaluate(frame(both, JUDGED), frame(ranked, RANKED), convention=convention)
        assert_same(rg.evaluate(judgments, ranking, convention=convention, order="place"), expected)


def _equal_places(spark: Any, judged: Rows, ranked: Rows) -> None:
    """Rows with one place are sorted by item, and rows of one item by their score."""
    level = [(query, item, score, place // 4) for query, item, score, place in ranked]
    level += [(query, item, 1 - score, place) for query, item, score, place in level[::3]]
    sorted_rows = sorted(level, key=lambda row: (row[3], row[1], row[2]))
    judgments, ranking = spark.createDataFrame(judged, JUDGED), spark.createDataFrame(_shuffled(level), RANKED)
    expected = rg.evaluate(frame(judged, JUDGED), frame(sorted_rows, RANKED), convention=LAST)
    assert_same(rg.evaluate(judgments, ranking, convention=LAST, order="place"), expected)


def _no_place(spark: Any, judged: Rows, ranked: Rows) -> None:
    """A row of a ranking without a place is an error; the judgments' column is not looked at where none counts."""
    judgments = spark.createDataFrame([(*row, None) for row in judged], f"{JUDGED}, place int")
    places = {"int": None, "double": float("nan")}
    for kind, nothing in places.items():
        types = RANKED.replace("place int", f"place {kind}")
        unknown = {"q8", "q12", "q9"}
        rows_of_kind = [
            (*row[:3], nothing if row[0] in unknown and row[3] == 3 else type(nothing or 0)(row[3])) for row in ranked
        ]
        ranking = spark.createDataFrame(rows_of_kind, types)
        words = refused(lambda ranking=ranking: rg.evaluate(judgments, ranking, convention="textbook", order="place"))
        assert words.startswith("column 'place', query 'q12': expected a value in every row, got none")
    ranking = spark.createDataFrame(ranked, RANKED)
    expected = rg.evaluate(frame(judged, JUDGED), frame(ranked, RANKED), convention="textbook")
    assert_same(rg.evaluate(judgments, ranking, convention="textbook", order="place"), expected)


def _shuffled(rows: Rows) -> Rows:
    return random.Random(5).sample(rows, len(rows))
