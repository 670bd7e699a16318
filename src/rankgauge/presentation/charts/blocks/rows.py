"""Intervals and Dots: a row per label, with a line drawn between its name and its numbers."""

from __future__ import annotations

import math

from rankgauge.presentation.charts.blocks.glyphs import Glyphs, Line, Span, Style
from rankgauge.presentation.charts.dots import Dots
from rankgauge.presentation.charts.intervals import IntervalRow, Intervals
from rankgauge.presentation.text import display_width

WIDEST_LABEL = 28
NARROWEST = 16


def intervals(chart: Intervals, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw a line from end to end of each interval, with a point at the estimate."""
    labels = [_label(row, glyphs) for row in chart.rows]
    values = [glyphs.own(chart.write(row.value, signed=chart.signed)) for row in chart.rows]
    ends = [glyphs.own(_ends(chart, row)) for row in chart.rows]
    findings = [glyphs.findings.get(row.mark, "") for row in chart.rows]
    header = (chart.value_header, "interval" if any(ends) else "", "")
    columns = _Columns(labels, [*values, header[0]], [*ends, header[1]], findings, width=width)
    lines = [columns.line(glyphs, "", " " * columns.drawn, "quiet", header)] if chart.rows else []
    for number, row in enumerate(chart.rows):
        cells = _Cells(chart.domain, columns.drawn, glyphs)
        cells.mark(chart.reference, glyphs.reference)
        cells.span(row.wide_low, row.wide_high, glyphs.thin * 3)
        cells.span(row.low, row.high, glyphs.left + glyphs.line + glyphs.right)
        cells.mark(row.value, glyphs.point)
        lines.append(
            columns.line(glyphs, labels[number], cells.text, row.mark, (values[number], ends[number], findings[number]))
        )
    return [*lines, *_scale(chart, columns, glyphs)]


def dots(chart: Dots, width: int, glyphs: Glyphs) -> list[Line]:
    """Draw a point at the number of each label."""
    labels = [f"{dot.group} {dot.label}".strip() for dot in chart.dots]
    values = [glyphs.own(chart.write(dot.value)) for dot in chart.dots]
    columns = _Columns(labels, values, width=width)
    lines = []
    for number, dot in enumerate(chart.dots):
        cells = _Cells(chart.domain, columns.drawn, glyphs)
        cells.mark(chart.reference, glyphs.reference)
        cells.mark(dot.value, glyphs.point)
        lines.append(columns.line(glyphs, labels[number], cells.text, dot.mark, (values[number],)))
    return [*lines, *_scale(chart, columns, glyphs)]


def _label(row: IntervalRow, glyphs: Glyphs) -> str:
    """Return what is estimated; a run against another as their difference, which is shorter."""
    if row.note.startswith("against "):
        return f"{row.label} {glyphs.own('−')} {row.note.removeprefix('against ')}"
    return f"{row.label} {row.note}" if row.note else row.label


def _ends(chart: Intervals, row: IntervalRow) -> str:
    if row.low is None or row.high is None:
        return ""
    return f"{chart.write(row.low, signed=chart.signed)} to {chart.write(row.high, signed=chart.signed)}"


class _Columns:
    """How wide the label, the drawing and each column of texts behind it are."""

    def __init__(self, labels: list[str], *texts: list[str], width: int) -> None:
        self.texts = [max(map(display_width, column), default=0) for column in texts]
        # Where there is little room, first the interval in numbers goes, then the others.
        for dropped in (1, 0, 2):
            if self._behind() + NARROWEST + 10 > width and dropped < len(self.texts):
                self.texts[dropped] = 0
        behind = self._behind()
        longest = max(map(display_width, labels), default=0)
        self.label = min(longest, WIDEST_LABEL, max(width - behind - NARROWEST - 2, 8))
        self.drawn = max(width - self.label - behind - 2, 8)

    def _behind(self) -> int:
        return sum(size + 2 for size in self.texts if size)

    def line(self, glyphs: Glyphs, label: str, drawn: str, style: Style, texts: tuple[str, ...]) -> Line:
        name = glyphs.label(label, self.label)
        quiet: Style = "quiet" if style == "quiet" else "plain"
        behind = []
        for column, (text, size) in enumerate(zip(texts, self.texts, strict=True)):
            if size and column < 2:
                behind.append(Span(f"  {text[:size]:>{size}}", quiet))
            elif size:
                behind.append(Span(f"  {text}", style))
        return (Span(name, quiet), Span("  " + drawn, style), *behind)


class _Cells:
    """The cells of a row, from the lowest to the highest number that the chart draws."""

    def __init__(self, domain: tuple[float, float], count: int, glyphs: Glyphs) -> None:
        self.low, self.high = domain if domain[0] < domain[1] else (domain[0] - 0.5, domain[1] + 0.5)
        self.cells = [" "] * count
        self.glyphs = glyphs

    @property
    def text(self) -> str:
        return "".join(self.cells)

    def place(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
        return min(max(round(share * (len(self.cells) - 1)), 0), len(self.cells) - 1)

    def mark(self, value: float | None, character: str) -> None:
        if value is not None and math.isfinite(value):
            self.cells[self.place(value)] = character

    def span(self, low: float | None, high: float | None, characters: str) -> None:
        """Draw a line: its first character, those between, and its last."""
        if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
            return
        first, last = self.place(low), self.place(high)
        for cell in range(first, last + 1):
            self.cells[cell] = characters[1]
        self.cells[first], self.cells[last] = characters[0], characters[2]


def _scale(chart: Intervals | Dots, columns: _Columns, glyphs: Glyphs) -> list[Line]:
    """Return the numbers at both ends of what is drawn."""
    if not (chart.rows if isinstance(chart, Intervals) else chart.dots):
        return []
    signed = isinstance(chart, Intervals) and chart.signed
    low, high = (glyphs.own(chart.write(end, signed=signed)) for end in chart.domain)
    gap = columns.drawn - len(low) - len(high)
    return [(Span(" " * (columns.label + 2) + low + " " * gap + high, "quiet"),)] if gap > 0 else []
