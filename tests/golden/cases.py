"""The worked examples of conventions.toml: data, a measure, and what each convention says, as an expression."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final, NamedTuple

import tomli

NAMES: Final = {"log2": math.log2, "round": round, "sum": sum, "range": range}


class Golden(NamedTuple):
    name: str
    judgments: dict[str, dict[str, float]]
    ranking: dict[str, dict[str, float]]
    measure: str
    values: dict[str, list[str]]


def _read() -> list[Golden]:
    text = (Path(__file__).parent / "conventions.toml").read_text(encoding="utf-8")
    cases: list[dict[str, Any]] = tomli.loads(text)["case"]
    return [Golden(**case) for case in cases]


def value_of(expression: str) -> float:
    """Return the number that an expression of the file stands for."""
    return float(eval(expression, {"__builtins__": {}, **NAMES}))  # noqa: S307 - a file of this repository


GOLDEN: Final = _read()
# The conventions that a worked example pins down.
WORKED: Final = frozenset(name for case in GOLDEN for names in case.values.values() for name in names)
