"""Groups of uneven sizes, flat, in memory: how learning to rank keeps its rows."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.work import Work


class Groups(NamedTuple):
    labels: NDArray[np.float64]
    scores: NDArray[np.float64]
    sizes: NDArray[np.int64]


def load(folder: str) -> Groups:
    return Groups(*(np.load(Path(folder) / f"{name}.npy") for name in Groups._fields))


def rankgauge(folder: str, convention: str) -> Work:
    import rankgauge as rg

    rows = load(folder)
    return lambda: rg.evaluate_arrays(rows.labels, rows.scores, "ndcg@10", groups=rows.sizes, convention=convention)[
        "ndcg@10"
    ]


def lightgbm(folder: str) -> Work:
    """A booster without trees, whose predictions are the initial scores: `eval_train` computes the metric and no more.

    The ideal DCG of each group was computed when the booster was made, and is not timed, in LightGBM's favour.
    """
    import lightgbm

    rows = load(folder)
    options = {
        "objective": "lambdarank",
        "metric": "ndcg",
        "eval_at": [10],
        "verbosity": -1,
        "feature_pre_filter": False,
    }
    no_features = np.zeros((len(rows.labels), 1), dtype=np.float32)
    data = lightgbm.Dataset(no_features, rows.labels, group=rows.sizes, init_score=rows.scores, params=options)
    booster = lightgbm.Booster(options, data)
    return lambda: float(booster.eval_train()[0][2])


def xgboost(folder: str) -> Work:
    """A booster without trees, whose predictions are the base margin: `eval` copies that and computes the metric.

    The ideal DCG of each group is computed by the first call and kept, so the warm time is without.
    """
    import xgboost

    rows = load(folder)
    no_features = np.zeros((len(rows.labels), 1), dtype=np.float32)
    data = xgboost.DMatrix(no_features, rows.labels, group=rows.sizes, base_margin=rows.scores)
    booster = xgboost.train({"objective": "rank:ndcg", "eval_metric": "ndcg@10"}, data, num_boost_round=0)
    return lambda: float(booster.eval(data).split(":")[-1])


def sklearn(folder: str) -> Work:
    from sklearn.metrics import ndcg_score

    rows = load(folder)
    ends = np.cumsum(rows.sizes)
    groups = list(zip((ends - rows.sizes).tolist(), ends.tolist(), strict=True))
    return lambda: float(
        np.mean([ndcg_score(rows.labels[None, start:end], rows.scores[None, start:end], k=10) for start, end in groups])
    )
