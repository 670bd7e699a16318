"""Values of several runs on the same queries: what a comparison is made of."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.data.id_kinds import native_ids
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.equality import are_equal
from rankgauge.results.remarks import missing_in_runs, unjudged_in_runs
from rankgauge.results.result import Result
from rankgauge.statistics.intervals import Interval, interval_of_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgauge.conventions import Convention
    from rankgauge.results.evaluation import Counts

_SHOWN = 3


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRuns:
    """Runs, queries, and by measure an array of values by query and run; NaN marks a query that does not count.

    In a study of stocks, runs are models, queries are dates, and measures are known by their names.
    """

    runs: tuple[str, ...]
    queries: tuple[Any, ...]
    values: Mapping[Any, npt.NDArray[np.float64]]
    remarks: tuple[Remark, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Whether the same was found; NaN equals NaN."""
        return type(self) is type(other) and are_equal(self._compared(), other._compared())

    def __hash__(self) -> int:
        return hash((self.runs, len(self.queries)))

    def _compared(self) -> tuple[object, ...]:
        return self.runs, self.queries, self.values, self.remarks

    def column(self, measure: Measure | str, run: str) -> npt.NDArray[np.float64]:
        """Return the values of a run, by query."""
        return np.asarray(self.values[measure][:, self.runs.index(run)])

    def counted(self, measure: Measure | str) -> npt.NDArray[np.bool_]:
        """Return which queries count: those that have a value in every run."""
        return np.asarray(~np.isnan(self.values[measure]).any(axis=1))

    def mean(self, measure: Measure, run: str) -> float:
        """Return the mean, or the sum, of a run over the queries that count."""
        return mean_of(self.column(measure, run)[self.counted(measure)], measure.aggregate)

    def interval(self, measure: Measure, run: str, *, bounded: bool, level: float) -> Interval:
        """Return the interval of that mean; `bounded` says that values stay between 0 and 1."""
        values = self.column(measure, run)[self.counted(measure)].tolist()
        bounded = bounded and all(0.0 <= value <= 1.0 for value in values)
        return interval_of_values(values, measure.aggregate, bounded=bounded, level=level)

    def restricted(self, rows: Sequence[int]) -> AlignedRuns:
        """Return the runs on some of the queries."""
        values = {measure: columns[list(rows)] for measure, columns in self.values.items()}
        return AlignedRuns(self.runs, tuple(self.queries[row] for row in rows), values)


def align(results: Mapping[str, Result], present: Mapping[str, frozenset[str]], *, common: bool) -> AlignedRuns:
    """Put the values of results side by side.

    `present` are the queries that each run has. One that another run has and this one lacks counts 0, so that a run
    that stopped early does not win; with `common`, only queries that all runs have count.
    """
    aligned, everything = side_by_side(results, present, common=common)
    require_shared(aligned)
    lacking = lacking_queries(present)
    counts = {run: result.evaluation.counts for run, result in results.items()}
    convention = next(iter(results.values())).convention
    return replace(aligned, remarks=remarks_on_runs(lacking, counts, everything, len(aligned.queries), convention))


def require_shared(aligned: AlignedRuns) -> None:
    """Raise if no query is in all runs."""
    if not len(aligned.queries):
        raise RankgaugeError("no-shared-query", runs=", ".join(aligned.runs))


def side_by_side(
    results: Mapping[str, Result], present: Mapping[str, frozenset[str]], *, common: bool
) -> tuple[AlignedRuns, int]:
    """Return the runs aligned on their queries, which may be none, and how many queries they have together."""
    runs = tuple(results)
    request = next(iter(results.values())).request
    evaluated = [list(result.per_query.evaluation.queries) for result in results.values()]
    everything = _joined(evaluated)
    queries = _in_all(everything, [*evaluated, *present.values()]) if common else everything
    rows = [_rows(of_run, queries) for of_run in evaluated]
    require_compared(request)
    values = {measure: _columns(measure, results, rows, queries) for measure in request.measures}
    return AlignedRuns(runs, _native(results, queries), values), len(everything)


def align_results(names: Sequence[str], results: Sequence[Result], *, common: bool) -> AlignedRuns:
    """Put the values of two results of the same request side by side."""
    first, second = (result.request.text for result in results)
    if first != second:
        raise RankgaugeError("other-measures", expected=first, got=second)
    named = dict(zip(names, results, strict=True))
    present = {name: frozenset(result.per_query.evaluation.queries) for name, result in named.items()}
    return align(named, present, common=common)


