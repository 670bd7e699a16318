"""Keras Recommenders: the metric `NDCG`, on JAX, with lists padded to one length as its masks have it."""

from __future__ import annotations

import os
from typing import Final

import numpy as np
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

SHUFFLED: Final = "equal scores are shuffled at random, even with shuffle_ties=False"


def _value(case: Case, k: int | None, queries: list[str], length: int) -> float:
    os.environ["KERAS_BACKEND"] = "jax"
    from keras_rs.metrics import NDCG

    labels = np.zeros((len(queries), length), dtype=np.float32)
    scores = np.zeros_like(labels)
    mask = np.zeros(labels.shape, dtype=bool)
    for row, query in enumerate(queries):
        filled = len(case.ranking[query])
        labels[row, :filled] = [case.judgments[query].get(item, 0.0) for item in case.ranking[query]]
        scores[row, :filled] = list(case.ranking[query].values())
        mask[row, :filled] = True
    metric = NDCG(k=k)
    metric.update_state({"labels": labels, "mask": mask}, scores)
    return float(metric.result())


def ask(case: Case, k: int | None) -> Printed:
    """Ask about all queries, and about each alone, since only means are given."""
    queries = case.common()
    length = max(len(case.ranking[query]) for query in queries)
    values = {query: _value(case, k, [query], length) for query in queries}
    return Printed(values, _value(case, k, queries, length))


ADAPTERS = [
    Adapter(
        convention="keras-rs",
        package="keras-rs",
        ask=ask,
        refuses={"ties": SHUFFLED, "near ties": SHUFFLED, "missing queries": "there are only rows"},
        # It computes in 32 bits.
        within=1e-6,
    )
]
