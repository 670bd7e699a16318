"""Microsoft's recommenders: `ndcg_at_k` of its pandas evaluation, with each of its score types."""

from __future__ import annotations

from functools import partial

import pandas as pd
from recommenders.evaluation.python_evaluation import ndcg_at_k
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case, Judgments

COLUMNS = ["userID", "itemID"]


def _ask(case: Case, k: int | None, *, score_type: str) -> Printed:
    """Ask for the mean, and user by user, since the function returns nothing but a mean.

    A user without a relevant item is not asked about alone: of such a user the function says 0 if there is no hit,
    though it leaves the same user out of the mean of many.
    """
    rows = [(user, item, score) for user, items in case.ranking.items() for item, score in items.items()]
    predicted = pd.DataFrame(rows, columns=[*COLUMNS, "prediction"])
    cutoff = {} if k is None else {"k": k}

    def ndcg(judgments: Judgments) -> float:
        rows = [(user, item, float(grade)) for user, items in judgments.items() for item, grade in items.items()]
        true = pd.DataFrame(rows, columns=[*COLUMNS, "rating"])
        if score_type == "binary":
            # Each row is a hit, whatever its rating.
            true = true[true["rating"] > 0]
        return float(ndcg_at_k(true, predicted, score_type=score_type, **cutoff))

    relevant = {user: items for user, items in case.judgments.items() if max(items.values()) > 0}
    return Printed({user: ndcg({user: items}) for user, items in relevant.items()}, ndcg(case.judgments))


ADAPTERS = [
    Adapter(
        convention=f"recommenders-{score_type}",
        package="recommenders",
        ask=partial(_ask, score_type=score_type),
    )
    for score_type in ("binary", "raw", "exp")
]
