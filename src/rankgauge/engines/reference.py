"""The reference engine: pure Python that reads like the formula. Slow, and what every other engine must equal.

>>> from rankgauge.conventions.textbook import TEXTBOOK
>>> from rankgauge.measures import NDCG
>>> judged = {"candy": [("a", 2), ("b", 3), ("c", 0), ("d", 0), ("e", 1)]}
>>> ranked = {"candy": [("a", 5), ("b", 4), ("c", 3), ("d", 2), ("e", 1)]}
>>> evaluate(judged, ranked, [NDCG(gain="exp2")], TEXTBOOK).values
{ndcg(gain=exp2): [0.8307820888596468]}
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rankgauge.conventions import Convention
from rankgauge.engines import counting, covering, grading, residual
from rankgauge.engines.beside import Beside, Clicks, aspects_of, weighed
from rankgauge.engines.evaluation import Counts, Evaluation, cutoff_names
from rankgauge.engines.order import Ranked, Rows, grades_of, is_worthless, order
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Counted, Coverage, Diverse, Gains, Graded, Letters, Logged, Measure
from rankgauge.measures.measure import AtLevel
from rankgauge.terms import Discount, Gain

NOTHING_BESIDE: Final = Beside()


class Facts(NamedTuple):
    """What one query looked like."""

    empty: bool
    tied: bool
    dropped: int
    unjudged: dict[str, int]
    positions: dict[str, int]


def evaluate(
    judged: Mapping[str, Rows],
    ranked: Mapping[str, Rows],
    measures: Sequence[Measure],
    convention: Convention,
    depth: int | None = None,
    level: float | None = None,
    beside: Beside = NOTHING_BESIDE,
) -> Evaluation:
    """Evaluate every judged query, in the order of its id; `level` is the lowest grade that counts as relevant."""
    queries: list[str] = []
    values: dict[Measure, list[float]] = {measure: [] for measure in measures if not isinstance(measure, Letters)}
    texts: dict[Measure, list[str]] = {measure: [] for measure in measures if isinstance(measure, Letters)}
    full = {measure: measure.under(convention, level) for measure in measures}
    seen: list[Facts] = []
    tops: list[list[str]] = []
    for query in sorted(judged):
        grades = grades_of(judged[query], query, convention)
        if query not in ranked and convention.missing == "error":
            raise RankgaugeError("missing-query", place=f"query {query!r}")
        if query not in ranked and convention.missing == "skip":
            continue
        ranking = order(ranked.get(query), grades, query, convention, depth)
        queries.append(query)
        for measure, column in values.items():
            column.append(evaluate_query(grades, ranking, full[measure], query, convention, beside))
        for measure, words in texts.items():
            words.append(
                "".join(letter(grades.get(item), convention) for item in ranking.items[: ranking.length][: measure.k])
            )
        tops.append(ranking.items[: ranking.length])
        seen.append(facts_of(grades, ranking, list(full.values()), convention))
    judged_items = {item for rows in judged.values() for item, _ in rows}
    values |= {measure: covered(tops, measure, judged_items) for measure in values if isinstance(measure, Coverage)}
    return Evaluation(queries, values, _count(judged, ranked, queries, measures, seen), texts)


def evaluate_query(
    grades: Mapping[str, float],
    ranking: Ranked,
    measure: Measure,
    query: str,
    convention: Convention,
    beside: Beside = NOTHING_BESIDE,
) -> float:
    """Compute one measure of one query."""
    value = value_or_nothing(grades, ranking, measure, query, convention, beside)
    if value is not None and not math.isnan(value):
        return value
    if measure.skips:
        return math.nan
    if convention.nothing_relevant == "error":
        raise RankgaugeError("nothing-relevant", place=f"query {query!r}")
    if ranking.missing and convention.nothing_relevant != "skip":
        return 0.0
    return {"zero": 0.0, "one": 1.0, "nan": math.nan, "skip": math.nan}[convention.nothing_relevant]


def covered(tops: Sequence[Sequence[str]], measure: Coverage, judged: Iterable[str]) -> list[float]:
    """Return the share of the catalogue that each query adds to what those before it show in their first k ranks."""
    shown: set[str] = set()
    added = []
    for items in tops:
        new = set(items[: measure.k]) - shown
        added.append(len(new))
        shown |= new
    whole = measure.catalogue or len(shown | set(judged))
    return [count / whole if whole else 0.0 for count in added]


def value_or_nothing(
    grades: Mapping[str, float],
    ranking: Ranked,
    measure: Measure,
    query: str,
    convention: Convention,
    beside: Beside,
) -> float | None:
    """Return the value; None or NaN if there is nothing to divide by."""
    depth = depth_of(measure, ranking, convention)
    if isinstance(measure, Counted):
        return counting.value(seen_of(grades, ranking), measure, depth)
    if isinstance(measure, Graded):
        return graded_value(grades, ranking, measure, query, convention)
    if isinstance(measure, Gains):
        return sum_or_ratio(grades, ranking, measure, query, convention)
    items, rows = ranking.items[: ranking.length], beside.rows.get(query, {})
    if isinstance(measure, Diverse):
        return covering.value(aspects_of(items, rows, measure.rel or 0.0), measure, depth)
    if isinstance(measure, Logged):
        effective = {item: 0.0 if is_worthless(grade, convention) else grade for item, grade in grades.items()}
        return weighed(Clicks(effective, rows, beside.role), items, measure, depth)
    return 0.0  # coverage is known when all queries are


def graded_value(
    grades: Mapping[str, float], ranking: Ranked, measure: Graded, query: str, convention: Convention
) -> float | None:
    """Return a measure of gains by rank that is no mere sum."""
    require_gain(grades, measure, query, convention)
    gained = gained_of(grades, ranking, measure, convention)
    if not (math.isfinite(sum_in_order(gained.gains)) and math.isfinite(sum_in_order(gained.best))):
        raise RankgaugeError("overflow", place=f"query {query!r}", got=max(grades.values(), default=0.0))
    if measure.rel is not None and not any(grade > 0 and grade >= measure.rel for grade in grades.values()):
        return None
    return grading.value(gained, measure, depth_of(measure, ranking, convention))


def sum_or_ratio(
    grades: Mapping[str, float], ranking: Ranked, measure: Gains, query: str, convention: Convention
) -> float | None:
    """Return a sum of gain times discount, or its ratio to the ideal; None if there is no ideal to divide by."""
    require_gain(grades, measure, query, convention)
    if measure.residual:
        return bound_of(grades, ranking, measure, query, convention)
    actual = total(gains_by_rank(grades, ranking, measure, convention), measure)
    ideal = total(ideal_gains(grades, ranking, measure, convention), measure)
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
    doubt = doubt_of(grades, ranking, measure, convention)
    end = residual.lowest if measure.residual == "low" else residual.highest
    ideal = measure.ideal or convention.ideal
    if measure.normalised and ideal.kind == "perfect":
        perfect = total([ideal.top] * doubt.ideal_cut, measure)
        value = end(doubt, normalised=False)
        return value / perfect if value is not None and perfect > 0 else None
    value = end(doubt, normalised=measure.normalised)
    if value is not None and not math.isfinite(value):
        raise RankgaugeError("overflow", place=f"query {query!r}", got=max(grades.values(), default=0.0))
    endless = measure.discount is not None and measure.discount.kind == "geometric" and measure.k is None
    if value is not None and endless and measure.residual == "high" and not measure.normalised and measure.discount:
        return value + doubt.top * measure.discount.base**ranking.length
    return value


def doubt_of(grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> residual.Doubt:
    """Return a query as what is known and unknown of it."""
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
    levels = sorted({worth for worth in judged if worth > 0}) or [w for w in [gain_of(1.0, gain)] if w > 0]
    return residual.Doubt(
        gains[:ranks],
        unjudged[:ranks],
        [weight_at(rank, measure) for rank in range(1, weighed_ranks + 1)],
        below=0 if kind == "top" else sum(unjudged[ranks:]),
        ideal=ideal,
        ideal_cut=cut,
        levels=levels,
    )


def random_total(grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> float:
    """Return the sum that is expected of a random order: the mean gain of the ranked items at every rank."""
    gains = gains_by_rank(grades, ranking, replace(measure, k=None), convention.replace(default_cutoff="all"))
    k = min(depth_of(measure, ranking, convention), ranking.length)
    return total([sum_in_order(gains) / len(gains)] * k, measure) if gains else 0.0


def corrected(value: float, expected: float) -> float | None:
    """Return how far a value lies above the expected one, as a share of what is possible; None if nothing is."""
    possible = 1.0 - expected
    return (value - expected) / possible if abs(possible) > sys.float_info.epsilon else None


def seen_of(grades: Mapping[str, float], ranking: Ranked) -> counting.Seen:
    """Return a query as what is counted of it."""
    ranked = [grades.get(item) for item in ranking.items[: ranking.length]]
    ties = [(start, min(end, ranking.length)) for start, end in ranking.ties]
    return counting.Seen(ranked, list(grades.values()), ties)


def gained_of(grades: Mapping[str, float], ranking: Ranked, measure: Graded, convention: Convention) -> grading.Gained:
    """Return a query as its gains; those that share a score are in the order of their ids where ties are averaged."""
    gain = gain_within(measure.gain or convention.gain, grades)
    best = sorted((item_gain(grade, gain, convention) for grade in grades.values()), reverse=True)
    gains = [item_gain(grades.get(item), gain, convention) for item in ranking.items[: ranking.length]]
    return grading.Gained(gains, best)


def letter(grade: float | None, convention: Convention) -> str:
    """Return a grade as one letter, as trec_eval writes it."""
    if grade is None:
        return "-"
    if is_worthless(grade, convention):
        return "."
    return "<" if grade < 0 else ">" if grade > 9 else str(int(grade))


def depth_of(measure: Measure, ranking: Ranked, convention: Convention) -> int:
    """Return the rank down to which items are counted: k, or the length of the ranking."""
    k = cutoff(measure, ranking.length, convention)
    return ranking.length if k is None else k


def is_hollow(grades: Mapping[str, float], measure: Gains, convention: Convention) -> bool:
    """Return whether the ideal is of perfect positions although nothing is relevant."""
    perfect = (measure.ideal or convention.ideal).kind == "perfect"
    return perfect and not any(item_gain(grade, measure.gain, convention) > 0 for grade in grades.values())


# The formula


def gain_of(grade: float, gain: Gain) -> float:
    """Return what a grade is worth.

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
    """Return the gain in a query: a share without a highest grade is that of the query's highest."""
    highest = max(grades.values(), default=0.0)
    return replace(gain, top=highest) if gain.kind == "share" and gain.top is None and highest > 0 else gain


