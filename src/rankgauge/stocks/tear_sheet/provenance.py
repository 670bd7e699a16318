"""The last section: how a page about a study was made."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

import numpy as np

from rankgauge import _core
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import Definitions, FoldedParts
from rankgauge.reports.provenance import convention_answers

if TYPE_CHECKING:
    from rankgauge.conventions import Convention
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.remarks import Remark


def made_parts(convention: Convention, command: str, remarks: tuple[Remark, ...]) -> list[ReportPart]:
    """Return the command, the versions, the convention and all remarks."""
    rows = (
        ("command", command),
        ("rankgauge", _core.VERSION),
        ("Python", f"{platform.python_version()}, numpy {np.__version__}, {platform.system()} {platform.machine()}"),
    )
    return [
        Heading("How it was made", "The same inputs and versions give this file again, byte for byte."),
        Definitions(rows),
        FoldedParts(f"The convention in full: {convention}", (Definitions(tuple(convention_answers(convention))),)),
        *remarks,
    ]
