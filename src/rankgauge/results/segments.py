"""Segments: the means of a result, or the differences of a comparison, for each kind of query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part, PartsMixin
from rankgauge.presentation.table import PLACES, Cell, Probability, Table, interval_headings
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.pair import Pair
from rankgauge.results.per_query import find_measure
from rankgauge.results.result import Result
from rankgauge.results.segment_of_query import SegmentOfQuery, SegmentsInput, read_segments
from rankgauge.statistics.intervals import FEWEST, LEVEL, Interval

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from rankgauge.results.comparison import Comparison

# What stands for the segment of queries that have none.
NO_SEGMENT: Final = "–"
# From so many queries on, intervals were measured to be near their level.
ENOUGH: Final = 25
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class SegmentMean:
    """The mean of a measure over the queries of a segment that count; `run` is None in the segments of a result."""

    segment: str
    measure: str
    run: str | None
    mean: float
    interval: Interval
    queries: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with all digits."""
        run = {} if self.run is None else {"run": self.run}
        values = {"mean": self.mean, "interval": list(self.interval), "queries": self.queries}
        return {"segment": self.segment, "measure": self.measure, **run, **values}


@dataclass(frozen=True, slots=True)
class SegmentPair:
    """Two runs compared on the queries of a segment."""

    segment: str
    pair: Pair


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Segments(PartsMixin):
    """Means with intervals for each segment of the queries; of a comparison, the differences too.

    >>> import rankgauge as rg
    >>> judgments = {f"q{number}": {"a": 1} for number in range(12)}
    >>> ranking = {f"q{number}": ["a"] if number < 6 else ["x", "a"] for number in range(12)}
    >>> segments = {f"q{number}": "short" if number < 6 else "long" for number in range(12)}
    >>> by_length = rg.evaluate(judgments, ranking, "mrr").by(segments)
    >>> by_length["long", "mrr"].mean, by_length["short", "mrr"].mean, by_length["short", "mrr"].queries
    (0.5, 1.0, 6)
    """

    name: str
    segments: tuple[str, ...]
    means: tuple[SegmentMean, ...]
    request: Request
    remarks: tuple[Remark, ...]
    pairs: tuple[SegmentPair, ...] = ()
    level: float = LEVEL

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[str]:
        return iter(self.segments)

    def __getitem__(self, key: tuple[object, str | Measure]) -> SegmentMean:
        segment, measure = key
        wanted = (self._known(segment), self._label(measure))
        return next(each for each in self.means if (each.segment, each.measure) == wanted)

    def mean(self, segment: object, measure: str | Measure, run: str | None = None) -> SegmentMean:
        """Return the mean of a run in a segment, with its interval and the number of queries.

        Parameters
        ----------
            segment: the name of the segment.
            measure: one of the measures, by any of its names.
            run: the name of the run, in the segments of a comparison.

        """
        wanted = (self._known(segment), self._label(measure), run)
        rows = {(each.segment, each.measure, each.run): each for each in self.means}
        if wanted not in rows:
            runs = list(dict.fromkeys(str(each.run) for each in self.means))
            raise RankgaugeError("unknown-run", known=", ".join(runs), got=run, nearest=nearest(str(run), runs))
        return rows[wanted]

    def pair(self, segment: object, measure: str | Measure, first: str, second: str) -> Pair:
        """Return a comparison on the queries of a segment: first less second.

        Parameters
        ----------
            segment: the name of the segment.
            measure: one of the measures, by any of its names.
            first: the name of a run.
            second: the name of another run.

        """
        wanted = (self._known(segment), self._label(measure), {first, second})
        for each in self.pairs:
            pair = each.pair
            if (each.segment, pair.measure, {pair.first, pair.second}) == wanted:
                return pair if pair.first == first else pair.flipped()
        known = [f"{each.pair.first} and {each.pair.second}" for each in self.pairs]
        listed = ", ".join(dict.fromkeys(known)) or "none: these are segments of a result"
        raise RankgaugeError("unknown-run", known=listed, got=f"{first} and {second}", nearest="")

    def _known(self, segment: object) -> str:
        if str(segment) not in self.segments:
            known = ", ".join(self.segments)
            near = nearest(str(segment), self.segments)
            raise RankgaugeError("unknown-segment", known=known, got=str(segment), nearest=near)
        return str(segment)

    def _label(self, measure: str | Measure) -> str:
        return self.request.label(find_measure(measure, self.request))

    def table(self) -> Table:
        """Return what a paper takes: the differences of a comparison, the means of a result."""
        return self.pairs_table() if self.pairs else self.means_table()

    def means_table(self) -> Table:
        """Return a row per measure and segment; of a comparison, with a column per run."""
        if not self.pairs:
            rows = [[each.measure, each.segment, *_numbers(each)] for each in self.means]
            return Table(
                [Text("measure"), self.name, Text("mean"), *interval_headings(self.level), Text("queries")], rows
            )
        runs = list(dict.fromkeys(str(each.run) for each in self.means))
        rows = []
        for start in range(0, len(self.means), len(runs)):
            of_runs = self.means[start : start + len(runs)]
            rows.append(
                [of_runs[0].measure, of_runs[0].segment, *(_or_dash(each.mean) for each in of_runs), of_runs[0].queries]
            )
        return Table([Text("measure"), self.name, *runs, Text("queries")], rows)

    def pairs_table(self) -> Table:
        """Return a row per measure, pair and segment."""
        headers = [Text("measure"), self.name, *headings("pair", "difference"), *interval_headings(self.level)]
        headers += headings("p", "adjusted", "better", "worse", "equal")
        rows = []
        for segment, pair in ((each.segment, each.pair) for each in self.pairs):
            numbers = [pair.difference, *pair.interval, Probability(pair.p), Probability(pair.p_adjusted)]
            names: list[Cell] = [pair.measure, segment, f"{pair.first} − {pair.second}"]
            rows.append([*names, *map(_or_dash, numbers), pair.wins, pair.losses, pair.ties])
        return Table(headers, rows)

    def parts(self) -> list[Part]:
        """Return what is shown to a person."""
        return [*self.tables(), *self.remarks]

    def tables(self) -> list[Part]:
        """Return the means and, of a comparison, the differences, without the remarks."""
        differences: list[Part] = [self.pairs_table(), ""] if self.pairs else []
        return [self.means_table(), "", *differences]

    def to_dict(self) -> dict[str, Any]:
        """Return what the segments are called, the means and the pairs as plain values, with all digits."""
        pairs = [{"segment": each.segment, **each.pair.to_dict()} for each in self.pairs]
        values = {"by": self.name, "means": [each.to_dict() for each in self.means]}
        return values | ({"pairs": pairs} if pairs else {})

    def to_json(self) -> str:
        """Write `to_dict` and the remarks as JSON; NaN and infinities, which JSON lacks, become null."""
        return json_text({"segments": self.to_dict(), "remarks": [remark.to_dict() for remark in self.remarks]})

    def to_csv(self) -> str:
        """Write a row per mean, or per pair of a comparison, as comma-separated values, with all digits."""
        return self.rows_table().to_csv()

    def rows_table(self) -> Table:
        """Return a row per mean, or per pair of a comparison, with all digits: what programs read."""
        return self._rows().table()

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row per mean, or per pair of a comparison."""
        return self._rows().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars DataFrame with a row per mean, or per pair of a comparison."""
        return self._rows().to_polars()

    def to_markdown(self, *, places: int = PLACES) -> str:
        """Write `table` as Markdown."""
        return self.table().to_markdown(places=places)

    def to_latex(self, *, places: int = PLACES) -> str:
        """Write `table` for a paper."""
        return self.table().to_latex(places=places)

    def _rows(self) -> DataFrameMixin:
        return _PairRows(self.pairs) if self.pairs else _MeanRows(self.means)


