"""The ranks of the explorer as numbers: which item stands where, what it adds, and what its place costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rankgauge.engines.top_ranks import Ranks, TopRanks
from rankgauge.reports.ranks import weights_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgauge.measures import Gains

# How many misplaced items are marked in each run, and the least cost of one: smaller ones would be shown as 0.
MARKED: Final = 3
LEAST_COST: Final = 0.0005
# An ideal whose items do not depend on the ranking is the same for all runs.
_SHARED: Final = ("judged", "uncut")

IdealKind = Literal["shared", "each", "none"]


def ideal_kind(measure: Gains | None) -> IdealKind:
    """Return whether the ideal of a measure is the same for all runs, one for each, or has no items."""
    if measure is None or measure.ideal is None or measure.ideal.kind == "perfect":
        return "none"
    return "shared" if measure.ideal.kind in _SHARED else "each"


@dataclass(frozen=True, slots=True)
class ExplorerRanks:
    """Ranks by query as Python lists, since single cells are read: items, grades, and what each rank adds."""

    starts: list[int]
    items: Sequence[str]
    grades: list[float]
    adds: list[float]

    @classmethod
    def of(cls, ranks: Ranks, weights: npt.NDArray[np.float64]) -> ExplorerRanks:
        """Take ranks, and the discount of each."""
        lengths = np.diff(ranks.starts)
        here = np.arange(len(ranks.gains)) - np.repeat(ranks.starts[:-1], lengths)
        adds = ranks.gains * weights[np.minimum(here, len(weights) - 1)]
        return cls(ranks.starts.tolist(), ranks.items, ranks.grades.tolist(), adds.tolist())


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run: its first ranks, its ideal, and by query the (place in the ideal, rank, cost) of what costs most."""

    ranked: ExplorerRanks
    ideal: ExplorerRanks
    ranks: int
    marked: list[list[tuple[int, int, float]]]

    @classmethod
    def of(cls, top: TopRanks, measure: Gains | None, ranks: int, k: int | None, sums: Mapping[str, float]) -> ShownRun:
        """Take the first ranks of a run, with gains of a measure that is cut at k, and the ideal sum by query."""
        weights = np.full(ranks, np.nan) if measure is None else weights_of(measure, ranks)
        marked = [] if measure is None else _marked(top, measure, ranks, costs_of(top, measure, k, sums))
        return cls(ExplorerRanks.of(top.ranked, weights), ExplorerRanks.of(top.ideal, weights), ranks, marked)


def costs_of(top: TopRanks, measure: Gains, k: int | None, sums: Mapping[str, float]) -> npt.NDArray[np.float64]:
    """Return the cost of each rank of the ideal: what its item adds there, less what it adds at its actual rank.

    Where the ideal has no items, each rank of the ranking answers for itself. Costs are shares of the ideal sum where
    the measure is normalised, so that all of a query sum to what is missing to 1.
    """
    perfect = ideal_kind(measure) == "none"
    ranks = top.ranked if perfect else top.ideal
    lengths = np.diff(ranks.starts)
    here = np.arange(len(ranks.gains)) - np.repeat(ranks.starts[:-1], lengths) + 1
    deepest = int(max(here.max(initial=1), top.ideal_ranks.max(initial=1)))
    weights = np.concatenate([[0.0], weights_of(measure, deepest)])
    if k is not None:
        weights[k + 1 :] = 0.0
    best = measure.ideal.top if perfect and measure.ideal else None
    lost = (
        ranks.gains * weights[here] - top.gains_there * weights[top.ideal_ranks]
        if best is None
        else (best - ranks.gains) * weights[here]
    )
    if not measure.normalised:
        return np.asarray(lost)
    scale = np.repeat([sums.get(query, math.nan) for query in top.queries], lengths)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(lost / scale, nan=0.0, posinf=0.0, neginf=0.0))


def _marked(
    top: TopRanks, measure: Gains, ranks: int, costs: npt.NDArray[np.float64]
) -> list[list[tuple[int, int, float]]]:
    """Return by query what costs most."""
    perfect = ideal_kind(measure) == "none"
    held = top.ranked if perfect else top.ideal
    by_rank = np.nan_to_num(held.matrix(costs, ranks), nan=-1.0)
    worst = np.argsort(-by_rank, axis=1, kind="stable")[:, :MARKED]
    highest = np.take_along_axis(by_rank, worst, axis=1)
    ideal_ranks = None if perfect else top.ideal_ranks
    marked: list[list[tuple[int, int, float]]] = []
    for start, columns, values in zip(held.starts[:-1].tolist(), worst.tolist(), highest.tolist(), strict=True):
        kept = [(start + column, value) for column, value in zip(columns, values, strict=True) if value >= LEAST_COST]
        marked.append(
            [
                (index, index - start + 1 if ideal_ranks is None else int(ideal_ranks[index]), value)
                for index, value in kept
            ]
        )
    return marked


