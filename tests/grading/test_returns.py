from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import datetime
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grading.library_tables import LIBRARIES, kind_of, rows_of, table_of
from tests.grading.plain_returns import CHOICES, END, GAP, STOP, Expected, drawn_options, messy_prices, plain_returns
from tests.grids import grid
from tests.remarks import lines

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns

DRAWS = 42


def draw(seed: int) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    return messy_prices(seed), drawn_options(random.Random(seed))


def check(result: Audited, expected: Expected, columns: dict[str, list[Any]]) -> None:
    rows = rows_of(result.frame)
    graded = {(row["day"], row["symbol"]): (row["return"], row["grade"]) for row in rows}
    assert len(graded) == len(rows)
    assert graded.keys() == expected.graded.keys()
    assert {key: grade for key, (_, grade) in graded.items()} == {
        key: grade for key, (_, grade) in expected.graded.items()
    }
    assert [graded[key][0] for key in expected.graded] == pytest.approx(
        [value for value, _ in expected.graded.values()], rel=1e-12, abs=1e-12
    )
    audit = result.audit
    assert audit.rows == len(columns["day"]) == sum(audit.dropped.values()) + audit.kept
    assert audit.dropped == expected.dropped
    assert audit.kept == len(expected.graded)
    assert audit.bins == expected.bins
    assert audit.refused == expected.refused
    totals: dict[float, int] = {}
    for counts in expected.bins.values():
        for grade, count in counts.items():
            totals[grade] = totals.get(grade, 0) + count
    assert audit.grades == totals
    remarks = {remark.code: remark.text.split(" ")[0] for remark in audit.remarks}
    assert remarks.get("gaps", "0") == f"{expected.spans:,}"
    assert remarks.get("stopped", "0") == f"{expected.sold:,}"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("seed", grid(range(DRAWS), 10))
def test_returns_and_audit_of_any_library_equal_plain_loop(library: str, seed: int) -> None:
    columns, options = draw(seed)
    result = returns(table_of(library, columns), **options)
    assert isinstance(result.frame, kind_of(library))
    assert result.roles == {"query": "day", "item": "symbol", "grade": "grade"}
    check(result, plain_returns(columns, **options), columns)


def test_returns_drawn_tables_reach_every_option_and_fate() -> None:
    drawn = [draw(seed) for seed in range(DRAWS)]
    for name, choices in CHOICES.items():
        assert all(any(options[name] == choice for _, options in drawn) for choice in choices), name
    expected = [plain_returns(columns, **options) for columns, options in drawn]
    for reason in (END, STOP, GAP):
        assert any(each.dropped[reason] for each in expected)
        assert any(reason in each.refused.values() for each in expected) or reason != END
    assert any("fewer" in reason and count for each in expected for reason, count in each.dropped.items())
    assert any("fewer" in reason for each in expected for reason in each.refused.values())
    assert any(each.spans for each in expected)
    assert any(each.sold for each in expected)


@st.composite
def few_prices(draw: Any) -> dict[str, list[Any]]:
    """Draw up to four stocks of up to six dates, with few different prices, in any order."""
    pairs = [(day, stock) for day in range(6) for stock in "ABCD"]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1))
    closes = [draw(st.sampled_from([1.0, 2.0, 3.0, 4.0, None, math.nan])) for _ in chosen]
    return {
        "day": [day for day, _ in chosen],
        "symbol": [stock for _, stock in chosen],
        "price": closes,
        "index": [7.0 + day for day, _ in chosen],
        "sector": ["x" if stock in "AB" else None for _, stock in chosen],
    }


@given(few_prices(), st.randoms(use_true_random=False).map(drawn_options))
def test_returns_of_any_table_and_options_equal_plain_loop(
    columns: dict[str, list[Any]], options: dict[str, Any]
) -> None:
    frame = pl.DataFrame(columns, schema_overrides={"price": pl.Float64, "sector": pl.String}, strict=False)
    check(returns(frame, **options), plain_returns(columns, **options), columns)


def small(**more: list[Any]) -> dict[str, list[Any]]:
    """Give three stocks of three dates."""
    days = [datetime(2026, 1, 2), datetime(2026, 1, 5), datetime(2026, 1, 6)]
    return {
        "date": [day for day in days for _ in range(3)],
        "ticker": ["A", "B", "C"] * 3,
        "close": [10.0, 10.0, 10.0, 11.0, 9.0, 10.0, 12.0, 12.0, 12.0],
        **more,
    }


