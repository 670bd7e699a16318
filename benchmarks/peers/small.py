"""Many small calls, as in a training loop: 10 queries of 100 items."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.work import Work

SHAPE = (10, 100)


def arrays() -> Work:
    import rankgauge as rg

    source = np.random.default_rng(6)
    labels, scores = source.integers(0, 4, SHAPE).astype(float), source.random(SHAPE)
    return lambda: rg.evaluate_arrays(labels, scores, "ndcg@10")["ndcg@10"]


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
