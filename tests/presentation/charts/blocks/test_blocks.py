"""Charts as lines of text: every kind, within the width, in ASCII where asked for, and nothing that an id adds."""

from __future__ import annotations

import pytest
from tests.presentation.charts.svg.test_svg import DRAWN
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
    HeatMap,
    IntervalRow,
    Intervals,
    OrderedBars,
    Scatter,
)
from rankgauge.presentation.charts.blocks import ASCII, DRAW, UNICODE, Glyphs, draw, plain_text
from rankgauge.presentation.text import display_width


def drawn(chart: Chart, width: int = 80, glyphs: Glyphs = UNICODE) -> list[str]:
    return plain_text(draw(chart, width, glyphs)).splitlines()


def test_every_kind_is_drawn() -> None:
    assert set(DRAW) == set(KINDS)


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("chart", [*DRAWN, *EMPTY, *UNKNOWN], ids=lambda chart: type(chart).__name__)
def test_lines_fit_the_width_and_hold_no_control_character(chart: Chart, glyphs: Glyphs, width: int) -> None:
    lines = drawn(chart, width, glyphs)
    assert max(map(display_width, lines)) <= width
    assert all(line.isprintable() for line in lines)
    if glyphs is ASCII:
        assert all(line.isascii() for line in lines)


def test_interval_is_a_line_between_its_ends_with_a_point_at_the_estimate() -> None:
    row = IntervalRow("new", 0.5, 0.25, 0.75, 0.0, 1.0, "better", "against old")
    chart = Intervals(title="Differences", rows=(row,), reference=0.0, signed=True, places=2, value_header="difference")
    line = drawn(chart, 76)[2]
    start, point, end = line.index("╺"), line.index("●"), line.index("╸")
    assert abs((point - start) - (end - point)) <= 1
    assert line.startswith("new − old  ─")
    assert line.endswith("+0.50  +0.25 to +0.75  ▲ better")


def test_interval_in_a_narrow_terminal_loses_its_numbers_first() -> None:
    row = IntervalRow("a run with a long name", 0.5, 0.25, 0.75, mark="worse")
    wide, narrow = (drawn(Intervals(title="", rows=(row,)), width)[-2] for width in (100, 44))
    assert "0.250 to 0.750" in wide
    assert "0.250 to 0.750" not in narrow
    assert "▼ worse" in narrow


def test_bars_are_as_long_as_their_numbers() -> None:
    lines = drawn(Bars(title="t", bars=(Bar("a", 1.0), Bar("b", 0.5), Bar("c", 0.0), Bar("d", -1.0))), 40, ASCII)
    lengths = [line.count("#") for line in lines[1:]]
    assert lengths[0] == lengths[3] > 20
    assert lengths[1] == pytest.approx(lengths[0] / 2, abs=0.5)
    assert lengths[2] == 0
    assert lines[4].endswith("-1.000")


def test_histogram_of_differences_counts_every_query_once() -> None:
    values = (0.5, 0.12, 0.1, 0.0, 0.0, -0.1, -0.33)
    lines = drawn(OrderedBars(title="t", labels=tuple("abcdefg"), values=values))
    counts = {line[:12].strip(): int(line.split()[-1]) for line in lines[1:]}
    assert sum(counts.values()) == len(values)
    assert counts["equal"] == 2
    assert next(iter(counts)).startswith("+")
    assert list(counts)[-1].startswith("−")


@pytest.mark.parametrize("values", [(0.2, 0.4), (-0.2,), (0.0, 0.0)])
def test_histogram_of_differences_on_one_side_counts_every_query(values: tuple[float, ...]) -> None:
    lines = drawn(OrderedBars(title="t", labels=[str(number) for number in range(len(values))], values=values))
    assert sum(int(line.split()[-1]) for line in lines[1:]) == len(values)


def test_distributions_of_several_runs_are_a_line_each() -> None:
    many = tuple(Distribution(name, (0.1, 0.9)) for name in "abc")
    assert len(drawn(Distributions(title="t", distributions=many))) == 1 + 3 + 1
    one = drawn(Distributions(title="t", distributions=many[:1]))
    assert sum(int(line.split()[-1]) for line in one[2:]) == 2


def test_curves_are_told_apart_by_their_points() -> None:
    lines = drawn(Curves(title="t", curves=(Curve("up", (0, 1), (0.0, 1.0)), Curve("down", (0, 1), (1.0, 0.0)))))
    assert lines[-2:] == ["● up", "○ down"]
    assert lines[1].rstrip().endswith("●")
    assert lines[1].split("│")[1].startswith("○")


def test_scatter_and_heat_map_shade_by_strength() -> None:
    dots = drawn(Scatter(title="t", labels=("a", "b", "c"), x=(0.0, 0.0, 1.0), y=(0.0, 0.0, 1.0)))
    assert dots[1].endswith("▒")
    assert dots[-2].endswith("│█")
    cells = drawn(HeatMap(title="t", rows=("a", "b"), columns=("1", "2"), values=((1.0, 0.0), (None, 0.25))))
    assert "████" in cells[1]
    assert cells[2].split("b", 1)[1].strip() == "░░░░"
