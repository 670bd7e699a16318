"""The last section: how the report was made."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankgauge import _core
from rankgauge.conventions import QUESTIONS
from rankgauge.conventions.convention import Convention
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import Definitions, FoldedParts, ReportPart
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge.reports.runs import ReportedRuns

_BLOCK: Final = 1 << 20


def made_parts(runs: ReportedRuns, command: str, remarks: tuple[Remark, ...]) -> list[ReportPart]:
    """Return what made the report: command, versions, convention, inputs, and all remarks."""
    convention = runs.request.effective
    rows = (
        ("command", command),
        ("rankgauge", _core.VERSION),
        ("Python", f"{platform.python_version()}, numpy {_numpy_version()}, {platform.system()} {platform.machine()}"),
        ("request", runs.request.text),
        *_inputs(runs),
    )
    return [
        Heading("How it was made", "The same inputs and versions give this file again, byte for byte."),
        Definitions(rows),
        FoldedParts(f"The convention in full: {convention}", (Definitions(tuple(convention_answers(convention))),)),
        *remarks,
    ]


def _numpy_version() -> str:
    import numpy as np

    return np.__version__


def convention_answers(convention: Convention) -> Iterator[tuple[str, str]]:
    """Yield every question that a convention answers, with the answer."""
    yield ("name", str(convention))
    yield ("summary", convention.summary)
    for field, question in QUESTIONS.items():
        answer = convention[field]
        meaning = question.answers.get(str(answer), "") if question.answers else ""
        yield (field.replace("_", " "), f"{answer}: {meaning}" if meaning else str(answer))
    for name, text in (("reproduces", convention.reproduces), ("source", convention.source), ("cite", convention.cite)):
        if text:
            yield (name, text)


def _inputs(runs: ReportedRuns) -> Iterator[tuple[str, str]]:
    """Yield each file that was read with its size and SHA-256, or a note on an input that was no file."""
    kept = [(name, runs.inputs.get(name)) for name in runs.names]
    first = next((inputs for _, inputs in kept if inputs is not None), None)
    yield ("judgments", _file(first.sources[0], "an object in memory") if first else "not at hand")
    for name, inputs in kept:
        yield (f"run {name}", _file(inputs.sources[1], inputs.ranking.origin) if inputs else "not at hand")


def _file(path: str | None, otherwise: str) -> str:
    if path is None or not Path(path).is_file():
        return path or otherwise
    return f"{path}, {os.path.getsize(path):,} bytes, SHA-256 {_sha256(path)}"  # noqa: PTH202 - a path as it was typed


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
