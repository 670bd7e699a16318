"""The measures that count relevant items, as their formulas read: part of the reference engine.

>>> from rankgauge.measures import MAP, PRECISION
>>> query = QueryGrades([1, 0, None, 2], [1, 0, 2, 1])
>>> value(query, PRECISION, 3), value(query, MAP, 4)
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
class QueryGrades:
    """One query: the grades by rank, None for what is unjudged, and the grades of all judged items.

    `ties` are the runs of ranks (from, to), counted from 0, whose scores are equal. `by_grade` are the ranks, counted
    from 0, in the order of the grades, and of the rows as they came where grades are equal.
    """

    ranked: Sequence[float | None]
    judged: Sequence[float]
    ties: Sequence[tuple[int, int]] = ()
    by_grade: Sequence[int] = ()


def value(query: QueryGrades, measure: Counted, k: int) -> float | None:
    """Return the value down to rank k, or None where it is divided by the number of relevant items, which is 0."""
    if measure.of_relevant and relevant_items(query, measure) == 0:
        return None
    return FORMULAS[measure.counts](query, measure, k)


def is_relevant(grade: float | None, measure: Counted) -> bool:
    """Return whether a grade is positive and reaches the level of the measure."""
    return grade is not None and grade > 0 and grade >= (measure.rel or 0.0)


def is_irrelevant(grade: float | None, measure: Counted) -> bool:
    """Return whether an item is judged, and not as relevant; a negative grade is no judgment."""
    return grade is not None and grade >= 0 and not is_relevant(grade, measure)


def relevant_items(query: QueryGrades, measure: Counted) -> int:
    """Return R, the number of relevant items: of all that are judged, or of those in the ranking."""
    return sum(is_relevant(grade, measure) for grade in (query.ranked if measure.of_ranked else query.judged))


def irrelevant_items(query: QueryGrades, measure: Counted) -> int:
    """Return N, the number of items that are judged as irrelevant."""
    return sum(is_irrelevant(grade, measure) for grade in (query.ranked if measure.of_ranked else query.judged))


def hits(query: QueryGrades, measure: Counted, k: int) -> int:
    """Return the relevant items in the first k ranks."""
    return sum(is_relevant(grade, measure) for grade in query.ranked[:k])


def relevant_ranks(query: QueryGrades, measure: Counted, k: int) -> list[int]:
    """Return the ranks down to k of relevant items."""
    return [rank for rank, grade in enumerate(query.ranked[:k], start=1) if is_relevant(grade, measure)]


# The ranking as a set


def num_q(_: QueryGrades, __: Counted, ___: int) -> float:
    """1, whose sum is the number of queries."""
    return 1.0


def num_ret(query: QueryGrades, _: Counted, __: int) -> float:
    """Ranked items."""
    return float(len(query.ranked))


def num_rel(query: QueryGrades, measure: Counted, _: int) -> float:
    """R."""
    return float(relevant_items(query, measure))


def num_rel_ret(query: QueryGrades, measure: Counted, _: int) -> float:
    """Relevant items that are ranked."""
    return float(hits(query, measure, len(query.ranked)))


def num_nonrel_judged_ret(query: QueryGrades, measure: Counted, _: int) -> float:
    """Irrelevant judged items that are ranked."""
    return float(sum(is_irrelevant(grade, measure) for grade in query.ranked))


def utility(query: QueryGrades, measure: Counted, _: int) -> float:
    """The worth of each of the four kinds of item times how many there are."""
    retrieved, ranked = hits(query, measure, len(query.ranked)), len(query.ranked)
    missed = relevant_items(query, measure) - retrieved
    rest = measure.number("documents") - ranked - missed
    worth = [measure.number(kind) for kind in ("hit", "noise", "miss", "rest")]
    return float(worth[0] * retrieved + worth[1] * (ranked - retrieved) + worth[2] * missed + worth[3] * rest)


def precision(query: QueryGrades, measure: Counted, k: int) -> float:
    """P@k = relevant items in the first k ranks / k."""
    return hits(query, measure, k) / k if k else 0.0


def recall(query: QueryGrades, measure: Counted, k: int) -> float:
    """R@k = relevant items in the first k ranks / R."""
    return hits(query, measure, k) / relevant_items(query, measure)


def relative_precision(query: QueryGrades, measure: Counted, k: int) -> float:
    """P@k / the best possible = relevant items in the first k ranks / min(k, R)."""
    return hits(query, measure, k) / min(k, relevant_items(query, measure)) if k else 0.0


def set_map(query: QueryGrades, measure: Counted, k: int) -> float:
    """P@k · R@k, by one division, as trec_eval has it."""
    retrieved, whole = hits(query, measure, k), k * relevant_items(query, measure)
    return retrieved * retrieved / whole if whole else 0.0


def f_measure(query: QueryGrades, measure: Counted, k: int) -> float:
    """F@k = (1 + β²) P R / (β² P + R)."""
    p, r = precision(query, measure, k), recall(query, measure, k)
    weight = measure.number("beta") * measure.number("beta")
    return (1.0 + weight) * p * r / (weight * p + r) if p and r else 0.0


def hits_at(query: QueryGrades, measure: Counted, k: int) -> float:
    """Relevant items in the first k ranks."""
    return float(hits(query, measure, k))


def success(query: QueryGrades, measure: Counted, k: int) -> float:
    """Success@k = 1 if a relevant item stands in the first k ranks."""
    return float(hits(query, measure, k) > 0)


def fallout(query: QueryGrades, measure: Counted, k: int) -> float:
    """fallout@k = irrelevant items in the first k ranks / irrelevant items, of those ranked or judged."""
    known = len(query.ranked) + len(query.judged) - sum(grade is not None for grade in query.ranked)
    irrelevant = (measure.number("documents") or known) - relevant_items(query, measure)
    shown = len(query.ranked[:k]) - hits(query, measure, k)
    return shown / irrelevant if irrelevant > 0 else 0.0


def judged(query: QueryGrades, _: Counted, k: int) -> float:
    """Judged@k = judged items in the first k ranks / ranks that hold an item."""
    top = query.ranked[:k]
    return sum(grade is not None for grade in top) / len(top) if top else 0.0


def unjudged(query: QueryGrades, _: Counted, k: int) -> float:
    """unj@k = unjudged items in the first k ranks / k."""
    return sum(grade is None or grade < 0 for grade in query.ranked[:k]) / k if k else 0.0


# Each relevant item and its rank


def reciprocal_rank(query: QueryGrades, measure: Counted, k: int) -> float:
    """RR@k = 1 / rank of the first relevant item."""
    ranks = relevant_ranks(query, measure, k)
    return 1.0 / ranks[0] if ranks else 0.0


def sum_of_precisions(query: QueryGrades, measure: Counted, k: int) -> float:
    """Σ P@i over the ranks i ≤ k of relevant items."""
    return sum_in_order(hits(query, measure, rank) / rank for rank in relevant_ranks(query, measure, k))


def average_precision(query: QueryGrades, measure: Counted, k: int) -> float:
    """AP@k = Σ P@i over the ranks i ≤ k of relevant items / R."""
    return sum_of_precisions(query, measure, k) / relevant_items(query, measure)


def capped_average_precision(query: QueryGrades, measure: Counted, k: int) -> float:
    """AP@k = Σ P@i over the ranks i ≤ k of relevant items / min(R, k)."""
    return sum_of_precisions(query, measure, k) / min(relevant_items(query, measure), k) if k else 0.0


def yaap(query: QueryGrades, measure: Counted, _: int) -> float:
    """ln((1 + Σ P@i) / (1 + R − Σ P@i))."""
    total = sum_of_precisions(query, measure, len(query.ranked))
    return math.log((1.0 + total) / (1.0 + relevant_items(query, measure) - total))


def r_precision(query: QueryGrades, measure: Counted, _: int) -> float:
    """Rprec = relevant items in the first R ranks / R; or in a multiple of R, rounded."""
    rank = math.floor(measure.number("times") * relevant_items(query, measure) + measure.number("rounding"))
    return hits(query, measure, rank) / rank if rank else 0.0


def interpolated_precision(query: QueryGrades, measure: Counted, _: int) -> float:
    """Max P@i over the ranks i that have the recall."""
    return interpolated_at(query, measure, measure.number("recall"))


def mean_interpolated_precision(query: QueryGrades, measure: Counted, _: int) -> float:
    """The mean of iprec over levels of recall."""
    points = measure.number("points")
    return sum_in_order(interpolated_at(query, measure, point) for point in points) / len(points)


def interpolated_at(query: QueryGrades, measure: Counted, recall: float) -> float:
    """Max P@i over the ranks i at which so many relevant items are found."""
    needed = math.floor(recall * relevant_items(query, measure) + measure.number("rounding"))
    ranks = relevant_ranks(query, measure, len(query.ranked))
    reached = [count / rank for count, rank in enumerate(ranks, start=1) if count >= needed]
    return max(reached, default=0.0)


def bpref(query: QueryGrades, measure: Counted, _: int) -> float:
    """Bpref = 1/R Σ over relevant items (1 − min(irrelevant judged items before it, R) / min(R, N))."""
    relevant, irrelevant = relevant_items(query, measure), irrelevant_items(query, measure)
    before, total = 0, LongSum()
    for grade in query.ranked:
        if is_relevant(grade, measure):
            total.add(1.0 - min(before, relevant) / min(relevant, irrelevant) if before else 1.0)
        before += is_irrelevant(grade, measure)
    return total.value / relevant


def inferred_average_precision(query: QueryGrades, measure: Counted, _: int) -> float:
    """infAP: the expected precision at each relevant item, of a pool of which only a part is judged."""
    epsilon = 0.00001
    relevant = irrelevant = unknown = 0
    total = LongSum()
    for before, grade in enumerate(query.ranked):
        if is_relevant(grade, measure):
            pooled = relevant + irrelevant + unknown
            share = (relevant + epsilon) / (relevant + irrelevant + 2 * epsilon)
            total.add(1.0 / (before + 1) + (before / (before + 1) * pooled / before * share if before else 0.0))
            relevant += 1
        irrelevant += is_irrelevant(grade, measure)
        unknown += grade is not None and grade < 0
    return total.value / relevant_items(query, measure)


def binary_g(query: QueryGrades, measure: Counted, _: int) -> float:
    """BinG = 1/R Σ over relevant items 1 / log2(2 + irrelevant items before it)."""
    ranks = enumerate(relevant_ranks(query, measure, len(query.ranked)), start=1)
    return sum_in_order(1.0 / math.log2(2 + rank - count) for count, rank in ranks) / relevant_items(query, measure)


def auc(query: QueryGrades, measure: Counted, _: int) -> float:
    """AUC = pairs in the right order / (relevant, irrelevant) pairs; a tie is half a pair."""
    ranks = relevant_ranks(query, measure, len(query.ranked))
    pairs = len(ranks) * (len(query.ranked) - len(ranks))
    if not pairs:
        return math.nan
    score = scores(query)
    irrelevant = [index for index, grade in enumerate(query.ranked) if not is_relevant(grade, measure)]
    return sum(won(score[rank - 1], score[index]) for rank in ranks for index in irrelevant) / pairs


def concordance(query: QueryGrades, _: Counted, __: int) -> float:
    """Pairs of items in the order of their grades / all pairs; a tie is half a pair, and two items are too few."""
    if len(query.ranked) < 3:
        return math.nan
    score = scores(query)
    pairs = list(itertools.combinations(query.by_grade, 2))
    return sum(won(score[first], score[second]) for first, second in pairs) / len(pairs)


def scores(query: QueryGrades) -> list[int]:
    """Return a number for each rank that is higher for a higher score, and equal for equal ones."""
    run = {index: start for start, end in query.ties for index in range(start, end)}
    return [-run.get(index, index) for index in range(len(query.ranked))]


def won(mine: int, other: int) -> float:
    """Return which part of a pair is in the right order."""
    return 1.0 if mine > other else 0.5 if mine == other else 0.0


def rank_biased_residual(query: QueryGrades, measure: Counted, _: int) -> float:
    """p^n + (1 − p) Σ p^(i−1) over the ranks i of unjudged items; 0 if there are none."""
    p, weight, total, has_unjudged = measure.number("p"), 1.0, 0.0, False
    for grade in query.ranked:
        if grade is None or grade < 0:
            total, has_unjudged = total + weight, True
        weight *= p
    return weight + (1.0 - p) * total if has_unjudged else 0.0


FORMULAS: Final[Mapping[str, Callable[[QueryGrades, Counted, int], float]]] = {
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
