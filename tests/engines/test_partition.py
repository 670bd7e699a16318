"""What a partition of a cluster reports of its rows, without a cluster."""

from __future__ import annotations

import json
import math
from typing import Any

import pyarrow as pa
import pytest

from rankgauge.engines.partition import Columns, Fault, Work, evaluate
from rankgauge.inputs.roles import Roles
from rankgauge.request import Request

COLUMNS = {"query": "query", "item": "item", "value": "value"}
JUDGMENTS = Columns(Roles("query", "item", "grade", descending=True), COLUMNS)
RANKING = Columns(Roles("query", "item", "score", descending=True), COLUMNS, "place")
REQUEST = Request.of("ndcg", "trec_eval(duplicates=last)")
WORK = Work(REQUEST, JUDGMENTS, (RANKING,), unordered="none in the judgments")

# Query, item, value, whether it has no place.
Row = tuple[Any, str, float | None, bool]


def judged(*queries: str | int | None) -> list[Row]:
    return [(query, "a", 1.0, False) for query in queries]


def sent(judgments: list[Row], ranking: list[Row], work: Work = WORK) -> list[dict[str, Any]]:
    """What a partition with rows of both sides sends."""
    query, item, value, unordered = zip(*judgments, *ranking, strict=True)
    side = [0] * len(judgments) + [1] * len(ranking)
    names = ("query", "item", "value", "unordered", "side")
    batch = pa.RecordBatch.from_arrays([*map(pa.array, (query, item, value, unordered, side))], names)
    return [row for part in evaluate(work, iter([batch])) for row in part.to_pylist()]


def faults(judgments: list[Row], ranking: list[Row]) -> list[Fault]:
    """The errors of a partition with rows of both sides."""
    return [Fault(*json.loads(row["error"])) for row in sent(judgments, ranking) if row["error"] is not None]


def test_partition_without_faults_reports_none() -> None:
    assert faults(judged("q1", "q2"), [("q1", "a", 1.0, False), ("q1", "a", 2.0, False)]) == []


@pytest.mark.parametrize("value", [math.nan, math.inf, "1.x"])
def test_values_that_cannot_be_read_name_their_query(value: float | str) -> None:
    good = type(value)(1)
    batch = {"query": ["q1", "q1", "q2"], "item": ["a", "a", "b"], "value": [good, good, value], "side": [0, 1, 1]}
    (row,) = next(evaluate(WORK, iter(pa.table(batch).to_batches()))).to_pylist()
    assert Fault(*json.loads(row["error"])).place == "column 'score', query 'q2'"


@pytest.mark.parametrize("queries", [("q9", "q2", "q10"), (9, 2, 10)])
def test_null_values_name_the_first_query_by_text(queries: tuple[Any, ...]) -> None:
    ranking: list[Row] = [(query, "a", None if query != queries[1] else 1.0, False) for query in queries]
    (fault,) = faults(judged(*queries), ranking)
    assert (fault.code, fault.place) == ("null-value", f"column 'score', query '{queries[2]}'")


def test_null_query_comes_before_all_others() -> None:
    (fault,) = faults(judged("q1", None, "q0"), [("q0", "a", None, False)])
    assert (fault.code, fault.place) == ("null-value", "column 'query'")


@pytest.mark.parametrize(("unplaced", "column"), [("q1", "place"), ("q3", "score")])
def test_row_without_a_place_is_a_fault_in_turn_with_null_values(unplaced: str, column: str) -> None:
    ranking: list[Row] = [("q2", "a", None, False), (unplaced, "b", 1.0, True)]
    (fault,) = faults(judged("q1", "q2", "q3"), ranking)
    assert fault.code == "null-value"
    assert fault.place == f"column '{column}', query '{min(unplaced, 'q2')}'"


def test_item_judged_twice_without_an_order_is_a_fault() -> None:
    (fault,) = faults([*judged("q2", "q2", "q1", "q1"), ("q1", "b", 1.0, False)], [("q1", "a", 1.0, False)])
    assert (fault.step, fault.query, fault.code, fault.place) == (0, "q1", "no-row-order", "query 'q1', item 'a'")


@pytest.mark.parametrize(
    ("judged_rows", "ranked_rows", "looked_at"),
    [(10_000, 10_000, ["long", "q1"]), (10_001, 1, ["q1"]), (1, 10_001, ["q1"])],
)
def test_queries_beyond_10_000_rows_on_one_side_are_left_out_of_the_look_up_of_common_items(
    judged_rows: int, ranked_rows: int, looked_at: list[str]
) -> None:
    judgments: list[Row] = [("long", f"judged {item}", 1.0, False) for item in range(judged_rows)]
    ranking: list[Row] = [("long", f"ranked {item}", 1.0, False) for item in range(ranked_rows)]
    (row,) = sent([*judgments, *judged("q1")], [*ranking, ("q1", "b", 1.0, False)])
    assert (row["meeting"], row["apart"]) == ([], looked_at)


@pytest.mark.parametrize("measure", ["coverage@10", "coverage(items=9000)@10"])
def test_coverage_sends_16_bytes_per_shown_item(measure: str) -> None:
    work = WORK._replace(request=Request.of(measure))
    queries = [f"q{number}" for number in range(60)]

    def size(shown: int) -> int:
        """How many bytes are sent if queries show 10 items each, and no query the two items that follow."""
        ranking: list[Row] = [(queries[item // 12], f"d{item}", -item, False) for item in range(shown // 10 * 12)]
        (row,) = sent(judged(*queries), ranking, work)
        return len(row["evaluation"])

    assert size(600) - size(300) == 300 * 16
