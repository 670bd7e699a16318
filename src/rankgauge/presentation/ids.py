"""Ids as text, and the order in which they are listed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final, TypeVar

from rankgauge.checks import as_whole
from rankgauge.errors import RankgaugeError
from rankgauge.notation import date_text

Id = TypeVar("Id")

# Longer runs of digits are codes rather than numbers, and Python refuses to convert very long ones.
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,40}")
_BEYOND_WHOLE: Final = 10**40


def id_text(id_: object) -> str:
    """Return the text by which an id is compared: a date as 2026-01-02, and a midnight as its date.

    >>> import datetime
    >>> id_text(7), id_text(datetime.date(2026, 1, 2)), id_text(datetime.datetime(2026, 1, 2, 9, 30))
    ('7', '2026-01-02', '2026-01-02T09:30:00')
    """
    is_numpy_time = getattr(getattr(id_, "dtype", None), "kind", "") == "M"
    plain = _plain_time(id_) if is_numpy_time else id_
    if isinstance(plain, date):
        return date_text(plain)
    if isinstance(plain, str):
        return str.__str__(plain)  # enums print their class
    if isinstance(plain, bytes):
        return plain.decode(errors="replace")
    whole = as_whole(plain)
    try:
        return str(plain if whole is None else whole)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        raise RankgaugeError("bad-id", noun="query", got=plain) from None


def _plain_time(time: Any) -> object:  # noqa: ANN401 - of NumPy, which may not be there
    """Return a point in time of NumPy as one of Python, or as text where it has less than microseconds."""
    rounded = time.astype("datetime64[us]")
    return rounded.item() if rounded == time else str(time)


def sorted_as_numbers(ids: Iterable[Id]) -> list[Id]:
    """Return ids in the order of their numbers if all are whole numbers, else in the order in which they came.

    >>> sorted_as_numbers(["1", "10", "2"])
    ['1', '2', '10']
    >>> sorted_as_numbers(["q1", "q10", "q2"])
    ['q1', 'q10', 'q2']
    """
    listed = list(ids)
    return [listed[place] for place in order_as_numbers(listed)]


def order_as_numbers(ids: Sequence[Any]) -> Sequence[int]:
    """Return the places of ids in the order of `sorted_as_numbers`.

    >>> order_as_numbers(["1", "10", "2"])
    [0, 2, 1]
    >>> order_as_numbers(["q1", "q10", "q2"])
    range(0, 3)
    """
    places = range(len(ids))
    if all(type(id_) is int and abs(id_) < _BEYOND_WHOLE for id_ in ids):
        return sorted(places, key=ids.__getitem__)
    if not all(_WHOLE_NUMBER.fullmatch(str(id_)) for id_ in ids):
        return places
    return sorted(places, key=lambda place: (int(str(ids[place])), str(ids[place])))
