"""Cornac: `NDCG` in `ranking_eval`, which decides who is relevant, with a model that ranks the items of the case."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from cornac.data import Dataset
from cornac.eval_methods.base_method import ranking_eval
from cornac.metrics import NDCG
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

NOBODY = "nobody"


class _Given:
    """A model whose rankings are given, instead of made from scores of all items."""

    def __init__(self, rankings: list[list[int]]) -> None:
        self.rankings = rankings

    def rank(self, user_idx: int, item_indices: Any, **_: Any) -> tuple[Any, Any]:
        """Return the ranking of the user, and scores that NDCG does not read."""
        return np.array(self.rankings[user_idx], dtype=int), np.zeros(len(item_indices))


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the ratings as they are: `ranking_eval` has a threshold of its own, 1 by default."""
    users = OrderedDict((user, row) for row, user in enumerate([NOBODY, *sorted(case.judgments)]))
    names = {item for rows in (case.judgments, case.ranking) for items in rows.values() for item in items}
    items = OrderedDict((item, column) for column, item in enumerate(sorted(names)))
    # Items that nobody was trained on are left out by default, and those that a user was trained on too.
    train = Dataset.build([(NOBODY, item, 1.0) for item in items], global_uid_map=users, global_iid_map=items)
    rows = [(user, item, grade) for user, grades in case.judgments.items() for item, grade in grades.items()]
    test = Dataset.build(rows, global_uid_map=users, global_iid_map=items)
    model = _Given([[items[item] for item in case.ranked(user)] if user in case.ranking else [] for user in users])
    metric = NDCG() if k is None else NDCG(k=k)
    (mean,), (values,) = ranking_eval(model, [metric], train, test)
    names_of = list(users)
    return Printed({names_of[user]: float(value) for user, value in values.items()}, float(mean))


ADAPTERS = [Adapter(convention="cornac", package="cornac", ask=ask)]
