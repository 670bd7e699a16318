"""Student's t distribution against scipy."""

from __future__ import annotations

import math

import pytest
import scipy.stats

from rankgauge.statistics.student import t_quantile, t_tails

DEGREES = [1, 2.5, 9, 120, 10**6]


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("probability", [0.001, 0.3, 0.5, 0.9, 0.975, 0.9999])
def test_t_quantile_is_that_of_scipy(degrees: float, probability: float) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(scipy.stats.t.ppf(probability, degrees), rel=1e-8)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("value", [0.0, 0.3, -1.7, 4.0, 12.0])
def test_t_tails_are_those_of_scipy(degrees: float, value: float) -> None:
    assert t_tails(value, degrees) == pytest.approx(2 * scipy.stats.t.sf(abs(value), degrees), rel=1e-8)


def test_t_tails_of_infinity_are_0() -> None:
    assert t_tails(math.inf, 5) == 0.0
