"""From the rows of a query to its ranks: grades, duplicates, order, ties. Part of the reference engine.

>>> from rankgauge.conventions.textbook import TEXTBOOK
>>> order([("a", 0.5), ("b", 0.9)], {"a": 1.0}, "q", TEXTBOOK).items
['b', 'a']
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError

Rows = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One query after ordering: its items by rank, and the runs of ranks (from, to) whose scores are equal.

    `merged` are those of the runs whose scores were distinct as they were given. `length` is how many ranks count.
    Where ties are averaged, the items that tie with the last of them are kept too. `given` has the ranked items in the
    order in which they came.
    """

    items: list[str]
    ties: list[tuple[int, int]]
    merged: list[tuple[int, int]]
    length: int
    dropped: int
    missing: bool
    given: Sequence[str]


def grades_of(rows: Rows, query: str, convention: Convention) -> dict[str, float]:
    """Return the grade of each judged item of a query."""
    grades = unique(rows, query, "judgments", convention)
    for item, grade in grades.items():
        if grade < 0 and convention.negative == "error":
            raise RankgaugeError("negative-grade", place=f"query {query!r}, item {item!r}", item=item, got=grade)
    return grades


def order(
    rows: Rows | None,
    grades: Mapping[str, float],
    query: str,
    convention: Convention,
    depth: int | None = None,
    marks: Sequence[int] = (),
) -> Ranked:
    """Rank the items of a query: by score, highest first, then by the convention's rule for ties.

    Unjudged items are dropped after the cut at the depth, as trec_eval does. `marks` tell scores apart that have more
    digits than a float.
    """
    originals = unique(rows or (), query, "ranking", convention)
    marked = unique([(item, mark) for (item, _), mark in zip(rows or (), marks, strict=False)], query, "", convention)
    own_items = {query} & originals.keys() if convention.own_id == "drop" else set()
    scores = {item: score for item, score in originals.items() if item not in own_items} if own_items else originals
    if convention.precision == "float32":
        scores = {item: to_float32(score) for item, score in scores.items()}
    items, in_order = _by_score(scores, grades, convention)
    length = len(items) if depth is None else min(depth, len(items))
    end = _end_of_run(in_order, length) if convention.ties == "average" and length else length
    kept, left, left_scores = items[:end], items[:end], in_order[:end]
    if convention.unjudged != "zero" or convention.negative == "drop":
        admitted = [_admitted(item, grades, query, convention) for item in kept]
        left, left_scores = list(compress(kept, admitted)), list(compress(left_scores, admitted))
        length = sum(admitted[:length])
    ties = [(start, end) for start, end in _equal_runs(left_scores) if start < length]
    merged = [
        (start, end)
        for start, end in ties
        if len({(originals[item], marked.get(item, 0)) for item in left[start:end]}) > 1
    ]
    dropped = len(kept) - len(left) + len(own_items)
    return Ranked(left, ties, merged, length, dropped=dropped, missing=rows is None, given=list(scores))


def _by_score(
    scores: Mapping[str, float], grades: Mapping[str, float], convention: Convention
) -> tuple[list[str], list[float]]:
    """Return the items by score, highest first, and their scores; equals by the convention's rule for ties."""
    rows = list(scores.items())
    if convention.ties == "reversed":
        rows.reverse()
    rows.sort(key=itemgetter(1), reverse=True)  # stable: equals stay as they are
    items, in_order = [item for item, _ in rows], [score for _, score in rows]
    if convention.ties in ("given", "reversed"):
        return items, in_order
    for start, end in _equal_runs(in_order):
        tied = sorted(items[start:end], reverse=convention.ties != "id-ascending")
        if convention.ties in ("worst", "best"):
            tied.sort(key=lambda item: effective_grade(item, grades, convention), reverse=convention.ties == "best")
        items[start:end] = tied
    return items, in_order


def effective_grade(item: str, grades: Mapping[str, float], convention: Convention) -> float:
    """Return the grade by which ties are ordered: 0 for what has no gain."""
    grade = grades.get(item, 0.0)
    return 0.0 if is_worthless(grade, convention) else grade


def is_worthless(grade: float, convention: Convention) -> bool:
    """Return whether a grade is negative and has no gain under the convention."""
    return grade < 0 and convention.negative in ("zero", "drop")


def unique(rows: Rows, query: str, side: str, convention: Convention) -> dict[str, float]:
    """Return each item with its value, in the order given, duplicates settled by the convention."""
    kept = dict(rows)
    if len(kept) == len(rows):
        return kept
    kept = {}
    for item, value in rows:
        if item in kept and convention.duplicates == "error":
            raise RankgaugeError(
                "duplicate-item", place=f"query {query!r}, item {item!r}", item=item, side=side, times="twice"
            )
        if item in kept and convention.duplicates == "first":
            continue
        kept.pop(item, None)
        kept[item] = value
    return kept


def to_float32(number: float) -> float:
    """Round to the nearest 32-bit float, ties to even.

    >>> to_float32(0.1), to_float32(1e39)
    (0.10000000149011612, inf)
    """
    _, exponent = math.frexp(number)
    quantum = math.ldexp(1.0, max(exponent - 24, -149))
    rounded = round(number / quantum) * quantum
    return rounded if abs(rounded) < 2.0**128 else math.copysign(math.inf, number)


def _admitted(item: str, grades: Mapping[str, float], query: str, convention: Convention) -> bool:
    if item not in grades and convention.unjudged == "error":
        raise RankgaugeError("unjudged-item", place=f"query {query!r}, item {item!r}", item=item)
    if item not in grades:
        return convention.unjudged != "drop"
    return not (is_worthless(grades[item], convention) and "drop" in (convention.unjudged, convention.negative))


def _end_of_run(scores: Sequence[float], length: int) -> int:
    """Return where the scores end that equal the last of the first `length`."""
    last = scores[length - 1]
    return next((end for end in range(length, len(scores)) if scores[end] != last), len(scores))


def _equal_runs(scores: Sequence[float]) -> Iterator[tuple[int, int]]:
    start = 0
    for end in range(1, len(scores) + 1):
        if end == len(scores) or scores[end] != scores[start]:
            if end - start > 1:
                yield start, end
            start = end
