from __future__ import annotations

import random
import re
from datetime import date, datetime, timedelta, timezone
from typing import Any

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, rows_of, table_of

from rankgauge.errors import RankgaugeError
from rankgauge.grading.source import open_table
from rankgauge.grading.times import (
    TimeColumn,
    in_seconds,
    point_text,
    time_column,
    time_kind,
    time_point,
    time_span,
)
from rankgauge.notation import date_text

EPOCH = datetime(1970, 1, 1)
SOURCE = random.Random(5)
MOMENTS = [
    EPOCH,
    datetime(1969, 12, 31, 23, 59, 59, 250000),
    datetime(1900, 2, 28, 1, 2, 3),
    datetime(1900, 3, 1),
    datetime(2000, 2, 29, 12),
    datetime(2024, 2, 29, 23, 59, 59, 999999),
    datetime(2023, 12, 31),
    *(datetime(1890, 1, 1) + timedelta(seconds=SOURCE.randrange(7_000_000_000)) for _ in range(60)),
]
TEXTS = {
    "2024-02-29": datetime(2024, 2, 29),
    "2024-02-29 10:11": datetime(2024, 2, 29, 10, 11),
    "2024-02-29T10:11:12": datetime(2024, 2, 29, 10, 11, 12),
    "2024-02-29 10:11:12.5": datetime(2024, 2, 29, 10, 11, 12, 500000),
    "2024-02-29T10:11:12Z": datetime(2024, 2, 29, 10, 11, 12),
    "2024-01-01T01:30:00.25+05:30": datetime(2023, 12, 31, 20, 0, 0, 250000),
    "2024-01-01T01:30:00-0100": datetime(2024, 1, 1, 2, 30),
    "2024-01-01T01:30:00+02": datetime(2023, 12, 31, 23, 30),
    "1969-12-31 23:59:59": datetime(1969, 12, 31, 23, 59, 59),
    "2024/02/29": datetime(2024, 2, 29),
    "2024.02.29 10:11": datetime(2024, 2, 29, 10, 11),
    "2024/01/01 01:30:00.25-05:30": datetime(2024, 1, 1, 7, 0, 0, 250000),
}


def since(moment: datetime | None) -> float | None:
    return None if moment is None else (moment - EPOCH).total_seconds()


def read(library: str, values: list[Any]) -> tuple[TimeColumn, Any]:
    opened = open_table(table_of(library, {"at": values, "row": list(range(len(values)))}), "log")
    times = time_column(opened, "at", "log")
    return times, opened.frame.select("row", **times.columns())


def seconds_of(library: str, values: list[Any]) -> list[float | None]:
    _, frame = read(library, values)
    rows = {row["row"]: row["seconds"] for row in rows_of(frame.select("row", "seconds").to_native())}
    return [rows[row] for row in range(len(values))]


def kind_of(library: str, values: list[Any]) -> str:
    opened = open_table(table_of(library, {"at": values}), "log")
    times = time_column(opened, "at", "log")
    sums = {name: nw.col(name).sum() for name in ("moments", "days", "unread")}
    frame = opened.frame.select(**times.columns()).select(**sums, timed=nw.col("seconds").count())
    return time_kind(rows_of(frame.to_native())[0], opened, times, "log")


@pytest.mark.parametrize("library", LIBRARIES)
def test_time_column_of_datetimes_has_seconds_since_1970(library: str) -> None:
    values = [*MOMENTS, None]
    assert seconds_of(library, values) == [pytest.approx(since(value), abs=1e-6) for value in MOMENTS] + [None]
    assert kind_of(library, values) == "moment"


@pytest.mark.parametrize("library", LIBRARIES)
def test_time_column_of_dates_has_seconds_since_1970(library: str) -> None:
    days = [moment.date() for moment in MOMENTS]
    expected = [since(datetime(day.year, day.month, day.day)) for day in days]
    assert seconds_of(library, [*days, None]) == [*expected, None]
    assert kind_of(library, [*days, None]) == "moment"


@pytest.mark.parametrize("library", LIBRARIES)
def test_time_column_of_iso_texts_has_seconds_since_1970(library: str) -> None:
    expected = [since(moment) for moment in TEXTS.values()]
    assert seconds_of(library, [*TEXTS, None]) == [*expected, None]
    assert kind_of(library, [*TEXTS, None]) == "moment"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("values", [[3, 1], [1.5, -2.0], ["1700000000", "1.5"]])
def test_time_column_of_numbers_keeps_them(library: str, values: list[Any]) -> None:
    assert seconds_of(library, [*values, None]) == [*map(float, values), None]
    assert kind_of(library, [*values, None]) == "number"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("values", [[20240229, 19000301], ["20240229", "19000301"]])
def test_in_seconds_of_days_as_numbers_are_seconds(library: str, values: list[Any]) -> None:
    assert kind_of(library, values) == "day"
    _, frame = read(library, values)
    rows = rows_of(frame.select("row", seconds=in_seconds(nw.col("seconds"), "day")).to_native())
    assert [row["seconds"] for row in rows] == [since(datetime(2024, 2, 29)), since(datetime(1900, 3, 1))]
    assert kind_of(library, [20240229, 20241301]) == "number"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "bad",
    [
        *("yesterday", "2024-13-01", "2024-06-31", "2024-02-30", "02/29/2024", "2024-02-29 25:00"),
        *("2024/13/01", "2024.06.31", "2024/02.29", "2024/2/9", "2024.02.29."),
    ],
)
def test_time_kind_of_text_that_is_no_time_raises_it(library: str, bad: str) -> None:
    with pytest.raises(RankgaugeError, match=bad) as error:
        kind_of(library, ["2024-02-29", bad])
    assert (error.value.code, error.value.place) == ("bad-date", "log, column 'at'")


