"""Ask tools, keep what they said, and compare it with what rankgauge says under the convention of their name."""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.parity import tools
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import CUTOFFS, Case, all_cases, traits

if TYPE_CHECKING:
    from rankgauge.conventions import Convention

RECORDED: Final = Path(__file__).parent / "recorded"


@dataclass(frozen=True)
class Proof:
    """What a tool said about cases, and how near rankgauge must come."""

    convention: str
    package: str
    version: str
    within: float
    refuses: Mapping[str, str]
    answers: Sequence[tuple[Case, int | None, Printed]]
    measure: str = "ndcg"


def modules() -> list[str]:
    """Return the names of all adapter modules."""
    return sorted(module.name for module in pkgutil.iter_modules(tools.__path__))


def adapters(module: str) -> list[Adapter]:
    """Return the adapters of a module, which imports its tool."""
    listed: list[Adapter] = importlib.import_module(f"tests.parity.tools.{module}").ADAPTERS
    return listed


def ask(adapter: Adapter, cases: Sequence[Case]) -> Proof:
    """Ask a tool about all that it can be asked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tool's own affair
        asked = ((case, k) for case in cases for k in CUTOFFS if not traits(case, k) & adapter.refuses.keys())
        answers = [(case, k, adapter.ask(case, k)) for case, k in asked]
    release = adapter.version() if adapter.version else version(adapter.package)
    return Proof(
        adapter.convention, adapter.package, release, adapter.within, adapter.refuses, answers, adapter.measure
    )


def record(proof: Proof, folder: Path = RECORDED) -> None:
    """Keep what a tool said, as text of which each line is an answer."""
    head = {
        "convention": proof.convention,
        "package": proof.package,
        "version": proof.version,
        "within": proof.within,
        "refuses": dict(proof.refuses),
    }
    lines = [json.dumps(head)]
    for case, k, printed in proof.answers:
        per_query = {query: _short(value) for query, value in (printed.per_query or {}).items()}
        answer = [case.name, k, None if printed.per_query is None else per_query, _short(printed.mean)]
        lines.append(json.dumps(answer, separators=(",", ":")))
    folder.mkdir(exist_ok=True)
    path = folder / f"{proof.convention}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _short(value: float | None) -> float | None:
    """Twelve digits are more than any comparison looks at."""
    return None if value is None or math.isnan(value) else float(f"{value:.12g}")


def recall(convention: str, folder: Path = RECORDED) -> Proof | None:
    """Return what was recorded of a tool, or None."""
    path = folder / f"{convention}.jsonl"
    if not path.exists():
        return None
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    head: dict[str, Any] = json.loads(first)
    cases = {case.name: case for case in all_cases()}
    answers = [(cases[name], k, Printed(per_query, mean)) for name, k, per_query, mean in map(json.loads, lines)]
    return Proof(**head, answers=answers)


def disagreements(proof: Proof, convention: Convention) -> Iterator[str]:
    """Yield where rankgauge says something else than the tool."""
    for case, k, printed in proof.answers:
        measure = proof.measure if k is None else f"{proof.measure}@{k}"
        if not traits(case, k) & convention.undefined.keys():
            for what, theirs, ours in _pairs(case, measure, printed, convention):
                if not _equal(theirs, ours, proof.within):
                    yield f"{case.name}, {measure}, {what}: {proof.package} says {theirs}, rankgauge {ours}"


def comparisons(proof: Proof, convention: Convention) -> int:
    """Return how many numbers are compared."""
    asked = [(case, printed) for case, k, printed in proof.answers if not traits(case, k) & convention.undefined.keys()]
    return sum(len(printed.per_query or ()) + (printed.mean is not None) for _, printed in asked)


def _pairs(
    case: Case, measure: str, printed: Printed, convention: Convention
) -> Iterator[tuple[str, float | None, float | None]]:
    import rankgauge as rg

    result = rg.evaluate(case.judgments, case.ranking, measure, convention=convention)
    if printed.per_query is not None:
        ours = result.per_query[measure]
        for query in sorted(printed.per_query.keys() | ours.keys()):
            yield f"query {query}", printed.per_query.get(query), ours.get(query)
    if printed.mean is not None:
        yield "mean", printed.mean, result[measure]


def _equal(theirs: float | None, ours: float | None, within: float) -> bool:
    if theirs is None or ours is None:
        return theirs is ours
    if math.isnan(theirs) or math.isnan(ours):
        return math.isnan(theirs) and math.isnan(ours)
    return abs(theirs - ours) <= within
