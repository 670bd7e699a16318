"""Interactions of any form → one table: a user, an item and perhaps a time and a rating per row."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading import columns, times
from rankgauge.grading.source import Frame, Given, Opened, absent, flag, open_table, rows, together

TABLE: Final = "interactions"
FLOATS: Final = (nw.Float32, nw.Float64)
_DROPPED: Final = {"query": "no user", "item": "no item", "moment": "no time", "grade": "no rating"}
# Seconds since 1970 have no more than these in doubt, and differ by a microsecond or not at all.
_DOUBT: Final = 4e-7


class Interactions(NamedTuple):
    """`frame` has query, item, query_text and item_text; and time and rating, moment, seconds and grade if known."""

    frame: Frame
    # Role → what its owner calls the column.
    names: Mapping[str, str]
    rows: int
    dropped: dict[str, int]
    is_file: bool
    kind: times.Kind
    zone: str | None

    def since(self, at: object) -> tuple[nw.Expr, str]:
        """Return whether a time is at a moment or after it, and the moment as text."""
        if isinstance(at, str) and self.kind != "moment":
            at = times.as_number(at)
        point = times.point("at", at, self.kind, self.zone)
        shown = times.shown(point, self.kind)
        if self.kind == "number":  # nanoseconds since 1970 are beyond the whole numbers that a float can hold
            return nw.col("moment") >= (int(at) if isinstance(at, Integral) else point), shown
        return times.in_seconds(nw.col("seconds"), self.kind) >= point - _DOUBT, shown


def read_interactions(source: Frame, given: Given, needs_time: str) -> Interactions:
    """Read interactions; rows that lack what is needed are dropped and counted; `needs_time` is what needs a time."""
    opened = open_table(source, TABLE, given)
    names = columns.find(opened.names, TABLE, opened.by_role(given), ["query", "item"], ["time", "rating"])
    if needs_time and "time" not in names:
        raise _needs_time(needs_time)
    clock = times.clock(opened, names["time"], TABLE) if needs_time else None
    frame = opened.frame.select(**_values(opened, names), **(_timed(clock) if clock else {}))
    needed = [role for role in _DROPPED if role in frame.collect_schema().names()]
    counts = _count(frame, needed)
    kind = times.kind(counts, opened, clock, TABLE) if clock else "number"
    dropped = {_DROPPED[role]: counts[f"no_{role}"] for role in needed}
    known = _with_texts(frame.filter(~absent(needed)))
    return Interactions(known, names, counts["rows"], dropped, opened.is_file, kind, clock.zone if clock else None)


def _needs_time(what: str) -> RankgaugeError:
    known = ", ".join(columns.NAMES["time"][:4])
    drawn = '; or hold out a random share: method="random" in Python, --method random on the command line'
    instead = drawn if what.startswith("method=") else ""
    return RankgaugeError("needs-column", role="time", known=known, what=what, side=TABLE, instead=instead)


def _values(opened: Opened, names: Mapping[str, str]) -> dict[str, nw.Expr]:
    """The columns by role; an id that is NaN is none."""
    schema = opened.frame.collect_schema()
    values = {role: nw.col(name) for role, name in names.items()}
    for role in ("query", "item"):
        if schema[names[role]] in FLOATS:
            values[role] = nw.when(~values[role].is_nan()).then(values[role])
    return values | ({"grade": opened.number(names["rating"], TABLE)} if "rating" in names else {})


def _timed(clock: times.Clock) -> dict[str, nw.Expr]:
    found = clock.columns()
    return {"moment": found.pop("time"), **found}


def _count(frame: Frame, needed: list[str]) -> dict[str, int]:
    """Count, in one pass, the rows that lack something, each by the first that it lacks, and what is wrong."""
    found: dict[str, nw.Expr] = {"timed": ~nw.col("moment").is_null()} if "moment" in needed else {}
    for place, role in enumerate(needed):
        present = (~nw.col(before).is_null() for before in needed[:place])
        found[f"no_{role}"] = together(nw.col(role).is_null(), *present)
    floats = [role for role in ("query", "item") if frame.collect_schema()[role] in FLOATS]
    found |= {f"bad_{role}": ~nw.col(role).is_null() & (nw.col(role) != nw.col(role).floor()) for role in floats}
    found |= {"bad_grade": _is_infinite()} if "grade" in needed else {}
    sums = {name: flag(condition).sum() for name, condition in found.items()}
    sums |= {name: nw.col(name).sum() for name in ("moments", "days", "unread") if "moment" in needed}
    (row,) = rows(frame.select(nw.len().alias("rows"), **sums))
    counts = whole_counts(row)
    _refuse_bad(frame, counts)
    return counts


def whole_counts(row: Mapping[str, Any]) -> dict[str, int]:
    """Return sums as whole numbers; that of no rows may be nothing or NaN."""
    return {name: 0 if value is None or value != value else int(value) for name, value in row.items()}  # noqa: PLR0124


def _is_infinite() -> nw.Expr:
    return ~nw.col("grade").is_null() & ~nw.col("grade").is_finite()


def _refuse_bad(frame: Frame, counts: Mapping[str, int]) -> None:
    for role, noun in (("query", "user"), ("item", "item")):
        if counts.get(f"bad_{role}"):
            raise RankgaugeError("bad-column", TABLE, expected=f"texts or whole numbers as {noun} ids", got="fractions")
    if counts.get("bad_grade"):
        (first,) = rows(frame.filter(_is_infinite()).head(1))
        place = f"user {first['query']!r}, item {first['item']!r}"
        raise RankgaugeError("bad-value", place=place, noun="rating", got=first["grade"])


def _with_texts(frame: Frame) -> Frame:
    """Add the ids as texts: as such they compare, and have the same order in every library."""
    ids = ("query", "item")
    schema = frame.collect_schema()
    # pandas makes floats of whole numbers as soon as one is missing.
    whole = {role: nw.col(role).cast(nw.Int64) if schema[role] in FLOATS else nw.col(role) for role in ids}
    return frame.with_columns(**whole).with_columns(
        *(nw.col(role).cast(nw.String).alias(f"{role}_text") for role in ids)
    )


def with_number(frame: Frame, name: str, by: list[str], order: list[str]) -> Frame:
    """Add the number of each row, from 1 on, among those that are alike in the columns `by`."""
    # In pandas a column that is counted can be neither of the columns that part and order the rows.
    number = nw.col(name).cum_count().over(*by, order_by=order)
    return frame.with_columns(nw.lit(1).alias(name)).with_columns(number.cast(nw.Int64).alias(name))
