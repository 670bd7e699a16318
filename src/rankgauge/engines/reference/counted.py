"""The measures that count relevant items, as their formulas read: part of the reference engine.

>>> from rankgauge.measures import MAP, PRECISION
>>> seen = Seen([1, 0, None, 2], [1, 0, 2, 1])
>>> value(seen, PRECISION, 3), value(seen, MAP, 4)
(0.3333333333333333, 0.5)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rankgauge.engines.reference.long_sum import LongSum, sum_in_order
from rankgauge.measures import Counted


@dataclass(frozen=True, slots=True)
class Seen:
    """One query: the grades by rank, None for what is unjudged, and the grades of all judged items.

    `ties` are the runs of ranks (from, to), counted from 0, whose scores are equal. `by_grade` are the ranks, counted
    from 0, in the order of the grades, and of the rows as they came where grades are equal.
    """

    ranked: Sequence[float | None]
    judged: Sequence[float]
    ties: Sequence[tuple[int, int]] = ()
    by_grade: Sequence[int] = ()


def value(seen: Seen, measure: Counted, k: int) -> float | None:
    """Return the value down to rank k, or None where it is divided by the number of relevant items, which is 0."""
    if measure.of_relevant and relevant_items(seen, measure) == 0:
        return None
    return FORMULAS[measure.counts](seen, measure, k)


def is_relevant(grade: float | None, measure: Counted) -> bool:
    """Return whether a grade is positive and reaches the level of the measure."""
    return grade is not None and grade > 0 and grade >= (measure.rel or 0.0)


def is_irrelevant(grade: float | None, measure: Counted) -> bool:
    """Return whether an item is judged, and not as relevant; a negative grade is no judgment."""
    return grade is not None and grade >= 0 and not is_relevant(grade, measure)


def relevant_items(seen: Seen, measure: Counted) -> int:
    """Return R, the number of relevant items: of all that are judged, or of those in the ranking."""
    return sum(is_relevant(grade, measure) for grade in (seen.ranked if measure.of_ranked else seen.judged))


def irrelevant_items(seen: Seen, measure: Counted) -> int:
    """Return N, the number of items that are judged as irrelevant."""
    return sum(is_irrelevant(grade, measure) for grade in (seen.ranked if measure.of_ranked else seen.judged))


def hits(seen: Seen, measure: Counted, k: int) -> int:
    """Return the relevant items in the first k ranks."""
    return sum(is_relevant(grade, measure) for grade in seen.ranked[:k])


def relevant_ranks(seen: Seen, measure: Counted, k: int) -> list[int]:
    """Return the ranks down to k of relevant items."""
    return [rank for rank, grade in enumerate(seen.ranked[:k], start=1) if is_relevant(grade, measure)]


# The ranking as a set


def num_q(_: Seen, __: Counted, ___: int) -> float:
    """1, whose sum is the number of queries."""
    return 1.0


def num_ret(seen: Seen, _: Counted, __: int) -> float:
    """Ranked items."""
    return float(len(seen.ranked))


def num_rel(seen: Seen, measure: Counted, _: int) -> float:
    """R."""
    return float(relevant_items(seen, measure))


def num_rel_ret(seen: Seen, measure: Counted, _: int) -> float:
    """Relevant items that are ranked."""
    return float(hits(seen, measure, len(seen.ranked)))


def num_nonrel_judged_ret(seen: Seen, measure: Counted, _: int) -> float:
    """Irrelevant judged items that are ranked."""
    return float(sum(is_irrelevant(grade, measure) for grade in seen.ranked))


def utility(seen: Seen, measure: Counted, _: int) -> float:
    """The worth of each of the four kinds of item times how many there are."""
    retrieved, ranked = hits(seen, measure, len(seen.ranked)), len(seen.ranked)
    missed = relevant_items(seen, measure) - retrieved
    rest = measure.number("documents") - ranked - missed
    worth = [measure.number(kind) for kind in ("hit", "noise", "miss", "rest")]
    return float(worth[0] * retrieved + worth[1] * (ranked - retrieved) + worth[2] * missed + worth[3] * rest)


def precision(seen: Seen, measure: Counted, k: int) -> float:
    """P@k = relevant items in the first k ranks / k."""
    return hits(seen, measure, k) / k if k else 0.0


def recall(seen: Seen, measure: Counted, k: int) -> float:
    """R@k = relevant items in the first k ranks / R."""
    return hits(seen, measure, k) / relevant_items(seen, measure)


def relative_precision(seen: Seen, measure: Counted, k: int) -> float:
    """P@k / the best possible = relevant items in the first k ranks / min(k, R)."""
    return hits(seen, measure, k) / min(k, relevant_items(seen, measure)) if k else 0.0


def set_map(seen: Seen, measure: Counted, k: int) -> float:
    """P@k · R@k, by one division, as trec_eval has it."""
    retrieved, whole = hits(seen, measure, k), k * relevant_items(seen, measure)
    return retrieved * retrieved / whole if whole else 0.0


def f_measure(seen: Seen, measure: Counted, k: int) -> float:
    """F@k = (1 + β²) P R / (β² P + R)."""
    p, r = precision(seen, measure, k), recall(seen, measure, k)
    weight = measure.number("beta") * measure.number("beta")
    return (1.0 + weight) * p * r / (weight * p + r) if p and r else 0.0


def hits_at(seen: Seen, measure: Counted, k: int) -> float:
    """Relevant items in the first k ranks."""
    return float(hits(seen, measure, k))


def success(seen: Seen, measure: Counted, k: int) -> float:
    """Success@k = 1 if a relevant item stands in the first k ranks."""
    return float(hits(seen, measure, k) > 0)


def fallout(seen: Seen, measure: Counted, k: int) -> float:
    """fallout@k = irrelevant items in the first k ranks / irrelevant items, of those ranked or judged."""
    known = len(seen.ranked) + len(seen.judged) - sum(grade is not None for grade in seen.ranked)
    irrelevant = (measure.number("documents") or known) - relevant_items(seen, measure)
    shown = len(seen.ranked[:k]) - hits(seen, measure, k)
    return shown / irrelevant if irrelevant > 0 else 0.0


def judged(seen: Seen, _: Counted, k: int) -> float:
    """Judged@k = judged items in the first k ranks / ranks that hold an item."""
    top = seen.ranked[:k]
    return sum(grade is not None for grade in top) / len(top) if top else 0.0


def unjudged(seen: Seen, _: Counted, k: int) -> float:
    """unj@k = unjudged items in the first k ranks / k."""
    return sum(grade is None or grade < 0 for grade in seen.ranked[:k]) / k if k else 0.0


# Each relevant item and its rank


def reciprocal_rank(seen: Seen, measure: Counted, k: int) -> float:
    """RR@k = 1 / rank of the first relevant item."""
    ranks = relevant_ranks(seen, measure, k)
    return 1.0 / ranks[0] if ranks else 0.0


def sum_of_precisions(seen: Seen, measure: Counted, k: int) -> float:
    """Σ P@i over the ranks i ≤ k of relevant items."""
    return sum_in_order(hits(seen, measure, rank) / rank for rank in relevant_ranks(seen, measure, k))


def average_precision(seen: Seen, measure: Counted, k: int) -> float:
    """AP@k = Σ P@i over the ranks i ≤ k of relevant items / R."""
    return sum_of_precisions(seen, measure, k) / relevant_items(seen, measure)


def capped_average_precision(seen: Seen, measure: Counted, k: int) -> float:
    """AP@k = Σ P@i over the ranks i ≤ k of relevant items / min(R, k)."""
    return sum_of_precisions(seen, measure, k) / min(relevant_items(seen, measure), k) if k else 0.0


def yaap(seen: Seen, measure: Counted, _: int) -> float:
    """ln((1 + Σ P@i) / (1 + R − Σ P@i))."""
    total = sum_of_precisions(seen, measure, len(seen.ranked))
    return math.log((1.0 + total) / (1.0 + relevant_items(seen, measure) - total))


def r_precision(seen: Seen, measure: Counted, _: int) -> float:
    """Rprec = relevant items in the first R ranks / R; or in a multiple of R, rounded."""
    rank = math.floor(measure.number("times") * relevant_items(seen, measure) + measure.number("rounding"))
    return hits(seen, measure, rank) / rank if rank else 0.0


def interpolated_precision(seen: Seen, measure: Counted, _: int) -> float:
    """Max P@i over the ranks i that have the recall."""
    return interpolated_at(seen, measure, measure.number("recall"))


def mean_interpolated_precision(seen: Seen, measure: Counted, _: int) -> float:
    """The mean of iprec over levels of recall."""
    points = measure.number("points")
    return sum_in_order(interpolated_at(seen, measure, point) for point in points) / len(points)


def interpolated_at(seen: Seen, measure: Counted, recall: float) -> float:
    """Max P@i over the ranks i at which so many relevant items are found."""
    needed = math.floor(recall * relevant_items(seen, measure) + measure.number("rounding"))
    ranks = relevant_ranks(seen, measure, len(seen.ranked))
    reached = [count / rank for count, rank in enumerate(ranks, start=1) if count >= needed]
    return max(reached, default=0.0)


def bpref(seen: Seen, measure: Counted, _: int) -> float:
    """Bpref = 1/R Σ over relevant items (1 − min(irrelevant judged items before it, R) / min(R, N))."""
    relevant, irrelevant = relevant_items(seen, measure), irrelevant_items(seen, measure)
    before, total = 0, LongSum()
    for grade in seen.ranked:
        if is_relevant(grade, measure):
            total.add(1.0 - min(before, relevant) / min(relevant, irrelevant) if before else 1.0)
        before += is_irrelevant(grade, measure)
    return total.value / relevant


def inferred_average_precision(seen: Seen, measure: Counted, _: int) -> float:
    """infAP: the expected precision at each relevant item, of a pool of which only a part is judged."""
    epsilon = 0.00001
    relevant = irrelevant = unknown = 0
    total = LongSum()
    for before, grade in enumerate(seen.ranked):
        if is_relevant(grade, measure):
            pooled = relevant + irrelevant + unknown
            share = (relevant + epsilon) / (relevant + irrelevant + 2 * epsilon)
            total.add(1.0 / (before + 1) + (before / (before + 1) * pooled / before * share if before else 0.0))
            relevant += 1
        irrelevant += is_irrelevant(grade, measure)
        unknown += grade is not None and grade < 0
    return total.value / relevant_items(seen, measure)


def binary_g(seen: Seen, measure: Counted, _: int) -> float:
    """BinG = 1/R Σ over relevant items 1 / log2(2 + irrelevant items before it)."""
    ranks = enumerate(relevant_ranks(seen, measure, len(seen.ranked)), start=1)
    return sum_in_order(1.0 / math.log2(2 + rank - count) for count, rank in ranks) / relevant_items(seen, measure)


def auc(seen: Seen, measure: Counted, _: int) -> float:
    """AUC = pairs in the right order / (relevant, irrelevant) pairs; a tie is half a pair."""
    ranks = relevant_ranks(seen, measure, len(seen.ranked))
    pairs = len(ranks) * (len(seen.ranked) - len(ranks))
    if not pairs:
        return math.nan
    score = scores(seen)
    irrelevant = [index for index, grade in enumerate(seen.ranked) if not is_relevant(grade, measure)]
    return sum(won(score[rank - 1], score[index]) for rank in ranks for index in irrelevant) / pairs


def concordance(seen: Seen, _: Counted, __: int) -> float:
    """Pairs of items in the order of their grades / all pairs; a tie is half a pair, and two items are too few."""
    if len(seen.ranked) < 3:
        return math.nan
    score = scores(seen)
    pairs = list(itertools.combinations(seen.by_grade, 2))
    return sum(won(score[first], score[second]) for first, second in pairs) / len(pairs)


def scores(seen: Seen) -> list[int]:
    """Return a number for each rank that is higher for a higher score, and equal for equal ones."""
    run = {index: start for start, end in seen.ties for index in range(start, end)}
    return [-run.get(index, index) for index in range(len(seen.ranked))]


def won(mine: int, other: int) -> float:
    """Return which part of a pair is in the right order."""
    return 1.0 if mine > other else 0.5 if mine == other else 0.0


def rank_biased_residual(seen: Seen, measure: Counted, _: int) -> float:
    """p^n + (1 − p) Σ p^(i−1) over the ranks i of unjudged items; 0 if there are none."""
    p, weight, total, has_unjudged = measure.number("p"), 1.0, 0.0, False
    for grade in seen.ranked:
        if grade is None or grade < 0:
            total, has_unjudged = total + weight, True
        weight *= p
    return weight + (1.0 - p) * total if has_unjudged else 0.0


FORMULAS: Final[Mapping[str, Callable[[Seen, Counted, int], float]]] = {
    "num-q": num_q,
    "num-ret": num_ret,
    "num-rel": num_rel,
    "num-rel-ret": num_rel_ret,
    "num-nonrel-judged-ret": num_nonrel_judged_ret,
    "utility": utility,
    "precision": precision,
    "recall": recall,
    "relative-precision": relative_precision,
    "set-map": set_map,
    "f": f_measure,
    "hits": hits_at,
    "success": success,
    "fallout": fallout,
    "judged": judged,
    "unjudged": unjudged,
    "reciprocal-rank": reciprocal_rank,
    "average-precision": average_precision,
    "capped-average-precision": capped_average_precision,
    "yaap": yaap,
    "r-precision": r_precision,
    "interpolated-precision": interpolated_precision,
    "mean-interpolated-precision": mean_interpolated_precision,
    "bpref": bpref,
    "inferred-average-precision": inferred_average_precision,
    "binary-g": binary_g,
    "auc": auc,
    "concordance": concordance,
    "rank-biased-residual": rank_biased_residual,
}
