"""What a run leaves behind beside raw.csv: summary.md, targets.md, a chart per case, overview.svg, README.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from benchmarks.cases import CASES, Case
from benchmarks.charts import draw, overview
from benchmarks.raw_rows import Row, Summary, read_rows, summarise
from benchmarks.targets import Outcome, outcome
from rankgauge.presentation.table import Cell, Table

PACKAGES = (
    "rankgauge",
    "duckdb",
    "lightgbm",
    "numpy",
    "pandas",
    "polars",
    "pyspark",
    "pytrec_eval-terrier",
    "ranx",
    "rectools",
    "scikit-learn",
    "scipy",
    "xgboost-cpu",
)

Results = list[tuple[Case, dict[str, Summary]]]


def write(folder: Path) -> Results:
    """Write everything anew from raw.csv."""
    results = results_of(folder)
    for case, summaries in results:
        draw(case, summaries, folder / f"{case.name}.svg")
    overview(results, folder / "overview.svg")
    texts = [summary_table(case, summaries).to_markdown() for case, summaries in results]
    (folder / "summary.md").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    (folder / "targets.md").write_text(targets_table(results).to_markdown() + "\n", encoding="utf-8")
    (folder / "README.md").write_text(about(read_rows(folder / "raw.csv")), encoding="utf-8")
    return results


def results_of(folder: Path) -> Results:
    """The cases of a run, each with its medians."""
    rows = read_rows(folder / "raw.csv")
    results = [(case, summarise(row for row in rows if row.case == case.name)) for case in CASES]
    return [(case, summaries) for case, summaries in results if summaries]


def summary_table(case: Case, summaries: Mapping[str, Summary]) -> Table:
    """A row per contender: medians, the ratio to ours, and the value that shows that the work was the same."""
    ours = next(iter(summaries.values())).cold
    lines: list[list[Cell]] = [
        [row.contender, row.cold, row.cold / ours, row.warm, round(row.peak), _rounded(row.beyond), row.value]
        for row in summaries.values()
    ]
    return Table([case.title, "cold s", "× ours", "warm s", "peak MB", "beyond input MB", "value"], lines)


def _rounded(megabytes: float | None) -> int | None:
    return None if megabytes is None else round(megabytes)


def targets_table(results: Results) -> Table:
    lines = [[case.name, *outcome(target, summaries)] for case, summaries in results for target in case.targets]
    return Table(["case", *Outcome._fields], lines)


def about(rows: list[Row]) -> str:
    turns = sorted({sum(row.contender == other.contender for row in rows if row.case == other.case) for other in rows})
    runs = " to ".join(str(count) for count in sorted({turns[0], turns[-1]}))
    lines = [
        "# How this was measured",
        "",
        f"`make bench`; medians of {runs} runs, contenders taking turns. Ratios within a case are what to read.",
        "`other_cores` in `raw.csv` is how many cores other work kept busy meanwhile, `commit` what was measured.",
        "",
        f"- {platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        *(f"- {name} {version(name)}" for name in PACKAGES),
        *(["- trec_eval, the program that `TREC_EVAL` names"] if os.environ.get("TREC_EVAL") else []),
        "- data: `benchmarks/datasets`, made from seeds",
        "- contenders: `benchmarks/peers`; how each is timed is said there",
        "",
        "Cold is the whole process where files are read, and the first call where the input is in memory already; warm",
        "is a second evaluation in the same process. `beyond input` is the peak less the mapped file, or less what the",
        "process held before the first call. No peak below that of the runner itself, some 25 MB, can be seen.",
        "On Spark, seconds are CPU seconds of the driver, Java and the workers, warm is the least of up to twelve",
        "more evaluations, and the peak is that of the driver alone.",
        "",
        "`summary.md` has the medians, `targets.md` what was asked and whether it was met, `raw.csv` every run. The",
        "column `value` shows that the work was the same; programs that only read show the sum of the scores,",
        "those that only move rows how many there were, or 0.",
    ]
    return "\n".join(lines) + "\n"
