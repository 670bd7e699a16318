"""`cut="qcut"` cuts the returns of a date where pandas.qcut does."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns

EQUAL = "equal returns make two edges of pandas.qcut equal in the date"


def graded(lists: list[list[float]], levels: int, **options: Any) -> tuple[list[list[int] | None], Audited]:
    """Return the grades of each list, which is one date, in its order; None for one that is refused."""
    rows = [
        (date, f"T{place:04}", value)
        for date, values_of_date in enumerate(lists)
        for place, value in enumerate(values_of_date)
    ]
    table = pl.DataFrame(rows, schema=["date", "ticker", "return"], orient="row")
    result = returns(table, levels=levels, cut="qcut", **{"least": 1} | options)
    dates = result.frame.sort("date", "ticker").partition_by("date", as_dict=True)
    return [dates[(date,)]["grade"].to_list() if (date,) in dates else None for date in range(len(lists))], result


def exact(values: list[int], levels: int) -> list[int] | None:
    """Cut at the exact quantiles: the intervals are closed on the right, and the first also on the left."""
    ordered = sorted(values)
    edges = []
    for edge in range(levels + 1):
        place = Fraction(edge * (len(values) - 1), levels)
        low = int(place)
        high = min(low + 1, len(values) - 1)
        edges.append(ordered[low] + (place - low) * (ordered[high] - ordered[low]))
    if len(set(edges)) < len(edges):
        return None
    return [sum(edge < value for edge in edges[1:-1]) for value in values]


@pytest.mark.parametrize("levels", [2, 4, 5])
def test_qcut_grades_equal_pandas(levels: int) -> None:
    source = np.random.default_rng(levels)
    lists = [source.normal(0.0, 0.02, size) for size in range(2, 160)]
    grades, _ = graded([of_date.tolist() for of_date in lists], levels)
    assert grades == [pd.qcut(of_date, levels, labels=False).tolist() for of_date in lists]


@pytest.mark.parametrize("levels", [3, 6, 7, 10])
def test_qcut_grades_differ_from_pandas_only_on_rounded_edges(levels: int) -> None:
    source = np.random.default_rng(levels)
    lists = [source.normal(0.0, 0.02, size) for size in range(2, 160)]
    grades, _ = graded([of_date.tolist() for of_date in lists], levels)
    rounded = 0
    for values, of_date in zip(lists, grades, strict=True):
        expected = pd.qcut(values, levels, labels=False)
        assert of_date is not None
        for place in np.flatnonzero(np.array(of_date) != expected):
            rank = int((values < values[place]).sum())
            assert rank * levels % (len(values) - 1) == 0
            assert abs(of_date[place] - expected[place]) == 1
            rounded += 1
    assert rounded


@pytest.mark.parametrize("levels", [2, 3, 4, 5, 7, 10])
def test_qcut_grades_and_refusals_equal_exact_edges(levels: int) -> None:
    source = random.Random(levels)
    lists = [
        [source.randrange(source.choice([2, 5, 30, 1000])) for _ in range(size)]
        for size in [1, 2, 3, *range(4, 40), 100, 101]
        for _ in range(6)
    ]
    grades, result = graded([[float(value) for value in of_date] for of_date in lists], levels)
    expected = [exact(of_date, levels) for of_date in lists]
    assert grades == expected
    assert {date for date, of_date in enumerate(expected) if of_date is None} == set(result.audit.refused)
    assert set(result.audit.refused.values()) == {EQUAL}
    assert None in expected
    assert any(of_date and len(set(of_date)) == levels for of_date in expected)


def test_qcut_of_a_multiple_of_the_levels_equals_equal_parts() -> None:
    source = np.random.default_rng(1)
    for size in (5, 10, 25, 200):
        rows = [("all", place, float(value)) for place, value in enumerate(source.normal(size=size))]
        table = pl.DataFrame(rows, schema=["group", "ticker", "return"], orient="row")
        cuts = [returns(table, cut=cut).frame.sort("ticker")["grade"].to_list() for cut in ("equal", "qcut")]
        assert cuts[0] == cuts[1]
    (seven,), _ = graded([[float(value) for value in range(7)]], 5)
    assert seven == pd.qcut(range(7), 5, labels=False).tolist() == [0, 0, 1, 2, 3, 4, 4]
    equal = returns(pl.DataFrame({"ticker": range(7), "return": [float(value) for value in range(7)]}))
    assert equal.frame.sort("ticker")["grade"].to_list() == [0, 0, 1, 2, 2, 3, 4]


def test_qcut_date_with_equal_edges_is_refused() -> None:
    grades, result = graded([[0.0] * 5, [0.0, 0.1, 0.2, 0.3, 0.4]], 5)
    assert grades == [None, [0, 1, 2, 3, 4]]
    assert result.audit.refused == {0: EQUAL}
    assert result.audit.dropped[EQUAL] == 5
    assert "grade: 5 parts within the date, cut at the edges of pandas.qcut" in lines(result.audit.remarks)
    with pytest.raises(ValueError, match="unique"):
        pd.qcut([0.0] * 5, 5)


def test_qcut_date_with_too_few_stocks_is_refused() -> None:
    grades, result = graded([[0.0] * 4, [0.0, 0.1, 0.2, 0.3, 0.4]], 5, least=None)
    assert grades[0] is None
    assert result.audit.refused == {0: "fewer than 5 stocks in the date"}


def test_qcut_groups_are_cut_separately() -> None:
    table = pl.DataFrame(
        {"ticker": list("ABCDEF"), "return": [0.1, 0.2, 0.3, 7.0, 7.0, 7.0], "sector": ["oil"] * 3 + ["gas"] * 3}
    )
    result = returns(table, levels=3, cut="qcut", group="sector")
    assert result.frame.sort("ticker")["grade"].to_list() == [0, 1, 2]
    assert result.audit.dropped["equal returns make two edges of pandas.qcut equal in the date and sector"] == 3


def test_qcut_of_prices_has_known_grades() -> None:
    closes = {"date": ["2026-01-02", "2026-01-05"], **{f"T{place}": [10.0, 10.0 + place] for place in range(7)}}
    result = returns(pl.DataFrame(closes), horizon=1, cut="qcut")
    assert result.frame.sort("ticker")["grade"].to_list() == [0, 0, 1, 2, 3, 4, 4]


@pytest.mark.parametrize("options", [{"levels": "rank"}, {"thresholds": [0.0]}, {"ties": "min"}, {"cut": "quantile"}])
def test_qcut_with_other_options_raises(options: dict[str, Any]) -> None:
    table = pl.DataFrame({"ticker": ["A", "B"], "return": [0.1, 0.2]})
    with pytest.raises(RankgaugeError) as error:
        returns(table, **{"cut": "qcut"} | options)
    assert error.value.code in ("bad-number", "unknown-choice")
    assert "qcut" in str(error.value)
