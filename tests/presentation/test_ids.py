"""Ids are found by any form in which they came; those that are all whole numbers are listed as numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.inputs.test_ids import GOOD

import rankgauge as rg
from rankgauge.presentation.ids import id_text, sorted_as_numbers


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
def test_sorted_as_numbers_of_texts_has_known_order(ids: list[str], expected: list[str]) -> None:
    assert sorted_as_numbers(ids) == expected


@settings(deadline=None)
@given(st.lists(st.integers()))
def test_sorted_as_numbers_of_integers_equals_sorted(numbers: list[int]) -> None:
    assert sorted_as_numbers(numbers) == sorted(numbers)
    assert [int(id_) for id_ in sorted_as_numbers(map(str, numbers))] == sorted(numbers)


@pytest.mark.parametrize(("id_", "text"), [(id_, id_text(plain)) for id_, plain in GOOD])
def test_query_is_looked_up_by_the_id_that_came_in(id_: Any, text: str) -> None:
    assert id_text(id_) == text
    result = rg.evaluate({id_: {"d": 1}}, {id_: ["x", "d"]}, "mrr")
    assert result.query(id_) == {"mrr": 0.5}
    assert result.per_query["mrr"][id_] == result.per_query["mrr"][text] == 0.5
    assert id_ in result.per_query["mrr"]
    assert rg.explain({id_: {"d": 1}}, {id_: ["x", "d"]}, query=id_).query == text


def test_per_query_with_numeric_ids_has_one_order_in_tables_frames_and_json() -> None:
    ids = [str(number) for number in range(1, 13)]
    result = rg.evaluate({id_: {"d": 1} for id_ in ids}, {id_: ["d"] for id_ in ids}, ["ndcg@10", "relstring.5"])
    assert [row[0] for row in result.per_query.table().rows] == ids
    assert result.per_query.to_polars()["query"].to_list() == ids
    per_query = json.loads(result.to_json(per_query=True))["per_query"]
    assert [list(column) for column in per_query.values()] == [ids, ids]
