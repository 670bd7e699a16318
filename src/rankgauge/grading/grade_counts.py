"""What an audit says of graded items: how many have each grade, and how many queries have nothing above 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from typing import Any, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.source import Frame, flag, rows

MOST_GRADES = 20


class Tally(NamedTuple):
    """How many items and queries there are, and how many of the queries have nothing above 0, or one item alone."""

    items: int
    queries: int
    nothing: int
    alone: int
    lowest: float
    highest: float
    # How many items have each grade; none if there are more than 20 grades.
    grades: dict[float, int]

    def remarks(self, query: str, queries: str) -> list[str]:
        """Return what to know, one sentence each; the arguments are what a query is called, one and many."""
        found = f"{counted(self.queries, query, queries)}, {self.nothing:,} of them with nothing above 0"
        if not self.items or self.grades:
            return [found]
        return [f"more than {MOST_GRADES} grades, from {self.lowest:.6g} to {self.highest:.6g}", found]


def tally(frame: Frame, query: str) -> Tally:
    """Count what is in a table with a column `grade`; `query` is the column of queries."""
    grade = nw.col("grade")
    by_query = frame.group_by(query).agg(items=nw.len(), best=grade.max(), lowest=grade.min())
    by_query = by_query.with_columns(nothing=flag(nw.col("best") <= 0), alone=flag(nw.col("items") == 1))
    (found,) = rows(
        by_query.select(
            nw.col("items").sum(),
            nw.col("nothing").sum(),
            nw.col("alone").sum(),
            nw.col("lowest").min(),
            highest=nw.col("best").max(),
            queries=nw.col("items").count(),
        )
    )
    counts = rows(frame.group_by("grade").agg(items=nw.len()).head(MOST_GRADES + 1))
    whole = {name: int(found[name] or 0) for name in ("items", "queries", "nothing", "alone")}
    lowest, highest = (float(found[name]) if whole["items"] else 0.0 for name in ("lowest", "highest"))
    return Tally(**whole, lowest=lowest, highest=highest, grades=_grades(counts))


def _grades(counts: list[dict[str, Any]]) -> dict[float, int]:
    if len(counts) > MOST_GRADES:
        return {}
    found: dict[float, int] = {}
    for row in counts:  # 0 and -0 are one grade
        found[row["grade"]] = found.get(row["grade"], 0) + row["items"]
    return dict(sorted(found.items()))


def counted(count: int, one: str, many: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "query", "queries"), counted(1200, "query", "queries")
    ('1 query', '1,200 queries')
    """
    return f"{count:,} {one if count == 1 else many}"


def number(value: object) -> float | None:
    """Return a number of any library; None for what each of them has for nothing.

    >>> number(2), number(float("nan"))
    (2.0, None)
    """
    try:
        found = float(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return None if isnan(found) else found


def refuse_clash(found: Mapping[str, str], added: Iterable[str], table: str) -> None:
    """Raise if a column of ids, which keeps its name, goes by that of a column that is added."""
    for role in ("query", "item", "date", "ticker"):
        if role in found and found[role] in added:
            expected = f"called otherwise than {found[role]!r}, which is added"
            hint = "rename the column"
            raise RankgaugeError("bad-number", table, field=role, expected=expected, got=found[role], hint=hint)


def place(row: dict[str, Any], columns: Iterable[tuple[str, str]]) -> str:
    """Return where a row is, for a message.

    >>> place({"query": "u1", "item": 7}, [("query", "user"), ("item", "item")])
    "user 'u1', item '7'"
    """
    return ", ".join(f"{name} {str(row[role])!r}" for role, name in columns)
