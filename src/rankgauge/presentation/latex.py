r"""Tables as LaTeX.

Escaped cells cannot start a command, and compile in pdfLaTeX: it knows neither Greek letters nor the minus sign as
characters. Ids in other scripts need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rankgauge.presentation.table import MarkedNumber, check_places, format_cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rankgauge.presentation.table import Cell, Table

_SPECIAL: Final = {character: "\\" + character for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # In the default font encoding these characters print as others.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # At the start of a row they would be arguments of the `\\` or the rule before it.
    "[": "{[}",
    "*": "{*}",
}
_SYMBOLS: Final = {
    "–": "--",
    "…": r"\ldots{}",
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "→": r"$\rightarrow$",
    "²": "$^2$",
    "Σ": r"$\Sigma$",
    "Π": r"$\Pi$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "ε": r"$\varepsilon$",
}
# Marks of significance as letters of a superscript.
_MARKS: Final = str.maketrans(
    dict(zip("ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹", "abcdefghijklmnoprstuvwxyz0123456789", strict=True))
    | {"▲": r"\bigtriangleup", "▼": r"\bigtriangledown"}  # those of LaTeX itself: others need amssymb
)
_ESCAPES: Final = str.maketrans(
    _SPECIAL | _SYMBOLS | {chr(mark): f"$^{{{letter}}}$" for mark, letter in _MARKS.items()}
)


def table_to_latex(table: Table, places: int) -> str:
    r"""Write a `tabular` environment for the package booktabs.

    >>> from rankgauge.presentation.table import Table
    >>> print(table_to_latex(Table(["a_b"], [[1.5]]), 4))
    \begin{tabular}{r}
    \toprule
    a\_b \\
    \midrule
    1.5000 \\
    \bottomrule
    \end{tabular}
    """
    check_places(places)
    alignment = "".join("r" if is_number else "l" for is_number in table.numeric_columns())
    header = _row(cell.translate(_ESCAPES) for cell in table.header_cells())
    body = [_row(_cell(cell, places) for cell in row) for row in table.rows]
    begin, end = rf"\begin{{tabular}}{{{alignment}}}", r"\end{tabular}"
    return "\n".join([begin, r"\toprule", header, r"\midrule", *body, r"\bottomrule", end])


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell, places: int) -> str:
    if not isinstance(cell, MarkedNumber):
        return format_cell(cell, places).translate(_ESCAPES)
    number = f"{float(cell):.{places}f}"
    mark = cell.mark.strip().translate(_MARKS)
    return (rf"\textbf{{{number}}}" if cell.best else number) + (f"$^{{{mark}}}$" if mark else "")
