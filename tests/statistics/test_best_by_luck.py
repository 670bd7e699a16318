from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.best_by_luck import luckiest_t


@pytest.mark.parametrize("tried", [5, 20, 100, 1000])
def test_luckiest_t_is_near_the_mean_of_the_largest_of_so_many(tried: int) -> None:
    # E[max] of N normal variables is the integral of x dF(x)^N.
    x = np.linspace(-8.0, 10.0, 20_001)
    largest = scipy.stats.norm.cdf(x) ** tried
    mean = float(np.sum((x[1:] + x[:-1]) / 2 * np.diff(largest)))
    assert luckiest_t(tried, 1e7) == pytest.approx(mean, rel=0.03)


def test_luckiest_t_of_few_degrees_is_larger() -> None:
    assert luckiest_t(20, 10.0) > luckiest_t(20, 1000.0)
    assert math.isnan(luckiest_t(20, math.nan))
    assert luckiest_t(1, math.nan) == 0.0


@pytest.mark.parametrize("tried", [0, -1, 1.5, "many", 10**10])
def test_luckiest_t_of_an_impossible_number_raises(tried: object) -> None:
    with pytest.raises(RankgaugeError, match="tried"):
        luckiest_t(tried, 10.0)  # type: ignore[arg-type]
