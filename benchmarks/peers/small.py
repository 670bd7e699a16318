"""Many small calls, as in a training loop: 10 queries of 100 items."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.work import Work

SHAPE = (10, 100)
CALLS = 1_000


def arrays() -> Work:
    import rankgauge as rg

    labels, scores = _arrays()
    return lambda: rg.evaluate_arrays(labels, scores, "ndcg@10")["ndcg@10"]


def many_arrays() -> Work:
    return _repeated(arrays())


def many_plans() -> Work:
    """A plan that is kept; an evaluation is all that a loop or a partition needs, so no result is made."""
    import rankgauge as rg

    labels, scores = _arrays()
    plan = rg.Request.of("ndcg@10", "sklearn").plan()
    return _repeated(lambda: plan.evaluate_arrays(labels, scores).aggregates()[0])


def many_sklearn() -> Work:
    from sklearn.metrics import ndcg_score

    labels, scores = _arrays()
    return _repeated(lambda: float(ndcg_score(labels, scores, k=10)))


def _repeated(work: Work) -> Work:
    def repeated() -> float:
        for _ in range(CALLS - 1):
            work()
        return work()

    return repeated


def _arrays() -> tuple[NDArray[Any], NDArray[Any]]:
    source = np.random.default_rng(6)
    return source.integers(0, 4, SHAPE).astype(float), source.random(SHAPE)


def dicts() -> Work:
    import rankgauge as rg

    source = np.random.default_rng(6)
    judgments = _nested(source.integers(0, 4, SHAPE))
    ranking = _nested(source.random(SHAPE))
    return lambda: rg.evaluate(judgments, ranking, "ndcg@10")["ndcg@10"]


def _nested(numbers: NDArray[Any]) -> dict[str, dict[str, float]]:
    return {
        f"q{query}": {f"d{item}": number for item, number in enumerate(row)}
        for query, row in enumerate(numbers.tolist())
    }
