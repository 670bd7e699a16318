"""Dates and times of any library as ids of queries: they are read as ISO texts."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.inputs.small_frames import rows

DAYS = [dt.datetime(2024, 3, 31), dt.datetime(2024, 10, 27)]


@pytest.mark.parametrize(
    "date",
    [
        pd.Series(DAYS).astype("datetime64[ns]"),
        pd.Series(DAYS).astype("datetime64[s]"),
        pd.Series(DAYS).dt.date,
        pd.Series(DAYS).dt.tz_localize("Europe/Berlin"),
        pd.Series(DAYS).astype("category"),
        pd.Series(DAYS).dt.to_period("D"),
        pd.Series(pa.array(DAYS, pa.date32()), dtype=pd.ArrowDtype(pa.date32())),
    ],
)
def test_pandas_dates_are_iso_texts(date: Any) -> None:
    expected = {"2024-03-31": [("A", 1.0)], "2024-10-27": [("B", 2.0)]}
    frame = pd.DataFrame({"date": date, "ticker": ["A", "B"], "pred": [1, 2]})
    assert rows(frame) == expected
    assert rows(frame.set_index(["date", "ticker"])) == expected


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime("ms"), pl.Datetime("us"), pl.Datetime("ns"), "Europe/Berlin"])
def test_polars_dates_are_iso_texts(kind: Any) -> None:
    date = pl.Series(DAYS)
    date = date.dt.replace_time_zone(kind) if isinstance(kind, str) else date.cast(kind)
    assert list(rows(pl.DataFrame({"date": date, "ticker": ["A", "B"]}))) == ["2024-03-31", "2024-10-27"]


def test_times_are_iso_texts() -> None:
    moments = pd.Series(
        pd.to_datetime(["2024-01-31 09:30", "2024-01-31 09:30:00.5", "2024-01-31 00:00:00.000000001"], format="ISO8601")
    )
    names = ["2024-01-31T09:30:00", "2024-01-31T09:30:00.500000", "2024-01-31T00:00:00.000000001"]
    assert list(rows(pd.DataFrame({"date": moments, "ticker": 1}))) == sorted(names)


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime("us"), "America/New_York"])
def test_dates_repeated_in_any_chunk_are_one_id(kind: Any) -> None:
    source = random.Random(1)
    moments = [dt.datetime(2024, 1, source.randrange(1, 9)) for _ in range(200)]
    date = pl.concat([pl.Series(moments[:70]), pl.Series(moments[70:])], rechunk=False)
    date = date.dt.replace_time_zone(kind) if isinstance(kind, str) else date.cast(kind)
    items, scores = list(map(str, range(200))), [float(place) for place in range(200)]
    expected = rows(
        pl.DataFrame({"date": [f"{moment:%Y-%m-%d}" for moment in moments], "item": items, "score": scores})
    )
    assert rows(pl.DataFrame({"date": date, "item": items, "score": scores})) == expected
