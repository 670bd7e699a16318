r"""A small table of values, written as text, Markdown, CSV, LaTeX or HTML.

Values are rounded only where people read them; CSV has all digits. Ids come from users' data, so every form escapes
what could break or misuse it: control characters, HTML, LaTeX commands.

>>> table = Table(["measure", "mean"], [["ndcg@10", 0.51234567], ["dcg", None]])
>>> print(table.to_text())
measure    mean
ndcg@10  0.5123
dcg           –
>>> print(table.to_markdown())
| measure |   mean |
|:--------|-------:|
| ndcg@10 | 0.5123 |
| dcg     |      – |
>>> print(table.to_csv())
measure,mean
ndcg@10,0.51234567
dcg,
<BLANKLINE>
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Cell = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """Headers and rows; a column of numbers is aligned to the right."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def cells(self) -> list[list[str]]:
        """Return the rows as people read them."""
        return [[format_cell(cell) for cell in row] for row in self.rows]

    def is_numeric(self, column: int) -> bool:
        """Whether a column has numbers and nothing else but gaps."""
        values = [row[column] for row in self.rows if row[column] not in (None, "")]
        return bool(values) and all(isinstance(value, int | float) for value in values)

    def to_text(self) -> str:
        """Write aligned columns."""
        lines, _ = self._aligned(self.cells())
        return "\n".join("  ".join(line).rstrip() for line in lines)

    def to_markdown(self) -> str:
        """Write a Markdown table."""
        cells = [[_escape(cell, _MARKDOWN) for cell in row] for row in self.cells()]
        (header, *body), widths = self._aligned(cells)
        rule = [
            "-" * (width + 1) + ":" if self.is_numeric(column) else ":" + "-" * (width + 1)
            for column, width in enumerate(widths)
        ]
        lines = [f"| {' | '.join(line)} |" for line in [header, *body]]
        return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]])

    def to_csv(self) -> str:
        """Write comma-separated values with all digits."""
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.headers)
        writer.writerows(self.rows)
        return text.getvalue()

    def to_latex(self) -> str:
        r"""Write a `tabular` environment for the booktabs package.

        >>> print(Table(["a_b"], [[1.5]]).to_latex())
        \begin{tabular}{r}
        \toprule
        a\_b \\
        \midrule
        1.5000 \\
        \bottomrule
        \end{tabular}
        """
        columns = "".join("r" if self.is_numeric(column) else "l" for column in range(len(self.headers)))
        header, *body = [
            " & ".join(_escape(cell, _LATEX) for cell in row) + r" \\" for row in [self.headers, *self.cells()]
        ]
        begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
        return "\n".join([begin, r"\toprule", header, r"\midrule", *body, r"\bottomrule", end])

    def to_html(self) -> str:
        """Write an HTML table without style of its own, so that a notebook's style shows.

        >>> Table(["item"], [["<b>"]]).to_html()
        '<table><thead><tr><th>item</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
        """
        from html import escape

        header = "".join(f"<th>{escape(name)}</th>" for name in self.headers)
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.cells())
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _aligned(self, cells: list[list[str]]) -> tuple[list[list[str]], list[int]]:
        lines = [list(self.headers), *cells]
        widths = [max(_width(line[column]) for line in lines) for column in range(len(self.headers))]
        numeric = [self.is_numeric(column) for column in range(len(self.headers))]
        pad = [
            [_pad(text, width, right=right) for text, width, right in zip(line, widths, numeric, strict=True)]
            for line in lines
        ]
        return pad, widths


class Exported(ABC):
    """What a table of ids and values can be taken away as; the first column holds the ids."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Table:
        """Return the rows."""

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.columns()).astype(dict.fromkeys(self._untyped(), float))

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars DataFrame."""
        import polars as pl

        return pl.DataFrame(self.columns(), schema_overrides=dict.fromkeys(self._untyped(), pl.Float64))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the table to any library with the Arrow PyCapsule interface."""
        from rankgauge._core import export_table

        columns = self.columns()
        ids, *names = columns
        texts = [name for name in names if any(isinstance(value, str) for value in columns[name])]
        numbers = [name for name in names if name not in texts]
        values, words = ([columns[name] for name in chosen] for chosen in (numbers, texts))
        return export_table([ids, *numbers, *texts], columns[ids], values, words)

    def _untyped(self) -> list[str]:
        """The columns that hold nothing, which would have no type; they are of numbers."""
        return [name for name, column in self.columns().items() if all(value is None for value in column)]

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns by name."""
        table = self.table()
        return {name: [row[at] for row in table.rows] for at, name in enumerate(table.headers)}

    def __repr__(self) -> str:
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()


Part = str | Table


def parts_to_text(parts: Sequence[Part]) -> str:
    r"""Write texts and tables one below the other.

    >>> parts_to_text(["title:", Table(["a"], [[1]])])
    'title:\na\n1'
    """
    return "\n".join(part.to_text() if isinstance(part, Table) else part for part in parts)


def parts_to_html(parts: Sequence[Part]) -> str:
    """Write texts and tables as HTML paragraphs and tables.

    >>> parts_to_html(["a < b", ""])
    '<p>a &lt; b</p>'
    """
    from html import escape

    return "".join(part.to_html() if isinstance(part, Table) else f"<p>{escape(part)}</p>" for part in parts if part)


class Shown(ABC):
    """What is made of texts and tables: it prints, and shows in a notebook."""

    __slots__ = ()

    @abstractmethod
    def parts(self) -> list[Part]:
        """Return what is shown to a person."""

    def __str__(self) -> str:
        return parts_to_text(self.parts())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return parts_to_html(self.parts())


def format_cell(cell: Cell) -> str:
    r"""Return a value as people read it: floats to four decimals, a dash for a gap.

    >>> [format_cell(cell) for cell in (0.5, 3, None, "d\n1", float("nan"))]
    ['0.5000', '3', '–', 'd\\n1', 'nan']
    """
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4f}"
    return printable(str(cell))


def printable(text: str) -> str:
    """Escape control characters, so that no id can move the cursor or break a line."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


_MARKDOWN = {"\\": r"\\", "|": r"\|", "<": "&lt;", ">": "&gt;", "`": r"\`"}
_LATEX = {character: "\\" + character for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def _escape(text: str, replacements: dict[str, str]) -> str:
    return "".join(replacements.get(character, character) for character in text)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def without_nan(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return plain values with None for NaN and infinities, which JSON lacks.

    >>> without_nan({"mean": float("nan"), "days": [1.5, 2]})
    {'mean': None, 'days': [1.5, 2]}
    """
    if isinstance(value, dict):
        return {key: without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_nan(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_text(values: Mapping[str, Any]) -> str:
    """Write plain values as JSON.

    >>> print(json_text({"mean": float("nan")}))
    {
      "mean": null
    }
    """
    import json

    return json.dumps(without_nan(values), indent=2, ensure_ascii=False)
