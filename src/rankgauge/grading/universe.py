"""Which columns of a wide table are stocks, and which tickers look like an index or a fund."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Final

import narwhals as nw
import numpy as np
import numpy.typing as npt

from rankgauge.errors import RankgaugeError
from rankgauge.grading.source import SourceTable, arrays, rows
from rankgauge.inputs import roles
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

# Names of what stands beside the prices of one stock.
_FIELDS: Final = (
    *("close", "adj_close", "adjusted_close", "prev_close", "high", "volume", "vol", "vwap", "turnover"),
    *("amount", "market_cap", "mkt_cap", "mcap", "shares_outstanding", "open_interest", "trades", "dividend"),
    *("dividends", "split_ratio", "split_factor", "stock_splits", "adj_factor", "change", "pct_change"),
    *("change_percent", "return", "returns", "index", "unnamed_0", "Unnamed: 0"),
    *("시가", "종가", "수정종가", "고가", "저가", "거래량", "거래대금", "시가총액", "등락률", "등락폭"),
    *("전일비", "대비", "상장주식수"),
)
# These are tickers too, such as those of Opendoor and Lowe's: they are fields only beside another.
_TICKERS_TOO: Final = ("open", "low", "price", "last")
_FIELD_KEYS: Final = frozenset(map(roles.key, _FIELDS))
_BOTH_KEYS: Final = frozenset(map(roles.key, _TICKERS_TOO))
_INDICES: Final = frozenset(
    (
        *("SPY", "VOO", "IVV", "VTI", "QQQ", "DIA", "IWM", "MDY", "EEM", "EFA", "VEA", "VWO", "ACWI", "URTH"),
        *("AGG", "BND", "TLT", "IEF", "GLD", "SLV", "VIX", "SPX", "SPX500", "SP500", "GSPC", "NDX", "NASDAQ"),
        *("IXIC", "DJI", "DJIA", "RUT", "RUSSELL2000", "FTSE", "FTSE100", "DAX", "GDAXI", "CAC40", "STOXX50E"),
        *("STOXX600", "N225", "NIKKEI", "NIKKEI225", "TOPIX", "HSI", "KOSPI", "KOSPI200", "KOSDAQ"),
        *("KOSDAQ150", "KS11", "KQ11", "KS200", "코스피", "코스피200", "코스닥", "코스닥150", "069500", "229200"),
        *("CSI300", "000300.SH", "BENCHMARK"),
    )
)
# The first dates tell what a column is.
_SAMPLE: Final = 250
_CONSTANT: Final = 20
# Volumes change by a fifth from day to day and are whole; prices do neither beside others that are a hundredth of them.
_MAGNITUDE, _CHANGE, _RESTLESS = 100.0, 0.1, 5.0
# No share has such a price in any currency; the value of a company has.
_LARGEST_PRICE, _FAR = 1e10, 1e6
_MOST_SHOWN: Final = 5


def require_stocks(source: SourceTable, table: str, date: str, tickers: Sequence[str]) -> None:
    """Raise if columns of a wide table are no stocks: fields such as a volume, constants, numbers of another kind."""
    fields = field_columns(tickers)
    if fields:
        raise _not_stocks(fields, "named like fields of a single stock")
    values = _first_rows(source, table, date, tickers)
    constants = _constants(source, table, values, tickers)
    if constants:
        raise _not_stocks(constants, "with the same number on every date")
    others = _of_another_kind(values, tickers)
    if others:
        raise _not_stocks(others, "whose numbers are no prices beside those of the others")


def field_columns(names: Iterable[str]) -> list[str]:
    """Return the columns that are named like a field of a single stock.

    >>> field_columns(["AAPL", "Adj Close", "Volume"]), field_columns(["AAPL", "LOW", "OPEN"])
    (['Adj Close', 'Volume'], [])
    """
    keys = {name: roles.key(name) for name in names}
    sure = any(key in _FIELD_KEYS for key in keys.values())
    return [name for name, key in keys.items() if key in _FIELD_KEYS or (sure and key in _BOTH_KEYS)]


def _not_stocks(names: Sequence[str], why: str) -> RankgaugeError:
    shown = ", ".join(map(repr, names[:_MOST_SHOWN])) + ", …" * (len(names) > _MOST_SHOWN)
    got = f"{counted(len(names), 'column', 'columns')} {why}: {shown}"
    return RankgaugeError("not-stocks", got=got, names=list(names[:_MOST_SHOWN]), first=names[0])


def _first_rows(source: SourceTable, table: str, date: str, tickers: Sequence[str]) -> npt.NDArray[np.float64]:
    """The first dates, with a column per ticker and NaN for no price."""
    numbers = [source.number(name, table).alias(name) for name in tickers]
    first = source.frame.select(nw.col(date).alias("rankgauge_date"), *numbers).sort("rankgauge_date").head(_SAMPLE)
    columns = arrays(first.select(*(nw.col(name).fill_null(float("nan")) for name in tickers)))
    return np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in tickers])


def _constants(source: SourceTable, table: str, values: npt.NDArray[np.float64], tickers: Sequence[str]) -> list[str]:
    """The columns with one number in all of at least 20 rows, where others vary."""
    many = (~np.isnan(values)).sum(axis=0) >= _CONSTANT
    still = many & (_spread(values) == 0)
    names = [name for name, each in zip(tickers, still, strict=True) if each]
    if not names or len(names) == len(tickers):
        return []
    ranges = {
        f"{what}_{place}": getattr(source.number(name, table), what)()
        for place, name in enumerate(names)
        for what in ("min", "max")
    }
    (row,) = rows(source.frame.select(**ranges))
    return [name for place, name in enumerate(names) if row[f"min_{place}"] == row[f"max_{place}"]]


def _spread(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(_over_rows(np.nanmax, values) - _over_rows(np.nanmin, values))


def _of_another_kind(values: npt.NDArray[np.float64], tickers: Sequence[str]) -> list[str]:
    """The columns of volumes or values of companies: of another magnitude than the others, and restless or huge."""
    if len(tickers) < 3 or len(values) < 3:
        return []
    sizes = _over_rows(np.nanmedian, np.abs(values))
    with np.errstate(all="ignore"):
        changes = _over_rows(np.nanmedian, np.abs(values[1:] / values[:-1] - 1))
    whole = _over_rows(np.nanmax, np.abs(values - np.floor(values))) == 0
    others = []
    for column, name in enumerate(tickers):
        size, change = (float(np.nanmedian(np.delete(each, column))) for each in (sizes, changes))
        volume = whole[column] and sizes[column] >= _MAGNITUDE * size
        restless = changes[column] >= max(_CHANGE, _RESTLESS * change)
        if (volume and restless) or (sizes[column] >= _LARGEST_PRICE and sizes[column] >= _FAR * size):
            others.append(name)
    return others


def _over_rows(function: Any, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:  # noqa: ANN401 - of NumPy
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a column without any number is NaN
        return np.asarray(function(values, axis=0))


def universe_remarks(tickers: Sequence[Any], dates: int) -> list[Remark]:
    """Say how many stocks and dates there are, and which tickers look like an index or a fund.

    >>> [str(remark) for remark in universe_remarks(["AAPL", "SPY"], 250)][0]
    'universe: 2 stocks, 250 dates'
    """
    counts = Text("{}, {}", counted(len(tickers), "stock"), counted(dates, "date"))
    alike = [str(ticker) for ticker in tickers if _is_index_like(str(ticker))]
    if not alike:
        return [Remark.of("universe", counts)]
    shown = ", ".join(map(repr, alike[:_MOST_SHOWN])) + ", …" * (len(alike) > _MOST_SHOWN)
    text = Text.counted(
        len(alike),
        "{tickers} may be an index or a fund, and is ranked with the stocks",
        "{tickers} may be indices or funds, and are ranked with the stocks",
        tickers=shown,
    )
    return [Remark.of("universe", counts), Remark.of("index-like", text)]


def _is_index_like(ticker: str) -> bool:
    return ticker.startswith("^") or ticker.strip().upper() in _INDICES
