"""Curves, Scatter and HeatMap: points and shades on a grid of cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rankgauge.presentation.charts.blocks.glyphs import Glyphs, Line, Span, Style
from rankgauge.presentation.charts.chart import finite
from rankgauge.presentation.charts.curves import Curves, Position, position, write_position
from rankgauge.presentation.charts.heat_map import HeatMap
from rankgauge.presentation.charts.scatter import Scatter
from rankgauge.presentation.text import display_width

HEIGHT = 12
WIDEST_LABEL = 20


class _Grid:
    """Cells of a plane, each with a character and a style."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float], width: int, height: int) -> None:
        self.x, self.y = (_widened(ends) for ends in (x, y))
        self.width, self.height = width, height
        self.cells: dict[tuple[int, int], Span] = {}

    def cell(self, x: float, y: float) -> tuple[int, int]:
        across = round((x - self.x[0]) / (self.x[1] - self.x[0]) * (self.width - 1))
        down = round((self.y[1] - y) / (self.y[1] - self.y[0]) * (self.height - 1))
        return down, across

    def put(self, x: float, y: float, character: str, style: Style) -> None:
        if math.isfinite(x) and math.isfinite(y):
            self.cells[self.cell(x, y)] = Span(character, style)

    def row(self, down: int) -> list[Span]:
        return [self.cells.get((down, across), Span(" ")) for across in range(self.width)]


def _widened(ends: tuple[float, float]) -> tuple[float, float]:
    return ends if ends[0] < ends[1] else (ends[0] - 0.5, ends[1] + 0.5)


