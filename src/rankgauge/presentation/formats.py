"""The output formats: one list, and one function that renders any result in any of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from rankgauge.checks import require_choice
from rankgauge.languages import ENGLISH
from rankgauge.languages.text import DEFAULT_PLACES

if TYPE_CHECKING:
    from rankgauge.presentation.parts import Part
    from rankgauge.presentation.table import Table


class Presentable(Protocol):
    """What a result needs so that it can be presented in every format but `trec`."""

    def parts(self) -> Sequence[Part]:
        """Return the texts and tables that a person reads."""

    def table(self) -> Table:
        """Return the one table that a program or a paper takes."""

    def to_json(self) -> str:
        """Return everything as JSON, with all digits."""


class Format(NamedTuple):
    """A format of output: how it is rendered with so many digits in a language, and the suffixes of its files.

    `has_remarks` says whether it shows remarks; `copied_as` is the name on the button of a report that copies a table.
    """

    render: Callable[[Any, int, str], str]
    suffixes: tuple[str, ...] = ()
    has_remarks: bool = False
    copied_as: str = ""


def _text(result: Presentable, places: int, lang: str) -> str:
    from rankgauge.presentation.parts import parts_in_language, parts_to_text  # programs read other formats

    return parts_to_text(parts_in_language(result.parts(), lang), places)


def _html(result: Presentable, places: int, lang: str) -> str:
    from rankgauge.presentation.html import page
    from rankgauge.presentation.parts import parts_in_language

    own_page = getattr(result, "to_html", None)  # an explanation has a page of its own
    if own_page is not None:
        return str(own_page(places=places, lang=lang))
    return page(parts_in_language(result.parts(), lang), places, lang)


def rows_table(result: Presentable) -> Table:
    """Return the table that programs read: `rows_table()` of a result that has one, else its `table()`."""
    table: Table = getattr(result, "rows_table", result.table)()
    return table


FORMATS: Final[Mapping[str, Format]] = {
    "table": Format(_text, has_remarks=True),
    "trec": Format(lambda result, *_: str(result.to_trec())),  # only what `rankgauge evaluate` presents has it
    "json": Format(lambda result, *_: str(result.to_json()), (".json",)),
    "csv": Format(lambda result, *_: rows_table(result).to_csv(), (".csv",), copied_as="CSV"),
    "markdown": Format(
        lambda result, places, _: str(result.table().to_markdown(places=places)), (".md",), copied_as="Markdown"
    ),
    "latex": Format(
        lambda result, places, _: str(result.table().to_latex(places=places)), (".tex",), copied_as="LaTeX"
    ),
    "html": Format(_html, (".html", ".htm"), has_remarks=True),
}
DEFAULT: Final = "table"
SUFFIXES: Final[Mapping[str, str]] = {suffix: name for name, form in FORMATS.items() for suffix in form.suffixes}


def render(result: Presentable, format_: str = DEFAULT, *, places: int = DEFAULT_PLACES, lang: str = ENGLISH) -> str:
    """Return a result as text in one of the formats.

    `places` is the number of digits after the point in `table`, `markdown`, `latex` and `html`; `csv` and `json` have
    all digits, and `trec` has those of trec_eval. `lang` is the language of `table` and `html`; what programs and
    papers take is English.

    >>> import rankgauge as rg
    >>> result = rg.evaluate({"q1": {"d1": 1}}, {"q1": ["d2", "d1"]}, "ndcg@10")
    >>> print(render(result, "markdown", places=2))
    | measure | mean | 95% from | to | queries |
    |:--------|-----:|:---------|:---|--------:|
    | ndcg@10 | 0.63 | –        | –  |       1 |
    """
    known = [name for name in FORMATS if name != "trec" or hasattr(result, "to_trec")]
    require_choice("format", format_, known, "`rankgauge evaluate --format trec` writes what trec_eval prints")
    return FORMATS[format_].render(result, places, lang)


def format_of_path(path: str | None) -> str:
    """Return the format that the suffix of a file stands for, `table` for any other.

    >>> format_of_path("results/values.CSV"), format_of_path("values.txt"), format_of_path(None)
    ('csv', 'table', 'table')
    """
    suffix = os.path.splitext(path or "")[1].lower()  # noqa: PTH122 - importing pathlib slows the start
    return SUFFIXES.get(suffix, DEFAULT)
