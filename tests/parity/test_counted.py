"""Measures that count relevant items equal those of trec_eval's own code, of ir_measures and of ranx."""

from __future__ import annotations

import warnings
from typing import Any

import ir_measures
import pytest
import pytrec_eval
import ranx
from tests.parity.cases import Case, all_cases, traits

import rankgauge as rg

WHOLE = [case for case in all_cases(seeds=(0, 1)) if "fractional grades" not in traits(case, None)]
UNTIED = [
    case for case in WHOLE if not traits(case, None) & {"ties", "near ties", "missing queries", "unjudged queries"}
]
CUTOFFS = (1, 5, 10, 100)
# Ours → trec_eval's, and the name under which pytrec_eval answers.
TREC = {
    "map": ("map", "map"),
    "mrr": ("recip_rank", "recip_rank"),
    "r_precision": ("Rprec", "Rprec"),
    "bpref": ("bpref", "bpref"),
    "precision": ("set_P", "set_P"),
    "recall": ("set_recall", "set_recall"),
    "f": ("set_F", "set_F"),
} | {
    f"{ours}@{k}": (f"{theirs}.{k}", f"{theirs}_{k}")
    for ours, theirs in {"precision": "P", "recall": "recall", "map": "map_cut", "success": "success"}.items()
    for k in CUTOFFS
}


def whole(case: Case) -> dict[str, dict[str, int]]:
    return {query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case.name)
def test_counted_of_random_data_equals_pytrec_eval(case: Case, level: int) -> None:
    asked = {theirs for theirs, _ in TREC.values()}
    theirs = pytrec_eval.RelevanceEvaluator(whole(case), asked, relevance_level=level).evaluate(case.ranking)
    ours = rg.evaluate(case.judgments, case.ranking, list(TREC), convention="trec_eval-9", relevance_level=level)
    for measure, (_, name) in TREC.items():
        expected = {query: values[name] for query, values in theirs.items()}
        assert ours.per_query[measure] == pytest.approx(expected, abs=1e-12), measure


@pytest.mark.parametrize("case", UNTIED, ids=lambda case: case.name)
def test_counted_of_random_data_equals_ir_measures(case: Case) -> None:
    names = [
        *("RBP(rel=1)", "RBP(p=0.5,rel=1)", "RBP(p=0.95,rel=2)"),
        *("Judged@1", "Judged@10", "RR@3", "RR", "RR(rel=2)@10", "P(rel=2)@5", "AP(rel=2)@20", "R@10", "Success@5"),
        *("SetP", "Rprec", "Bpref"),
    ]
    measures = [ir_measures.parse_measure(name) for name in names]
    theirs: dict[str, dict[str, float]] = {}
    for metric in ir_measures.iter_calc(measures, whole(case), case.ranking):
        theirs.setdefault(str(metric.measure), {})[metric.query_id] = metric.value
    typed = {"SetP": "precision"}
    for name, measure in zip(names, measures, strict=True):
        ours = typed.get(name, name)
        values = rg.evaluate(case.judgments, case.ranking, ours, convention="ir_measures").per_query[ours]
        assert values == pytest.approx(theirs[str(measure)], abs=1e-9), name


def test_counted_of_random_data_equals_ranx() -> None:
    names = ["precision@5", "recall@10", "f1@10", "hit_rate@5", "mrr@10", "map@20", "r-precision", "map", "hits@5"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in UNTIED[:6]:
            run: Any = ranx.Run(
                {query: {item: float(s) for item, s in items.items()} for query, items in case.ranking.items()}
            )
            qrels = ranx.Qrels(
                {query: {i: g for i, g in items.items() if g > 0} or {"": 1} for query, items in whole(case).items()}
            )
            theirs = ranx.evaluate(qrels, run, names, make_comparable=True)
            ours = rg.evaluate(case.judgments, case.ranking, names, convention="ranx")
            for name in names:
                assert ours[name] == pytest.approx(theirs[name], abs=1e-9), (case.name, name)
