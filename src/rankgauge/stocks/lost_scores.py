"""Scores that have no price: how many are too many, and why they may have none."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from rankgauge.errors import RankgaugeError
from rankgauge.notation import date_of
from rankgauge.stocks.returns_and_scores import GradedReturns, Scores
from rankgauge.stocks.sessions import is_date

_EXCHANGE: Final = re.compile(r"\.(?:KS|KQ|SS|SH|SZ|T|HK)$")
_STYLE: Final = re.compile(r"[\W_]")
_KOREAN: Final = re.compile(r"A(?=\d{6}$)")
_SATURDAY: Final = 5
# The most days between the end of a month and the last trading date before it.
_CLOSE_BY: Final = 7
_USUAL: Final = "ids are compared as text, and dates as 2026-01-02"


def require_kept(scores: Scores, returns: GradedReturns, max_loss: float) -> None:
    """Raise if more than the allowed share of the scores has no price; where none has one, nothing is in common."""
    lost = scores.without_date + scores.without_stock
    scored = scores.rows - scores.without_score
    if lost <= max_loss * scored or lost == scored:
        return
    causes = {"date": scores.without_date, "stock": scores.without_stock}
    listed = ", ".join(f"{count:,} of a {cause} without one" for cause, count in causes.items() if count)
    got = f"{lost:,} of {scored:,} scores without a {returns.noun} ({listed})"
    raise RankgaugeError("scores-lost", got=got, share=f"{max_loss:.0%}", why=diagnosis(scores, returns))


def require_common(returns: GradedReturns, scores: Scores, stocks: int) -> None:
    """Raise if no stock of any date has both a score and a graded return."""
    if stocks:
        return
    if not len(returns.day):
        why = "; ".join(f"{why}: {count:,}" for why, count in returns.audit.dropped.items() if count) or "no rows"
        raise RankgaugeError("no-grades-at-all", got=f"{returns.audit.rows:,} rows of {returns.noun}s", why=why)
    first, last = (returns.dates[int(day)] for day in (returns.day.min(), returns.day.max()))
    raise RankgaugeError(
        "no-common-stock",
        got=scores.example,
        date=first,
        last=last,
        ticker=returns.tickers[int(returns.stock[0])],
        why=diagnosis(scores, returns),
    )


def diagnosis(scores: Scores, returns: GradedReturns) -> str:
    """Say why dates or tickers of the scores may not be among those of the prices."""
    reasons = [_tickers(scores, returns), _forms(scores, returns), _weekends(scores, returns), _range(scores, returns)]
    if scores.without_date > scores.without_stock:
        reasons = [*reasons[1:], reasons[0]]
    return next(filter(None, reasons), _USUAL)


def _tickers(scores: Scores, returns: GradedReturns) -> str:
    forms = {_form(ticker): ticker for ticker in returns.tickers}
    for ticker in scores.lost_tickers:
        other = forms.get(_form(ticker))
        if other is not None:
            return f"tickers are compared as text: the scores have {ticker!r}, the prices {other!r}"
    return ""


def _form(ticker: str) -> str:
    """What is left of a ticker without its style: 5930, '005930', 'A005930' and '005930.KS' are alike."""
    plain = _STYLE.sub("", _EXCHANGE.sub("", ticker.strip().upper()))
    return _KOREAN.sub("", plain).lstrip("0")


def _forms(scores: Scores, returns: GradedReturns) -> str:
    strange = next((text for text in scores.lost_dates if is_date(text) != is_date(returns.dates[0])), None)
    return f"dates have different forms: {strange!r} and {returns.dates[0]!r}" if strange and returns.dates else ""


def _weekends(scores: Scores, returns: GradedReturns) -> str:
    """Dates shortly after one with prices: ends of months, or of weeks, on which no stock is traded."""
    priced = [text[:10] for text in returns.dates if is_date(text)]
    for text in scores.lost_dates:
        before = bisect_right(priced, text[:10]) - 1 if is_date(text) else -1
        if before < 0 or before == len(priced) - 1:
            continue
        day, trading = date_of(text), date_of(priced[before])
        if day and trading and (day - trading).days <= _CLOSE_BY:
            weekend = ", at a weekend," if day.weekday() >= _SATURDAY else ""
            return f"{text[:10]}{weekend} has no prices; the last before it are of {priced[before]}"
    return ""


def _range(scores: Scores, returns: GradedReturns) -> str:
    outside: Sequence[str] = [text for text in scores.lost_dates if is_date(text)]
    if not outside or not returns.dates:
        return ""
    return f"the prices go from {returns.dates[0]} to {returns.dates[-1]}, the scores have {outside[0]}"
