"""Run the cases and write benchmarks/runs/<date>: raw.csv, summary.md, targets.md, charts and README.md.

Cold is the whole process, from its start to its end, or the first call where the input is in memory; the median of
several runs, contenders taking turns so that a noisy moment meets them all. Warm is a second evaluation in the same
process, where the contender is a library. Cases that are not run again keep their rows of the same day.
docs/benchmarks.md, and the overview in benchmarks/runs, are written anew from the newest rows of each case.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks import page
from benchmarks.cases import CASES, Case
from benchmarks.charts import overview
from benchmarks.raw_rows import Row, read_rows, write_rows
from benchmarks.report import write
from benchmarks.timed_process import measure


def run(case: Case, turns: int) -> list[Row]:
    contenders = case.contenders()
    rows = []
    for turn in range(turns):
        for contender in contenders:
            row = measure(case, contender, turn)
            print(f"{case.name:16} {turn + 1}/{turns} {contender.name:28} {row.cold_seconds:9.4f} s", flush=True)
            rows.append(row)
    return rows


def record(folder: Path, case: Case, rows: list[Row]) -> None:
    """Keep the rows at once, in place of earlier ones of that case: a later case may fail."""
    folder.mkdir(parents=True, exist_ok=True)
    earlier = [row for row in read_rows(folder / "raw.csv") if row.case != case.name]
    write_rows(folder / "raw.csv", [*earlier, *rows])


def choose(patterns: list[str]) -> list[Case]:
    """The cases of these names or patterns, in their order; all if there are none."""
    for pattern in patterns:
        if not any(fnmatchcase(case.name, pattern) for case in CASES):
            raise SystemExit(f"no case is called {pattern}; there are {', '.join(case.name for case in CASES)}")
    return [case for case in CASES if not patterns or any(fnmatchcase(case.name, pattern) for pattern in patterns)]


def main() -> None:
    names = ", ".join(case.name for case in CASES)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", help=f"which cases, such as 'frames-*'; default: all of {names}")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument(
        "--into", type=Path, help="another folder than benchmarks/runs/<date>; leaves docs/benchmarks.md alone"
    )
    arguments = parser.parse_args()
    folder = arguments.into or page.RUNS / dt.datetime.now(tz=dt.timezone.utc).date().isoformat()
    for case in choose(arguments.cases):
        record(folder, case, run(case, arguments.turns))
    # Charts come last: Linux counts the peak memory of a parent as that of its children.
    write(folder)
    if not arguments.into:
        overview(page.newest_results(), page.OVERVIEW)
        page.main()
    for name in ("summary.md", "targets.md"):
        sys.stdout.write((folder / name).read_text(encoding="utf-8") + "\n")


if __name__ == "__main__":
    main()