def graded(result: Audited) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in rows_of(result.frame)]


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_are_those_of_the_next_rows(library: str) -> None:
    first, second = datetime(2026, 1, 2), datetime(2026, 1, 5)
    assert graded(returns(table_of(library, small()), horizon=1, levels=3)) == [
        (first, "A", pytest.approx(0.1), 2),
        (first, "B", pytest.approx(-0.1), 0),
        (first, "C", 0.0, 1),
        (second, "A", pytest.approx(1 / 11), 0),
        (second, "B", pytest.approx(1 / 3), 2),
        (second, "C", pytest.approx(0.2), 1),
    ]
    later = returns(table_of(library, small()), horizon=1, lag=1, levels=3)
    assert graded(later) == [
        (first, "A", pytest.approx(1 / 11), 0),
        (first, "B", pytest.approx(1 / 3), 2),
        (first, "C", pytest.approx(0.2), 1),
    ]


@pytest.mark.parametrize(("ties", "grades"), [("average", [1, 1, 1]), ("min", [0, 0, 0]), ("max", [2, 2, 2])], ids=str)
def test_returns_equal_ones_have_one_grade(ties: Any, grades: list[int]) -> None:
    table = pl.DataFrame(small(close=[10.0, 20.0, 30.0, 11.0, 22.0, 33.0, 1.0, 1.0, 1.0]))
    result = returns(table, horizon=1, levels=3, ties=ties)
    assert result.frame.filter(date=datetime(2026, 1, 2)).sort("ticker")["grade"].to_list() == grades


def test_returns_stopped_stock_has_the_delisting_return() -> None:
    table = pd.DataFrame(small()).drop(index=[7])  # B has no price on the last date
    options: dict[str, Any] = {"horizon": 2, "levels": 3}
    first = datetime(2026, 1, 2)
    assert returns(table, **options).audit.dropped[STOP] == 1
    losses: dict[Any, float] = {"last": -0.1, 0.0: -0.1, -0.3: 0.9 * 0.7 - 1, -1: -1.0}
    for stopped, value in losses.items():
        grades = {row[1]: row[2] for row in graded(returns(table, **options, stopped=stopped)) if row[0] == first}
        assert grades == {"A": pytest.approx(0.2), "B": pytest.approx(value), "C": pytest.approx(0.2)}


def test_returns_stock_stopped_before_entry_is_dropped() -> None:
    table = pd.DataFrame(small()).drop(index=[4, 7])  # B has a price on the first date alone
    audit = returns(table, horizon=1, lag=1, levels=2, stopped="last").audit
    assert audit.dropped[STOP] == 1


def test_returns_stock_trading_on_the_last_date_has_not_stopped() -> None:
    table = pd.DataFrame(small()).drop(index=[4])  # B pauses on the second date
    audit = returns(table, horizon=2, levels=2, stopped="last").audit
    assert audit.dropped[STOP] == 0
    assert audit.dropped[END] == 6


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_benchmark_exits_with_a_stopped_stock(library: str) -> None:
    columns = messy_prices(3)
    options: dict[str, Any] = {"horizon": 3, "levels": 3, "excess": "index", "stopped": "last"}
    expected = plain_returns(columns, **options)
    assert expected.sold
    check(returns(table_of(library, columns), **options), expected, columns)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("nothing", [None, math.nan], ids=str)
def test_returns_without_benchmark_price_have_no_grade(library: str, nothing: float | None) -> None:
    index = [100.0, 100.0, 100.0, 101.0, nothing, 101.0, 102.0, 102.0, 102.0]
    frame, audit = returns(table_of(library, small(index=index)), horizon=1, levels=2, excess="index")
    pairs = [(row["date"].day, row["ticker"]) for row in rows_of(frame)]
    assert pairs == [(2, "A"), (2, "C"), (5, "A"), (5, "C")]
    assert audit.kept == 4
    assert audit.rows == 9 == audit.kept + sum(audit.dropped.values())


@pytest.mark.parametrize("bad", [0.0, -1.0, math.inf], ids=str)
def test_returns_impossible_benchmark_price_raises(bad: float) -> None:
    index = [100.0, 100.0, 100.0, bad, bad, bad, 102.0, 102.0, 102.0]
    with pytest.raises(RankgaugeError, match="2026-01-05") as error:
        returns(pl.DataFrame(small(index=index)), horizon=1, levels=2, excess="index")
    assert error.value.code == "bad-price"


