"""Sums in the order of their terms, compensated for what rounding loses where the terms are many.

>>> sum_in_order([0.1] * 150_000), sum_in_order([0.1] * 10)
(15000.0, 0.9999999999999999)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

# Sums of more terms are compensated.
MANY: Final = 100_000


class LongSum:
    """A sum, and what rounding has lost of it (Neumaier 1974)."""

    def __init__(self) -> None:
        self._sum = self._lost = 0.0
        self._terms = 0

    def add(self, term: float) -> None:
        """Add a number."""
        following = self._sum + term
        if abs(self._sum) >= abs(term):
            self._lost += (self._sum - following) + term
        else:
            self._lost += (term - following) + self._sum
        self._sum = following
        self._terms += 1

    @property
    def value(self) -> float:
        """The sum; with what it lost if it has many terms."""
        return self._sum + self._lost if self._terms > MANY and math.isfinite(self._sum) else self._sum


def sum_in_order(numbers: Iterable[float]) -> float:
    """Add from the first to the last, as every engine does; `sum` differs between versions of Python."""
    total = LongSum()
    for number in numbers:
        total.add(number)
    return total.value
