"""The order in which ids are listed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeVar

Id = TypeVar("Id", str, int)

# Longer runs of digits are codes rather than numbers, and Python refuses to convert very long ones.
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,40}")


def sorted_as_numbers(ids: Iterable[Id]) -> list[Id]:
    """Return ids in the order of their numbers if all are whole numbers, else in the order in which they came.

    >>> sorted_as_numbers(["1", "10", "2"])
    ['1', '2', '10']
    >>> sorted_as_numbers(["q1", "q10", "q2"])
    ['q1', 'q10', 'q2']
    """
    listed = list(ids)
    if not all(_WHOLE_NUMBER.fullmatch(str(id_)) for id_ in listed):
        return listed
    return sorted(listed, key=lambda id_: (int(id_), str(id_)))
