"""Tables as comma-separated values, with all digits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge.inputs.formats import is_number
from rankgauge.notation import date_text

if TYPE_CHECKING:
    from rankgauge.presentation.table import Table

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def table_to_csv(table: Table, *, spreadsheet_safe: bool = False) -> str:
    r"""Write comma-separated values: a header and a line per row.

    A cell with a comma, a quote or a line end is quoted, as RFC 4180 says, so that a reader gets it back as it was.

    >>> from rankgauge.presentation.table import Table
    >>> table_to_csv(Table(["item", "gain"], [["a,b", 0.1], ["c", None]]))
    'item,gain\n"a,b",0.1\nc,\n'
    >>> table_to_csv(Table(["item"], [["=1+1"]]), spreadsheet_safe=True)
    "item\n'=1+1\n"
    """
    import csv

    shown = table.with_texts(_as_text) if spreadsheet_safe else table
    lines: list[str] = []
    # A lone \r is quoted only where the writer takes it for a part of the line end.
    writer = csv.writer(_Lines(lines.append), lineterminator="\r\n")
    writer.writerow(shown.headers)
    writer.writerows([date_text(cell) if isinstance(cell, date) else cell for cell in row] for row in shown.rows)
    return "".join(line.removesuffix("\r\n") + "\n" for line in lines)


class _Lines(NamedTuple):
    """What a writer of the module csv writes to, row by row."""

    write: Callable[[str], object]


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would run a cell with this text; a number such as -1 is none.

    >>> [is_formula(text) for text in ("=1+1", "@SUM(A1)", "-2+3", "-2", "d1")]
    [True, True, True, False, False]
    """
    return text.startswith(_STARTS) and not is_number(text)


def _as_text(text: str) -> str:
    return f"'{text}" if is_formula(text) else text
