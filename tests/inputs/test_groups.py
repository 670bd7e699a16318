"""Groups of flat arrays: what is refused, what is counted, and what is remarked on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.remarks import Remark

LABELS, SCORES = np.array([3, 2, 0, 1, 0]), np.array([0.5, 0.2, 0.4, 0.1, 0.3])
HUGE = 2**62


def failure(groups: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate_arrays(LABELS, SCORES, "ndcg@3", groups, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def remarks(groups: Any = None, **options: Any) -> dict[str, Remark]:
    result = rg.evaluate_arrays(LABELS, SCORES, "ndcg@3", groups, **options)
    return {remark.code: remark for remark in result.remarks}


@pytest.mark.parametrize("kind", [None, "sizes", "boundaries"])
@pytest.mark.parametrize(
    "groups",
    [
        np.array([HUGE, HUGE, HUGE, HUGE + 5]),  # adds up to 5 in 64 bits
        np.array([2**63, 2**63 + 5], dtype=np.uint64),
        np.array([2**64 - 1, 6], dtype=np.uint64),
        np.array([-1, 6]),
        np.array([6, -1]),
        np.array([-128, -123, 0, 0], dtype=np.int8),
        np.array([0, 6]),
        [2**64, 5],
        [6],
    ],
)
def test_size_that_overflows_is_refused(groups: Any, kind: Any) -> None:
    assert failure(groups, groups_are=kind).code == "bad-groups"


def test_size_above_the_rows_is_named() -> None:
    assert f"got the number {HUGE} among them" in str(failure(np.array([HUGE, 3])))
    assert "groups_are=" in str(failure([1, 1]))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64, ">u2"])
def test_sizes_of_a_small_type_are_added_up_in_full(dtype: Any) -> None:
    labels, scores = np.tile([1, 0], 150), np.arange(300.0)
    result = rg.evaluate_arrays(labels, scores, "ndcg@3", np.array([100, 100, 100]).astype(dtype))
    assert len(result.per_query["ndcg@3"]) == 3


@pytest.mark.parametrize(
    ("groups", "kind", "text"),
    [
        ([0, 3, 2], "sizes", "read as sizes; 1 query has no rows"),
        ([3, 0, 0, 2], None, "read as sizes; 2 queries have no rows"),
        ([0, 3, 3, 5], None, "read as boundaries; 1 query has no rows"),
        ([3, 2], None, "read as sizes"),
        ([0, 3, 5], None, "read as boundaries"),
    ],
)
def test_groups_without_rows_are_counted(groups: Any, kind: Any, text: str) -> None:
    said = remarks(groups, groups_are=kind)
    assert said["groups"].text == text
    assert ("nothing-ranked" in said) == ("no rows" in text)


def test_flat_arrays_without_groups_are_remarked_as_one_query() -> None:
    said = remarks()["one-query"]
    assert (said.severity, said.text) == ("caution", "all 5 rows, since there are no groups")
    assert "groups=" in said.next_step
    assert "one-query" not in remarks([5])
    assert "one-query" not in {remark.code for remark in rg.evaluate_arrays([[3, 0]], [[0.5, 0.2]]).remarks}
    assert "one-query" not in {remark.code for remark in rg.evaluate_arrays([3], [0.5]).remarks}


def test_matrix_with_one_column_is_a_severe_remark() -> None:
    """Scores of the shape (rows, 1), as many models return them, make a query of each row: all are worth 1 or 0."""
    result = rg.evaluate_arrays(LABELS[:, None], SCORES[:, None], "ndcg@3")
    said = next(remark for remark in result.remarks if remark.code == "one-item-queries")
    assert said.severity == "severe"
    assert said.text == "each of the 5 rows has one column"
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate_arrays(LABELS[:, None], SCORES[:, None], "ndcg@3", strict=True)
    assert caught.value.code == "severe-remark"
    one_row = rg.evaluate_arrays([[3]], [[0.5]])
    assert "one-item-queries" not in {remark.code for remark in one_row.remarks}


@pytest.mark.parametrize("groups", [[], np.zeros(0, int), np.zeros((0, 2))])
def test_groups_that_are_empty_beside_rows_are_refused(groups: Any) -> None:
    assert failure(groups).code == "bad-groups"
