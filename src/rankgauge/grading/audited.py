"""Audited: a table as it came in, with the audit of how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rankgauge.tables import Part, Shown, Table, json_text

MOST_LISTED = 5
# The one date of a table that has none.
ALL: Final = "all"


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Shown):
    """What went in, what was dropped and why, and what came out.

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
    # Why rows were dropped, and how many.
    dropped: Mapping[str, int]
    kept: int
    # How many items have each grade.
    grades: Mapping[float, int] = field(default_factory=dict)
    # What else to know, one sentence each.
    remarks: tuple[str, ...] = ()
    # A date → how many of its items are graded, and how many have each grade, unless that is their rank.
    items: Mapping[Any, int] = field(default_factory=dict)
    bins: Mapping[Any, Mapping[float, int]] = field(default_factory=dict)
    # The dates that have no grades, and why.
    refused: Mapping[Any, str] = field(default_factory=dict)
    # What became of the rows that were kept.
    outcome: str = "graded"

    def parts(self) -> list[Part]:
        """Return what is shown to a person."""
        remarks = [*self.remarks, *self._refusals()]
        return [self._overview(), *(["", *remarks] if remarks else [])]

    def _overview(self) -> Table:
        rows: list[list[Any]] = [["rows in", self.rows]]
        rows += [[f"dropped: {why}", count] for why, count in self.dropped.items() if count]
        rows += [[self.outcome, self.kept]]
        rows += [[f"  grade {grade:g}", count] for grade, count in sorted(self.grades.items())]
        return Table([self.title, "rows"], rows)

    def _refusals(self) -> list[str]:
        reasons = dict.fromkeys(self.refused.values())
        return [_refusal(why, [date for date, own in self.refused.items() if own == why]) for why in reasons]

    def table(self) -> Table:
        """Return a row per date: how many items have each grade, and why there are none; without dates, the counts."""
        if not self.items and not self.refused:
            return self._overview()
        grades = sorted({grade for counts in self.bins.values() for grade in counts})
        dates = sorted({*self.items, *self.refused}, key=str)
        rows = [[show_date(date), *self._counts(date, grades), self.refused.get(date)] for date in dates]
        return Table(["date", "items", *(f"grade {grade:g}" for grade in grades), "refused"], rows)

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
            "remarks": list(self.remarks),
            "items": {show_date(date): count for date, count in self.items.items()},
            "bins": {
                show_date(date): {f"{grade:g}": count for grade, count in sorted(counts.items())}
                for date, counts in sorted(self.bins.items(), key=lambda each: str(each[0]))
            },
            "refused": {show_date(date): why for date, why in self.refused.items()},
        }

    def to_json(self) -> str:
        """Return the audit as JSON."""
        return json_text(self.to_dict())


def _refusal(why: str, dates: list[Any]) -> str:
    shown = ", ".join(map(show_date, sorted(dates, key=str)[:MOST_LISTED]))
    more = ", …" if len(dates) > MOST_LISTED else ""
    return f"no grades on {len(dates):,} {'date' if len(dates) == 1 else 'dates'} ({shown}{more}): {why}"


def show_date(date: object) -> str:
    """Return a date as text; midnight goes without saying.

    >>> from datetime import datetime
    >>> show_date(datetime(2026, 1, 2)), show_date(20260102)
    ('2026-01-02', '20260102')
    """
    text = date.isoformat(" ") if hasattr(date, "hour") and hasattr(date, "isoformat") else str(date)
    return text.partition(" 00:00:00")[0]


def place(row: Mapping[str, Any]) -> str:
    """Return where a row is, for messages.

    >>> place({"ticker": "A", "date": "2026-01-02"}), place({"ticker": "A", "date": ALL})
    ("ticker 'A', date 2026-01-02", "ticker 'A'")
    """
    date = "" if row["date"] == ALL else f", date {show_date(row['date'])}"
    return f"ticker {str(row['ticker'])!r}{date}"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Audited:
    """A table of the kind that came in, with the audit of how it was made; `rg.evaluate` takes it as it is.

    What the table can do, this can do: `grades["grade"]`, `grades.head()`, `len(grades)`.

    >>> import polars as pl
    >>> from rankgauge.grading.ratings import ratings
    >>> grades = ratings(pl.DataFrame({"user": [1, 1], "item": [7, 8], "rating": [5.0, 3.0]}), least=4)
    >>> len(grades), grades["grade"].to_list(), grades.filter(pl.col("grade") > 0).rows()
    (2, [5.0, 0.0], [(1, 7, 5.0)])
    >>> frame, audit = grades
    >>> audit.kept
    2
    """

    frame: Any
    audit: Audit
    # Role → column, for `rg.evaluate`.
    roles: Mapping[str, str]

    def to_native(self) -> Any:  # noqa: ANN401 - a table of any library
        """Return the table, of the library that the data came from."""
        return self.frame

    def __iter__(self) -> Iterator[Any]:
        """Give the table and the audit: `frame, audit = rg.grading.returns(prices)`."""
        return iter((self.frame, self.audit))

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - what a table of any library takes and gives
        return self.frame[key]

    def __len__(self) -> int:
        return len(self.frame)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the table has
        """Ask the table; names of Python's own are not the table's, but that of its Arrow stream."""
        if name in self.__slots__ or (name.startswith("__") and name != "__arrow_c_stream__"):
            raise AttributeError(name)  # while it is being copied, there is no table yet
        return getattr(self.frame, name)

    def __repr__(self) -> str:
        if isinstance(self.frame, Mapping):
            return f"{self.audit}\n\nthe mapping is .frame"
        return f"{self.audit}\n\nthe table is .frame, with the columns {', '.join(self.roles.values())}"

    def _repr_html_(self) -> str:
        return self.audit._repr_html_()
