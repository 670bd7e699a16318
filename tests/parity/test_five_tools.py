"""The README's table: the five tools, run, print the numbers that it shows, and so does rankgauge."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
import rectools.metrics
import sklearn.metrics
import xgboost

import rankgauge as rg

JUDGED = {"a": 1, "b": 3, "c": 0, "d": 2, "e": 1, "x": 3}
RANKED = {"c": 0.9, "a": 0.8, "b": 0.8, "d": 0.5, "e": 0.5000000001, "f": 0.1}
ROW_GRADES = [JUDGED.get(item, 0) for item in RANKED]
ROW_SCORES = list(RANKED.values())
NO_FEATURES = np.zeros((len(RANKED), 1))


def trec_eval() -> float:
    evaluator = pytrec_eval.RelevanceEvaluator({"q": JUDGED}, {"ndcg_cut.5"})
    return float(evaluator.evaluate({"q": RANKED})["q"]["ndcg_cut_5"])


def scikit_learn() -> float:
    return float(sklearn.metrics.ndcg_score([ROW_GRADES], [ROW_SCORES], k=5))


def light_gbm() -> float:
    """Leaves too large to split leave the initial scores as they are."""
    no_trees = {"min_data_in_leaf": 10**6, "feature_pre_filter": False, "verbosity": -1}
    rows = lightgbm.Dataset(NO_FEATURES, ROW_GRADES, group=[len(RANKED)], init_score=ROW_SCORES, params=no_trees)
    history: dict[str, dict[str, list[float]]] = {}
    lightgbm.train(
        {"objective": "lambdarank", "metric": "ndcg", "eval_at": [5], **no_trees},
        rows,
        num_boost_round=1,
        valid_sets=[rows],
        valid_names=["rows"],
        callbacks=[lightgbm.record_evaluation(history)],
    )
    return history["rows"]["ndcg@5"][0]


def xg_boost() -> float:
    rows = xgboost.DMatrix(NO_FEATURES, ROW_GRADES, group=[len(RANKED)], base_margin=ROW_SCORES)
    booster = xgboost.train({"objective": "rank:ndcg", "eval_metric": "ndcg@5"}, rows, num_boost_round=0)
    return float(booster.eval(rows).split(":")[-1])


def rec_tools() -> float:
    best_first = sorted(RANKED, key=lambda item: -RANKED[item])
    recommended = pd.DataFrame({"user_id": "q", "item_id": best_first, "rank": range(1, len(RANKED) + 1)})
    relevant = pd.DataFrame({"user_id": "q", "item_id": [item for item, grade in JUDGED.items() if grade > 0]})
    return float(rectools.metrics.NDCG(k=5).calc(recommended, relevant))


TOOLS: dict[str, Callable[[], float]] = {
    "trec_eval": trec_eval,
    "LightGBM 4.7": light_gbm,
    "XGBoost 3.2": xg_boost,
    "RecTools 0.19": rec_tools,
    "scikit-learn 1.9": scikit_learn,
}


def readme_table() -> dict[str, tuple[str, str]]:
    """Tool → (number, convention), as the README shows them."""
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w .-]+?) +\| (0\.\d{4}) \|.*\| `(.+?)` +\|$", text, flags=re.MULTILINE)
    return {tool: (number, convention) for tool, number, convention in rows}


def test_the_table_has_the_five_tools_and_five_numbers() -> None:
    assert set(readme_table()) == set(TOOLS)
    assert len({number for number, _ in readme_table().values()}) == len(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tool_prints_the_number_and_so_does_rankgauge(tool: str) -> None:
    number, convention = readme_table()[tool]
    theirs = TOOLS[tool]()
    ours = rg.evaluate({"q": JUDGED}, {"q": RANKED}, "ndcg@5", convention=convention)["ndcg@5"]
    assert f"{theirs:.4f}" == number
    assert ours == pytest.approx(theirs, abs=1e-9)