def curves(chart: Curves, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw each curve with a character of its own, named below."""
    names = [glyphs.own(chart.write(end)) for end in reversed(chart.y_domain)]
    size = max(map(len, names))
    grid = _Grid(chart.x_domain, chart.y_domain, max(width - size - 2, 8), HEIGHT)
    for across in range(grid.width) if chart.reference is not None else ():
        share = across / max(grid.width - 1, 1)
        grid.put(grid.x[0] + share * (grid.x[1] - grid.x[0]), chart.reference or 0.0, glyphs.reference, "quiet")
    for number, curve in enumerate(chart.curves):
        for x, y in _between([(position(x), y) for x, y in zip(curve.x, curve.y, strict=True)], grid):
            grid.put(x, y, glyphs.points[number % len(glyphs.points)], curve.mark)
    ends = [write_position(x) for x in _ends(curve.x for curve in chart.curves)]
    lines = _framed(grid, names, glyphs)
    if ends:
        gap = " " * max(grid.width - len(ends[0]) - len(ends[1]), 1)
        lines.append((Span(" " * (size + 2) + ends[0] + gap + ends[1], "quiet"),))
    for number, curve in enumerate(chart.curves):
        point = glyphs.points[number % len(glyphs.points)]
        lines.append((Span(f"{point} ", curve.mark), Span(glyphs.label(curve.label, width - 2).rstrip())))
    return lines


def _ends(every: Iterable[Sequence[Position]]) -> list[Position]:
    known = [x for xs in every for x in xs]
    return [min(known, key=position), max(known, key=position)] if known else []


def _between(points: list[tuple[float, float]], grid: _Grid) -> Iterable[tuple[float, float]]:
    """Return the points, and those on the lines between them that fall into cells of their own."""
    known = [(x, y) for x, y in points if math.isfinite(y)]
    yield from known
    for (x, y), (next_x, next_y) in pairwise(known):
        steps = abs(grid.cell(next_x, next_y)[1] - grid.cell(x, y)[1])
        for step in range(1, steps):
            yield x + (next_x - x) * step / steps, y + (next_y - y) * step / steps


def _framed(grid: _Grid, ends: list[str], glyphs: Glyphs) -> list[Line]:
    """Return the rows of a grid behind an axis with its highest and lowest number."""
    size = max(map(len, ends))
    lines: list[Line] = []
    for down in range(grid.height):
        name = ends[0] if down == 0 else ends[1] if down == grid.height - 1 else ""
        lines.append((Span(f"{name:>{size}} {glyphs.axis}", "quiet"), *_merged(grid.row(down))))
    return lines


def _merged(spans: list[Span]) -> list[Span]:
    """Join neighbours of one style."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1].style == span.style:
            merged[-1] = Span(merged[-1].text + span.text, span.style)
        else:
            merged.append(span)
    return merged


def scatter(chart: Scatter, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw the points; cells with more of them have a stronger shade."""
    points = [(x, y) for _, x, y in chart.points]
    if not points:
        return []
    every = [*(x for x, _ in points), *(y for _, y in points)]
    x_ends = (min(every), max(every)) if chart.diagonal else (min(x for x, _ in points), max(x for x, _ in points))
    y_ends = (min(every), max(every)) if chart.diagonal else (min(y for _, y in points), max(y for _, y in points))
    names = [glyphs.own(chart.write(end)) for end in reversed(y_ends)]
    size = max(map(len, names))
    grid = _Grid(x_ends, y_ends, min(max(width - size - 2, 8), 4 * HEIGHT), 2 * HEIGHT // 2)
    counts: dict[tuple[int, int], int] = {}
    sides: dict[tuple[int, int], int] = {}
    for x, y in points:
        cell = grid.cell(x, y)
        counts[cell] = counts.get(cell, 0) + 1
        sides[cell] = sides.get(cell, 0) + (y > x) - (y < x)
    if chart.diagonal:
        for down in range(grid.height):
            value = grid.y[1] - down / max(grid.height - 1, 1) * (grid.y[1] - grid.y[0])
            grid.put(value, value, glyphs.reference, "quiet")
    most = max(counts.values())
    for cell, count in counts.items():
        shade = glyphs.shades[max(1, math.ceil(count / most * (len(glyphs.shades) - 1)))]
        style: Style = "plain" if not chart.diagonal or not sides[cell] else "better" if sides[cell] > 0 else "worse"
        grid.cells[cell] = Span(shade, style)
    low, high = (glyphs.own(chart.write(end)) for end in x_ends)
    gap = " " * max(grid.width - len(low) - len(high), 1)
    across = glyphs.label(chart.x_label, width).rstrip()
    upward = glyphs.label(chart.y_label, width).rstrip()
    below: Line = (Span(" " * (size + 2) + low + gap + high, "quiet"),)
    legend: Line = (Span(f"up: {upward}, across: {across}"[:width], "quiet"),)
    return [*_framed(grid, names, glyphs), below, *([legend] if upward or across else [])]


def heat_map(chart: HeatMap, width: int, glyphs: Glyphs) -> list[Line]:
    """Fill the cells: the stronger, the larger the number; negative ones in the style of what is worse."""
    if not chart.rows or not chart.columns:
        return []
    size = min(max(map(display_width, chart.rows)), WIDEST_LABEL)
    cell = max(min((width - size - 1) // len(chart.columns), 4), 1)
    shown = min(len(chart.columns), (width - size - 1) // cell)
    strongest = len(glyphs.shades) - 1
    lines: list[Line] = []
    for label, values in zip(chart.rows, chart.values, strict=True):
        spans = [Span(glyphs.label(label, size) + " ", "quiet")]
        for value in values[:shown]:
            share = 0.0 if value is None or not finite([value]) else abs(value) / chart.strongest
            style: Style = "worse" if value is not None and value < 0 else "plain"
            spans.append(Span(glyphs.shades[math.ceil(share * strongest)] * cell, style))
        lines.append(tuple(spans))
    first, last = glyphs.label(chart.columns[0], 12).rstrip(), glyphs.label(chart.columns[shown - 1], 12).rstrip()
    gap = " " * max(shown * cell - display_width(first) - display_width(last), 1)
    lines.append((Span((" " * (size + 1) + first + gap + last)[:width], "quiet"),))
    written = glyphs.own(chart.write(chart.strongest))
    return [*lines, (Span(f"{glyphs.shades[-1]} = {written}", "quiet"),)]
