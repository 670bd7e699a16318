"""Parts: the headings, texts, tables and charts that a result shows to a person, one below the other.

A report is a list of parts, which every format can present. A chart in a format that cannot draw is its title and what
it shows in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rankgauge.checks import require_choice
from rankgauge.languages import LANGUAGES, Text
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import in_language
from rankgauge.presentation.table import PLACES, Table
from rankgauge.remarks import Remark

if TYPE_CHECKING:  # most results draw nothing
    from rankgauge.presentation.charts import Chart


class Heading(NamedTuple):
    """A heading above the parts that follow; `note` is a sentence below it."""

    text: str
    note: str = ""
    level: int = 2


class SideBySide(NamedTuple):
    """Charts that stand side by side where there is room, else one below the other."""

    charts: tuple[Chart, ...]


Part: TypeAlias = "str | Table | Remark | Heading | Chart | SideBySide"


def parts_to_text(parts: Sequence[Part], places: int = PLACES) -> str:
    r"""Write parts one below the other.

    >>> parts_to_text(["title:", Table(["a"], [[1]])])
    'title:\na\n1'
    >>> parts_to_text([Heading("Means", "Each run against the baseline.")])
    '\nMeans\nEach run against the baseline.'
    """
    return "\n".join(line for part in parts for line in _lines(part, places))


def _lines(part: Part, places: int) -> Iterator[str]:
    if isinstance(part, str | Remark):
        yield part_text(part, places)
    elif isinstance(part, Table):
        yield part.to_text(places=places)
    elif isinstance(part, Heading):
        yield from ("", *filter(None, map(printable, (part.text, part.note))))
    elif isinstance(part, SideBySide):
        yield from (line for chart in part.charts for line in _lines(chart, places))
    else:
        yield printable(part.description)


def parts_in_language(parts: Sequence[Part], lang: str) -> list[Part]:
    """Return texts, tables and remarks in another language; ids, names of runs and other data stay as they are.

    >>> parts_to_text(parts_in_language([Text("nothing is ranked, so the value is {}", 0.0)], "ko"))
    '순위에 아무것도 없으므로 값은 0.0000입니다'
    """
    require_choice("lang", lang, LANGUAGES, "which language people read")
    return [_in_language(part, lang) for part in parts]


def _in_language(part: Part, lang: str) -> Part:
    if isinstance(part, Heading):
        return part._replace(text=in_language(part.text, lang), note=in_language(part.note, lang))
    if isinstance(part, SideBySide):
        return SideBySide(tuple(chart.in_language(lang) for chart in part.charts))
    if isinstance(part, str):
        translated: str = in_language(part, lang)
        return translated
    return part.in_language(lang)


def part_text(part: str | Remark, places: int) -> str:
    """Return a part that is a text or a remark as one line, its numbers with `places` digits after the point.

    >>> part_text(Text("mean {}", 0.51234), 2)
    'mean 0.51'
    """
    if isinstance(part, Remark):
        part = part.line()
    return printable(part.rounded(places) if isinstance(part, Text) else part)
