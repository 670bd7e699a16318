"""Values per query as measures give them: shapes with a known mean, drawn with a seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = npt.NDArray[np.float64]
Draw: TypeAlias = Callable[[np.random.Generator, int], Values]


class Shape(NamedTuple):
    """How values are drawn, their true mean, and whether they stay between 0 and 1."""

    draw: Draw
    mean: float
    bounded: bool = True


def beta(a: float, b: float) -> Shape:
    """Values of a beta distribution."""
    return Shape(lambda source, count: source.beta(a, b, count), a / (a + b))


def mixed(a: float, b: float, *, zeros: float = 0.0, ones: float = 0.0) -> Shape:
    """A beta distribution of which a share is exactly 0 or 1."""

    def draw(source: np.random.Generator, count: int) -> Values:
        values, chance = source.beta(a, b, count), source.random(count)
        return np.where(chance < zeros, 0.0, np.where(chance > 1.0 - ones, 1.0, values))

    return Shape(draw, (1.0 - zeros - ones) * a / (a + b) + ones)


def hits(share: float) -> Shape:
    """Values of 1 with this probability, else 0."""
    return Shape(lambda source, count: (source.random(count) < share).astype(float), share)


def _reciprocal_ranks() -> Shape:
    """1 / rank of a relevant item that is found with chance 0.4 at each of ten ranks, 0 if it is at none."""
    chances = np.array([0.4 * 0.6**rank for rank in range(10)])
    values = 1.0 / np.arange(1, 11)

    def draw(source: np.random.Generator, count: int) -> Values:
        ranks = source.geometric(0.4, count)
        return np.where(ranks <= 10, 1.0 / ranks, 0.0)

    return Shape(draw, float(chances @ values))


SHAPES: Final[Mapping[str, Shape]] = {
    "NDCG-like": beta(3.0, 2.0),
    "low AP, skewed": beta(0.5, 3.0),
    "AP with zeros": mixed(1.0, 2.0, zeros=0.2),
    "high recall": mixed(4.0, 1.0, ones=0.5),
    "reciprocal rank": _reciprocal_ranks(),
    "hit at 95 %": hits(0.95),
    "hit at 90 %": hits(0.9),
    "hit at 50 %": hits(0.5),
    "hit at 10 %": hits(0.1),
    "DCG-like": Shape(lambda source, count: source.gamma(2.0, 3.0, count), 6.0, bounded=False),
}


def exchangeable(source: np.random.Generator, count: int) -> Values:
    """Differences of two equal systems: either sign is as likely; some queries are equal."""
    sizes = source.beta(0.8, 4.0, count) * (source.random(count) > 0.1)
    return np.asarray(sizes * source.choice((-1.0, 1.0), count))


def few_big_wins(source: np.random.Generator, count: int) -> Values:
    """Differences of equal mean: one query in ten wins much, the others lose a little."""
    wins = source.random(count) < 0.1
    return np.where(wins, source.uniform(0.3, 0.6, count), -source.uniform(0.02, 0.08, count))


DIFFERENCES: Final[Mapping[str, Draw]] = {
    "exchangeable": exchangeable,
    "few big wins, many small losses": few_big_wins,
}


def equal_systems(source: np.random.Generator, queries: int, runs: int) -> Values:
    """Values of equal systems by query and run: a query's difficulty is shared, the rest is each system's own."""
    difficulty = source.normal(0.0, 1.0, (queries, 1))
    own = source.normal(0.0, 1.0, (queries, runs))
    return np.asarray(1.0 / (1.0 + np.exp(-(difficulty + own))))


def geometric_mean_of_beta(a: float, b: float) -> float:
    """The geometric mean of a beta distribution: exp(ψ(a) - ψ(a + b)).

    >>> round(geometric_mean_of_beta(1.0, 1.0), 4)
    0.3679
    """
    return math.exp(_digamma(a) - _digamma(a + b))


def _digamma(x: float) -> float:
    """The derivative of log Γ, by its recurrence and its asymptotic series."""
    shift = 0.0
    while x < 10.0:
        shift -= 1.0 / x
        x += 1.0
    inverse = 1.0 / (x * x)
    return shift + math.log(x) - 0.5 / x - inverse * (1.0 / 12.0 - inverse * (1.0 / 120.0 - inverse / 252.0))
