from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from tests.properties.strategies import conventions as any_convention

import rankgauge as rg
from rankgauge import conventions
from rankgauge.conventions import NAMED, QUESTIONS, Convention
from rankgauge.conventions.textbook import TEXTBOOK
from rankgauge.errors import RankgaugeError
from rankgauge.measures import NAMED as MEASURES
from rankgauge.measures import parse
from rankgauge.measures.tool_meanings import meant

NOTES = {"name", "summary", "reproduces", "source", "cite", "quirks", "undefined", "measures", "proven"}
NAMES = pytest.mark.parametrize("name", NAMED)


@given(any_convention())
def test_get_text_of_a_convention_returns_the_same_convention(convention: Convention) -> None:
    assert conventions.get(str(convention)) == convention


@NAMES
def test_named_convention_has_its_sources(name: str) -> None:
    convention = NAMED[name]
    assert str(convention) == repr(convention) == convention.name == name
    assert convention.summary
    assert convention.reproduces
    assert convention.source
    assert convention.cite


def test_named_conventions_are_the_documented_ones() -> None:
    promised = {"textbook", "textbook-clipped", "trec_eval", "burges", "jarvelin", "implicit-feedback"}
    assert promised <= set(NAMED)


def test_convention_fields_are_questions_or_notes() -> None:
    fields = {field.name for field in dataclasses.fields(Convention)}
    assert fields == set(QUESTIONS) | NOTES


@NAMES
def test_measures_of_a_tool_are_measures_of_ours(name: str) -> None:
    convention = NAMED[name]
    for called, text in convention.measures.items():
        of_tool = parse(text)
        assert called in MEASURES
        assert str(of_tool) == text
        assert of_tool.name == called or of_tool.name not in convention.measures
        assert meant(meant(parse(called), convention), convention) == of_tool
    assert set(convention.proven) <= set(MEASURES)


def test_proven_measures_of_a_formula_are_none_and_of_a_tool_have_ndcg() -> None:
    of_formulas = {"textbook", "textbook-clipped", "burges", "jarvelin", "implicit-feedback", "kaggle"}
    assert {name for name, convention in NAMED.items() if "ndcg" not in convention.proven} == of_formulas
    assert {name for name, convention in NAMED.items() if not convention.proven} == of_formulas


def test_convention_when_assigned_to_raises() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TEXTBOOK.ties = "average"  # type: ignore[misc]


def test_changes_and_text_show_what_differs_from_the_name() -> None:
    changed = conventions.get("trec_eval").replace(missing="zero", gain="exp2")
    assert changed.changes == {"gain": "exp2", "missing": "zero"}
    assert str(changed) == "trec_eval(gain=exp2,missing=zero)"
    assert changed.replace(missing="skip", gain="linear") == conventions.get("trec_eval")


def test_convention_made_by_a_user_is_evaluated() -> None:
    mine = dataclasses.replace(TEXTBOOK, name="mine", ties="average")
    result = rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, "ndcg", convention=mine)
    assert result["ndcg"] == pytest.approx((1 + 1 / math.log2(3)) / 2)
    assert "convention: mine (" in str(result)


@pytest.mark.parametrize(
    "changes", [{"ties": "avg"}, {"tie": "average"}, {"decimals": -1}, {"gain": 3}, {"ties": None}]
)
def test_replace_with_an_invalid_answer_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        TEXTBOOK.replace(**changes)


def test_bounded_is_true_only_where_ndcg_stays_within_0_and_1() -> None:
    # These compare with k relevant items, however many there are, or take negative grades for negative gains.
    unbounded = {name for name, convention in NAMED.items() if not convention.bounded}
    assert {"rectools", "cwl", "catboost", "xgboost-linear"} <= unbounded
    assert not unbounded & {"textbook", "trec_eval", "sklearn", "lightgbm", "recbole"}
    assert not TEXTBOOK.replace(negative="keep").bounded
    assert not TEXTBOOK.replace(ideal="perfect").bounded


# What each answer does, on cases that a person can check.

JUDGED = {"q1": {"a": 2, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
RANKED = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}
LATE = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))


@pytest.mark.parametrize(
    ("changes", "per_query"),
    [
        ("nothing_relevant=zero,missing=skip", {"q1": LATE, "q2": 0.0}),
        ("nothing_relevant=one,missing=skip", {"q1": LATE, "q2": 1.0}),
        ("nothing_relevant=skip,missing=skip", {"q1": LATE}),
        ("nothing_relevant=skip,missing=zero", {"q1": LATE, "q3": 0.0}),
        ("nothing_relevant=one,missing=zero", {"q1": LATE, "q2": 1.0, "q3": 0.0}),
    ],
)
def test_nothing_relevant_and_missing_of_each_answer_give_its_mean(changes: str, per_query: dict[str, float]) -> None:
    result = rg.evaluate(JUDGED, RANKED, "ndcg@10", convention=f"trec_eval({changes})")
    assert result.per_query["ndcg@10"] == pytest.approx(per_query)
    assert result["ndcg@10"] == pytest.approx(sum(per_query.values()) / len(per_query))


