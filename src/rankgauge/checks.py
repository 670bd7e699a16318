"""Checks of what callers pass in: numbers, choices and lists of numbers, with the error that each raises."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from numbers import Real
from operator import index
from typing import Final, TypeGuard

from rankgauge.errors import RankgaugeError, nearest


def is_number(value: object) -> TypeGuard[float]:
    """Return whether this is a real number of any class; True and False are not.

    >>> is_number(2), is_number(True), is_number("2")
    (True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool)


def is_finite(value: object) -> TypeGuard[float]:
    """Return whether this is a finite number of any class.

    >>> is_finite(2), is_finite(float("inf")), is_finite(10**400)
    (True, False, False)
    """
    try:
        return is_number(value) and math.isfinite(value)
    except OverflowError:  # an int above the largest float
        return False


def as_whole(value: object) -> int | None:
    """Return a whole number of any class as an int, and None for anything else.

    >>> as_whole(3), as_whole(3.0), as_whole(True)
    (3, None, None)
    """
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole_number(field: str, got: object, least: int, most: int = 2**63 - 1) -> int:
    """Return a whole number of any class as an int; raise unless it is from `least` to `most`.

    >>> whole_number("depth", 10, 1)
    10
    """
    number = as_whole(got)
    if number is None or not least <= number <= most:
        above = number is not None and number > most
        expected = f"a whole number of at most {most:,}" if above else f"a whole number of at least {least}"
        raise bad_number(field, expected, got, f"such as {max(least, 10)}")
    return number


def require_whole_or(field: str, got: object, known: range, others: tuple[object, ...], hint: str) -> None:
    """Raise unless `got` is a whole number in the range `known`, or one of the `others`."""
    number = as_whole(got)
    if (number is None or number not in known) and got not in others:
        expected = " or ".join([f"a whole number from {known[0]} to {known[-1]:,}", *map(repr, others)])
        raise bad_number(field, expected, got, hint)


def require_finite(field: str, got: object, hint: str = "such as 2 or 0.5") -> None:
    """Raise unless `got` is a finite number."""
    if not is_finite(got):
        raise bad_number(field, "a finite number", got, hint)


def rising_numbers(field: str, got: object, example: str) -> tuple[float, ...]:
    """Return at least one finite number, each above the one before; raise for anything else.

    >>> rising_numbers("thresholds", [-0.02, 0, 0.02], "[1, 2]")
    (-0.02, 0.0, 0.02)
    """
    is_list = isinstance(got, Iterable) and not isinstance(got, str | bytes)
    numbers: tuple[float, ...] = tuple(got) if is_list else ()  # type: ignore[arg-type]
    if not numbers or not all(map(is_finite, numbers)) or any(low >= high for low, high in pairwise(numbers)):
        raise bad_number(field, "finite numbers that rise, at least one", got, f"such as {example}")
    return tuple(map(float, numbers))


_UNITS: Final = {
    "": 1,
    "b": 1,
    **{f"{prefix}{b}": 1000**power for power, prefix in enumerate("kmgt", start=1) for b in ("", "b")},
    **{f"{prefix}ib": 1024**power for power, prefix in enumerate("kmgt", start=1)},
}


def byte_count(field: str, got: object) -> int:
    """Return a number of bytes, given as a whole number or as a text with a unit; raise for anything else.

    >>> byte_count("memory", "2GB"), byte_count("memory", "1.5 GiB"), byte_count("memory", 4096)
    (2000000000, 1610612736, 4096)
    """
    number = as_whole(got)
    if number is None and isinstance(got, str):
        match = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]*)\s*", got.lower(), re.ASCII)
        unit = _UNITS.get(match[2]) if match else None
        number = int(float(match[1]) * unit) if match and unit else None
    if number is None or not 1 <= number < 1 << 62:
        expected = "a whole number of bytes, at least 1 and below 2^62, or a text with a unit"
        raise bad_number(field, expected, got, "such as '2GB', '512MiB' or 2_000_000_000; 2e9 is int(2e9)")
    return number


def require_choice(field: str, got: object, known: Collection[str], hint: str = "") -> None:
    """Raise unless `got` is one of the known names; the message lists them and suggests the nearest."""
    if not (isinstance(got, str) and got in known):
        raise RankgaugeError(
            "unknown-choice",
            field=field,
            known=", ".join(known),
            got=got,
            nearest=nearest(str(got), known),
            question=hint or f"see `rankgauge conventions` for what each {field} means",
        )


def bad_number(field: str, expected: str, got: object, hint: str, place: str = "") -> RankgaugeError:
    """Return the error of an argument with the wrong value."""
    return RankgaugeError("bad-number", place, field=field, expected=expected, got=got, hint=hint)
