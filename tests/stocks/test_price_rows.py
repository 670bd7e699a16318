from __future__ import annotations

import numpy as np
import pytest

from rankgauge.stocks.price_rows import PriceRows

# Stock 1 has prices on the days 0, 1, 3 and 4, stock 0 on the days 1 and 2.
STOCK = np.array([1, 0, 1, 1, 0, 1])
DAY = np.array([3, 2, 0, 1, 1, 4])
CLOSE = np.array([12.0, 5.0, 10.0, 11.0, 4.0, 15.0])


def test_price_rows_are_sorted_by_stock_and_day() -> None:
    rows = PriceRows.of(STOCK, DAY, CLOSE, None)
    assert rows.stock.tolist() == [0, 0, 1, 1, 1, 1]
    assert rows.close.tolist() == [4.0, 5.0, 10.0, 11.0, 12.0, 15.0]
    assert rows.last.tolist() == [1, 1, 5, 5, 5, 5]
    assert rows.find(np.array([1, 0]), np.array([3, 1])).tolist() == [4, 0]


def test_price_rows_steps_add_up_to_the_return() -> None:
    rows = PriceRows.of(STOCK, DAY, CLOSE, None)
    entry = rows.find(np.array([1]), np.array([0]))
    steps = [rows.step(entry, number) for number in (1, 2, 3)]
    assert [day.tolist() for day, _ in steps] == [[1], [3], [4]]
    assert sum(float(earned[0]) for _, earned in steps) == pytest.approx(15.0 / 10.0 - 1)


def test_price_rows_after_the_last_price_earn_the_delisting_return_once() -> None:
    rows = PriceRows.of(STOCK, DAY, CLOSE, -0.5)
    entry = rows.find(np.array([0]), np.array([1]))
    steps = [rows.step(entry, number) for number in (1, 2, 3)]
    assert [day.tolist() for day, _ in steps] == [[2], [3], [4]]
    assert [float(earned[0]) for _, earned in steps] == pytest.approx([0.25, -0.5 * 5.0 / 4.0, 0.0])


def test_price_rows_of_no_prices_are_empty() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert len(PriceRows.of(nothing, nothing, nothing.astype(float), None).last) == 0
