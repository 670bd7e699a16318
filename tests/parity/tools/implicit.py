"""implicit: `ranking_metrics_at_k`, with a model that recommends the items of the case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

NO_ITEM = -1


class _Given:
    """A model whose recommendations are given; a list that is too short ends in no items, as the tool's own do."""

    def __init__(self, recommended: Sequence[Sequence[int]]) -> None:
        self.recommended = recommended

    def recommend(self, users: Any, _user_items: Any, N: int = 10) -> tuple[Any, Any]:  # noqa: N803
        """Return N item ids for each of the users, and scores that nobody reads."""
        ids = np.full((len(users), N), NO_ITEM, dtype=np.int32)
        for row, user in enumerate(users):
            best = self.recommended[user][:N]
            ids[row, : len(best)] = best
        return ids, np.zeros(ids.shape, dtype=np.float32)


def ask(case: Case, k: int | None) -> Printed:
    """Ask for all users, then for each that has a relevant item; without a cutoff the tool's default is asked."""
    users = sorted(case.judgments.keys() | case.ranking.keys())
    names = {item for rows in (case.judgments, case.ranking) for items in rows.values() for item in items}
    columns = {item: column for column, item in enumerate(sorted(names))}
    model = _Given([[columns[item] for item in case.ranked(user)] if user in case.ranking else [] for user in users])
    cutoff = {} if k is None else {"K": k}

    def ndcg(*of: str) -> float:
        held_out = np.zeros((len(users), len(columns)), dtype=np.float32)
        for user in of:
            for item, grade in case.judgments.get(user, {}).items():
                held_out[users.index(user), columns[item]] = max(grade, 0.0)
        test = csr_matrix(held_out)
        train = csr_matrix(test.shape, dtype=np.float32)
        return float(ranking_metrics_at_k(model, train, test, show_progress=False, **cutoff)["ndcg"])

    relevant = [user for user, items in case.judgments.items() if max(items.values()) > 0]
    return Printed({user: ndcg(user) for user in relevant}, ndcg(*users))


ADAPTERS = [
    Adapter(
        convention="implicit",
        package="implicit",
        ask=ask,
    )
]
