"""All measures, in the order in which they are listed, and every name by which they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from rankgauge.measures.measure import Measure


class Catalogue(Mapping[str, Measure]):
    """The measures by name: every literal in the files of these families, imported on first use.

    >>> NAMED["ndcg"], KNOWN["recip_rank"]
    (ndcg, mrr)
    """

    FAMILIES: Final = ("gains", "counted", "graded", "diversity", "clicks", "coverage", "letters")

    def __init__(self, *, aliases: bool) -> None:
        self._aliases = aliases
        self._loaded: dict[str, dict[str, Measure]] = {}

    def _of(self, family: str) -> dict[str, Measure]:
        if family not in self._loaded:
            literals = vars(import_module(f"{__package__}.{family}")).values()
            measures = [value for value in literals if isinstance(value, Measure)]
            self._loaded[family] = {
                name: measure
                for measure in measures
                for name in (measure.name, *(measure.aliases if self._aliases else ()))
            }
        return self._loaded[family]

    def __getitem__(self, name: str) -> Measure:
        for family in self.FAMILIES:
            if name in self._of(family):
                return self._loaded[family][name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for family in self.FAMILIES for name in self._of(family))

    def __len__(self) -> int:
        return sum(len(self._of(family)) for family in self.FAMILIES)


NAMED: Final = Catalogue(aliases=False)
# Every name in lower case, those of other tools too.
KNOWN: Final = Catalogue(aliases=True)
