"""Charts: a bar per contender, seconds or megabytes against rows, and the overview of all cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.cases import Case
from benchmarks.raw_rows import Summary
from benchmarks.targets import measured

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS, THEIRS, TEXT = "#0f766e", "#94a3b8", "#334155"


class Bar(NamedTuple):
    label: str
    times: float


def draw(case: Case, summaries: Mapping[str, Summary], path: Path) -> None:
    (scale if case.chart == "scale" else bars)(case, list(summaries.values()), path)


def bars(case: Case, summaries: Sequence[Summary], path: Path) -> None:
    """A bar per contender, shortest first."""
    rows = sorted(summaries, key=lambda row: -drawn_value(case, row))
    values = [drawn_value(case, row) for row in rows]
    figure, axes = plot(8, 0.45 * len(rows) + 0.9)
    colours = [OURS if row.contender.startswith("rankgauge") else THEIRS for row in rows]
    drawn = axes.barh([row.contender for row in rows], values, color=colours)
    labels = [f"{value:,.0f} MB" if case.drawn == "peak" else f"{value:.3g} s" for value in values]
    axes.bar_label(drawn, labels=labels, padding=4)
    axes.set_title(f"{case.title}, {unit(case)}", loc="left", fontsize=10)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.tick_params(bottom=False, labelbottom=False)
    axes.margins(x=0.12)
    save(figure, path)


def scale(case: Case, summaries: Sequence[Summary], path: Path) -> None:
    """Seconds of first and second calls, or the peak of memory, against what grows, and a line of slope 1."""
    rows = sorted(summaries, key=lambda row: row.rows)
    sizes = [row.rows for row in rows]
    heights = [drawn_value(case, row) for row in rows]
    figure, axes = plot(8, 4.2)
    axes.loglog(sizes, heights, color=OURS, marker="o", label="first call" if case.drawn == "cold" else None)
    warm = [(row.rows, row.warm) for row in rows if row.warm is not None]
    if case.drawn == "cold" and warm:
        axes.loglog(*zip(*warm, strict=True), color=OURS, marker="o", markersize=3, alpha=0.5, label="second call")
    linear = [heights[-1] * size / sizes[-1] for size in sizes]
    axes.loglog(sizes, linear, color=THEIRS, linestyle="--", linewidth=1, label="slope 1")
    axes.legend(frameon=False, fontsize=9)
    for row, height in zip(rows, heights, strict=True):
        label, point = f"{row.cold / row.rows * 1e9:,.0f} ns each, {row.peak:,.0f} MB", (row.rows, height)
        axes.annotate(label, point, xytext=(8, -12), textcoords="offset points", color=TEXT, fontsize=9)
    axes.set_title(f"{case.title}: {unit(case)} by {case.axis}", loc="left", fontsize=10)
    axes.set_xlabel(case.axis)
    axes.set_ylabel(unit(case))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#e2e8f0", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.2, y=0.12)
    save(figure, path)


def drawn_value(case: Case, row: Summary) -> float:
    """Return the seconds of a first call, or the peak of memory, whichever a chart shows."""
    return row.peak if case.drawn == "peak" else row.cold


def unit(case: Case) -> str:
    """What a chart shows."""
    return "peak of memory in MB" if case.drawn == "peak" else "seconds"


def overview(results: Sequence[tuple[Case, Mapping[str, Summary]]], path: Path) -> None:
    """How many times longer each rival takes, by case."""
    groups = [(case, rivals(case, summaries)) for case, summaries in results]
    groups = [(case, bars) for case, bars in groups if bars]
    if not groups:
        return
    height = sum(len(bars) + 1.5 for _, bars in groups)
    figure, axes = plot(8.4, 0.27 * height + 0.7)
    top = 0.0
    for case, bars in groups:
        draw_group(axes, top, case.title, bars)
        top += len(bars) + 1.5
    finish_overview(axes, top, min(bar.times for _, bars in groups for bar in bars))
    save(figure, path)


def draw_group(axes: Axes, top: float, title: str, bars: Sequence[Bar]) -> None:
    """A title over the bars of a case; labels stand left of the axis."""
    left = axes.get_yaxis_transform()
    white = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    axes.text(-0.36, top, title, transform=left, va="center", fontsize=9, fontweight="bold", color=TEXT, bbox=white)
    for row, bar in enumerate(bars, start=1):
        axes.barh(top + row, bar.times - 1, left=1, color=OURS if bar.times < 1 else THEIRS, height=0.78)
        axes.text(-0.015, top + row, bar.label, transform=left, ha="right", va="center", fontsize=9, color=TEXT)
        axes.annotate(
            f"{bar.times:.3g}×",
            (max(bar.times, 1.0), top + row),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=TEXT,
        )


def rivals(case: Case, summaries: Mapping[str, Summary]) -> list[Bar]:
    """The rivals that rankgauge is asked to be faster than, quickest first."""
    asked = [target for target in case.targets if target.kind == "faster" and target.column == "cold"]
    ratios = [(target.rival, measured(target, summaries)) for target in asked]
    return sorted((Bar(name, times) for name, times in ratios if times is not None), key=lambda bar: bar.times)


def finish_overview(axes: Axes, end: float, least: float) -> None:
    axes.set_xscale("log")
    axes.axvline(1, color=OURS, linewidth=1.5)
    axes.set_ylim(end - 0.8, -1.0)
    axes.set_xlim(left=min(1.0, least * 0.9), right=axes.get_xlim()[1] * 1.6)
    axes.xaxis.set_major_formatter(lambda times, _: f"{times:g}×")
    axes.set_yticks([])
    axes.set_xlabel("times slower than rankgauge", color=TEXT)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="#e2e8f0", linewidth=0.6)
    axes.set_axisbelow(True)


def plot(width: float, height: float) -> tuple[Figure, Axes]:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "rankgauge"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(width, height))
    return figure, axes


def save(figure: Any, path: Path) -> None:  # noqa: ANN401 - matplotlib is not there when types are checked
    from matplotlib import pyplot as plt

    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
