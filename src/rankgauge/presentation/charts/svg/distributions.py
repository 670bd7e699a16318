"""Distributions as SVG: a histogram per run, and a strip with a line per query below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rankgauge.presentation.charts.chart import finite
from rankgauge.presentation.charts.distributions import Distribution, Distributions
from rankgauge.presentation.charts.svg.axes import horizontal, ticks_text
from rankgauge.presentation.charts.svg.curves import BOX
from rankgauge.presentation.charts.svg.elements import image, label, percent, tag, text, title
from rankgauge.presentation.charts.svg.marks import series_classes
from rankgauge.presentation.charts.svg.scales import Scale, inner_axis

ROW: Final = 74.0
TOP: Final = 18.0
BARS: Final = 34.0
STRIP: Final = 10.0
BINS: Final = 40


def distributions(chart: Distributions) -> str:
    """Draw the rows one below the other on a common axis."""
    height = max(1, len(chart.distributions)) * ROW
    axis = inner_axis(*chart.domain)
    x = Scale(axis.low, axis.high, 0.0, 1.0)
    ticks = list(zip(axis.ticks, ticks_text(chart, axis), strict=True))
    lines = [tag("line", x1=percent(x(t)), x2=percent(x(t)), y1=0, y2=height, class_="grid") for t in axis.ticks]
    counts = chart.counts(BINS)
    highest = max((max(row) for row in counts), default=1) or 1
    classes = series_classes([one.mark for one in chart.distributions])
    rows = [
        piece
        for number, (one, row, class_) in enumerate(zip(chart.distributions, counts, classes, strict=True))
        for piece in _row(chart, one, row, class_, x, number * ROW, highest)
    ]
    return image(chart, "distributions", height, [*lines, *rows, *horizontal(chart, ticks, x, height - 4)])


def _row(
    chart: Distributions, one: Distribution, counts: list[int], class_: str, x: Scale, top: float, highest: int
) -> Iterator[str]:
    known = finite(one.values)
    mean = sum(known) / len(known) if known else None
    yield label(one.label, 40, x="0", y=top + 12, class_=f"name {class_}")
    if mean is None:
        return
    yield text(f"mean {chart.write(mean)}", x="100%", y=top + 12, class_="tick end")
    step = 1000.0 / BINS
    low, high = chart.domain
    width = (high - low) / BINS
    bars = "".join(
        f"M{i * step + 1:.1f} 1000V{1000 - 1000 * n / highest:.0f}h{step - 2:.1f}V1000"
        for i, n in enumerate(counts)
        if n
    )
    yield tag("svg", tag("path", d=bars or "M0 0", class_=f"area {class_}"), **BOX, y=top + TOP, height=BARS)
    for number, count in enumerate(counts):  # nothing is seen of these but their tooltips
        shown = f"{count:,} from {chart.write(low + number * width)} to {chart.write(low + (number + 1) * width)}"
        yield tag(
            "rect",
            title(shown),
            x=percent(number / BINS),
            y=top + TOP,
            width=percent(1 / BINS),
            height=BARS,
            class_="hover",
        )
    places = sorted({round(x(value) * 1000, 0) for value in known})
    strip = "".join(f"M{place:.0f} 0V1000" for place in places)
    yield tag("svg", tag("path", d=strip, class_=f"strip {class_}"), **BOX, y=top + TOP + BARS + 3, height=STRIP)
    yield tag(
        "line",
        x1=percent(x(mean)),
        x2=percent(x(mean)),
        y1=top + TOP - 2,
        y2=top + TOP + BARS + STRIP + 5,
        class_="mean",
    )
