"""CatBoost: the metric `NDCG` through `eval_metric`, in its types and denominators."""

from __future__ import annotations

import functools
from typing import Final

from catboost.utils import eval_metric
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

ALL: Final = -1


def _value(case: Case, queries: list[str], metric: str) -> float:
    items = [(number, query, item) for number, query in enumerate(queries) for item in case.ranking[query]]
    [value] = eval_metric(
        [case.judgments[query].get(item, 0.0) for _, query, item in items],
        [case.ranking[query][item] for _, query, item in items],
        metric,
        group_id=[number for number, _, _ in items],
        thread_count=1,
    )
    return float(value)


def _ask(case: Case, k: int | None, *, options: str) -> Printed:
    """Ask about all queries, and about each alone, since only means are given."""
    metric = f"NDCG:top={k or ALL}{options}"
    queries = case.common()
    return Printed({query: _value(case, [query], metric) for query in queries}, _value(case, queries, metric))


def _adapter(convention: str, options: str = "") -> Adapter:
    return Adapter(
        convention=convention,
        package="catboost",
        ask=functools.partial(_ask, options=options),
        refuses={"missing queries": "there are only rows"},
        # Labels are 32-bit floats.
        within=1e-7,
    )


ADAPTERS = [
    _adapter("catboost"),
    _adapter("catboost-exp", ";type=Exp"),
    _adapter("catboost-position", ";denominator=Position"),
]
