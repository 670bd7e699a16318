"""`rg.evaluate` on data that is larger than memory: evaluated part by part from disk, and merged to the same bits."""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Iterator
from functools import partial
from heapq import nsmallest
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge._core import LightEvaluation as Light
from rankgauge._core import begin_progress
from rankgauge.data import common_items
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.data.rows_on_disk import Noun, RowsOnDisk, parts, parts_alone
from rankgauge.engines.native import counts_of, view
from rankgauge.engines.partition import Fault, FaultError, evaluate_part
from rankgauge.execution_options import ExecutionOptions
from rankgauge.languages import Text
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results import input_checks
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.light_evaluation import LightEvaluation
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge._core import Evaluation as Compiled
    from rankgauge.data.rows_on_disk import JudgedSide, RankedSide

# How many ids of queries an error compares.
_MOST_QUERIES: Final = 10_000
# The rows of a longer query are kept as Python objects only if a remark needs them.
_MOST_ROWS: Final = 10_000
# Values per query may take an eighth of the memory: they are held three times, by part, merged, and in the result.
_VALUES: Final = 8
# Values per query of up to this many bytes are always kept.
_LEAST: Final = 1 << 24
# About how many bytes a query takes beside its values.
_QUERY: Final = 48


class _Merging:
    """Evaluations of parts: with values per query as long as these fit into memory, with sums alone after that."""

    def __init__(self, request: Request, memory: int) -> None:
        self._most = max(memory // _VALUES, _LEAST)
        self._per_query = 8 * len(request.computed) + _QUERY
        self._is_light_possible = not any(measure.letters for measure in request.computed)
        self._size = 0
        self._parts: list[Compiled] = []
        self._sums: list[Light] = []

    def add(self, part: Compiled) -> None:
        """Add the evaluation of queries that no other part has."""
        self._size += self._per_query * len(part)
        self._parts.append(part)
        if self._size > self._most and self._is_light_possible:
            self._sums += [each.light() for each in self._parts]
            self._parts = []

    def merged(self) -> Compiled | Light:
        """Return the evaluation of all parts."""
        if self._sums:
            self._sums += [each.light() for each in self._parts]
            return self._sums[0].merge(*self._sums[1:])
        return self._parts[0].merge(*self._parts[1:])


def evaluate(
    judged: JudgedSide,
    ranked: RankedSide,
    request: Request,
    running: ExecutionOptions,
    remarks: tuple[Remark, ...] = (),
) -> tuple[Result, FirstQueries]:
    """Evaluate a request on two sides, at least one of which is on disk; also return the first queries of both."""
    if isinstance(ranked, Ranking):
        ranked = ranked.in_memory()
    first = FirstQueries(judged, ranked)
    memory = _memory(judged, ranked)
    merging = _Merging(request, memory)
    annotation, grades, fractions = None, 0, 0
    faults: list[Fault] = []
    for judgments, ranking in _read(judged, ranked):
        try:
            merging.add(evaluate_part(judgments, ranking, request, running.threads))
        except FaultError as raised:
            faults.append(raised.args[0])
        first.add(judgments, ranking)
        annotation = judgments.annotation
        of_part = judgments.handle.fractions()
        grades, fractions = grades + of_part[0], fractions + of_part[1]
    if faults:
        raise min(faults, key=lambda fault: fault[:2]).error()
    evaluation = _evaluation(merging.merged(), request)
    input_checks.require_queries(evaluation.counts, partial(_queries, judged), partial(_queries, ranked))
    of_grades = input_checks.of_grades(annotation, lambda: (grades, fractions), request)
    all_remarks = (*remarks, *judged.remarks, *ranked.remarks, *of_grades, *_light_remarks(evaluation, memory))
    return Result(evaluation, request, running.seed, running.threads, all_remarks, judged.query_kind), first


def _read(judged: JudgedSide, ranked: RankedSide) -> Iterator[tuple[Judgments, Ranking]]:
    """Return the parts of both sides, and count their bytes for the display of progress."""
    begin_progress(sum(side.buckets.bytes for side in (judged, ranked) if isinstance(side, RowsOnDisk)))
    return parts(judged, ranked)


def _memory(*sides: JudgedSide | RankedSide) -> int:
    return next(side.memory for side in sides if isinstance(side, RowsOnDisk))


def _evaluation(merged: Compiled | Light, request: Request) -> Evaluation:
    if isinstance(merged, Light):
        return LightEvaluation.of(merged, request, counts_of(merged, request))
    return view(merged, request)


def _light_remarks(evaluation: Evaluation, memory: int) -> Iterator[Remark]:
    if not evaluation.has_queries:
        text = Text(
            "the values of {:,} queries do not fit into {:,} bytes; means and intervals are from exact sums",
            evaluation.counts.evaluated,
            memory,
        )
        yield Remark.of("no-values", text)


def _queries(side: Noun | RowsOnDisk[Noun]) -> list[str]:
    """Return ids of queries as text, in bytewise order, of a side on disk the first: an error shows examples."""
    if not isinstance(side, RowsOnDisk):
        return side.text_queries()
    return nsmallest(_MOST_QUERIES, (query for part in parts_alone(side) for query in part.text_queries()))


class FirstQueries:
    """The first queries that both sides have, gathered part by part, with their rows, which a remark may need.

    The first are those that came first in a ranking on disk, and the lowest ids of one in memory.
    """

    def __init__(self, judged: JudgedSide, ranked: RankedSide) -> None:
        self._judged, self._ranked = judged, ranked
        # The first ids of a ranking on disk, in the order in which they came.
        self._ids_on_disk = ranked.buckets.first_queries() if isinstance(ranked, RowsOnDisk) else None
        self._queries: list[_FirstQuery] = []

    def add(self, judgments: Judgments, ranking: Ranking) -> None:
        """Keep the queries of a part that come before the last of those kept so far."""
        for position, query in self._candidates(judgments, ranking):
            if len(self._queries) == common_items.MOST_QUERIES and (position, query) > self._queries[-1].key:
                return
            rows = _rows(judgments, ranking, query, _MOST_ROWS)
            insort(self._queries, _FirstQuery(position, query, rows), key=lambda first: first.key)
            del self._queries[common_items.MOST_QUERIES :]

    def remarks(self, *, none_met: bool) -> Iterator[Remark]:
        """Say if most queries have no item that is both ranked and judged, as of data in memory."""
        rows_of = {first.query: first.rows for first in self._queries}
        not_kept = [query for query, rows in rows_of.items() if rows is None]
        for judgments, ranking in _read(self._judged, self._ranked) if not_kept else ():
            for query in filter(judgments.handle.__contains__, not_kept):
                rows_of[query] = _rows(judgments, ranking, query)
        known = {query: rows for query, rows in rows_of.items() if rows is not None}
        judged = Judgments.from_mapping({query: rows.judged for query, rows in known.items()})
        ranked = Ranking.from_mapping({query: rows.ranked for query, rows in known.items()})
        yield from common_items.remarks(judged, ranked, none_met=none_met, known_items=self._known_items)

    def _candidates(self, judgments: Judgments, ranking: Ranking) -> Iterator[tuple[int, str]]:
        """Yield the first queries of a part that both sides have, with their positions; those in memory all have 0."""
        if self._ids_on_disk is None:
            most = common_items.MOST_QUERIES
            yield from ((0, query) for query, _ in ranking.handle.first_queries(judgments.handle, most, sys.maxsize))
            return
        for position, query in enumerate(self._ids_on_disk):
            if query in ranking.handle and query in judgments.handle:
                yield position, query

    def _known_items(self, items: list[str]) -> set[str]:
        pairs = _read(self._judged, self._ranked)
        return {item for judgments, _ in pairs for item in judgments.handle.known_items(items)}


class _FirstQuery(NamedTuple):
    """A query by its position in the ranking; without rows where these are many: they are read again if needed."""

    position: int
    query: str
    rows: _Rows | None

    @property
    def key(self) -> tuple[int, str]:
        return self.position, self.query


class _Rows(NamedTuple):
    """The grades and the scores of the items of a query."""

    judged: dict[str, float]
    ranked: dict[str, float]


def _rows(judgments: Judgments, ranking: Ranking, query: str, most: int | None = None) -> _Rows | None:
    """Return the rows of a query, or None if there are more than `most`."""
    if most is not None and judgments.handle.row_count(query) + ranking.handle.row_count(query) > most:
        return None
    return _Rows(dict(judgments.text_rows(query) or ()), dict(ranking.text_rows(query) or ()))
