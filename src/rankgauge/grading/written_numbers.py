"""Numbers written as text: returns such as +12% and ranks such as 1등, checked cell by cell."""

from __future__ import annotations

from typing import Final

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.columns import in_percent
from rankgauge.grading.row_locations import stock_location
from rankgauge.grading.source import NwFrame, SourceTable, flag, rows

# The column that keeps the original text until it is checked.
WRITTEN: Final = "written"
_BLANK: Final = r"^(?:[nN][aA][nN])?$"
# Digits and blanks are spelled out: \d and \s differ between libraries.
_RETURN: Final = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)? *%?$"
_RANK: Final = r"^#? *[0-9]+(?:\.[0-9]+)? *[등위]?$"
# Variants of the minus, the plus, the percent sign and the blank.
_SAME: Final = (("−", "-"), ("－", "-"), ("＋", "+"), ("％", "%"), ("\u00a0", " "), ("\u2009", " "), ("\t", " "))
_REMOVED: Final = {"return": ("%", "+"), "rank": ("#", "등", "위")}
_READABLE: Final = {"return": _RETURN, "rank": _RANK}
# The roles whose values are read so.
ROLES: Final = tuple(_READABLE)


def number(source: SourceTable, column: str, table: str, role: str) -> dict[str, nw.Expr]:
    """Return a column of returns or ranks as numbers, by role; and the original text, if it is a text column."""
    if source.schema[column] != nw.String:
        value = source.number(column, table)
        return {role: value / 100 if role == "return" and in_percent(column) else value}
    text = nw.col(column)
    for other, usual in _SAME:
        text = text.str.replace_all(other, usual, literal=True)
    digits = text = text.str.strip_chars()
    for sign in _REMOVED[role]:
        digits = digits.str.replace_all(sign, "", literal=True)
    value = nw.when(_matches(text, _READABLE[role])).then(digits.str.strip_chars()).cast(nw.Float64)
    if role == "return":
        percent = nw.lit(value=True) if in_percent(column) else _matches(text, "%$")
        value = nw.when(percent).then(value / 100).otherwise(value)
    return {role: value, WRITTEN: nw.when(~_matches(text, _BLANK)).then(text)}


def _matches(text: nw.Expr, pattern: str) -> nw.Expr:
    return text.str.contains(pattern).fill_null(value=False)


def checked(frame: NwFrame, role: str, column: str) -> tuple[NwFrame, bool]:
    """Return the frame without the original texts, and whether the values are percents.

    Raise if a cell is no number, or if only some cells have a percent sign.
    """
    percent = role == "return" and in_percent(column)
    if WRITTEN not in frame.collect_schema().names():
        return frame, percent
    written, keyed = nw.col(WRITTEN), ~nw.col("ticker").is_null() & ~nw.col("date").is_null()
    signed = _matches(written, "%$")
    tests = {
        "unread": keyed & ~written.is_null() & nw.col(role).is_null(),
        "signed": keyed & signed,
        "plain": keyed & ~written.is_null() & ~signed,
    }
    (counts,) = rows(frame.select(**{name: flag(test).sum() for name, test in tests.items()}))
    if counts["unread"]:
        raise _unread(_first(frame, tests["unread"]), role, column)
    if counts["signed"] and counts["plain"] and not percent:
        raise _mixed(_first(frame, tests["plain"]), _first(frame, tests["signed"]), column)
    return frame.drop(WRITTEN), percent or bool(counts["signed"])


def _first(frame: NwFrame, test: nw.Expr) -> dict[str, object]:
    (row,) = rows(frame.filter(test).sort("date", "ticker").head(1))
    return row


def _unread(row: dict[str, object], role: str, column: str) -> RankgaugeError:
    return RankgaugeError(f"bad-{role}", f"{stock_location(row)}, column {column!r}", got=repr(row[WRITTEN]))


def _mixed(plain: dict[str, object], signed: dict[str, object], column: str) -> RankgaugeError:
    got = f"{plain[WRITTEN]!r} here and {signed[WRITTEN]!r} for ticker {str(signed['ticker'])!r}"
    return RankgaugeError("mixed-percents", f"{stock_location(plain)}, column {column!r}", got=got)
