"""Interactions of any form → one table: a user, an item and optionally a time and a rating per row."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from numbers import Integral
from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading import columns as column_names
from rankgauge.grading import times
from rankgauge.grading.row_locations import pair_location
from rankgauge.grading.source import NwFrame, SourceTable, all_of, any_null, flag, open_table, rows
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text

TABLE: Final = "interactions"
FLOATS: Final = (nw.Float32, nw.Float64)
_DROPPED: Final = {
    "query": Text("no user"),
    "item": Text("no item"),
    "moment": Text("no time"),
    "grade": Text("no rating"),
}
# Seconds since 1970 are rounded by less than this, and different times are at least a microsecond apart.
_DOUBT: Final = 4e-7


class Interactions(NamedTuple):
    """A frame with query, item and their texts; also time, moment and seconds, and rating and grade, where known."""

    frame: NwFrame
    # Role → the name of the column in the caller's table.
    names: Mapping[str, str]
    # Every column of the caller's table, in its order → the column of the frame that holds it.
    columns: Mapping[str, str]
    rows: int
    dropped: dict[str, int]
    is_file: bool
    kind: times.TimeKind
    zone: str | None

    def since(self, moment: object) -> tuple[nw.Expr, str]:
        """Return whether a time is at a moment or after it, and the moment as text."""
        if isinstance(moment, str) and self.kind != "moment":
            moment = times.as_number(moment)
        point = times.time_point("at", moment, self.kind, self.zone)
        shown = times.point_text(point, self.kind)
        if self.kind == "number":  # nanoseconds since 1970 are beyond the whole numbers that a float can hold
            return nw.col("moment") >= (int(moment) if isinstance(moment, Integral) else point), shown
        return times.in_seconds(nw.col("seconds"), self.kind) >= point - _DOUBT, shown


def read_interactions(table: TableInput, columns: ColumnsInput, needs_time: str) -> Interactions:
    """Read interactions; drop and count rows without a needed value; `needs_time` is the option that needs a time."""
    source = open_table(table, TABLE, columns)
    names = column_names.find(source.names, TABLE, source.by_role(columns), ["query", "item"], ["time", "rating"])
    if needs_time and "time" not in names:
        raise _needs_time(needs_time)
    source.require_ordered(names.values(), TABLE)
    time = times.time_column(source, names["time"], TABLE) if needs_time else None
    by_name = {name: role for role, name in names.items()}
    columns_of_frame = {name: by_name.get(name, f"rankgauge_column_{place}") for place, name in enumerate(source.names)}
    others = {column: nw.col(name) for name, column in columns_of_frame.items() if name not in by_name}
    frame = source.frame.select(**_values(source, names), **(_timed(time) if time else {}), **others)
    needed = [role for role in _DROPPED if role in frame.collect_schema().names()]
    counts = _count(frame, needed)
    kind = times.time_kind(counts, source, time, TABLE) if time else "number"
    dropped: dict[str, int] = {_DROPPED[role]: counts[f"no_{role}"] for role in needed}
    known = _with_texts(frame.filter(~any_null(needed)))
    zone = time.zone if time else None
    return Interactions(known, names, columns_of_frame, counts["rows"], dropped, source.is_file, kind, zone)


def _needs_time(what: str) -> RankgaugeError:
    known = ", ".join(column_names.NAMES["time"][:4])
    drawn = '; or hold out a random share: method="random" in Python, --method random on the command line'
    instead = drawn if what.startswith("method=") else ""
    return RankgaugeError("needs-column", role="time", known=known, what=what, side=TABLE, instead=instead)


def _values(source: SourceTable, names: Mapping[str, str]) -> dict[str, nw.Expr]:
    """The columns by role, with null for ids that are NaN."""
    schema = source.frame.collect_schema()
    values = {role: nw.col(name) for role, name in names.items()}
    for role in ("query", "item"):
        if schema[names[role]] in FLOATS:
            values[role] = nw.when(~values[role].is_nan()).then(values[role])
    return values | ({"grade": source.number(names["rating"], TABLE)} if "rating" in names else {})


def _timed(time: times.TimeColumn) -> dict[str, nw.Expr]:
    columns = time.columns()
    return {"moment": columns.pop("time"), **columns}


def _count(frame: NwFrame, needed: list[str]) -> dict[str, int]:
    """Count, in one pass, rows with missing values, each by its first missing one, and invalid values."""
    flags: dict[str, nw.Expr] = {"timed": ~nw.col("moment").is_null()} if "moment" in needed else {}
    for number, role in enumerate(needed):
        present = (~nw.col(before).is_null() for before in needed[:number])
        flags[f"no_{role}"] = all_of(nw.col(role).is_null(), *present)
    floats = [role for role in ("query", "item") if frame.collect_schema()[role] in FLOATS]
    flags |= {f"bad_{role}": ~nw.col(role).is_null() & (nw.col(role) != nw.col(role).floor()) for role in floats}
    flags |= {"bad_grade": _is_infinite()} if "grade" in needed else {}
    sums = {name: flag(condition).sum() for name, condition in flags.items()}
    sums |= {name: nw.col(name).sum() for name in ("moments", "days", "unread") if "moment" in needed}
    (row,) = rows(frame.select(nw.len().alias("rows"), **sums))
    counts = whole_counts(row)
    _refuse_bad(frame, counts)
    return counts


def whole_counts(row: Mapping[str, Any]) -> dict[str, int]:
    """Return sums as ints; the sum of no rows, null or NaN, is 0."""
    return {name: 0 if value is None or isnan(value) else int(value) for name, value in row.items()}


def _is_infinite() -> nw.Expr:
    return ~nw.col("grade").is_null() & ~nw.col("grade").is_finite()


def _refuse_bad(frame: NwFrame, counts: Mapping[str, int]) -> None:
    for role, noun in (("query", "user"), ("item", "item")):
        if counts.get(f"bad_{role}"):
            raise RankgaugeError("bad-column", TABLE, expected=f"texts or whole numbers as {noun} ids", got="fractions")
    if counts.get("bad_grade"):
        (first,) = rows(frame.filter(_is_infinite()).head(1))
        raise RankgaugeError("bad-value", pair_location(first), noun="rating", got=first["grade"])


def _with_texts(frame: NwFrame) -> NwFrame:
    """Add the ids as texts, which compare and sort alike in every library."""
    ids = ("query", "item")
    schema = frame.collect_schema()
    # pandas makes floats of whole numbers where one is missing.
    whole = {role: nw.col(role).cast(nw.Int64) if schema[role] in FLOATS else nw.col(role) for role in ids}
    return frame.with_columns(**whole).with_columns(
        *(nw.col(role).cast(nw.String).alias(f"{role}_text") for role in ids)
    )


def with_number(frame: NwFrame, name: str, by: list[str], order: list[str]) -> NwFrame:
    """Number the rows from 1 within each group of equal columns `by`, in the order of the columns `order`."""
    # In pandas, the counted column must not be one that groups or orders the rows.
    number = nw.col(name).cum_count().over(*by, order_by=order)
    return frame.with_columns(nw.lit(1).alias(name)).with_columns(number.cast(nw.Int64).alias(name))
