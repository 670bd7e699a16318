"""Scales, ticks, and labels that are pushed apart."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.presentation.charts.svg.scales import Scale, date_ticks, inner_axis, nice_axis, pushed_apart

NUMBERS = st.floats(-1e9, 1e9, allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_axis_holds_both_ends_with_few_ticks(low: float, high: float) -> None:
    low, high = sorted((low, high))
    if 0 < high - low < 1e-6 * max(abs(low), abs(high), 1e-3):
        high = low  # digits that a chart does not show
    axis = nice_axis(low, high)
    slack = 1e-8 * (axis.high - axis.low)
    assert axis.low <= low + slack
    assert axis.high >= high - slack
    assert 2 <= len(axis.ticks) <= 9
    assert list(axis.ticks) == sorted(set(axis.ticks))


def test_inner_axis_has_ticks_between_its_ends() -> None:
    assert inner_axis(0.0, 1.0).ticks == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    assert inner_axis(1, 100).ticks == (20.0, 40.0, 60.0, 80.0, 100.0)


def test_scale_without_a_span_is_in_the_middle() -> None:
    assert Scale(2.0, 2.0, 0.0, 10.0)(2.0) == 5.0


@pytest.mark.parametrize(
    ("first", "last", "texts"),
    [
        (date(2024, 1, 15), date(2024, 4, 20), ["2024-02", "2024-03", "2024-04"]),
        (date(2024, 1, 3), date(2024, 1, 9), ["2024-01-03", "2024-01-09"]),
        (date(1990, 1, 1), date(2024, 1, 1), ["1990", "2000", "2010", "2020"]),
    ],
)
def test_ticks_of_dates_are_months_or_years(first: date, last: date, texts: list[str]) -> None:
    assert [text for _, text in date_ticks(first.toordinal(), last.toordinal())] == texts


@given(st.lists(st.floats(-50, 300), min_size=1, max_size=15))
def test_labels_are_apart_within_the_plot_and_keep_their_order(places: list[float]) -> None:
    actual = pushed_apart(places, 15.0, 0.0, 230.0)
    in_order = sorted(actual)
    assert all(upper - lower >= 15.0 - 1e-6 for lower, upper in pairwise(in_order))
    assert -1e-6 <= in_order[0] <= in_order[-1] <= 230.0 + 1e-6
    assert [place for _, place in sorted(zip(places, actual, strict=True))] == pytest.approx(in_order)
