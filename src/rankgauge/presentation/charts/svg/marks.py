"""Classes of the style sheet for what is drawn: by mark, or by the place of a series."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.presentation.charts.chart import Mark

SERIES = 7


def series_classes(marks: Sequence[Mark]) -> list[str]:
    """Return a class for each series: that of its mark, or its own colour where it is plain.

    The colours of plain series are counted without the baseline, so a run has the same one in every chart.

    >>> series_classes(["baseline", "plain", "plain"])
    ['baseline', 'series-1', 'series-2']
    """
    classes, count = [], 0
    for mark in marks:
        count += mark == "plain"
        classes.append(f"series-{(count - 1) % SERIES + 1}" if mark == "plain" else mark)
    return classes
