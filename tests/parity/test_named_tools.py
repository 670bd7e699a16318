"""Conventions named after a tool give the numbers of that tool, run on random data with many ties."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import rectools.metrics
import sklearn.metrics
import xgboost

import rankgauge as rg

Numbers = npt.NDArray[Any]

SEEDS = range(5)
CUTOFFS = [1, 3, 5, 10, 40, 100]


def matrix(seed: int, *, ties: bool) -> tuple[Numbers, Numbers]:
    """Forty queries; some have nothing relevant, some only equal scores."""
    rng = np.random.default_rng(seed)
    columns = [2, 7, 33, 64, 90][seed]
    labels = rng.integers(0, 5, (40, columns)) * (rng.random((40, columns)) < 0.4)
    labels[:3] = 0
    scores = rng.integers(0, 6, (40, columns)) / 8 if ties else rng.normal(size=(40, columns))
    scores[5] = 1.0
    return labels, scores


def flat(seed: int) -> tuple[Numbers, Numbers, Numbers]:
    """Queries of 1 to 60 rows, whose scores differ by more or by less than a 32-bit float tells apart."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 60, 30)
    labels = rng.integers(0, 5, sizes.sum()) * (rng.random(sizes.sum()) < 0.3)
    scores = rng.integers(0, 9, sizes.sum()) / 7 + rng.choice([0.0, 1e-9, 3e-9], sizes.sum())
    return labels, scores, sizes


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("k", [*CUTOFFS, None])
def test_sklearn_convention_equals_scikit_learn(seed: int, ties: bool, k: int | None) -> None:
    labels, scores = matrix(seed, ties=ties)
    cutoff = f"@{k}" if k else ""
    ours = rg.evaluate_arrays(labels, scores, [f"ndcg{cutoff}", f"dcg{cutoff}"])
    assert ours.convention.name == "sklearn"
    assert ours[f"ndcg{cutoff}"] == pytest.approx(sklearn.metrics.ndcg_score(labels, scores, k=k), abs=1e-12)
    assert ours[f"dcg{cutoff}"] == pytest.approx(sklearn.metrics.dcg_score(labels, scores, k=k), abs=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_sklearn_convention_of_single_rows_in_32_bits_equals_scikit_learn(seed: int) -> None:
    labels, scores = matrix(seed, ties=True)
    narrow = (scores / 3).astype(np.float32)
    ours = rg.evaluate_arrays(labels, narrow, "ndcg@5").per_query["ndcg@5"]
    theirs = [sklearn.metrics.ndcg_score(labels[[row]], narrow[[row]], k=5) for row in range(len(labels))]
    assert list(ours.values()) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_lightgbm_convention_equals_lightgbm(seed: int) -> None:
    labels, scores, sizes = flat(seed)
    no_trees = {"min_data_in_leaf": 10**6, "feature_pre_filter": False, "verbosity": -1}
    features = np.zeros((len(labels), 1))
    rows = lightgbm.Dataset(features, labels, group=sizes, init_score=scores, params=no_trees)
    history: dict[str, dict[str, list[float]]] = {}
    lightgbm.train(
        {"objective": "lambdarank", "metric": "ndcg", "eval_at": CUTOFFS, **no_trees},
        rows,
        num_boost_round=1,
        valid_sets=[rows],
        valid_names=["rows"],
        callbacks=[lightgbm.record_evaluation(history)],
    )
    ours = rg.evaluate_arrays(labels, scores, [f"ndcg@{k}" for k in CUTOFFS], sizes, convention="lightgbm")
    for k in CUTOFFS:
        assert ours[f"ndcg@{k}"] == pytest.approx(history["rows"][f"ndcg@{k}"][0], abs=1e-9), k


@pytest.mark.parametrize("seed", SEEDS)
def test_xgboost_convention_equals_xgboost(seed: int) -> None:
    labels, scores, sizes = flat(seed)
    rows = xgboost.DMatrix(np.zeros((len(labels), 1)), labels, group=sizes, base_margin=scores)
    names = ["ndcg", *(f"ndcg@{k}" for k in CUTOFFS)]
    booster = xgboost.train({"objective": "rank:ndcg", "eval_metric": names}, rows, num_boost_round=0)
    printed = (pair.rpartition(":") for pair in booster.eval(rows).split("\t")[1:])
    theirs = {name.removeprefix("eval-"): float(number) for name, _, number in printed}
    groups = np.repeat(np.arange(len(sizes)), sizes)
    ours = rg.evaluate_arrays(labels, scores, names, groups, convention="xgboost")
    assert len(theirs) == len(names)
    for name, number in theirs.items():
        # Without a cutoff, XGBoost says at which it cut.
        asked = name if name in names else "ndcg"
        assert ours[asked] == pytest.approx(number, abs=1e-7), name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", CUTOFFS)
def test_rectools_convention_equals_rectools(seed: int, k: int) -> None:
    """Users without recommendations count as 0; users without interactions do not count."""
    rng = np.random.default_rng(seed)
    users, length = 30, 20
    recommended = pd.DataFrame(
        {
            "user_id": np.repeat(np.arange(users), length),
            "item_id": np.concatenate([rng.permutation(60)[:length] for _ in range(users)]),
            "rank": np.tile(np.arange(1, length + 1), users),
        }
    )
    relevant = pd.DataFrame({"user_id": rng.integers(5, users + 5, 200), "item_id": rng.integers(0, 60, 200)})
    relevant = relevant.drop_duplicates(ignore_index=True)
    theirs = rectools.metrics.NDCG(k=k).calc_per_user(recommended, relevant)
    ours = rg.evaluate(relevant, recommended.sample(frac=1, random_state=seed), f"ndcg@{k}", convention="rectools")
    assert ours.per_query[f"ndcg@{k}"] == pytest.approx(theirs.to_dict(), abs=1e-12)
    assert ours[f"ndcg@{k}"] == pytest.approx(theirs.mean(), abs=1e-12)
