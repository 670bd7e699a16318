"""The charts of benchmarks, drawn from the newest rows of each case as text and bars that fit any width."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Final, NamedTuple

from benchmarks.cases import Case
from benchmarks.page import newest_results
from benchmarks.raw_rows import Summary
from benchmarks.targets import measured

IMAGE: Final = re.compile(r"^!\[([^\]]*)\]\([^)]*benchmarks/runs/(?:[^/]+/)?([a-z0-9-]+)\.svg\)$", re.MULTILINE)


class Bar(NamedTuple):
    """A line of a chart; `share` is the length of the bar, from 0 to 1."""

    label: str
    share: float
    value: str
    ours: bool = False


def with_charts(text: str) -> str:
    """Return a page with a chart for each of its images of a run of benchmarks."""
    return IMAGE.sub(lambda image: chart(image[2], image[1], _results()), text)


def chart(name: str, title: str, results: Mapping[str, tuple[Case, Mapping[str, Summary]]]) -> str:
    """Return the chart of a case, or of all of them for `overview`."""
    if name == "overview":
        groups = [_group(case.title, _times(case, summaries)) for case, summaries in results.values()]
        return _figure(title, "".join(groups))
    case, summaries = results[name]
    return _figure(title, _group(None, (_sizes if case.chart == "scale" else _seconds)(list(summaries.values()))))


@cache
def _results() -> dict[str, tuple[Case, Mapping[str, Summary]]]:
    return {case.name: (case, summaries) for case, summaries in newest_results()}


def _seconds(summaries: Sequence[Summary]) -> list[Bar]:
    longest = max(row.cold for row in summaries)
    ordered = sorted(summaries, key=lambda row: row.cold)
    return [Bar(row.contender, row.cold / longest, f"{row.cold:.3g} s", _is_ours(row.contender)) for row in ordered]


def _sizes(summaries: Sequence[Summary]) -> list[Bar]:
    """Seconds by rows: lengths are logarithmic, and the time of a row stands beside them."""
    ordered = sorted(summaries, key=lambda row: row.rows)
    least, most = math.log(ordered[0].cold / 2), math.log(ordered[-1].cold)
    return [
        Bar(
            f"{row.rows:,} rows",
            (math.log(row.cold) - least) / (most - least),
            f"{row.cold:.3g} s, {row.cold / row.rows * 1e9:.0f} ns a row, {row.peak:,.0f} MB",
            ours=True,
        )
        for row in ordered
    ]


def _times(case: Case, summaries: Mapping[str, Summary]) -> list[Bar]:
    """How many times longer the rivals take, on a logarithmic scale that ends at 1,000 times."""
    asked = [target for target in case.targets if target.kind == "faster" and target.column == "cold"]
    several = len({target.ours for target in asked}) > 1
    measurements = [(target, measured(target, summaries)) for target in asked]
    ordered = sorted(((target, times) for target, times in measurements if times is not None), key=lambda pair: pair[1])
    return [
        Bar(
            f"{target.rival} / {target.ours or next(iter(summaries))}" if several else target.rival,
            max(math.log10(times) / 3, 0),
            f"{times:.3g}×",
        )
        for target, times in ordered
    ]


def _is_ours(contender: str) -> bool:
    return contender.startswith("rankgauge")


def _group(title: str | None, bars: Sequence[Bar]) -> str:
    if not bars:
        return ""
    heading = f'<div class="bars-title">{escape(title)}</div>' if title else ""
    return heading + "".join(_line(bar) for bar in bars)


def _line(bar: Bar) -> str:
    kind = "bar ours" if bar.ours else "bar"
    drawn = f'<span class="{kind}" style="width: {min(bar.share, 1) * 100:.1f}%"></span>'
    return (
        f'<div class="bars-line"><span class="bars-label">{escape(bar.label)}</span>'
        f'<span class="bars-room">{drawn}<span class="bars-value">{escape(bar.value)}</span></span></div>'
    )


def _figure(title: str, content: str) -> str:
    return f'<figure class="bars">{content}<figcaption>{escape(title)}</figcaption></figure>'
