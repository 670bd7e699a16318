"""Equality of what results hold: by value, where NaN, which stands for what is unknown, equals NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np


def are_equal(one: Any, other: Any) -> bool:  # noqa: ANN401 - any values
    """Whether two values are equal, with the arrays and the numbers inside them.

    >>> are_equal((1.0, math.nan), (1.0, math.nan)), are_equal({"a": np.zeros(2)}, {"a": np.zeros(3)})
    (True, False)
    """
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if type(one) is not type(other):
        return bool(one == other)
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(are_equal, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(are_equal(value, other[key]) for key, value in one.items())
    return bool(one == other)


def have_equal_fields(one: Any, other: Any) -> bool:  # noqa: ANN401 - dataclasses
    """Whether two dataclasses are of one class, and their fields equal."""
    return type(one) is type(other) and all(
        are_equal(getattr(one, each.name), getattr(other, each.name)) for each in fields(one)
    )
