"""CatBoost: the metrics of rankings through `eval_metric`, `NDCG` and `DCG` in their types and denominators."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

from catboost.utils import eval_metric
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

ALL: Final = -1
NONE: Final[Mapping[str, str]] = {}


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


def _ask(case: Case, k: int | None, *, name: str, options: str) -> Printed:
    """Ask about all queries, and about each alone, since only means are given."""
    metric = f"{name}:top={k or ALL}{options}" if name != "QueryAUC" else name
    queries = case.common()
    return Printed({query: _value(case, [query], metric) for query in queries}, _value(case, queries, metric))


def _adapter(
    convention: str, options: str = "", *, measure: str = "ndcg", name: str = "NDCG", refuses: Mapping[str, str] = NONE
) -> Adapter:
    return Adapter(
        convention=convention,
        package="catboost",
        measure=measure,
        ask=functools.partial(_ask, name=name, options=options),
        refuses={"missing queries": "there are only rows", **refuses},
        # Labels are 32-bit floats, and DCG is no share of 1.
        within=1e-6 if measure == "dcg" else 1e-7,
    )


ADAPTERS = [
    _adapter("catboost"),
    _adapter("catboost-exp", ";type=Exp"),
    _adapter("catboost-position", ";denominator=Position"),
    _adapter("catboost", measure="dcg", name="DCG"),
    _adapter("catboost-exp", ";type=Exp", measure="dcg", name="DCG"),
    _adapter("catboost-position", ";denominator=Position", measure="dcg", name="DCG"),
    _adapter("catboost", measure="map", name="MAP"),
    _adapter("catboost", measure="mrr", name="MRR"),
    _adapter(
        "catboost",
        measure="err",
        name="ERR",
        refuses={"graded": "labels are chances, and those above 1 are no defined ones"},
    ),
    _adapter(
        "catboost",
        measure="auc",
        name="QueryAUC",
        refuses={
            "cut": "it has no cutoff",
            "graded": "labels above 1 are refused, and those between 0 and 1 are chances",
        },
    ),
]
