"""Cases as padded rows, for tools that take a matrix and give only the mean of its rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tests.parity.adapter import Printed
from tests.parity.cases import Case


class PaddedRows(NamedTuple):
    """A row per query in 32 bits, and where it has items."""

    labels: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]
    has_item: npt.NDArray[np.bool_]


def padded(case: Case, queries: list[str], length: int, padding: float) -> PaddedRows:
    """Return the ranked items of some queries; labels are filled up with the padding, and scores with 0."""
    labels = np.full((len(queries), length), padding, dtype=np.float32)
    rows = PaddedRows(labels, np.zeros_like(labels), np.zeros(labels.shape, dtype=bool))
    for row, query in enumerate(queries):
        filled = len(case.ranking[query])
        rows.labels[row, :filled] = [case.judgments[query].get(item, 0.0) for item in case.ranking[query]]
        rows.scores[row, :filled] = list(case.ranking[query].values())
        rows.has_item[row, :filled] = True
    return rows


def ask_all_and_each(case: Case, mean_of: Callable[[PaddedRows], float], padding: float) -> Printed:
    """Ask about all queries, and about each alone, since only means are given."""
    queries = case.common()
    length = max(len(case.ranking[query]) for query in queries)
    values = {query: mean_of(padded(case, [query], length, padding)) for query in queries}
    return Printed(values, mean_of(padded(case, queries, length, padding)))
