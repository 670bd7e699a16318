"""pytrec_eval, in the fork that is maintained: trec_eval 9's own code called from Python."""

from __future__ import annotations

import pytrec_eval
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask for the values by query; the mean is left to the caller, and is taken over what came back."""
    asked, named = ("ndcg", "ndcg") if k is None else (f"ndcg_cut.{k}", f"ndcg_cut_{k}")
    # Whole grades have to be of the type int, or there is a TypeError.
    judgments = {query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()}
    printed = pytrec_eval.RelevanceEvaluator(judgments, {asked}).evaluate(case.ranking)
    values = {query: float(measures[named]) for query, measures in printed.items()}
    mean = pytrec_eval.compute_aggregated_measure(named, list(values.values()))
    return Printed(values, float(mean))


REFUSES = {"fractional grades": "a grade that is not an int is a TypeError"}

ADAPTERS = [
    Adapter(convention="pytrec_eval", package="pytrec_eval-terrier", ask=ask, refuses=REFUSES),
    # The wheel is compiled from trec_eval 9.0.8, so this is also what trec_eval 9 says, with all its digits.
    Adapter(convention="trec_eval-9", package="pytrec_eval-terrier", ask=ask, refuses=REFUSES),
]
