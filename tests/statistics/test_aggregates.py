from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=1, max_size=60))
def test_aggregate_of_packed_numbers_has_the_bits_of_fsum(values: list[float]) -> None:
    try:
        expected = math.fsum(values)
    except OverflowError:
        with pytest.raises(OverflowError):
            aggregate(array("d", values), "sum")
    else:
        assert aggregate(array("d", values), "sum") == expected
