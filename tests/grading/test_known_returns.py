"""Tables that have returns instead of prices: found, read as they are written, and graded as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, rows_of, table_of
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns

RETURNS = [0.12, 0.03, 0.0, -0.01, -0.05]
TEXTS = ["+12%", "+3%", "0%", "-1%", "-5%"]
GRADES = {"A": 4, "B": 3, "C": 2, "D": 1, "E": 0}


def table(values: list[Any], name: str = "return", **others: list[Any]) -> pl.DataFrame:
    return pl.DataFrame({"stock": list("ABCDE")[: len(values)], name: values, **others}, strict=False)


def grades_of(result: Audited) -> dict[str, int]:
    return {row["stock"]: row["grade"] for row in rows_of(result.frame)}


def refused(source: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as error:
        returns(source, **options)
    return error.value


@pytest.mark.parametrize(
    "name",
    [
        *["return", "Returns", "ret", "forward_return", "fwd_return", "fwd_ret", "forwardReturns", "future_return"],
        *["actual_return", "Actual 5-day return", "return_5d", "ret_5d", "fwd_ret_10", "5d_return", "next_20d_return"],
        *["수익률", "실제 수익률", "실제수익률", "미래수익률", "5일 수익률", "5일 후 수익률", "실제 5일 수익률"],
    ],
)
def test_returns_column_is_found_by_its_name(name: str) -> None:
    result = returns(table(RETURNS, name))
    assert grades_of(result) == GRADES
    assert str(result.audit.remarks[0]) == f"return: column {name!r}, taken as it is"


def test_returns_of_several_columns_takes_the_most_specific() -> None:
    assert grades_of(returns(table(RETURNS, "fwd_return", ret=[0.0] * 5))) == GRADES
    assert refused(table(RETURNS, "ret_1d", ret_5d=[0.0] * 5)).code == "ambiguous-column"
    assert grades_of(returns(table([0.0] * 5, "ret_1d", ret_5d=RETURNS), columns={"return": "ret_5d"})) == GRADES


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "texts",
    [
        TEXTS,
        ["+12 %", " 3%", "0.0%", "−1%", "－5 ％"],
        ["0.12", "+.03", "0", "-1e-2", "−0.05"],
    ],
)
def test_returns_written_as_text_are_read(library: str, texts: list[str]) -> None:
    result = returns(table_of(library, {"stock": list("ABCDE"), "return": texts}))
    assert [row["return"] for row in rows_of(result.frame)] == RETURNS
    assert grades_of(result) == GRADES
    assert ("percents divided by 100" in result.audit.remarks[0].text) == ("%" in texts[0])


@pytest.mark.parametrize("name", ["수익률(%)", "return (%)", "ret%"])
def test_returns_column_named_percent_is_divided_by_100(name: str) -> None:
    for values in ([12.0, 3.0, 0.0, -1.0, -5.0], ["12", "+3%", "0", "-1", "-5"]):
        result = returns(table(values, name))
        assert [row["return"] for row in rows_of(result.frame)] == RETURNS
        assert "percents divided by 100" in result.audit.remarks[0].text


def test_returns_without_dates_are_one_date() -> None:
    result = returns(table(TEXTS))
    assert result.frame.columns == ["date", "stock", "return", "grade"]
    assert result.frame["date"].to_list() == ["all"] * 5
    assert result.roles == {"query": "date", "item": "stock", "grade": "grade"}
    assert result.audit.items == {"all": 5}
    assert "date: no column, so all rows are one date, called 'all'" in lines(result.audit.remarks)
    ranking = {"all": ["A", "B", "C", "D", "E"]}
    assert rg.evaluate(result, ranking, "ndcg@5")["ndcg@5"] == 1.0


def test_returns_known_are_graded_on_their_own_date() -> None:
    dates = [f"2026-01-{day:02}" for day in (2, 5, 6)]
    rows = [
        (date, f"S{stock}", (stock * 7 + place) % 5 / 100) for place, date in enumerate(dates) for stock in range(5)
    ]
    source = pl.DataFrame(rows, schema=["date", "ticker", "return"], orient="row")
    result = returns(source, horizon=2)
    assert result.audit.kept == 15
    assert sorted(result.frame.select("date", "ticker", "return").rows()) == sorted(rows)
    assert all(grade == round(100 * value) for value, grade in result.frame.select("return", "grade").rows())
    assert result.audit.dropped == {"no date or ticker": 0, "no return": 0, "fewer than 5 stocks in the date": 0}


def test_returns_beside_a_price_are_not_used() -> None:
    dates = ["2026-01-02"] * 3 + ["2026-01-05"] * 3
    source = pl.DataFrame(
        {"date": dates, "ticker": list("ABC") * 2, "close": [10.0] * 3 + [9.0, 10.0, 11.0], "ret": [3.0, 2.0, 1.0] * 2}
    )
    result = returns(source, horizon=1, levels=3)
    assert [row["grade"] for row in rows_of(result.frame)] == [0, 1, 2]
    assert str(result.audit.remarks[0]) == "price: column 'close'; not used: 'ret'"
    chosen = returns(source, horizon=1, levels=3, columns={"return": "ret"})
    assert chosen.audit.kept == 6
    assert [row["grade"] for row in rows_of(chosen.frame)] == [2, 1, 0] * 2


def test_returns_known_with_other_options_are_graded() -> None:
    source = table(RETURNS, sector=["oil", "oil", "gas", "gas", "gas"])
    assert grades_of(returns(source, levels=2, group="sector")) == {"A": 1, "B": 0, "C": 1, "D": 0, "E": 0}
    assert grades_of(returns(source, levels="rank")) == GRADES
    assert grades_of(returns(source, thresholds=[-0.03, 0.03])) == {"A": 2, "B": 2, "C": 1, "D": 1, "E": 0}
    assert grades_of(returns(source, levels=2, ties="min", cut="equal")) == {"A": 1, "B": 1, "C": 0, "D": 0, "E": 0}
    excess = returns(source, excess="mean")
    assert grades_of(excess) == GRADES
    assert sum(row["return"] for row in rows_of(excess.frame)) == pytest.approx(0.0)
    assert "excess: less the mean of the date" in lines(excess.audit.remarks)
    assert returns(source, least=6).audit.refused == {"all": "fewer than 6 stocks in the date"}


@pytest.mark.parametrize(
    "options", [{"lag": 1}, {"stopped": "last"}, {"stopped": -0.3}, {"gaps": "drop"}, {"benchmark": "index"}]
)
def test_returns_known_with_price_options_raise(options: dict[str, Any]) -> None:
    error = refused(table(RETURNS, index=[1.0] * 5), **options)
    assert error.code == "needs-prices"
    (option,) = options
    assert f"expected prices for {option}=" in str(error)
    assert "got the returns in the column 'return'" in str(error)


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_text_that_is_no_number_raises_its_place(library: str) -> None:
    columns = {"stock": list("ABC"), "return": ["+12%", "up", "-1%"]}
    error = refused(table_of(library, columns))
    assert error.code == "bad-return"
    assert str(error).startswith("ticker 'B', column 'return': expected a finite return such as 0.12 or +12%, got 'up'")


@pytest.mark.parametrize("text", ["1,2%", "12%%", "%", "--1%", "1 2", "(5%)", "inf", "-", "12 pct"])
def test_returns_unreadable_text_raises(text: str) -> None:
    assert refused(table(["+12%", text, "-1%"])).code == "bad-return"


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_with_mixed_percent_signs_raise_the_cell(library: str) -> None:
    dates = ["2026-01-02"] * 3
    columns = {"date": dates, "stock": list("ABC"), "return": ["+12%", "0.03", "-1%"]}
    error = refused(table_of(library, columns))
    assert error.code == "mixed-percents"
    assert str(error).startswith("ticker 'B', date 2026-01-02, column 'return': expected a percent sign in every cell")
    assert "got '0.03' here and '+12%' for ticker 'A'" in str(error)


def test_returns_rows_with_missing_parts_are_counted() -> None:
    source = pl.DataFrame({"stock": [*"ABCDE", None, "G", "H", "I"], "return": [*TEXTS, "+1%", None, " ", "NaN"]})
    result = returns(source)
    assert grades_of(result) == GRADES
    assert result.audit.rows == 9
    assert result.audit.dropped == {"no date or ticker": 1, "no return": 3, "fewer than 5 stocks in the date": 0}


def test_returns_nan_is_dropped_and_infinity_raises() -> None:
    assert returns(pd.DataFrame({"stock": list("ABCDEF"), "return": [*RETURNS, float("nan")]})).audit.kept == 5
    error = refused(table([0.1, float("inf")]))
    assert error.code == "bad-return"
    assert str(error).startswith("ticker 'B': expected a finite return such as 0.12 or +12%, got inf")


def test_returns_duplicate_without_dates_raises() -> None:
    error = refused(pl.DataFrame({"stock": ["A", "A"], "return": [0.1, 0.2]}))
    assert error.code == "duplicate-row"
    assert "got it 2 times and no column of dates" in str(error)


def test_returns_without_price_and_return_raise_both_names() -> None:
    error = refused(pl.DataFrame({"stock": ["A"], "gain": [0.1]}))
    assert error.code == "missing-column"
    assert "for close (adj_close, " in str(error)
    assert "or for return (forward_return, " in str(error)
    assert "for date" in str(refused(pl.DataFrame({"stock": ["A"], "close": [10.0]})))


def test_returns_column_named_like_an_added_one_raises() -> None:
    source = pl.DataFrame({"date": list("ABCDE"), "return": RETURNS})
    error = refused(source, columns={"ticker": "date"})
    assert error.code == "bad-number"
    assert "a column with another name than 'date'" in str(error)


def test_returns_known_in_files_are_read(tmp_path: Path) -> None:
    text = "\n".join(f"{stock},{value}" for stock, value in zip("ABCDE", TEXTS, strict=True))
    csv = tmp_path / "returns.csv"
    csv.write_text(f"종목,실제 수익률\n{text}\n", encoding="utf-8")
    bare = tmp_path / "bare.csv"
    bare.write_text(f"{text}\n", encoding="utf-8")
    parquet = tmp_path / "returns.parquet"
    table(RETURNS).write_parquet(parquet)
    numbers = tmp_path / "returns.jsonl"
    table(RETURNS).write_ndjson(numbers)
    expected = rows_of(returns(table(RETURNS)).frame)
    for path, columns in ((csv, None), (bare, ["ticker", "return"]), (parquet, None), (numbers, None)):
        rows = rows_of(returns(path, columns=columns).frame)
        assert [list(row.values()) for row in rows] == [list(row.values()) for row in expected], path
    csv.write_text("종목,실제 수익률\nA,+12%\nB,많이\n", encoding="utf-8")
    assert "ticker 'B', column '실제 수익률'" in str(refused(csv))
