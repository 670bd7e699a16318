"""The theme of plots: the colours, lines and fonts of reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt

from rankgauge.presentation.charts.chart import Chart, Mark

BETTER: Final = "#0072b2"
WORSE: Final = "#c8500a"
QUIET: Final = "#6b6b6b"
MARKS: Final[Mapping[Mark, str]] = {
    "better": BETTER,
    "worse": WORSE,
    "undecided": QUIET,
    "baseline": QUIET,
    "plain": BETTER,
}
# Findings are told apart by shape as well as by colour.
SHAPES: Final[Mapping[Mark, str]] = {
    "better": "triangle-up",
    "worse": "triangle-down",
    "undecided": "circle",
    "baseline": "square",
    "plain": "circle",
}
SERIES: Final = ("#0072b2", "#7b4fb3", "#00796b", "#8a6d00", "#b0376e", "#4b5fa8", "#5f7a1f")
WIDTH: Final = 520
HEIGHT: Final = 260

CONFIG: Final[Mapping[str, Any]] = {
    "background": "white",
    "font": "system-ui, 'Noto Sans KR', 'Apple SD Gothic Neo', sans-serif",
    "title": {"anchor": "start", "fontSize": 14, "subtitleFontSize": 12, "subtitleColor": QUIET, "offset": 12},
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridColor": "#ececec"},
    "view": {"stroke": None},
    "legend": {"labelFontSize": 12, "title": None},
    "header": {"labelFontSize": 12, "title": None},
}


def titled(drawn: Any, chart: Chart, *, themed: bool) -> Any:  # noqa: ANN401 - any kind of Altair chart
    """Give a drawing its title and its text alternative, and the theme."""
    title = alt.TitleParams(chart.title, subtitle=chart.subtitle) if chart.subtitle else chart.title
    named = drawn.properties(title=title, description=chart.description)
    return named.configure(**CONFIG) if themed else named


def by_mark(field: str = "mark") -> Any:  # noqa: ANN401 - an encoding of Altair
    """Colour by what something is found to be."""
    return alt.Color(f"{field}:N", scale=alt.Scale(domain=list(MARKS), range=list(MARKS.values())), legend=None)


def by_series(names: Sequence[str], marks: Sequence[Mark], *, legend: bool = False) -> Any:  # noqa: ANN401 - the same
    """Colour by run: the baseline in grey, every other run in a colour of its own."""
    colours, count = [], 0
    for mark in marks:
        count += mark == "plain"
        colours.append(SERIES[(count - 1) % len(SERIES)] if mark == "plain" else MARKS[mark])
    scale = alt.Scale(domain=list(names), range=colours)
    return alt.Color("run:N", scale=scale, legend=alt.Legend() if legend else None)


def number_format(chart: Chart) -> str:
    """Return how Vega writes the numbers of a chart.

    >>> from rankgauge.presentation.charts import Dots
    >>> number_format(Dots(title="", dots=())), number_format(Dots(title="", dots=(), percent=True, places=1))
    ('.3f', '.1%')
    """
    return f".{chart.places}{'%' if chart.percent else 'f'}"


def data(rows: list[dict[str, Any]]) -> alt.InlineData:
    """Return rows as data; Vega takes no NaN and no infinities, so these are null."""
    return alt.InlineData(values=[{name: _plain(value) for name, value in row.items()} for row in rows])


def _plain(value: Any) -> Any:  # noqa: ANN401 - a value of a row
    return None if isinstance(value, float) and not -1e300 < value < 1e300 else value
