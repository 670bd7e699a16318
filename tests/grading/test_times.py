from __future__ import annotations

import random
from datetime import date, datetime, timedelta, timezone
from typing import Any

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from tests.grading.of_libraries import LIBRARIES, rows_of, table_of

from rankgauge.errors import RankgaugeError
from rankgauge.grading.source import open_table
from rankgauge.grading.times import Clock, clock, in_seconds, kind, length, point, shown

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
}


def since(moment: datetime | None) -> float | None:
    return None if moment is None else (moment - EPOCH).total_seconds()


def read(library: str, values: list[Any]) -> tuple[Clock, Any]:
    opened = open_table(table_of(library, {"at": values, "row": list(range(len(values)))}), "log")
    own = clock(opened, "at", "log")
    return own, opened.frame.select("row", **own.columns())


def seconds_of(library: str, values: list[Any]) -> list[float | None]:
    _, frame = read(library, values)
    rows = {row["row"]: row["seconds"] for row in rows_of(frame.select("row", "seconds").to_native())}
    return [rows[row] for row in range(len(values))]


def kind_of(library: str, values: list[Any]) -> str:
    opened = open_table(table_of(library, {"at": values}), "log")
    own = clock(opened, "at", "log")
    sums = {name: nw.col(name).sum() for name in ("moments", "days", "unread")}
    frame = opened.frame.select(**own.columns()).select(**sums, timed=nw.col("seconds").count())
    return kind(rows_of(frame.to_native())[0], opened, own, "log")


@pytest.mark.parametrize("library", LIBRARIES)
def test_datetimes_are_seconds_since_1970(library: str) -> None:
    values = [*MOMENTS, None]
    assert seconds_of(library, values) == [pytest.approx(since(value), abs=1e-6) for value in MOMENTS] + [None]
    assert kind_of(library, values) == "moment"


@pytest.mark.parametrize("library", LIBRARIES)
def test_dates_are_seconds_since_1970(library: str) -> None:
    days = [moment.date() for moment in MOMENTS]
    expected = [since(datetime(day.year, day.month, day.day)) for day in days]
    assert seconds_of(library, [*days, None]) == [*expected, None]
    assert kind_of(library, [*days, None]) == "moment"


@pytest.mark.parametrize("library", LIBRARIES)
def test_texts_of_iso_8601_are_seconds_since_1970(library: str) -> None:
    expected = [since(moment) for moment in TEXTS.values()]
    assert seconds_of(library, [*TEXTS, None]) == [*expected, None]
    assert kind_of(library, [*TEXTS, None]) == "moment"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("values", [[3, 1], [1.5, -2.0], ["1700000000", "1.5"]])
def test_numbers_stay_numbers(library: str, values: list[Any]) -> None:
    assert seconds_of(library, [*values, None]) == [*map(float, values), None]
    assert kind_of(library, [*values, None]) == "number"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("values", [[20240229, 19000301], ["20240229", "19000301"]])
def test_numbers_that_are_days_become_seconds(library: str, values: list[Any]) -> None:
    assert kind_of(library, values) == "day"
    _, frame = read(library, values)
    rows = rows_of(frame.select("row", seconds=in_seconds(nw.col("seconds"), "day")).to_native())
    assert [row["seconds"] for row in rows] == [since(datetime(2024, 2, 29)), since(datetime(1900, 3, 1))]
    assert kind_of(library, [20240229, 20241301]) == "number"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "bad", ["yesterday", "2024-13-01", "2024-06-31", "2024-02-30", "02/29/2024", "2024-02-29 25:00"]
)
def test_a_text_that_is_no_time_is_named(library: str, bad: str) -> None:
    with pytest.raises(RankgaugeError, match=bad) as error:
        kind_of(library, ["2024-02-29", bad])
    assert (error.value.code, error.value.place) == ("bad-date", "log, column 'at'")


@pytest.mark.parametrize("library", LIBRARIES)
def test_moments_and_numbers_do_not_mix(library: str) -> None:
    with pytest.raises(RankgaugeError, match="17000") as error:
        kind_of(library, ["2024-02-29", "17000", "2024-03-01"])
    assert error.value.code == "bad-date"


@pytest.mark.parametrize("values", [[True, False], [timedelta(1), timedelta(2)]])
def test_what_are_no_times_is_refused(values: list[Any]) -> None:
    with pytest.raises(RankgaugeError) as error:
        clock(open_table(pl.DataFrame({"at": values}), "log"), "at", "log")
    assert error.value.code == "bad-column"


def test_objects_that_are_no_times_are_refused() -> None:
    with pytest.raises(RankgaugeError) as error:
        clock(open_table(pd.DataFrame({"at": [object(), 3]}), "log"), "at", "log")
    assert error.value.code == "bad-column"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_column_with_a_time_zone_is_taken_as_it_is_written(library: str) -> None:
    utc = pd.DataFrame({"at": pd.to_datetime(["2024-07-01 10:00"]).tz_localize("Europe/Berlin"), "row": [0]})
    opened = open_table(utc if library == "pandas" else pl.from_pandas(utc), "log")
    own = clock(opened, "at", "log")
    assert own.zone == "Europe/Berlin"
    assert opened.frame.select(at=own.seconds)["at"].to_list() == [since(datetime(2024, 7, 1, 10))]
    noon = datetime(2024, 7, 1, 8, tzinfo=timezone.utc)
    assert point("now", noon, "moment", own.zone) == since(datetime(2024, 7, 1, 10))


def test_spans_are_in_days_unless_times_are_numbers() -> None:
    assert [length("half_life", 2, which) for which in ("moment", "day", "number")] == [172800.0, 172800.0, 2.0]
    assert length("half_life", timedelta(hours=1), "day") == 3600.0


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), True, "7 days", timedelta(0)])
def test_a_span_is_above_zero(bad: Any) -> None:
    with pytest.raises(RankgaugeError, match="half_life"):
        length("half_life", bad, "moment")


def test_a_timedelta_says_nothing_of_units_of_numbers() -> None:
    with pytest.raises(RankgaugeError, match="units of the times"):
        length("half_life", timedelta(1), "number")


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
def test_a_point_in_time(given: Any, expected: datetime) -> None:
    assert point("now", given, "moment", None) == since(expected)


def test_a_point_among_days_may_be_such_a_number() -> None:
    assert point("now", 20240229, "day", None) == point("now", "2024-02-29", "day", None)


@pytest.mark.parametrize(
    ("bad", "which"),
    [("soon", "moment"), (3, "moment"), ("three", "number"), (20241301, "day"), (float("nan"), "number")],
)
def test_a_point_that_does_not_fit_is_refused(bad: Any, which: Any) -> None:
    with pytest.raises(RankgaugeError, match="now"):
        point("now", bad, which, None)


def test_a_zone_without_a_name_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="now"):
        point("now", datetime(2024, 1, 1, tzinfo=timezone.utc), "moment", "UTC+02:00")


def test_points_are_shown_as_they_are_written() -> None:
    assert shown(1.5, "number") == "1.5"
    assert shown(-0.5, "moment") == "1969-12-31 23:59:59.500000"
