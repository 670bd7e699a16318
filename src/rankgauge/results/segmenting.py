"""From a result or a comparison to its segments: the queries of each, what they say, and which are too few."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.presentation.ids import id_text
from rankgauge.remarks import Remark
from rankgauge.results.combined_comparison import CombinedComparison, compare_combined
from rankgauge.results.combined_result import CombinedResult, combine
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.measure_lookup import find_measure
from rankgauge.results.pairing import compare_aligned
from rankgauge.results.result import Result
from rankgauge.results.segment_of_query import SegmentOfQuery, SegmentsInput, read_segments
from rankgauge.results.segments import NO_SEGMENT, SegmentMean, SegmentPair, Segments
from rankgauge.statistics.corrections import holm
from rankgauge.statistics.intervals import FEWEST, NO_INTERVAL
from rankgauge.statistics.prediction_powered import FEWEST_HUMAN

if TYPE_CHECKING:
    from rankgauge.results.comparison import Comparison

_Made = TypeVar("_Made")

# With at least this many queries, the measured coverage of intervals is near their level.
ENOUGH: Final = 25
_SHOWN: Final = 5


def segments_of_result(result: Result, source: SegmentsInput) -> Segments:
    """Compute the means of a result for each segment of its queries."""
    known = read_segments(source)
    evaluation = result.per_query.evaluation
    rows = _rows_of_segments(evaluation.queries, known)
    measures = [measure for measure in result.measures if measure.aggregate != "union"]
    parts = {segment: _part_of_result(result, rows_of_segment) for segment, rows_of_segment in rows.items()}
    means = tuple(
        _mean(segment, result, part, measure, len(rows[segment]))
        for measure in measures
        for segment, part in parts.items()
    )
    untested = {}
    if isinstance(result, CombinedResult):
        untested = _few_labels(rows, parts, evaluation.queries, result.human.evaluation.queries)
    remarks = (*_remarks(rows, known, evaluation.queries), *_without_segments(result), *_unlabelled(untested))
    return Segments(known.name, tuple(rows), means, result.request, remarks, untested=untested)


def _mean(segment: str, result: Result, part: Result | None, measure: Measure, queries: int) -> SegmentMean:
    label = result.request.label(measure)
    if part is None:
        return SegmentMean(segment, label, None, math.nan, NO_INTERVAL, queries)
    return SegmentMean(segment, label, None, part[measure], part.interval(measure), len(part.per_query[measure]))


def _part_of_result(result: Result, rows: Sequence[int]) -> Result | None:
    """Return the result on some of its queries; None if too few of them have the human labels that it takes."""
    evaluation = result.per_query.evaluation
    if not isinstance(result, CombinedResult):
        return replace(result, evaluation=_restricted(evaluation, rows))
    queries = {evaluation.queries[row] for row in rows}
    human = result.human.per_query.evaluation
    labelled = [row for row, query in enumerate(human.queries) if query in queries]
    of_human = replace(result.human, evaluation=_restricted(human, labelled))
    return _if_enough_labels(
        lambda: combine(replace(result.machine, evaluation=_restricted(evaluation, rows)), of_human)
    )


def _if_enough_labels(make: Callable[[], _Made]) -> _Made | None:
    try:
        return make()
    except RankgaugeError as error:
        if error.code != "few-human-labels":
            raise
        return None


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
    known = read_segments(source)
    queries = list(map(id_text, comparison.aligned.queries))
    rows = _rows_of_segments(queries, known)
    parts = {
        segment: _part_of_comparison(comparison, rows_of_segment, seed, threads)
        for segment, rows_of_segment in rows.items()
    }
    means, pairs = [], []
    for label in comparison.measures:
        for segment, part in parts.items():
            means += _means_of_runs(segment, label, comparison, part, rows[segment])
        made = [(segment, part) for segment, part in parts.items() if part is not None]
        tested = [SegmentPair(segment, pair) for segment, part in made for pair in part.pairs if pair.measure == label]
        pairs += _corrected(tested)
    untested = {}
    if isinstance(comparison, CombinedComparison):
        untested = _few_labels(rows, parts, queries, map(id_text, comparison.human.queries))
    remarks = (
        _comparisons(pairs, of_labels=isinstance(comparison, CombinedComparison)),
        *_remarks(rows, known, queries),
        *_unlabelled(untested),
    )
    level = comparison.design.level
    return Segments(
        known.name, tuple(rows), tuple(means), comparison.request, remarks, tuple(pairs), level, untested=untested
    )


def _part_of_comparison(
    comparison: Comparison, rows: Sequence[int], seed: int, threads: int | None
) -> Comparison | None:
    """Return the comparison on some of its queries; None if too few of them have the human labels that it takes."""
    aligned, design = comparison.aligned.restricted(rows), replace(comparison.design, correction="none")
    if not isinstance(comparison, CombinedComparison):
        return compare_aligned(aligned, comparison.request, design, seed=seed, threads=threads)
    queries, human = set(map(id_text, aligned.queries)), comparison.human
    labelled = human.restricted([row for row, query in enumerate(human.queries) if id_text(query) in queries])
    return _if_enough_labels(lambda: compare_combined(aligned, labelled, comparison.request, design))


def _means_of_runs(
    segment: str, label: str, comparison: Comparison, part: Comparison | None, rows: Sequence[int]
) -> list[SegmentMean]:
    if part is None:
        return [SegmentMean(segment, label, run, math.nan, NO_INTERVAL, len(rows)) for run in comparison.runs]
    queries = int(part.aligned.counted(find_measure(label, part.request)).sum())
    return [
        SegmentMean(segment, label, run, part.mean(label, run), part.interval(label, run), queries) for run in part.runs
    ]


def _few_labels(
    rows: Mapping[str, Sequence[int]],
    parts: Mapping[str, object],
    queries: Sequence[str],
    labelled: Iterable[str],
) -> dict[str, int]:
    """Return the segments that have too few queries with human labels, and how many."""
    known = set(labelled)
    few = [segment for segment, part in parts.items() if part is None]
    return {segment: sum(queries[row] in known for row in rows[segment]) for segment in few}


def _unlabelled(untested: Mapping[str, int]) -> list[Remark]:
    if not untested:
        return []
    few = _listed([f"{segment} ({labels})" for segment, labels in untested.items()])
    text = Text("{}: fewer than {} queries with human labels, too few for an estimate", few, FEWEST_HUMAN)
    return [Remark.of("small-segments", text)]


def _corrected(pairs: list[SegmentPair]) -> list[SegmentPair]:
    """Correct the p-values of one measure by Holm's method; a segment of fewer than five queries has no test."""
    values = [each.pair.p if each.pair.n >= FEWEST else math.nan for each in pairs]
    return [
        replace(each, pair=replace(each.pair, p=p, p_adjusted=adjusted))
        for each, p, adjusted in zip(pairs, values, holm(values), strict=True)
    ]


def _comparisons(pairs: Sequence[SegmentPair], *, of_labels: bool) -> Remark:
    tests = Counter(each.pair.measure for each in pairs if not math.isnan(each.pair.p))
    made = counted(tests.total(), "comparison")
    sizes = set(tests.values())
    family = Text("those of each measure")
    if len(sizes) == 1:
        family = Text("the {:,} of each measure", sizes.pop())
    text = Text("{} within segments of at least {} queries; Holm's correction over {}", made, FEWEST, family)
    if of_labels:
        values = made, FEWEST_HUMAN, family
        text = Text("{} within segments of at least {} queries with human labels; Holm's correction over {}", *values)
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
    return {segment: of_segment for segment, of_segment in rows.items() if of_segment}


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
    sizes = {segment: len(of_segment) for segment, of_segment in rows.items()}
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
        facts = len(without), all_queries, _listed(without), NO_SEGMENT
        text = Text("{:,} of {} ({}), shown as {}", *facts)
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
