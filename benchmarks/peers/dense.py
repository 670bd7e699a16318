"""Dense arrays, queries × items, in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.work import Work

Floats = NDArray[np.float64]
K = 10


def load(folder: str) -> tuple[Floats, Floats]:
    return np.load(Path(folder) / "labels.npy"), np.load(Path(folder) / "scores.npy")


def rankgauge(folder: str) -> Work:
    import rankgauge as rg

    labels, scores = load(folder)
    return lambda: rg.evaluate_arrays(labels, scores, "ndcg@10", convention="sklearn")["ndcg@10"]


def reading(folder: str) -> Work:
    """Every number is looked at once, and nothing is computed but a sum."""
    labels, scores = load(folder)
    return lambda: float(labels.sum() + scores.sum())


def sklearn(folder: str) -> Work:
    from sklearn.metrics import ndcg_score

    labels, scores = load(folder)
    return lambda: float(ndcg_score(labels, scores, k=K))


def sklearn_ignore_ties(folder: str) -> Work:
    from sklearn.metrics import ndcg_score

    labels, scores = load(folder)
    return lambda: float(ndcg_score(labels, scores, k=K, ignore_ties=True))


def numpy(folder: str) -> Work:
    """Only the ten best of a row are sorted."""
    labels, scores = load(folder)
    discounts = 1.0 / np.log2(np.arange(2, K + 2))

    def work() -> float:
        top = np.argpartition(scores, -K, axis=1)[:, -K:]
        order = np.argsort(-np.take_along_axis(scores, top, axis=1), axis=1)
        gains = np.take_along_axis(labels, np.take_along_axis(top, order, axis=1), axis=1)
        ideal = -np.sort(-np.partition(labels, -K, axis=1)[:, -K:], axis=1)
        return float(np.mean((gains @ discounts) / (ideal @ discounts)))

    return work
