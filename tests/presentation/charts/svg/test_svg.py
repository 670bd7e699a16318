"""Charts as SVG: every kind, drawn or empty, well formed, with nothing that a label could add."""

from __future__ import annotations

import math
from datetime import date
from xml.etree import ElementTree as ET

import pytest
from tests.presentation.charts.test_kinds import EMPTY, UNKNOWN

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
from rankgauge.presentation.charts.svg import DRAW, draw

HOSTILE = "</svg><script>alert(1)</script>\"'&\u202e"
DATES = [date(2020, 1, 1 + number) for number in range(30)]
DRAWN: list[Chart] = [
    Bars(
        title=HOSTILE, bars=(Bar(HOSTILE, 0.5, 0.4, 0.6, HOSTILE), Bar("b", -0.5)), reference=0.1, reference_label="r"
    ),
    Curves(
        title=HOSTILE,
        curves=(Curve(HOSTILE, DATES, [0.1] * 30, [0.0] * 30, [0.2] * 30), Curve("b", DATES[:2], (math.nan, 0.1))),
        reference=0.0,
        reference_label=HOSTILE,
    ),
    Distributions(title=HOSTILE, distributions=(Distribution(HOSTILE, (0.1, 0.5, 0.5)),)),
    Dots(title=HOSTILE, dots=(Dot(HOSTILE, 0.5, HOSTILE), Dot("b", 0.7)), reference=0.0),
    HeatMap(title=HOSTILE, rows=(HOSTILE, "b"), columns=("1", "2"), values=((0.1, -0.2), (None, 0.4)), signed=True),
    Intervals(title=HOSTILE, rows=(IntervalRow(HOSTILE, 0.1, 0.0, 0.2, -0.1, 0.3, "better", HOSTILE, (HOSTILE,)),)),
    OrderedBars(title=HOSTILE, labels=(HOSTILE, "b", "c"), values=(0.5, -0.2, 0.0)),
    Scatter(title=HOSTILE, labels=(HOSTILE, "b"), x=(0.1, 0.2), y=(0.2, 0.1), diagonal=True),
]


def test_every_kind_is_drawn() -> None:
    assert set(DRAW) == set(KINDS) == {type(chart) for chart in DRAWN}


@pytest.mark.parametrize("chart", [*DRAWN, *EMPTY, *UNKNOWN], ids=lambda chart: type(chart).__name__)
def test_drawing_is_well_formed_and_described(chart: Chart) -> None:
    drawn = draw(chart)
    root = ET.fromstring(drawn)  # noqa: S314 - our own text
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"]
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    allowed = {"svg", "g", "line", "path", "rect", "circle", "text", "title", "div", "strong", "small", "wbr"}
    assert names <= allowed
    assert not any(name.startswith("on") or name == "style" for element in root.iter() for name in element.attrib)
    assert "nan" not in drawn.lower().replace("explanation", "")
    assert "\u202e" not in drawn


@pytest.mark.parametrize("chart", DRAWN, ids=lambda chart: type(chart).__name__)
def test_draw_with_hostile_labels_escapes_them(chart: Chart) -> None:
    root = ET.fromstring(draw(chart))  # noqa: S314 - our own text
    words = "".join(root.itertext()) + root.attrib["aria-label"]
    assert "alert(1)" in words


def test_many_points_are_drawn_as_columns() -> None:
    many = 20_000
    labels, values = [str(number) for number in range(many)], [math.sin(number) for number in range(many)]
    assert len(draw(OrderedBars(title="t", labels=labels, values=values))) < 60_000
    assert len(draw(Scatter(title="t", labels=labels, x=values, y=values[::-1], diagonal=True))) < 300_000
    curve = Curve("c", list(range(many)), values)
    assert len(draw(Curves(title="t", curves=(curve,)))) < 60_000
    assert len(draw(Distributions(title="t", distributions=(Distribution("d", values),)))) < 60_000


def test_written_cells_have_their_numbers() -> None:
    chart = HeatMap(
        title="t", rows=("2020",), columns=("Jan",), values=((0.0123,),), percent=True, places=1, written=True
    )
    assert ">1.2%</text>" in draw(chart)


def test_long_names_are_cut_with_the_whole_as_a_tooltip() -> None:
    drawn = draw(Curves(title="t", curves=(Curve("a very long name of a run", (1, 2), (0.1, 0.2)),)))
    assert ">a very long …<title>a very long name of a run</title></text>" in drawn
    wide = draw(Curves(title="t", curves=(Curve("검색 시스템 이름", (1, 2), (0.1, 0.2)),)))
    assert ">검색 시스템 …<title>" in wide
