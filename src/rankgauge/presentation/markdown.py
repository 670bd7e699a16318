"""Tables as GitHub-flavoured Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.presentation.table import MarkedNumber, check_places, format_cell
from rankgauge.presentation.text import align, display_width

if TYPE_CHECKING:
    from rankgauge.presentation.table import Cell, Table

_ESCAPES = str.maketrans({"\\": r"\\", "|": r"\|", "<": "&lt;", ">": "&gt;", "`": r"\`"})


def table_to_markdown(table: Table, places: int) -> str:
    r"""Write a Markdown table.

    >>> from rankgauge.presentation.table import Table
    >>> print(table_to_markdown(Table(["item", "rank"], [["a|b", 1]]), 4))
    | item | rank |
    |:-----|-----:|
    | a\|b |    1 |
    """
    check_places(places)
    numeric = table.numeric_columns()
    body = [[_cell(cell, places) for cell in row] for row in table.rows]
    cells = [[cell.translate(_ESCAPES) for cell in table.header_cells()], *body]
    lines = align(cells, numeric)
    rules = ["-" * (display_width(cell) + 1) for cell in lines[0]]
    ruled = [f"{rule}:" if right else f":{rule}" for rule, right in zip(rules, numeric, strict=True)]
    header, *rows = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([header, f"|{'|'.join(ruled)}|", *rows])


def _cell(cell: Cell, places: int) -> str:
    if isinstance(cell, MarkedNumber) and cell.best:
        return f"**{float(cell):.{places}f}**{cell.mark}"
    return format_cell(cell, places).translate(_ESCAPES)
