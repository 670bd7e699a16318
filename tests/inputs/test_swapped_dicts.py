"""Dicts in each other's place: when it is said, and when integers and lists are what they may be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError

RANKED = {"q1": ["d3", "d1", "d2", "d9"], "q2": ["d4", "d5", "d6"]}
GRADED = {"q1": {"d1": 1, "d2": 1, "d3": 2}, "q2": {"d4": 0, "d5": 0}}


def test_evaluate_of_swapped_dicts_is_a_severe_remark() -> None:
    (remark,) = (remark for remark in rg.evaluate(RANKED, GRADED).remarks if remark.code == "swapped")
    assert remark.severity == "severe"
    assert remark.text == "the judgments have lists; the ranking has few whole numbers, from 0 to 2, as grades are"
    with pytest.raises(RankgaugeError, match="swapped"):
        rg.evaluate(RANKED, GRADED, strict=True)


def test_evaluate_of_swapped_dicts_with_one_relevant_item_each_is_a_severe_remark() -> None:
    result = rg.evaluate({"u": ["a", "b", "c"], "v": ["b", "d"]}, {"u": {"a": 1}, "v": {"d": 1}})
    (remark,) = (remark for remark in result.remarks if remark.code == "swapped")
    assert remark.text == "the judgments have lists; the ranking has few whole numbers, from 1 to 1, as grades are"


@pytest.mark.parametrize(
    ("judgments", "ranking"),
    [
        (GRADED, RANKED),
        (RANKED, RANKED),
        (GRADED, GRADED),
        (RANKED, {"q1": {"d1": 1.5, "d2": 1.5}}),  # scores with fractions
        (RANKED, {"q1": {"d1": 30, "d2": 30}}),  # counts
        (RANKED, {"q1": {"d1": 3, "d2": 2, "d3": 1}}),  # no two are equal
        ({"q1": ["d1"]}, {"q1": {"d1": 1, "d2": 1, "d3": 0}}),  # fewer relevant items than ranked ones
        ({"q1": ["d1"]}, {"q1": {"d1": 1}}),  # no more relevant items than ranked ones
        ({"q1": ["d1", "d2"]}, {"q1": {"d1": 0.5}}),  # one score with a fraction
        ({"q1": {"d1", "d2", "d3"}}, {"q1": {"d1": 1, "d2": 1}}),  # a set is no ranking
    ],
)
def test_evaluate_of_dicts_that_may_be_in_their_places_is_not_remarked_as_swapped(judgments: Any, ranking: Any) -> None:
    assert lines(rg.evaluate(judgments, ranking).remarks, "swapped") == []
