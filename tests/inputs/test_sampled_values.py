from __future__ import annotations

import pytest

from rankgauge.inputs.sampled_values import are_ranks, rank_remarks, rise


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[1, 2, 3], [1]], True),
        ([[0, 1], [0, 1, 2]], True),
        ([[0, 1], [1, 2]], False),
        ([[2, 1]], False),
        ([[1, 2, 4]], False),
        ([[1.0, 1.5]], False),
        ([[float("nan"), 1]], False),
        ([[1], [1]], False),
        ([[], []], False),
        ([], False),
    ],
)
def test_are_ranks_of_values_is_whether_they_count_up(values: list[list[float]], *, expected: bool) -> None:
    assert are_ranks(values) == expected


def test_rise_needs_more_than_an_accident() -> None:
    assert rise([[1, 3, 4], [2, 9], [0.5, 0.75, 1]])
    assert not rise([[1, 3, 4]])
    assert not rise([[1, 3, 4], [9, 2], [0.5, 0.75, 1]])


def test_rank_remarks_count_queries_with_several_distinct_ranks() -> None:
    scores = [[1, 2], [5], [1, 1], [1, 2], [3, 2]]
    ranks = [[1, 2], [1], [2, 1], [7, 7], [1, 2]]
    (remark,) = rank_remarks(scores, ranks, "the column 'rank'")
    assert remark.code == "ranks-and-scores"
    assert remark.text.startswith("the column 'rank' is not in the order of the scores in 1 of 3 queries")
