"""`rg.evaluate` on sides that are larger than memory: part by part, and merged to the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Final, Protocol

from rankgauge import sides
from rankgauge._core import LightEvaluation as Light
from rankgauge._core import begin_progress
from rankgauge.data import common_items as of_items
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.data.spilled import Spilled, parts
from rankgauge.engines.native import counts_of, view
from rankgauge.engines.partition import Fault, FaultError, evaluate_part
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.light_evaluation import LightEvaluation
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge._core import Evaluation as Compiled
    from rankgauge.data.spilled import JudgedSide, RankedSide

# How many ids of queries an error looks at.
_MOST_QUERIES: Final = 10_000
# Of the memory that may be used, the values per query: they are held in parts, merged, and as columns of a result.
_VALUES: Final = 8
# So much of them is always kept.
_LEAST: Final = 1 << 24
# About the bytes of a query beside its values.
_QUERY: Final = 48


class Running(Protocol):
    """How a request is run."""

    @property
    def seed(self) -> int: ...  # noqa: D102
    @property
    def threads(self) -> int | None: ...  # noqa: D102


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
) -> Result:
    """Evaluate a request on two sides, at least one of which is on disk."""
    if isinstance(ranked, Ranking):
        ranked = ranked.in_memory()
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
        annotation = judgments.annotation
        of_part = judgments.handle.fractions()
        grades, fractions = grades + of_part[0], fractions + of_part[1]
    if faults:
        raise min(faults, key=lambda fault: fault[:2]).error()
    evaluation = _evaluation(merging.merged(), request)
    sides.require_queries(evaluation.counts, partial(_queries, judged), partial(_queries, ranked))
    of_grades = sides.of_grades(annotation, lambda: (grades, fractions), request)
    all_remarks = (*remarks, *judged.remarks, *ranked.remarks, *of_grades, *_light_remarks(evaluation, memory))
    return Result(evaluation, request, running.seed, running.threads, all_remarks, judged.query_kind)


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


def _queries(side: JudgedSide | RankedSide) -> list[str]:
    """Return ids of queries as text, bytewise: enough for an error to show what they look like."""
    if not isinstance(side, Spilled):
        return side.text_queries()
    whole: Any = side
    other: Any = Ranking.from_mapping({}) if side.noun is Judgments else Judgments.from_mapping({})
    pairs = parts(whole, other) if side.noun is Judgments else parts(other, whole)
    place = 0 if side.noun is Judgments else 1
    return nsmallest(_MOST_QUERIES, (query for pair in pairs for query in pair[place].text_queries()))


def common_items(judged: JudgedSide, ranked: RankedSide, *, none_met: bool) -> Iterator[Remark]:
    """Say if most queries have no item that is both ranked and judged, as of data in memory."""
    if isinstance(ranked, Ranking):
        ranked = ranked.in_memory()
    first = ranked.buckets.first_queries() if isinstance(ranked, Spilled) else ranked.text_queries()
    both = {query for pair in _read(judged, ranked) for query in first if all(query in side.handle for side in pair)}
    chosen = [query for query in first if query in both][: of_items.MOST_QUERIES]
    judged_rows: dict[str, Any] = dict.fromkeys(chosen)
    ranked_rows: dict[str, Any] = dict.fromkeys(chosen)
    for judgments, ranking in _read(judged, ranked):
        for query in chosen:
            if query in judgments.handle:
                judged_rows[query] = dict(judgments.text_rows(query) or ())
                ranked_rows[query] = dict(ranking.text_rows(query) or ())

    def known_items(items: list[str]) -> set[str]:
        pairs = _read(judged, ranked)
        return {item for judgments, _ in pairs for item in judgments.handle.known_items(items)}

    some = Judgments.from_mapping(judged_rows), Ranking.from_mapping(ranked_rows)
    yield from of_items.remarks(*some, none_met=none_met, known_items=known_items)
