"""Parts: the texts and tables that a result shows to a person, one below the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from rankgauge.escapes import printable
from rankgauge.presentation.table import PLACES, NumbersInText, Table
from rankgauge.remarks import Remark

Part = str | Table | Remark


class PartsMixin(ABC):
    """Mixin: renders `parts()` as text, and as HTML in a notebook."""

    __slots__ = ()

    @abstractmethod
    def parts(self) -> list[Part]:
        """Return the texts and tables to show, one below the other."""

    def __str__(self) -> str:
        return parts_to_text(self.parts())

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


def part_text(part: str | Remark, places: int) -> str:
    """Return a part that is a text or a remark as one line, its numbers with `places` digits after the point.

    >>> part_text(NumbersInText("mean {}", 0.51234), 2)
    'mean 0.51'
    """
    if isinstance(part, Remark):
        return str(replace(part, text=part_text(part.text, places)))
    return printable(part.rounded(places) if isinstance(part, NumbersInText) else part)
