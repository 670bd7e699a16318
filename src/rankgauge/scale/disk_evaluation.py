"""`rg.evaluate` on sides that are larger than memory: part by part, and merged to the same bits."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from functools import partial
from heapq import nsmallest
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge._core import LightEvaluation as Light
from rankgauge._core import begin_progress
from rankgauge.data import common_items as of_items
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.data.spilled import Noun, Spilled, parts, parts_alone
from rankgauge.engines.native import counts_of, view
from rankgauge.engines.partition import Fault, FaultError, evaluate_part
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results import input_checks
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.light_evaluation import LightEvaluation
from rankgauge.results.result import Result
from rankgauge.running import Running

if TYPE_CHECKING:
    from rankgauge._core import Evaluation as Compiled
    from rankgauge.data.spilled import JudgedSide, RankedSide

# How many ids of queries an error looks at.
_MOST_QUERIES: Final = 10_000
# A query with more rows is held as Python objects only if there is something to say.
_MOST_ROWS: Final = 10_000
# Of the memory that may be used, the values per query: they are held in parts, merged, and as columns of a result.
_VALUES: Final = 8
# So much of them is always kept.
_LEAST: Final = 1 << 24
# About the bytes of a query beside its values.
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
    judged: JudgedSide, ranked: RankedSide, request: Request, running: Running, remarks: tuple[Remark, ...] = ()
) -> tuple[Result, FirstQueries]:
    """Evaluate a request on two sides, at least one of which is on disk; also return what the first queries have."""
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
        except FaultError as found:
            faults.append(found.args[0])
        except RankgaugeError as error:  # of a whole part, which is the same for all
            faults.append(Fault(0, "", error.code, error.place, error.context))
        first.look(judgments, ranking)
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
    """Return the parts of both sides, and count their bytes for whoever watches."""
    begin_progress(sum(side.buckets.bytes for side in (judged, ranked) if isinstance(side, Spilled)))
    return parts(judged, ranked)


def _memory(*sides: JudgedSide | RankedSide) -> int:
    return next(side.memory for side in sides if isinstance(side, Spilled))


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


def _queries(side: Noun | Spilled[Noun]) -> list[str]:
    """Return ids of queries as text, bytewise: enough for an error to show what they look like."""
    if not isinstance(side, Spilled):
        return side.text_queries()
    return nsmallest(_MOST_QUERIES, (query for part in parts_alone(side) for query in part.text_queries()))


class FirstQueries:
    """The rows of the first queries that both sides have, gathered part by part: whether they speak of the same items.

    The first are those that came first in a ranking on disk, and the lowest ids of one in memory.
    """

    def __init__(self, judged: JudgedSide, ranked: RankedSide) -> None:
        self._judged, self._ranked = judged, ranked
        self._order: dict[str, int] | None = None
        if isinstance(ranked, Spilled):
            self._order = {query: place for place, query in enumerate(ranked.buckets.first_queries())}
        # In their order, without rows where these are many: only if there is something to say are they read again.
        self._found: list[tuple[int, str, _Rows | None]] = []

    def look(self, judgments: Judgments, ranking: Ranking) -> None:
        """Take note of the queries of a part that come before those found so far."""
        for place, query in self._places(ranking):
            if len(self._found) == of_items.MOST_QUERIES and (place, query) > self._found[-1][:2]:
                return
            if query in judgments.handle:
                insort(self._found, (place, query, _rows(judgments, ranking, query, _MOST_ROWS)), key=_place)
                del self._found[of_items.MOST_QUERIES :]

    def remarks(self, *, none_met: bool) -> Iterator[Remark]:
        """Say if most queries have no item that is both ranked and judged, as of data in memory."""
        rows = {query: rows for _, query, rows in self._found}
        many = [query for query, found in rows.items() if found is None]
        for judgments, ranking in _read(self._judged, self._ranked) if many else ():
            for query in filter(judgments.handle.__contains__, many):
                rows[query] = _rows(judgments, ranking, query)
        known = {query: found for query, found in rows.items() if found is not None}
        some = (
            Judgments.from_mapping({query: found.judged for query, found in known.items()}),
            Ranking.from_mapping({query: found.ranked for query, found in known.items()}),
        )
        yield from of_items.remarks(*some, none_met=none_met, known_items=self._known_items)

    def _places(self, ranking: Ranking) -> list[tuple[int, str]]:
        """Return the queries of a part with their places, the first ones first; those in memory share one."""
        queries, order = ranking.text_queries(), self._order
        if order is None:
            return [(0, query) for query in queries]
        return sorted((order[query], query) for query in queries if query in order)

    def _known_items(self, items: list[str]) -> set[str]:
        pairs = _read(self._judged, self._ranked)
        return {item for judgments, _ in pairs for item in judgments.handle.known_items(items)}


def _place(found: tuple[int, str, _Rows | None]) -> tuple[int, str]:
    return found[:2]


class _Rows(NamedTuple):
    """Item → number of a query."""

    judged: dict[str, float]
    ranked: dict[str, float]


def _rows(judgments: Judgments, ranking: Ranking, query: str, most: int | None = None) -> _Rows | None:
    if most is not None and judgments.handle.row_count(query) + ranking.handle.row_count(query) > most:
        return None
    return _Rows(dict(judgments.text_rows(query) or ()), dict(ranking.text_rows(query) or ()))
