"""Bars, Distributions and OrderedBars: bars from the left, with their numbers behind them."""

from __future__ import annotations

import math
from typing import NamedTuple

from rankgauge.presentation.charts.bars import Bars
from rankgauge.presentation.charts.blocks.glyphs import Glyphs, Line, Span, Style, bar
from rankgauge.presentation.charts.chart import finite, write_number
from rankgauge.presentation.charts.distributions import Distributions
from rankgauge.presentation.charts.ordered_bars import OrderedBars
from rankgauge.presentation.charts.svg.scales import nice_axis
from rankgauge.presentation.text import display_width

WIDEST_LABEL = 24
WIDEST_BAR = 50
BINS = 10
# More runs than this are a line each.
MOST_HISTOGRAMS = 2


class _Row(NamedTuple):
    label: str
    value: float
    written: str
    style: Style = "plain"


def bars(chart: Bars, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw a bar per category; a negative one in the style of what is worse, with its sign in its number."""
    rows = [
        _Row(
            f"{one.label} {one.group}".strip(),
            one.value,
            glyphs.own(chart.write(one.value, signed=chart.signed)),
            "worse" if one.value < 0 and one.mark == "plain" else one.mark,
        )
        for one in chart.bars
    ]
    return _rows(rows, width, glyphs)


def distributions(chart: Distributions, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw a histogram of each of one or two runs, and a line of shades for each of more."""
    if len(chart.distributions) > MOST_HISTOGRAMS:
        return _strips(chart, width, glyphs)
    low, high = chart.domain
    edges = [low + (high - low) * part / BINS for part in range(BINS + 1)]
    places = nice_axis(low, high, most=BINS).places
    names = [f"{write_number(edges[part], places)} to {write_number(edges[part + 1], places)}" for part in range(BINS)]
    lines: list[Line] = []
    for one, counts in zip(chart.distributions, chart.counts(BINS), strict=True):
        rows = [_Row(glyphs.own(name), count, f"{count:,}") for name, count in zip(names, counts, strict=True)]
        lines += [(Span(glyphs.label(one.label, min(display_width(one.label), width)).rstrip(), "quiet"),)]
        lines += _rows(rows, width, glyphs)
    return lines


def _strips(chart: Distributions, width: int, glyphs: Glyphs) -> list[Line]:
    size = min(max((display_width(one.label) for one in chart.distributions), default=0), WIDEST_LABEL)
    bins = max(min(width - size - 2, 40), 8)
    low, high = (glyphs.own(write_number(end, 2)) for end in chart.domain)
    lines: list[Line] = []
    for one, counts in zip(chart.distributions, chart.counts(bins), strict=True):
        most = max(counts) or 1
        strongest = len(glyphs.shades) - 1
        cells = "".join(glyphs.shades[math.ceil(count / most * strongest)] for count in counts)
        lines.append((Span(glyphs.label(one.label, size)), Span("  " + cells, one.mark)))
    gap = " " * max(bins - len(low) - len(high), 1)
    return [*lines, (Span(" " * (size + 2) + low + gap + high, "quiet"),)]


def ordered_bars(chart: OrderedBars, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw a histogram of the differences: the better above, the equal between, the worse below."""
    values = finite(chart.values)
    if not values:
        return []
    axis = nice_axis(min([*values, 0.0]), max([*values, 0.0]), most=2 * BINS - 4)
    step, places = axis.ticks[1] - axis.ticks[0], axis.places
    rows = []
    for upper, lower in zip(reversed(axis.ticks[1:]), reversed(axis.ticks[:-1]), strict=True):
        if math.isclose(upper, 0.0, abs_tol=step / 1e6):
            rows.append(_Row("equal", chart.equal, f"{chart.equal:,}", "undecided"))
        above = lower >= -step / 1e6
        count = sum((lower < value <= upper) if above else (lower <= value < upper) for value in values if value)
        name = f"{write_number(lower, places, signed=True)} to {write_number(upper, places, signed=True)}"
        rows.append(_Row(glyphs.own(name), count, f"{count:,}", "better" if above else "worse"))
    if not any(row.label == "equal" for row in rows):
        rows.append(_Row("equal", chart.equal, f"{chart.equal:,}", "undecided"))
    return _rows(_without_empty_ends(rows), width, glyphs)


def _without_empty_ends(rows: list[_Row]) -> list[_Row]:
    used = [number for number, row in enumerate(rows) if row.value]
    return rows[used[0] : used[-1] + 1]


def _rows(rows: list[_Row], width: int, glyphs: Glyphs) -> list[Line]:
    size = min(max((display_width(row.label) for row in rows), default=0), WIDEST_LABEL)
    numbers = max((display_width(row.written) for row in rows), default=0)
    room = max(min(width - size - numbers - 2, WIDEST_BAR), 4)
    most = max((abs(row.value) for row in rows if math.isfinite(row.value)), default=0.0) or 1.0
    lines: list[Line] = []
    for row in rows:
        drawn = bar(glyphs, abs(row.value) / most, room) if math.isfinite(row.value) else ""
        label = " " * (size - display_width(row.label)) + row.label if display_width(row.label) <= size else row.label
        lines.append(
            (Span(glyphs.label(label, size) + " ", "quiet"), Span(drawn, row.style), Span(f" {row.written}", "quiet"))
        )
    return lines
