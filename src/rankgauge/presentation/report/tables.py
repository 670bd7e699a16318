"""Tables of a report: numbers with their intervals drawn, and what can be copied of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from rankgauge.languages.escapes import printable
from rankgauge.presentation.charts.chart import write_number
from rankgauge.presentation.charts.svg.elements import breakable, percent, tag
from rankgauge.presentation.charts.svg.scales import Scale
from rankgauge.presentation.formats import FORMATS
from rankgauge.presentation.table import PLACES, Cell, Estimate, MarkedNumber, Table, format_cell

# The formats that a table can be copied in, each with the name on its button.
COPIES: Final = {name: form.copied_as for name, form in FORMATS.items() if form.copied_as}


def report_table(table: Table, number: int, swatches: Mapping[str, str] | None = None) -> str:
    """Return a table with the buttons that copy it; `swatches` are the colours of runs, by what a row begins with."""
    numeric = table.numeric_columns()
    domains = [_domain([row[column] for row in table.rows]) for column in range(len(table.headers))]
    classes = [
        f"id{' number' if right else ''}{' estimate-cell' if domain else ''}"
        for right, domain in zip(numeric, domains, strict=True)
    ]
    header = "".join(
        f'<th scope="col" class="{class_}">{escape(name)}</th>'
        for name, class_ in zip(table.header_cells(), classes, strict=True)
    )
    rows = "".join(_row(row, numeric, domains, swatches or {}) for row in table.rows)
    body = f'<div class="wide"><table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table></div>'
    return f"{body}{_buttons(number)}"


def _buttons(number: int) -> str:
    buttons = "".join(
        f'<button type="button" data-copy="{key}" data-table="{number}">Copy {name}</button>'
        for key, name in COPIES.items()
    )
    return f'<div class="tools" role="group" aria-label="Copy the table">{buttons}</div>'


def copies_of(table: Table) -> dict[str, str]:
    r"""Return a table as each text that can be copied.

    >>> copies_of(Table(["run"], [["a"]]))["csv"]
    'run\na\n'
    """
    return {name: str(getattr(table, f"to_{name}")()) for name in COPIES}


def definitions(rows: Sequence[tuple[str, str]]) -> str:
    """Return names with texts, as a table of two columns."""
    cells = "".join(
        f'<tr><th scope="row">{escape(printable(name))}</th><td class="id">{escape(printable(text))}</td></tr>'
        for name, text in rows
    )
    return f'<div class="wide"><table class="made"><tbody>{cells}</tbody></table></div>'


def _row(
    row: Sequence[Cell],
    numeric: Sequence[bool],
    domains: Sequence[tuple[float, float] | None],
    swatches: Mapping[str, str],
) -> str:
    first, *others = row
    text = breakable(format_cell(first))
    swatch = f'<span class="swatch {swatches[str(first)]}"></span>' if str(first) in swatches else ""
    cells = [f'<th scope="row" class="{"number id" if numeric[0] else "id"}">{swatch}{text}</th>']
    cells += [_cell(cell, right, domain) for cell, right, domain in zip(others, numeric[1:], domains[1:], strict=True)]
    return f"<tr>{''.join(cells)}</tr>"


def _cell(cell: Cell, right: bool, domain: tuple[float, float] | None) -> str:
    if isinstance(cell, Estimate) and domain:
        return _estimate(cell, domain)
    best = isinstance(cell, MarkedNumber) and cell.best
    text = escape(format_cell(cell)).replace("-", "−") if right else escape(format_cell(cell))
    return f'<td class="{"number" if right else "id"}">{f"<b>{text}</b>" if best else text}</td>'


def _estimate(cell: Estimate, domain: tuple[float, float]) -> str:
    number = f"<b{' class=best' if cell.best else ''}>{write_number(float(cell), PLACES)}</b>"
    shown = "≈" if cell.finding == "undecided" else cell.mark.strip()
    symbol = f' <span class="symbol {cell.finding}">{escape(shown)}</span>' if shown else ""
    if math.isnan(cell.low):
        return f'<td class="number estimate-cell">{number}{symbol}</td>'
    ends = f"<small>{write_number(cell.low, 3)} to {write_number(cell.high, 3)}</small>"
    x = Scale(*domain, 0.02, 0.98)
    low, middle, high = (percent(x(value)) for value in (cell.low, float(cell), cell.high))
    drawn = tag(
        "svg",
        tag("line", x1="0", x2="100%", y1=5, y2=5, class_="track"),
        tag("line", x1=low, x2=high, y1=5, y2=5, class_="span"),
        tag("circle", cx=middle, cy=5, r=3.5, class_="mid"),
        class_=cell.finding,
        aria_hidden="true",
    )
    return f'<td class="number estimate-cell">{number}{symbol}{ends}{drawn}</td>'


def _domain(cells: Sequence[Cell]) -> tuple[float, float] | None:
    """Return the ends of the axis that the intervals of a column share."""
    estimates = [cell for cell in cells if isinstance(cell, Estimate)]
    ends = [end for cell in estimates for end in (cell.low, cell.high, float(cell)) if math.isfinite(end)]
    return (min(ends), max(ends)) if ends else None
