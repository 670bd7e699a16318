"""Run the cases and write benchmarks/runs/<date>: raw.csv, summary.md, a chart per case and README.md.

Cold is the whole process, from its start to its end, the median of several runs, contenders taking turns so that a
noisy moment meets them all; warm is a second evaluation in the same process, where the contender is a library.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cases import CASES, Case, Contender
from rankgauge.tables import Cell, Table

RUNS = Path(__file__).parent / "runs"
README = Path(__file__).parents[1] / "README.md"
MARK = "<!-- written by `make bench` -->"


class Row(NamedTuple):
    case: str
    contender: str
    turn: int
    cold_seconds: float
    warm_seconds: float | None
    peak_megabytes: float
    value: float


def measure(case: Case, contender: Contender, turn: int) -> Row:
    """Run a contender once; the peak is of the process itself, mapped files included."""
    start = time.perf_counter()
    process = subprocess.Popen(contender.command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{contender.name} failed with exit code {process.returncode}")
    result: dict[str, Any] = json.loads(output) if output.startswith("{") else {"value": float(output.split()[-1])}
    value = result["means"]["ndcg@10"] if "means" in result else result["value"]
    warm = result.get("warm")
    # A process that evaluates twice has run longer by that second time.
    return Row(case.name, contender.name, turn, seconds - (warm or 0.0), warm, usage.ru_maxrss / 1024, value)


def run(cases: list[Case], turns: int) -> list[Row]:
    rows = []
    for case in cases:
        contenders = case.contenders()
        for turn in range(turns):
            for contender in contenders:
                row = measure(case, contender, turn)
                print(f"{case.name:12} {turn + 1}/{turns} {contender.name:32} {row.cold_seconds:8.3f} s", flush=True)
                rows.append(row)
    return rows


def summarise(case: Case, rows: list[Row]) -> Table:
    """A row per contender: medians, the ratio to ours, and the value that shows that the work was the same."""
    names = list(dict.fromkeys(row.contender for row in rows))
    lines: list[list[Cell]] = []
    ours = statistics.median(row.cold_seconds for row in rows if row.contender == names[0])
    for name in names:
        own = [row for row in rows if row.contender == name]
        cold = statistics.median(row.cold_seconds for row in own)
        warms = [row.warm_seconds for row in own if row.warm_seconds is not None]
        peak = max(row.peak_megabytes for row in own)
        warm = statistics.median(warms) if warms else None
        lines.append([name, cold, cold / ours, warm, round(peak), own[0].value])
    return Table([case.title, "cold s", "× ours", "warm s", "peak MB", "value"], lines)


def chart(case: Case, table: Table, path: Path) -> None:
    """A bar per contender, shortest first."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "rankgauge"
    from matplotlib import pyplot as plt

    rows = sorted(table.rows, key=lambda row: -float(row[1] or 0.0))
    figure, axes = plt.subplots(figsize=(8, 0.45 * len(rows) + 0.9))
    colours = ["#0f766e" if str(row[0]).startswith("rankgauge") else "#94a3b8" for row in rows]
    bars = axes.barh([str(row[0]) for row in rows], [float(row[1] or 0.0) for row in rows], color=colours)
    axes.bar_label(bars, labels=[f"{float(row[1] or 0.0):.2f} s" for row in rows], padding=4)
    axes.set_title(f"{case.title}, seconds", loc="left", fontsize=10)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.tick_params(bottom=False, labelbottom=False)
    axes.margins(x=0.12)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def write(cases: list[Case], rows: list[Row], turns: int) -> Path:
    folder = RUNS / dt.datetime.now(tz=dt.timezone.utc).date().isoformat()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "raw.csv").write_text(Table(Row._fields, rows).to_csv(), encoding="utf-8")
    summaries = []
    for case in cases:
        table = summarise(case, [row for row in rows if row.case == case.name])
        summaries.append(table.to_markdown())
        chart(case, table, folder / f"{case.name}.svg")
    (folder / "summary.md").write_text("\n\n".join(summaries) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(about(turns), encoding="utf-8")
    return folder


def update_readme(folder: Path) -> None:
    """Put the first case into the README: its chart, its table, and where they come from."""
    first = CASES[0]
    path = folder.relative_to(README.parent)
    table = (folder / "summary.md").read_text(encoding="utf-8").split("\n\n")[0].strip()
    chart_line = f"![{first.title}: seconds from process start to end]({path}/{first.name}.svg)"
    lines = [
        MARK,
        "",
        chart_line,
        "",
        table,
        "",
        f"Measured by `make bench` on {os.cpu_count()} cores; [how, and every run]({path}).",
        "",
    ]
    before, _, after = README.read_text(encoding="utf-8").split(MARK)
    README.write_text(before + "\n".join([*lines, MARK]) + after, encoding="utf-8")


def about(turns: int) -> str:
    packages = ("rankgauge", "pytrec_eval-terrier")
    lines = [
        "# How this was measured",
        "",
        f"`make bench` on a machine that did little else; medians of {turns} runs, contenders taking turns.",
        "Ratios within this run are what to read.",
        "",
        f"- {platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        *(f"- {name} {version(name)}" for name in packages),
        *(["- trec_eval, the program that `TREC_EVAL` names"] if os.environ.get("TREC_EVAL") else []),
        "- data: `benchmarks/data.py`, made from a seed",
        "",
        "`summary.md` has the medians, `raw.csv` every run. The column `value` shows that the work was the same.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "cases", nargs="*", help=f"which cases: {', '.join(case.name for case in CASES)}; all unless said"
    )
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    chosen = [case for case in CASES if not arguments.cases or case.name in arguments.cases]
    rows = run(chosen, arguments.turns)
    folder = write(chosen, rows, arguments.turns)
    if not arguments.cases:
        update_readme(folder)
    sys.stdout.write((folder / "summary.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
