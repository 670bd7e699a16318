"""What ids were before they became text, and the way back.

Ids are compared as text. They come back as ints, dates or datetimes where all of them came as such, and as text
otherwise. Times with a zone or with nanoseconds, which their text does not give back exactly, stay text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final, Literal, TypeAlias

Id: TypeAlias = str | int | date
IdKind: TypeAlias = Literal["text", "whole", "date", "datetime"]

_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "whole": int,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}


def native_ids(texts: Iterable[str], kind: str) -> list[Any]:
    """Return ids in the type that they had before they became text.

    >>> native_ids(["7", "10"], "whole"), native_ids(["2026-01-02"], "date")
    ([7, 10], [datetime.date(2026, 1, 2)])
    """
    listed = list(texts)
    if kind not in _READ:
        return listed
    try:
        return list(map(_READ[kind], listed))
    except ValueError:  # a pickle may say of texts what they never were
        return listed


def kind_of(ids: Iterable[object]) -> IdKind:
    """Return what ids are; text where they are of several kinds.

    >>> kind_of([date(2026, 1, 2)]), kind_of([7, "q7"])
    ('date', 'text')
    """
    kinds: dict[type, IdKind] = {int: "whole", date: "date", datetime: "datetime"}
    kinds_of_ids = {kinds.get(type(id_), "text") for id_ in ids}
    return kinds_of_ids.pop() if len(kinds_of_ids) == 1 else "text"


def known_forms(text: str) -> Iterable[Id]:
    """Yield everything that an id may have been whose text this is.

    >>> list(known_forms("7")), list(known_forms("2026-01-02"))
    (['7', 7], ['2026-01-02', datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 0, 0)])
    """
    yield text
    for read in _READ.values():
        with suppress(ValueError):
            yield read(text)
