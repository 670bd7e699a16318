from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stocks.market import framed, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.stocks.buckets import bucket_numbers, buckets_of
from rankgauge.stocks.study import study

PRICES = wandering(days=80)
STUDY = study(PRICES, noise(PRICES), k=4)


def test_buckets_of_equal_scores_are_one() -> None:
    assert bucket_numbers(np.array([1.0, 1.0, 2.0, 3.0]), 2).tolist() == [0, 0, 1, 1]
    assert set(bucket_numbers(np.ones(7), 5).tolist()) == {2}


def test_buckets_of_seven_stocks_differ_by_one_at_most() -> None:
    assert sorted(np.bincount(bucket_numbers(np.arange(7.0), 5)).tolist()) == [1, 1, 1, 2, 2]


def test_by_bucket_has_a_row_per_part_with_its_error() -> None:
    table, buckets = STUDY.by_bucket(3), buckets_of(STUDY, 3)
    assert [row[0] for row in table.rows] == [1, 2, 3]
    for bucket, row in enumerate(table.rows):
        expected = mean_over_dates(buckets.excess[:, bucket].tolist(), 5)
        assert row[1] == 4.0
        assert row[3] == pytest.approx(buckets.earned[:, bucket].mean())
        assert row[4:] == pytest.approx([expected.mean, expected.low, expected.high, expected.t])
    assert sum(float(row[4] or 0.0) for row in table.rows) == pytest.approx(0.0, abs=1e-12)


def test_by_bucket_has_as_many_parts_as_grades() -> None:
    scores = noise(PRICES)
    assert len(study(PRICES, scores, k=4, levels=3).by_bucket().rows) == 3
    assert len(study(PRICES, scores, k=4, levels="rank").by_bucket().rows) == 5
    assert len(study(PRICES, scores, k=4, thresholds=[0.0]).by_bucket().rows) == 5


@pytest.mark.parametrize("count", [0, 1, -1, "five", 2.5])
def test_by_bucket_of_an_impossible_number_raises(count: Any) -> None:
    with pytest.raises(RankgaugeError, match="count"):
        STUDY.by_bucket(count)


def test_by_bucket_of_a_perfect_model_has_the_grades() -> None:
    prices = framed([[100.0 + day * (1 + stock) for stock in range(10)] for day in range(30)])
    scores = pd.DataFrame([range(10)] * 30, index=prices.index, columns=prices.columns)
    assert [row[2] for row in study(prices, scores, k=2, horizon=1).by_bucket().rows] == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_buckets_without_stocks_are_left_out_of_means() -> None:
    scores = noise(PRICES)
    scores.iloc[0] = 1.0  # all in the middle
    actual = buckets_of(study(PRICES, scores, k=4))
    assert math.isnan(actual.earned[0, 0])
    assert actual.means("earned")[0] == pytest.approx(np.nanmean(actual.earned[:, 0]))
