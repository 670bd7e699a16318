"""Explorer: what a reader can look up query by query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# The arrays that the script of the page reads, in the order of their names there.
ARRAYS = (
    "values",
    "itemCounts",
    "grades",
    "rankCounts",
    "refs",
    "adds",
    "addValues",
    "idealCounts",
    "idealRefs",
    "idealAdds",
    "costCounts",
    "costRefs",
    "costPlaces",
    "costs",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explorer:
    """A table of queries and the ranks behind each.

    Parameters:
        measure: what the values of the table are.
        places: the digits after the point of these.
        runs: the names of the runs.
        classes: the class of the style sheet of each run.
        means: the mean of each run.
        pair: the numbers of the two runs whose difference is shown; None where there is one run.
        queries: the ids of the queries.
        complete: whether these are all queries that were evaluated.
        note: which queries are here, and how to read the ranks.
        explained: whether ranks have contributions.
        ideal: whether the ideal ranking is the same for all runs, one for each, or has no items.
        highest: the highest grade.
        items: the ids of the items of all queries, one query after another.
        arrays: numbers by the names of `ARRAYS`.
        texts: what each query is, where it is known.
        item_texts: what items are, by id.

    """

    measure: str
    places: int
    runs: Sequence[str]
    classes: Sequence[str]
    means: Sequence[float | None]
    pair: tuple[int, int] | None
    queries: Sequence[str]
    complete: bool
    note: str
    explained: bool
    ideal: Literal["shared", "each", "none"]
    highest: float
    items: Sequence[str]
    arrays: Mapping[str, npt.NDArray[np.generic]]
    texts: Sequence[str] | None = None
    item_texts: Mapping[str, str] | None = None

    def values(self) -> dict[str, Any]:
        """Return what the script reads beside the arrays."""
        return {
            "measure": self.measure,
            "places": self.places,
            "runs": list(self.runs),
            "classes": list(self.classes),
            "means": list(self.means),
            "pair": self.pair,
            "queries": list(self.queries),
            "complete": self.complete,
            "explained": self.explained,
            "ideal": self.ideal,
            "highest": self.highest,
            "items": list(self.items),
            "texts": None if self.texts is None else list(self.texts),
            "itemTexts": None if self.item_texts is None else dict(self.item_texts),
        }