def test_nothing_relevant_nan_makes_the_mean_nan() -> None:
    result = rg.evaluate(JUDGED, RANKED, "ndcg@10", convention="trec_eval(nothing_relevant=nan)")
    assert math.isnan(result["ndcg@10"])
    assert math.isnan(result.per_query["ndcg@10"]["q2"])


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        ("id-descending", "zca"),
        ("id-ascending", "acz"),
        ("given", "caz"),
        ("reversed", "zac"),
        ("worst", "caz"),
        ("best", "zac"),
    ],
)
def test_ties_of_each_answer_give_its_value(ties: str, order: str) -> None:
    judged = {"c": 0, "a": 1, "z": 2}
    value = rg.dcg({"c": 1.0, "a": 1.0, "z": 1.0}, judged, convention=f"textbook(ties={ties})")
    assert value == pytest.approx(rg.dcg([judged[item] for item in order]))


@pytest.mark.parametrize(
    ("ideal", "idcg"),
    [
        ("judged", 3 + 2 / math.log2(3)),
        ("uncut", 3 + 2 / math.log2(3) + 1 / 2),
        ("ranked", 2 + 1 / math.log2(3)),
        ("list-length", 3 + 2 / math.log2(3)),
        ("perfect(4)", 4 + 4 / math.log2(3)),
    ],
)
def test_ideal_of_each_kind_gives_its_value(ideal: str, idcg: float) -> None:
    judged = {"a": 3, "b": 2, "c": 1}
    assert rg.idcg(["c", "b", "x"], judged, k=2, ideal=ideal) == pytest.approx(idcg)


@pytest.mark.parametrize(("ideal", "idcg"), [("judged", 3 + 2 / math.log2(3) + 1 / 2), ("list-length", 3.0)])
def test_ideal_of_a_list_shorter_than_k_gives_its_value(ideal: str, idcg: float) -> None:
    assert rg.idcg(["c"], {"a": 3, "b": 2, "c": 1}, k=10, ideal=ideal) == pytest.approx(idcg)


@pytest.mark.parametrize(("default_cutoff", "terms"), [("list", 1), ("all", 3), (2, 2)])
def test_default_cutoff_of_each_answer_gives_its_ideal(default_cutoff: object, terms: int) -> None:
    convention = TEXTBOOK.replace(default_cutoff=default_cutoff)
    assert rg.idcg(["c"], {"a": 1, "b": 1, "c": 1}, convention=convention) == pytest.approx(rg.idcg([1] * terms))


@pytest.mark.parametrize(("unjudged", "value"), [("zero", 1 / math.log2(3)), ("drop", 1.0)])
def test_unjudged_of_each_answer_gives_its_value(unjudged: str, value: float) -> None:
    assert rg.ndcg(["x", "a"], {"a": 1}, convention=f"textbook(unjudged={unjudged})") == pytest.approx(value)


@pytest.mark.parametrize(("negative", "value"), [("zero", 0.0), ("keep", -2.0)])
def test_negative_of_each_answer_gives_its_value(negative: str, value: float) -> None:
    assert rg.cg([-2, 0], convention=f"textbook(negative={negative})") == value


def test_unjudged_drop_removes_negative_grades_too() -> None:
    assert rg.ndcg(["n", "a"], {"n": -1, "a": 1}, convention="trec_eval(unjudged=drop)") == 1.0


@pytest.mark.parametrize(("duplicates", "order"), [("first", "ab"), ("last", "ba")])
def test_duplicates_of_each_answer_give_its_value(duplicates: str, order: str) -> None:
    judged = {"a": 2, "b": 1}
    value = rg.dcg(["a", "b", "a"], judged, convention=f"textbook(duplicates={duplicates})")
    assert value == rg.dcg([judged[item] for item in order])


def test_precision_float32_makes_near_scores_tie() -> None:
    scores = {"a": 1.0, "b": 1.0 + 1e-9}
    assert rg.ndcg(scores, {"b": 1}, convention="textbook(precision=float64)") == 1.0
    assert rg.ndcg(scores, {"b": 1}, convention="textbook(precision=float32)") < 1.0


def test_decimals_round_the_mean_alone() -> None:
    result = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "ndcg", convention="trec_eval(decimals=4)")
    assert result["ndcg"] == 0.6309
    assert result.per_query["ndcg"]["q"] == 1 / math.log2(3)
