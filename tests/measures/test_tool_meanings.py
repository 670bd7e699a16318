"""What a tool means by the name of a measure: the issue's numbers, under the tool's convention."""

from __future__ import annotations

import pytest

import rankgauge as rg
from rankgauge.conventions import get
from rankgauge.measures import parse
from rankgauge.measures.tool_meanings import is_proven, meant
from rankgauge.request import Request


@pytest.mark.parametrize(
    ("convention", "typed", "computed"),
    [
        ("lightgbm", "map@5", "capped_map(rel=0.50000003,relevant=ranked)@5"),
        ("lightgbm", "map(rel=2)@5", "capped_map(rel=2,relevant=ranked)@5"),
        ("lightgbm", "AP@5", "capped_map(rel=0.50000003,relevant=ranked)@5"),
        ("lightgbm", "capped_map@5", "capped_map@5"),
        ("xgboost", "map", "capped_map(relevant=ranked)@32"),
        ("xgboost", "auc", "concordance"),
        ("xgboost", "auc(rel=2)", "auc(rel=2)"),
        ("catboost", "ERR@3", "err(gain=share(1),nothing_relevant=zero)@3"),
        ("catboost", "ERR(gain=share(4))@3", "err(gain=share(4),nothing_relevant=zero)@3"),
        ("ranx", "rbp.80", "rbp(gain=linear,p=0.8)"),
        ("ir_measures", "IPrec@0.1", "iprec(recall=0.1,rounding=0.9)"),
        ("pytrec_eval", "iprec_at_recall_0.10", "iprec(recall=0.1,rounding=0.9)"),
        ("trec_eval", "rbp", "rbp(gain=share,p=0.9)"),
        ("trec_eval", "rbp(p=0.8)", "rbp(gain=share,p=0.8)"),
        ("trec_eval", "iprec", "iprec"),
        ("textbook", "rbp", "rbp"),
    ],
)
def test_meant_name_under_a_convention_is_the_measure_of_the_tool(convention: str, typed: str, computed: str) -> None:
    request = Request.of(typed, convention)
    assert str(request.measures[0]) == computed
    assert request.labels == (typed,)
    assert request.label(typed) == typed
    assert Request.parse(str(request)) == request
    assert Request.parse(request.text).measures == request.measures


def test_meant_relevance_level_that_was_asked_for_replaces_that_of_the_tool() -> None:
    assert str(Request.of("map@5", "lightgbm", relevance_level=2).measures[0]) == "capped_map(relevant=ranked)@5"
    judgments, ranking = {"q": {"a": 1, "b": 3, "c": 2}}, {"q": ["a", "b", "c"]}
    result = rg.evaluate(judgments, ranking, "map@3", convention="lightgbm", relevance_level=2)
    assert result["map@3"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_result_of_a_tools_measure_is_found_by_the_name_that_was_typed() -> None:
    judgments, ranking = {"q": {"a": 1, "b": 1, "x": 1}}, {"q": ["a", "c", "b"]}
    result = rg.evaluate(judgments, ranking, ["map@2", "ndcg@2"], convention="lightgbm")
    # Two relevant rows of those ranked: 1 at rank 1, divided by min(2, 2).
    assert result["map@2"] == result["AP@2"] == 0.5
    assert result.keys() == ["map@2", "ndcg@2"]
    assert result.per_query["map@2"] == {"q": 0.5}
    assert "capped_map@2" not in result


@pytest.mark.parametrize(
    ("convention", "typed", "proven"),
    [
        ("lightgbm", "map@5", True),
        ("lightgbm", "mrr", False),
        ("lightgbm", "capped_map@5", False),
        ("trec_eval", "rbp.p=0.5", True),
        ("trec_eval", "rbp(rel=1)", False),
        ("trec_eval", "err@10", False),
        ("ranx", "rbp.95", True),
        ("textbook", "ndcg", False),
    ],
)
def test_is_proven_measure_that_the_tool_was_asked_for_is(convention: str, typed: str, proven: bool) -> None:
    chosen = get(convention)
    assert is_proven(meant(parse(typed), chosen), chosen) is proven
