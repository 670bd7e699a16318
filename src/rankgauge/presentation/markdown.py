"""Tables as GitHub-flavoured Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.presentation.text import align, display_width

if TYPE_CHECKING:
    from rankgauge.presentation.table import Table

_ESCAPES = str.maketrans({"\\": r"\\", "|": r"\|", "<": "&lt;", ">": "&gt;", "`": r"\`"})


def table_to_markdown(table: Table, places: int) -> str:
    r"""Write a Markdown table.

    >>> from rankgauge.presentation.table import Table
    >>> print(table_to_markdown(Table(["item", "rank"], [["a|b", 1]]), 4))
    | item | rank |
    |:-----|-----:|
    | a\|b |    1 |
    """
    numeric = table.numeric_columns()
    cells = [[cell.translate(_ESCAPES) for cell in row] for row in [table.header_cells(), *table.cells(places)]]
    lines = align(cells, numeric)
    rules = ["-" * (display_width(cell) + 1) for cell in lines[0]]
    ruled = [f"{rule}:" if right else f":{rule}" for rule, right in zip(rules, numeric, strict=True)]
    header, *body = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([header, f"|{'|'.join(ruled)}|", *body])
