"""TensorFlow Ranking: the Keras metric `NDCGMetric`, with lists padded to one length by negative labels."""

from __future__ import annotations

from typing import Final

import tensorflow_ranking
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case
from tests.parity.padded import PaddedRows, ask_all_and_each

SHUFFLED: Final = "equal scores are shuffled at random"
PADDING: Final = -1.0


def ask(case: Case, k: int | None) -> Printed:
    """Ask with a negative label where rows have no item."""

    def mean_of(rows: PaddedRows) -> float:
        metric = tensorflow_ranking.keras.metrics.NDCGMetric(topn=k)
        metric.update_state(rows.labels, rows.scores)
        return float(metric.result())

    return ask_all_and_each(case, mean_of, padding=PADDING)


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
