"""An item that comes twice in a query: what tools make of it, where they take it."""

from __future__ import annotations

import ir_measures
import pandas as pd
import pytest
import pytrec_eval
from ir_measures import Qrel, ScoredDoc

import rankgauge as rg
from rankgauge.errors import RankgaugeError

JUDGED = [("1", "a", 1), ("1", "b", 3), ("1", "a", 2), ("2", "c", 1)]
RANKED = [("1", "a", 0.9), ("1", "b", 0.5), ("1", "a", 0.1), ("2", "d", 0.5), ("2", "c", 0.4)]


def rankgauge_says(convention: str) -> dict[str, float]:
    judgments = pd.DataFrame(JUDGED, columns=["query", "item", "grade"])
    ranking = pd.DataFrame(RANKED, columns=["query", "item", "score"])
    return dict(rg.evaluate(judgments, ranking, "ndcg@10", convention=convention).per_query["ndcg@10"])


def test_duplicates_under_ir_measures_keep_the_last() -> None:
    theirs = ir_measures.iter_calc(
        [ir_measures.nDCG @ 10], [Qrel(*row) for row in JUDGED], [ScoredDoc(*row) for row in RANKED]
    )
    assert rankgauge_says("ir_measures") == pytest.approx({metric.query_id: metric.value for metric in theirs})


def test_duplicates_under_pytrec_eval_are_refused() -> None:
    """pytrec_eval takes dicts, in which an item comes once; trec_eval's program refuses them."""
    assert pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, {"ndcg"}).evaluate({"1": {"a": 1.0}})["1"]["ndcg"] == 1.0
    with pytest.raises(RankgaugeError, match="twice"):
        rankgauge_says("pytrec_eval")
