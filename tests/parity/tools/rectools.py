"""RecTools: its measures; `NDCG` with its default ideal of k relevant items and with that which a user can achieve."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import pandas as pd
from rectools import Columns
from rectools.metrics import MAP, NDCG, F1Beta, Precision, Recall
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

UNCUT: Final = {"uncut": "k is required"}
# Ours → theirs at a cutoff.
METRICS: Final[dict[str, Callable[[int], Any]]] = {
    "ndcg": lambda k: NDCG(k=k),
    "map": lambda k: MAP(k=k),
    "relative_precision": lambda k: Precision(k=k, r_precision=True),
    "recall": lambda k: Recall(k=k),
    "f": lambda k: F1Beta(k=k),
    "f(beta=2)": lambda k: F1Beta(k=k, beta=2.0),
}


def _achievable(k: int) -> Any:
    return NDCG(k=k, divide_by_achievable=True)


def _interactions(case: Case) -> pd.DataFrame:
    """Return the relevant items only, since the table has no grades: each row in it is a hit."""
    rows = [(user, item) for user, items in case.judgments.items() for item, grade in items.items() if grade > 0]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item])


def _recommendations(case: Case) -> pd.DataFrame:
    """Return the ranking with the ranks that the tool asks for instead of scores."""
    rows = [(user, item, rank) for user in case.ranking for rank, item in enumerate(case.ranked(user), start=1)]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item, Columns.Rank])


def _ask(case: Case, k: int | None, *, make: Callable[[int], Any]) -> Printed:
    assert k is not None
    metric = make(k)
    recommended, relevant = _recommendations(case), _interactions(case)
    values = metric.calc_per_user(recommended, relevant)
    return Printed(
        {str(user): float(value) for user, value in values.items()}, float(metric.calc(recommended, relevant))
    )


def _adapter(convention: str, measure: str, make: Callable[[int], Any]) -> Adapter:
    ask = functools.partial(_ask, make=make)
    return Adapter(convention=convention, package="rectools", measure=measure, ask=ask, refuses=UNCUT)


ADAPTERS = [
    *(_adapter("rectools", measure, make) for measure, make in METRICS.items()),
    _adapter("rectools-achievable", "ndcg", _achievable),
]
