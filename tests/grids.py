"""Parameters of a test that are too many for `make test`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def grid(values: Iterable[Any], keep: int) -> list[Any]:
    """Return the values; all but `keep` of them, evenly spread, are marked `full` and run in `make test-full` only."""
    every = list(values)
    kept = {place * (len(every) - 1) // max(keep - 1, 1) for place in range(keep)}
    return [
        value if place in kept else pytest.param(value, marks=pytest.mark.full) for place, value in enumerate(every)
    ]
