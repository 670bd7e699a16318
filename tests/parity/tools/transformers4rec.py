"""Transformers4Rec: `NDCGAt`, whose ideal is the best order of the first k items, relevant or not as they are."""

from __future__ import annotations

from typing import Final

import torch
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import ITEMS, Case
from transformers4rec.torch.ranking_metric import NDCGAt

# NDCGAt has to be told a k. No list is longer than this one.
UNCUT: Final = 2 * len(ITEMS)
TIES: Final = "torch.topk does not define the order of equal scores"


def _row(case: Case, query: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scores and labels of a whole catalogue, since the tool ranks all items and refuses to rank fewer than k.

    Those that are not in the ranking come after it: first items that nobody wants, which fill the first k of a short
    list, and never the relevant ones that were not ranked.
    """
    grades = case.judgments[query]
    ranking = case.ranking[query]
    others = [item for item in grades if item not in ranking]
    scores = [*ranking.values(), *[-torch.inf] * len(others), *[torch.finfo(torch.float32).min] * UNCUT]
    labels = [*(grades.get(item, 0) for item in ranking), *(grades[item] for item in others), *[0] * UNCUT]
    return torch.tensor([scores], dtype=torch.float32), torch.tensor([labels], dtype=torch.float32)


def ask(case: Case, k: int | None) -> Printed:
    """Ask row by row for the values, and with all rows as batches of one metric for the mean."""
    cutoff = [k or UNCUT]
    values = {}
    together = NDCGAt(top_ks=cutoff)
    for query in case.common():
        scores, labels = _row(case, query)
        alone = NDCGAt(top_ks=cutoff)
        alone.update(scores, labels)
        values[query] = float(alone.compute())
        together.update(scores, labels)
    return Printed(values, float(together.compute()))


ADAPTERS = [
    Adapter(
        convention="transformers4rec",
        package="transformers4rec",
        ask=ask,
        refuses={
            "ties": TIES,
            "near ties": f"scores are 32-bit floats, and {TIES}",
            "missing queries": "a model scores every session",
        },
        within=1e-6,
    )
]
