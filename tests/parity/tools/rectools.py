"""RecTools: `NDCG`, with its default ideal of k relevant items and with the ideal that a user can achieve."""

from __future__ import annotations

import pandas as pd
from rectools import Columns
from rectools.metrics import NDCG
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

UNCUT = {"uncut": "NDCG requires k"}


def _interactions(case: Case) -> pd.DataFrame:
    """Return the relevant items only, since the table has no grades: each row in it is a hit."""
    rows = [(user, item) for user, items in case.judgments.items() for item, grade in items.items() if grade > 0]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item])


def _recommendations(case: Case) -> pd.DataFrame:
    """Return the ranking with the ranks that the tool asks for instead of scores."""
    rows = [(user, item, rank) for user in case.ranking for rank, item in enumerate(case.ranked(user), start=1)]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item, Columns.Rank])


def _ask(case: Case, k: int | None, *, divide_by_achievable: bool) -> Printed:
    assert k is not None
    metric = NDCG(k=k, divide_by_achievable=divide_by_achievable)
    recommended, relevant = _recommendations(case), _interactions(case)
    values = metric.calc_per_user(recommended, relevant)
    return Printed(
        {str(user): float(value) for user, value in values.items()}, float(metric.calc(recommended, relevant))
    )


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the defaults."""
    return _ask(case, k, divide_by_achievable=False)


def ask_achievable(case: Case, k: int | None) -> Printed:
    """Ask with the switch that divides by what the user's relevant items can achieve."""
    return _ask(case, k, divide_by_achievable=True)


ADAPTERS = [
    Adapter(convention="rectools", package="rectools", ask=ask, refuses=UNCUT),
    Adapter(convention="rectools-achievable", package="rectools", ask=ask_achievable, refuses=UNCUT),
]
