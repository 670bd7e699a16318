from __future__ import annotations

import math

import pytest

from rankgauge.measures.measure import Aggregate
from rankgauge.statistics.aggregates import aggregate


@pytest.mark.parametrize(("how", "expected"), [("mean", 2.5), ("sum", 10.0), ("union", 10.0), ("geometric", 24**0.25)])
def test_aggregate_of_each_kind_is_computed_and_nan_of_nothing(how: Aggregate, expected: float) -> None:
    assert aggregate([1.0, 2.0, 3.0, 4.0], how) == pytest.approx(expected)
    assert math.isnan(aggregate([], how))


def test_geometric_mean_with_a_query_of_0_is_not_0() -> None:
    assert aggregate([0.0, 1.0], "geometric") == pytest.approx(math.sqrt(0.00001))


def test_weighted_mean_with_weights_of_0_is_nan() -> None:
    assert aggregate([1.0, 0.0], "weighted", [3.0, 1.0]) == 0.75
    assert math.isnan(aggregate([1.0], "weighted", [0.0]))
