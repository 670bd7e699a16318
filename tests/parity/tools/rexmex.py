"""rexmex: `normalized_discounted_cumulative_gain`, which hands its rows to scikit-learn and knows no cutoff."""

from __future__ import annotations

from rexmex.metrics.ranking import normalized_discounted_cumulative_gain
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask row by row, since rows of different lengths make no matrix."""
    values = {}
    for query in case.common():
        grades = [[case.judgments[query].get(item, 0.0) for item in case.ranking[query]]]
        scores = [list(case.ranking[query].values())]
        values[query] = float(normalized_discounted_cumulative_gain(grades, scores))
    return Printed(values, sum(values.values()) / len(values))


ADAPTERS = [
    Adapter(
        convention="rexmex",
        package="rexmex",
        ask=ask,
        refuses={
            "cut": "it knows no cutoff",
            "one item": "scikit-learn refuses a row with a single item",
            "negative grades": "scikit-learn refuses negative grades",
            "missing queries": "there are only rows",
        },
    )
]
