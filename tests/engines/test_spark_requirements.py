"""What a cluster asks of its DataFrames, on frames that only know the types of their columns."""

from __future__ import annotations

from typing import Any

import pytest

from rankgauge.engines import spark
from rankgauge.engines.spark import Side, Task
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles
from rankgauge.request import Request

JUDGED = {"user": "int", "item": "int", "grade": "int"}
LISTS = "array<int>"


class Frame:
    """A DataFrame of Spark of which only the types are asked."""

    def __init__(self, types: dict[str, str]) -> None:
        self.dtypes = list(types.items())


def side(types: dict[str, str], value: str | None = None) -> Side:
    query, item, *_ = types
    return Side(Frame(types), Roles(query, item, value, descending=True))


def refused(judgments: Side, ranking: Side, convention: str = "trec_eval") -> str:
    with pytest.raises(RankgaugeError) as caught:
        spark.evaluate(judgments, [ranking], Request.of("ndcg", convention), Task())
    return str(caught.value)


@pytest.mark.parametrize("convention", ["trec_eval", "textbook", "ir_measures"])
def test_ranking_without_scores_is_told_what_orders_it(convention: str) -> None:
    words = refused(side(JUDGED, "grade"), side({"user": "int", "item": "int"}), convention)
    assert "got none, and a ranking has no column of scores or ranks." in words
    assert words.endswith(
        "give the ranking a column of scores or ranks, or name the column that gives the order of its rows."
    )


@pytest.mark.parametrize("convention", ["textbook", "ir_measures"])
def test_ranking_with_scores_is_told_of_other_conventions(convention: str) -> None:
    ranking = side({"user": "int", "item": "int", "score": "double"}, "score")
    assert "a convention that need none, such as ndcg and trec_eval" in refused(
        side(JUDGED, "grade"), ranking, convention
    )


RANKINGS: dict[str, tuple[Any, str]] = {
    "in order": (side({"user": "int", "items": LISTS}), "selectExpr('user', 'posexplode(items) AS (rank, items)')."),
    "with scores": (
        side({"user": "int", "items": LISTS, "score": "array<double>"}, "score"),
        "selectExpr('user', 'inline(arrays_zip(items, score))').",
    ),
    "with one score": (
        side({"user": "int", "items": LISTS, "score": "double"}, "score"),
        "selectExpr('user', 'explode(items) AS items', 'score').",
    ),
    "of odd names": (
        side({"user.id": "int", "아이템": LISTS}),
        "selectExpr('`user.id`', 'posexplode(`아이템`) AS (rank, `아이템`)').",
    ),
}


@pytest.mark.parametrize("kind", RANKINGS)
@pytest.mark.parametrize("convention", ["trec_eval", "textbook"])
def test_ranking_of_lists_is_told_how_they_become_rows(kind: str, convention: str) -> None:
    ranking, hint = RANKINGS[kind]
    words = refused(side(JUDGED, "grade"), ranking, convention)
    assert words == f"expected an item per row on a cluster, got lists. Hint: make a row of each: {hint}"


def test_judgments_of_lists_are_not_numbered() -> None:
    words = refused(side({"user": "int", "bought": LISTS}), side({"user": "int", "item": "int"}))
    assert words.endswith("make a row of each: selectExpr('user', 'explode(bought) AS bought').")
    words = refused(side({"users": LISTS, "item": "int"}), side({"user": "int", "item": "int"}))
    assert words.startswith("expected a query per row on a cluster, got lists.")
