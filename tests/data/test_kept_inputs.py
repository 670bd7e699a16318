"""Results hold their inputs as long as they live, and no longer."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import rankgauge as rg

JUDGMENTS = {"q": {"a": 1}}


class Mapping(dict[str, list[str]]):
    """A mapping that can be watched."""


def test_result_keeps_the_mapping_by_reference() -> None:
    ranking = Mapping(q=["a"])
    watched = weakref.ref(ranking)
    result = rg.evaluate(JUDGMENTS, ranking)
    del ranking
    gc.collect()
    assert watched() is not None
    del result
    gc.collect()
    assert watched() is None


def test_pickled_result_has_no_inputs_and_the_same_values() -> None:
    result = rg.evaluate(JUDGMENTS, {"q": ["x", "a"]}, "ndcg@10")
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes
    assert result.inputs is not None
    assert again.inputs is None
    assert dict(again) == dict(result)


def test_copies_share_the_inputs() -> None:
    result = rg.evaluate(JUDGMENTS, {"q": ["x", "a"]}, "ndcg@10")
    assert copy.copy(result).inputs is result.inputs
    assert copy.deepcopy(result).inputs is result.inputs
