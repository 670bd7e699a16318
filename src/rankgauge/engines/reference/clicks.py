"""The measures of logged clicks, as their formula reads: part of the reference engine.

>>> from rankgauge.measures import IPS_DCG, SNIPS_DCG
>>> from rankgauge.conventions.textbook import TEXTBOOK
>>> seen = ClickedQuery({"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 0.25}, "propensity")
>>> value(seen, ["b", "x", "a"], IPS_DCG.under(TEXTBOOK), 3), value(seen, ["b"], SNIPS_DCG.under(TEXTBOOK), 3)
(5.0, 0.6666666666666666)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankgauge.conventions.terms import Discount
from rankgauge.engines.reference.gains import discount_at
from rankgauge.engines.reference.long_sum import sum_in_order
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Clicks


@dataclass(frozen=True, slots=True)
class ClickedQuery:
    """One query: the grade of each clicked item, and its propensity or the position at which it was shown."""

    grades: Mapping[str, float]
    seen: Mapping[str, float]
    kind: str | None


def value(clicks: ClickedQuery, items: Sequence[str], measure: Clicks, k: int) -> float | None:
    """Σ grade / max(propensity, clip) · discount over the first k ranks, divided by the sum of all weights or not."""
    weights = {item: weight_of(item, clicks, measure) for item in clicks.grades}
    discount = _given(measure.discount)
    ranks = enumerate(items[:k], start=1)
    total = sum_in_order(weights.get(item, 0.0) * discount_at(rank, discount) for rank, item in ranks)
    divisor = sum_in_order(weights.values()) if measure.self_normalised else 1.0
    return total / divisor if divisor > 0 else None


def weight_of(item: str, clicks: ClickedQuery, measure: Clicks) -> float:
    """Return grade / max(propensity, clip); a position has the propensity that the measure says."""
    grade, seen = clicks.grades[item], clicks.seen[item]
    propensity = discount_at(int(seen), _given(measure.propensity)) if clicks.kind == "position" else seen
    chance = max(propensity, measure.number("clip"))
    if grade > 0 and chance <= 0:  # a position that is never seen cannot have been clicked
        raise RankgaugeError("bad-propensity", place=f"item {item!r}", got=0.0)
    return grade / chance if grade > 0 else 0.0


def _given(term: Discount | None) -> Discount:
    if term is None:
        raise TypeError("the measure is not under a convention")
    return term
