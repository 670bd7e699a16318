"""Days of a stock study without skill: what scores are worth that know nothing of the returns to come."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = npt.NDArray[np.float64]
Scores: TypeAlias = Literal["fresh", "slow", "static", "slow, fat tails"]

STOCKS: Final = 40
PERSISTENCE: Final = 0.97
K: Final = 10


class Cell(NamedTuple):
    """So many days, returns over so many of them, and how the scores change from day to day."""

    days: int
    horizon: int
    scores: Scores


CELLS: Final = [
    Cell(days, horizon, scores)
    for days, horizon in [(60, 1), (60, 5), (120, 5), (250, 1), (250, 5), (250, 20), (1000, 5), (1000, 20)]
    for scores in ("fresh", "slow", "static", "slow, fat tails")
]


def rank_ic(source: np.random.Generator, cell: Cell) -> Values:
    """The rank correlation of scores and forward returns on each day; its mean is 0."""
    scores, returns = _scores(source, cell), _forward_returns(source, cell)
    ranks, grades = _centred_ranks(scores), _centred_ranks(returns)
    return np.asarray((ranks * grades).sum(axis=1) / (ranks * ranks).sum(axis=1))


def rank_ics(source: np.random.Generator, cell: Cell, models: int) -> list[Values]:
    """The rank correlations of several models with the same returns."""
    grades = _centred_ranks(_forward_returns(source, cell))
    ranks = (_centred_ranks(_scores(source, cell)) for _ in range(models))
    return [np.asarray((each * grades).sum(axis=1) / (grades * grades).sum(axis=1)) for each in ranks]


def ndcg_above_chance(source: np.random.Generator, cell: Cell) -> Values:
    """NDCG@10 of quintile grades less its expected value for a random order, which is the same every day."""
    scores, returns = _scores(source, cell), _forward_returns(source, cell)
    grades = np.argsort(np.argsort(returns, axis=1), axis=1) // (STOCKS // 5)
    order = np.argsort(-scores, axis=1)[:, :K]
    discounts = 1.0 / np.log2(np.arange(2, K + 2))
    gained = np.take_along_axis(grades, order, axis=1) @ discounts
    ideal = 4.0 * discounts[:8].sum() + 3.0 * discounts[8:].sum()
    return np.asarray(gained / ideal - 2.0 * discounts.sum() / ideal)


class Portfolios(NamedTuple):
    """What portfolios earned over their horizons, and, all together, on each calendar day."""

    returns: Values
    profits: Values
    held: Values


def top(source: np.random.Generator, cell: Cell) -> Portfolios:
    """The best 10 of each day, less all stocks."""
    return _portfolios(source, cell, lambda ranks: (ranks >= STOCKS - K) / K - 1.0 / STOCKS)


def spread(source: np.random.Generator, cell: Cell) -> Portfolios:
    """The best 10 of each day, less the worst 10."""
    return _portfolios(source, cell, lambda ranks: ((ranks >= STOCKS - K) * 1.0 - (ranks < K)) / K)


def _portfolios(source: np.random.Generator, cell: Cell, weights_of: Callable[[Values], Values]) -> Portfolios:
    weights = weights_of(np.argsort(np.argsort(_scores(source, cell), axis=1), axis=1).astype(np.float64))
    daily = _daily_returns(source, cell)
    days = cell.days + cell.horizon - 1
    returns, profits, held = np.zeros(cell.days), np.zeros(days), np.zeros(days)
    for step in range(cell.horizon):
        earned = (weights * daily[step : step + cell.days]).sum(axis=1)
        returns += earned
        profits[step : step + cell.days] += earned
        held[step : step + cell.days] += 1.0 / cell.horizon
    return Portfolios(returns, profits, held)


def _forward_returns(source: np.random.Generator, cell: Cell) -> Values:
    daily = _daily_returns(source, cell)
    prices = np.cumsum(np.vstack([np.zeros(STOCKS), daily]), axis=0)
    return np.asarray((prices[cell.horizon :] - prices[: -cell.horizon])[: cell.days])


def _daily_returns(source: np.random.Generator, cell: Cell) -> Values:
    size = (cell.days + cell.horizon, STOCKS)
    return source.standard_t(4, size) if cell.scores == "slow, fat tails" else source.normal(size=size)


def _scores(source: np.random.Generator, cell: Cell) -> Values:
    size = (cell.days, STOCKS)
    if cell.scores == "fresh":
        return source.normal(size=size)
    if cell.scores == "static":
        return np.tile(source.normal(size=STOCKS), (cell.days, 1))
    news = source.normal(size=size) * math.sqrt(1.0 - PERSISTENCE**2)
    scores = np.empty(size)
    scores[0] = source.normal(size=STOCKS)
    for day in range(1, cell.days):
        scores[day] = PERSISTENCE * scores[day - 1] + news[day]
    return scores


def _centred_ranks(values: Values) -> Values:
    ranks = np.argsort(np.argsort(values, axis=1), axis=1).astype(np.float64)
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True))