@dataclass(frozen=True, slots=True, repr=False)
class _MeanRows(DataFrameMixin):
    means: tuple[SegmentMean, ...]

    def table(self) -> Table:
        rows = [[each.segment, each.measure, *_numbers(each)] for each in self.means]
        return Table(["segment", "measure", "mean", "low", "high", "queries"], rows)


@dataclass(frozen=True, slots=True, repr=False)
class _PairRows(DataFrameMixin):
    pairs: tuple[SegmentPair, ...]

    def table(self) -> Table:
        from rankgauge.results.comparison import Pairs

        table = Pairs(tuple(each.pair for each in self.pairs)).table()
        rows = [[each.segment, *row] for each, row in zip(self.pairs, table.rows, strict=True)]
        return Table(["segment", *table.headers], rows)


def _numbers(mean: SegmentMean) -> list[Cell]:
    return [_or_dash(mean.mean), *map(_or_dash, mean.interval), mean.queries]


def _or_dash(number: float) -> float | None:
    return None if math.isnan(number) else number


def segments_of_result(result: Result, source: SegmentsInput) -> Segments:
    """Compute the means of a result for each segment of its queries."""
    known = read_segments(source)
    evaluation = result.per_query.evaluation
    rows = _rows_of_segments(evaluation.queries, known)
    measures = [measure for measure in result.measures if measure.aggregate != "union"]
    parts = {segment: replace(result, evaluation=_restricted(evaluation, own)) for segment, own in rows.items()}
    means = tuple(_mean(segment, part, measure) for measure in measures for segment, part in parts.items())
    remarks = (*_remarks(rows, known, evaluation.queries), *_without_segments(result))
    return Segments(known.name, tuple(rows), means, result.request, remarks)


