"""The grades of the first ranked items as text, as trec_eval's relstring writes them: part of the reference engine."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge.conventions import Convention
from rankgauge.engines.reference.order import is_worthless


def value(grades: Iterable[float | None], convention: Convention) -> str:
    """Return a letter for each grade; None is the grade of an unjudged item.

    >>> from rankgauge.conventions import get
    >>> value([3, None, 0, 12], get("trec_eval"))
    '3-0>'
    """
    return "".join(letter(grade, convention) for grade in grades)


def letter(grade: float | None, convention: Convention) -> str:
    """Return a grade as one letter."""
    if grade is None:
        return "-"
    if is_worthless(grade, convention):
        return "."
    return "<" if grade < 0 else ">" if grade > 9 else str(int(grade))
