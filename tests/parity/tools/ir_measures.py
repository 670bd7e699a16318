"""ir_measures: its measures with its default providers; and gdeval, the program of the TREC Web track in its wheel."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import ir_measures
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

# Ours → theirs.
CUT: Final = {"ndcg": "nDCG", "precision": "P", "map": "AP", "recall": "R", "success": "Success", "mrr": "RR"}
UNCUT: Final = {
    "r_precision": "Rprec",
    "bpref": "Bpref",
    "infap": "infAP",
    "set_map": "SetAP",
    "f": "SetF",
    "relative_precision": "SetP(relative=True)",
    "num_ret": "NumRet",
    "num_rel_ret": "NumRet(rel=1)",
    "rbp(rel=1)": "RBP(rel=1)",
    "rbp(rel=2,p=0.5)": "RBP(rel=2,p=0.5)",
    **{f"iprec(recall={n / 10})": f"IPrec@{n / 10}" for n in range(11)},
}
# Those that it asks pytrec_eval for only with a cutoff, or as a set.
NEED_CUTOFF: Final = {"precision": "SetP", "recall": "SetR"}
# It asks others than pytrec_eval for these, which order equal scores otherwise.
OTHERS: Final = ("mrr", "judged", "err", "rbp(rel=1)", "rbp(rel=2,p=0.5)")


def _ask(case: Case, k: int | None, *, name: str, measure: str) -> Printed:
    """Ask for the values by query and the mean at once."""
    name = NEED_CUTOFF.get(measure, name) if k is None else f"{name}@{k}"
    asked = ir_measures.parse_measure(name)
    # Whole grades have to be of the type int, or there is a TypeError.
    judgments = {query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()}
    printed: Any = ir_measures.calc([asked], judgments, case.ranking)
    values = {metric.query_id: float(metric.value) for metric in printed.per_query}
    return Printed(values, float(printed.aggregated[asked]))


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


FRACTIONAL: Final = {"fractional grades": "a grade that is not an int is a TypeError"}
TIES: Final = dict.fromkeys(("ties", "near ties"), "providers differ in how they order equal scores")


def _adapter(measure: str, name: str, refuses: Mapping[str, str], within: float = 1e-9) -> Adapter:
    return Adapter(
        convention="ir_measures",
        package="ir_measures",
        measure=measure,
        ask=functools.partial(_ask, name=name, measure=measure),
        refuses={**FRACTIONAL, **(TIES if measure in OTHERS else {}), **refuses},
        within=within,
    )


ADAPTERS = [
    *(
        _adapter(measure, name, {"uncut": "it has a cutoff"} if measure == "success" else {})
        for measure, name in CUT.items()
    ),
    *(_adapter(measure, name, {"cut": "it has no cutoff"}) for measure, name in UNCUT.items()),
    _adapter("judged", "Judged", {"uncut": "it has a cutoff"}),
    # Five decimals are printed.
    _adapter(
        "err",
        "ERR",
        {"uncut": "it has a cutoff", "high grades": "gdeval stops with a format error at grades above 4"},
        within=5.1e-6,
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
