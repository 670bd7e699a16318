"""The explorer's data: the values of each query, and its first ranks in every run, with what each place costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rankgauge.conventions.terms import Ideal
from rankgauge.engines.top_ranks import TopRanks, top_ranks
from rankgauge.escapes import printable
from rankgauge.presentation.report.explorer import Explorer
from rankgauge.presentation.table import PLACES
from rankgauge.reports.again import RANKS, cutoff_of, explained_request
from rankgauge.reports.ranks import weights_of
from rankgauge.reports.texts import TextsInput, read_texts

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgauge.measures import Gains
    from rankgauge.reports.again import Again
    from rankgauge.reports.runs import ReportedRuns

# Ranks of queries and runs that a page holds: 8,000 queries of five runs, ten ranks each.
MOST_CELLS: Final = 400_000
# So many misplaced items are marked in each run, if they cost as much as can be read.
MARKED: Final = 3
LEAST_COST: Final = 0.0005
# An ideal whose items do not depend on the ranking is the same for all runs.
_SHARED: Final = ("judged", "uncut")


def explorer_of(runs: ReportedRuns, again: Again, texts: TextsInput) -> Explorer:
    """Return the explorer of all queries, or of those that changed most and a random sample of the others."""
    measure = runs.explained
    full = None if measure is None else measure.under(runs.request.effective)
    k = None if full is None else cutoff_of(full, runs.request.effective)
    ranks = min(k or RANKS, RANKS)
    chosen = choose(runs, MOST_CELLS // (len(runs.names) * ranks))
    rows = range(len(runs.queries)) if chosen is None else chosen
    queries = [runs.queries[row] for row in rows]
    ideal = _ideal_kind(full.ideal if full else None)
    cells = _Cells(ranks, k, full, ideal)
    top = again.top if again.sampled is None else _top_again(runs, again, queries)
    sums = [_sums(runs, again, name) for name in runs.names]
    row_of = [{query: row for row, query in enumerate(top[name].queries)} for name in runs.names]
    costs = [cells.costs(top[name], sums[number]) for number, name in enumerate(runs.names)]
    for query in queries:
        cells.begin_query()
        for number, name in enumerate(runs.names):
            row = row_of[number].get(query)
            cells.add_run(top[name], row, costs[number])
        cells.end_query([(top[name], row_of[number].get(query)) for number, name in enumerate(runs.names)])
    values = runs.values[runs.main][list(rows)]
    items = cells.items
    query_texts, item_texts = _texts(texts, queries, items)
    return Explorer(
        measure=runs.label,
        places=PLACES,
        runs=[printable(name) for name in runs.names],
        classes=runs.classes,
        means=[_mean(runs.values[runs.main][:, number]) for number in range(len(runs.names))],
        pair=runs.pair,
        queries=[printable(query) for query in queries],
        complete=chosen is None,
        note=_note(runs, len(queries), ranks, k, ideal, complete=chosen is None),
        explained=full is not None,
        ideal=ideal,
        highest=cells.highest,
        items=[printable(item) for item in items],
        arrays={"values": values.astype(np.float32).ravel(), **cells.arrays()},
        texts=query_texts,
        item_texts=item_texts,
    )


def choose(runs: ReportedRuns, most: int) -> list[int] | None:
    """Return the rows of the queries that a page has room for: half that changed most, half drawn; None for all."""
    if len(runs.queries) <= most:
        return None
    values = runs.values[runs.main]
    size = np.abs(runs.differences(runs.main)) if runs.pair else -values[:, 0]
    order = np.argsort(-np.nan_to_num(size, nan=-math.inf), kind="stable")
    changed, others = order[: most // 2], order[most // 2 :]
    drawn = np.random.default_rng(0).choice(others, most - len(changed), replace=False)
    return sorted(int(row) for row in (*changed, *drawn))


def _note(runs: ReportedRuns, shown: int, ranks: int, k: int | None, ideal: str, *, complete: bool) -> str:
    said = [f"Open a query for its first {ranks} ranks in every run."]
    if ideal != "none":
        said = [f"Open a query for its first {ranks} ranks in every run, beside the ideal."]
    if runs.explained is not None:
        said.append(f"What a rank adds is gain × discount; up to {MARKED} items are marked whose places cost most.")
    if k is None or k > ranks:
        said.append("Lower ranks count too, and are not shown.")
    if not complete:
        most = "changed most" if runs.pair else "have the lowest values"
        said.append(
            f"{shown:,} of {len(runs.queries):,} queries are here: half are those that {most}, half a random sample."
        )
    return " ".join(said)


def _top_again(runs: ReportedRuns, again: Again, queries: Sequence[str]) -> dict[str, TopRanks]:
    asked = explained_request(runs)
    return {name: top_ranks(kept.judgments, kept.ranking, asked, RANKS, queries) for name, kept in again.inputs.items()}


def _sums(runs: ReportedRuns, again: Again, name: str) -> dict[str, float]:
    """Return the ideal sum of each query."""
    if again.ideal_sum is None:
        return {}
    evaluation = again.results[name].evaluation
    return dict(zip(evaluation.queries, evaluation.values[again.ideal_sum], strict=True))


def _ideal_kind(ideal: Ideal | None) -> Literal["shared", "each", "none"]:
    if ideal is None or ideal.kind == "perfect":
        return "none"
    return "shared" if ideal.kind in _SHARED else "each"


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _texts(
    texts: TextsInput, queries: Sequence[str], items: Sequence[str]
) -> tuple[list[str] | None, dict[str, str] | None]:
    if texts is None:
        return None, None
    of_queries, of_items = texts
    by_query = {id_: printable(text) for id_, text in read_texts(of_queries, set(queries)).items()}
    by_item = {printable(id_): printable(text) for id_, text in read_texts(of_items, set(items)).items()}
    return [by_query.get(query, "") for query in queries], by_item


@dataclass(slots=True)
class _Cells:
    """Collects the ranks of queries as numbers; items are known by their place in a list for each query."""

    ranks: int
    k: int | None
    measure: Gains | None
    ideal: Literal["shared", "each", "none"]
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
    _known: dict[str, int] = field(default_factory=dict)
    _weights: Any = None

    def __post_init__(self) -> None:
        if self.measure is not None:
            self._weights = weights_of(self.measure, self.ranks).tolist()

    @property
    def highest(self) -> float:
        """The highest grade."""
        return max((grade for grade in self.grades if math.isfinite(grade)), default=0.0)

    def begin_query(self) -> None:
        """Begin a query: its items are numbered from 0."""
        self._known = {}

    def _ref(self, item: str, grade: float) -> int:
        number = self._known.get(item)
        if number is None:
            number = self._known[item] = len(self._known)
            self.items.append(item)
            self.grades.append(grade)
        return number

    def add_run(self, top: TopRanks, row: int | None, costs: npt.NDArray[np.float64]) -> None:
        """Add the first ranks of a run, and the items whose places cost most."""
        if row is None:
            self.rank_counts.append(0)
            self.cost_counts.append(0)
            return
        ranked = top.ranked
        start, end = int(ranked.starts[row]), int(ranked.starts[row + 1])
        end = min(end, start + self.ranks)
        for place in range(start, end):
            self.refs.append(self._ref(ranked.items[place], float(ranked.grades[place])))
        if self._weights is not None:
            gains = ranked.gains[start:end].tolist()
            self.adds += [gain * weight for gain, weight in zip(gains, self._weights, strict=False)]
        self.rank_counts.append(end - start)
        self._add_costs(top, row, costs)

    def _add_costs(self, top: TopRanks, row: int, costs: npt.NDArray[np.float64]) -> None:
        ranks = top.ranked if self.ideal == "none" else top.ideal
        start, end = int(ranks.starts[row]), int(ranks.starts[row + 1])
        end = min(end, start + self.ranks)
        found = costs[start:end]
        worst = [
            start + int(place) for place in np.argsort(-found, kind="stable")[:MARKED] if found[place] >= LEAST_COST
        ]
        for place in worst:
            self.cost_refs.append(self._ref(ranks.items[place], float(ranks.grades[place])))
            self.cost_places.append(place - start + 1 if self.ideal == "none" else int(top.places[place]))
            self.cost_values.append(float(costs[place]))
        self.cost_counts.append(len(worst))

    def end_query(self, runs: Sequence[tuple[TopRanks, int | None]]) -> None:
        """End a query with its ideal: one for all runs, or one for each."""
        if self.ideal == "shared":
            self._add_ideal(*next((run for run in runs if run[1] is not None), (None, None)))
        elif self.ideal == "each":
            for top, row in runs:
                self._add_ideal(top, row)
        self.item_counts.append(len(self._known))

    def _add_ideal(self, top: TopRanks | None, row: int | None) -> None:
        if top is None or row is None:
            self.ideal_counts.append(0)
            return
        ranks = top.ideal
        start = int(ranks.starts[row])
        end = min(int(ranks.starts[row + 1]), start + self.ranks)
        for place in range(start, end):
            self.ideal_refs.append(self._ref(ranks.items[place], float(ranks.grades[place])))
            self.ideal_adds.append(float(ranks.gains[place]) * self._weights[place - start])
        self.ideal_counts.append(end - start)

    def costs(self, top: TopRanks, sums: dict[str, float]) -> npt.NDArray[np.float64]:
        """Return what each place costs: what its item adds in the ideal, less what it adds where it stands."""
        if self.measure is None:
            return np.zeros(0)
        ranks = top.ranked if self.ideal == "none" else top.ideal
        deepest = int(max(self.ranks, RANKS, top.places.max(initial=0)))
        weights = np.concatenate([[0.0], weights_of(self.measure, deepest)])
        if self.k is not None:
            weights[self.k + 1 :] = 0.0
        lengths = np.diff(ranks.starts)
        here = np.arange(len(ranks.gains)) - np.repeat(ranks.starts[:-1], lengths) + 1
        if self.ideal == "none" and self.measure.ideal is not None:
            lost = (self.measure.ideal.top - ranks.gains) * weights[here]
        else:
            lost = ranks.gains * weights[here] - top.gains_there * weights[top.places]
        scale = np.array([sums.get(query, math.nan) for query in top.queries]) if self.measure.normalised else 1.0
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = lost / (np.repeat(scale, lengths) if self.measure.normalised else 1.0)
        return np.nan_to_num(shares, nan=0.0, posinf=0.0, neginf=0.0)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays by the names of the script, each number in as few bytes as it takes."""
        added, numbers = np.unique(np.array([*self.adds, *self.ideal_adds]), return_inverse=True)
        own, best = numbers[: len(self.adds)], numbers[len(self.adds) :]
        return {
            "itemCounts": _small(self.item_counts),
            "grades": np.array(self.grades, dtype=np.float32),
            "rankCounts": _small(self.rank_counts),
            "refs": _small(self.refs),
            "adds": _small(own),
            "addValues": added,
            "idealCounts": _small(self.ideal_counts),
            "idealRefs": _small(self.ideal_refs),
            "idealAdds": _small(best),
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
