"""Checks and remarks on judgments and a ranking as a pair, from the counts that every engine returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.evaluation import Counts


def swapped(judgments: Iterable[Remark], ranking: Iterable[Remark]) -> Iterator[Remark]:
    """Say if the two look exchanged: by their remarks, judgments have scores, the ranking grades or nothing."""
    in_judgments = next((remark.text for remark in judgments if remark.code == "scores-as-grades"), None)
    in_ranking = next((remark.text for remark in ranking if remark.code in ("grades-as-scores", "order")), None)
    if in_judgments and in_ranking:
        yield Remark.of("swapped", Text("the judgments have {}; the ranking has {}", in_judgments, in_ranking))


def of_grades(annotation: str | None, fractions: Callable[[], tuple[int, int]], request: Request) -> tuple[Remark, ...]:
    """Say which grade an item with several subtopics has, and if the tool does not take fractional grades.

    `fractions` returns how many grades there are, and how many of them are no whole numbers.
    """
    return (*_by_subtopic(annotation, request), *_fractions(fractions, request))


def _by_subtopic(annotation: str | None, request: Request) -> Iterator[Remark]:
    others = [request.label(measure) for measure in request.measures if measure.annotation != "subtopic"]
    if annotation == "subtopic" and others:
        text = Text("for {} the grade of an item is the highest of its subtopics", ", ".join(others))
        yield Remark.of("subtopics", text)


def _fractions(count: Callable[[], tuple[int, int]], request: Request) -> Iterator[Remark]:
    convention = request.effective
    what_it_does = convention.undefined.get("fractional grades")
    rows, fractions = count() if what_it_does else (0, 0)
    if fractions:
        text = Text("{:,} of {:,}; {}: {}", fractions, rows, convention.name, what_it_does)
        yield Remark.of("fractional-grades", text)


def none_met(counts: Counts) -> bool | None:
    """Whether no ranked item is judged; None where most are, which shows that both sides have the same item ids."""
    deepest = list(counts.positions)[-1]
    unjudged, positions = counts.dropped + counts.unjudged[deepest], counts.dropped + counts.positions[deepest]
    return unjudged == positions if positions and 2 * unjudged >= positions else None


def require_queries(counts: Counts, judged: Callable[[], list[str]], ranked: Callable[[], list[str]]) -> None:
    """Raise if nothing is judged, or if no query is on both sides; the ids of both sides are asked for only then."""
    if counts.judged == 0:
        raise RankgaugeError("no-rows")
    if counts.missing < counts.judged:
        return
    judged_ids, ranked_ids = judged(), ranked()
    from rankgauge.data.nearly_equal_ids import find  # most data have queries in common

    near = find(judged_ids, ranked_ids)
    raise RankgaugeError(
        "no-common-query",
        judged=counts.judged,
        ranked=counts.ranked,
        judged_example=_examples(judged_ids),
        ranked_example=_examples(ranked_ids),
        near=f"; {near}" if near else "",
    )


def _examples(queries: Iterable[str]) -> str:
    return ", ".join(map(repr, islice(queries, 2))) or "none"
