r"""Tables as LaTeX.

Escaped cells cannot start a command, and compile in pdfLaTeX: it knows neither Greek letters nor the minus sign as
characters. Ids in other scripts need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rankgauge.presentation.table import Table

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
_ESCAPES: Final = str.maketrans(_SPECIAL | _SYMBOLS)


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
    alignment = "".join("r" if is_number else "l" for is_number in table.numeric_columns())
    header, *body = [
        " & ".join(cell.translate(_ESCAPES) for cell in row) + r" \\"
        for row in [table.header_cells(), *table.cells(places)]
    ]
    begin, end = rf"\begin{{tabular}}{{{alignment}}}", r"\end{tabular}"
    return "\n".join([begin, r"\toprule", header, r"\midrule", *body, r"\bottomrule", end])
