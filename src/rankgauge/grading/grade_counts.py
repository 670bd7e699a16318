"""Counts for audits: items per grade, and queries with nothing above 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import isnan
from typing import Any, NamedTuple

import narwhals as nw

from rankgauge.checks import bad_number
from rankgauge.grading.source import NwFrame, flag, rows
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

MOST_GRADES = 20


class GradeCounts(NamedTuple):
    """The number of items and queries, and of queries with nothing above 0, or with a single item."""

    items: int
    queries: int
    nothing: int
    alone: int
    negative: int
    lowest: float
    highest: float
    # Grade → items; empty if there are more than 20 grades.
    grades: dict[float, int]

    def remarks(self, query: str, queries: str) -> list[Remark]:
        """Return remarks for the audit; the arguments are the noun for a query, singular and plural."""
        overview = Text("{}, {:,} of them with nothing above 0", counted(self.queries, query, queries), self.nothing)
        graded = [Remark.of("graded", overview)]
        if self.negative:
            below = Text.counted(
                self.negative,
                "{n:,} grade is below 0; most conventions count it as 0",
                "{n:,} grades are below 0; most conventions count them as 0",
            )
            graded.append(Remark.of("negative-grades", below))
        if not self.items or self.grades:
            return graded
        extent = Text("more than {}, from {:.6g} to {:.6g}", MOST_GRADES, self.lowest, self.highest)
        return [Remark.of("many-grades", extent), *graded]


def count_grades(frame: NwFrame, query: str) -> GradeCounts:
    """Count the items and queries of a table with a column `grade`; `query` is the column of queries."""
    grade = nw.col("grade")
    marked = frame.with_columns(negative=flag(grade < 0))
    negative = nw.col("negative").sum()
    by_query = marked.group_by(query).agg(items=nw.len(), best=grade.max(), lowest=grade.min(), negative=negative)
    by_query = by_query.with_columns(nothing=flag(nw.col("best") <= 0), alone=flag(nw.col("items") == 1))
    (totals,) = rows(
        by_query.select(
            nw.col("items").sum(),
            nw.col("nothing").sum(),
            nw.col("alone").sum(),
            negative,
            nw.col("lowest").min(),
            highest=nw.col("best").max(),
            queries=nw.col("items").count(),
        )
    )
    counts = rows(frame.group_by("grade").agg(items=nw.len()).head(MOST_GRADES + 1))
    whole = {name: int(totals[name] or 0) for name in ("items", "queries", "nothing", "alone", "negative")}
    lowest, highest = (float(totals[name]) if whole["items"] else 0.0 for name in ("lowest", "highest"))
    return GradeCounts(**whole, lowest=lowest, highest=highest, grades=_grades(counts))


def _grades(counts: list[dict[str, Any]]) -> dict[float, int]:
    if len(counts) > MOST_GRADES:
        return {}
    items: Counter[float] = Counter()
    for row in counts:  # 0 and -0 are one grade
        items[row["grade"]] += row["items"]
    return dict(sorted(items.items()))


def as_float(value: object) -> float | None:
    """Return a number of any library as a float; None for null and NaN.

    >>> as_float(2), as_float(float("nan"))
    (2.0, None)
    """
    try:
        number = float(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return None if isnan(number) else number


def refuse_clash(names: Mapping[str, str], added: Iterable[str], table: str) -> None:
    """Raise if a column of ids, which keeps its name, has the name of a column that is added."""
    for role in ("query", "item", "date", "ticker"):
        if role in names and names[role] in added:
            expected = f"a column with another name than {names[role]!r}, which is added"
            raise bad_number(role, expected, names[role], "rename the column", table)
