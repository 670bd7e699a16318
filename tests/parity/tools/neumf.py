"""NeuMF: `evaluate_model` of neural_collaborative_filtering, of Python 2, whose folder is in the variable NEUMF."""

from __future__ import annotations

import builtins
import os
import sys
from typing import Any

import numpy as np
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

builtins.xrange = range  # type: ignore[attr-defined]
sys.path.insert(0, os.environ["NEUMF"])

from evaluate import evaluate_model  # noqa: E402

COMMIT = "4aab159"


class _Given:
    """A model whose scores are given: a row per user, a column per item."""

    def __init__(self, scores: list[list[float]]) -> None:
        self.scores = scores

    def predict(self, pairs: Any, batch_size: int, verbose: int) -> Any:  # noqa: ARG002 - the call's names
        """Return the score of each pair of user and item."""
        return np.array([[self.scores[int(user)][int(item)]] for user, item in zip(*pairs, strict=True)])


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the one relevant item of each user held out, and the other candidates as negatives."""
    users = case.common()
    positives, negatives, scores = [], [], []
    for row, user in enumerate(users):
        items = list(case.ranking[user])
        (held_out,) = [place for place, item in enumerate(items) if case.judgments[user].get(item, 0) > 0]
        positives.append([row, held_out])
        negatives.append([place for place in range(len(items)) if place != held_out])
        scores.append(list(case.ranking[user].values()))
    _, values = evaluate_model(_Given(scores), positives, negatives, k, 1)
    return Printed(dict(zip(users, map(float, values), strict=True)), float(np.mean(values)))


ADAPTERS = [
    Adapter(
        convention="neumf",
        package="neural_collaborative_filtering",
        ask=ask,
        refuses={
            "uncut": "the cutoff is a required number",
            "several relevant items": "one item is held out of each user",
            "relevant items not ranked": "the item that is held out is always a candidate",
            "nothing relevant": "one item is held out of each user",
            "missing queries": "every user has candidates",
        },
        version=lambda: COMMIT,
    )
]
