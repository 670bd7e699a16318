"""The measures that count relevant items, as their formulas read: part of the reference engine.

>>> from rankgauge.measures import MAP, PRECISION
>>> seen = Seen([1, 0, None, 2], [1, 0, 2, 1])
>>> value(seen, PRECISION, 3), value(seen, MAP, 4)
(0.3333333333333333, 0.5)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rankgauge.measures import Counted


@dataclass(frozen=True, slots=True)
class Seen:
    """One query: the grades by rank, None for what is unjudged, and the grades of all judged items."""

    ranked: Sequence[float | None]
    judged: Sequence[float]


def value(seen: Seen, measure: Counted, k: int) -> float | None:
    """Return the value down to rank k, or None if it is divided by the number of relevant items and there are none."""
    if measure.of_relevant and relevant_items(seen, measure) == 0:
        return None
    return FORMULAS[measure.counts](seen, measure, k)


def is_relevant(grade: float | None, measure: Counted) -> bool:
    """Return whether a grade is positive and reaches the level of the measure."""
    return grade is not None and grade > 0 and grade >= (measure.rel or 0.0)


def relevant_items(seen: Seen, measure: Counted) -> int:
    """Return R, the number of relevant items."""
    return sum(is_relevant(grade, measure) for grade in seen.judged)


def hits(seen: Seen, measure: Counted, k: int) -> int:
    """Return the relevant items in the first k ranks."""
    return sum(is_relevant(grade, measure) for grade in seen.ranked[:k])


def precision(seen: Seen, measure: Counted, k: int) -> float:
    """P@k = relevant items in the first k ranks / k."""
    return hits(seen, measure, k) / k if k else 0.0


def recall(seen: Seen, measure: Counted, k: int) -> float:
    """R@k = relevant items in the first k ranks / R."""
    return hits(seen, measure, k) / relevant_items(seen, measure)


def f_measure(seen: Seen, measure: Counted, k: int) -> float:
    """F@k = (1 + β²) P R / (β² P + R)."""
    p, r, weight = precision(seen, measure, k), recall(seen, measure, k), measure.beta * measure.beta
    return (1.0 + weight) * p * r / (weight * p + r) if p and r else 0.0


def success(seen: Seen, measure: Counted, k: int) -> float:
    """Success@k = 1 if a relevant item stands in the first k ranks."""
    return float(hits(seen, measure, k) > 0)


def reciprocal_rank(seen: Seen, measure: Counted, k: int) -> float:
    """RR@k = 1 / rank of the first relevant item."""
    for rank, grade in enumerate(seen.ranked[:k], start=1):
        if is_relevant(grade, measure):
            return 1.0 / rank
    return 0.0


def average_precision(seen: Seen, measure: Counted, k: int) -> float:
    """AP@k = Σ P@i over the ranks i ≤ k of relevant items / R."""
    total = 0.0
    for rank, grade in enumerate(seen.ranked[:k], start=1):
        if is_relevant(grade, measure):
            total += hits(seen, measure, rank) / rank
    return total / relevant_items(seen, measure)


def r_precision(seen: Seen, measure: Counted, _: int) -> float:
    """Rprec = relevant items in the first R ranks / R."""
    relevant = relevant_items(seen, measure)
    return hits(seen, measure, relevant) / relevant


def bpref(seen: Seen, measure: Counted, _: int) -> float:
    """Bpref = 1/R Σ over relevant items (1 − min(irrelevant judged items before it, R) / min(R, N))."""
    relevant = relevant_items(seen, measure)
    irrelevant = sum(grade >= 0 for grade in seen.judged) - relevant
    before, total = 0, 0.0
    for grade in seen.ranked:
        if is_relevant(grade, measure):
            total += 1.0 - min(before, relevant) / min(relevant, irrelevant) if before else 1.0
        elif grade is not None and grade >= 0:
            before += 1
    return total / relevant


def judged(seen: Seen, _: Counted, k: int) -> float:
    """Judged@k = judged items in the first k ranks / ranks that hold an item."""
    top = seen.ranked[:k]
    return sum(grade is not None for grade in top) / len(top) if top else 0.0


def rank_biased(seen: Seen, measure: Counted, k: int) -> float:
    """RBP@k = (1 − p) Σ p^(i−1) over the ranks i ≤ k of relevant items."""
    weight, total = 1.0 - measure.p, 0.0
    for grade in seen.ranked[:k]:
        total += weight if is_relevant(grade, measure) else 0.0
        weight *= measure.p
    return total


FORMULAS: Final[Mapping[str, Callable[[Seen, Counted, int], float]]] = {
    "precision": precision,
    "recall": recall,
    "f": f_measure,
    "success": success,
    "reciprocal-rank": reciprocal_rank,
    "average-precision": average_precision,
    "r-precision": r_precision,
    "bpref": bpref,
    "judged": judged,
    "rank-biased": rank_biased,
}
