"""What the first values of a column say about it: ranks, fractions, and scores that contradict ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

# The values of each query, in the order of the rows.
SampledValues: TypeAlias = Sequence[Sequence[float]]

# This many values that rise within their queries are no accident.
_NO_ACCIDENT: Final = 5
# Seconds since 1970 from 1973 on: no grade is so large.
_TIMES: Final = 1e8


def are_ranks(values: SampledValues) -> bool:
    """Whether the values of each query count up by one, from 1 or from 0.

    >>> are_ranks([[1, 2, 3], [1, 2]]), are_ranks([[1, 3]]), are_ranks([[1], [1]])
    (True, False, False)
    """
    starts = {of_query[0] for of_query in values if of_query}
    if len(starts) != 1 or not starts <= {0, 1} or all(len(of_query) < 2 for of_query in values):
        return False
    start = int(starts.pop())
    return all(list(of_query) == list(range(start, start + len(of_query))) for of_query in values)


def count(values: SampledValues) -> bool:
    """Whether the values of most queries are 1, 2, … or 0, 1, …, each once, in any order of the rows.

    The first rows may have only a part of a query. A query of one row says nothing.

    >>> count([[2, 3, 1], [1, 2], [5, 1]]), count([[1, 3], [2, 1]]), count([[1], [1]])
    (True, False, False)
    """
    several = [sorted(of_query) for of_query in values if len(of_query) > 1]
    counted_up = [each for each in several if each[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(each))]
    return 2 * len(counted_up) > len(several)


def may_be_ranks(values: SampledValues) -> bool:
    """Whether the values are whole numbers of which the lowest is 1 or 0, and none comes twice in a query.

    >>> may_be_ranks([[7, 2], [1]]), may_be_ranks([[1, 1]]), may_be_ranks([[0.5, 1]]), may_be_ranks([[100, 250]])
    (True, False, False, False)
    """
    lowest = min((value for of_query in values for value in of_query), default=None)
    distinct = all(len(set(of_query)) == len(of_query) for of_query in values)
    return lowest in (0, 1) and distinct and not have_fractions(values)


def rise(values: SampledValues) -> bool:
    """Whether the values rise from row to row in each query, as no scores do that were written best first.

    >>> rise([[0.1, 0.2, 0.4], [3, 5, 8, 9]]), rise([[1, 2]]), rise([[3, 2, 5, 6, 7, 8]])
    (True, False, False)
    """
    steps = [second - first for of_query in values for first, second in pairwise(of_query)]
    return len(steps) >= _NO_ACCIDENT and all(step > 0 for step in steps)


def below_times(values: SampledValues) -> bool:
    """Whether there are values, and none is as large as seconds since 1970.

    >>> below_times([[0, 1], [1]]), below_times([[1704153600]]), below_times([])
    (True, False, False)
    """
    highest = max((value for of_query in values for value in of_query), default=_TIMES)
    return highest < _TIMES


def may_be_grades(values: SampledValues) -> bool:
    """Whether the values are not all the same, and none is as large as seconds since 1970.

    >>> may_be_grades([[3, 1], [1]]), may_be_grades([[1, 1], [1]]), may_be_grades([[1704153600, 1704240000]])
    (True, False, False)
    """
    distinct = {value for of_query in values for value in of_query}
    return len(distinct) > 1 and below_times(values)


def have_fractions(values: SampledValues) -> bool:
    """Whether a value is no whole number.

    >>> have_fractions([[1, 2], [0.5]]), have_fractions([[1.0, 2.0]])
    (True, False)
    """
    return any(not float(value).is_integer() for of_query in values for value in of_query)


def rank_remarks(scores: SampledValues, ranks: SampledValues, column: str) -> Iterator[Remark]:
    """Say in how many queries the ranks are not in the order of the scores; `column` is what messages call the ranks.

    >>> for remark in rank_remarks([[0.1, 0.2, 0.3]], [[1, 2, 3]], "the column 'rank'"):
    ...     print(remark.severity, remark.text)
    severe the column 'rank' gives the best rank to the lowest score in 1 of 1 query among the first 3 rows
    """
    if all(map(_agree, scores, ranks)):  # most files end here
        return
    ordered = [_by_rank(*pair) for pair in zip(scores, ranks, strict=True) if _tell(*pair)]
    steps = [[second - first for first, second in pairwise(of_query)] for of_query in ordered]
    against = sum(any(step > 0 for step in of_query) for of_query in steps)
    reversed_ = sum(any(of_query) and all(step >= 0 for step in of_query) for of_query in steps)
    looked_at = {"column": column, "queries": counted(len(ordered), "query", "queries"), "rows": sum(map(len, scores))}
    if 2 * reversed_ > len(ordered):
        text = Text(
            "{column} gives the best rank to the lowest score in {n:,} of {queries} among the first {rows:,} rows",
            n=reversed_,
            **looked_at,
        )
        yield Remark.of("reversed-scores", text)
    elif against:
        text = Text(
            "{column} is not in the order of the scores in {n:,} of {queries} among the first {rows:,} rows",
            n=against,
            **looked_at,
        )
        yield Remark.of("ranks-and-scores", text)


def _agree(scores: Sequence[float], ranks: Sequence[float]) -> bool:
    """Whether both are in the order of the rows."""
    in_order = all(first < second for first, second in pairwise(ranks))
    return in_order and all(first >= second for first, second in pairwise(scores))


def _tell(scores: Sequence[float], ranks: Sequence[float]) -> bool:
    """Whether ranks order the items of a query; some programs write the same number in all rows."""
    return len(scores) > 1 and len(set(ranks)) == len(ranks)


def _by_rank(scores: Sequence[float], ranks: Sequence[float]) -> list[float]:
    return [score for _, score in sorted(zip(ranks, scores, strict=True))]
