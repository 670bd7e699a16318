"""Delimited texts without a header: the names that their columns must have, as far as their values tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats, roles, sampled_values
from rankgauge.inputs.roles import Side
from rankgauge.inputs.sampled_values import SampledValues
from rankgauge.languages import Text
from rankgauge.remarks import Remark

_MS_MARCO_RUN: Final = ("query", "item", "rank")
_MOVIELENS: Final = ("user", "item", "rating", "timestamp")


def names_of(rows: Sequence[Sequence[str]], side: Side) -> Sequence[str] | None:
    """Return the names of all columns if their values leave no doubt.

    >>> names_of([["q1", "d9", "1"], ["q1", "d4", "2"], ["q2", "d4", "1"]], "ranking")
    ('query', 'item', 'rank')
    >>> names_of([["196", "242", "3", "881250949"]], "judgments")
    ('user', 'item', 'rating', 'timestamp')
    """
    width = len(rows[0]) if rows else 0
    if side == "ranking" and width == len(_MS_MARCO_RUN) and sampled_values.are_ranks(_values(rows, 2)):
        return _MS_MARCO_RUN
    if width == len(_MOVIELENS) and all(formats.is_time(row[3]) and formats.is_number(row[2]) for row in rows):
        return _MOVIELENS
    return None


def missing_names(rows: Sequence[Sequence[str]], side: Side, place: str) -> RankgaugeError:
    """Return the error of a text without a header, with a proposal of names for all its columns."""
    names, instead = proposed(rows, side), ""
    if side == "ranking" and "score" in names and _may_be_ranks(_values(rows, names.index("score"))):
        instead = "; where 1 is best, call the number rank instead of score"
    return RankgaugeError(
        "no-header", place, side=roles.table_of(side), names=names, written=",".join(names), instead=instead
    )


def proposed(rows: Sequence[Sequence[str]], side: Side) -> list[str]:
    """Return a name for each column: query and item first, the first number after them for the value.

    >>> proposed([["q1", "Q0", "d9", "1", "12.5"], ["q1", "Q0", "d4", "2", "11.9"]], "ranking")
    ['query', 'column2', 'item', 'rank', 'score']
    >>> proposed([["7", "31", "2.5", "1260759144"], ["7", "32", "2.5", "1260759145"]], "judgments")
    ['query', 'item', 'grade', 'timestamp']
    """
    width = len(rows[0]) if rows else len(_MS_MARCO_RUN)
    names = [f"column{column + 1}" for column in range(width)]
    # A second column that never changes is the iteration of TREC.
    item = 2 if width > 3 and len(rows) > 1 and len({row[1] for row in rows}) == 1 else 1
    names[0] = "query"
    names[item : item + 1] = ["item"]
    for column in range(item + 1, width):
        role = _role_of(rows, column, side)
        if role is not None and role not in names:
            names[column] = role
    return names


def remark(names: Sequence[str]) -> Remark:
    """Say that the names of columns come from their values."""
    return Remark.of("no-header", Text("by their values the columns are {}", ", ".join(names)))


def _role_of(rows: Sequence[Sequence[str]], column: int, side: Side) -> str | None:
    cells = [row[column] for row in rows]
    if not all(map(formats.is_number, cells)):
        return None
    if all(map(formats.is_time, cells)):
        return "timestamp"
    if side != "ranking":
        return "grade"
    return "rank" if sampled_values.are_ranks(_values(rows, column)) else "score"


def _values(rows: Sequence[Sequence[str]], column: int) -> SampledValues:
    by_query: dict[str, list[float]] = {}
    for row in rows:
        if not formats.is_number(row[column]):
            return []
        by_query.setdefault(row[0], []).append(float(row[column].replace(",", ".")))
    return list(by_query.values())


def _may_be_ranks(values: SampledValues) -> bool:
    """Whether all values are whole numbers from 1 on, and none comes twice in a query."""
    whole = not sampled_values.have_fractions(values)
    return whole and all(min(each) >= 1 and len(set(each)) == len(each) for each in values)
