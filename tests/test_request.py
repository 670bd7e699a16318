"""Requests: what is asked, checked once, with a text form."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given

import rankgauge as rg
from rankgauge._core import Plan
from rankgauge.errors import RankgaugeError
from rankgauge.request import Request
from tests.grids import examples
from tests.properties.strategies import Case, cases
from tests.remarks import lines


@examples(300)
@given(cases())
def test_text_form_of_any_request_is_read_back_as_the_same_computation(case: Case) -> None:
    again = Request.parse(str(case.request))
    assert again.text == case.request.text
    assert (again.measures, again.depth) == (case.request.measures, case.depth)
    assert again.convention.answers == case.convention.answers


@pytest.mark.parametrize(
    "text",
    ["ndcg@10 [trec_eval]", "P@10,NDCG@5 [sklearn(ties=given)] depth=7", "map [trec_eval] relevance_level=0.5"],
)
def test_text_form_prints_what_was_parsed(text: str) -> None:
    request = Request.parse(text)
    assert str(request) == text
    assert hash(request) == hash(Request.parse(text))
    assert pickle.loads(pickle.dumps(request)) == request  # noqa: S301 - made here


@pytest.mark.parametrize(
    "text",
    ["", "ndcg@10", "ndcg@10 [trec_eval", "ndcg [trec_eval] depth=x", "ndcg [trec_eval] seed=1", "[trec_eval]", 3],
)
def test_text_form_that_is_none_is_refused(text: Any) -> None:
    with pytest.raises(RankgaugeError):
        Request.parse(text)


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"relevance_level": float("nan")}, {"missing": "maybe"}])
def test_request_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError):
        Request.of("ndcg@10", **wrong)


def test_two_spellings_of_a_measure_are_one_under_the_first() -> None:
    result = rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["P@10", "precision@10", "nDCG@10"])
    assert list(result) == ["P@10", "nDCG@10"]
    assert result["precision@10"] == result["P_10"] == result["P@10"] == 0.1
    assert result.per_query.keys() == ["P@10", "nDCG@10"]
    assert set(result.to_dict(per_query=True)["per_query"]) == {"P@10", "nDCG@10"}


def test_plan_of_equal_requests_is_compiled_once() -> None:
    assert Request.of("ndcg@10").plan() is Request.of("ndcg@10").plan()
    plan = Request.of("ndcg@10").plan()
    assert pickle.loads(pickle.dumps(plan)).request == plan.request  # noqa: S301 - made here


def test_plan_of_a_measure_of_subtopics_refuses_judgments_without_them() -> None:
    plan = Request.of("alpha_ndcg@10").plan()
    with pytest.raises(RankgaugeError, match="subtopic"):
        plan.evaluate({"q": {"a": 1}}, {"q": ["a"]})


def test_plan_of_a_measure_of_subtopics_refuses_arrays() -> None:
    with pytest.raises(RankgaugeError, match="subtopic") as caught:
        Request.of("alpha_ndcg@10").plan().evaluate_arrays([[1, 0]], [[0.5, 0.9]])
    assert caught.value.code == "no-annotation"


def test_plan_and_its_evaluations_when_printed_name_the_request() -> None:
    plan = Request.of("ndcg@10").plan()
    evaluation = plan.evaluate({"q": {"a": 1}}, {"q": ["a"]})
    assert repr(plan) == "Plan of ndcg@10 [trec_eval]"
    assert repr(evaluation) == "Evaluation of 1 queries: ndcg@10 [trec_eval]"
    assert repr(evaluation.light()) == "LightEvaluation of 1 queries: ndcg@10 [trec_eval]"


@pytest.mark.parametrize("asked", ["ndcg@10", None, 7, rg.measures.NDCG])
def test_plan_of_what_is_no_request_is_refused(asked: Any) -> None:
    with pytest.raises(TypeError, match=f"what rg.Request.of returns; got {type(asked).__name__}"):
        Plan(asked)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_plan_refuses_numbers_of_threads_as_evaluate_does(threads: Any) -> None:
    plan, labels, scores = Request.of("ndcg@10").plan(), np.array([[1, 0]]), np.array([[0.5, 0.1]])
    judgments, ranking = {"q": {"a": 1}}, {"q": ["a"]}
    calls: list[Callable[[], object]] = [
        lambda: rg.evaluate(judgments, ranking, threads=threads),
        lambda: plan.evaluate(judgments, ranking, threads=threads),
        lambda: plan.evaluate_arrays(labels, scores, threads=threads),
    ]
    messages = set()
    for call in calls:
        with pytest.raises(rg.RankgaugeError, match="threads") as caught:
            call()
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_plan_on_one_thread_has_the_same_values() -> None:
    plan, labels, scores = Request.of("ndcg@10").plan(), np.array([[1, 0]]), np.array([[0.1, 0.5]])
    assert plan.evaluate_arrays(labels, scores, threads=1) == plan.evaluate_arrays(labels, scores)


def test_plan_refuses_what_is_no_data() -> None:
    with pytest.raises(TypeError, match="read_judgments"):
        Request.of("ndcg").plan().evaluate(5, {"q": ["a"]})  # type: ignore[arg-type]


def test_request_of_judged_items_only_makes_it_the_answer_of_the_convention() -> None:
    request = Request.of(["nDCG(judged_only=True)@10", "P(judged_only=True)@5"])
    assert request.convention.unjudged == "drop"
    assert [str(measure) for measure in request.measures] == ["ndcg@10", "precision@5"]
    assert request.labels == ("nDCG(judged_only=True)@10", "P(judged_only=True)@5")
    assert request.label("nDCG(judged_only=True)@10") == "nDCG(judged_only=True)@10"


@pytest.mark.parametrize(
    ("measures", "unjudged"), [(["nDCG(judged_only=True)@10", "P@5"], None), (["nDCG(judged_only=True)@10"], "zero")]
)
def test_request_of_judged_items_only_beside_all_items_is_refused(
    measures: list[str], unjudged: Literal["zero"] | None
) -> None:
    with pytest.raises(RankgaugeError) as caught:
        Request.of(measures, unjudged=unjudged)
    assert caught.value.code == "judged-only"


def test_remarks_of_a_measure_that_is_not_proven_say_so() -> None:
    assert lines(Request.of(["ndcg@5", "mrr"], "lightgbm").remarks) == [
        "not proven: lightgbm: proven for ndcg, map; mrr is ours"
    ]
    assert Request.of(["ndcg@5", "map@5"], "lightgbm").remarks == ()
    (remark,) = Request.of(["ERR@5", "ndcg", "P@10"], "trec_eval").remarks
    assert (remark.code, remark.severity) == ("not-proven", "caution")
    assert remark.text.endswith("measures (`rankgauge conventions trec_eval`); ERR@5 is ours")
    assert Request.of(["err@5", "map"], "textbook").remarks == ()
