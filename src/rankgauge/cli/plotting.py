"""The switch --plot: charts below the tables, drawn with characters."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from rankgauge.presentation.formats import DEFAULT

if TYPE_CHECKING:
    from rich.console import Console

    from rankgauge.cli.output import Output
    from rankgauge.presentation.charts import Chart
    from rankgauge.presentation.charts.blocks import Style
    from rankgauge.presentation.parts import Part
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.result import Result

MOST_COLUMNS: Final = 100


def require_text(output: Output) -> None:
    """Refuse --plot with a format that has no room for drawings."""
    if output.format_ != DEFAULT:
        raise click.UsageError(f"expected --format {DEFAULT} with --plot, got --format {output.format_}")


def charts_of_result(result: Result) -> list[Chart]:
    """Return what --plot draws of an evaluation: its means, and the values of the first measure."""
    from rankgauge.reports.plots import chart_of_result

    return [chart_of_result(result, "means"), chart_of_result(result, "queries")]


def charts_of_comparison(comparison: Comparison) -> list[Chart]:
    """Return what --plot draws of a comparison: the differences in each measure, and those of the queries."""
    from rankgauge.reports.plots import chart_of_comparison

    forests = [chart_of_comparison(comparison, "differences", measure) for measure in comparison.measures]
    return [*forests, chart_of_comparison(comparison, "ordered")]


def above_remarks(parts: Sequence[Part], remarks: int, charts: Sequence[Chart]) -> list[Part]:
    """Put charts between the tables and the remarks, which come last."""
    tables = len(parts) - remarks
    drawn = [part for chart in charts for part in (chart, "")]
    return [*parts[:tables], *drawn, *parts[tables:]]


def in_ascii(parts: Sequence[Part]) -> list[Part]:
    """Return parts in which every chart is lines of ASCII."""
    return [line for part in parts for line in _lines(part)]


def _lines(part: Part) -> list[Part]:
    if not _is_chart(part):
        return [part]
    from rankgauge.presentation.charts.blocks import ASCII, draw, plain_text

    return list(plain_text(draw(part, _columns(), ASCII)).splitlines())  # type: ignore[arg-type]


def _columns() -> int:
    """Return how wide charts in a pipe are: as COLUMNS in the environment says, or as a page."""
    from rankgauge.presentation.charts.blocks import WIDTH

    asked = os.environ.get("COLUMNS", "")
    columns = int(asked) if asked.isdecimal() and len(asked) < 6 else 0
    return min(columns, MOST_COLUMNS) or WIDTH


def _is_chart(part: Part) -> bool:
    """Whether the part is a chart; False if the chart module was never imported."""
    charts = sys.modules.get("rankgauge.presentation.charts.chart")
    return charts is not None and isinstance(part, charts.Chart)


def print_chart(console: Console, part: Part) -> bool:
    """Draw a chart in colour on a terminal; return whether it is one."""
    if not _is_chart(part):
        return False
    from rich.text import Text

    from rankgauge.presentation.charts.blocks import ASCII, UNICODE, draw

    # The colours of reports on a dark page, which stand out on light ones too.
    styles: dict[Style, str] = {"better": "#3d9fdb", "worse": "#e07b39", "undecided": "dim", "baseline": "dim"}
    styles |= {"quiet": "dim", "plain": ""}
    glyphs = UNICODE if (console.encoding or "").lower().startswith("utf") else ASCII
    for line in draw(part, min(console.width, MOST_COLUMNS), glyphs):  # type: ignore[arg-type]
        console.print(Text.assemble(*((span.text, styles[span.style]) for span in line)), soft_wrap=True)
    return True
