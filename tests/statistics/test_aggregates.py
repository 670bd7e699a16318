from __future__ import annotations

import math

import pytest

from rankgauge.measures.measure import Aggregate
from rankgauge.statistics.aggregates import aggregate


@pytest.mark.parametrize(("how", "expected"), [("mean", 2.5), ("sum", 10.0), ("union", 10.0), ("geometric", 24**0.25)])
def test_aggregates(how: Aggregate, expected: float) -> None:
    assert aggregate([1.0, 2.0, 3.0, 4.0], how) == pytest.approx(expected)
    assert math.isnan(aggregate([], how))


def test_a_geometric_mean_is_not_decided_by_one_query_of_0() -> None:
    assert aggregate([0.0, 1.0], "geometric") == pytest.approx(math.sqrt(0.00001))


def test_a_weighted_mean() -> None:
    assert aggregate([1.0, 0.0], "weighted", [3.0, 1.0]) == 0.75
    assert math.isnan(aggregate([1.0], "weighted", [0.0]))
