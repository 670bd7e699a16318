"""The measures of novelty and diversity, as their formulas read: part of the reference engine.

>>> from rankgauge.measures.diversity import ALPHA_NDCG, STREC
>>> one, two, both = frozenset({0}), frozenset({1}), frozenset({0, 1})
>>> aspects = Aspects([one, both], [both, two, one])
>>> value(aspects, STREC, 1), round(value(aspects, ALPHA_NDCG, 2), 4)
(0.5, 0.8406)
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rankgauge.engines.reference.long_sum import LongSum, sum_in_order
from rankgauge.measures.diversity import Diversity

# Whole numbers in their shortest form, which 07 and +7 are not.
WHOLE_NUMBER: Final = re.compile("0|-?[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Aspects:
    """One query: the subtopics to which each ranked item is relevant, and those of every relevant judged item.

    The ideal order takes the first of equally good items, so their order counts: ndeval prefers the highest id by
    its bytes, which must come first in `judged`. Gains are added from the lowest subtopic to the highest, and where
    α is not 0.5 the last digit of such a sum decides between items too. Subtopics are numbered as in `ordered`, which
    is the order of ndeval; pyndeval has them in the order in which the judgments of all queries first name them.
    """

    ranked: Sequence[frozenset[int]]
    judged: Sequence[frozenset[int]]

    @property
    def subtopics(self) -> list[int]:
        """The subtopics to which a judged item is relevant, lowest first."""
        return sorted(frozenset().union(*self.judged))


def ordered(subtopics: Iterable[str]) -> list[str]:
    """Return the subtopics of a query in their order: whole numbers as numbers, then texts bytewise.

    >>> ordered({"b", "10", "9", "-1", "a", "09"})
    ['-1', '9', '10', '09', 'a', 'b']
    """

    def key(subtopic: str) -> tuple[bool, int, bytes]:
        is_number = WHOLE_NUMBER.fullmatch(subtopic) is not None and abs(int(subtopic)) < 2**63
        return (False, int(subtopic), b"") if is_number else (True, 0, subtopic.encode())

    return sorted(subtopics, key=key)


def aspects_of(items: Sequence[str], subtopics: Mapping[str, Mapping[str, float]], level: float) -> Aspects:
    """Return the subtopics that each ranked item is relevant to, and those of the judged ones, highest id first."""
    numbers = {name: number for number, name in enumerate(ordered(set().union(*subtopics.values())))}

    def relevant(item: str) -> frozenset[int]:
        graded = subtopics.get(item, {})
        return frozenset(numbers[name] for name, grade in graded.items() if grade > 0 and grade >= level)

    judged = [relevant(item) for item in sorted(subtopics, key=lambda item: item.encode(), reverse=True)]
    return Aspects([relevant(item) for item in items], [covered for covered in judged if covered])


def value(aspects: Aspects, measure: Diversity, k: int) -> float | None:
    """Return the value down to rank k, or None if nothing is relevant to any subtopic."""
    if measure.of_relevant and not aspects.subtopics:
        return None
    return FORMULAS[measure.covers](aspects, measure, k)


# The gain of new subtopics at each rank


def worth(subtopics: Iterable[int], left: Mapping[int, float]) -> float:
    """Sum the remaining gain of each subtopic, from the lowest to the highest."""
    total = 0.0
    for subtopic in sorted(subtopics):
        total += left[subtopic]
    return total


def novelties(items: Iterable[frozenset[int]], alpha: float) -> list[float]:
    """g_i = Σ over the subtopics of item i of (1 − α)^(items before i that cover it)."""
    left: defaultdict[int, float] = defaultdict(lambda: 1.0)
    gains = []
    for subtopics in items:
        gains.append(worth(subtopics, left))
        for subtopic in subtopics:
            left[subtopic] *= 1.0 - alpha
    return gains


def ideal(aspects: Aspects, alpha: float, k: int) -> list[frozenset[int]]:
    """Return the greedy ideal order: at each of k ranks the item with the highest gain, the first of equal ones.

    Each rank looks at all n judged items: n · k sums.
    """
    left: defaultdict[int, float] = defaultdict(lambda: 1.0)
    rest = list(aspects.judged)
    chosen: list[frozenset[int]] = []
    while rest and len(chosen) < k:
        best = max(rest, key=lambda subtopics: worth(subtopics, left))
        rest.remove(best)
        chosen.append(best)
        for subtopic in best:
            left[subtopic] *= 1.0 - alpha
    return chosen


def perfect(aspects: Aspects, alpha: float, k: int) -> list[float]:
    """S (1 − α)^(i−1): the gain at each rank if every item covers all S subtopics."""
    gain, gains = float(len(aspects.subtopics)), []
    for _ in range(k):
        gains.append(gain)
        gain *= 1.0 - alpha
    return gains


# How ranks are weighed


def by_logarithm(gains: Sequence[float]) -> float:
    """Σ g_i / log2(i + 1)."""
    return sum_in_order(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def by_rank(gains: Sequence[float]) -> float:
    """Σ g_i / i."""
    return sum_in_order(gain / rank for rank, gain in enumerate(gains, start=1))


def by_patience(gains: Sequence[float], beta: float) -> float:
    """Σ g_i β^(i−1)."""
    weight, total = 1.0, LongSum()
    for gain in gains:
        total.add(gain * weight)
        weight *= beta
    return total.value


# The measures


def over_perfect(weigh: Callable[[Sequence[float]], float], aspects: Aspects, measure: Diversity, k: int) -> float:
    """Return the weighted sum down to k; from the cutoff `divided_from` on, divided by that of perfect items."""
    alpha, first = measure.number("alpha"), measure.number("divided_from")
    total = weigh(novelties(aspects.ranked[:k], alpha))
    return total / weigh(perfect(aspects, alpha, k)) if 0 < first <= k else total


def over_ideal(weigh: Callable[[Sequence[float]], float], aspects: Aspects, measure: Diversity, k: int) -> float:
    """Return the weighted sum down to k over that of the ideal order; 0 for an empty ranking without a cutoff."""
    alpha = measure.number("alpha")
    best = weigh(novelties(ideal(aspects, alpha, k), alpha))
    return weigh(novelties(aspects.ranked[:k], alpha)) / best if best else 0.0


def alpha_dcg(aspects: Aspects, measure: Diversity, k: int) -> float:
    """α-DCG@k = Σ_{i≤k} g_i / log2(i + 1), divided by that of perfect items."""
    return over_perfect(by_logarithm, aspects, measure, k)


def alpha_ndcg(aspects: Aspects, measure: Diversity, k: int) -> float:
    """α-nDCG@k = Σ_{i≤k} g_i / log2(i + 1), divided by that of the ideal order."""
    return over_ideal(by_logarithm, aspects, measure, k)


def err_ia(aspects: Aspects, measure: Diversity, k: int) -> float:
    """ERR-IA@k = Σ_{i≤k} g_i / i, divided by that of perfect items."""
    return over_perfect(by_rank, aspects, measure, k)


def nerr_ia(aspects: Aspects, measure: Diversity, k: int) -> float:
    """nERR-IA@k = Σ_{i≤k} g_i / i, divided by that of the ideal order."""
    return over_ideal(by_rank, aspects, measure, k)


def nrbp(aspects: Aspects, measure: Diversity, _: int) -> float:
    """NRBP = (1 − (1 − α)β) / S · Σ g_i β^(i−1)."""
    alpha, beta = measure.number("alpha"), measure.number("beta")
    total = by_patience(novelties(aspects.ranked, alpha), beta)
    return float(total * ((1.0 - (1.0 - alpha) * beta) / len(aspects.subtopics)))


def nnrbp(aspects: Aspects, measure: Diversity, _: int) -> float:
    """Σ g_i β^(i−1), divided by that of the ideal order of all judged items."""
    alpha, beta = measure.number("alpha"), measure.number("beta")
    best = by_patience(novelties(ideal(aspects, alpha, len(aspects.judged)), alpha), beta)
    return by_patience(novelties(aspects.ranked, alpha), beta) / best


def map_ia(aspects: Aspects, _: Diversity, __: int) -> float:
    """AP-IA = 1/S Σ_s AP of s, where AP = 1/R Σ (items relevant to s down to i) / i over the ranks i of such items."""
    total = LongSum()
    for subtopic in aspects.subtopics:
        ranks = [rank for rank, covered in enumerate(aspects.ranked, start=1) if subtopic in covered]
        precisions = sum_in_order(count / rank for count, rank in enumerate(ranks, start=1))
        total.add(precisions / sum(subtopic in covered for covered in aspects.judged))
    return total.value / len(aspects.subtopics)


def p_ia(aspects: Aspects, _: Diversity, k: int) -> float:
    """P-IA@k = Σ_{i≤k} subtopics of item i / (k · S)."""
    return sum(map(len, aspects.ranked[:k])) / (k * len(aspects.subtopics)) if k else 0.0


def subtopic_recall(aspects: Aspects, _: Diversity, k: int) -> float:
    """S-recall@k = subtopics that the first k ranks cover / S."""
    return len(frozenset().union(*aspects.ranked[:k])) / len(aspects.subtopics)


FORMULAS: Final[Mapping[str, Callable[[Aspects, Diversity, int], float]]] = {
    "alpha-dcg": alpha_dcg,
    "alpha-ndcg": alpha_ndcg,
    "err-ia": err_ia,
    "nerr-ia": nerr_ia,
    "nrbp": nrbp,
    "nnrbp": nnrbp,
    "map-ia": map_ia,
    "p-ia": p_ia,
    "subtopic-recall": subtopic_recall,
}
