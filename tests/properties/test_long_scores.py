"""Whole scores beyond 2^53 rank as their dense ranks do, in every form and engine."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples

import rankgauge as rg

BASES = [0, 2**53 - 3, 2**53, 1_700_000_000_000_000_000, -(2**62), 2**63 - 600]
SOME = examples(150)
CONVENTIONS = ["textbook", "trec_eval", "sklearn", "lightgbm", "textbook(ties=worst)", "textbook(ties=best)"]
MEASURES = ["ndcg", "ndcg@3", "mrr", "auc"]


@st.composite
def long_scores(draw: st.DrawFn) -> list[int]:
    base = draw(st.sampled_from(BASES))
    steps = st.integers(0, draw(st.sampled_from([3, 20, 599])))
    return [base + step for step in draw(st.lists(steps, min_size=1, max_size=12))]


@SOME
@given(long_scores(), st.data(), st.sampled_from(CONVENTIONS))
def test_long_whole_scores_rank_as_their_dense_ranks(scores: list[int], data: st.DataObject, convention: str) -> None:
    labels = data.draw(st.lists(st.integers(0, 3), min_size=len(scores), max_size=len(scores)))
    distinct = sorted(set(scores))
    ranks = [distinct.index(score) for score in scores]
    judged = {"q": dict(enumerate(labels))}
    expected = rg.evaluate(judged, {"q": dict(enumerate(ranks))}, MEASURES, convention=convention)
    for engine in ("native", "reference"):
        result = rg.evaluate(judged, {"q": dict(enumerate(scores))}, MEASURES, convention=convention, engine=engine)
        assert dict(result) == dict(expected)
        assert result.counts == expected.counts
    arrays = rg.evaluate_arrays([labels], np.array([scores]), MEASURES, convention=convention)
    assert dict(arrays) == dict(rg.evaluate_arrays([labels], [ranks], MEASURES, convention=convention))


@SOME
@given(long_scores(), st.data())
def test_long_whole_scores_under_32_bits_are_those_of_their_floats(scores: list[int], data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(0, 3), min_size=len(scores), max_size=len(scores)))
    convention = "textbook(precision=float32)"
    whole = rg.evaluate_arrays([labels], np.array([scores]), MEASURES, convention=convention)
    floats = rg.evaluate_arrays([labels], np.array([scores], dtype=float), MEASURES, convention=convention)
    assert dict(whole) == dict(floats)
    narrow = {score: np.float32(score) for score in scores}
    assert (whole.evaluation.counts.merged == 1) == (len(set(narrow.values())) < len(narrow))
