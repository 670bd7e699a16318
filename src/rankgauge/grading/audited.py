"""Audited: a table that a grader made, with the audit of how it was made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from rankgauge.languages import Text
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import headings
from rankgauge.notation import counted, date_text
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import Report

MOST_LISTED = 5
_date = partial(date_text, separator=" ")


@dataclass(frozen=True, slots=True, repr=False)
class Audit(PartsMixin):
    """How many rows came in, were dropped and why, and were graded.

    >>> Audit("ratings", rows=5, dropped={"no rating": 2}, kept=3, grades={0: 1, 4: 2})
    ratings             rows
    rows in                5
    dropped: no rating     2
    graded                 3
      grade 0              1
      grade 4              2
    """

    title: str
    rows: int
    # Reason → rows dropped.
    dropped: Mapping[str, int]
    kept: int
    # Grade → items.
    grades: Mapping[float, int] = field(default_factory=dict)
    # How the grades were made, and what in the data may matter.
    remarks: tuple[Remark, ...] = ()
    # Date → graded items, and date → items per grade, unless the grade is the rank.
    items: Mapping[Any, int] = field(default_factory=dict)
    bins: Mapping[Any, Mapping[float, int]] = field(default_factory=dict)
    # Date without grades → the reason.
    refused: Mapping[Any, str] = field(default_factory=dict)
    # The word for the rows that were kept.
    outcome: str = "graded"

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        remarks: list[Part] = ["", *self.remarks] if self.remarks else []
        return [self.overview(), *remarks]

    def overview(self) -> Table:
        """Return the counts of rows and grades."""
        rows: list[list[Any]] = [[Text("rows in"), self.rows]]
        rows += [[Text("dropped: {}", why), count] for why, count in self.dropped.items() if count]
        rows += [[Text(self.outcome), self.kept]]
        rows += [[Text("  grade {grade:g}", grade=grade), count] for grade, count in sorted(self.grades.items())]
        return Table([Text(self.title), Text("rows")], rows)

    def table(self) -> Table:
        """Return a row per date with the items per grade, or why it has none; without dates, the counts of rows."""
        if not self.items and not self.refused:
            return self.overview()
        grades = sorted({grade for counts in self.bins.values() for grade in counts})
        dates = sorted({*self.items, *self.refused}, key=str)
        rows = [[_date(date), *self._counts(date, grades), self.refused.get(date)] for date in dates]
        return Table([*headings("date", "items"), *(f"grade {grade:g}" for grade in grades), Text("refused")], rows)

    def _counts(self, date: object, grades: list[float]) -> list[int]:
        counts = self.bins.get(date, {})
        return [self.items.get(date, 0), *(counts.get(grade, 0) for grade in grades)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "title": self.title,
            "rows": self.rows,
            "dropped": dict(self.dropped),
            self.outcome: self.kept,
            "grades": {f"{grade:g}": count for grade, count in sorted(self.grades.items())},
            "remarks": [remark.to_dict() for remark in self.remarks],
            "items": {_date(date): count for date, count in self.items.items()},
            "bins": {
                _date(date): {f"{grade:g}": count for grade, count in sorted(counts.items())}
                for date, counts in sorted(self.bins.items(), key=lambda each: str(each[0]))
            },
            "refused": {_date(date): why for date, why in self.refused.items()},
        }


def refusals(refused: Mapping[Any, str]) -> list[Remark]:
    """Return a remark for each reason why dates have no grades.

    >>> print(*refusals({"2026-01-02": "fewer than 5 stocks in the date"}))
    refused: 1 date (2026-01-02): fewer than 5 stocks in the date
    """
    reasons = dict.fromkeys(refused.values())
    return [_refusal(why, [date for date, reason in refused.items() if reason == why]) for why in reasons]


def _refusal(why: str, dates: list[Any]) -> Remark:
    shown = ", ".join(map(_date, sorted(dates, key=str)[:MOST_LISTED]))
    more = ", …" if len(dates) > MOST_LISTED else ""
    return Remark.of("refused", Text("{} ({}{}): {}", counted(len(dates), "date"), shown, more, why))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Audited:
    """A table of the same library as the input, and the audit of how it was made; `rg.evaluate` takes it as it is.

    The table is `.frame`. It unpacks into the table and the audit.

    >>> import polars as pl
    >>> from rankgauge.grading.ratings import ratings
    >>> graded = ratings(pl.DataFrame({"user": [1, 1], "item": [7, 8], "rating": [5.0, 3.0]}), least=4)
    >>> graded.frame["grade"].to_list()
    [5.0, 0.0]
    >>> frame, audit = graded
    >>> audit.kept
    2
    """

    frame: Any
    audit: Audit
    # Role → column, for `rg.evaluate`.
    roles: Mapping[str, str]
    # What an evaluation with these grades is to say.
    evaluation_remarks: tuple[Remark, ...] = ()

    def to_native(self) -> Any:  # noqa: ANN401 - a table of any library
        """Return the table."""
        return self.frame

    def report(self, path: str | os.PathLike[str] | None = None, *, command: str | None = None) -> Report:
        """Return a report: one HTML page on what came in, what was dropped and why, and which grades there are.

        Parameters:
            path: where it is written; default: nowhere. `report.to_html()` is its text, and a notebook shows it.
            command: what made it, as the report says; default: this call.

        """
        from rankgauge.reports.audit import report_of_audit

        made = report_of_audit(self.audit, command)
        return made if path is None else made.save(path)

    def __iter__(self) -> Iterator[Any]:
        """Give the table and the audit: `frame, audit = rg.grading.returns(prices)`."""
        return iter((self.frame, self.audit))

    def __getitem__(self, key: object) -> NoReturn:
        raise TypeError(f"Audited is not a table: write .frame[{key!r}]")

    if not TYPE_CHECKING:  # a type checker that saw it would take any attribute for one that exists

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(f"Audited has no attribute {name!r}; its table is .frame: write .frame.{name}")

    def __repr__(self) -> str:
        if isinstance(self.frame, Mapping):
            return f"{self.audit}\n\nthe mapping is .frame"
        columns = printable(", ".join(self.roles.values()))
        return f"{self.audit}\n\nthe table is .frame, with the columns {columns}"

    def _repr_html_(self) -> str:
        return self.audit._repr_html_()
