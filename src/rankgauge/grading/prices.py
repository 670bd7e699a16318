"""Prices or returns, long or wide → one long table: a date, a ticker and a close or a return per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.grading import columns as column_names
from rankgauge.grading.reshape import LongTable, ValueRequest, long_form, with_whole_keys
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.grading.row_locations import stock_location
from rankgauge.grading.source import NwFrame, SourceTable, any_null, flag, open_table, rows
from rankgauge.grading.times import ONLY_DATE
from rankgauge.grading.universe import require_stocks
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text
from rankgauge.notation import counted, date_text
from rankgauge.remarks import Remark

TABLE: Final = "prices"
REQUEST: Final = ValueRequest(TABLE, ("close", "return"))
# Prices and returns are at most this large, and prices at least its inverse, so that no ratio and no sum overflows.
LARGEST: Final = 1e100
_FORMS: Final = {
    "dashed": r"^\d{4}-",
    "plain": r"^\d{5}",
    "slashed": r"^\d{4}/",
    "dotted": r"^\d{4}\.",
    "timed": "[T ]",
}
# pandas warns of groups that capture.
_SORTS_BY_TEXT: Final = r"^\d{4}(?:\d{4}|-\d{2}-\d{2}|/\d{2}/\d{2}|\.\d{2}\.\d{2})(?:[ T].*)?$"


class Prices(NamedTuple):
    """Prices or returns in long form: date, ticker, close or return, and optionally benchmark and group."""

    frame: NwFrame
    # Role → the name of the column in the caller's table.
    names: Mapping[str, str]
    # The role of the values: close or return.
    value: str
    dated: bool
    rows: int
    without_key: int
    without_value: int
    is_file: bool
    # Whether returns were written as percents.
    percent: bool
    remarks: tuple[Remark, ...]

    @property
    def noun(self) -> str:
        """What a row has, for messages."""
        return "price" if self.value == "close" else "return"


def read_prices(table: TableInput, columns: ColumnsInput, rules: ReturnRules) -> Prices:
    """Read prices or returns; rows without a value are dropped and counted, impossible values are an error."""
    source = open_table(table, TABLE, columns)
    extras = (("benchmark", rules.benchmark), ("group", rules.group))
    named = {role: name for role, name in extras if name is not None}
    long = long_form(source, REQUEST, columns, named, rules.ignore)
    _require_known(rules.ignore, source, long)
    if long.wide:
        require_stocks(source, TABLE, long.names["date"], long.tickers)
    if long.value == "return":
        rules.require_no_prices(long.names["return"])
    if long.dated:
        require_dates(long.frame, TABLE)
    frame = long.frame.with_columns(keyed=~any_null(["date", "ticker"]))
    floats = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
    counts = _count(frame, floats, long.value)
    # Not every library keeps the empty cells when a wide table is unpivoted.
    total = _length(source.frame) * long.wide if long.wide else counts["rows"]
    return Prices(
        frame=with_whole_keys(frame.filter(_known(long.value)).drop("keyed")),
        names={role: long.names[role] for role in ("date", "ticker")},
        value=long.value,
        dated=long.dated,
        rows=total,
        without_key=counts["without_key"],
        without_value=total - counts["known"] - counts["without_key"],
        is_file=source.is_file,
        percent=long.percent,
        remarks=tuple(_remarks(long, source.names)),
    )


def _require_known(ignore: Sequence[str], source: SourceTable, long: LongTable) -> None:
    """Raise if what is to be ignored is neither a column nor a ticker."""
    unknown = [name for name in ignore if name not in source.names]
    if unknown and not long.wide:
        ticker = nw.col(long.names["ticker"]).cast(nw.String)
        listed = rows(source.frame.filter(ticker.is_in(unknown)).select(ticker=ticker).unique())
        unknown = [name for name in unknown if name not in {row["ticker"] for row in listed}]
    if unknown:
        near = nearest(unknown[0], source.names)
        raise RankgaugeError("no-such-ticker", TABLE, got=unknown[0], nearest=near)


def require_dates(frame: NwFrame, table: str) -> None:
    """Raise if dates are texts that do not sort by time: in another form than ISO 8601, or in two forms."""
    if frame.collect_schema()["date"] != nw.String:
        return
    date = nw.col("date")
    known = ~date.is_null()
    forms = {name: date.str.contains(form).fill_null(value=False) for name, form in _FORMS.items()}
    forms |= {"wrong": known & ~date.str.contains(_SORTS_BY_TEXT).fill_null(value=False)}
    forms |= {"untimed": known & ~forms["timed"]}
    (counts,) = rows(frame.select(**{name: _sum(each) for name, each in forms.items()}))
    separators = [name for name in _FORMS if name != "timed" and counts[name]]
    mixed = [*separators[1:], *(["timed"] if counts["timed"] and counts["untimed"] else [])]
    faults = ["wrong"] if counts["wrong"] else mixed
    if faults:
        (first,) = rows(frame.filter(forms[faults[0]]).select("date").head(1))
        raise RankgaugeError("bad-date", place=table, got=first["date"])


def _length(frame: NwFrame) -> int:
    (row,) = rows(frame.select(nw.len().alias("rows")))
    return int(row["rows"])


def _count(frame: NwFrame, numbers: list[str], value: str) -> dict[str, int]:
    """Count rows in one pass, and raise on impossible prices, returns, dates and tickers."""
    keyed = nw.col("keyed")
    bad = {str(name): keyed & ~_is_possible(name) for name in (value, "benchmark") if name in numbers}
    fractions = {str(name): keyed & ~_is_whole(name) for name in ("date", "ticker") if name in numbers}
    sums = {"known": _known(value), "without_key": ~keyed, **bad, **fractions}
    (row,) = rows(frame.select(nw.len().alias("rows"), **{name: _sum(each) for name, each in sums.items()}))
    counts = {name: int(value or 0) for name, value in row.items()}
    for name, condition in bad.items():
        if counts[name]:
            (first,) = rows(frame.filter(condition).sort("date", "ticker").head(1))
            where = f"benchmark, date {date_text(first['date'], ' ')}" if name == "benchmark" else stock_location(first)
            code = "bad-return" if name == "return" else "bad-price"
            raise RankgaugeError(code, place=where, got=_impossible(first[name]))
    for key in fractions:
        if counts[key]:
            raise RankgaugeError("bad-column", TABLE, expected=f"whole numbers or texts as {key}", got="fractions")
    return counts


def _impossible(number: float) -> str:
    """A number for a message; of a finite one, why it is refused."""
    extreme = isfinite(number) and (abs(number) > LARGEST or 0 < number < 1 / LARGEST)
    return f"{number:g}, beyond what can be computed with" if extreme else f"{number:g}"


def _is_possible(name: str) -> nw.Expr:
    number = nw.col(name)
    possible = number.abs() <= LARGEST if name == "return" else (number >= 1 / LARGEST) & (number <= LARGEST)
    return number.is_null() | possible


def _is_whole(name: str) -> nw.Expr:
    return nw.col(name) == nw.col(name).floor()


def _known(value: str) -> nw.Expr:
    return nw.col("keyed") & ~nw.col(value).is_null()


def _sum(condition: nw.Expr) -> nw.Expr:
    return flag(condition).sum()


def _remarks(long: LongTable, names: list[str]) -> list[Remark]:
    """Which columns were used, and which columns of returns were not."""
    if long.wide:
        shown = ", ".join(long.tickers[:3]) + ", …" * (long.wide > 3)
        return [Remark.of("price", Text("{}, one per ticker ({})", counted(long.wide, "column", "columns"), shown))]
    if long.value == "close":
        unused = [name for name in column_names.matches(names, "return") if name not in long.names.values()]
        text = Text("column {!r}", long.names["close"])
        text = Text("{}; not used: {}", text, ", ".join(map(repr, unused))) if unused else text
        return [Remark.of("price", text)]
    only = Text("no column, so all rows are one date, called {!r}", ONLY_DATE)
    column = Text("column {!r}, taken as it is", long.names["return"])
    column = Text("{}, percents divided by 100", column) if long.percent else column
    return [Remark.of("return", column), *([] if long.dated else [Remark.of("date", only)])]
