"""Every measure under every convention, on some of the queries: a program that writes the evaluations as bytes.

    python -m tests.results.evaluated_parts q1,q4,q7

Parts of the queries are evaluated in processes of their own, so that nothing is equal because it shares a process.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Iterator
from typing import Any, Final

import polars as pl

import rankgauge as rg
from rankgauge import _core
from rankgauge.conventions import NAMED as CONVENTIONS
from rankgauge.measures import NAMED as MEASURES
from rankgauge.measures.measure import Annotation
from rankgauge.request import Request

QUERIES: Final = [f"q{number}" for number in range(12)]
ANNOTATIONS: Final[tuple[Annotation | None, ...]] = (None, "subtopic", "propensity")
# Ranked, but judged by nobody; and judged, but not ranked.
UNJUDGED, MISSING = "q-unjudged", "q3"


def requests() -> Iterator[Request]:
    """Give a request for each convention and annotation, with every measure that needs this annotation."""
    for annotation in ANNOTATIONS:
        measures = [measure for measure in MEASURES.values() if measure.annotation == annotation]
        for convention in CONVENTIONS:
            yield Request.of(measures, convention)


def grades(request: Request) -> list[int]:
    """Return the grades that the gains of a request have a value for: some are of shares of 1."""
    return [0, 1] if request.convention.name.startswith("catboost") else [0, 1, 2, 3]


def judgments(request: Request, queries: list[str]) -> rg.Judgments:
    """Return the judgments of some of the queries, with the annotation that the request needs."""
    rows = [row for query in queries if query != UNJUDGED for row in _judged_rows(query, grades(request))]
    names = ["query", "item", "grade", *filter(None, [request.annotation])]
    table = pl.DataFrame([row[: len(names)] for row in rows], schema=names, orient="row")
    if request.annotation == "propensity":
        table = table.with_columns(propensity=pl.lit(0.3) + pl.col("grade") / 10)
    return rg.read_judgments(table, annotation=request.annotation)


def _judged_rows(query: str, levels: list[int]) -> list[tuple[Any, ...]]:
    source = random.Random(query)
    items = source.sample([f"d{number}" for number in range(30)], source.randrange(1, 9))
    return [(query, item, source.choice(levels), source.choice("abcd")) for item in items]


def ranking(queries: list[str]) -> dict[str, dict[str, float]]:
    """Return the ranking of some of the queries, with ties."""
    ranked = {}
    for query in queries:
        source = random.Random(f"{query} ranked")
        items = source.sample([f"d{number}" for number in range(30)], 12)
        ranked[query] = {item: float(source.randrange(6)) for item in items}
    return {query: items for query, items in ranked.items() if query != MISSING}


def evaluate(request: Request, queries: list[str]) -> _core.Evaluation:
    """Evaluate a request on some of the queries."""
    return request.plan().evaluate(judgments(request, queries), ranking(queries))


if __name__ == "__main__":
    part = sys.argv[1].split(",")
    evaluations = [evaluate(request, part) for request in requests()]
    # Half of them as bytes, half as pickles.
    sent = [each.to_bytes() if number % 2 else pickle.dumps(each) for number, each in enumerate(evaluations)]
    sys.stdout.buffer.write(pickle.dumps(sent))