def _mean(segment: str, part: Result, measure: Measure) -> SegmentMean:
    label = part.request.label(measure)
    return SegmentMean(segment, label, None, part[measure], part.interval(measure), len(part.per_query[measure]))


def _restricted(evaluation: Evaluation, rows: Sequence[int]) -> Evaluation:
    """Return the values of some queries; the counts stay those of all."""

    def chosen(values: Sequence[Any]) -> list[Any]:
        return [values[row] for row in rows]

    return Evaluation(
        queries=chosen(evaluation.queries),
        values={measure: chosen(values) for measure, values in evaluation.values.items()},
        counts=evaluation.counts,
        weights=chosen(evaluation.weights) if evaluation.weights else (),
    )


def _without_segments(result: Result) -> list[Remark]:
    labels = [result.request.label(measure) for measure in result.measures if measure.aggregate == "union"]
    text = Text("{measures}: of all queries together, so not by segment", measures=", ".join(labels))
    return [Remark.of("not-by-segment", text)] if labels else []


def segments_of_comparison(
    comparison: Comparison, source: SegmentsInput, *, seed: int = 0, threads: int | None = None
) -> Segments:
    """Compare runs within each segment of the queries, and correct for the number of segments and pairs."""
    from rankgauge.results.pairing import compare_aligned

    known = read_segments(source)
    aligned, design = comparison.aligned, replace(comparison.design, correction="none")
    texts = list(map(str, aligned.queries))
    rows = _rows_of_segments(texts, known)
    parts = {
        segment: compare_aligned(aligned.restricted(own), comparison.request, design, seed=seed, threads=threads)
        for segment, own in rows.items()
    }
    means, pairs = [], []
    for label in comparison.measures:
        for segment, part in parts.items():
            queries = next(pair.n for pair in part.pairs if pair.measure == label)
            means += [
                SegmentMean(segment, label, run, part.mean(label, run), part.interval(label, run), queries)
                for run in comparison.runs
            ]
        tested = [(segment, pair) for segment, part in parts.items() for pair in part.pairs if pair.measure == label]
        pairs += _corrected([SegmentPair(segment, pair) for segment, pair in tested])
    remarks = (_comparisons(pairs), *_remarks(rows, known, texts))
    return Segments(
        known.name, tuple(rows), tuple(means), comparison.request, remarks, tuple(pairs), comparison.design.level
    )


