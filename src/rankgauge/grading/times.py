"""Columns of times of any kind → seconds since 1970, by expressions that every library has; and dates as text.

>>> seconds_of("1970-01-02 00:00:01", None)
86401.0
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from itertools import pairwise
from statistics import median
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import narwhals as nw

from rankgauge.checks import bad_number, is_finite, is_number
from rankgauge.errors import RankgaugeError
from rankgauge.grading.source import SourceTable, all_of, flag, rows
from rankgauge.notation import date_text, format_number

# A moment is in seconds since 1970, a number in the units of its column, a day is a number such as 20260102.
TimeKind: TypeAlias = Literal["moment", "number", "day"]

DAY: Final = 86400.0
# The date of every row of a table without dates.
ONLY_DATE: Final = "all"
_EPOCH: Final = datetime(1970, 1, 1)
# Days from the first of March of year 0, where the count of civil days begins, to 1970.
_TO_1970: Final = 719468.0
# Groups do not capture: pandas warns of those that do.
_MONTH_DAY: Final = (  # the 31st of June is no date
    "(?:(?:0[1-9]|1[0-2]){0}(?:0[1-9]|1[0-9]|2[0-9])|(?:0[13-9]|1[0-2]){0}30|(?:0[13578]|1[02]){0}31)"
)
# 2026-01-02, 2026/01/02 and 2026.01.02: the year comes first, so that the month is no day.
_DAY_OF_YEAR: Final = "|".join(separator + _MONTH_DAY.format(separator) for separator in ("-", "/", "[.]"))
_CLOCK: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?"
_MOMENT: Final = f"^[0-9]{{4}}(?:{_DAY_OF_YEAR})(?:[T ]{_CLOCK}(?:Z|[+-][0-9]{{2}}(?::?[0-9]{{2}})?)?)?$"
_NUMBER: Final = "^[+-]?[0-9]+(?:[.][0-9]*)?$"
_SPAN_HINT: Final = "such as 7: days, or the units of the column where the times are numbers"
_FIRST_DAY, _LAST_DAY = 19000101.0, 21001231.0
_WRITTEN_DATE: Final = re.compile(
    r"((?:19|20)\d\d)(?:-|/|\.|(?=\d{4}$))(0[1-9]|1[0-2])(?:-|/|\.|(?=\d\d$))(0[1-9]|[12]\d|3[01])((?:[T ].*)?)$"
)
_BLANK_BEFORE_CLOCK: Final = re.compile("^ ")
_ISO_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
# Dates whose usual distance in days is at least this are weeks or months.
_WEEKLY: Final = 4


class TimeColumn(NamedTuple):
    """A column of times: `time` can be compared; `seconds` can be subtracted, unless the column holds days."""

    column: str
    zone: str | None
    time: nw.Expr
    seconds: nw.Expr
    # Whether a row holds a moment, a number such as 20260102, or a text that is neither a moment nor a number.
    moment: nw.Expr
    day: nw.Expr
    unread: nw.Expr

    def columns(self) -> dict[str, nw.Expr]:
        """Return the columns to add to a table; `time_kind` takes the sums of the last three."""
        return {
            "time": self.time,
            "seconds": self.seconds,
            "moments": flag(self.moment),
            "days": flag(self.day),
            "unread": flag(self.unread),
        }


def time_column(source: SourceTable, column: str, table: str) -> TimeColumn:
    """Return a column as times; texts may be moments in ISO 8601, also with / or . in the date, or numbers.

    A column with a time zone keeps its local times. A text with an offset is converted to UTC.
    """
    dtype, value = _dtype(source, column), nw.col(column)
    no, yes = value.is_null() & ~value.is_null(), ~value.is_null()
    if dtype == nw.String:
        return _of_texts(column, value)
    if dtype.is_numeric():
        number = source.number(column, table)
        return TimeColumn(column, None, value if dtype.is_integer() else number, number, no, _is_day(number), no)
    if dtype == nw.Date:
        return TimeColumn(column, None, value, _date_seconds(value), yes, no, no)
    if isinstance(dtype, nw.Datetime):
        return TimeColumn(column, dtype.time_zone, value, _date_seconds(value) + _clock_seconds(value), yes, no, no)
    if dtype == nw.Object:  # pandas keeps dates so
        value = _as_datetime(source, column, table)
        return TimeColumn(column, None, value, _date_seconds(value) + _clock_seconds(value), yes, no, no)
    raise _no_times(column, table, dtype)


def _dtype(source: SourceTable, column: str) -> nw.dtypes.DType:
    """The type of a column; narwhals does not know pandas time zones with an underscore, such as America/New_York."""
    dtype = source.schema[column]
    if dtype != nw.Unknown or not isinstance(source.frame, nw.DataFrame):
        return dtype
    zone = getattr(getattr(source.frame[column].to_native(), "dtype", None), "tz", None)
    return dtype if zone is None else nw.Datetime("us", str(zone))


def _as_datetime(source: SourceTable, column: str, table: str) -> nw.Expr:
    value = nw.col(column).cast(nw.Datetime("us"))
    try:
        source.frame.select(value)
    except (TypeError, ValueError):
        raise _no_times(column, table, "Object") from None
    return value


def _no_times(column: str, table: str, got: object) -> RankgaugeError:
    return RankgaugeError("bad-column", table, expected=f"times in the column {column!r}", got=str(got))


def _date_seconds(value: nw.Expr) -> nw.Expr:
    parts = (value.dt.year(), value.dt.month(), value.dt.day())
    return _civil_seconds(*(part.cast(nw.Float64) for part in parts))


def _clock_seconds(value: nw.Expr) -> nw.Expr:
    hour, minute, second = (part.cast(nw.Float64) for part in (value.dt.hour(), value.dt.minute(), value.dt.second()))
    micro = value.dt.microsecond().cast(nw.Float64)
    # Before 1970, Spark counts microseconds back from the next second.
    micro = nw.when(micro < 0.0).then(micro + 1e6).otherwise(micro)
    return hour * 3600.0 + minute * 60.0 + second + micro / 1e6


def _civil_seconds(year: nw.Expr, month: nw.Expr, day: nw.Expr) -> nw.Expr:
    """Seconds from 1970 to the start of a day; years start in March here, so that a leap day ends its year."""
    early = nw.when(month <= 2.0).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    years, months = year - early, month + 12.0 * early - 3.0
    leaps = (years / 4.0).floor() - (years / 100.0).floor() + (years / 400.0).floor()
    return (365.0 * years + leaps + ((153.0 * months + 2.0) / 5.0).floor() + day - 1.0 - _TO_1970) * DAY


def _of_texts(column: str, text: nw.Expr) -> TimeColumn:
    moment, number = (text.str.contains(form).fill_null(value=False) for form in (_MOMENT, _NUMBER))
    numbers = nw.when(number).then(text).cast(nw.Float64)
    seconds = nw.when(moment).then(_text_seconds(nw.when(moment).then(text))).otherwise(numbers)
    return TimeColumn(column, None, seconds, seconds, moment, _is_day(numbers), ~text.is_null() & ~moment & ~number)


def _text_seconds(text: nw.Expr) -> nw.Expr:
    """Seconds of `2026-01-02T03:04:05.6+01:00`, where all after the day may be missing, and - may be / or a point."""
    day = _civil_seconds(_digits(text, 0, 4), _digits(text, 5, 2), _digits(text, 8, 2))
    clock_and_zone = text.str.slice(11)
    time = clock_and_zone.str.replace_all("[Z+-].*$", "")
    zone = clock_and_zone.str.replace_all("^[^Z+-]*", "")
    minutes = zone.str.replace_all("[^0-9]", "")
    ahead = _digits(minutes, 0, 2) * 3600.0 + _digits(minutes, 2, 2) * 60.0
    ahead = nw.when(zone.str.starts_with("-")).then(0.0 - ahead).otherwise(ahead)
    return day + _digits(time, 0, 2) * 3600.0 + _digits(time, 3, 2) * 60.0 + _digits(time, 6, None) - ahead


def _digits(text: nw.Expr, start: int, length: int | None) -> nw.Expr:
    """The number in a part of a text; 0 where the text is shorter."""
    part = text.str.slice(start, length)
    return nw.when(part != "").then(part).cast(nw.Float64).fill_null(0.0)


def _is_day(number: nw.Expr) -> nw.Expr:
    """Whether a number is a date such as 20260102."""
    month = (number / 100.0).floor() - (number / 10000.0).floor() * 100.0
    day = number - (number / 100.0).floor() * 100.0
    ranges = [(number, _FIRST_DAY, _LAST_DAY), (month, 1.0, 12.0), (day, 1.0, 31.0)]
    return all_of(
        number == number.floor(), *(part >= low for part, low, _ in ranges), *(part <= high for part, _, high in ranges)
    )


def time_kind(counts: Mapping[str, Any], source: SourceTable, times: TimeColumn, table: str) -> TimeKind:
    """Return what a column holds, by the counts of `moments`, `days`, `unread` and `timed`, the rows with a time."""
    if counts["unread"] or 0 < counts["moments"] < counts["timed"]:
        # Where a column mixes moments and numbers, report a number.
        fault = times.unread if counts["unread"] else ~times.time.is_null() & ~times.moment
        (row,) = rows(source.frame.filter(fault).select(got=nw.col(times.column)).head(1))
        raise RankgaugeError("bad-date", f"{table}, column {times.column!r}", got=row["got"])
    if counts["moments"] or not counts["timed"]:
        return "moment"
    return "day" if counts["days"] == counts["timed"] else "number"


def in_seconds(seconds: nw.Expr, kind: TimeKind) -> nw.Expr:
    """Return times that can be subtracted: days such as 20260102 become seconds."""
    if kind != "day":
        return seconds
    year, rest = (seconds / 10000.0).floor(), seconds - (seconds / 10000.0).floor() * 10000.0
    month = (rest / 100.0).floor()
    return _civil_seconds(year, month, rest - month * 100.0)


def time_span(name: str, got: object, kind: TimeKind) -> float:
    """Return a span of time in the units of a column: a number is days, or units of a column of numbers.

    >>> time_span("half_life", timedelta(hours=12), "moment"), time_span("half_life", 7, "number")
    (43200.0, 7.0)
    """
    if isinstance(got, timedelta):
        if kind == "number":
            raise bad_number(name, "a number, in the units of the times, which are numbers", got, "such as 7 * 86400")
        span = got.total_seconds()
    elif is_number(got):
        span = float(got) * (1.0 if kind == "number" else DAY)
    else:
        raise bad_number(name, "a number or a timedelta", got, _SPAN_HINT)
    if not 0.0 < span < float("inf"):
        raise bad_number(name, "above 0 and finite", got, _SPAN_HINT)
    return span


def time_point(name: str, got: object, kind: TimeKind, zone: str | None) -> float:
    """Return a point in time in the units of a column.

    >>> time_point("now", "1970-01-02", "moment", None), time_point("now", 1700000000, "number", None)
    (86400.0, 1700000000.0)
    """
    if isinstance(got, str) and kind != "moment":
        got = as_number(got)
    if kind == "number":
        if is_finite(got):
            return float(got)
        raise bad_number(name, "a number, as the times are", got, "in the units of the column, such as 1700000000")
    if kind == "day" and is_finite(got):
        got = date_of_number(got)
    seconds = seconds_of(got, zone)
    if seconds is None:
        raise bad_number(name, "a date or a time", got, "such as datetime(2026, 1, 2) or '2026-01-02 15:00:00'")
    return seconds


def as_number(text: str) -> object:
    """Return the number that a text from the command line holds, or the text itself.

    >>> as_number("1700000000"), as_number("2026-01-02")
    (1700000000, '2026-01-02')
    """
    try:
        return int(text) if text.strip().lstrip("-").isdecimal() else float(text)
    except ValueError:
        return text


def date_of_number(number: object) -> object:
    """Return the date of a number such as 20260102, or the number if it is no date."""
    try:
        text = f"{number:08.0f}"
        return datetime.strptime(text, "%Y%m%d")
    except ValueError:
        return number


def seconds_of(got: object, zone: str | None) -> float | None:
    """Return the seconds from 1970 to a date, a datetime or a text; None for anything else.

    A value with a time zone is converted to that of the column; a column without one is in UTC.
    """
    try:
        if isinstance(got, str):
            got = datetime.fromisoformat(iso_text(got).replace("Z", "+00:00"))
        if isinstance(got, datetime):
            if got.tzinfo is not None:
                got = got.astimezone(ZoneInfo(zone) if zone else timezone.utc).replace(tzinfo=None)
            return float((got - _EPOCH).total_seconds())
    except (ValueError, KeyError):  # not a time, or an unknown time zone
        return None
    return (got - _EPOCH.date()).total_seconds() if isinstance(got, date) else None


def point_text(seconds: float, kind: TimeKind) -> str:
    """Return a point in time, in the units of its column, as text.

    >>> point_text(86401.0, "moment"), point_text(86400.0, "moment"), point_text(12.0, "number")
    ('1970-01-02 00:00:01', '1970-01-02', '12')
    """
    return format_number(seconds) if kind == "number" else date_text(_EPOCH + timedelta(seconds=seconds), " ")


def iso_text(text: str) -> str:
    """Return the text of a date such as 20260102, 2026/01/02 or 2026.01.02 in the form of ISO 8601, others as they are.

    >>> iso_text("20260102"), iso_text("2026/01/02 15:00"), iso_text("2026.01.02"), iso_text("day 7")
    ('2026-01-02', '2026-01-02T15:00', '2026-01-02', 'day 7')
    """
    match = _WRITTEN_DATE.match(text)
    return f"{match[1]}-{match[2]}-{match[3]}{_BLANK_BEFORE_CLOCK.sub('T', match[4])}" if match else text


def are_daily(dates: Sequence[Any]) -> bool:
    """Return whether neighbouring dates are days apart and not weeks; numbers that are no dates are days.

    >>> are_daily(["2026-01-02", "2026-01-05", "2026-01-06"]), are_daily([20260131, 20260228]), are_daily([1, 2, 3])
    (True, False, True)
    """
    days = sorted(day for each in dates if (day := _day_number(each)) is not None)
    return len(days) < 2 or median(later - earlier for earlier, later in pairwise(days)) < _WEEKLY


def _day_number(when: object) -> int | None:
    if isinstance(when, date):
        return when.toordinal()
    text = iso_text(date_text(when))[:10]
    try:
        return date.fromisoformat(text).toordinal() if _ISO_DATE.fullmatch(text) else None
    except ValueError:  # such as 2026-02-31
        return None
