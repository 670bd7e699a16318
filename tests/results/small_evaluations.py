"""Random cases, evaluated on some of their queries."""

from __future__ import annotations

from tests.properties.strategies import Case, Rows, mapping

from rankgauge import _core


def of_queries(rows: Rows, queries: set[str]) -> dict[str, dict[str, float]]:
    return {query: items for query, items in mapping(rows).items() if query in queries}


def evaluated(case: Case, queries: set[str]) -> _core.Evaluation:
    return case.request.plan().evaluate(of_queries(case.judged, queries), of_queries(case.ranked, queries))
