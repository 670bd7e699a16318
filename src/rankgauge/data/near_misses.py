"""Ids that would be equal if they were written in the same way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

# What two ids may differ in → the id without it.
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


class NearMiss(NamedTuple):
    """What two ids differ in, and the two."""

    difference: str
    judged: str
    ranked: str

    def __str__(self) -> str:
        return f"{self.judged!r} and {self.ranked!r} differ only in {self.difference}"


def find(judged: Iterable[str], ranked: Iterable[str]) -> NearMiss | None:
    """Return two ids that differ only in how they are written; the difference is the one that most ids have.

    >>> print(find(["7", "11"], ["007", "008"]))
    '7' and '007' differ only in leading zeros
    >>> find(["7"], ["8"]) is None
    True
    """
    judged, ranked = list(judged), list(ranked)
    misses = {name: _pairs(judged, ranked, plain) for name, plain in DIFFERENCES.items()}
    name = max(misses, key=lambda each: len(misses[each]))
    return NearMiss(name, *misses[name][0]) if misses[name] else None


def _pairs(judged: Iterable[str], ranked: Iterable[str], plain: Callable[[str], str]) -> list[tuple[str, str]]:
    by_form = {plain(text): text for text in judged}
    pairs = ((by_form.get(plain(text)), text) for text in ranked)
    return [(own, text) for own, text in pairs if own is not None and own != text]
