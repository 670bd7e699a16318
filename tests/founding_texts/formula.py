"""The formula once more, in plain Python, for what the texts leave without a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2


def discounted(gains: Iterable[float]) -> float:
    """Σ gain / log2(rank + 1), added from the first rank on; the built-in `sum` rounds otherwise since Python 3.12.

    >>> discounted([3, 2, 3, 0, 1, 2])
    6.861126688593502
    """
    total = 0.0
    for rank, gain in enumerate(gains, start=1):
        total += gain / log2(rank + 1)
    return total


def exponential(grades: Iterable[float]) -> list[float]:
    """2^grade − 1 of each grade.

    >>> exponential([0, 1, 2, 3])
    [0, 1, 3, 7]
    """
    return [2**grade - 1 for grade in grades]


def normalised(ranked: Sequence[str], truth: Mapping[str, float], k: int, ideal_k: int) -> float:
    """The DCG of the first k items over that of the best ideal_k grades, 0 if the latter is 0.

    >>> normalised(["C", "A"], {"A": 1, "C": 3}, 2, 2)
    1.0
    """
    best = discounted(sorted(truth.values(), reverse=True)[:ideal_k])
    return discounted(truth.get(item, 0) for item in ranked[:k]) / best if best else 0.0