@dataclass(slots=True)
class Cells:
    """Collects the ranks of queries as numbers; items are known by their place in a list for each query."""

    ideal: IdealKind
    items: list[str] = field(default_factory=list)
    grades: list[float] = field(default_factory=list)
    item_counts: list[int] = field(default_factory=list)
    rank_counts: list[int] = field(default_factory=list)
    refs: list[int] = field(default_factory=list)
    adds: list[float] = field(default_factory=list)
    ideal_counts: list[int] = field(default_factory=list)
    ideal_refs: list[int] = field(default_factory=list)
    ideal_adds: list[float] = field(default_factory=list)
    cost_counts: list[int] = field(default_factory=list)
    cost_refs: list[int] = field(default_factory=list)
    cost_places: list[int] = field(default_factory=list)
    cost_values: list[float] = field(default_factory=list)

    @property
    def highest(self) -> float:
        """The highest grade."""
        return max((grade for grade in self.grades if math.isfinite(grade)), default=0.0)

    def add_query(self, runs: Sequence[tuple[ShownRun, int | None]]) -> None:
        """Add a query: of each run the row that it has there, None where the run lacks it."""
        known: dict[str, int] = {}
        for run, row in runs:
            added = 0 if row is None else self._add(known, run.ranked, row, run.ranks, self.refs, self.adds)
            self.rank_counts.append(added)
            self.cost_counts.append(0 if row is None else self._add_costs(known, run, row))
        if self.ideal == "shared":  # that of the first run that has the query
            runs = [next((run for run in runs if run[1] is not None), runs[0])]
        for run, row in runs if self.ideal != "none" else ():
            added = 0 if row is None else self._add(known, run.ideal, row, run.ranks, self.ideal_refs, self.ideal_adds)
            self.ideal_counts.append(added)
        self.item_counts.append(len(known))

    def _add(
        self, known: dict[str, int], shown: ExplorerRanks, row: int, ranks: int, refs: list[int], adds: list[float]
    ) -> int:
        start = shown.starts[row]
        end = min(shown.starts[row + 1], start + ranks)
        items, grades = shown.items, shown.grades
        refs += [self._ref(known, items[index], grades[index]) for index in range(start, end)]
        adds += shown.adds[start:end]
        return end - start

    def _ref(self, known: dict[str, int], item: str, grade: float) -> int:
        number = known.get(item)
        if number is None:
            number = known[item] = len(known)
            self.items.append(item)
            self.grades.append(grade)
        return number

    def _add_costs(self, known: dict[str, int], run: ShownRun, row: int) -> int:
        if not run.marked:
            return 0
        held = run.ranked if self.ideal == "none" else run.ideal
        for index, rank, cost in run.marked[row]:
            self.cost_refs.append(self._ref(known, held.items[index], held.grades[index]))
            self.cost_places.append(rank)
            self.cost_values.append(cost)
        return len(run.marked[row])

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays by the names of the script, each number in as few bytes as it takes."""
        added, numbers = np.unique(np.array([*self.adds, *self.ideal_adds]), return_inverse=True)
        actual, ideal = numbers[: len(self.adds)], numbers[len(self.adds) :]
        return {
            "itemCounts": _small(self.item_counts),
            "grades": np.array(self.grades, dtype=np.float32),
            "rankCounts": _small(self.rank_counts),
            "refs": _small(self.refs),
            "adds": _small(actual),
            "addValues": added,
            "idealCounts": _small(self.ideal_counts),
            "idealRefs": _small(self.ideal_refs),
            "idealAdds": _small(ideal),
            "costCounts": _small(self.cost_counts),
            "costRefs": _small(self.cost_refs),
            "costPlaces": _small(self.cost_places),
            "costs": np.array(self.cost_values, dtype=np.float32),
        }


def _small(numbers: Any) -> npt.NDArray[np.generic]:  # noqa: ANN401 - whole numbers of any kind
    """Return whole numbers in the fewest bytes that hold them all."""
    whole = np.asarray(numbers, dtype=np.int64)
    highest = int(whole.max(initial=0))
    return whole.astype(np.uint8 if highest < 256 else np.uint16 if highest < 65_536 else np.uint32)
