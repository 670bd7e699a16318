"""Every measure of trec_eval 9 equals its own code, as pytrec_eval compiles it; those of trec_eval 10 by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import pytrec_eval
from tests.parity.cases import Case
from tests.parity.test_counted import WHOLE, whole

import rankgauge as rg
from rankgauge.measures import Measure, parse_all

EXACT = 1e-12
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEAST_OF_A_GEOMETRIC_MEAN = 0.00001
# The class in C, since the one in Python reads lists of positive numbers only.
COMPILED: Any = pytrec_eval.RelevanceEvaluator.__base__
# Ours → the name under which pytrec_eval answers.
TREC = (
    {
        "num_q": "num_q",
        "num_ret": "num_ret",
        "num_rel": "num_rel",
        "num_rel_ret": "num_rel_ret",
        "num_nonrel_judged_ret": "num_nonrel_judged_ret",
        "map": "map",
        "gm_map": "gm_map",
        "r_precision": "Rprec",
        "bpref": "bpref",
        "gm_bpref": "gm_bpref",
        "mrr": "recip_rank",
        "11pt_avg(rounding=0.9)": "11pt_avg",
        "infap": "infAP",
        "utility": "utility",
        "bin_g": "binG",
        "g": "G",
        "ndcg": "ndcg",
        "ndcg_rel": "ndcg_rel",
        "rndcg": "Rndcg",
        "precision": "set_P",
        "relative_precision": "set_relative_P",
        "recall": "set_recall",
        "set_map": "set_map",
        "f": "set_F",
    }
    | {f"success@{k}": f"success_{k}" for k in (1, 5, 10)}
    | {f"iprec(recall={n / 10},rounding=0.9)": f"iprec_at_recall_{n / 10:.2f}" for n in range(11)}
    | {f"r_precision(times={n / 5})": f"Rprec_mult_{n / 5:.2f}" for n in range(1, 11)}
    | {
        f"{ours}@{k}": f"{theirs}_{k}"
        for ours, theirs in {
            "precision": "P",
            "recall": "recall",
            "map": "map_cut",
            "ndcg": "ndcg_cut",
            "relative_precision": "relative_P",
        }.items()
        for k in CUTOFFS
    }
)
# What trec_eval takes behind the dot. Its gains are whole numbers here: it sorts them by their difference cut to a
# whole number, so that the order of 0.5 and 1 is left to chance.
WITH_PARAMETERS = (
    "P.3,7",
    "recall.3,7",
    "map_cut.3,7",
    "ndcg_cut.3,7",
    "relative_P.3,7",
    "success.2,3",
    "iprec_at_recall.0.25,0.75",
    "11pt_avg.0.25,0.75",
    "Rprec_mult.0.3,1.7",
    "set_F.0.5",
    "set_F.4",
    "utility.1,-1,0.5,0",
    "utility.2,-0.5,-1,0.25",
    *(f"{name}.{gains}" for name in ("ndcg", "G", "ndcg_rel", "Rndcg") for gains in ("1=3,2=9", "1=9,2=3", "7=5")),
    *(f"{name}.{gains}" for name in ("ndcg", "G", "ndcg_rel") for gains in ("3=0", "0=1")),
)


def has_relevant(case: Case, query: str, level: int) -> bool:
    return any(grade >= level for grade in case.judgments[query].values())


def expected(case: Case, theirs: Mapping[str, Mapping[str, float]], name: str, level: int) -> dict[str, float]:
    values = {query: measures[name] for query, measures in theirs.items()}
    if name.startswith("gm_"):
        return {query: math.exp(value) for query, value in values.items()}
    if name == "Rndcg":
        # It has no relevance level in its formula, yet answers 0 where no grade reaches the level.
        return {query: value for query, value in values.items() if has_relevant(case, query, level)}
    return values


def actual(case: Case, result: rg.Result, measure: str, level: int) -> dict[str, float]:
    values = result.per_query[measure]
    if measure.startswith("gm_"):
        return {query: max(value, LEAST_OF_A_GEOMETRIC_MEAN) for query, value in values.items()}
    if measure == "rndcg":
        return {query: value for query, value in values.items() if has_relevant(case, query, level)}
    return dict(values)


def families(names: Sequence[str]) -> set[str]:
    """Return the measures of pytrec_eval that the names under which it answers belong to."""
    known = sorted(pytrec_eval.supported_measures, key=len, reverse=True)
    return {next(family for family in known if name == family or name.startswith(f"{family}_")) for name in names}


def test_measures_compared_are_all_of_pytrec_eval() -> None:
    # The two are texts, for which pytrec_eval answers 0; see the worked example of relstring below.
    assert families(list(TREC.values())) == pytrec_eval.supported_measures - {"runid", "relstring"}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case.name)
def test_trec_measure_of_random_data_equals_pytrec_eval(case: Case, level: int) -> None:
    asked = pytrec_eval.supported_measures
    theirs = pytrec_eval.RelevanceEvaluator(whole(case), asked, relevance_level=level).evaluate(case.ranking)
    ours = rg.evaluate(case.judgments, case.ranking, list(TREC), convention="trec_eval-9", relevance_level=level)
    for measure, name in TREC.items():
        wanted = pytest.approx(expected(case, theirs, name, level), rel=0, abs=EXACT)
        assert actual(case, ours, measure, level) == wanted, measure


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case.name)
def test_trec_measure_aggregate_equals_pytrec_eval(case: Case) -> None:
    asked = pytrec_eval.supported_measures
    theirs = pytrec_eval.RelevanceEvaluator(whole(case), asked).evaluate(case.ranking)
    ours = rg.evaluate(case.judgments, case.ranking, list(TREC), convention="trec_eval-9", relevance_level=1)
    for measure, name in TREC.items():
        values = [measures[name] for measures in theirs.values()]
        together = pytrec_eval.compute_aggregated_measure(name, values)
        assert ours[measure] == pytest.approx(together, rel=0, abs=EXACT), measure


def with_rounding_of_trec_eval_9(measure: Measure) -> Measure:
    return measure(rounding=0.9) if measure.name in ("iprec", "11pt_avg") else measure


@pytest.mark.parametrize("request_text", WITH_PARAMETERS)
def test_trec_measure_with_parameters_equals_pytrec_eval(request_text: str) -> None:
    measures = [with_rounding_of_trec_eval_9(measure) for measure in parse_all(request_text)]
    for case in WHOLE:
        evaluator = COMPILED(
            query_relevance=whole(case), measures={request_text}, relevance_level=1, judged_docs_only_flag=False
        )
        theirs = evaluator.evaluate(case.ranking)
        names = list(next(iter(theirs.values())))
        ours = rg.evaluate(case.judgments, case.ranking, measures, convention="trec_eval-9", relevance_level=1)
        for measure, name in zip(measures, names, strict=True):
            wanted = {query: values[name] for query, values in theirs.items()}
            assert ours.per_query[str(measure)] == pytest.approx(wanted, rel=0, abs=EXACT), (case.name, name)


# What trec_eval 10 has and pytrec_eval lacks, worked by hand

RANKED = {"q": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "e": 1.0}}


def value(judgments: Mapping[str, float], ranked: int, measure: str) -> object:
    """Return the value where the first so many of a, b, c, … are ranked."""
    ranking = {"q": dict(list(RANKED["q"].items())[:ranked])}
    return rg.evaluate({"q": judgments}, ranking, measure, convention="trec_eval").per_query[measure]["q"]


def test_relstring_of_a_small_list_equals_hand_calculation() -> None:
    """A digit per rank, > above 9, - unjudged, . negative: Buckley 2008, trec_eval 9, m_relstring."""
    judgments = {"a": 3, "c": -1, "d": 0, "e": 12}  # b is unjudged
    assert value(judgments, 5, "relstring@10") == "3-.0>"
    assert value(judgments, 5, "relstring@3") == "3-."


def test_yaap_of_a_small_list_equals_hand_calculation() -> None:
    """Robertson 2012, On Smoothing Average Precision, ECIR: the log odds of AP with a smoothed numerator."""
    # Ranks 1 and 3 of R = 3 relevant items: Σ P@i = 1/1 + 2/3 = 5/3, and (1 + 5/3) / (1 + 3 − 5/3) = 8/7.
    assert value({"a": 1, "c": 1, "x": 1, "b": 0}, 3, "yaap") == pytest.approx(math.log(8 / 7), abs=EXACT)
    # Nothing relevant: ln(1 / 1).
    assert value({"a": 0}, 3, "yaap") == 0.0
    # The only relevant item at rank 1: Σ = 1, ln((1 + 1) / (1 + 1 − 1)); not ranked: Σ = 0, ln(1 / 2).
    assert value({"a": 1}, 3, "yaap") == pytest.approx(math.log(2), abs=EXACT)
    assert value({"x": 1}, 3, "yaap") == pytest.approx(math.log(1 / 2), abs=EXACT)


def test_unjudged_of_a_small_list_equals_hand_calculation() -> None:
    """Unjudged items over k, also where fewer are ranked; a negative grade is no judgment.

    Buckley & Voorhees 2004, Retrieval Evaluation with Incomplete Information, SIGIR.
    """
    judgments = {"a": 1, "c": -1, "d": 0}  # b and e are unjudged
    assert value(judgments, 5, "unjudged@1") == 0 / 1
    assert value(judgments, 5, "unjudged@2") == 1 / 2
    assert value(judgments, 5, "unjudged@4") == 2 / 4
    assert value(judgments, 5, "unjudged@10") == 3 / 10


def test_graded_rbp_of_a_small_list_equals_hand_calculation() -> None:
    """Moffat & Zobel 2008, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1).

    As trec_eval 10 has it: grades are divided by the highest one of the query, also if that is not ranked.
    """
    judgments = {"a": 2, "c": 1, "x": 4}
    # (1 − p) (2/4 + p² · 1/4)
    for p in (0.5, 0.9):
        by_hand = (1 - p) * (2 / 4 + p * p * 1 / 4)
        assert value(judgments, 3, f"rbp(gain=share,p={p})") == pytest.approx(by_hand, abs=EXACT)
    assert parse_all("rbp.p=0.5") == parse_all("rbp(gain=share,p=0.5)")
    # The highest is 1: (1 − 0.5) (1 + 0.25).
    assert value({"a": 1, "c": 1}, 3, "rbp(gain=share,p=0.5)") == pytest.approx(0.625, abs=EXACT)


def test_rbp_residual_of_a_small_list_equals_hand_calculation() -> None:
    """What b (unjudged) and c (negative) could add, and all ranks beyond the last: Moffat & Zobel 2008, TOIS 27(1)."""
    judgments = {"a": 3, "c": -1, "d": 0}
    # p⁴ + (1 − p) (p¹ + p²), for p = 0.5: 0.0625 + 0.5 · 0.75
    assert value(judgments, 4, "rbp_residual(p=0.5)") == pytest.approx(0.4375, abs=EXACT)
    assert parse_all("rbp_resid.p=0.5") == parse_all("rbp_residual(p=0.5)")
    # trec_eval 10 says 0 where all ranked items are judged, not p^n.
    assert value({"a": 1, "b": 0}, 2, "rbp_residual(p=0.5)") == 0.0
