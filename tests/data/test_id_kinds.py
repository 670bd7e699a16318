"""Ids come back as what they were: dates and times too, where their text gives them back exactly."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta, timezone
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples

import rankgauge as rg
from rankgauge.data.id_kinds import kind_of, known_forms, native_ids

SEOUL = timezone(timedelta(hours=9))
DATES = st.dates()
# Midnights, whole seconds and microseconds; pandas holds fewer years than Python.
TIMES = st.one_of(
    st.dates(date(1700, 1, 1), date(2200, 1, 1)).map(lambda day: datetime(day.year, day.month, day.day)),
    st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)),
)


def rows(ids: list[Any]) -> dict[str, list[Any]]:
    return {"query": ids, "item": ["a"] * len(ids), "grade": [1] * len(ids)}


# What makes judgments of ids that are dates, by library.
SOURCES: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "dict": lambda ids: {id_: {"a": 1} for id_ in ids},
    "pandas objects": lambda ids: pd.DataFrame({**rows(ids), "query": pd.Series(ids, dtype=object)}),
    "Polars": lambda ids: pl.DataFrame(rows(ids)),
    "Arrow": lambda ids: pa.table(rows(ids)),
    "Arrow dictionaries": lambda ids: pa.table({**rows(ids), "query": pa.array(ids).dictionary_encode()}),
    "list of dicts": lambda ids: [{"query": id_, "item": "a", "grade": 1} for id_ in ids],
}
OF_TIMES: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "dict of Timestamps": lambda ids: {pd.Timestamp(id_): {"a": 1} for id_ in ids},
    "dict of datetime64": lambda ids: {np.datetime64(id_, "us"): {"a": 1} for id_ in ids},
    "dict of datetime64[ns]": lambda ids: {np.datetime64(id_, "ns"): {"a": 1} for id_ in ids},
    "pandas": lambda ids: pd.DataFrame(rows(list(pd.to_datetime(ids)))),
    "pandas categories": lambda ids: pd.DataFrame(rows(list(pd.to_datetime(ids)))).astype({"query": "category"}),
}


def exactly(ids: Any) -> list[tuple[type, Any]]:
    """Ids with their types: a datetime and a date are never equal, but a subclass would be."""
    return [(type(id_), id_) for id_ in ids]


def require_same_everywhere(source: Any, ids: list[Any]) -> None:
    """The ids come back from judgments, their pickles, a result, its tables and a comparison."""
    judgments = rg.read_judgments(source)
    expected = exactly(sorted(ids))
    assert exactly(judgments) == exactly(judgments.to_dict()) == expected
    assert exactly(pickle.loads(pickle.dumps(judgments))) == exactly(copy.deepcopy(judgments)) == expected  # noqa: S301
    assert all(id_ in judgments and str(id_).removesuffix(" 00:00:00").replace(" ", "T") in judgments for id_ in ids)
    ranking = {id_: ["x", "a"] for id_ in ids}
    result = rg.evaluate(judgments, ranking, "mrr")
    per_query = result.per_query
    assert exactly(per_query["mrr"]) == exactly(row[0] for row in per_query) == expected
    assert exactly(per_query.to_polars()["query"]) == exactly(pl.DataFrame(per_query)["query"]) == expected
    assert list(per_query.to_pandas()["query"]) == sorted(ids)
    assert all(result.query(id_) == {"mrr": 0.5} for id_ in ids)
    pair = result.compare(rg.evaluate(judgments, {id_: ["a"] for id_ in ids}, "mrr")).pairs[0]
    assert {type(moved.query) for moved in pair.moved} == {type(ids[0])}
    assert {moved.query for moved in pair.moved} <= set(ids)


@pytest.mark.parametrize("library", SOURCES)
@examples(40)
@given(st.lists(DATES, min_size=1, max_size=5, unique=True))
def test_ids_that_were_dates_come_back_as_dates(library: str, ids: list[date]) -> None:
    require_same_everywhere(SOURCES[library](ids), ids)


@pytest.mark.parametrize("library", [*SOURCES, *OF_TIMES])
@examples(40)
@given(st.lists(TIMES, min_size=1, max_size=5, unique=True))
def test_ids_that_were_times_come_back_as_times(library: str, ids: list[datetime]) -> None:
    require_same_everywhere({**SOURCES, **OF_TIMES}[library](ids), ids)


@pytest.mark.parametrize(
    ("ids", "texts"),
    [
        ([date(2026, 1, 2), datetime(2026, 1, 3)], ["2026-01-02", "2026-01-03"]),
        ([date(2026, 1, 2), "x"], ["2026-01-02", "x"]),
        ([date(2026, 1, 2), 7], ["2026-01-02", "7"]),
        ([datetime(2026, 1, 2, tzinfo=SEOUL)], ["2026-01-02"]),
        ([datetime(2026, 1, 2, 9, tzinfo=SEOUL)], ["2026-01-02T09:00:00+09:00"]),
        ([pd.Timestamp("2026-01-02"), pd.Timestamp(1)], ["1970-01-01T00:00:00.000000001", "2026-01-02"]),
        ([np.datetime64(1, "ns")], ["1970-01-01T00:00:00.000000001"]),
        ([datetime(2026, 1, 2).time()], ["00:00:00"]),
    ],
)
def test_ids_of_mixed_or_ambiguous_types_come_back_as_text(ids: list[Any], texts: list[str]) -> None:
    judgments = rg.read_judgments({id_: {"a": 1} for id_ in ids})
    assert exactly(judgments) == exactly(texts)
    assert all(id_ in judgments for id_ in ids)


@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Seoul"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_arrow_times_come_back_as_times_unless_they_have_a_zone(unit: str, zone: str | None) -> None:
    ids = pa.array([datetime(2026, 1, 2), datetime(2026, 1, 3, 9, 30)], pa.timestamp(unit, zone))
    actual = list(rg.read_judgments(pa.table({**rows([0, 0]), "query": ids})))
    assert {type(id_) for id_ in actual} == {datetime if zone is None else str}


def test_arrow_dates_that_python_cannot_hold_come_back_as_text() -> None:
    with_time = pa.array([86_400_000, 1_000], pa.int64()).cast(pa.date64())
    far = pa.array([10**12], pa.int64()).cast(pa.timestamp("s"))
    for ids in (with_time, far):
        assert {type(id_) for id_ in rg.read_judgments(pa.table({**rows([0] * len(ids)), "query": ids}))} == {str}


def test_items_that_were_dates_come_back_as_dates() -> None:
    judgments = rg.read_judgments({"q": {date(2026, 1, 2): 1, date(2026, 1, 3): 0}})
    assert judgments.rows("q") == [(date(2026, 1, 2), 1.0), (date(2026, 1, 3), 0.0)]
    frame = pl.DataFrame({"query": ["q"], "item": [date(2026, 1, 2)], "score": [0.5]})
    assert rg.read_ranking(frame).to_dict() == {"q": [(date(2026, 1, 2), 0.5)]}


def test_segments_and_json_know_dates() -> None:
    days = [datetime(2026, 1, day) for day in (2, 3, 4)]
    result = rg.evaluate({day: {"a": 1} for day in days}, {day: ["a"] for day in days}, "mrr")
    assert result.by({days[0]: "early", "2026-01-03": "late", date(2026, 1, 4): "late"})["late", "mrr"].queries == 2
    compared = rg.compare(
        {day: {"a": 1} for day in days}, {"one": {days[0]: ["a"]}, "two": {days[1]: ["a"]}}, "mrr", by={days[0]: "x"}
    )
    assert [moved["query"] for moved in compared.to_dict()["pairs"][0]["moved"]] == days[:2]
    for written in (result.to_json(per_query=True), compared.to_json()):
        assert '"2026-01-02"' in written
        assert "00:00:00" not in written
    assert "2026-01-02  " in result.per_query.table().to_text()
    assert "\n2026-01-02," in result.per_query.table().to_csv()


def test_merged_evaluations_have_the_common_kind_of_ids() -> None:
    plan = rg.Request.of("mrr").plan()
    first, second, numbers, none = (
        plan.evaluate({id_: {"a": 1} for id_ in ids}, {id_: ["a"] for id_ in ids})
        for ids in ([date(2026, 1, 2)], [date(2026, 1, 3)], [7], [])
    )
    merged = rg.Result.of(pickle.loads(pickle.dumps(none.merge(second, first))))  # noqa: S301 - made here
    assert exactly(merged.per_query["mrr"]) == exactly([date(2026, 1, 2), date(2026, 1, 3)])
    assert exactly(rg.Result.of(first.merge(numbers)).per_query["mrr"]) == exactly(["2026-01-02", "7"])
    assert exactly(rg.Result.of(numbers).per_query["mrr"]) == [(int, 7)]


def test_ids_that_were_never_of_a_kind_stay_text() -> None:
    assert native_ids(["q7"], "whole") == native_ids(["q7"], "date") == ["q7"]
    assert kind_of([]) == "text"
    assert list(known_forms("q7")) == ["q7"]
