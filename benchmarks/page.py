"""docs/benchmarks.md, written from the newest rows of each case: `make bench` and `make docs` write it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.cases import CASES
from benchmarks.charts import unit
from benchmarks.report import Results, results_of, summary_table

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "benchmarks" / "runs"
PAGE = ROOT / "docs" / "benchmarks.md"
OVERVIEW = RUNS / "overview.svg"
GENERATED = (
    "<!-- Written by benchmarks/page.py from the newest rows of each case: change that, then run `make docs`. -->"
)


def page() -> str:
    """Return the page: the overview, then a chart and a table per case."""
    return "\n\n".join(_parts(newest_folders(), newest_results())) + "\n"


def _parts(folders: dict[str, Path], results: Results) -> Iterator[str]:
    yield "# Benchmarks"
    yield GENERATED
    yield (
        "Measured by `make bench`; each case has the rows of its newest run. Targets says what was asked of each case\n"
        "and whether it was met. Read the ratios within a case: seconds are those of that machine."
    )
    yield "\n".join(_run(folder) for folder in sorted(set(folders.values()), reverse=True))
    yield (
        "Cold is the whole process where files are read, and the first call where the input is in memory already. The\n"
        "column `value` shows that the work was the same; programs that only read show the sum of the scores."
    )
    yield "## How many times longer others take"
    yield f"![How many times slower others are than rankgauge, by case; logarithmic]({_link(OVERVIEW)})"
    for case, summaries in results:
        folder = folders[case.name]
        yield f"## {case.title}"
        yield f"![{case.title}: {unit(case)}, {case.drawn}]({_link(folder / f'{case.name}.svg')})"
        yield summary_table(case, summaries).to_markdown()
        yield f"Run of {folder.name}."


def _run(folder: Path) -> str:
    """Return where the files of a run are."""
    names = {"machine and versions": "README.md", "targets": "targets.md", "medians": "summary.md", "rows": "raw.csv"}
    links = ", ".join(f"[{text}]({_link(folder / name)})" for text, name in names.items())
    return f"- {folder.name}: {links}"


def _link(path: Path) -> str:
    return f"../{path.relative_to(ROOT).as_posix()}"


def newest_folders() -> dict[str, Path]:
    """Return case → the folder of the newest run that has rows of it."""
    folders = sorted(path.parent for path in RUNS.glob("*/raw.csv"))
    return {case.name: folder for folder in folders for case, _ in results_of(folder)}


def newest_results() -> Results:
    """Return the cases, in their order, with the medians of their newest run."""
    folders = newest_folders()
    results = [(folder, case, rows) for folder in sorted(set(folders.values())) for case, rows in results_of(folder)]
    chosen = {case.name: (case, rows) for folder, case, rows in results if folders[case.name] == folder}
    return [chosen[case.name] for case in CASES if case.name in chosen]


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
