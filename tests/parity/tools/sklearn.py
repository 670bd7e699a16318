"""scikit-learn: `ndcg_score` and `dcg_score`, with ties averaged and without."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from sklearn.metrics import dcg_score, ndcg_score
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

ONE_ITEM = "ndcg_score refuses a row with a single item"
NEGATIVE = "ndcg_score refuses negative grades"


def _ask(case: Case, k: int | None, *, score: Callable[..., Any], ignore_ties: bool) -> Printed:
    """Ask row by row, since rows of different lengths make no matrix."""
    values = {}
    for query in case.common():
        grades = [[case.judgments[query].get(item, 0.0) for item in case.ranking[query]]]
        scores = [list(case.ranking[query].values())]
        values[query] = float(score(grades, scores, k=k, ignore_ties=ignore_ties))
    return Printed(values, sum(values.values()) / len(values))


REFUSES: Final = {"one item": ONE_ITEM, "negative grades": NEGATIVE, "missing queries": "there are only rows"}
UNSTABLE: Final = {"ties": "the sort is not stable, so the order of equal scores is not defined"}

ADAPTERS = [
    Adapter(
        convention="sklearn-ignore-ties" if ignore_ties else "sklearn",
        package="scikit-learn",
        measure=measure,
        ask=functools.partial(_ask, score=score, ignore_ties=ignore_ties),
        refuses=REFUSES | UNSTABLE if ignore_ties else REFUSES,
    )
    for measure, score in (("ndcg", ndcg_score), ("dcg", dcg_score))
    for ignore_ties in (False, True)
]
