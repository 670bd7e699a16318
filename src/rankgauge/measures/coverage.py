"""Coverage: the share of a catalogue that appears in the first ranks of any query, over all queries together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rankgauge.conventions import Convention
from rankgauge.measures.measure import Measure, Number


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Coverage(Measure):
    """The share of a catalogue in the first ranks of any query; the value of a query is what it adds to those before.

    >>> from rankgauge.measures import COVERAGE
    >>> COVERAGE(items=1000) @ 10
    coverage(items=1000)@10
    """

    family: ClassVar[str] = "coverage"

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """None."""
        return {}

    @property
    def catalogue(self) -> float:
        """The number of items of the catalogue; 0 if it is not known."""
        return float(self.number("items"))

    @property
    def needs_ids(self) -> bool:
        """Whether items are compared across queries, which is impossible for arrays: their items have no ids."""
        return True

    def under(self, convention: Convention, level: float | None = None) -> Coverage:  # noqa: ARG002 - of what is counted
        """Return the measure, which leaves nothing to the convention."""
        return self


COVERAGE: Final = Coverage(
    name="coverage",
    aggregate="union",
    parameters=(
        Number(name="items", default=0.0, low=0.0, means="the items of the catalogue; all judged or shown ones"),
    ),
    title="Share of the catalogue that is shown in the first ranks of any query",
    formula="coverage@k = items in the first k ranks of any query / items of the catalogue",
    cite="Ge, Delgado-Battenfeld & Jannach 2010, Beyond Accuracy: Evaluating Recommender Systems by Coverage and "
    "Serendipity, RecSys",
    aliases=("catalog_coverage", "catalogue_coverage", "item_coverage", "itemcoverage"),
)
