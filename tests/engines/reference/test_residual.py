from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import pytest

from rankgauge.engines.reference.residual import Doubt, highest, lowest

GAINS = (0.0, 0.5, 0.7, 1.0, 1.0, 2.0, 3.0, 7.0, 15.0)
SOME_NEGATIVE = (*GAINS, -2.0, -1.0, -1.0, -1.0, -0.5, -0.5)
LEVELS = (0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0)
DISCOUNTS: dict[str, Callable[[Random, int], float]] = {
    "log": lambda _, rank: 1.0 / math.log2(rank + 1),
    "none": lambda _random, _rank: 1.0,
    "geometric": lambda _, rank: 0.5**rank,
    "steps": lambda random, _: random.choice((0.0, 0.0, 0.2, 0.5, 1.0, 1.0)),
    "any": lambda random, _: random.random(),
}


def random_doubt(random: Random, discount: str, pool: Sequence[float]) -> Doubt:
    """Return a query with at most five unjudged items."""
    unjudged = random.sample([True] * 5 + [False] * 3, random.randint(0, 8))
    gains = [0.0 if unknown else random.choice(pool) for unknown in unjudged]
    below = random.randint(0, 5 - sum(unjudged))
    ranked = [gain for gain, unknown in zip(gains, unjudged, strict=True) if not unknown]
    ideal = ranked * random.randint(0, 1) + random.choices(pool, k=random.randint(0, 4))
    ranks = range(1, len(gains) + below + len(ideal) + 1)
    return Doubt(
        gains=gains,
        unjudged=unjudged,
        weights=sorted((DISCOUNTS[discount](random, rank) for rank in ranks), reverse=True),
        below=below,
        ideal=random.sample(ideal, len(ideal)),
        ideal_cut=random.choice((0, 1, 2, 3, 5, 20)),
        levels=sorted(random.sample(LEVELS, random.randint(0, 3))),
    )


def dot(gains: Sequence[float], weights: Sequence[float]) -> float:
    return math.fsum(gain * weight for gain, weight in zip(gains, weights, strict=False))


def ideal_of(doubt: Doubt, assigned: Sequence[float]) -> float:
    return dot(sorted([*doubt.ideal, *assigned], reverse=True)[: doubt.ideal_cut], doubt.weights)


def value_of(doubt: Doubt, assigned: Sequence[float]) -> float:
    rest = iter(assigned)
    gains = [next(rest) if unknown else gain for gain, unknown in zip(doubt.gains, doubt.unjudged, strict=True)]
    return dot(gains, doubt.weights)


def assignments(doubt: Doubt) -> Iterator[tuple[float, ...]]:
    return product((0.0, *doubt.levels), repeat=sum(doubt.unjudged) + doubt.below)


def ratios(doubt: Doubt) -> list[float]:
    """Return the ratio of every assignment that has one."""
    return [
        value_of(doubt, assigned) / ideal for assigned in assignments(doubt) if (ideal := ideal_of(doubt, assigned)) > 0
    ]


def is_outweighed(doubt: Doubt) -> bool:
    """Return whether one item of the lowest level leaves the ideal at 0 or less."""
    count = sum(doubt.unjudged) + doubt.below
    return ideal_of(doubt, [*doubt.levels[:1], *[0.0] * count][:count]) <= 0


def check(doubt: Doubt, normalised: bool, every: Sequence[float]) -> None:
    bounds = (lowest(doubt, normalised), highest(doubt, normalised))
    expected = (min(every), max(every)) if every else (None, None)
    assert bounds == (pytest.approx(expected, rel=1e-12, abs=1e-12) if every else expected), doubt


@pytest.mark.parametrize("discount", DISCOUNTS)
def test_residual_bounds_of_a_sum_equal_those_over_all_assignments(discount: str) -> None:
    random = Random(discount)
    for _ in range(50):
        doubt = random_doubt(random, discount, SOME_NEGATIVE)
        check(doubt, False, [value_of(doubt, assigned) for assigned in assignments(doubt)])


@pytest.mark.parametrize("discount", DISCOUNTS)
def test_residual_bounds_of_a_ratio_equal_those_over_all_assignments(discount: str) -> None:
    random = Random(discount)
    for _ in range(300):
        doubt = random_doubt(random, discount, GAINS)
        check(doubt, True, ratios(doubt))


@pytest.mark.parametrize("discount", DISCOUNTS)
def test_residual_bounds_of_negative_gains_exist_unless_they_outweigh_an_item(discount: str) -> None:
    random = Random(discount)
    for _ in range(300):
        doubt = random_doubt(random, discount, SOME_NEGATIVE)
        check(doubt, True, [] if is_outweighed(doubt) else ratios(doubt))


def test_residual_highest_ratio_may_need_a_middle_level() -> None:
    doubt = Doubt([0.0, 1.0], [True, False], [1.0, 0.5], below=0, ideal=[1.0], ideal_cut=1, levels=[1.0, 2.0])
    assert (lowest(doubt, normalised=True), highest(doubt, normalised=True)) == (0.5, 1.5)


def test_residual_lowest_ratio_of_a_negative_sum_may_need_the_lowest_level() -> None:
    doubt = Doubt([-1.0, 0.0], [False, True], [1.0, 0.5], below=0, ideal=[-1.0], ideal_cut=2, levels=[1.0, 2.0])
    assert (lowest(doubt, normalised=True), highest(doubt, normalised=True)) == (-1.0, 0.0)


def test_residual_bounds_without_unjudged_items_equal_the_value() -> None:
    weights = [1.0 / math.log2(rank + 1) for rank in range(1, 6)]
    doubt = Doubt([1.0, 3.0, 0.7], [False] * 3, weights, below=0, ideal=[3.0, 1.0, 0.7], ideal_cut=3, levels=[1.0])
    value = (weights[0] + 3.0 * weights[1] + 0.7 * weights[2]) / (3.0 * weights[0] + weights[1] + 0.7 * weights[2])
    assert lowest(doubt, normalised=True) == highest(doubt, normalised=True) == value


def test_residual_bounds_of_a_thousand_unjudged_items_hold() -> None:
    random = Random(5)
    levels = [1.0, 3.0, 7.0, 15.0, 31.0]
    unjudged = random.sample([True] * 800 + [False] * 400, 1200)
    gains = [0.0 if unknown else random.choice((0.0, *levels)) for unknown in unjudged]
    ranked = [gain for gain, unknown in zip(gains, unjudged, strict=True) if not unknown]
    weights = [1.0 / math.log2(rank + 1) for rank in range(1, 2000)]
    doubt = Doubt(gains, unjudged, weights, 200, ranked + levels * 20, ideal_cut=1200, levels=levels)
    low, high = lowest(doubt, normalised=True), highest(doubt, normalised=True)
    assert low is not None
    assert high is not None
    for gain, count in product(levels, range(0, 1001, 50)):
        assigned = [gain] * count + [0.0] * (1000 - count)
        ideal = ideal_of(doubt, assigned)
        assert value_of(doubt, assigned) / ideal <= high + 1e-12
        assert value_of(doubt, assigned[::-1]) / ideal >= low - 1e-12
