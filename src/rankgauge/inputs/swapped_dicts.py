"""Dicts of dicts that look like each other's side: lists where grades belong, and grades where scores belong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from rankgauge.languages import Text
from rankgauge.remarks import Remark

# How many queries are looked at.
_QUERIES: Final = 20
_HIGHEST_GRADE: Final = 10


def remarks(judgments: object, ranking: object) -> Iterator[Remark]:
    """Say if a dict of lists came as judgments, and a dict of grades as the ranking.

    Relevant items may be lists, and scores whole numbers. Only where these are few and equal in most queries, and the
    lists are no shorter than what is ranked, can both hardly be meant. Where each query has one number, no two can be
    equal; then all lists are longer. Classes of others are not asked.

    >>> ranked, judged = {"q1": ["d3", "d1", "d2"]}, {"q1": {"d1": 1, "d2": 1}}
    >>> [remark.code for remark in remarks(ranked, judged)], list(remarks(judged, ranked))
    (['swapped'], [])
    """
    if type(judgments) is not dict or type(ranking) is not dict:
        return
    pairs = [(judgments[query], ranking[query]) for query in islice(judgments, _QUERIES) if query in ranking]
    if not pairs or not all(type(listed) is list and type(graded) is dict for listed, graded in pairs):
        return
    if not all(_are_grades(graded) and len(listed) >= len(graded) for listed, graded in pairs):
        return
    several = [graded for _, graded in pairs if len(graded) > 1]
    repeated = 2 * sum(len(set(graded.values())) < len(graded) for graded in several) > len(several)
    single = all(len(listed) > len(graded) == 1 for listed, graded in pairs)
    if repeated or single:
        grades = {grade for _, graded in pairs for grade in graded.values()}
        in_ranking = Text("few whole numbers, from {} to {}, as grades are", min(grades), max(grades))
        yield Remark.of("swapped", Text("the judgments have {}; the ranking has {}", Text("lists"), in_ranking))


def _are_grades(graded: Mapping[Any, Any]) -> bool:
    return all(type(grade) is int and 0 <= grade <= _HIGHEST_GRADE for grade in graded.values())
