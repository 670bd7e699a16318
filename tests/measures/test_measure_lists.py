"""Measures in every form that people give several in."""

from __future__ import annotations

from typing import Any

import ir_measures
import numpy as np
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.measures import NDCG
from rankgauge.measures.parsing import listed

JUDGMENTS = {"q": {"a": 1, "b": 2}}
RANKING = {"q": ["b", "c", "a"]}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"ndcg": [5, 10]}, ["ndcg@5", "ndcg@10"]),
        ({"ndcg": 5, "map": None}, ["ndcg@5", "map"]),
        ({"ndcg": (None, 3)}, ["ndcg", "ndcg@3"]),
        ({"ndcg": range(1, 3)}, ["ndcg@1", "ndcg@2"]),
        ({"ndcg": np.array([1, 2])}, ["ndcg@1", "ndcg@2"]),
        ({"ndcg": (k for k in (1, 2))}, ["ndcg@1", "ndcg@2"]),
        ({"P,ndcg": 5}, ["P@5", "ndcg@5"]),
        ({"ndcg_cut": [5]}, ["ndcg_cut@5"]),
        ({NDCG: [5, None]}, ["ndcg@5", "ndcg"]),
        ({"ndcg@5": None, NDCG @ 3: None}, ["ndcg@5", "ndcg@3"]),
        ({ir_measures.nDCG: [5]}, ["nDCG@5"]),
        ({"ndcg@5", "map"}, ["map", "ndcg@5"]),
        (frozenset({NDCG @ 3, "map"}), ["map", "ndcg@3"]),
        ((name for name in ("ndcg@5", "map")), ["ndcg@5", "map"]),
        (np.array(["ndcg@5", "map"]), ["ndcg@5", "map"]),
        (np.array("ndcg@5"), ["ndcg@5"]),
        (np.array([NDCG @ 3], dtype=object), ["ndcg@3"]),
        (ir_measures.nDCG @ 10, ["nDCG@10"]),
        ([ir_measures.nDCG @ 10, ir_measures.AP(rel=2), "P@1"], ["nDCG@10", "AP(rel=2)", "P@1"]),
    ],
)
def test_measures_in_any_form_are_all_evaluated(given: Any, expected: list[str]) -> None:
    assert list(rg.evaluate(JUDGMENTS, RANKING, given)) == expected


def test_measures_in_a_mapping_are_taken_for_arrays_too() -> None:
    assert list(rg.evaluate_arrays([1, 0], [0.2, 0.1], {"ndcg": [1, 2]})) == ["ndcg@1", "ndcg@2"]


def test_measure_of_ir_measures_looks_up_a_result() -> None:
    measure: Any = ir_measures.nDCG @ 10
    assert rg.evaluate(JUDGMENTS, RANKING, measure)[measure] == rg.evaluate(JUDGMENTS, RANKING)["ndcg@10"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"ndcg": []}, "bad-cutoff"),
        ({"ndcg": 0}, "bad-cutoff"),
        ({"ndcg": 1.5}, "bad-cutoff"),
        ({"ndcg": True}, "bad-cutoff"),
        ({"ndcg": "five"}, "bad-cutoff"),
        ({"ndcg": {"k": 5}}, "bad-cutoff"),
        ({"ndcg@5": [10]}, "bad-cutoff"),
        ({NDCG @ 5: 10}, "bad-cutoff"),
        ({"bpref": 10}, "no-cutoff"),
        ({"my label": "ndcg@10"}, "bad-cutoff"),
        ({3: 4}, "unknown-measure"),
        ({}, "no-measure"),
        (set(), "no-measure"),
    ],
)
def test_mapping_that_names_no_cutoffs_is_refused(given: Any, code: str) -> None:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(JUDGMENTS, RANKING, given)
    assert caught.value.code == code


def test_listed_set_has_the_same_order_in_every_process() -> None:
    assert listed({"b", "a", "c"}) == ("a", "b", "c")
