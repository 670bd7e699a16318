"""Ids that are all whole numbers are listed as numbers, others as they came."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.presentation.ids import sorted_as_numbers


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["1", "10", "2"], ["1", "2", "10"]),
        (["-3", "10", "-20"], ["-20", "-3", "10"]),
        (["7", "007", "1"], ["1", "007", "7"]),
        (["1", "10", "2a"], ["1", "10", "2a"]),
        (["1", "10", "2.0"], ["1", "10", "2.0"]),
        (["10", "2", "٣"], ["10", "2", "٣"]),
        (["10", "2", "1_0"], ["10", "2", "1_0"]),
        (["10", "2", ""], ["10", "2", ""]),
        (["9" * 5000, "2"], ["9" * 5000, "2"]),
        ([], []),
    ],
)
def test_sorted_as_numbers_of_texts(ids: list[str], expected: list[str]) -> None:
    assert sorted_as_numbers(ids) == expected


@settings(deadline=None)
@given(st.lists(st.integers()))
def test_sorted_as_numbers_of_integers_equals_sorted(numbers: list[int]) -> None:
    assert sorted_as_numbers(numbers) == sorted(numbers)
    assert [int(id_) for id_ in sorted_as_numbers(map(str, numbers))] == sorted(numbers)


def test_per_query_with_numeric_ids_has_one_order_in_tables_frames_and_json() -> None:
    ids = [str(number) for number in range(1, 13)]
    result = rg.evaluate({id_: {"d": 1} for id_ in ids}, {id_: ["d"] for id_ in ids}, ["ndcg@10", "relstring.5"])
    assert [row[0] for row in result.per_query.table().rows] == ids
    assert result.per_query.to_polars()["query"].to_list() == ids
    per_query = json.loads(result.to_json(per_query=True))["per_query"]
    assert [list(column) for column in per_query.values()] == [ids, ids]
