"""trec_eval 10: the program itself, whose path is in the environment variable TREC_EVAL.

It is no Python package, so "trec_eval" names no distribution: `trec_eval --version` tells the version.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def _write(folder: Path, case: Case) -> tuple[str, str]:
    judgments, ranking = folder / "judgments", folder / "ranking"
    grades = [f"{query} 0 {item} {grade:g}" for query, items in case.judgments.items() for item, grade in items.items()]
    # The column of the rank is filled, and ignored: scores order the items.
    rows = [
        f"{query} Q0 {item} 1 {score!r} run" for query in case.ranking for item, score in case.ranking[query].items()
    ]
    judgments.write_text("\n".join(grades) + "\n", encoding="utf-8")
    ranking.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(judgments), str(ranking)


def ask(case: Case, k: int | None) -> Printed:
    """Ask as its users do, with files; the last line, `all`, is the mean."""
    measure = "ndcg" if k is None else f"ndcg_cut.{k}"
    with tempfile.TemporaryDirectory() as folder:
        files = _write(Path(folder), case)
        command = [os.environ["TREC_EVAL"], "-q", "-m", measure, *files]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    values = {query: float(value) for _, query, value in (line.split() for line in printed.splitlines())}
    mean = values.pop("all")
    return Printed(values, mean)


def version() -> str:
    """Return what the program says of itself."""
    printed = subprocess.run([os.environ["TREC_EVAL"], "--version"], check=False, capture_output=True, text=True)
    return (printed.stdout + printed.stderr).split()[-1]


ADAPTERS = [
    Adapter(
        convention="trec_eval",
        package="trec_eval",
        ask=ask,
        refuses={"missing queries": "without -c it exits with code 4"},
        # Four decimals are printed.
        within=5.1e-5,
        version=version,
    )
]
