"""The measures of the gains by rank that are not linear sums, as their formulas read: part of the reference engine.

>>> from rankgauge.measures import ERR, BPM
>>> gained = Gained([0.5, 0.0, 0.5], [0.5, 0.5])
>>> value(gained, ERR, 3), value(gained, BPM, 10)
(0.5833333333333334, 0.3333333333333333)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rankgauge.engines.reference.long_sum import LongSum, sum_in_order
from rankgauge.measures import Graded


@dataclass(frozen=True, slots=True)
class Gained:
    """One query: the gains by rank, and those of all judged items, best first."""

    gains: Sequence[float]
    best: Sequence[float]

    @property
    def positive(self) -> list[float]:
        """The positive gains, best first."""
        return [gain for gain in self.best if gain > 0]


def value(gained: Gained, measure: Graded, k: int) -> float | None:
    """Return the value down to rank k; None if it is divided by a sum over relevant items and there are none."""
    if measure.of_relevant and not gained.positive:
        return None
    return FORMULAS[measure.grades](gained, measure, k)


# Users who stop


def expected_reciprocal_rank(chances: Sequence[float]) -> float:
    """Σ 1/i · c_i Π_{j<i} (1 − c_j)."""
    going_on, total = 1.0, LongSum()
    for rank, chance in enumerate(chances, start=1):
        total.add(going_on * chance / rank)
        going_on *= 1.0 - chance
    return total.value


def cascade(gained: Gained, _: Graded, k: int) -> float:
    """ERR@k."""
    return expected_reciprocal_rank(gained.gains[:k])


def normalised_cascade(gained: Gained, _: Graded, k: int) -> float:
    """ERR@k / ideal ERR@k."""
    ideal = expected_reciprocal_rank(gained.best[:k])
    return expected_reciprocal_rank(gained.gains[:k]) / ideal if ideal else math.nan


def rate(gains: Sequence[float], goes_on: Sequence[float]) -> float:
    """Σ w_i gain_i, where w_{i+1} = w_i · the chance of going on from rank i, and Σ w_i = 1."""
    weight, weights, total = 1.0, LongSum(), LongSum()
    for position, chance in enumerate(goes_on):
        weights.add(weight)
        total.add(weight * (gains[position] if position < len(gains) else 0.0))
        weight *= chance
    return total.value / weights.value


def inst(gained: Gained, measure: Graded, _: int) -> float:
    """Go on from rank i with ((i + T + T_i − 1) / (i + T + T_i))², where T_i is what is still wanted."""
    wanted, goes_on, gain_so_far = measure.number("t"), [], LongSum()
    for rank in range(1, int(measure.number("ranks")) + 1):
        gain_so_far.add(gained.gains[rank - 1] if rank <= len(gained.gains) else 0.0)
        expected = rank + wanted + (wanted - gain_so_far.value)
        goes_on.append(max((expected - 1.0) / expected, 0.0) ** 2)
    return rate(gained.gains, goes_on)


def insq(gained: Gained, measure: Graded, _: int) -> float:
    """Go on from rank i with ((i + 2T − 1) / (i + 2T))²."""
    wanted = measure.number("t")
    ranks = range(1, int(measure.number("ranks")) + 1)
    return rate(gained.gains, [((rank + 2.0 * wanted - 1.0) / (rank + 2.0 * wanted)) ** 2 for rank in ranks])


def bejeweled(gained: Gained, measure: Graded, k: int) -> float:
    """Gain / items seen, down to the rank where the gain reaches T, or to k."""
    gain_so_far = LongSum()
    for rank, gain in enumerate(gained.gains[:k], start=1):
        gain_so_far.add(gain)
        if gain_so_far.value >= measure.number("t"):
            return gain_so_far.value / rank
    return gain_so_far.value / k if k else 0.0


def compatibility(gained: Gained, measure: Graded, _: int) -> float:
    """RBO(ranking, ideal) / RBO(ideal, ideal), with the ideal order that is most like the ranking."""
    ranked = [position for position, gain in enumerate(gained.gains) if gain > 0]
    by_gain = sorted(ranked, key=lambda position: -gained.gains[position])
    ideal: list[object] = []
    for level in sorted(set(gained.positive), reverse=True):
        at_level = [position for position in by_gain if gained.gains[position] == level]
        missed = gained.positive.count(level) - len(at_level)
        ideal += [*at_level, *((level, number) for number in range(missed))]
    ranking = list(range(len(gained.gains)))
    depth, p = max(len(ranking), len(ideal)), measure.number("p")
    overlap = rank_biased_overlap(ranking, ideal, p, depth)
    best = rank_biased_overlap(ideal, ideal, p, depth)
    weights = sum_in_order(p ** (rank - 1) for rank in range(1, depth + 1))
    return overlap / (best if measure.number("normalised") > 0 else weights)


def rank_biased_overlap(one: Sequence[object], other: Sequence[object], p: float, depth: int) -> float:
    """Σ p^(i−1) · items that are in both down to i / i."""
    shares = (len(set(one[:rank]) & set(other[:rank])) / rank for rank in range(1, depth + 1))
    return sum_in_order(p**position * share for position, share in enumerate(shares))


# Averages of NDCG


def dcg(gains: Sequence[float], k: int) -> float:
    """Σ_{i≤k} gain_i / log2(i + 1)."""
    return sum_in_order(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1))


def ndcg_at(gained: Gained, rank: int) -> float:
    """DCG@i / IDCG@i."""
    return dcg(gained.gains, rank) / dcg(gained.positive, rank)


def ndcg_at_relevant(gained: Gained, _: Graded, __: int) -> float:
    """The mean of NDCG over relevant items: at their ranks, or at the end for those that are not ranked."""
    ranks = [rank for rank, gain in enumerate(gained.gains, start=1) if gain > 0]
    end = max(len(gained.gains), len(gained.positive))
    missed = len(gained.positive) - len(ranks)
    return (sum_in_order(ndcg_at(gained, rank) for rank in ranks) + missed * ndcg_at(gained, end)) / len(
        gained.positive
    )


def ndcg_at_levels(gained: Gained, _: Graded, __: int) -> float:
    """The mean of NDCG over the ranks where the ideal gain falls, and at the end if the ranking is longer."""
    ideal = gained.positive
    falls = [rank for rank in range(1, len(ideal) + 1) if rank == len(ideal) or ideal[rank] != ideal[rank - 1]]
    # trec_eval looks at the end only if two ranks or more are left.
    ends = [len(gained.gains)] if len(gained.gains) > len(ideal) + 1 else []
    return sum_in_order(ndcg_at(gained, rank) for rank in falls + ends) / len(falls + ends)


def g(gained: Gained, _: Graded, __: int) -> float:
    """Σ gain_i / log2(2 + max(cost_i − gain so far, 0)) / Σ ideal gain."""
    ideal, behind, total = gained.positive, LongSum(), LongSum()
    for position, gain in enumerate(gained.gains):
        behind.add((max(ideal[position], 1.0) if position < len(ideal) else 1.0) - gain)
        # Rounding may make the gain so far larger than the ideal gain.
        total.add(gain / math.log2(2.0 + max(behind.value, 0.0)) if gain else 0.0)
    return total.value / sum_in_order(ideal)


FORMULAS: Final[Mapping[str, Callable[[Gained, Graded, int], float]]] = {
    "cascade": cascade,
    "normalised-cascade": normalised_cascade,
    "inst": inst,
    "insq": insq,
    "bejeweled": bejeweled,
    "compatibility": compatibility,
    "ndcg-at-relevant": ndcg_at_relevant,
    "ndcg-at-levels": ndcg_at_levels,
    "g": g,
}
