"""Print parts in colour on a terminal and as plain text in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rankgauge.cli.plotting import in_ascii, print_chart
from rankgauge.presentation.parts import Part, part_text, parts_to_text
from rankgauge.presentation.table import GAP, PLACES, Table
from rankgauge.presentation.text import align, display_width
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

# How many columns rich has at most between those of a table.
_RICH_GAP: Final = 4


def show(parts: Sequence[Part], places: int = PLACES) -> None:
    """Print texts and tables one below the other."""
    if is_terminal():
        _show_rich(parts, places)
    else:
        sys.stdout.write(text_in_pipe(parts, places) + "\n")


def text_in_pipe(parts: Sequence[Part], places: int) -> str:
    """Return texts and tables one below the other, and charts as lines of ASCII."""
    return parts_to_text(in_ascii(parts), places)


def is_terminal() -> bool:
    """Whether standard output is a terminal that can move its cursor and show colours."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _show_rich(parts: Sequence[Part], places: int) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        if isinstance(part, Table):
            _print_table(console, part, places)
        elif isinstance(part, str | Remark):
            console.print(_styled_text(part, places))
        elif not print_chart(console, part):
            console.print(parts_to_text([part], places))


def _print_table(console: Console, table: Table, places: int) -> None:
    for block in _blocks(table, console.width, places):
        if any(block.numeric_columns()[1:]) and _rich_width(block, places) > console.width:
            console.print(block.to_text(places=places), soft_wrap=True)  # rich would cut numbers off
        else:
            console.print(_rich_table(block, places))


def _blocks(table: Table, width: int, places: int) -> list[Table]:
    """Split a table that is too wide; each part begins with the first column, and with the second if it is a text."""
    if not any(table.numeric_columns()[1:]) or _width(table, places) <= width:
        return [table]
    names = 1 if table.is_numeric(1) else 2
    blocks = table.in_blocks(names, page=width, gap=_RICH_GAP)
    # Long ids may leave no room beside them: then one table is easier to read than many.
    return blocks if all(_rich_width(block, places) <= width for block in blocks) else [table]


def _rich_table(table: Table, places: int) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    numeric_columns = table.numeric_columns()
    cells = table.cells(places)
    # Numbers are padded here: rich would drop the spaces that stand for a missing mark.
    headers, *rows = align([table.header_cells(), *cells], numeric_columns)
    for column, header in enumerate(table.header_cells()):
        numeric = numeric_columns[column]
        style = "cyan" if column == 0 else ""
        rich_table.add_column(
            Text(headers[column] if numeric else header), style=style, no_wrap=numeric, overflow="fold"
        )
    for row, padded in zip(cells, rows, strict=True):
        shown = [wide if numeric else cell for cell, wide, numeric in zip(row, padded, numeric_columns, strict=True)]
        rich_table.add_row(*map(Text, shown))
    return rich_table


def _rich_width(table: Table, places: int) -> int:
    padding = (_RICH_GAP - GAP) * (len(table.headers) - 1)
    return padding + _width(table, places)


def _width(table: Table, places: int) -> int:
    return max(map(display_width, table.to_text(places=places).splitlines()))


def _styled_text(part: str | Remark, places: int) -> Text:
    """Dim the name before the first colon, as in `convention: trec_eval`; show a severe remark in bold red."""
    from rich.text import Text

    text = part_text(part, places)
    name, colon, _ = text.partition(": ")
    styled = Text(text)
    if isinstance(part, Remark) and part.severity == "severe":
        styled.stylize("bold red", 0, len(name) + 1)
    elif colon and " = " not in name:
        styled.stylize("dim", 0, len(name) + 1)
    return styled
