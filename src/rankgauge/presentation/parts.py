"""Parts: the texts and tables that a result shows to a person, one below the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from rankgauge.checks import require_choice
from rankgauge.escapes import printable
from rankgauge.languages import ENGLISH, LANGUAGES, Text
from rankgauge.languages.text import in_language
from rankgauge.presentation.table import PLACES, Table
from rankgauge.remarks import Remark

Part = str | Table | Remark


class PartsMixin(ABC):
    """Mixin: renders `parts()` as text, and as HTML in a notebook."""

    __slots__ = ()

    @abstractmethod
    def parts(self) -> list[Part]:
        """Return the texts and tables to show, one below the other."""

    def to_text(self, *, places: int = PLACES, lang: str = ENGLISH) -> str:
        """Write the texts and tables one below the other.

        Parameters
        ----------
            places: the number of digits after the point.
            lang: the language, `en` or `ko`; what has no translation is English.

        """
        return parts_to_text(parts_in_language(self.parts(), lang), places)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from rankgauge.presentation.html import parts_to_html

        return parts_to_html(self.parts())


def parts_to_text(parts: Sequence[Part], places: int = PLACES) -> str:
    r"""Write texts and tables one below the other.

    >>> parts_to_text(["title:", Table(["a"], [[1]])])
    'title:\na\n1'
    """
    return "\n".join(
        part.to_text(places=places) if isinstance(part, Table) else part_text(part, places) for part in parts
    )


def parts_in_language(parts: Sequence[Part], lang: str) -> list[Part]:
    """Return texts, tables and remarks in another language; ids, names of runs and other data stay as they are.

    >>> parts_to_text(parts_in_language([Text("nothing is ranked, so the value is {}", 0.0)], "ko"))
    '순위에 아무것도 없으므로 값은 0.0000입니다'
    """
    require_choice("lang", lang, LANGUAGES, "which language people read")
    return [part.in_language(lang) if isinstance(part, Table | Remark) else in_language(part, lang) for part in parts]


def part_text(part: str | Remark, places: int) -> str:
    """Return a part that is a text or a remark as one line, its numbers with `places` digits after the point.

    >>> part_text(Text("mean {}", 0.51234), 2)
    'mean 0.51'
    """
    if isinstance(part, Remark):
        part = part.line()
    return printable(part.rounded(places) if isinstance(part, Text) else part)
