"""Mixins: results that show their parts and write their values as JSON, and results with one table for papers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from rankgauge.languages import ENGLISH
from rankgauge.languages.text import DEFAULT_PLACES

if TYPE_CHECKING:
    from rankgauge.presentation.parts import Part
    from rankgauge.presentation.table import Table


class PartsMixin(ABC):
    """Mixin: renders `parts()` as text, and as HTML in a notebook; writes `to_dict` as JSON."""

    __slots__ = ()

    @abstractmethod
    def parts(self) -> list[Part]:
        """Return the texts and tables to show, one below the other."""

    @abstractmethod
    def to_dict(self) -> object:
        """Return everything as plain values, with all digits."""

    def to_json(self) -> str:
        """Write `to_dict` as JSON; NaN and infinities, which JSON lacks, become null."""
        from rankgauge.presentation.json import json_text  # most results are not written

        return json_text(self.to_dict())

    def to_text(self, *, places: int = DEFAULT_PLACES, lang: str = ENGLISH) -> str:
        """Write the texts and tables one below the other.

        Parameters:
            places: the number of digits after the point.
            lang: the language, `en` or `ko`; what has no translation is English.

        """
        from rankgauge.presentation.parts import parts_in_language, parts_to_text  # most results are not shown

        return parts_to_text(parts_in_language(self.parts(), lang), places)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from rankgauge.presentation.html import parts_to_html

        return parts_to_html(self.parts())


class TableMixin(ABC):
    """Mixin: writes `table()` as Markdown and as LaTeX."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Table:
        """Return the one table that a paper takes."""

    def to_markdown(self, *, places: int = DEFAULT_PLACES) -> str:
        """Write `table` as Markdown.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        return self.table().to_markdown(places=places)

    def to_latex(self, *, places: int = DEFAULT_PLACES) -> str:
        """Write `table` for a paper, as booktabs has it; of runs, the best in bold and their marks as superscripts.

        Parameters:
            places: the number of digits after the point; default: 4.

        """
        return self.table().to_latex(places=places)
