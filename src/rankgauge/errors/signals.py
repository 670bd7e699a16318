"""Problems of raw signals: prices, actions, ratings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors.problem import Problem

PROBLEMS: Final[Mapping[str, Problem]] = {
    "unknown-table-kind": Problem(
        "expected {table} as a DataFrame of pandas, Polars, DuckDB or Spark, an Arrow table, or a path, got {got}",
        "for example polars.read_csv('{table}.csv')",
    ),
    "not-a-table": Problem(
        "expected a table with a header (CSV, TSV, JSON, Parquet, Arrow or a database), got {got}",
        "write it as one of these, or read it yourself and give the DataFrame",
    ),
    "same-columns": Problem(
        "expected columns with different names, whatever their case, got {got}", "rename or remove one of them"
    ),
    "no-such-column": Problem(
        "expected the name of a column for {option}, got {got!r}, and the columns {known}",
        "{nearest}prices of a benchmark stand in a column of their own, beside those of the stocks",
    ),
    "not-stocks": Problem(
        "expected a stock in every column of a wide table, got {got}",
        "leave them out: ignore={names} in Python, --ignore {first} on the command line; a benchmark is named with "
        "benchmark=; stocks of such prices go into a long table with date, ticker and close",
    ),
    "no-such-ticker": Problem(
        "expected a column or a ticker for ignore, got {got!r}", "{nearest}tickers are compared as text"
    ),
    "bad-price": Problem(
        "expected a price above 0 and finite, got {got}",
        "correct it, or remove the row: a return from such a price means nothing",
    ),
    "bad-return": Problem(
        "expected a finite return such as 0.12 or +12%, got {got}",
        "correct the cell, or leave it empty: a stock without a return has no grade",
    ),
    "mixed-percents": Problem(
        "expected a percent sign in every cell of the column or in none, got {got}",
        "write all of them in one way: 12% is 0.12",
    ),
    "bad-rank": Problem(
        "expected a rank of at least 1, such as 1, #1, 1등 or 1위, got {got}",
        "1 is the best; where the highest is the best, call the column score",
    ),
    "needs-prices": Problem(
        "expected prices for {option}={got}, got the returns in the column {column!r}",
        "leave {option} out, or give prices: a return that is known cannot be made anew",
    ),
    "dates-on-one-side": Problem(
        "expected dates in both tables or in neither, got them in the {side} alone",
        "add them to the {other}, or say which column they are: columns_{other}={{'date': …}} in Python, "
        "--columns-{other} date=… on the command line",
    ),
    "duplicate-row": Problem(
        "expected {expected} once, got {got}", "remove the duplicates: which of the rows is right cannot be known"
    ),
    "bad-date": Problem(
        "expected dates as dates, numbers such as 20260102 or texts such as 2026-01-02, got {got!r}",
        "write 2026-01-02, 2026/01/02 or 2026-01-02 15:00:00, all in one form, the year first, month and day in two "
        "digits; or convert the column: texts in another form do not sort by time",
    ),
    "no-grades-at-all": Problem("expected a date with grades, got none from {got}", "no row could be graded: {why}"),
    "no-common-stock": Problem(
        "expected scores of dates and stocks that have graded returns ({date} to {last}, {ticker}, …), got {got}",
        "{why}",
    ),
    "scores-lost": Problem(
        "expected a price for the date and the stock of the scores, but for {share} of them at most, got {got}",
        "{why}; max_loss=1 in Python, --max-loss 1 on the command line, leaves out as many as there are",
    ),
    "which-session": Problem(
        "expected times in the time zone of the exchange, got a score of {got}, in UTC, beside prices with dates alone",
        "say it with the time of the close: close='16:00 America/New_York' in Python, --close on the command line",
    ),
    "different-studies": Problem(
        "expected two studies of the same kind, got {field} {got}", "study both models with the same options"
    ),
    "no-segments-of-dates": Problem(
        "expected a comparison of runs, got one of stock models",
        "dates of a segment lie apart, so their dependence is another; study.by_year() and by_market() split a study",
    ),
    "look-ahead": Problem("expected {expected}, got {got}", "{hint}"),
    "unknown-action": Problem(
        "expected an action that has a grade ({known}), got {got!r}",
        "{nearest}give every action a grade: grades={{{got!r}: 1, …}} in Python, --grade {got}=1 on the command line",
    ),
    "needs-column": Problem(
        "expected a column for {role} ({known}, …), which {what} needs, got none",
        "say which it is: columns={{'{role}': …}} in Python, --columns-{side} on the command line{instead}",
    ),
}
