"""LensKit: `NDCG` through `RunAnalysis`, with the discount of its default, which spares ranks 1 and 2."""

from __future__ import annotations

from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import NDCG, RunAnalysis
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def _analyse(case: Case, metric: NDCG, *, above: float) -> Printed:
    """Measure all lists that were recommended against the items with a grade above a bound.

    A list has to come in its order, so that ties are as given. The mean is that of `list_summary`, the table that the
    tool's guide prints.
    """
    lists = ItemListCollection.empty(["user_id"])
    for user in case.ranking:
        lists.add(ItemList(case.ranked(user), ordered=True), user_id=user)
    test = ItemListCollection.empty(["user_id"])
    for user, items in case.judgments.items():
        rated = {item: float(grade) for item, grade in items.items() if grade > above}
        if rated:
            test.add(ItemList(list(rated), rating=list(rated.values())), user_id=user)
    result = RunAnalysis(metric).measure(lists, test)
    values = result.list_metrics()[metric.label]
    mean = result.list_summary().loc[metric.label, "mean"]
    return Printed({str(user): float(value) for user, value in values.items()}, float(mean))


def ask(case: Case, k: int | None) -> Printed:
    """Ask about the items above grade 0: each item of the test data has gain 1, whatever its rating."""
    return _analyse(case, NDCG(n=k), above=0)


def ask_graded(case: Case, k: int | None) -> Printed:
    """Ask for the rating as the gain, of all judged items."""
    return _analyse(case, NDCG(n=k, gain="rating"), above=float("-inf"))


ADAPTERS = [
    Adapter(convention="lenskit", package="lenskit", ask=ask),
    Adapter(convention="lenskit-graded", package="lenskit", ask=ask_graded),
]
