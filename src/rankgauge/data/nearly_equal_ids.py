"""Ids that would be equal if they were written in the same way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from rankgauge.errors.abridged import abridged
from rankgauge.languages import Text

# Ways to write the same id → a function that removes the difference.
DIFFERENCES: Final[Mapping[str, Callable[[str], str]]] = {
    "blanks at the ends": str.strip,
    "leading zeros": lambda text: re.sub(r"^0+(?=\d+$)", "", text),
    "a decimal point, as of ids that were floats": lambda text: re.sub(r"^(-?\d+)\.0+$", r"\1", text),
    "upper and lower case": str.casefold,
    "their Unicode form (NFC and NFD)": lambda text: unicodedata.normalize("NFC", text),
    "quotes": lambda text: re.sub(r"""^b?(["'])(.*)\1$""", r"\2", text),
    "a prefix": lambda text: re.sub(r"^.*?\D(?=\d+$)", "", text),
    "an ending": lambda text: re.sub(r"(?<=.)\.[A-Za-z]\w{0,4}$", "", text),
}
# Of these only one of the two ids may have any: a1 and b1 are different ids, a1 and 1 may be the same.
_AFFIXES: Final = ("a prefix", "an ending")


class IdDifference(NamedTuple):
    """Two ids that are nearly equal, and what they differ in."""

    difference: str
    judged: str
    ranked: str

    def text(self) -> Text:
        """Return both ids and what they differ in."""
        judged, ranked = abridged(self.judged), abridged(self.ranked)
        return Text("{!r} and {!r} differ only in {}", judged, ranked, Text(self.difference))

    def __str__(self) -> str:
        return self.text()


def find(judged: Iterable[str], ranked: Iterable[str]) -> IdDifference | None:
    """Return two ids that differ only in how they are written; the difference is the one that most ids have.

    >>> print(find(["7", "11"], ["007", "008"]))
    '7' and '007' differ only in leading zeros
    >>> find(["7"], ["8"]) is None
    True
    """
    judged, ranked = list(judged), list(ranked)
    pairs = {name: _pairs(judged, ranked, name) for name in DIFFERENCES}
    name = max(pairs, key=lambda each: len(pairs[each]))
    return IdDifference(name, *pairs[name][0]) if pairs[name] else None


def _pairs(judged: Iterable[str], ranked: Iterable[str], difference: str) -> list[tuple[str, str]]:
    plain = DIFFERENCES[difference]
    by_form = {plain(text): text for text in judged}
    forms = ((text, plain(text)) for text in ranked)
    pairs = [(by_form[form], text, form) for text, form in forms if form in by_form]
    return [
        (original, text)
        for original, text, form in pairs
        if original != text and (difference not in _AFFIXES or form in (original, text))
    ]