def test_returns_excess_of_mean_is_taken_before_thresholds() -> None:
    table = pl.DataFrame(small())
    plain = returns(table, horizon=1, thresholds=[0.05, 0.15])
    less = returns(table, horizon=1, thresholds=[0.05, 0.15], excess="mean")
    assert [row[3] for row in graded(plain)] == [1, 0, 0, 1, 2, 2]
    assert [row[3] for row in graded(less)] == [1, 0, 0, 0, 1, 0]


def test_returns_audit_has_known_text() -> None:
    columns = small(sector=["x", "x", "y"] * 3)
    table = pd.DataFrame(columns)
    audit = returns(table, horizon=1, lag=1, levels=2, excess="mean", group="sector", ties="max").audit
    assert lines(audit.remarks, "price", "return", "grade") == [
        "price: column 'close'",
        "return: over 1 row of each stock, from 1 row after the date on, less the mean of the date",
        "grade: 2 parts of equal size within the date and sector; equal returns have the highest of their ranks",
    ]
    assert audit.dropped["fewer than 2 stocks in the date and sector"] == 1
    assert "how many of 0, 0.1 the return reaches" in str(returns(table, horizon=2, thresholds=[0, 0.1]).audit)
    ranked = returns(table, horizon=1, levels="rank").audit
    assert "grade: dense rank within the date" in lines(ranked.remarks)
    assert (ranked.grades, ranked.bins, ranked.kept) == ({}, {}, 6)


# Forecasts


# Tables without anything to grade


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_empty_table_has_no_grades(library: str) -> None:
    empty = pl.DataFrame(schema={"date": pl.Date, "ticker": pl.String, "close": pl.Float64})
    made: dict[str, Callable[[], Any]] = {
        "pandas": empty.to_pandas,
        "polars": empty.clone,
        "lazy": empty.lazy,
        "duckdb": lambda: duckdb.from_arrow(empty.to_arrow()),
    }
    frame, audit = returns(made[library]())
    assert rows_of(frame) == []
    assert isinstance(frame, kind_of(library))
    assert (audit.rows, audit.kept, sum(audit.dropped.values())) == (0, 0, 0)
    assert (audit.bins, audit.refused, audit.grades) == ({}, {}, {})


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_all_prices_missing_are_counted(library: str) -> None:
    frame, audit = returns(table_of(library, small(close=[math.nan] * 9)))
    assert rows_of(frame) == []
    assert (audit.rows, audit.dropped["no price"], audit.refused) == (9, 9, {})


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_horizon_beyond_the_table_refuses_every_date(library: str) -> None:
    frame, audit = returns(table_of(library, small()), horizon=50)
    assert rows_of(frame) == []
    assert (audit.dropped[END], len(audit.refused), set(audit.refused.values())) == (9, 3, {END})


