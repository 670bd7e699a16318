"""HeatMap as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from rankgauge.presentation.charts.heat_map import HeatMap
from rankgauge.presentation.charts.svg.elements import image, label, percent, tag, text, title

ROW: Final = 20.0
WRITTEN_ROW: Final = 24.0
FAINTEST: Final = 0.05
# The strongest colour of cells; behind numbers it is half as strong, so that they can be read in light and dark.
STRONGEST: Final = 1.0
STRONGEST_BEHIND_NUMBERS: Final = 0.5
# The most labels that fit below the columns on a narrow page.
MOST_LABELS: Final = 12


def heat_map(chart: HeatMap) -> str:
    """Draw a cell per row and column; the stronger the colour, the larger the number."""
    row_height = WRITTEN_ROW if chart.written else ROW
    height = max(1, len(chart.rows)) * row_height
    children: list[str] = []
    for number, (name, values) in enumerate(zip(chart.rows, chart.values, strict=True)):
        top = number * row_height
        children.append(label(name, 12, x="0", dx="-8", y=top + row_height / 2, dy="4", class_="tick end"))
        children += _cells(chart, name, values, top, row_height)
    children += _column_labels(chart, height)
    if chart.x_label:
        children.append(text(chart.x_label, x="50%", y=height + 34, class_="tick middle"))
    return image(chart, "heat", height, children)


def _cells(chart: HeatMap, name: str, values: tuple[float | None, ...], top: float, height: float) -> Iterator[str]:
    width = 1.0 / max(1, len(chart.columns))
    strongest = STRONGEST_BEHIND_NUMBERS if chart.written else STRONGEST
    for number, (column, value) in enumerate(zip(chart.columns, values, strict=True)):
        if value is None or not math.isfinite(value):
            continue
        strength = FAINTEST + (strongest - FAINTEST) * abs(value) / chart.strongest
        class_ = "grey" if name in chart.grey_rows else "worse" if chart.signed and value < 0 else "better"
        written = chart.write(value, signed=chart.signed)
        yield tag(
            "rect",
            title(f"{name}, {column}: {written}"),
            x=percent(number * width),
            y=top + 0.5,
            width=percent(width),
            height=height - 1,
            fill_opacity=round(strength, 3),
            class_=f"cell {class_}",
        )
        if chart.written:
            yield text(written, x=percent((number + 0.5) * width), y=top + height / 2, dy="4", class_="in-cell")


def _column_labels(chart: HeatMap, height: float) -> Iterator[str]:
    count = len(chart.columns)
    every = next((step for step in (1, 5, 10, 20, 50) if count / step <= MOST_LABELS), 100)
    for number, column in enumerate(chart.columns):
        if number == 0 or (number + 1) % every == 0:
            yield text(column, x=percent((number + 0.5) / count), y=height + 16, class_="tick middle")
