r"""Table: headers and rows of cells, and how a cell is written for a reader.

Numbers are rounded only where people read them; CSV keeps all digits. Cells may hold ids from users' data, so every
format escapes what could break its output: control characters, Markdown, LaTeX commands, HTML.

>>> table = Table(["measure", "mean"], [["ndcg@10", 0.51234567], ["dcg", None]])
>>> print(table.to_text())
measure    mean
ndcg@10  0.5123
dcg           –
>>> print(table.to_markdown(places=2))
| measure | mean |
|:--------|-----:|
| ndcg@10 | 0.51 |
| dcg     |    – |
>>> print(table.to_csv())
measure,mean
ndcg@10,0.51234567
dcg,
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from rankgauge.checks import as_whole, bad_number
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import DEFAULT_PLACES, MOST_PLACES, Text, format_float, in_language
from rankgauge.notation import date_text

# Columns of ids may hold dates too.
Cell = str | float | int | bool | None

PLACES: Final = DEFAULT_PLACES
# How many columns a page has in a pipe, and how many are between those of a table.
PAGE: Final = 80
GAP: Final = 2
# What stands in every cell of a row for the rows that are left out.
LEFT_OUT: Final = "…"


class Table(NamedTuple):
    """Headers and rows; columns of numbers are aligned to the right.

    `places` is the number of digits after the point (0 to 17, default: 4).
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    # How many of the last columns are read as one, and are not divided where the table is too wide for a page.
    together: int = 0

    def cells(self, places: int = PLACES) -> list[list[str]]:
        """Return the rows as people read them.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        check_places(places)
        return [[format_cell(cell, places) for cell in row] for row in self.rows]

    def header_cells(self) -> list[str]:
        """Return the headers as people read them; a header may be the name of a file."""
        return [printable(header) for header in self.headers]

    def texts(self) -> Iterator[str]:
        """Yield the headers and the cells that are texts."""
        yield from self.headers
        yield from (cell for row in self.rows for cell in row if isinstance(cell, str))

    def with_texts(self, change: Callable[[str], str]) -> Table:
        """Return the table with its headers and the cells that are texts changed.

        Parameters:
            change: the function that takes a text and returns another.

        """
        rows = [[change(cell) if isinstance(cell, str) else cell for cell in row] for row in self.rows]
        return Table([change(header) for header in self.headers], rows, self.together)

    def in_language(self, language: str) -> Table:
        """Return the table with its texts in another language; headers and cells that are plain strings are data.

        Parameters:
            language: `en` or `ko`.

        """
        return self.with_texts(lambda text: in_language(text, language))

    def is_numeric(self, column: int) -> bool:
        """Whether all cells of a column are numbers, apart from empty ones.

        Parameters:
            column: the number of a column, from 0.

        """
        values = [row[column] for row in self.rows if row[column] not in (None, "", LEFT_OUT)]
        return bool(values) and all(isinstance(value, int | float) for value in values)

    def numeric_columns(self) -> list[bool]:
        """Return `is_numeric` of every column."""
        return [self.is_numeric(column) for column in range(len(self.headers))]

    def abridged(self, first: int, last: int) -> Table:
        """Return the table with its first and last rows, and a row of … for those between.

        Parameters:
            first: how many of the first rows stay.
            last: how many of the last rows stay.

        >>> print(Table(["query", "mrr"], [[query, 1 / query] for query in range(1, 9)]).abridged(2, 1))
        query     mrr
            1  1.0000
            2  0.5000
            …       …
            8  0.1250

        """
        rows = [*self.rows[:first], [LEFT_OUT] * len(self.headers), *self.rows[len(self.rows) - last :]]
        return Table(self.headers, rows, self.together)

    def in_blocks(self, names: int, *, page: int = PAGE, gap: int = GAP) -> list[Table]:
        """Split the table into several that fit on a page; each begins with the first `names` columns.

        Neighbouring columns of whole numbers stay together: better, worse and equal are read as one. So do the last
        ones that the table says, if they fit on a page.

        Parameters:
            names: how many of the first columns every block has.
            page: how wide a block may be, in characters; default: 80.
            gap: how many characters stand between two columns; default: 2.

        >>> wide = Table(["run", *"abc"], [["bm25", *["a long cell of some thirty columns"] * 3]])
        >>> [block.headers for block in wide.in_blocks(1)]
        [['run', 'a', 'b'], ['run', 'c']]

        """
        from rankgauge.presentation.text import column_widths

        blocks: list[list[int]] = [[]]
        widths = column_widths(self, PLACES)
        room = page - sum(widths[:names]) - gap * (names - 1)
        last = range(len(self.headers) - self.together, len(self.headers))
        kept = last if sum(gap + widths[each] for each in last) <= room else range(0)
        for columns in self._units(names, kept):
            if blocks[-1] and sum(gap + widths[each] for each in (*blocks[-1], *columns)) > room:
                blocks.append([])
            blocks[-1] += columns
        return [self._only([*range(names), *columns]) for columns in blocks]

    def _units(self, names: int, kept: range) -> list[list[int]]:
        """Return the columns after the first `names` in groups that stay together; the last `kept` are one group."""
        units: list[list[int]] = []
        for column in range(names, len(self.headers)):
            if units and (column in kept[1:] or (self._is_whole(column) and self._is_whole(units[-1][-1]))):
                units[-1].append(column)
            else:
                units.append([column])
        return units

    def _is_whole(self, column: int) -> bool:
        return bool(self.rows) and all(type(row[column]) is int for row in self.rows)

    def _only(self, columns: Sequence[int]) -> Table:
        return Table([self.headers[each] for each in columns], [[row[each] for each in columns] for row in self.rows])

    def to_text(self, *, places: int = PLACES) -> str:
        """Write columns aligned with spaces.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        from rankgauge.presentation.text import table_to_text

        return table_to_text(self, places)

    def to_markdown(self, *, places: int = PLACES) -> str:
        """Write a Markdown table.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        from rankgauge.presentation.markdown import table_to_markdown

        return table_to_markdown(self, places)

    def to_csv(self, *, spreadsheet_safe: bool = False) -> str:
        """Write comma-separated values with all digits.

        `spreadsheet_safe` puts an apostrophe before texts that a spreadsheet would run as formulas.

        Parameters:
            spreadsheet_safe: whether cells that a spreadsheet would run as formulas get a quote before them; default:
                no.

        """
        from rankgauge.presentation.csv import table_to_csv

        return table_to_csv(self, spreadsheet_safe=spreadsheet_safe)

    def to_latex(self, *, places: int = PLACES) -> str:
        """Write a `tabular` environment for the LaTeX package booktabs.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        from rankgauge.presentation.latex import table_to_latex

        return table_to_latex(self, places)

    def to_html(self, *, places: int = PLACES) -> str:
        """Write an HTML table without a style, so that it looks like the other tables of a notebook.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        from rankgauge.presentation.html import table_to_html

        return table_to_html(self, places)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


class MarkedNumber(float):
    """A number in a table with a mark behind it, such as one of significance; `best` ones are set in bold.

    Marks are padded to one width by whoever makes the table, so that the digits stay in line. CSV has the number alone.

    >>> cell = MarkedNumber(0.51234, "ᵃ", best=True)
    >>> format_cell(cell), cell.mark, cell.best
    ('0.5123ᵃ', 'ᵃ', True)
    """

    __slots__ = ("best", "mark")

    mark: str
    best: bool

    def __new__(cls, value: float, mark: str = "", *, best: bool = False) -> MarkedNumber:
        """Take a number and its mark."""
        number = super().__new__(cls, value)
        number.mark, number.best = mark, best
        return number

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (float(self), self.mark)


class Estimate(MarkedNumber):
    """A number in a table with its interval and what it was found to be; a report draws it.

    `finding` is `better`, `worse` or `undecided`, `baseline`, or `plain` where nothing is compared.

    >>> cell = Estimate(0.51234, 0.4, 0.6, "▲", finding="better")
    >>> format_cell(cell), cell.low, cell.high
    ('0.5123▲', 0.4, 0.6)
    """

    __slots__ = ("finding", "high", "low")

    low: float
    high: float
    finding: str

    def __new__(
        cls, value: float, low: float, high: float, mark: str = "", *, best: bool = False, finding: str = "plain"
    ) -> Estimate:
        """Take a number, the ends of its interval (NaN where there is none) and its mark."""
        number = float.__new__(cls, value)
        number.mark, number.best, number.low, number.high, number.finding = mark, best, low, high, finding
        return number

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (float(self), self.low, self.high, self.mark)


class Probability(float):
    """A p-value in a table; one that would be rounded to 0 is written as smaller than the last digit.

    >>> format_cell(Probability(0.00001)), format_cell(Probability(0.0312))
    ('<0.0001', '0.0312')
    """

    __slots__ = ()


def interval_headings(level: float) -> list[Text]:
    """Return the headers of the two ends of an interval.

    >>> interval_headings(0.95)
    ['95% from', 'to']
    """
    return [Text("{level:.0%} from", level=level), Text("to")]


def format_cell(cell: Cell | date, places: int = PLACES) -> str:
    r"""Return a cell as people read it: floats with `places` digits after the point, a dash for None.

    >>> [format_cell(cell) for cell in (0.5, 3, None, "d\n1", float("nan"))]
    ['0.5000', '3', '–', 'd\\n1', 'nan']
    >>> format_cell(0.51234567, 2)
    '0.51'
    """
    if cell is None:
        return "–"
    if isinstance(cell, MarkedNumber):
        return f"{format_float(cell, places)}{cell.mark}"
    if isinstance(cell, Probability) and cell < 10.0**-places:
        return f"<{10.0**-places:.{places}f}"
    if isinstance(cell, float):
        return format_float(cell, places)
    if isinstance(cell, date):
        return date_text(cell)
    return printable(cell.rounded(places) if isinstance(cell, Text) else str(cell))


def check_places(places: object) -> None:
    """Raise unless `places` is a whole number from 0 to 17.

    >>> check_places(4)
    """
    number = as_whole(places)
    if number is None or not 0 <= number <= MOST_PLACES:
        raise bad_number("places", f"a whole number from 0 to {MOST_PLACES}", places, "such as 4")
