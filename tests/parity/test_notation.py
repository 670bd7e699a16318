"""What ranx and ir_measures type with a level, gains or judged items only means here what it means there."""

from __future__ import annotations

import warnings

import ir_measures
import pytest
from ranx import Qrels, Run, evaluate
from tests.parity.cases import Case
from tests.parity.test_counted import UNTIED, whole

import rankgauge as rg

OF_RANX = [
    *("map-l2", "precision@10-l2", "recall@10-l3", "mrr-l2", "ndcg@10-l2", "ndcg-l3", "rbp.80-l2", "hits@5-l2"),
    *("hit_rate@5-l2", "f1@10-l2", "dcg@5-l2", "r-precision-l2"),
]
OF_IR_MEASURES = [
    *("nDCG(judged_only=True)@10", "nDCG(judged_only=True)", "P(judged_only=True)@5", "P(rel=2,judged_only=True)@5"),
    *("AP(judged_only=True)", "AP(rel=2,judged_only=True)@20", "RR(judged_only=True)", "Rprec(judged_only=True)"),
    *("Success(judged_only=True)@1", "SetP(judged_only=True)", "IPrec(judged_only=True)@0.5"),
    *("nDCG(gains={0: 0, 1: 5, 2: 3})@10", "nDCG(gains={1: 2, 4: 9})", "nDCG(cutoff=5)", "P(cutoff=3,rel=2)"),
    "nDCG(gains={1: 3},judged_only=True)@5",
]


@pytest.mark.parametrize("case", UNTIED[:4], ids=lambda case: case.name)
def test_levels_of_ranx_are_parsed(case: Case) -> None:
    run = Run({query: {item: float(s) for item, s in items.items()} for query, items in case.ranking.items()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = evaluate(Qrels(whole(case)), run, OF_RANX, make_comparable=True)
    ours = rg.evaluate(case.judgments, case.ranking, OF_RANX, convention="ranx")
    for name in OF_RANX:
        assert ours[name] == pytest.approx(theirs[name], abs=1e-9), name


@pytest.mark.parametrize("name", OF_IR_MEASURES)
def test_parameters_of_ir_measures_are_parsed(name: str) -> None:
    measure = ir_measures.parse_measure(name)
    for case in UNTIED:
        metrics = ir_measures.iter_calc([measure], whole(case), case.ranking)
        theirs = {metric.query_id: metric.value for metric in metrics}
        for typed in (name, str(measure)):
            ours = rg.evaluate(case.judgments, case.ranking, typed, convention="ir_measures").per_query[typed]
            assert ours == pytest.approx(theirs, abs=1e-9), (case.name, typed)
