"""MTEB: `calculate_retrieval_scores`, which every retrieval task calls with what the model ranked."""

from __future__ import annotations

from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask for the values by query, which keep their digits, and the mean, rounded to five decimals."""
    # Whole grades have to be of the type int, or there is a TypeError.
    judgments = {query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()}
    printed = calculate_retrieval_scores(case.ranking, judgments, [k])
    values = {query: float(measures[f"ndcg_cut_{k}"]) for query, measures in printed.all_scores.items()}
    return Printed(values, float(printed.ndcg[f"NDCG@{k}"]))


ADAPTERS = [
    Adapter(
        convention="mteb",
        package="mteb",
        ask=ask,
        refuses={
            "uncut": "there is only NDCG@k",
            "fractional grades": "a grade that is not an int is a TypeError",
            "unjudged queries": "a ranked query without judgments is a KeyError",
        },
    )
]
