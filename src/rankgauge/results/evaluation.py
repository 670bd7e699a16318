"""What every engine returns: a value per query and measure, and what it met in the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rankgauge.measures import Measure

if TYPE_CHECKING:
    from rankgauge._core import Evaluation as Compiled


class Counts(NamedTuple):
    """What the data looked like, in queries; `dropped`, `unjudged` and `positions` (by cutoff) are in ranked items.

    `empty` queries have nothing relevant, `blank` ones have no ranked item, and `short` ones rank fewer items than a
    cutoff k asks for and than are relevant, so that it matters whether the ideal goes on to k or ends with the list.
    """

    judged: int
    ranked: int
    evaluated: int
    missing: int
    ignored: int
    empty: int
    blank: int
    short: int
    tied: int
    dropped: int
    unjudged: Mapping[str, int]
    positions: Mapping[str, int]
    # Queries in which distinct scores became equal.
    merged: int = 0
    # Places in arrays without an item; those of them that have a label, but NaN for a score; scores of -inf.
    absent: int = 0
    unscored: int = 0
    lowest: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return one flat mapping; the cutoff is in the name: `unjudged@10`."""
        names = ("evaluated", "judged", "ranked", "missing", "ignored", "empty", "blank", "short", "tied", "dropped")
        flat = {name: getattr(self, name) for name in names}
        return flat | {f"unjudged{cutoff}": count for cutoff, count in self.unjudged.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Values by measure, in the order of `queries`, which is bytewise; NaN marks a query that is left out or NaN.

    `texts` are those of the measures that have a text instead of a number, and `weights` the numbers of ranked items,
    where a measure is weighted by them. `unions` are the numbers of measures of all queries together. `run` is the
    name of the run that a TREC ranking bears. `compiled` is the evaluation of the native engine, which can be merged.
    """

    # Whether there are values per query; a light evaluation has sums alone.
    has_queries: ClassVar[bool] = True
    # The error where values are asked for that are not here.
    lacks_values: ClassVar[str] = "no-queries"

    queries: Sequence[str]
    values: Mapping[Measure, Sequence[float]]
    counts: Counts
    texts: Mapping[Measure, Sequence[str]] = field(default_factory=dict)
    weights: Sequence[float] = ()
    unions: Mapping[Measure, float] = field(default_factory=dict)
    run: str | None = None
    compiled: Compiled | None = field(default=None, compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        """Whether the same was found, whatever the engine; NaN equals NaN."""
        if not isinstance(other, Evaluation) or type(self) is not type(other):
            return NotImplemented
        return (
            list(self.queries) == list(other.queries)
            and self.values.keys() == other.values.keys()
            and all(_are_equal(values, other.values[measure]) for measure, values in self.values.items())
            and _are_equal(self.weights, other.weights)
            and self.unions.keys() == other.unions.keys()
            and _are_equal(list(self.unions.values()), [other.unions[measure] for measure in self.unions])
            and (self.counts, self.texts, self.run) == (other.counts, other.texts, other.run)
        )

    __hash__ = None  # type: ignore[assignment] # equality is that of the content


def _are_equal(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether numbers are equal one by one; NaN equals NaN.

    >>> _are_equal([0.5, math.nan], [0.5, math.nan]), _are_equal([0.5], [0.5, 0.25])
    (True, False)
    """
    return len(first) == len(second) and all(
        one == other or (math.isnan(one) and math.isnan(other)) for one, other in zip(first, second, strict=True)
    )


def cutoff_names(measures: Sequence[Measure]) -> list[tuple[str, int | None]]:
    """Return each distinct cutoff of the measures with the suffix that names it, smallest first.

    >>> from rankgauge.measures import parse_all
    >>> cutoff_names(parse_all("ndcg,dcg@10,ndcg@5"))
    [('@5', 5), ('@10', 10), ('', None)]
    """
    cutoffs = sorted({measure.k for measure in measures}, key=lambda k: (k is None, k))
    return [(f"@{k}" if k is not None else "", k) for k in cutoffs]
