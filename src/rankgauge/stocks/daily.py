"""The numbers of one date, which say whether the order of the scores agrees with the returns."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankgauge.stocks.aligned import Codes, Numbers, Returns, Scores


class Day(NamedTuple):
    """What one date shows of a model; NaN where it shows nothing."""

    day: int
    # The stocks that have both a score and a return.
    n: int
    rank_ic: float
    ic: float
    top_return: float
    universe_return: float
    spread: float
    hit_rate: float
    # The share of all stocks that beat the universe: the hit rate of a random choice.
    hit_chance: float
    turnover: float
    # The return of the universe as it was traded: whether the market rose.
    market: float


def daily(returns: Returns, scores: Scores, k: int) -> list[Day]:
    """Return the numbers of each date that has stocks with a score and a return, in order.

    The best k stocks are those with the highest scores; of equal scores, the last ticker comes first, as in trec_eval.
    """
    days, stocks, value, score, raw = _joined(returns, scores)
    edges = [0, *(np.flatnonzero(np.diff(days)) + 1).tolist(), len(days)]
    found: list[Day] = []
    before: Codes | None = None
    for start, end in pairwise(edges):
        if start == end:
            continue
        cut = slice(start, end)
        order = np.lexsort((-stocks[cut], -score[cut]))
        top = stocks[cut][order[:k]]
        turnover = math.nan if before is None else float(1 - np.isin(top, before).mean())
        found.append(_measured(int(days[start]), score[cut], value[cut], raw[cut], order, k, turnover))
        before = top
    return found


class Stock(NamedTuple):
    """A stock of one date: its place by score, which it lacks without a score, its return and its grade."""

    rank: int | None
    ticker: str
    value: float
    grade: int


def ranked_stocks(returns: Returns, scores: Scores, day: int) -> list[Stock]:
    """Return the stocks of a date that have a return: those with a score in its order, then the others by ticker."""
    on, scored = returns.day == day, scores.day == day
    score_of = dict(zip(scores.stock[scored].tolist(), scores.value[scored].tolist(), strict=True))
    columns = (returns.stock, returns.value, returns.grade)
    found = [*zip(*(column[on].tolist() for column in columns), strict=True)]
    ranked = sorted((row for row in found if row[0] in score_of), key=lambda row: (-score_of[row[0]], -row[0]))
    others = sorted(row for row in found if row[0] not in score_of)
    ranks = [*range(1, len(ranked) + 1), *[None] * len(others)]
    return [
        Stock(rank, returns.tickers[stock], value, int(grade))
        for rank, (stock, value, grade) in zip(ranks, ranked + others, strict=True)
    ]


def _joined(returns: Returns, scores: Scores) -> tuple[Codes, Codes, Numbers, Numbers, Numbers]:
    """The rows that have both, by date."""
    width = len(returns.tickers)
    left, right = returns.day * width + returns.stock, scores.day * width + scores.stock
    cells, at_left, at_right = np.intersect1d(left, right, assume_unique=True, return_indices=True)
    return cells // width, cells % width, returns.value[at_left], scores.value[at_right], returns.raw[at_left]


def _measured(
    day: int, score: Numbers, value: Numbers, raw: Numbers, order: npt.NDArray[np.intp], k: int, turnover: float
) -> Day:
    ranked = value[order]
    universe = _mean(value)
    top, half = ranked[:k], min(k, len(ranked) // 2)  # no stock is on both sides of the spread
    return Day(
        day=day,
        n=len(ranked),
        rank_ic=rank_correlation(score, value),
        ic=correlation(score, value),
        top_return=_mean(top),
        universe_return=universe,
        spread=_mean(ranked[:half]) - _mean(ranked[-half:]) if half else math.nan,
        hit_rate=float((top > universe).mean()),
        hit_chance=float((value > universe).mean()),
        turnover=turnover,
        market=_mean(raw),
    )


def _mean(values: Numbers) -> float:
    """The mean, whatever the order of the values: that of all stocks is no better than that of all stocks."""
    return math.fsum(values.tolist()) / len(values)


def correlation(left: Numbers, right: Numbers) -> float:
    """Return Pearson's correlation; NaN if either does not vary.

    >>> round(correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 7.0])), 4)
    0.9934
    """
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return math.nan
    x, y = _centred(left), _centred(right)
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0 else math.nan


def _centred(values: Numbers) -> Numbers:
    """Deviations from the mean, scaled so that no square is too large or too small for a number."""
    scaled = values / np.abs(values).max()
    apart = scaled - scaled.mean()
    return np.asarray(apart / np.abs(apart).max())


def rank_correlation(left: Numbers, right: Numbers) -> float:
    """Return Spearman's correlation; NaN if either does not vary.

    Twice a rank less n + 1 is a whole number, so the sums are exact, and 0 is 0 on every machine.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 4.0, 1.0, 3.0]))
    0.0
    """
    x, y = (2 * average_ranks(values) - (len(values) + 1) for values in (left, right))
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0 else math.nan


def average_ranks(values: Numbers) -> Numbers:
    """Return ranks from 1 on; equal values share the average of theirs.

    >>> average_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    shared = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(shared[place.reshape(-1)], dtype=np.float64)
