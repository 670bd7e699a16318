"""Tables as columns of text that are aligned with spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rankgauge.presentation.table import Table

# Cells are padded to no more than this, so that one long id does not make every row as long.
WIDEST: Final = 500


def table_to_text(table: Table, places: int) -> str:
    """Write columns aligned with spaces."""
    lines = align(_lines(table, places), table.numeric_columns())
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _lines(table: Table, places: int) -> list[list[str]]:
    return [table.header_cells(), *table.cells(places)]


def column_widths(table: Table, places: int) -> list[int]:
    """Return how many columns of a terminal each column of a table takes."""
    return _widths(_lines(table, places))


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [min(WIDEST, max(map(display_width, column))) for column in zip(*lines, strict=True)]


def align(lines: Sequence[Sequence[str]], numeric: Sequence[bool]) -> list[list[str]]:
    """Pad the cells of each column to one width; numeric columns to the right. A very long cell sticks out.

    >>> align([["item", "rank"], ["d1", "3"]], [False, True])
    [['item', 'rank'], ['d1  ', '   3']]
    """
    widths = _widths(lines)
    return [
        [_pad(text, width, right=right) for text, width, right in zip(line, widths, numeric, strict=True)]
        for line in lines
    ]


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes; wide East Asian characters take two.

    >>> display_width("item"), display_width("映画"), display_width("한글")
    (4, 4, 4)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) or _is_joined(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _is_joined(character: str) -> bool:
    """Whether it is a vowel or a final consonant of a Korean syllable, which stands in the cells of the first.

    Names of files have them on macOS, where a syllable is written as its letters (NFD).
    """
    return "\u1160" <= character <= "\u11ff"


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - display_width(text))
    return space + text if right else text + space
