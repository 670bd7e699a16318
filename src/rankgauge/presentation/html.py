"""Tables and parts as HTML, and a standalone page of them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from rankgauge.languages import ENGLISH
from rankgauge.languages.escapes import printable
from rankgauge.presentation.parts import Heading, Part, SideBySide, part_text
from rankgauge.presentation.table import PLACES, Table
from rankgauge.remarks import Remark

_STYLE: Final = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { display: block; overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
th { border-bottom: 2px solid #8888; }
.number { text-align: right; white-space: nowrap; }
p { margin: 0.25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
:root { color-scheme: light dark; }"""


def table_to_html(table: Table, places: int = PLACES) -> str:
    """Write an HTML table; cells of numeric columns have the class `number`.

    >>> table_to_html(Table(["item"], [["<b>"]]))
    '<table><thead><tr><th>item</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    numeric = table.numeric_columns()
    header = _row("th", table.header_cells(), numeric)
    body = "".join(_row("td", row, numeric) for row in table.cells(places))
    return f"<table><thead>{header}</thead><tbody>{body}</tbody></table>"


def parts_to_html(parts: Sequence[Part], places: int = PLACES) -> str:
    """Write texts and tables as HTML paragraphs and tables.

    >>> parts_to_html(["a < b", ""])
    '<p>a &lt; b</p>'
    """
    return "".join(_part(part, places) for part in parts if part)


def page(parts: Sequence[Part], places: int = PLACES, lang: str = ENGLISH) -> str:
    """Write a standalone HTML page, to be saved as UTF-8."""
    body = "\n".join(_part(part, places) for part in parts if part)
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>rankgauge</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _part(part: Part, places: int) -> str:
    if isinstance(part, Table):
        return table_to_html(part, places)
    if isinstance(part, Heading):
        note = f"<p>{escape(part.note)}</p>" if part.note else ""
        return f"<h{part.level}>{escape(part.text)}</h{part.level}>{note}"
    if isinstance(part, SideBySide):
        return "".join(_part(chart, places) for chart in part.charts)
    if not isinstance(part, str | Remark):
        return f"<p>{escape(printable(part.description))}</p>"
    text = escape(part_text(part, places))
    if isinstance(part, Remark) and part.severity == "severe":
        name = f"{part.name}:"
        text = f"<strong>{name}</strong>{text.removeprefix(name)}"
    return f"<p>{text}</p>"


def _row(tag: str, cells: Sequence[str], numeric: Sequence[bool]) -> str:
    starts = (f'<{tag} class="number">' if is_number else f"<{tag}>" for is_number in numeric)
    return (
        "<tr>" + "".join(f"{start}{escape(cell)}</{tag}>" for start, cell in zip(starts, cells, strict=True)) + "</tr>"
    )