@pytest.mark.parametrize("library", LIBRARIES)
def test_time_kind_of_moments_and_numbers_raises(library: str) -> None:
    with pytest.raises(RankgaugeError, match="17000") as error:
        kind_of(library, ["2024-02-29", "17000", "2024-03-01"])
    assert error.value.code == "bad-date"


@pytest.mark.parametrize("values", [[True, False], [timedelta(1), timedelta(2)]])
def test_time_column_of_another_type_raises(values: list[Any]) -> None:
    with pytest.raises(RankgaugeError) as error:
        time_column(open_table(pl.DataFrame({"at": values}), "log"), "at", "log")
    assert error.value.code == "bad-column"


def test_time_column_of_objects_raises() -> None:
    with pytest.raises(RankgaugeError) as error:
        time_column(open_table(pd.DataFrame({"at": [object(), 3]}), "log"), "at", "log")
    assert error.value.code == "bad-column"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_time_column_with_time_zone_keeps_local_times(library: str) -> None:
    utc = pd.DataFrame({"at": pd.to_datetime(["2024-07-01 10:00"]).tz_localize("Europe/Berlin"), "row": [0]})
    opened = open_table(utc if library == "pandas" else pl.from_pandas(utc), "log")
    times = time_column(opened, "at", "log")
    assert times.zone == "Europe/Berlin"
    assert opened.frame.select(at=times.seconds)["at"].to_list() == [since(datetime(2024, 7, 1, 10))]
    noon = datetime(2024, 7, 1, 8, tzinfo=timezone.utc)
    assert time_point("now", noon, "moment", times.zone) == since(datetime(2024, 7, 1, 10))


def test_time_span_of_number_is_days_or_units() -> None:
    assert [time_span("half_life", 2, which) for which in ("moment", "day", "number")] == [172800.0, 172800.0, 2.0]
    assert time_span("half_life", timedelta(hours=1), "day") == 3600.0


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), True, "7 days", timedelta(0)])
def test_time_span_not_positive_raises(bad: Any) -> None:
    with pytest.raises(RankgaugeError, match="half_life"):
        time_span("half_life", bad, "moment")


def test_time_span_timedelta_with_numeric_times_raises() -> None:
    with pytest.raises(RankgaugeError, match="units of the times"):
        time_span("half_life", timedelta(1), "number")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (datetime(2024, 2, 29, 10), datetime(2024, 2, 29, 10)),
        (date(2024, 2, 29), datetime(2024, 2, 29)),
        ("2024-02-29T10:00:00Z", datetime(2024, 2, 29, 10)),
        (pd.Timestamp("2024-02-29 10:00"), datetime(2024, 2, 29, 10)),
        (datetime(2024, 2, 29, 10, tzinfo=timezone(timedelta(hours=2))), datetime(2024, 2, 29, 8)),
    ],
)
def test_time_point_of_any_kind_has_known_seconds(given: Any, expected: datetime) -> None:
    assert time_point("now", given, "moment", None) == since(expected)


def test_time_point_number_among_days_is_a_date() -> None:
    assert time_point("now", 20240229, "day", None) == time_point("now", "2024-02-29", "day", None)


@pytest.mark.parametrize(
    ("bad", "which"),
    [("soon", "moment"), (3, "moment"), ("three", "number"), (20241301, "day"), (float("nan"), "number")],
)
def test_time_point_that_does_not_fit_raises(bad: Any, which: Any) -> None:
    with pytest.raises(RankgaugeError, match="now"):
        time_point("now", bad, which, None)


def test_time_point_in_unknown_zone_raises() -> None:
    with pytest.raises(RankgaugeError, match="now"):
        time_point("now", datetime(2024, 1, 1, tzinfo=timezone.utc), "moment", "UTC+02:00")


@pytest.mark.parametrize(
    ("seconds", "which", "text"),
    [(1.5, "number", "1.5"), (-0.5, "moment", "1969-12-31 23:59:59.500000"), (86400.0, "day", "1970-01-02")],
)
def test_point_text_by_kind_is_number_or_date(seconds: float, which: Any, text: str) -> None:
    assert point_text(seconds, which) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, tzinfo=timezone.utc), "2026-01-02"),
        (datetime(2026, 1, 2, 0, 0, 0, 5), "2026-01-02T00:00:00.000005"),
        (datetime(2026, 1, 2, 16, 30), "2026-01-02T16:30:00"),
        (pd.Timestamp("2026-01-02", tz="America/New_York"), "2026-01-02"),
        (pd.Timestamp("2026-01-02 16:30"), "2026-01-02T16:30:00"),
        ("2026-01-02 16:30", "2026-01-02T16:30"),
        ("2026-01-02", "2026-01-02"),
        (20260102, "20260102"),
        ("AAPL", "AAPL"),
        ("T00", "T00"),
    ],
    ids=repr,
)
def test_date_text_of_any_kind_is_iso_without_midnight(value: Any, text: str) -> None:
    assert date_text(value) == text
    assert date_text(value, " ") == re.sub(r"(?<=\d)T(?=\d)", " ", text)


def test_time_point_of_date_with_slashes_or_points_is_read() -> None:
    texts = ("2024-02-29", "2024/02/29", "2024.02.29")
    assert {time_point("now", text, "moment", None) for text in texts} == {since(datetime(2024, 2, 29))}


def test_time_span_of_another_type_beside_numbers_says_what_they_are() -> None:
    with pytest.raises(RankgaugeError, match="in the units of the times, which are numbers"):
        time_span("half_life", timedelta(1), "number")
