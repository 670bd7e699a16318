from __future__ import annotations

import pytest

from rankgauge.errors import RankgaugeError
from rankgauge.grading import columns

PRICES = ["date", "ticker", "close"]


def code_of(names: list[str], given: dict[str, str], required: list[str], optional: list[str]) -> tuple[str, str]:
    with pytest.raises(RankgaugeError) as error:
        columns.find(names, "prices", given, required, optional)
    return error.value.code, str(error.value)


@pytest.mark.parametrize(
    ("names", "columns_found"),
    [
        (["date", "ticker", "close"], ["date", "ticker", "close"]),
        (["Close", "Symbol", "DATE", "Volume"], ["DATE", "Symbol", "Close"]),
        (["trade_date", "permno", "px_last"], ["trade_date", "permno", "px_last"]),
        (["Trade Date", "ISIN", "PX_LAST", "last"], ["Trade Date", "ISIN", "PX_LAST"]),
        (["tradeDate", "security-id", "price"], ["tradeDate", "security-id", "price"]),
        (["timestamp", "symbol", "open", "high", "low", "close", "adjusted_close"], [0, 1, 6]),
        (["date", "ticker", "close", "Adj Close"], [0, 1, 3]),
        (["date", "ticker", "price", "close"], [0, 1, 3]),
        (["time", "date", "item", "ticker", "close"], [1, 3, 4]),
    ],
    ids=str,
)
def test_find_usual_names_are_found(names: list[str], columns_found: list[str | int]) -> None:
    expected = [names[each] if isinstance(each, int) else each for each in columns_found]
    assert columns.find(names, "prices", {}, PRICES) == dict(zip(PRICES, expected, strict=True))


def test_find_names_of_any_style_are_found() -> None:
    for role, names in columns.NAMES.items():
        for name in names:
            assert columns.find([name.upper().replace("_", "-")], "log", {}, [role]) == {
                role: name.upper().replace("_", "-")
            }


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (["날짜", "종목코드", "종목", "종가", "수정종가"], {"date": 0, "ticker": 1, "close": 4}),
        (["일자", "종목", "수익률"], {"date": 0, "ticker": 1, "return": 2}),
        (["종목", "실제 수익률", "분위 라벨", "모델 예측 순위"], {"ticker": 0, "return": 1, "rank": 3}),
        (["stock", "actual 5-day return", "quintile", "model's predicted rank"], {"ticker": 0, "return": 1, "rank": 3}),
        (["종목", "예상 순위"], {"ticker": 0, "rank": 1}),
        (["종목", "예측순위", "순위"], {"ticker": 0, "rank": 1}),
        (["종목", "점수"], {"ticker": 0, "score": 1}),
        (["사용자", "상품", "평점", "날짜"], {"query": 0, "item": 1, "rating": 2, "time": 3}),
        (["유저", "아이템", "별점", "시각"], {"query": 0, "item": 1, "rating": 2, "time": 3}),
        (["고객", "상품", "행동", "시간"], {"query": 0, "item": 1, "action": 2, "time": 3}),
        (["고객", "상품", "액션"], {"query": 0, "item": 1, "action": 2}),
        (["고객", "상품", "이벤트"], {"query": 0, "item": 1, "action": 2}),
        (["고객", "상품", "점수"], {"query": 0, "item": 1, "rating": 2}),
    ],
    ids=str,
)
def test_find_korean_returns_and_ranks_are_found(names: list[str], roles: dict[str, int]) -> None:
    assert columns.find(names, "table", {}, list(roles)) == {role: names[place] for role, place in roles.items()}


def test_find_query_never_takes_a_date() -> None:
    assert columns.find(["날짜", "사용자"], "log", {}, ["query"]) == {"query": "사용자"}
    assert not columns.matches(["날짜", "일자", "date"], "query")


def test_find_given_column_wins() -> None:
    names = ["date", "day", "ticker", "isin", "close", "price"]
    roles = columns.find(names, "prices", {"close": "price", "date": "day"}, PRICES)
    assert roles == {"date": "day", "ticker": "ticker", "close": "price"}


def test_find_column_has_one_role() -> None:
    assert columns.find(["date", "time"], "log", {}, ["time"], ["date"]) == {"time": "time", "date": "date"}
    assert columns.find(["date"], "log", {}, ["date"], ["time"]) == {"date": "date"}
    # A column that is given to one role is not found for another.
    assert columns.find(["date", "day"], "log", {"time": "date"}, ["date", "time"]) == {"date": "day", "time": "date"}
    code, _ = code_of(["close", "ticker"], {"date": "close"}, PRICES, [])
    assert code == "missing-column"


def test_find_roles_are_in_the_requested_order() -> None:
    assert list(columns.find(["close", "ticker", "date"], "prices", {"close": "close"}, PRICES)) == PRICES


def test_find_optional_column_may_be_missing() -> None:
    assert columns.find(["user", "item"], "log", {}, ["query", "item"], ["time", "weight"]) == {
        "query": "user",
        "item": "item",
    }


def test_find_missing_column_raises_what_there_is() -> None:
    code, text = code_of(["date", "tickr", "close"], {}, PRICES, [])
    assert code == "missing-column"
    assert "for ticker (ticker, symbol, stock" in text
    assert "'date', 'tickr', 'close'" in text
    assert "did you mean 'tickr'?" in text
    assert "columns={'ticker': …} in Python, --columns-prices ticker=tickr on the command line" in text


def test_find_missing_given_column_raises() -> None:
    code, text = code_of(["date", "ticker", "close"], {"close": "closing"}, PRICES, [])
    assert code == "missing-column"
    assert "'closing' for close" in text
    assert "did you mean 'close'?" in text


def test_find_error_lists_at_most_20_columns() -> None:
    names = [f"column_{place}" for place in range(25)]
    _, text = code_of(names, {}, ["date"], [])
    assert "'column_19', …" in text
    assert "column_20" not in text
    assert "got no columns" in code_of([], {}, ["date"], [])[1]


def test_find_two_matches_raise_ambiguity() -> None:
    code, text = code_of(["Date", "DATE", "ticker", "close"], {}, PRICES, [])
    assert code == "ambiguous-column"
    assert "one column for date, got 'Date', 'DATE'" in text
    assert "columns={'date': 'Date'}" in text
    # One of them, given, ends the doubt.
    assert columns.find(["Date", "DATE"], "prices", {"date": "DATE"}, ["date"]) == {"date": "DATE"}


def test_find_unknown_role_raises() -> None:
    code, text = code_of(["date"], {"dte": "date"}, ["date"], ["ticker"])
    assert code == "unknown-choice"
    assert "did you mean 'date'?" in text