def _corrected(pairs: list[SegmentPair]) -> list[SegmentPair]:
    """Correct the p-values of one measure by Holm's method; a segment of fewer than five queries has no test."""
    from rankgauge.statistics.corrections import holm

    values = [each.pair.p if each.pair.n >= FEWEST else math.nan for each in pairs]
    return [
        replace(each, pair=replace(each.pair, p=p, p_adjusted=adjusted))
        for each, p, adjusted in zip(pairs, values, holm(values), strict=True)
    ]


def _comparisons(pairs: Sequence[SegmentPair]) -> Remark:
    tests = Counter(each.pair.measure for each in pairs if not math.isnan(each.pair.p))
    made = counted(tests.total(), "comparison")
    sizes = set(tests.values())
    family = Text("those of each measure")
    if len(sizes) == 1:
        family = Text("the {:,} of each measure", sizes.pop())
    text = Text("{} within segments of at least {} queries; Holm's correction over {}", made, FEWEST, family)
    return Remark.of("comparisons-by-segment", text)


def _rows_of_segments(queries: Sequence[str], known: SegmentOfQuery) -> dict[str, list[int]]:
    """Return the rows of the queries of each segment that has any; those of no segment come last."""
    rows: dict[str, list[int]] = {segment: [] for segment in (*known.segments, NO_SEGMENT)}
    for row, query in enumerate(queries):
        rows[known.of_query.get(query, NO_SEGMENT)].append(row)
    if len(rows[NO_SEGMENT]) == len(queries):
        theirs = ", ".join(map(repr, list(known.of_query)[:2])) or "none"
        got = ", ".join(map(repr, queries[:2]))
        raise RankgaugeError("no-common-segment", got=theirs, queries=got, noun="queries")
    return {segment: own for segment, own in rows.items() if own}


def _remarks(rows: Mapping[str, Sequence[int]], known: SegmentOfQuery, queries: Sequence[str]) -> Iterator[Remark]:
    """Say how many segments there are, which are small or empty, and which queries have none."""
    all_queries = counted(len(queries), "query", "queries")
    unused = len(known.of_query.keys() - set(queries))
    segments = counted(len(rows.keys() - {NO_SEGMENT}), "segment")
    text = Text("{segments} of {queries}, by {name}", segments=segments, queries=all_queries, name=known.name)
    if unused:
        others = Text.counted(unused, "{n:,} other query has a segment", "{n:,} other queries have a segment")
        text = Text("{}; {}", text, others)
    yield Remark.of("segments", text)
    sizes = {segment: len(own) for segment, own in rows.items()}
    tiny = [f"{segment} ({size})" for segment, size in sizes.items() if size < FEWEST]
    small = [f"{segment} ({size})" for segment, size in sizes.items() if FEWEST <= size < ENOUGH]
    if tiny:
        text = Text("{}: fewer than {} queries, too few for an interval", _listed(tiny), FEWEST)
        yield Remark.of("small-segments", text)
    if small:
        text = Text("{}: fewer than {} queries, so intervals are rough", _listed(small), ENOUGH)
        yield Remark.of("small-segments", text)
    without = [queries[row] for row in rows.get(NO_SEGMENT, ())]
    if without:
        found = len(without), all_queries, _listed(without), NO_SEGMENT
        text = Text("{:,} of {} ({}), shown as {}", *found)
        yield Remark.of("no-segment", text)
    empty = [segment for segment in known.segments if segment not in rows]
    if empty:
        yield Remark.of("empty-segments", Text("{}: no query was evaluated", _listed(empty)))


def _listed(names: Sequence[str]) -> Text:
    """Return the first names, and how many there are if some are left out.

    >>> _listed(["a", "b"]), _listed(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    shown = Text("{}", ", ".join(names[:_SHOWN]))
    return Text("{} and {:,} more", shown, len(names) - _SHOWN) if len(names) > _SHOWN else shown