def discount_at(rank: int, discount: Discount) -> float:
    """Return what a rank, counted from 1, is worth.

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
    """Return k, or what the convention says when there is none; None cuts nothing."""
    k = measure.k if measure.k is not None else convention.default_cutoff
    if k == "all":
        return None
    return length if k == "list" else int(k)


def ideal_cutoff(measure: Gains, length: int, convention: Convention) -> int | None:
    """Return where the ideal is cut; None cuts nothing."""
    k = cutoff(measure, length, convention)
    kind = (measure.ideal or convention.ideal).kind
    if kind == "uncut":
        return None
    if kind in ("ranked", "top", "list-length"):
        return length if k is None else min(k, length)
    if kind == "perfect" and k is None:
        return length
    return k


def gains_by_rank(grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> list[float]:
    """Return the gain at each rank down to k; where ties are averaged, the mean gain of those that share the score."""
    gain = gain_within(measure.gain or convention.gain, grades)
    gains = [item_gain(grades.get(item), gain, convention) for item in ranking.items]
    if convention.ties == "average":
        for start, end in ranking.ties:
            group = gains[start:end]
            if min(group) != max(group):  # the mean of equal numbers may differ from them in the last digit
                gains[start:end] = [sum_in_order(group) / len(group)] * len(group)
    return gains[: ranking.length][: cutoff(measure, ranking.length, convention)]


def ideal_gains(grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention) -> list[float]:
    """Return the gains of the ideal ranking, best first, down to where it is cut."""
    ideal = measure.ideal or convention.ideal
    k = ideal_cutoff(measure, ranking.length, convention)
    if ideal.kind == "perfect":
        return [ideal.top] * (k or 0)
    gain = gain_within(measure.gain or convention.gain, grades)
    items = ideal_candidates(grades, ranking, measure, convention)
    return sorted((item_gain(grades.get(item), gain, convention) for item in items), reverse=True)[:k]


def ideal_candidates(
    grades: Mapping[str, float], ranking: Ranked, measure: Gains, convention: Convention
) -> Sequence[str]:
    """Return the items from which the ideal ranking is made, in no particular order."""
    kind = (measure.ideal or convention.ideal).kind
    if kind == "top":
        return ranking.items[: ideal_cutoff(measure, ranking.length, convention)]
    return ranking.items if kind == "ranked" else list(grades)


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


def sum_in_order(numbers: Iterable[float]) -> float:
    """Add from the first to the last, as every engine does; `sum` differs between versions of Python."""
    result = 0.0
    for number in numbers:
        result += number
    return result


# What the data looked like


def facts_of(
    grades: Mapping[str, float], ranking: Ranked, measures: Sequence[Measure], convention: Convention
) -> Facts:
    """Return whether anything is relevant, whether ties touch the ranks that count, and what is unjudged.

    The measures are those under the convention.
    """
    tops = {at: ranking.items[: ranking.length][:k] for at, k in cutoff_names(measures)}
    deepest = max(depth_of(measure, ranking, convention) for measure in measures)
    return Facts(
        empty=is_empty(grades, ranking, measures, convention),
        tied=any(start < min(deepest, ranking.length) for start, _ in ranking.ties),
        dropped=ranking.dropped,
        unjudged={at: sum(item not in grades for item in top) for at, top in tops.items()},
        positions={at: len(top) for at, top in tops.items()},
    )


def is_empty(grades: Mapping[str, float], ranking: Ranked, measures: Sequence[Measure], convention: Convention) -> bool:
    """Return whether something has nothing to divide by; if nothing is divided, whether nothing is worth anything."""
    lacking = [lacks_divisor(grades, ranking, measure, convention) for measure in measures]
    if any(lacks is not None for lacks in lacking):
        return any(lacking)
    return lacks_relevant(grades, measures[0], convention)


def lacks_divisor(
    grades: Mapping[str, float], ranking: Ranked, measure: Measure, convention: Convention
) -> bool | None:
    """Return whether what a measure is divided by is 0; None if it is not divided."""
    if isinstance(measure, Gains):
        if not measure.normalised:
            return None
        ideal = total(ideal_gains(grades, ranking, measure, convention), measure)
        return is_hollow(grades, measure, convention) or not ideal > 0
    divided = measure.self_normalised if isinstance(measure, Logged) else getattr(measure, "of_relevant", False)
    return lacks_relevant(grades, measure, convention) if divided else None


def lacks_relevant(grades: Mapping[str, float], measure: Measure, convention: Convention) -> bool:
    """Return whether no judged item is relevant, or worth anything, to a measure."""
    if isinstance(measure, AtLevel):
        return not any(grade > 0 and grade >= (measure.rel or 0.0) for grade in grades.values())
    if isinstance(measure, Gains | Graded):
        return not any(item_gain(grade, measure.gain, convention) > 0 for grade in grades.values())
    return not any(grade > 0 for grade in grades.values())


def _count(
    judged: Mapping[str, Rows],
    ranked: Mapping[str, Rows],
    queries: Sequence[str],
    measures: Sequence[Measure],
    seen: Sequence[Facts],
) -> Counts:
    names = [at for at, _ in cutoff_names(measures)]
    return Counts(
        judged=len(judged),
        ranked=len(ranked),
        evaluated=len(queries),
        missing=sum(query not in ranked for query in judged),
        ignored=sum(query not in judged for query in ranked),
        empty=sum(facts.empty for facts in seen),
        tied=sum(facts.tied for facts in seen),
        dropped=sum(facts.dropped for facts in seen),
        unjudged={at: sum(facts.unjudged[at] for facts in seen) for at in names},
        positions={at: sum(facts.positions[at] for facts in seen) for at in names},
    )
