"""Times of any kind as numbers that can be subtracted: seconds since 1970, by expressions that every library has.

>>> seconds_of("1970-01-02 00:00:01", None)
86401.0
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.checks import bad, is_finite, is_number
from rankgauge.grading.source import Opened, flag, rows, together
from rankgauge.notation import format_number

# A moment is in seconds since 1970, a number in the units of its column, a day is a number such as 20260102.
Kind: TypeAlias = Literal["moment", "number", "day"]

DAY: Final = 86400.0
_EPOCH: Final = datetime(1970, 1, 1)
# Days from the first of March of year 0, where the count of civil days begins, to 1970.
_TO_1970: Final = 719468.0
# Groups do not capture: pandas warns of those that do.
_MONTH_DAY: Final = (  # the 31st of June is no date
    "(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-9])|(?:0[13-9]|1[0-2])-30|(?:0[13578]|1[02])-31)"
)
_CLOCK: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?"
_MOMENT: Final = f"^[0-9]{{4}}-{_MONTH_DAY}(?:[T ]{_CLOCK}(?:Z|[+-][0-9]{{2}}(?::?[0-9]{{2}})?)?)?$"
_NUMBER: Final = "^[+-]?[0-9]+(?:[.][0-9]*)?$"
_FIRST_DAY, _LAST_DAY = 19000101.0, 21001231.0


class Clock(NamedTuple):
    """A column of times: what is later is larger in `time`; `seconds` can be subtracted, unless they are days."""

    column: str
    zone: str | None
    time: nw.Expr
    seconds: nw.Expr
    # Which rows hold a moment, a number such as 20260102, and a text that is neither a moment nor a number.
    moment: nw.Expr
    day: nw.Expr
    unread: nw.Expr

    def columns(self) -> dict[str, nw.Expr]:
        """Return the columns to add to a table; the last three are to be summed for `kind`."""
        return {
            "time": self.time,
            "seconds": self.seconds,
            "moments": flag(self.moment),
            "days": flag(self.day),
            "unread": flag(self.unread),
        }


def clock(opened: Opened, column: str, table: str) -> Clock:
    """Return a column as times; texts may be moments in ISO 8601, or numbers.

    A column with a time zone is taken as it is written there. A text that has an offset is moved to UTC.
    """
    dtype, value = _dtype(opened, column), nw.col(column)
    no, yes = value.is_null() & ~value.is_null(), ~value.is_null()
    if dtype == nw.String:
        return _of_texts(column, value)
    if dtype.is_numeric():
        number = opened.number(column, table)
        return Clock(column, None, value if dtype.is_integer() else number, number, no, _is_day(number), no)
    if dtype == nw.Date:
        return Clock(column, None, value, _date_seconds(value), yes, no, no)
    if isinstance(dtype, nw.Datetime):
        return Clock(column, dtype.time_zone, value, _date_seconds(value) + _clock_seconds(value), yes, no, no)
    if dtype == nw.Object:  # pandas keeps dates so
        value = _as_datetime(opened, column, table)
        return Clock(column, None, value, _date_seconds(value) + _clock_seconds(value), yes, no, no)
    raise _no_times(column, table, dtype)


def _dtype(opened: Opened, column: str) -> nw.dtypes.DType:
    """The type of a column; narwhals knows no zone of pandas whose name has an underscore, as New York has."""
    dtype = opened.schema[column]
    if dtype != nw.Unknown or not isinstance(opened.frame, nw.DataFrame):
        return dtype
    zone = getattr(getattr(opened.frame[column].to_native(), "dtype", None), "tz", None)
    return dtype if zone is None else nw.Datetime("us", str(zone))


def _as_datetime(opened: Opened, column: str, table: str) -> nw.Expr:
    value = nw.col(column).cast(nw.Datetime("us"))
    try:
        opened.frame.select(value)
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
    # Before 1970 Spark counts them back from the next second.
    micro = nw.when(micro < 0.0).then(micro + 1e6).otherwise(micro)
    return hour * 3600.0 + minute * 60.0 + second + micro / 1e6


def _civil_seconds(year: nw.Expr, month: nw.Expr, day: nw.Expr) -> nw.Expr:
    """Seconds from 1970 to the start of a day; years begin in March here, so that a leap day ends its year."""
    early = nw.when(month <= 2.0).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    years, months = year - early, month + 12.0 * early - 3.0
    leaps = (years / 4.0).floor() - (years / 100.0).floor() + (years / 400.0).floor()
    return (365.0 * years + leaps + ((153.0 * months + 2.0) / 5.0).floor() + day - 1.0 - _TO_1970) * DAY


def _of_texts(column: str, text: nw.Expr) -> Clock:
    moment, number = (text.str.contains(form).fill_null(value=False) for form in (_MOMENT, _NUMBER))
    numbers = nw.when(number).then(text).cast(nw.Float64)
    seconds = nw.when(moment).then(_text_seconds(nw.when(moment).then(text))).otherwise(numbers)
    return Clock(column, None, seconds, seconds, moment, _is_day(numbers), ~text.is_null() & ~moment & ~number)


def _text_seconds(text: nw.Expr) -> nw.Expr:
    """Seconds of `2026-01-02T03:04:05.6+01:00`, where all after the day may be missing."""
    day = _civil_seconds(_digits(text, 0, 4), _digits(text, 5, 2), _digits(text, 8, 2))
    clock_and_zone = text.str.slice(11)
    time = clock_and_zone.str.replace_all("[Z+-].*$", "")
    zone = clock_and_zone.str.replace_all("^[^Z+-]*", "")
    minutes = zone.str.replace_all("[^0-9]", "")
    ahead = _digits(minutes, 0, 2) * 3600.0 + _digits(minutes, 2, 2) * 60.0
    ahead = nw.when(zone.str.starts_with("-")).then(0.0 - ahead).otherwise(ahead)
    return day + _digits(time, 0, 2) * 3600.0 + _digits(time, 3, 2) * 60.0 + _digits(time, 6, None) - ahead


def _digits(text: nw.Expr, start: int, length: int | None) -> nw.Expr:
    """A number in a text; 0 where the text has ended."""
    part = text.str.slice(start, length)
    return nw.when(part != "").then(part).cast(nw.Float64).fill_null(0.0)


def _is_day(number: nw.Expr) -> nw.Expr:
    """Whether a number is a date such as 20260102."""
    month = (number / 100.0).floor() - (number / 10000.0).floor() * 100.0
    day = number - (number / 100.0).floor() * 100.0
    ranges = [(number, _FIRST_DAY, _LAST_DAY), (month, 1.0, 12.0), (day, 1.0, 31.0)]
    return together(
        number == number.floor(), *(part >= low for part, low, _ in ranges), *(part <= high for part, _, high in ranges)
    )


def kind(found: Mapping[str, Any], opened: Opened, own: Clock, table: str) -> Kind:
    """Return what a column holds, by the sums of `moments`, `days`, `unread` and `timed`, the rows with a time."""
    if found["unread"] or 0 < found["moments"] < found["timed"]:
        # Of moments and numbers in one column, the numbers are the fault.
        fault = own.unread if found["unread"] else ~own.time.is_null() & ~own.moment
        (row,) = rows(opened.frame.filter(fault).select(got=nw.col(own.column)).head(1))
        raise RankgaugeError("bad-date", f"{table}, column {own.column!r}", got=row["got"])
    if found["moments"] or not found["timed"]:
        return "moment"
    return "day" if found["days"] == found["timed"] else "number"


def in_seconds(seconds: nw.Expr, which: Kind) -> nw.Expr:
    """Return what can be subtracted: days such as 20260102 become seconds."""
    if which != "day":
        return seconds
    year, rest = (seconds / 10000.0).floor(), seconds - (seconds / 10000.0).floor() * 10000.0
    month = (rest / 100.0).floor()
    return _civil_seconds(year, month, rest - month * 100.0)


def length(name: str, got: object, which: Kind) -> float:
    """Return a span of time in the units of a column: a number is days, or units of a column of numbers.

    >>> length("half_life", timedelta(hours=12), "moment"), length("half_life", 7, "number")
    (43200.0, 7.0)
    """
    if isinstance(got, timedelta):
        if which == "number":
            raise bad(name, "a number, in the units of the times, which are numbers", got, "such as 7 * 86400")
        span = got.total_seconds()
    elif is_number(got):
        span = float(got) * (1.0 if which == "number" else DAY)
    else:
        raise bad(name, "a number or a timedelta", got, "such as 7, which is in days unless the times are numbers")
    if not 0.0 < span < float("inf"):
        raise bad(name, "above 0 and finite", got, "such as 7, which is in days unless the times are numbers")
    return span


def point(name: str, got: object, which: Kind, zone: str | None) -> float:
    """Return a point in time in the units of a column.

    >>> point("now", "1970-01-02", "moment", None), point("now", 1700000000, "number", None)
    (86400.0, 1700000000.0)
    """
    if isinstance(got, str) and which != "moment":
        got = as_number(got)
    if which == "number":
        if is_finite(got):
            return float(got)
        raise bad(name, "a number, as the times are", got, "in the units of the column, such as 1700000000")
    if which == "day" and is_finite(got):
        got = day_of(got)
    found = seconds_of(got, zone)
    if found is None:
        raise bad(name, "a date or a time", got, "such as datetime(2026, 1, 2) or '2026-01-02 15:00:00'")
    return found


def as_number(text: str) -> object:
    """Return a text as a number if it is one, as on the command line.

    >>> as_number("1700000000"), as_number("2026-01-02")
    (1700000000, '2026-01-02')
    """
    try:
        return int(text) if text.strip().lstrip("-").isdecimal() else float(text)
    except ValueError:
        return text


def day_of(number: object) -> object:
    """Return the date that a number such as 20260102 is, or the number if it is none."""
    try:
        text = f"{number:08.0f}"
        return datetime.strptime(text, "%Y%m%d")
    except ValueError:
        return number


def seconds_of(got: object, zone: str | None) -> float | None:
    """Return the seconds from 1970 to a date, a datetime or a text; None if it is none of these.

    What has a time zone is moved to that of the column; a column without one is in UTC.
    """
    try:
        if isinstance(got, str):
            got = datetime.fromisoformat(got.replace("Z", "+00:00"))
        if isinstance(got, datetime):
            if got.tzinfo is not None:
                got = got.astimezone(ZoneInfo(zone) if zone else timezone.utc).replace(tzinfo=None)
            return float((got - _EPOCH).total_seconds())
    except (ValueError, KeyError):  # not a time, and a zone that is not known by its name
        return None
    return (got - _EPOCH.date()).total_seconds() if isinstance(got, date) else None


def shown(seconds: float, which: Kind) -> str:
    """Return a point in time as text.

    >>> shown(86401.0, "moment"), shown(86400.0, "moment"), shown(12.0, "number")
    ('1970-01-02 00:00:01', '1970-01-02', '12')
    """
    if which == "number":
        return format_number(seconds)
    return (_EPOCH + timedelta(seconds=seconds)).isoformat(" ").removesuffix(" 00:00:00")
