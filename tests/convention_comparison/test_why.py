from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.convention_comparison.data import CALM_JUDGED, CALM_RANKED, JUDGED, RANKED
from tests.grids import examples

import rankgauge as rg
from rankgauge.conventions import NAMED, QUESTIONS

NAMES = st.sampled_from(list(NAMED))


@given(NAMES, NAMES)
@examples(60)
def test_why_steps_add_up_to_the_difference(start: str, end: str) -> None:
    walk = rg.conventions.why(CALM_JUDGED, CALM_RANKED, "ndcg@3", start, end)
    assert walk.start_value == rg.evaluate(CALM_JUDGED, CALM_RANKED, "ndcg@3", convention=start)["ndcg@3"]
    assert walk.end_value == rg.evaluate(CALM_JUDGED, CALM_RANKED, "ndcg@3", convention=end)["ndcg@3"]
    assert sum(step.moved or 0.0 for step in walk.steps) == pytest.approx(walk.end_value - walk.start_value, abs=1e-12)
    fields = [step.field for step in walk.steps]
    assert fields == [field for field in QUESTIONS if NAMED[start][field] != NAMED[end][field]]
    if walk.steps:
        assert walk.steps[-1].value == walk.end_value


def test_why_step_lists_queries_by_how_far_they_moved() -> None:
    walk = rg.conventions.why(JUDGED, RANKED, "ndcg@3", "trec_eval", "ir_measures")
    steps = {step.field: step for step in walk.steps}
    assert steps["missing"].queries == {"q3": (None, 0.0)}
    assert steps["precision"].queries == {}
    gain = rg.conventions.why(JUDGED, RANKED, "ndcg@3", "textbook", "burges").steps[0]
    moves = [abs((new or 0) - (old or 0)) for old, new in gain.queries.values()]
    assert moves == sorted(moves, reverse=True)
    assert list(gain.queries) == ["q1"]
    assert gain.moved == pytest.approx(sum(new - old for old, new in gain.queries.values() if old and new) / 4)


def test_why_step_that_refuses_the_data_does_not_end_the_walk() -> None:
    walk = rg.conventions.why(JUDGED, RANKED, "ndcg@3", "sklearn", "catboost")
    assert walk.start_value is None
    assert walk.end_value is not None
    back = rg.conventions.why(JUDGED, RANKED, "ndcg@3", "catboost", "sklearn")
    assert back.end_value is None
    assert "negative" in str(back.steps[-1].refusal)


def test_why_from_a_convention_to_itself_has_no_steps() -> None:
    walk = rg.conventions.why(JUDGED, RANKED, "ndcg@3", "pytrec_eval", "trec_eval-9")
    assert walk.steps == ()
    assert "the same answers" in str(walk)


def test_why_result_is_printed_and_written_as_json() -> None:
    walk = rg.conventions.why(JUDGED, RANKED, "ndcg@3", "lenskit", "ir_measures")
    assert json.loads(walk.to_json()) == walk.to_dict()
    assert "left out → 0.0000" in str(walk)
    assert walk._repr_html_().count("<tr>") == len(walk.steps) + 1
