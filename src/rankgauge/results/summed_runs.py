"""SummedRuns: runs of more queries than are compared one by one, as exact sums that partitions of a cluster send."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from rankgauge._core import exact_sums
from rankgauge.data.id_kinds import native_ids
from rankgauge.engines.native import view
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.aligned_runs import (
    AlignedRuns,
    LackingQueries,
    lacking_queries,
    merged_lacking,
    remarks_on_runs,
    require_shared,
    side_by_side,
)
from rankgauge.results.comparison import CORRECTIONS, TESTS, Comparison, Design
from rankgauge.results.pair import Moved, Pair, Pairs
from rankgauge.results.pairing import KEPT_MOVED, Tally, corrected, difference_of, pair_of, pairs_of
from rankgauge.results.result import Result
from rankgauge.statistics.intervals import Interval, interval_of_moments
from rankgauge.statistics.moments import UNITS, moments_of_sums
from rankgauge.statistics.paired import Outcome, Test, sign_of_counts, t_of_moments

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rankgauge._core import Evaluation
    from rankgauge.engines.partition import Digest
    from rankgauge.results.evaluation import Counts

# Σx and Σx² in units of 2^-1074; None where one is not finite.
Sums = list[int | None]
# The tests that sums are enough for.
TESTED: Final[tuple[Test, ...]] = ("t", "sign")


class PairSums(NamedTuple):
    """The sums of the differences of a pair, how many have which sign, and the queries that moved most."""

    sums: Sums
    wins: int
    ties: int
    losses: int
    moved: list[Moved]

    def merge(self, other: PairSums) -> PairSums:
        """Add the sums of other queries."""
        moved = [Moved(*each) for each in (*self.moved, *other.moved)]
        first = sorted(moved, key=lambda each: (-abs(each.difference), str(each.query)))[:KEPT_MOVED]
        wins, ties, losses = self.wins + other.wins, self.ties + other.ties, self.losses + other.losses
        return PairSums(_added(self.sums, other.sums), wins, ties, losses, first)


class MeasureSums(NamedTuple):
    """How many queries count for a measure, the sums of each run over them, and those of each pair."""

    n: int
    runs: list[Sums]
    pairs: list[PairSums]

    @classmethod
    def of(cls, aligned: AlignedRuns, measure: Measure, names: Sequence[tuple[str, str]]) -> MeasureSums:
        """Add up the values of runs."""
        kept = aligned.counted(measure)
        values = aligned.values[measure][kept]
        queries = [str(query) for query, counts in zip(aligned.queries, kept, strict=True) if counts]
        runs = [exact_sums(values[:, column].tolist()) for column in range(len(aligned.runs))]
        return cls(len(queries), runs, [_pair_sums(values, aligned.runs, pair, queries) for pair in names])

    def merge(self, other: MeasureSums) -> MeasureSums:
        """Add the sums of other queries."""
        runs = [_added(mine, theirs) for mine, theirs in zip(self.runs, other.runs, strict=True)]
        pairs = [PairSums(*mine).merge(PairSums(*theirs)) for mine, theirs in zip(self.pairs, other.pairs, strict=True)]
        return MeasureSums(self.n + other.n, runs, pairs)


def _pair_sums(
    values: npt.NDArray[np.float64], runs: Sequence[str], names: tuple[str, str], queries: Sequence[str]
) -> PairSums:
    difference = difference_of(values, runs, names)
    _, wins, ties, losses, moved = difference.tally(queries)
    return PairSums(exact_sums(difference.differences.tolist()), wins, ties, losses, list(moved))


def _added(first: Sums, second: Sums) -> Sums:
    return [None if a is None or b is None else a + b for a, b in zip(first, second, strict=True)]


def digest_of(request: Request, design: Design, runs: Sequence[str], *, common: bool) -> Digest:
    """Return what a partition does with the evaluations of its queries."""
    return partial(_digest, request, design, tuple(runs), common)


def _digest(
    request: Request,
    design: Design,
    runs: Sequence[str],
    common: bool,
    evaluations: Sequence[Evaluation],
    present: Sequence[frozenset[str]],
) -> str:
    results = {run: Result(view(each, request), request) for run, each in zip(runs, evaluations, strict=True)}
    queries = dict(zip(runs, present, strict=True))
    aligned, everything = side_by_side(results, queries, common=common)
    names = pairs_of(runs, design.baseline)
    sums = [MeasureSums.of(aligned, measure, names) for measure in aligned.values]
    return json.dumps([len(aligned.queries), everything, lacking_queries(queries), sums])


class _NoQueries(Sequence[Any]):
    """The number of queries of an evaluation whose ids stayed on the cluster."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> NoReturn:  # noqa: ANN401 - a number or a slice
        raise RankgaugeError("values-on-cluster")