def _joined(evaluated: Sequence[list[str]]) -> list[str]:
    """Return the queries of all runs, bytewise; most often all runs have the same."""
    first, *others = evaluated
    return sorted(first if all(of_run == first for of_run in others) else set().union(*evaluated))


def _in_all(queries: list[str], runs: Sequence[Collection[str]]) -> list[str]:
    shared = frozenset(queries).intersection(*runs)
    return queries if len(shared) == len(queries) else [query for query in queries if query in shared]


def _rows(of_run: list[str], queries: list[str]) -> Mapping[str, int] | None:
    """Return the row of each query of a run; None if its rows are the queries."""
    return None if of_run == queries else {query: row for row, query in enumerate(of_run)}


def require_compared(request: Request) -> None:
    """Refuse measures whose number over all queries is no mean of values: their differences have no mean either."""
    for measure in request.measures:
        if measure.letters or measure.aggregate not in ("mean", "sum"):
            raise RankgaugeError("not-compared", got=request.label(measure))


def _columns(
    measure: Measure, results: Mapping[str, Result], rows: Sequence[Mapping[str, int] | None], queries: Sequence[str]
) -> npt.NDArray[np.float64]:
    columns = []
    for result, row_of in zip(results.values(), rows, strict=True):
        values = result.evaluation.values[measure]
        if row_of is not None:
            values = [values[row_of[query]] if query in row_of else 0.0 for query in queries]
        columns.append(np.asarray(values, dtype=np.float64))
    return np.array(columns).T


def _native(results: Mapping[str, Result], queries: Sequence[str]) -> tuple[Any, ...]:
    kinds = {result.query_kind for result in results.values()}
    return tuple(native_ids(queries, kinds.pop() if len(kinds) == 1 else "text"))


class LackingQueries(NamedTuple):
    """How many queries a run lacks, and the first of them."""

    queries: int
    first: Sequence[str]

    def text(self, run: str) -> Text:
        """Return it as people read it."""
        shown = ", ".join([*self.first, *(["…"] if self.queries > len(self.first) else [])])
        return Text("{run} lacks {count:,} ({examples})", run=run, count=self.queries, examples=shown)


def lacking_queries(present: Mapping[str, frozenset[str]]) -> dict[str, LackingQueries]:
    """Return what each run lacks that another has; a run that lacks nothing is left out."""
    first, *others = present.values()
    if all(of_run == first for of_run in others):
        return {}
    anywhere = first.union(*others)
    lacking = {run: sorted(anywhere - of_run) for run, of_run in present.items() if anywhere - of_run}
    return {run: LackingQueries(len(queries), queries[:_SHOWN]) for run, queries in lacking.items()}


def merged_lacking(parts: Sequence[LackingQueries]) -> LackingQueries:
    """Return what a run lacks of different queries.

    >>> merged_lacking([LackingQueries(4, ["a", "d", "e"]), LackingQueries(1, ["b"])])
    LackingQueries(queries=5, first=['a', 'b', 'd'])
    """
    first = sorted(query for part in parts for query in part.first)
    return LackingQueries(sum(part.queries for part in parts), first[:_SHOWN])


def remarks_on_runs(
    lacking: Mapping[str, LackingQueries],
    counts: Mapping[str, Counts],
    everything: int,
    compared: int,
    convention: Convention,
) -> tuple[Remark, ...]:
    """Say how many judged queries no run has, which runs lack queries that others have, and what is unjudged."""
    run, of_run = next(iter(counts.items()))
    nowhere = of_run.missing - (lacking[run].queries if run in lacking else 0)
    return (
        *missing_in_runs(nowhere, convention),
        *_remarks_of_lacking(lacking, everything, compared),
        *unjudged_in_runs(counts, convention),
    )


def _remarks_of_lacking(lacking: Mapping[str, LackingQueries], everything: int, compared: int) -> list[Remark]:
    """Say which runs lack queries that others have."""
    if not lacking:
        return []
    each = Text.joined("; ", (those.text(run) for run, those in lacking.items()))
    if compared < everything:
        shared = counted(compared, "query", "queries")
        kept = Text("means are over the {queries} that all runs have (missing=skip)", queries=shared)
        return [Remark.of("common-queries", Text("{}; {}", each, kept))]
    return [Remark.of("lacking-queries", Text("{}; a query that a run lacks counts 0 for it", each))]


def mean_of(values: npt.NDArray[np.float64], how: str) -> float:
    """Return the mean, or the sum, of values without NaN, rounded once."""
    if not len(values):
        return math.nan
    try:
        total = math.fsum(values.tolist())
    except OverflowError:
        raise RankgaugeError("overflow", got=float(np.abs(values).max())) from None
    return total if how == "sum" else total / len(values)
