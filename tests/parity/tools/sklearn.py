"""scikit-learn: `ndcg_score`, with ties averaged and without."""

from __future__ import annotations

from sklearn.metrics import ndcg_score
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

ONE_ITEM = "ndcg_score refuses a row with a single item"
NEGATIVE = "ndcg_score refuses negative grades"


def _ask(case: Case, k: int | None, *, ignore_ties: bool) -> Printed:
    values = {}
    for query in case.common():
        grades = [[case.judgments[query].get(item, 0.0) for item in case.ranking[query]]]
        scores = [list(case.ranking[query].values())]
        values[query] = float(ndcg_score(grades, scores, k=k, ignore_ties=ignore_ties))
    return Printed(values, sum(values.values()) / len(values))


def ask(case: Case, k: int | None) -> Printed:
    """Ask row by row, since rows of different lengths make no matrix."""
    return _ask(case, k, ignore_ties=False)


def ask_ignoring_ties(case: Case, k: int | None) -> Printed:
    """Ask with the switch that skips the averaging."""
    return _ask(case, k, ignore_ties=True)


ADAPTERS = [
    Adapter(
        convention="sklearn",
        package="scikit-learn",
        ask=ask,
        refuses={"one item": ONE_ITEM, "negative grades": NEGATIVE, "missing queries": "there are only rows"},
    ),
    Adapter(
        convention="sklearn-ignore-ties",
        package="scikit-learn",
        ask=ask_ignoring_ties,
        refuses={
            "ties": "the sort is not stable, so the order of equal scores is not defined",
            "one item": ONE_ITEM,
            "negative grades": NEGATIVE,
            "missing queries": "there are only rows",
        },
    ),
]
