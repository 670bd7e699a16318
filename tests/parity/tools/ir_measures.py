"""ir_measures: `nDCG` with its default provider, and gdeval, the program of the TREC Web track that comes with it."""

from __future__ import annotations

import subprocess
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import ir_measures
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask for the values by query and the mean at once."""
    measure = ir_measures.nDCG if k is None else ir_measures.nDCG @ k
    # Whole grades have to be of the type int, or there is a TypeError.
    judgments = {query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()}
    printed: Any = ir_measures.calc([measure], judgments, case.ranking)
    values = {metric.query_id: float(metric.value) for metric in printed.per_query}
    return Printed(values, float(printed.aggregated[measure]))


def ask_gdeval(case: Case, k: int | None) -> Printed:
    """Run the program, since the library counts as 0 the topics that the program leaves out; this copy has no mean."""
    grades = [f"{query} 0 {item} {grade:g}" for query, items in case.judgments.items() for item, grade in items.items()]
    rows = [
        f"{query} Q0 {item} 1 {score!r} run" for query in case.ranking for item, score in case.ranking[query].items()
    ]
    with tempfile.TemporaryDirectory() as name, as_file(files(ir_measures) / "bin" / "gdeval.pl") as program:
        judgments, ranking = Path(name, "judgments"), Path(name, "ranking")
        judgments.write_text("\n".join(grades) + "\n", encoding="utf-8")
        ranking.write_text("\n".join(rows) + "\n", encoding="utf-8")
        command = ["perl", str(program), str(judgments), str(ranking), str(k)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = (line.split(",") for line in printed.splitlines()[1:])
    return Printed({query: float(value) for _, query, value, _ in lines}, None)


ADAPTERS = [
    Adapter(
        convention="ir_measures",
        package="ir_measures",
        ask=ask,
        refuses={"fractional grades": "a grade that is not an int is a TypeError"},
    ),
    Adapter(
        convention="gdeval",
        package="gdeval.pl",
        ask=ask_gdeval,
        refuses={
            "uncut": "the cutoff is a required argument",
            "fractional grades": "it stops with a format error",
            "high grades": "it stops with a format error at grades above 4",
        },
        # Five decimals are printed.
        within=5.1e-6,
        version=lambda: "1.2a",  # says a comment in the script
    ),
]
