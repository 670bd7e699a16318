"""Where a row of raw data is, for error messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge.grading.times import ONLY_DATE
from rankgauge.notation import date_text


def stock_location(row: Mapping[str, Any]) -> str:
    """Return the ticker and the date of a row; a table without dates has none to show.

    >>> stock_location({"ticker": "A", "date": "2026-01-02"}), stock_location({"ticker": "A", "date": ONLY_DATE})
    ("ticker 'A', date 2026-01-02", "ticker 'A'")
    """
    date = "" if row["date"] == ONLY_DATE else f", date {date_text(row['date'], ' ')}"
    return f"ticker {str(row['ticker'])!r}{date}"


def pair_location(row: Mapping[str, Any], noun: str = "user", query: str = "query", item: str = "item") -> str:
    """Return the user, or query, and the item of a row; `query` and `item` are the columns that hold them.

    >>> pair_location({"query": "u1", "item": 7})
    "user 'u1', item '7'"
    """
    return f"{noun} {str(row[query])!r}, item {str(row[item])!r}"
