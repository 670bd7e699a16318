"""TensorFlow Ranking: the Keras metric `NDCGMetric`, with lists padded to one length by negative labels."""

from __future__ import annotations

from typing import Final

import numpy as np
import tensorflow_ranking
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

SHUFFLED: Final = "equal scores are shuffled at random"
PADDING: Final = -1.0


def _value(case: Case, k: int | None, queries: list[str], length: int) -> float:
    labels = np.full((len(queries), length), PADDING, dtype=np.float32)
    scores = np.zeros_like(labels)
    for row, query in enumerate(queries):
        filled = len(case.ranking[query])
        labels[row, :filled] = [case.judgments[query].get(item, 0.0) for item in case.ranking[query]]
        scores[row, :filled] = list(case.ranking[query].values())
    metric = tensorflow_ranking.keras.metrics.NDCGMetric(topn=k)
    metric.update_state(labels, scores)
    return float(metric.result())


def ask(case: Case, k: int | None) -> Printed:
    """Ask about all queries, and about each alone, since only means are given."""
    queries = case.common()
    length = max(len(case.ranking[query]) for query in queries)
    values = {query: _value(case, k, [query], length) for query in queries}
    return Printed(values, _value(case, k, queries, length))


ADAPTERS = [
    Adapter(
        convention="tf-ranking",
        package="tensorflow-ranking",
        ask=ask,
        refuses={
            "ties": SHUFFLED,
            "near ties": f"scores are 32-bit floats, which makes them equal, and {SHUFFLED}",
            "missing queries": "there are only rows",
        },
        # It computes in 32 bits.
        within=1e-6,
    )
]
