"""Numbers as people write them: returns such as +12% and ranks such as 1등, checked cell by cell."""

from __future__ import annotations

from typing import Final

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import place
from rankgauge.grading.columns import in_percent
from rankgauge.grading.source import Frame, Opened, flag, rows

# The column with what was written, where that is text, until it is checked.
WRITTEN: Final = "written"
_BLANK: Final = r"^(?:[nN][aA][nN])?$"
# Digits and blanks are spelled out: what \d and \s stand for differs between libraries.
_RETURN: Final = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)? *%?$"
_RANK: Final = r"^#? *[0-9]+(?:\.[0-9]+)? *[등위]?$"
# Other characters for a minus and for a percent sign, as texts have them.
_SAME: Final = (("−", "-"), ("－", "-"), ("＋", "+"), ("％", "%"), ("\u00a0", " "), ("\u2009", " "), ("\t", " "))
_REMOVED: Final = {"return": ("%", "+"), "rank": ("#", "등", "위")}
_READABLE: Final = {"return": _RETURN, "rank": _RANK}
# The values that are read so.
ROLES: Final = tuple(_READABLE)


def number(opened: Opened, column: str, table: str, role: str) -> dict[str, nw.Expr]:
    """Return a column of returns or ranks as numbers, by role; and what was written, if that is text."""
    if opened.schema[column] != nw.String:
        value = opened.number(column, table)
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


def checked(frame: Frame, role: str, column: str) -> tuple[Frame, bool]:
    """Return the frame without what was written, and whether it is percents.

    Raise if a cell is no number, or if some cells have a percent sign and others none.
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
    (found,) = rows(frame.select(**{name: flag(test).sum() for name, test in tests.items()}))
    if found["unread"]:
        raise _unread(_first(frame, tests["unread"]), role, column)
    if found["signed"] and found["plain"] and not percent:
        raise _mixed(_first(frame, tests["plain"]), _first(frame, tests["signed"]), column)
    return frame.drop(WRITTEN), percent or bool(found["signed"])


def _first(frame: Frame, test: nw.Expr) -> dict[str, object]:
    (row,) = rows(frame.filter(test).sort("date", "ticker").head(1))
    return row


def _unread(row: dict[str, object], role: str, column: str) -> RankgaugeError:
    return RankgaugeError(f"bad-{role}", f"{place(row)}, column {column!r}", got=repr(row[WRITTEN]))


def _mixed(plain: dict[str, object], signed: dict[str, object], column: str) -> RankgaugeError:
    got = f"{plain[WRITTEN]!r} here and {signed[WRITTEN]!r} for ticker {str(signed['ticker'])!r}"
    return RankgaugeError("mixed-percents", f"{place(plain)}, column {column!r}", got=got)
