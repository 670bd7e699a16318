"""Models of the same prices, one of which knows what comes, and their studies."""

from __future__ import annotations

from functools import cache
from typing import Any

import polars as pl
from tests.stocks.market import forward, known, noise, wandering

from rankgauge.results.pair import Pair
from rankgauge.stocks.comparison import StudyComparison
from rankgauge.stocks.study import Study, study

PRICES = wandering(days=80)
KNOWING = forward(PRICES, 5).fillna(0.0) + 0.1 * noise(PRICES)
GUESSING = noise(PRICES, seed=3)
TABLE = pl.from_pandas(PRICES.reset_index())
MODELS = {"guess": GUESSING, "knows": KNOWING, "other": noise(PRICES, seed=4)}


def study_of(scores: Any = KNOWING, **options: Any) -> Study:
    return study(TABLE, scores, **{"k": 4, **options})


@cache
def known_study() -> Study:
    return study_of()


@cache
def guessed_study() -> Study:
    return study_of(GUESSING)


def only(comparison: StudyComparison, measure: str) -> Pair:
    (pair,) = (pair for pair in comparison.pairs.rows if pair.measure == measure)
    return pair


def differences(first: Study, second: Study, measure: str) -> list[float]:
    theirs = dict(zip(second.per_date["date"], second.per_date[measure], strict=True))
    pairs = zip(first.per_date["date"], first.per_date[measure], strict=True)
    return known(value - theirs[date] for date, value in pairs if date in theirs)
