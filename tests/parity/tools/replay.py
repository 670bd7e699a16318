"""RePlay: `NDCG` on data frames, which puts equal scores in descending order of the item."""

from __future__ import annotations

from typing import Final

import pandas as pd
from replay.metrics import NDCG, PerUser
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import ITEMS, Case

# NDCG has to be told a k. No list and no ideal is longer than this one.
UNCUT: Final = 2 * len(ITEMS)


def ask(case: Case, k: int | None) -> Printed:
    """Ask about the items above grade 0, since each row of the ground truth is a hit whatever its rating."""
    relevant = [(user, item) for user, items in case.judgments.items() for item, grade in items.items() if grade > 0]
    scored = [(user, item, score) for user, items in case.ranking.items() for item, score in items.items()]
    truth = pd.DataFrame(relevant, columns=["query_id", "item_id"])
    recommended = pd.DataFrame(scored, columns=["query_id", "item_id", "rating"])
    cutoff = k or UNCUT
    values = NDCG(cutoff, mode=PerUser())(recommended, truth)[f"NDCG-PerUser@{cutoff}"]
    mean = NDCG(cutoff)(recommended, truth)[f"NDCG@{cutoff}"]
    return Printed({str(user): float(value) for user, value in values.items()}, float(mean))


ADAPTERS = [Adapter(convention="replay", package="replay-rec", ask=ask)]
