"""Options of graders, checked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from numbers import Real
from typing import TypeGuard

from rankgauge.errors import RankgaugeError


def is_number(got: object) -> TypeGuard[float]:
    """Whether it is a number of any class, and not True or False.

    >>> is_number(2), is_number(True), is_number("2")
    (True, False, False)
    """
    return isinstance(got, Real) and not isinstance(got, bool)


def is_finite(got: object) -> TypeGuard[float]:
    """Whether it is a finite number of any class.

    >>> is_finite(2), is_finite(float("inf"))
    (True, False)
    """
    return is_number(got) and bool(got - got == 0)


def rising(field: str, numbers: object, example: str) -> tuple[float, ...]:
    """Return finite numbers that rise, at least one, or raise.

    >>> rising("thresholds", [-0.02, 0, 0.02], "[1, 2]")
    (-0.02, 0.0, 0.02)
    """
    is_list = isinstance(numbers, Iterable) and not isinstance(numbers, str | bytes)
    cuts: tuple[float, ...] = tuple(numbers) if is_list else ()  # type: ignore[arg-type]
    if not cuts or not all(map(is_finite, cuts)) or any(lower >= higher for lower, higher in pairwise(cuts)):
        raise bad(field, "finite numbers that rise, at least one", numbers, f"such as {example}")
    return tuple(map(float, cuts))


def bad(field: str, expected: str, got: object, hint: str) -> RankgaugeError:
    """Return the error of an option that makes no sense."""
    return RankgaugeError("bad-number", field=field, expected=expected, got=got, hint=hint)
