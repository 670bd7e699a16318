"""docs/benchmarks.md, written from the rows of the newest run: `make bench` and `make docs` write it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.charts import unit
from benchmarks.report import Results, results_of, summary_table

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
GENERATED = "<!-- Written by benchmarks/page.py from the newest run: change that, then run `make docs`. -->"


def page(folder: Path) -> str:
    """Return the page of a run: the overview, then a chart and a table per case."""
    return "\n\n".join(_parts(folder, results_of(folder))) + "\n"


def _parts(folder: Path, results: Results) -> Iterator[str]:
    path = f"../{folder.relative_to(ROOT).as_posix()}"
    yield "# Benchmarks"
    yield GENERATED
    yield (
        f"Measured by `make bench` on {folder.name}; [how]({path}/README.md) has the machine and the versions.\n"
        f"[Targets]({path}/targets.md) says what was asked of each case and whether it was met;\n"
        f"[all medians]({path}/summary.md) and [every run]({path}/raw.csv) are there, too. Read the ratios\n"
        "within a case: seconds are those of that machine."
    )
    yield (
        "Cold is the whole process where files are read, and the first call where the input is in memory already. The\n"
        "column `value` shows that the work was the same; programs that only read show the sum of the scores."
    )
    yield "## How many times longer others take"
    yield f"![How many times slower others are than rankgauge, by case; logarithmic]({path}/overview.svg)"
    for case, summaries in results:
        yield f"## {case.title}"
        yield f"![{case.title}: {unit(case)}, cold]({path}/{case.name}.svg)"
        yield summary_table(case, summaries).to_markdown()


def newest() -> Path:
    """Return the folder of the newest run, or of an earlier one that has more cases."""
    folders = (path.parent for path in (ROOT / "benchmarks" / "runs").glob("*/raw.csv"))
    return max(folders, key=lambda folder: (len(results_of(folder)), folder))


def main() -> None:
    PAGE.write_text(page(newest()), encoding="utf-8")


if __name__ == "__main__":
    main()
