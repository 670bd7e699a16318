"""Whether the first line of a text is a header, where the caller named all columns by a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from rankgauge.inputs import formats, roles
from rankgauge.languages import Text
from rankgauge.remarks import Remark

# `names`: the names that were given; `certain` and `likely`: a header; `unsure`: perhaps one; `row`: a row.
Verdict: TypeAlias = Literal["names", "certain", "likely", "unsure", "row"]
_Evidence: TypeAlias = Literal["certain", "named", "shape"]

_VALUES: Final = ("grade", "score", "rank")
_IDS: Final = ("query", "item")
# Cells that mean a missing value: they may stand in a first row, but are no name of a column.
_NOTHING: Final = frozenset({"", "-", "?", "na", "n/a", "nan", "nat", "none", "null", "unknown"})
_MOST_SHOWN: Final = 80


def verdict(cells: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]) -> Verdict:
    """Say what the first line is by its cells, the names of the columns and the rows below it.

    >>> verdict(["visitor", "sku", "bought"], ["user", "item", "date"], [["u1", "p4", "2026-01-02"]])
    'certain'
    >>> verdict(["visitor", "thing"], ["user", "item"], [["u1", "p4"], ["u2", "p5"]])
    'likely'
    >>> verdict(["visitor", "thing"], ["user", "item"], [["ann", "p4"], ["bob", "p5"]])
    'unsure'
    >>> verdict(["ann", "p3"], ["user", "item"], [["ann", "p4"], ["bob", "p5"]])
    'row'
    """
    if [*map(roles.key, cells)] == [*map(roles.key, names)]:
        return "names"
    others = [row for row in rows if len(row) == len(names) and list(row) != list(cells)]
    named_cells = enumerate(zip(cells, names, strict=False))  # a line of another length is refused when it is read
    columns = [
        (cell, roles.known_role(name), name, [row[index] for row in others]) for index, (cell, name) in named_cells
    ]
    ids = [(cell, below) for cell, role, _, below in columns if role in _IDS]
    if any(cell and cell in below for cell, below in ids):
        return "row"
    if any(_has_digit(cell) for cell, _ in ids):  # as few names have: only a value that is no number tells
        columns = [column for column in columns if column[1] in _VALUES]
    evidence = [_evidence(*column) for column in columns]
    if "certain" in evidence or evidence.count("named") > 1:
        return "certain"
    return "row" if not any(evidence) else "likely" if all(evidence) else "unsure"


def remarks(what: Verdict, line: str) -> tuple[Remark, ...]:
    """Say what was made of the first line, unless it has the very names that were given, or is no header at all."""
    shown = line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"
    if what in ("certain", "likely"):
        return (Remark.of("header", Text("the first line, {!r}, was taken for a header and is no row", shown)),)
    if what == "unsure":
        return (Remark.of("first-line", Text("{!r} may be a header and was read as a row", shown)),)
    return ()


def _evidence(cell: str, role: str | None, name: str, below: Sequence[str]) -> _Evidence | None:
    """Return the evidence that a cell is the name of its column, None if there is none."""
    if cell.casefold() in _NOTHING or cell in below:
        return None
    if role in _VALUES:
        return None if formats.begins_as_number(cell) else "certain"
    values = [value for value in below if value.casefold() not in _NOTHING]
    telling = bool(values) and not _has_digit(cell)
    if telling and (all(map(formats.is_date, values)) or (role not in _IDS and all(map(formats.is_number, values)))):
        return "certain"
    if roles.key(cell) == roles.key(name) or (role and roles.known_role(cell) == role):
        return "named"
    return "shape" if telling and all(map(_has_digit, values)) else None


def _has_digit(cell: str) -> bool:
    return any(map(str.isdecimal, cell))
