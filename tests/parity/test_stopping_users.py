"""Measures of readers who stop, and of unordered sets, equal cwl_eval, compatibility, gdeval and ir_measures."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import ir_measures
import pytest
from tests.parity.cases import Case, traits
from tests.parity.test_counted import WHOLE, whole

import rankgauge as rg

EXACT = 1e-9
# gdeval prints five decimals.
FIVE_DECIMALS = 5.0001e-6
# gdeval stops at a grade above 4, which would also be no share of 4.
UP_TO_4 = [case for case in WHOLE if "high grades" not in traits(case, None)]
HIGH = [case for case in WHOLE if "high grades" in traits(case, None)]
NOTHING_RELEVANT = [case for case in UP_TO_4 if "nothing relevant" in traits(case, None)]
CWL = (
    "INST(max_rel=4)",
    "INST(T=2.5,max_rel=4)",
    "INSQ(max_rel=4)",
    "INSQ(T=0.5,max_rel=4)",
    "BPM(max_rel=4)@10",
    "BPM(T=2,max_rel=4)@30",
    "BPM(T=0.5,max_rel=4)@5",
    "SDCG(max_rel=4)@3",
    "SDCG(max_rel=4)@10",
    "SDCG(max_rel=4)@100",
    "RBP(rel=1)",
    "RBP(p=0.5,rel=2)",
)
COMPAT = ("Compat", "Compat(p=0.8)", "Compat(p=0.99,normalize=False)")
# What ir_measures asks of pytrec_eval → ours.
SETS = {
    "infAP": "infap",
    "infAP(rel=2)": "infap(rel=2)",
    "IPrec@0.1": "iprec(recall=0.1,rounding=0.9)",
    "IPrec@0.75": "iprec(recall=0.75,rounding=0.9)",
    "IPrec(rel=2)@0.3": "iprec(rel=2,recall=0.3,rounding=0.9)",
    "SetP": "precision",
    "SetP(rel=2)": "precision(rel=2)",
    "SetP(relative=True)": "relative_precision",
    "SetR": "recall",
    "SetR(rel=2)": "recall(rel=2)",
    "SetAP": "set_map",
    "SetAP(rel=2)": "set_map(rel=2)",
    "SetF": "f",
    "SetF(rel=2)": "f(rel=2)",
    # It weighs recall by β, as trec_eval does, where the F measure has β².
    "SetF(beta=4)": "f(beta=2)",
    "SetF(beta=0.25)": "f(beta=0.5)",
    "NumQ": "num_q",
    "NumRel": "num_rel",
    "NumRet": "num_ret",
    "NumRelRet": "num_rel_ret",
    "NumRet(rel=2)": "num_rel_ret(rel=2)",
    "Rprec(rel=2)": "r_precision(rel=2)",
    "Bpref(rel=2)": "bpref(rel=2)",
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Silence what ir_measures says of grades that a case does not have."""
    logger = logging.getLogger("ir_measures.cwl_eval")
    level = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(level)


def ask(provider: str, names: tuple[str, ...], case: Case) -> dict[str, dict[str, float]]:
    """Return the values of ir_measures by the name asked for and by query."""
    measures = {name: ir_measures.parse_measure(name) for name in names}
    asked = ir_measures.providers.registry[provider]
    values: dict[Any, dict[str, float]] = {}
    for metric in asked.iter_calc(list(measures.values()), whole(case), case.ranking):
        values.setdefault(metric.measure, {})[metric.query_id] = metric.value
    return {name: values[measure] for name, measure in measures.items()}


def ours(case: Case, measure: str, convention: str) -> dict[str, float]:
    result = rg.evaluate(case.judgments, case.ranking, measure, convention=convention)
    return dict(result.per_query[measure])


# One seed, since the tool has vectors of 1000 ranks for every list.
@pytest.mark.parametrize("case", [case for case in UP_TO_4 if case.name.endswith(" 0")], ids=lambda case: case.name)
def test_cwl_measures_equal_cwl_eval(case: Case) -> None:
    # It takes equal scores in the order given.
    convention = "ir_measures(ties=given,precision=float64)"
    for name, theirs in ask("cwl_eval", CWL, case).items():
        assert ours(case, name, convention) == pytest.approx(theirs, rel=0, abs=EXACT), name


@pytest.mark.parametrize("case", HIGH, ids=lambda case: case.name)
def test_cwl_measures_with_a_higher_maximum_grade_equal_cwl_eval(case: Case) -> None:
    names = ("INST(max_rel=10)", "INSQ(T=3,max_rel=10)", "BPM(T=2,max_rel=10)@20", "SDCG(max_rel=10)@10")
    for name, theirs in ask("cwl_eval", names, case).items():
        values = ours(case, name, "ir_measures(ties=given,precision=float64)")
        assert values == pytest.approx(theirs, rel=0, abs=EXACT), name


