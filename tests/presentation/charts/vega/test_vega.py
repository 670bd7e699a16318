"""Charts with Altair: every kind is valid Vega-Lite and is drawn, with the data of the chart and our theme."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import pytest
import vl_convert
from tests.presentation.charts.svg.test_svg import DRAWN, HOSTILE
from tests.presentation.charts.test_kinds import EMPTY, UNKNOWN

from rankgauge.presentation.charts import KINDS, Chart, Curve, Curves, IntervalRow, Intervals
from rankgauge.presentation.charts.vega import DRAW, draw
from rankgauge.presentation.charts.vega.theme import BETTER, CONFIG, WORSE


def test_every_kind_is_drawn() -> None:
    assert set(DRAW) == set(KINDS)


@pytest.mark.parametrize("chart", [*DRAWN, *EMPTY, *UNKNOWN], ids=lambda chart: type(chart).__name__)
def test_chart_is_valid_described_and_drawn(chart: Chart) -> None:
    made = draw(chart)
    written = json.loads(made.to_json())  # validated against the schema
    assert written["description"] == chart.description
    assert written["config"]["background"] == CONFIG["background"]
    svg = vl_convert.vegalite_to_svg(made.to_json())
    assert svg.startswith("<svg")
    assert "<script" not in svg


def values(made: Any, mark: str | None = None) -> list[dict[str, Any]]:
    """Return the rows that are drawn, or those of the layers with such marks."""
    written = json.loads(made.to_json())
    layers = [layer for layer in written.get("layer", []) if mark in (None, layer["mark"]["type"])]
    names = [part["data"]["name"] for part in (*([written] if mark is None else []), *layers) if "data" in part]
    return [row for name in names for row in written["datasets"][name]]


def test_intervals_have_the_numbers_of_the_chart_and_colours_of_their_marks() -> None:
    rows = (IntervalRow("a", 0.2, 0.1, 0.3, mark="better"), IntervalRow("b", -0.2, mark="worse"))
    made = draw(Intervals(title="t", rows=rows))
    actual = {row["row"]: (row["value"], row["low"], row["high"]) for row in values(made) if "row" in row}
    assert actual == {"a": (0.2, 0.1, 0.3), "b": (-0.2, None, None)}
    svg = vl_convert.vegalite_to_svg(made.to_json())
    assert BETTER in svg
    assert WORSE in svg


def test_labels_of_curves_that_end_together_stand_apart() -> None:
    curves = tuple(Curve(name, (1, 2), (0.0 if name == "a" else 1.0, 0.5)) for name in "ab")
    labels = values(draw(Curves(title="t", curves=curves)), "text")
    assert abs(labels[0]["y"] - labels[1]["y"]) > 0.04


def test_charts_without_a_theme_can_be_joined() -> None:
    chart = Intervals(title=HOSTILE, rows=(IntervalRow("a", 0.2),))
    joined = alt.vconcat(draw(chart, themed=False), draw(chart, themed=False))
    assert len(json.loads(joined.to_json())["vconcat"]) == 2
    with pytest.raises(TypeError, match="config"):
        alt.vconcat(draw(chart), draw(chart))
