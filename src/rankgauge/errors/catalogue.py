"""All problems, by code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors import comparisons, data, files, requests, signals, tables
from rankgauge.errors.problem import Problem

PROBLEMS: Final[Mapping[str, Problem]] = {
    **requests.PROBLEMS,
    **data.PROBLEMS,
    **comparisons.PROBLEMS,
    **tables.PROBLEMS,
    **signals.PROBLEMS,
    **files.PROBLEMS,
}
