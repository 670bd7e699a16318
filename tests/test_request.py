"""Requests: what is asked, checked once, with a text form."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.request import Request
from tests.grids import examples
from tests.properties.strategies import Case, cases


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
    "text", ["", "ndcg@10", "ndcg@10 [trec_eval", "ndcg [trec_eval] depth=x", "ndcg [trec_eval] seed=1", "[trec_eval]"]
)
def test_text_form_that_is_none_is_refused(text: str) -> None:
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


def test_plan_refuses_what_is_no_data() -> None:
    with pytest.raises(TypeError, match="read_judgments"):
        Request.of("ndcg").plan().evaluate(5, {"q": ["a"]})
