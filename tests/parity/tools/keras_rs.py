"""Keras Recommenders: the metric `NDCG`, on JAX, with lists padded to one length as its masks have it."""

from __future__ import annotations

import os
from typing import Final

from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case
from tests.parity.padded import PaddedRows, ask_all_and_each

SHUFFLED: Final = "equal scores are shuffled at random, even with shuffle_ties=False"


def ask(case: Case, k: int | None) -> Printed:
    """Ask with a mask where rows have no item."""
    os.environ["KERAS_BACKEND"] = "jax"
    from keras_rs.metrics import NDCG

    def mean_of(rows: PaddedRows) -> float:
        metric = NDCG(k=k)
        metric.update_state({"labels": rows.labels, "mask": rows.has_item}, rows.scores)
        return float(metric.result())

    return ask_all_and_each(case, mean_of, padding=0.0)


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
