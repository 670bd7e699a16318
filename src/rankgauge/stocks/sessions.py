"""Which trading session a date or a time belongs to, and whether a score came before the price of that session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timezone, tzinfo
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from rankgauge.checks import bad_number
from rankgauge.errors import RankgaugeError
from rankgauge.grading.times import iso_text
from rankgauge.notation import date_text

_CLOSE: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?: +(\S+))?")
_HINT: Final = "such as '16:00', or with the time zone of the exchange '16:00 America/New_York'"
_WITH_OFFSET: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$")
_WITH_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


class Sessions(NamedTuple):
    """The time of the close, where prices have dates alone, and the time zone of the exchange."""

    close: str | None
    zone: tzinfo | None

    @classmethod
    def of(cls, close: object, dates: Sequence[Any] = ()) -> Sessions:
        """Read the close, such as 16:00 or 16:00 America/New_York; without a zone, it is that of the dates.

        >>> Sessions.of("16:00").close, Sessions.of("9:30 Asia/Seoul").zone
        ('16:00:00', zoneinfo.ZoneInfo(key='Asia/Seoul'))
        """
        of_dates = getattr(dates[0], "tzinfo", None) if dates else None
        if close is None:
            return cls(None, of_dates)
        match = _CLOSE.fullmatch(close.strip()) if isinstance(close, str) else None
        if match is None:
            raise bad_number("close", "a time of day", close, _HINT)
        hour, minute, second, zone = match.groups()
        return cls(f"{int(hour):02}:{minute}:{second or '00'}", _zone(zone, close) if zone else of_dates)

    def text(self, moment: Any) -> str:  # noqa: ANN401 - a date of any kind
        """Return a date or a time in ISO 8601, in the local time of the exchange, without its offset from UTC."""
        moment = _aware(moment)
        if isinstance(moment, datetime) and moment.tzinfo is not None:
            moment = (moment if self.zone is None else moment.astimezone(self.zone)).replace(tzinfo=None)
        return iso_text(date_text(moment))

    def price_time(self, date: str) -> str:
        """Return when a price was made: its time, or the close of its date if that is known.

        >>> Sessions.of("16:00").price_time("2026-01-02"), Sessions.of(None).price_time("2026-01-02")
        ('2026-01-02T16:00:00', '2026-01-02')
        """
        return f"{date}T{self.close}" if self.close and _WITH_DATE.fullmatch(date) else date

    def require_zone(self, moments: Sequence[Any]) -> None:
        """Raise if times in UTC must be matched with dates of an exchange whose time zone is unknown."""
        if self.zone is not None:
            return
        for moment in map(_aware, moments):
            is_utc = isinstance(moment, datetime) and moment.tzinfo is not None and _is_utc(moment.tzinfo)
            if is_utc and "T" in date_text(moment):
                raise RankgaugeError("which-session", got=date_text(moment))


def is_after(moment: str, price: str) -> bool:
    """Return whether a time comes after that of a price; both are texts that sort by time, or whole numbers.

    >>> is_after("2026-01-02T16:30:00", "2026-01-02T16:00:00"), is_after("9", "10")
    (True, False)
    """
    if moment.isdecimal() and price.isdecimal():
        return int(moment) > int(price)
    return moment > price


def is_date(text: str) -> bool:
    """Return whether a text begins with a date."""
    return bool(_WITH_DATE.match(text))


def _is_utc(zone: tzinfo) -> bool:
    return zone is timezone.utc or str(zone) in ("UTC", "Etc/UTC", "UTC+00:00")


def are_in_utc(sessions: Sessions, dates: Sequence[str]) -> bool:
    """Return whether the sessions of prices are dates in UTC, though the prices have times."""
    return sessions.zone is not None and _is_utc(sessions.zone) and any("T" in date for date in dates)


def _aware(moment: Any) -> Any:  # noqa: ANN401 - a date of any kind
    """A text with an offset from UTC as a time, anything else as it is."""
    if not (isinstance(moment, str) and _WITH_OFFSET.fullmatch(moment)):
        return moment
    try:
        return datetime.fromisoformat(moment.replace("Z", "+00:00"))
    except ValueError:
        return moment


def _zone(name: str, close: object) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError):
        raise bad_number("close", "a time of day with a known time zone", close, _HINT) from None
