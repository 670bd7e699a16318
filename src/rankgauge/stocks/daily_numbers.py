"""The numbers of each date: correlations, returns of the best k, spread, hit rate and turnover."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rankgauge.stocks.ranked_stocks import RankedStocks
from rankgauge.stocks.returns_and_scores import Codes, GradedReturns, Numbers, Scores


class Day(NamedTuple):
    """The numbers of one date; NaN where they are not defined."""

    day: int
    # The number of stocks with a score and a return.
    n: int
    rank_ic: float
    ic: float
    top_return: float
    universe_return: float
    spread: float
    hit_rate: float
    # The share of all stocks that beat the mean of all: the hit rate of a random choice.
    hit_chance: float
    turnover: float
    # The mean return of all stocks as traded, not in excess.
    market: float


class Weights(NamedTuple):
    """The portfolios whose returns are measured, above chance: weights of the ranked stocks, which add up to 0."""

    # The best k, less all stocks.
    top: Numbers
    # The best k, less the worst k.
    spread: Numbers


def daily_numbers(stocks: RankedStocks, k: int) -> tuple[list[Day], Weights]:
    """Return the numbers of each date that has ranked stocks, in order, and the weights of its portfolios.

    Equal scores share the places that they have together, so that neither the names of stocks nor the order of rows
    matter.
    """
    days: list[Day] = []
    weights = Weights(np.zeros(len(stocks.day)), np.zeros(len(stocks.day)))
    previous: tuple[Codes, Numbers] | None = None
    for rows in stocks.slices():
        date = stocks.rows(rows)
        held, half = places_held(date.score, k), min(k, len(date.value) // 2)  # no stock is on both sides of the spread
        best, worst = places_held(date.score, half), places_held(-date.score, half)
        turnover = math.nan if previous is None else share_replaced(date.stock, held, *previous)
        days.append(_measured(date, held, (best, worst) if half else None, turnover))
        weights.top[rows] = held / held.sum() - 1.0 / len(held)
        weights.spread[rows] = (best - worst) / half if half else 0.0
        previous = date.stock, held
    return days, weights


def places_held(scores: Numbers, count: int) -> Numbers:
    """Return how much of the first `count` places each stock holds: equal scores share those that are left to them.

    >>> places_held(np.array([3.0, 1.0, 2.0, 2.0]), 2).tolist()
    [1.0, 0.0, 0.5, 0.5]
    """
    _, index, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    before = np.cumsum(sizes) - sizes
    return np.asarray((np.clip(count - before, 0, sizes) / sizes)[index.reshape(-1)], dtype=np.float64)


def share_replaced(stocks: Codes, held: Numbers, stocks_before: Codes, held_before: Numbers) -> float:
    """Return the share of the places that goes to stocks which did not hold it before."""
    _, now, before = np.intersect1d(stocks, stocks_before, assume_unique=True, return_indices=True)
    kept = math.fsum(np.minimum(held[now], held_before[before]).tolist())
    return 1.0 - kept / math.fsum(held.tolist())


def universe_of_dates(returns: GradedReturns) -> dict[str, tuple[int, float]]:
    """Return, for each date, how many stocks have a graded return, and the exact sum of their returns as traded."""
    order = np.argsort(returns.day, kind="stable")
    edges = [0, *(np.flatnonzero(np.diff(returns.day[order])) + 1).tolist(), len(order)]
    return {
        returns.dates[int(returns.day[order[start]])]: (end - start, math.fsum(returns.raw[order[start:end]].tolist()))
        for start, end in pairwise(edges)
        if end > start
    }


class Stock(NamedTuple):
    """A stock of one date: its rank, None without a score, its return and its grade."""

    rank: int | None
    ticker: str
    value: float
    grade: int


def stocks_by_rank(returns: GradedReturns, scores: Scores, ranked: Codes, day: int) -> list[Stock]:
    """Return the stocks of the only ranked date: those with a score in rank order, then the others by ticker."""
    of_day = returns.day == day
    columns = (returns.stock, returns.value, returns.grade)
    stocks, values, grades = (column[of_day].tolist() for column in columns)
    graded = dict(zip(stocks, zip(values, grades, strict=True), strict=True))
    in_order = scores.stock[ranked].tolist()
    unranked = sorted(graded.keys() - set(in_order))
    values_in_order = scores.value[ranked].tolist()
    ranks = [1 + sum(other > value for other in values_in_order) for value in values_in_order]
    return [
        Stock(rank, returns.tickers[stock], graded[stock][0], int(graded[stock][1]))
        for rank, stock in zip([*ranks, *[None] * len(unranked)], in_order + unranked, strict=True)
    ]


def _measured(date: RankedStocks, held: Numbers, sides: tuple[Numbers, Numbers] | None, turnover: float) -> Day:
    universe = _mean(date.value)
    above = (date.value > universe).astype(np.float64)
    return Day(
        day=int(date.day[0]),
        n=len(date.value),
        rank_ic=rank_correlation(date.score, date.value),
        ic=correlation(date.score, date.value),
        top_return=_mean(date.value, held),
        universe_return=universe,
        spread=_mean(date.value, sides[0]) - _mean(date.value, sides[1]) if sides else math.nan,
        hit_rate=_mean(above, held),
        hit_chance=_mean(above),
        turnover=turnover,
        market=_mean(date.raw),
    )


def _mean(values: Numbers, weights: Numbers | None = None) -> float:
    """Exact sum: the means of the top k and of all stocks are equal bit for bit where k covers every stock."""
    if weights is None:
        return math.fsum(values.tolist()) / len(values)
    return math.fsum((values * weights).tolist()) / math.fsum(weights.tolist())


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
    """Deviations from the mean, scaled so that squares neither overflow nor underflow."""
    scaled = values / np.abs(values).max()
    deviations = scaled - scaled.mean()
    return np.asarray(deviations / np.abs(deviations).max())


def rank_correlation(left: Numbers, right: Numbers) -> float:
    """Return Spearman's correlation; NaN if either does not vary.

    2 rank − (n + 1) is a whole number, so the sums are exact and 0 is 0 on every machine.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 4.0, 1.0, 3.0]))
    0.0
    """
    x, y = (2 * average_ranks(values) - (len(values) + 1) for values in (left, right))
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0 else math.nan


def average_ranks(values: Numbers) -> Numbers:
    """Return ranks from 1; equal values share the average of their ranks.

    >>> average_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    shared = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(shared[index.reshape(-1)], dtype=np.float64)
