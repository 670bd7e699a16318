"""BEIR: `EvaluateRetrieval.evaluate`, with its defaults."""

from __future__ import annotations

from beir.retrieval.evaluation import EvaluateRetrieval
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask for the mean, rounded to five decimals, which is all that it says."""
    assert k is not None
    # Whole grades have to be of the type int, or there is a TypeError.
    judgments = {query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()}
    # A copy, since it takes the items that have the id of their query out of what it is given.
    ranking = {query: dict(items) for query, items in case.ranking.items()}
    printed = EvaluateRetrieval.evaluate(judgments, ranking, [k])[0]
    return Printed(None, float(printed[f"NDCG@{k}"]))


ADAPTERS = [
    Adapter(
        convention="beir",
        package="beir",
        ask=ask,
        refuses={
            "uncut": "there is only NDCG@k",
            "fractional grades": "a grade that is not an int is a TypeError",
        },
    )
]
