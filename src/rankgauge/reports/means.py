"""The first sections: means with their intervals, and the differences between runs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.languages import Text
from rankgauge.presentation.charts import IntervalRow, Intervals, Mark
from rankgauge.presentation.table import Cell, Estimate, MarkedNumber, Table
from rankgauge.results.comparison import LETTERS
from rankgauge.results.pair import Pair, written_p
from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import Interval, interval_of_values
from rankgauge.statistics.paired import EQUAL

if TYPE_CHECKING:
    from rankgauge.measures import Measure
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.result import Result

_FOUND: Final[dict[str, Mark]] = {"▲": "better", "▼": "worse"}


def result_table(result: Result) -> Table:
    """Return a row per measure with its mean, to be drawn with its interval."""
    rows: list[list[Cell]] = []
    for row in result.table().rows:
        label, mean, low, high, queries = row[:5]
        ends = Interval(*(math.nan if end is None else float(end) for end in (low, high)))
        rows.append([label, Estimate(float(mean or 0.0), ends.low, ends.high), queries, *row[5:]])
    headers = result.table().headers
    return Table([headers[0], f"mean and {LEVEL:.0%} interval", headers[4], *headers[5:]], rows)


def comparison_table(comparison: Comparison) -> Table:
    """Return a row per run and a column per measure, to be drawn with their intervals."""
    table = comparison.table()
    measures = list(comparison.aligned.values)
    rows: list[list[Cell]] = []
    for name, row in zip(comparison.runs, table.rows, strict=True):
        cells = [_estimate(comparison, measure, name, cell) for measure, cell in zip(measures, row[1:], strict=True)]
        rows.append([row[0], *cells])
    return Table(table.headers, rows)


def _estimate(comparison: Comparison, measure: Measure, run: str, cell: Cell) -> Cell:
    if not isinstance(cell, MarkedNumber):
        return cell
    baseline, mark = comparison.design.baseline, cell.mark.strip()
    finding: Mark = _FOUND.get(mark, "plain" if baseline is None else "undecided")
    if run == baseline:
        finding = "baseline"
    return Estimate(float(cell), *comparison.interval(measure, run), cell.mark, best=cell.best, finding=finding)


def legend(comparison: Comparison) -> str:
    """Return what the marks of the table mean."""
    level, baseline = comparison.design.level, comparison.design.baseline
    if baseline is None and len(comparison.runs) > len(LETTERS):
        marks = "a raised number counts the runs that this one is better than"
    elif baseline is None:
        marks = "a letter names a run that this one is better than"
    else:
        marks = f"▲ better than {baseline} · ▼ worse · ≈ not shown to differ"
    return f"{marks} · underlined: highest · lines: {level:.0%} intervals of the means"


def differences(comparison: Comparison, measure: Measure) -> Intervals:
    """Return the differences of a measure: each with its interval, and with that of all comparisons at once."""
    label = comparison.request.label(measure)
    pairs = [pair for pair in comparison.pairs.rows if pair.measure == label]
    level = f"{comparison.design.level:.0%}"
    thin = f" Thin: {level} for all {len(pairs)} comparisons at once (Bonferroni)." if len(pairs) > 1 else ""
    return Intervals(
        title=Text("Differences in {}", label),
        subtitle=f"Right of zero: better than what it is compared with. Thick: {level} interval of this comparison."
        f"{thin} Last: queries better / equal / worse.",
        rows=tuple(_row(comparison, measure, pair, len(pairs)) for pair in pairs),
        reference=0.0,
        signed=True,
        places=4,
        value_header=Text("difference"),
        detail_headers=("interval", "adjusted p", "better / equal / worse"),
    )


def _row(comparison: Comparison, measure: Measure, pair: Pair, comparisons: int) -> IntervalRow:
    low, high = (None if math.isnan(end) else end for end in pair.interval)
    wide = _simultaneous(comparison, measure, pair, comparisons) if low is not None and comparisons > 1 else None
    ends = "" if low is None or high is None else f"{_signed(low)} to {_signed(high)}"
    counts = f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}"
    details = tuple(filter(None, (ends, f"p {written_p(pair.p_adjusted)}", counts)))
    return IntervalRow(
        pair.first,
        pair.difference,
        low,
        high,
        None if wide is None else wide.low,
        None if wide is None else wide.high,
        mark_of(pair, comparison.design.level),
        f"against {pair.second}",
        details,
    )


def mark_of(pair: Pair, level: float) -> Mark:
    """Return what a comparison found."""
    if not pair.is_significant(1.0 - level):
        return "undecided"
    return "better" if pair.difference > 0 else "worse"


def _simultaneous(comparison: Comparison, measure: Measure, pair: Pair, comparisons: int) -> Interval:
    """Return the interval that holds for all comparisons at once, by Bonferroni's inequality."""
    kept = comparison.aligned.counted(measure)
    ours, theirs = (comparison.aligned.column(measure, run)[kept] for run in (pair.first, pair.second))
    values = np.where(np.abs(ours - theirs) <= EQUAL, 0.0, ours - theirs)
    level = 1.0 - (1.0 - comparison.design.level) / comparisons
    return interval_of_values([float(value) for value in values], measure.aggregate, level=level)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