# Errors


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_duplicate_raises(library: str) -> None:
    columns = {name: [*values, values[4]] for name, values in small().items()}
    with pytest.raises(RankgaugeError, match="ticker 'B', date 2026-01-05") as error:
        returns(table_of(library, columns))
    assert error.value.code == "duplicate-row"


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_duplicate_without_price_is_dropped(library: str) -> None:
    columns = {name: [*values, values[4]] for name, values in small().items()}
    columns["close"][4] = math.nan
    assert returns(table_of(library, columns), horizon=1, levels=3).audit.kept == 6


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("bad", [0.0, -2.5, math.inf, -math.inf], ids=str)
def test_returns_impossible_price_raises_its_place(library: str, bad: float) -> None:
    closes = small()["close"]
    with pytest.raises(RankgaugeError, match=f"ticker 'C', date 2026-01-05: .* got {bad:g}") as error:
        returns(table_of(library, small(close=[*closes[:5], bad, *closes[6:]])))
    assert error.value.code == "bad-price"


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"lag": -1}, "look-ahead", "lag=-1"),
    ({"lag": 0.5}, "bad-number", "lag"),
    ({"lag": None}, "bad-number", "lag"),
    ({"horizon": 0}, "look-ahead", "horizon=0"),
    ({"horizon": -5}, "look-ahead", "horizon=-5"),
    ({"horizon": 1.5}, "bad-number", "horizon"),
    ({"horizon": True}, "bad-number", "horizon"),
    ({"horizon": "5"}, "bad-number", "horizon"),
    ({"horizon": 10**12}, "bad-number", "at most"),
    ({"lag": 10**12}, "bad-number", "at most"),
    ({"levels": 1}, "bad-number", "levels"),
    ({"levels": 2.5}, "bad-number", "levels"),
    ({"levels": "ranks"}, "bad-number", "levels"),
    ({"levels": 10**9}, "bad-number", "at most 1,000,000"),
    ({"thresholds": []}, "bad-number", "thresholds"),
    ({"thresholds": [0.1, 0.0]}, "bad-number", "that rise"),
    ({"thresholds": [0.1, 0.1]}, "bad-number", "that rise"),
    ({"thresholds": [0.0, math.nan]}, "bad-number", "thresholds"),
    ({"thresholds": [0.0, math.inf]}, "bad-number", "thresholds"),
    ({"thresholds": ["much"]}, "bad-number", "thresholds"),
    ({"thresholds": 0.1}, "bad-number", "thresholds"),
    ({"thresholds": "12"}, "bad-number", "thresholds"),
    ({"ties": "mean"}, "unknown-choice", "one of average, min, max, got 'mean'. Hint: which"),
    ({"ties": None}, "unknown-choice", "ties"),
    ({"gaps": "fill"}, "unknown-choice", "skip, drop"),
    ({"stopped": "lost"}, "bad-number", "stopped"),
    ({"stopped": -1.1}, "bad-number", "at least -1"),
    ({"stopped": math.nan}, "bad-number", "stopped"),
    ({"stopped": math.inf}, "bad-number", "stopped"),
    ({"stopped": True}, "bad-number", "stopped"),
    ({"stopped": None}, "bad-number", "stopped"),
    ({"least": 0}, "bad-number", "least"),
    ({"least": "few"}, "bad-number", "least"),
    ({"excess": "clos"}, "no-such-column", "did you mean 'close'"),
    ({"excess": "market"}, "no-such-column", "column for benchmark, got 'market'"),
    ({"excess": 5}, "no-such-column", "column for benchmark, got 5"),
    ({"group": "tickr"}, "no-such-column", "did you mean 'ticker'"),
    ({"columns": {"close": "clse"}}, "missing-column", "did you mean 'close'"),
    ({"columns": {"price": "close"}}, "unknown-choice", "date, ticker, close"),
]


@pytest.mark.parametrize(("options", "code", "text"), BAD, ids=str)
def test_returns_invalid_option_raises(options: dict[str, Any], code: str, text: str) -> None:
    with pytest.raises(RankgaugeError, match=text) as error:
        returns(pl.DataFrame(small()), **options)
    assert error.value.code == code


def test_returns_numpy_options_are_accepted() -> None:
    table = pl.DataFrame(small())
    options: dict[str, Any] = {"horizon": 1, "lag": 0, "thresholds": [0.0, 0.1], "least": 2, "stopped": -0.5}
    of_numpy: dict[str, Any] = {
        "horizon": np.int64(1),
        "lag": np.int64(0),
        "thresholds": np.array([0.0, 0.1]),
        "least": np.int32(2),
        "stopped": np.float64(-0.5),
    }
    plain, numpy = returns(table, **options), returns(table, **of_numpy)
    assert graded(plain) == graded(numpy)
    with pytest.raises(RankgaugeError, match="lag"):
        returns(table, lag=np.int64(-1))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [1e308, -1e308, 1e101])
def test_returns_beyond_computing_raise(value: float) -> None:
    table = pd.DataFrame({"stock": list("abc"), "return": [0.1, value, -0.1]})
    with pytest.raises(RankgaugeError, match="beyond what can be computed with") as caught:
        returns(table, excess="mean", levels=2)
    assert caught.value.code == "bad-return"


@pytest.mark.parametrize("value", [1e308, 1e-308])
def test_returns_of_prices_beyond_computing_raise(value: float) -> None:
    table = pd.DataFrame({"date": ["2026-01-02"] * 2, "ticker": ["a", "b"], "close": [1.0, value]})
    with pytest.raises(RankgaugeError, match="beyond what can be computed with"):
        returns(table)


def test_returns_of_tickers_that_are_numbers_and_texts_are_graded() -> None:
    table = pd.DataFrame({"stock": [5930, "A"], "return": ["1%", "2%"]})
    graded = returns(table, levels=2, least=1).frame
    assert graded["stock"].tolist() == ["5930", "A"]
    assert graded["grade"].tolist() == [0, 1]
