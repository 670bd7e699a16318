"""Power of the paired t test against statsmodels."""

from __future__ import annotations

import math

import pytest
from statsmodels.stats.power import TTestPower

from rankgauge.statistics.power import detectable_effect, power_of, queries_needed


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("queries", [5, 20, 100, 1000])
def test_power_is_that_of_statsmodels(effect: float, queries: int) -> None:
    assert power_of(effect, queries) == pytest.approx(TTestPower().power(effect, queries, 0.05), abs=1e-6)


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 1.0])
def test_queries_needed_are_those_of_statsmodels(effect: float) -> None:
    expected = TTestPower().solve_power(effect_size=effect, alpha=0.05, power=0.8)
    assert queries_needed(effect) == math.ceil(expected)


@pytest.mark.parametrize("queries", [5, 50, 5000])
def test_detectable_effect_has_the_power_asked_for(queries: int) -> None:
    assert power_of(detectable_effect(queries), queries) == pytest.approx(0.8, abs=1e-9)


def test_queries_needed_for_a_vanishing_effect_are_none() -> None:
    assert queries_needed(1e-12) is None


def test_detectable_effect_of_one_query_is_nan() -> None:
    assert math.isnan(detectable_effect(1))
