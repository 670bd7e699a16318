"""Sums of gain times discount, as the formula reads: part of the reference engine.

>>> from rankgauge.conventions.terms import Discount, Gain
>>> gain_of(3, Gain("exp2")) * discount_at(3, Discount("log"))
3.5
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rankgauge.conventions import Convention
from rankgauge.conventions.terms import Discount, Gain
from rankgauge.engines.reference import residual
from rankgauge.engines.reference.long_sum import sum_in_order
from rankgauge.engines.reference.order import Ranked, is_worthless
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Gains, Graded, Measure


def gain_of(grade: float, gain: Gain) -> float:
    """Return the gain of a grade.

    >>> gain_of(3, Gain("exp2")), gain_of(3, Gain("binary", threshold=4))
    (7.0, 0.0)
    """
    if gain.kind == "linear":
        return float(dict(gain.table).get(grade, grade))
    if gain.kind == "exp2":
        power = grade + gain.shift
        return 2.0**power - 1.0 if power < 1024 else math.inf
    if gain.kind == "binary":
        return 1.0 if grade > 0 and grade >= gain.threshold else 0.0
    if gain.kind == "share":
        return grade / (gain.top or 1.0)
    if gain.kind == "chance":
        return float((2.0**grade - 1.0) / 2.0 ** (gain.top or 0.0))
    return float(dict(gain.table)[grade])


def gain_within(gain: Gain, grades: Mapping[str, float]) -> Gain:
    """Return the gain for a query: `share` without a highest grade takes the highest grade of the query."""
    highest = max(grades.values(), default=0.0)
    return gain.changed(top=highest) if gain.kind == "share" and gain.top is None and highest > 0 else gain


def discount_at(rank: int, discount: Discount) -> float:
    """Return the discount of a rank, counted from 1.

    >>> discount_at(1, Discount("log")), discount_at(3, Discount("jarvelin", base=3))
    (1.0, 1.0)
    """
    if discount.kind == "log":
        return 1.0 / log(rank + 1, discount.base)
    if discount.kind == "jarvelin":
        return 1.0 if rank < discount.base else 1.0 / log(rank, discount.base)
    if discount.kind == "clipped":
        return 1.0 / math.log2(max(rank, 2))
    if discount.kind == "reciprocal":
        return 1.0 / rank
    if discount.kind == "geometric":
        return (1.0 - discount.base) * discount.base ** (rank - 1)
    return float(discount.table[rank - 1]) if rank <= len(discount.table) else 0.0


def log(number: float, base: float) -> float:
    """Return the logarithm, exact at base 2."""
    return math.log2(number) if base == 2.0 else math.log(number) / math.log(base)


def total(gains: Sequence[float], measure: Gains) -> float:
    """Sum gain times discount in rank order."""
    return sum_in_order(gain * weight_at(rank, measure) for rank, gain in enumerate(gains, start=1))


def weight_at(rank: int, measure: Gains) -> float:
    """Return the discount of a rank, or 1 where the measure has none."""
    return discount_at(rank, measure.discount) if measure.discounted and measure.discount else 1.0


def cutoff(measure: Measure, length: int, convention: Convention) -> int | None:
    """Return k; default: the cutoff of the convention. None means no cutoff."""
    k = measure.k if measure.k is not None else convention.default_cutoff
    if k == "all":
        return None
    return length if k == "list" else int(k)


def ideal_cutoff(measure: Gains, length: int, convention: Convention) -> int | None:
    """Return the cutoff of the ideal ranking; None means no cutoff."""
    k = cutoff(measure, length, convention)
    kind = (measure.ideal or convention.ideal).kind
    if kind == "uncut":
        return None
    if kind in ("ranked", "top", "list-length"):
        return length if k is None else min(k, length)
    if kind == "perfect" and k is None:
        return length
    return k


def gain_by_grade(grades: Mapping[str, float], measure: Gains, convention: Convention) -> dict[float | None, float]:
    """Return the gain of each grade of a query, and of an item without a grade."""
    gain = gain_within(measure.gain or convention.gain, grades)
    return {grade: item_gain(grade, gain, convention) for grade in {None, *grades.values()}}


def gains_by_item(grades: Mapping[str, float], measure: Gains, convention: Convention) -> dict[str, float]:
    """Return the gain of each judged item; that of any other is 0."""
    worth = gain_by_grade(grades, measure, convention)
    return {item: worth[grade] for item, grade in grades.items()}


def gains_by_rank(known: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> list[float]:
    """Return the gain at each rank down to k."""
    gains = [known.get(item, 0.0) for item in ranking.items]
    return gains_that_count(gains, ranking, measure, convention)


def gains_that_count(gains: Sequence[float], ranking: Ranked, measure: Gains, convention: Convention) -> list[float]:
    """Return the gains down to k; where ties are averaged, the mean gain of those that share the score."""
    counted = list(gains)
    if convention.ties == "average":
        for start, end in ranking.ties:
            group = counted[start:end]
            if min(group) != max(group):  # the mean of equal numbers may differ from them in the last digit
                counted[start:end] = [sum_in_order(group) / len(group)] * len(group)
    return counted[: ranking.length][: cutoff(measure, ranking.length, convention)]


def ideal_gains(known: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> list[float]:
    """Return the gains of the ideal ranking, best first, down to where it is cut."""
    ideal = measure.ideal or convention.ideal
    k = ideal_cutoff(measure, ranking.length, convention)
    if ideal.kind == "perfect":
        return [ideal.top] * (k or 0)
    items = ideal_candidates(known, ranking, measure, convention)
    return sorted([known.get(item, 0.0) for item in items], reverse=True)[:k]


def ideal_candidates(
    judged: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention
) -> Sequence[str]:
    """Return the items from which the ideal ranking is made, in no particular order."""
    kind = (measure.ideal or convention.ideal).kind
    if kind == "top":
        return ranking.items[: ideal_cutoff(measure, ranking.length, convention)]
    return ranking.items if kind == "ranked" else list(judged)


def require_gain(grades: Mapping[str, float], measure: Gains | Graded, query: str, convention: Convention) -> None:
    """Raise if a grade has no gain: a table lacks it, or it is above the highest of the scale."""
    gain = measure.gain or convention.gain
    known = dict(gain.table)
    for item, grade in grades.items():
        lacking = gain.kind == "table" and grade not in known
        above = gain.top is not None and grade > gain.top
        if (lacking or above) and not is_worthless(grade, convention):
            raise RankgaugeError("grade-not-in-table", place=f"query {query!r}, item {item!r}", item=item, got=grade)


def item_gain(grade: float | None, gain: Gain | None, convention: Convention) -> float:
    """Return the gain of an item: 0 when it is unjudged, or negative where that counts as 0."""
    if grade is None or is_worthless(grade, convention):
        return 0.0
    return gain_of(grade, gain or convention.gain)


def depth_of(measure: Measure, ranking: Ranked, convention: Convention) -> int:
    """Return the rank down to which items are counted: k, or the length of the ranking."""
    k = cutoff(measure, ranking.length, convention)
    return ranking.length if k is None else k


def is_hollow(grades: Mapping[str, float], measure: Gains, convention: Convention) -> bool:
    """Return whether the ideal consists of perfect positions although the query has no relevant item."""
    perfect = (measure.ideal or convention.ideal).kind == "perfect"
    return perfect and not any(item_gain(grade, measure.gain, convention) > 0 for grade in grades.values())


# Measures made of sums


def sum_or_ratio(
    grades: Mapping[str, float], ranking: Ranked, measure: Gains, query: str, convention: Convention
) -> float | None:
    """Return a sum of gain times discount, or its ratio to the ideal; None if there is no ideal to divide by."""
    require_gain(grades, measure, query, convention)
    if measure.residual:
        return bound_of(grades, ranking, measure, query, convention)
    known = gains_by_item(grades, measure, convention)
    actual = total(gains_by_rank(known, ranking, measure, convention), measure)
    ideal = total(ideal_gains(known, ranking, measure, convention), measure)
    return read_sums(actual, ideal, grades, ranking, measure, query, convention)


def read_sums(
    actual: float,
    ideal: float,
    grades: Mapping[str, float],
    ranking: Ranked,
    measure: Gains,
    query: str,
    convention: Convention,
) -> float | None:
    """Return a measure of the sums of the actual and of the ideal ranking; None if there is no ideal to divide by."""
    used = (actual, ideal) if measure.normalised else (ideal,) if measure.sums == "ideal" else (actual,)
    if not all(map(math.isfinite, used)):
        raise RankgaugeError("overflow", place=f"query {query!r}", got=max(grades.values(), default=0.0))
    if not measure.normalised:
        return used[0]
    if ideal <= 0 or is_hollow(grades, measure, convention):
        return None
    if measure.sums == "ranked":
        return actual / ideal
    expected = random_total(grades, ranking, measure, convention) / ideal
    return expected if measure.sums == "random" else corrected(actual / ideal, expected)


def bound_of(
    grades: Mapping[str, float], ranking: Ranked, measure: Gains, query: str, convention: Convention
) -> float | None:
    """Return the lowest or the highest value that unjudged items allow; tied items are taken in the order of ids."""
    require_finite_gains(grades, ranking, measure, query, convention)
    doubt = doubt_of(grades, ranking, measure, convention)
    end = residual.lowest if measure.residual == "low" else residual.highest
    ideal = measure.ideal or convention.ideal
    if measure.normalised and ideal.kind == "perfect":
        perfect = total([ideal.top] * doubt.ideal_cut, measure)
        value = end(doubt, normalised=False) if perfect > 0 else None
        value = None if value is None else value / perfect
    else:
        value = end(doubt, normalised=measure.normalised)
        value = None if value is None else value + gain_beyond(doubt, ranking, measure)
    if value is not None and not math.isfinite(value):
        raise RankgaugeError("overflow", place=f"query {query!r}", got=max(grades.values(), default=0.0))
    return value


def gain_beyond(doubt: residual.Doubt, ranking: Ranked, measure: Gains) -> float:
    """Return the most that a user who never stops reading can gain below the ranking; 0 for other measures."""
    endless = measure.residual == "high" and not measure.normalised and measure.k is None
    discount = measure.discount if measure.discounted else None
    if not endless or discount is None or discount.kind != "geometric":
        return 0.0
    return doubt.top * float(discount.base**ranking.length)


def require_finite_gains(
    grades: Mapping[str, float], ranking: Ranked, measure: Gains, query: str, convention: Convention
) -> None:
    """Raise if the gains of the ranked items, or of the judged ones, add up to more than a float holds."""
    gain = gain_within(measure.gain or convention.gain, grades)
    ranked = [item_gain(grades.get(item), gain, convention) for item in ranking.items[: ranking.length]]
    judged = sorted((item_gain(grade, gain, convention) for grade in grades.values()), reverse=True)
    if not (math.isfinite(sum_in_order(ranked)) and math.isfinite(sum_in_order(judged))):
        raise RankgaugeError("overflow", place=f"query {query!r}", got=max(grades.values(), default=0.0))


def doubt_of(grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> residual.Doubt:
    """Return the gains, weights and unjudged positions of a query from which its bounds are computed."""
    gain = gain_within(measure.gain or convention.gain, grades)
    items = ranking.items[: ranking.length]
    gains = [item_gain(grades.get(item), gain, convention) for item in items]
    unjudged = [item not in grades for item in items]
    ranks = min(depth_of(measure, ranking, convention), ranking.length)
    kind = (measure.ideal or convention.ideal).kind
    judged = [item_gain(grade, gain, convention) for grade in grades.values()]
    ideal = gains if kind == "ranked" else gains[:ranks] if kind == "top" else judged
    k = ideal_cutoff(measure, ranking.length, convention)
    cut = len(ideal) + len(items) if k is None else k
    weighed_ranks = max(ranks, min(cut, len(ideal) + len(items)))
    return residual.Doubt(
        gains[:ranks],
        unjudged[:ranks],
        [weight_at(rank, measure) for rank in range(1, weighed_ranks + 1)],
        below=0 if kind == "top" else sum(unjudged[ranks:]),
        ideal=ideal,
        ideal_cut=cut,
        levels=levels_of(judged, gain),
    )


def levels_of(judged: Sequence[float], gain: Gain) -> list[float]:
    """Return the gains that an unjudged item may have: those of judged ones and of the highest grade that is known."""
    known = {worth for worth in judged if worth > 0}
    if gain.kind == "binary":
        known.add(1.0)
    if gain.kind == "table":
        known |= {worth for _, worth in gain.table if worth > 0}
    elif gain.top is not None:
        known.add(gain_of(gain.top, gain))
    elif not known and gain_of(1.0, gain) > 0:
        known.add(gain_of(1.0, gain))
    return sorted(known)


def random_total(grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> float:
    """Return the sum that is expected of a random order: the mean gain of the ranked items at every rank."""
    known = gains_by_item(grades, measure, convention)
    gains = gains_by_rank(known, ranking, replace(measure, k=None), convention.replace(default_cutoff="all"))
    k = min(depth_of(measure, ranking, convention), ranking.length)
    return total([sum_in_order(gains) / len(gains)] * k, measure) if gains else 0.0


def corrected(value: float, expected: float) -> float | None:
    """Return (value − expected) / (1 − expected); None if the expected value is 1."""
    possible = 1.0 - expected
    return (value - expected) / possible if abs(possible) > sys.float_info.epsilon else None
