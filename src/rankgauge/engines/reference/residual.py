"""How low and how high a sum of gains, or its ratio to the ideal, can be: part of the reference engine.

An unjudged item may turn out to be worth nothing, or any of the levels. What it is worth counts in the ideal as well,
so the ratio is lowest where the worthy items are at the worst ranks, or below the cutoff.

>>> doubt = Doubt([0.0, 1.0], [True, False], [1.0, 0.5, 0.25], below=1, ideal=[1.0], ideal_cut=3, levels=[1.0])
>>> lowest(doubt, normalised=False), highest(doubt, normalised=False)
(0.5, 1.5)
>>> lowest(doubt, normalised=True), highest(doubt, normalised=True)
(0.3333333333333333, 1.0)
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rankgauge.engines.reference.long_sum import sum_in_order


@dataclass(frozen=True, slots=True)
class Doubt:
    """One query: its gains by rank down to the cutoff, and what is known of the unjudged items and of the ideal."""

    gains: Sequence[float]
    unjudged: Sequence[bool]  # whether the item at each of these ranks is unjudged; its gain is then 0
    weights: Sequence[float]  # of each rank: none negative, none above the one before; beyond the last they are 0
    below: int  # how many unjudged items are ranked below the cutoff
    ideal: Sequence[float]  # the gains of the judged items from which the ideal is made, in any order
    ideal_cut: int  # how many ranks the ideal has at most
    levels: Sequence[float]  # the gains above 0 that an unjudged item may have, ascending

    @property
    def open_weights(self) -> list[float]:
        """The weight of each unjudged item: by rank down to the cutoff, then 0 for each of those below."""
        within = [weight for weight, unjudged in zip(self.weights, self.unjudged, strict=False) if unjudged]
        return within + self.nothing[len(within) :]

    @property
    def nothing(self) -> list[float]:
        """The assignment that gives every unjudged item 0."""
        return [0.0] * (sum(self.unjudged) + self.below)

    @property
    def top(self) -> float:
        """The highest gain that an unjudged item may have."""
        return self.levels[-1] if self.levels else 0.0


def lowest(doubt: Doubt, normalised: bool) -> float | None:
    """Return the lowest value, or None if there is nothing to divide by.

    The sum is linear in the gains and the ideal is convex, so the lowest ratio is at a corner: every item has the
    highest level or nothing, or, where nothing at all has no value, one item has the lowest level.
    """
    if not normalised:
        return actual(doubt, doubt.nothing)
    least = least_counts(doubt)
    if least is None:
        return None
    worst = [worst_count(doubt, sum(least))] * len(doubt.levels)
    return min(ratio(doubt, best_first(doubt, counts)[::-1]) for counts in (least, worst))


def highest(doubt: Doubt, normalised: bool) -> float | None:
    """Return the highest value, or None if there is nothing to divide by.

    A ratio is above t where the sum less t times the ideal is above 0. So t becomes the ratio of the assignment for
    which that is most, until t no longer grows.
    """
    if not normalised:
        return actual(doubt, [doubt.top] * len(doubt.nothing))
    least = least_counts(doubt)
    if least is None:
        return None
    sums, ideals = sum_growths(doubt, sum(least)), ideal_growths(doubt)
    value, higher = -math.inf, ratio(doubt, best_first(doubt, least))
    while higher > value:
        value = higher
        higher = ratio(doubt, best_first(doubt, best_counts(sums, ideals, value)))
    return value


# An assignment: the gain of each unjudged item, by rank


def ratio(doubt: Doubt, assigned: Sequence[float]) -> float:
    """Return the sum of the ranking divided by that of the ideal."""
    return actual(doubt, assigned) / ideal(doubt, assigned)


def actual(doubt: Doubt, assigned: Sequence[float]) -> float:
    """Return the sum of the ranking down to the cutoff."""
    rest = iter(assigned)
    gains = [next(rest) if unjudged else gain for gain, unjudged in zip(doubt.gains, doubt.unjudged, strict=True)]
    return total(gains, doubt.weights)


def ideal(doubt: Doubt, assigned: Sequence[float]) -> float:
    """Return the sum of the ideal, of which every unjudged item may be part."""
    return total(sorted([*doubt.ideal, *assigned], reverse=True)[: doubt.ideal_cut], doubt.weights)


def total(gains: Sequence[float], weights: Sequence[float]) -> float:
    """Sum gain times weight in rank order."""
    return sum_in_order(gain * weight for gain, weight in zip(gains, weights, strict=False))


def running(numbers: Iterable[float]) -> list[float]:
    """Return the sums after 0, 1, 2, … numbers."""
    return list(accumulate(numbers, initial=0.0))


# An assignment as counts: how many of the items have at least each level


def best_first(doubt: Doubt, counts: Sequence[int]) -> list[float]:
    """Return the assignment with these counts and the highest sum; in reverse it is that with the lowest."""
    gains: list[float] = []
    for level, count in zip(reversed(doubt.levels), reversed(counts), strict=True):
        gains += [level] * (count - len(gains))
    return gains + doubt.nothing[len(gains) :]


def least_counts(doubt: Doubt) -> list[int] | None:
    """Return the counts of the smallest assignment with a value: nothing at all, or one item of the lowest level.

    There are none either where negative gains outweigh even that item in the ideal: some assignments may have a
    value, but their ideals come so near to 0 by chance that no bound says anything.
    """
    none = [0] * len(doubt.levels)
    one = [1, *none[1:]] if doubt.levels and doubt.nothing else none
    return next((counts for counts in (none, one) if ideal(doubt, best_first(doubt, counts)) > 0), None)


def worst_count(doubt: Doubt, fewest: int) -> int:
    """Return how many items have the highest level where the ratio is lowest; those at the worst ranks come first."""
    base = actual(doubt, doubt.nothing)
    sums = [base + doubt.top * weight for weight in running(reversed(doubt.open_weights))]
    ideals = [ideal(doubt, doubt.nothing)] * len(sums)
    for growth in ideal_growths(doubt):
        ideals = [before + more for before, more in zip(ideals, growth, strict=True)]
    counts = [count for count in range(fewest, len(sums)) if ideals[count] > 0]
    return min(counts, key=lambda count: sums[count] / ideals[count], default=fewest)


def sum_growths(doubt: Doubt, fewest: int) -> list[list[float]]:
    """Return for each level and count what the sum gains if the items at the best ranks rise to it from below.

    Fewer items than `fewest` are ruled out.
    """
    weights = running(doubt.open_weights)
    steps = [level - before for level, before in zip(doubt.levels, [0.0, *doubt.levels], strict=False)]
    growths = [[step * weight for weight in weights] for step in steps]
    for growth in growths[:1]:
        growth[:fewest] = [-math.inf] * fewest
    return growths


def ideal_growths(doubt: Doubt) -> list[list[float]]:
    """Return how much the ideal gains when `count` items rise to a level from the one below, by level and count.

    A gain is a pile of steps from one gain that occurs to the next; each step counts at as many ranks as reach it.
    """
    weights = running(doubt.weights[: doubt.ideal_cut])
    judged = sorted(doubt.ideal)
    growths, before = [], 0.0
    for level in doubt.levels:
        growth = [0.0] * (len(doubt.nothing) + 1)
        for gain in sorted({level, *judged[bisect_right(judged, before) : bisect_left(judged, level)]}):
            add_step(growth, gain - before, weights[len(judged) - bisect_left(judged, gain) :])
            before = gain
        growths.append(growth)
    return growths


def add_step(growth: list[float], height: float, weights: Sequence[float]) -> None:
    """Add a step of gain at one more rank per item, given the running weights from the ranks that reach it already."""
    for count in range(len(growth) if weights else 0):
        growth[count] += height * (weights[min(count, len(weights) - 1)] - weights[0])


def best_counts(sums: Sequence[Sequence[float]], ideals: Sequence[Sequence[float]], value: float) -> list[int]:
    """Return for each level the count for which the sum less value times ideal is most.

    Each may be chosen alone: fewer judged items reach a higher level, so one more item of it adds no less to the ideal,
    and the best count is no larger than that of the level before. If the value is negative, more items are never worse.
    """
    return [
        max(range(len(more)), key=[gained - value * lost for gained, lost in zip(more, less, strict=True)].__getitem__)
        for more, less in zip(sums, ideals, strict=True)
    ]
