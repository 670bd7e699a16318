"""Tables in colour on a terminal, and as plain text in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgauge.tables import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

Part = str | Table


def show(parts: Sequence[Part]) -> None:
    """Print texts and tables one below the other."""
    if is_terminal():
        _show_rich(parts)
    else:
        sys.stdout.write(plain(parts))


def plain(parts: Sequence[Part]) -> str:
    """Return texts and tables as plain text."""
    return "".join(f"{part.to_text() if isinstance(part, Table) else part}\n" for part in parts)


def is_terminal() -> bool:
    """Whether a person reads the output, on a terminal that can show tables."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _show_rich(parts: Sequence[Part]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for part in parts:
        if isinstance(part, Table):
            _print_table(console, part)
        else:
            console.print(_heading(part), soft_wrap=False)


def _print_table(console: Console, table: Table) -> None:
    rich_table = _rich_table(table)
    for row in table.cells():
        rich_table.add_row(*(_literal(cell) for cell in row))
    if any(table.is_numeric(column) for column in range(1, len(table.headers))) and _width(table) > console.width:
        console.print(_literal(table.to_text()), soft_wrap=True)  # squeezed, a table of numbers would lose some
    else:
        console.print(rich_table)


def _rich_table(table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    rich_table = RichTable(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for column, header in enumerate(table.headers):
        numeric = table.is_numeric(column)
        style = "cyan" if column == 0 else ""
        rich_table.add_column(_literal(header), justify="right" if numeric else "left", style=style, no_wrap=numeric)
    return rich_table


def _width(table: Table) -> int:
    padding = 2 * (len(table.headers) - 1)
    return padding + max(len(line) for line in table.to_text().splitlines())


def _literal(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _heading(text: str) -> str:
    """Dim the name before the first colon, as in `convention: trec_eval`."""
    name, colon, rest = text.partition(": ")
    if not colon or " = " in name:
        return _literal(text)
    return f"[dim]{_literal(name)}:[/dim] {_literal(rest)}"