def for_compatibility(case: Case) -> Case:
    """Return a case with the places of its scores among them as scores, from 1 on, and judgments by id.

    The tool takes a missing item to have score 0, so that it comes before those of negative scores in the ideal; and
    in the ideal it orders equal grades of equal scores as they were judged, not as they are ranked.
    """
    judgments = {query: dict(sorted(items.items())) for query, items in case.judgments.items()}
    places = {
        query: {score: place for place, score in enumerate(sorted(set(items.values())), start=1)}
        for query, items in case.ranking.items()
    }
    ranking = {
        query: {item: float(places[query][score]) for item, score in items.items()}
        for query, items in case.ranking.items()
    }
    return Case(case.name, judgments, ranking)


@pytest.mark.parametrize("case", [*map(for_compatibility, WHOLE)], ids=lambda case: case.name)
def test_compatibility_equals_ir_measures(case: Case) -> None:
    convention = "ir_measures(ties=id-ascending,precision=float64)"
    for name, theirs in ask("compat", COMPAT, case).items():
        assert ours(case, name, convention) == pytest.approx(theirs, rel=0, abs=EXACT), name


@pytest.mark.parametrize("case", UP_TO_4, ids=lambda case: case.name)
def test_err_of_graded_judgments_equals_gdeval(case: Case) -> None:
    for name, theirs in ask("gdeval", ("ERR@5", "ERR@20"), case).items():
        values = ours(case, name, "ir_measures(precision=float64)")
        assert values == pytest.approx(theirs, rel=0, abs=FIVE_DECIMALS), name


@pytest.mark.parametrize("case", NOTHING_RELEVANT, ids=lambda case: case.name)
def test_err_of_a_query_with_nothing_relevant_is_left_out_as_in_gdeval(case: Case) -> None:
    measure = ir_measures.parse_measure("ERR@20")
    evaluator = ir_measures.providers.registry["gdeval"].evaluator([measure], whole(case))
    # Before ir_measures puts a 0 for each query that the program does not print.
    printed = {metric.query_id: metric.value for metric in evaluator._iter_calc(case.ranking)}
    assert ours(case, "err@20", "gdeval") == pytest.approx(printed, rel=0, abs=FIVE_DECIMALS)


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case.name)
def test_set_measures_equal_ir_measures(case: Case) -> None:
    theirs = ask("pytrec_eval", tuple(SETS), case)
    for name, measure in SETS.items():
        values = ours(case, measure, "ir_measures")
        # It puts 0 for whatever is asked of a query that the ranking lacks, also for its number of relevant items.
        ranked = {query: value for query, value in theirs[name].items() if query in case.ranking}
        assert {query: values[query] for query in ranked} == pytest.approx(ranked, rel=0, abs=EXACT), name


@pytest.mark.parametrize("name", ["NumRet", "NumRet(rel=2)"])
def test_num_ret_named_as_in_ir_measures_equals_it(name: str) -> None:
    case = next(case for case in UP_TO_4 if case.name == "graded 0")
    theirs = ask("pytrec_eval", (name,), case)[name]
    result = rg.evaluate(case.judgments, case.ranking, name, convention="ir_measures")
    assert dict(result.per_query[name]) == theirs


# Expected reciprocal rank, divided by the ideal


def test_nerr_of_a_small_list_equals_hand_calculation() -> None:
    """Chapelle et al. 2009, Expected Reciprocal Rank for Graded Relevance, CIKM: grade g stops with (2^g − 1) / 2^4."""
    judgments = {"q": {"a": 0, "b": 1, "c": 2, "x": 3}}
    ranking = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    one, two, three = Fraction(1, 16), Fraction(3, 16), Fraction(7, 16)
    # Grades 0, 1, 2 at ranks 1, 2, 3; best is 3, 2, 1, of which x is not ranked.
    actual = one / 2 + (1 - one) * two / 3
    ideal = three + (1 - three) * two / 2 + (1 - three) * (1 - two) * one / 3
    result = rg.evaluate(judgments, ranking, ["err@3", "nerr@3", "nerr@2"], convention="textbook")
    assert result["err@3"] == pytest.approx(float(actual), abs=1e-15)
    assert result["nerr@3"] == pytest.approx(float(actual / ideal), abs=1e-15)
    cut = (one / 2) / (three + (1 - three) * two / 2)
    assert result["nerr@2"] == pytest.approx(float(cut), abs=1e-15)


@pytest.mark.parametrize("case", UP_TO_4, ids=lambda case: case.name)
def test_nerr_equals_err_over_the_err_of_the_best_order(case: Case) -> None:
    best = {query: {item: float(grade) for item, grade in items.items()} for query, items in case.judgments.items()}
    convention = "ir_measures(precision=float64)"
    ideal = ours(Case(case.name, case.judgments, best), "err@5", convention)
    values = ours(case, "err@5", convention)
    wanted = {query: values[query] / ideal[query] if ideal[query] else 0.0 for query in values}
    assert ours(case, "nerr@5", convention) == pytest.approx(wanted, rel=0, abs=EXACT)
