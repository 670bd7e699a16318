"""What every kind of chart has: a description, a table, and numbers written for readers."""

from __future__ import annotations

import math
from datetime import date

import pytest

from rankgauge.presentation.charts import (
    KINDS,
    Bar,
    Bars,
    Chart,
    Curve,
    Curves,
    Distribution,
    Distributions,
    Dot,
    Dots,
    HeatMap,
    IntervalRow,
    Intervals,
    OrderedBars,
    Scatter,
)
from rankgauge.presentation.charts.chart import write_number
from rankgauge.presentation.html import parts_to_html
from rankgauge.presentation.parts import SideBySide, parts_to_text

NAN = math.nan

EMPTY: list[Chart] = [
    Bars(title="t", bars=()),
    Curves(title="t", curves=()),
    Distributions(title="t", distributions=()),
    Dots(title="t", dots=()),
    HeatMap(title="t", rows=(), columns=(), values=()),
    Intervals(title="t", rows=()),
    OrderedBars(title="t", labels=(), values=()),
    Scatter(title="t", labels=(), x=(), y=()),
]
UNKNOWN: list[Chart] = [
    Bars(title="t", bars=(Bar("a", NAN),)),
    Curves(title="t", curves=(Curve("a", (1, 2), (NAN, NAN)),)),
    Distributions(title="t", distributions=(Distribution("a", (NAN,)),)),
    Dots(title="t", dots=(Dot("a", NAN),)),
    HeatMap(title="t", rows=("a",), columns=("b",), values=((None,),)),
    Intervals(title="t", rows=(IntervalRow("a", NAN),)),
    OrderedBars(title="t", labels=("a",), values=(NAN,)),
    Scatter(title="t", labels=("a",), x=(NAN,), y=(1.0,)),
]


def test_chart_kinds_all_have_a_case() -> None:
    assert {type(chart) for chart in EMPTY} == {type(chart) for chart in UNKNOWN} == set(KINDS)


@pytest.mark.parametrize("chart", [*EMPTY, *UNKNOWN], ids=lambda chart: type(chart).__name__)
def test_chart_without_data_has_a_description_and_a_table(chart: Chart) -> None:
    assert chart.description.startswith("t: ")
    assert all(len(row) == len(chart.table().headers) for row in chart.table().rows)


@pytest.mark.parametrize("chart", EMPTY, ids=lambda chart: type(chart).__name__)
def test_formats_that_cannot_draw_say_what_is_shown(chart: Chart) -> None:
    assert parts_to_text([SideBySide((chart,))]) == chart.description
    assert parts_to_html([SideBySide((chart,))]) == f"<p>{chart.description}</p>"


def test_chart_dates_are_positions_in_days() -> None:
    curve = Curve("IC", (date(2024, 1, 1), date(2024, 1, 31)), (0.1, 0.2), (0.0, 0.1), (0.2, 0.3))
    chart = Curves(title="IC", curves=(curve,), reference=0.0, reference_label="chance")
    assert chart.is_dated
    assert chart.x_domain[1] - chart.x_domain[0] == 30
    assert chart.y_domain == (0.0, 0.3)
    assert "0.100 at 2024-01-01" in chart.description
    assert "chance at 0.000" in chart.description
    assert chart.table().rows[1] == ["IC", "2024-01-31", 0.2, 0.1, 0.3]


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [(-0.0004, 3, "0.000"), (-0.0006, 3, "−0.001"), (1234.5, 1, "1,234.5"), (math.inf, 1, "inf"), (0.0, 0, "0")],
)
def test_write_number_with_places_gives_known_text(value: float, places: int, written: str) -> None:
    assert write_number(value, places) == written
