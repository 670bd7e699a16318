"""Chart: what all kinds have in common."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, Literal

from rankgauge.languages.text import in_language
from rankgauge.presentation.table import Table

if TYPE_CHECKING:
    from typing_extensions import Self

# What something drawn stands for. A renderer gives each a colour and never relies on colour alone.
Mark = Literal["better", "worse", "undecided", "baseline", "plain"]

# `plain` and `baseline` say nothing about better or worse, so they have no symbol.
SYMBOLS: Final[Mapping[Mark, str]] = {"better": "▲", "worse": "▼", "undecided": "≈", "baseline": "", "plain": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(ABC):
    """A title, what stands below it, the labels of the axes, and how numbers are written.

    Parameters:
        title: what is shown, in a few words.
        subtitle: how to read it, in a sentence.
        x_label: what the horizontal axis measures.
        y_label: what the vertical axis measures.
        places: digits after the point of numbers that are written out.
        percent: whether numbers are written as percentages; values stay fractions.

    """

    title: str
    subtitle: str = ""
    x_label: str = ""
    y_label: str = ""
    places: int = 3
    percent: bool = False

    @property
    @abstractmethod
    def description(self) -> str:
        """What the chart shows, for readers who cannot see it."""

    @abstractmethod
    def table(self) -> Table:
        """Return the data that is drawn."""

    def in_language(self, language: str) -> Self:
        """Return the chart with its texts in another language; labels that are plain strings are data."""
        texts = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: in_language(text, language) for name, text in texts.items()})

    def write(self, value: float, *, signed: bool = False) -> str:
        """Return a number as the chart writes it.

        >>> from rankgauge.presentation.charts import Dots
        >>> chart = Dots(title="", dots=(), places=1, percent=True)
        >>> chart.write(0.0123), chart.write(-0.5), chart.write(0.25, signed=True)
        ('1.2%', '−50.0%', '+25.0%')
        """
        return write_number(value, self.places, signed=signed, percent=self.percent)


def write_number(value: float, places: int, *, signed: bool = False, percent: bool = False) -> str:
    """Return a number for readers: with a true minus sign, no sign before a zero, and a dash for NaN.

    >>> write_number(-0.1234, 2), write_number(0.5, 1, signed=True), write_number(-0.0001, 2), write_number(math.nan, 2)
    ('−0.12', '+0.5', '0.00', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{abs(value) * (100 if percent else 1):,.{places}f}"
    is_zero = not any(digit in "123456789" for digit in text) and not math.isinf(value)
    sign = "" if is_zero else "−" if value < 0 else "+" if signed else ""
    return f"{sign}{text}%" if percent else f"{sign}{text}"


def finite(values: Iterable[float | None]) -> list[float]:
    """Return the values that can be drawn.

    >>> finite([1.0, None, math.nan, math.inf])
    [1.0]
    """
    return [value for value in values if value is not None and math.isfinite(value)]


def sentence(title: str, text: str) -> str:
    """Return a description: the title, a colon and what follows.

    >>> sentence("NDCG by k", "2 curves"), sentence("", "2 curves")
    ('NDCG by k: 2 curves.', '2 curves.')
    """
    return f"{title}: {text}." if title else f"{text}."