class _NoValues(Mapping[Measure, Any]):
    """Measures whose values stayed on the cluster."""

    def __init__(self, measures: Sequence[Measure]) -> None:
        self._measures = measures

    def __len__(self) -> int:
        return len(self._measures)

    def __iter__(self) -> Iterator[Measure]:
        return iter(self._measures)

    def __getitem__(self, measure: Measure) -> NoReturn:
        raise RankgaugeError("values-on-cluster")


# Without slots, so that `super()` works: a dataclass with slots is another class than the one that was written.
@dataclass(frozen=True, eq=False)
class SummedRuns(AlignedRuns):
    """Runs whose queries and values stayed on a cluster, and the sums of each measure."""

    sums: Mapping[Measure, MeasureSums] = field(kw_only=True)
    # What the ids of queries were when they came.
    query_kind: str = field(kw_only=True)

    def _compared(self) -> tuple[object, ...]:
        return self.runs, len(self.queries), self.sums, self.query_kind, self.remarks

    @classmethod
    def merged(
        cls, digests: Sequence[str], request: Request, counts: Mapping[str, Counts], query_kind: str
    ) -> SummedRuns:
        """Put together what the partitions sent of runs with these counts."""
        parts = [json.loads(digest) for digest in digests]
        queries, everything = (sum(part[index] for part in parts) for index in (0, 1))
        lacking = {
            run: merged_lacking([LackingQueries(*part[2][run]) for part in parts if run in part[2]])
            for run in counts
            if any(run in part[2] for part in parts)
        }
        sums = {}
        for index, measure in enumerate(request.measures):
            first, *others = (MeasureSums(*part[3][index]) for part in parts)
            sums[measure] = _merged(first, others)
        remarks = remarks_on_runs(lacking, counts, everything, queries, request.effective)
        values: Any = _NoValues(request.measures)
        kept: Any = _NoQueries(queries)
        summed = cls(tuple(counts), kept, values, remarks, sums=sums, query_kind=query_kind)
        require_shared(summed)
        return summed

    def mean(self, measure: Measure, run: str) -> float:
        """Return the mean, or the sum, of a run over the queries that count."""
        count, total = self.sums[measure].n, self.sums[measure].runs[self.runs.index(run)][0]
        if not count or total is None:
            return math.nan
        return total / UNITS if measure.aggregate == "sum" else total / UNITS / count

    def interval(self, measure: Measure, run: str, *, bounded: bool, level: float) -> Interval:
        """Return the interval of that mean."""
        sums = self.sums[measure]
        moments = moments_of_sums("mean", sums.n, sums.runs[self.runs.index(run)])
        return interval_of_moments(moments, measure.aggregate, bounded=bounded, level=level)

    def tally(self, measure: Measure, index: int) -> Tally:
        """Return what a pair is made of."""
        sums = PairSums(*self.sums[measure].pairs[index])
        moments = moments_of_sums("mean", self.sums[measure].n, sums.sums)
        queries = native_ids([str(query) for query, *_ in sums.moved], self.query_kind)
        moved = tuple(Moved(query, *values) for query, (_, *values) in zip(queries, sums.moved, strict=True))
        return Tally(moments, sums.wins, sums.ties, sums.losses, moved)


def _merged(first: MeasureSums, others: Sequence[MeasureSums]) -> MeasureSums:
    for other in others:
        first = first.merge(other)
    return first


def summed_design(design: Design, most: int) -> tuple[Design, Remark]:
    """Return how more queries than are collected are compared, and a remark on it; other tests are refused."""
    if design.test not in ("randomisation", *TESTED):
        expected = f"the test {' or '.join(TESTED)} for more than {most:,} queries"
        raise RankgaugeError("not-on-cluster", expected=expected, got=design.test)
    chosen = replace(
        design,
        test="t" if design.test == "randomisation" else design.test,
        correction="holm" if design.correction == "tukey" else design.correction,
    )
    text = Text(
        "more than {most:,}, so their values stay on the cluster, and exact sums are compared: {test}, {correction}",
        most=most,
        test=TESTS[chosen.test],
        correction=CORRECTIONS[chosen.correction],
    )
    return chosen, Remark.of("many-queries", text)


def compare_summed(
    summed: SummedRuns, request: Request, design: Design, remarks: tuple[Remark, ...] = ()
) -> Comparison:
    """Compare every run with the baseline, or all pairs, on every measure, by their sums."""
    rows: list[Pair] = []
    for measure in summed.sums:
        pairs = []
        for index, names in enumerate(pairs_of(summed.runs, design.baseline)):
            tally, means = (
                summed.tally(measure, index),
                (summed.mean(measure, names[0]), summed.mean(measure, names[1])),
            )
            pairs.append(pair_of(measure, request.label(measure), names, means, tally, _outcome(tally, design), design))
        rows += corrected(pairs, design)
    return Comparison(request, summed, design, Pairs(tuple(rows)), remarks)


def _outcome(tally: Tally, design: Design) -> Outcome:
    return sign_of_counts(tally.wins, tally.losses) if design.test == "sign" else t_of_moments(tally.moments)
