"""allRank: `ndcg` of padded slates, and its mean as an epoch of training reports it."""

from __future__ import annotations

import functools
from typing import Final

import torch
from allrank.data.dataset_loading import PADDED_Y_VALUE
from allrank.models.metrics import ndcg
from allrank.training.train_utils import metric_on_epoch
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

UNSTABLE: Final = "the sort is not stable, so the order of equal scores is not defined"


class Scores:
    """A model whose features are its scores."""

    @staticmethod
    def score(features: torch.Tensor, *_: torch.Tensor) -> torch.Tensor:
        """Return the scores as given, whatever the mask and the indices."""
        return features


def ask(case: Case, k: int | None) -> Printed:
    """Ask about all queries as one batch, padded to the longest."""
    queries = case.common()
    shape = (len(queries), max(len(case.ranking[query]) for query in queries))
    scores = torch.zeros(shape)
    labels = torch.full(shape, float(PADDED_Y_VALUE))
    for row, query in enumerate(queries):
        filled = len(case.ranking[query])
        scores[row, :filled] = torch.tensor(list(case.ranking[query].values()))
        labels[row, :filled] = torch.tensor([case.judgments[query].get(item, 0.0) for item in case.ranking[query]])
    metric = functools.partial(ndcg, ats=None if k is None else [k])
    values = dict(zip(queries, metric(scores, labels)[:, 0].tolist(), strict=True))
    [mean] = metric_on_epoch(metric, Scores, [(scores, labels, labels)], "cpu")
    return Printed(values, float(mean))


ADAPTERS = [
    Adapter(
        convention="allrank",
        package="allRank",
        ask=ask,
        refuses={
            "ties": UNSTABLE,
            "near ties": f"scores are 32-bit floats, which makes them equal, and {UNSTABLE}",
            "negative grades": "a label of -1 is padding",
            "missing queries": "there are only rows",
        },
        # It computes in 32 bits.
        within=1e-6,
    )
]
