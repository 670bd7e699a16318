"""Parameters and examples of tests that are too many for `make test`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import settings

_DIVISOR: Final = 5 if os.environ.get("HYPOTHESIS_PROFILE", "check") == "check" else 1


def examples(count: int) -> settings:
    """Return the setting of a property with so many examples; `make test` draws a fifth of them, but at least 20."""
    return settings(max_examples=max(count // _DIVISOR, 20))


def grid(values: Iterable[Any], keep: int) -> list[Any]:
    """Return the values; all but `keep` of them, evenly spread, are marked `full` and run in `make test-full` only."""
    every = list(values)
    kept = {number * (len(every) - 1) // max(keep - 1, 1) for number in range(keep)}
    return [
        value if number in kept else pytest.param(value, marks=pytest.mark.full) for number, value in enumerate(every)
    ]
