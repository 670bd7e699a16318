"""Returns and grades by loops over plain rows, to compare `rg.grading.returns` with; and messy prices to do it on."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

START = datetime(2026, 1, 1)
DEFAULTS: dict[str, Any] = {
    "horizon": 5,
    "levels": 5,
    "thresholds": None,
    "lag": 0,
    "excess": None,
    "group": None,
    "least": None,
    "ties": "average",
    "stopped": "drop",
    "gaps": "holidays",
}
CHOICES: dict[str, list[Any]] = {
    "horizon": [1, 2, 3, 4],
    "levels": [*range(2, 11), "rank"],
    "thresholds": [None, None, None, [0.0137], [-0.0521, 0.0137, 0.1111]],
    "lag": [0, 0, 1, 2],
    "excess": [None, None, "mean", "index"],
    "group": [None, None, "sector"],
    "least": [None, None, 1, 2, 4],
    "ties": ["average", "min", "max"],
    "stopped": ["drop", "last", -0.3, -1],
    "gaps": ["holidays", "skip", "drop"],
}
END = "the horizon ends after the last date"
STOP = "the stock stopped trading before the horizon ended"
GAP = "the horizon spans dates without a price"
LONG_GAP = "the horizon spans more than 7 dates without a price"


def messy_prices(seed: int, days: int = 14, stocks: int = 11) -> dict[str, list[Any]]:
    """Draw prices without order: late listings, stocks that stop, gaps, equal returns, and rows that lack a part."""
    source = random.Random(seed)
    rows: list[tuple[Any, ...]] = []
    for stock in range(stocks):
        first, last = source.choice([0, 0, 0, 3]), source.choice([days, days, days, days - 4, 5])
        sector = [None, "energy", "health"][stock % 3]
        for day in range(first, last):
            cents = round(source.uniform(9, 11), 2)
            close = source.choice([None, math.nan, *[cents] * 12, *[10.0, 10.5, 20.0, 21.0] * 4])
            if source.random() < 0.9:
                rows.append((START + timedelta(days=day), f"S{stock:02}", close, 100.0 + day**1.5, sector))
    rows += [(None, "S01", 10.0, 100.0, "energy"), (START, None, 10.0, 100.0, "energy"), (None, None, None, None, None)]
    source.shuffle(rows)
    return dict(zip(["day", "symbol", "price", "index", "sector"], map(list, zip(*rows, strict=True)), strict=True))


def drawn_options(source: random.Random) -> dict[str, Any]:
    options = {name: source.choice(choices) for name, choices in CHOICES.items()}
    return options | ({"levels": DEFAULTS["levels"]} if options["thresholds"] else {})


class Row(NamedTuple):
    """A row with a price; `place` is that of its date among all dates."""

    date: Any
    ticker: Any
    close: float
    market: float
    sector: Any
    place: int


@dataclass
class Expected:
    """What must come out."""

    graded: dict[tuple[Any, Any], tuple[float, int]]
    dropped: dict[str, int]
    bins: dict[Any, dict[float, int]] = field(default_factory=dict)
    refused: dict[Any, str] = field(default_factory=dict)
    # Graded returns over dates without a price, and those that end at the last price of a stock that stopped.
    spans: int = 0
    sold: int = 0


@dataclass
class Outcome:
    """A return, or why there is none."""

    row: Row
    why: str | None = None
    value: float = math.nan
    spans: bool = False
    sold: bool = False


def plain_returns(columns: dict[str, list[Any]], **given: Any) -> Expected:
    """Return what `rg.grading.returns` must find in the columns of `messy_prices`."""
    options = {**DEFAULTS, **given}
    rows = list(zip(*columns.values(), strict=True))
    keyed = [row for row in rows if row[0] is not None and row[1] is not None]
    priced = [row for row in keyed if row[2] is not None and not math.isnan(row[2])]
    dates = sorted({row[0] for row in priced})
    stocks: dict[Any, list[Row]] = {}
    for date, ticker, close, market, sector in sorted(priced, key=lambda row: row[0]):
        stocks.setdefault(ticker, []).append(Row(date, ticker, close, market, sector, dates.index(date)))
    outcomes = [
        each
        for prices in stocks.values()
        for number in range(len(prices))
        for each in [_outcome(prices, number, dates, options)]
    ]
    if options["excess"] == "mean":
        for date in dates:
            known = [each for each in outcomes if each.row.date == date and each.why is None]
            mean = math.fsum(each.value for each in known) / max(len(known), 1)
            for each in known:
                each.value -= mean
    few = _refuse_few(outcomes, options)
    dropped = {"no date or ticker": len(rows) - len(keyed), "no price": len(keyed) - len(priced)}
    return _expected(outcomes, options, dropped, few)


def _outcome(prices: list[Row], row: int, dates: list[Any], options: dict[str, Any]) -> Outcome:
    ahead = options["lag"] + options["horizon"]
    outcome = Outcome(prices[row])
    bought, end = row + options["lag"], row + ahead
    delisting = 0.0
    if end >= len(prices):
        if prices[row].place + ahead >= len(dates) or prices[-1].date == dates[-1]:
            outcome.why = END
            return outcome
        if options["stopped"] == "drop" or bought >= len(prices):
            outcome.why = STOP
            return outcome
        outcome.sold, end = True, len(prices) - 1
        delisting = 0.0 if options["stopped"] == "last" else options["stopped"]
    elif prices[end].place - prices[row].place > ahead:
        outcome.spans = True
        missing = prices[end].place - prices[row].place - ahead
        if options["gaps"] == "drop" or (options["gaps"] == "holidays" and missing > 7):
            outcome.why = GAP if options["gaps"] == "drop" else LONG_GAP
            return outcome
    outcome.value = prices[end].close * (1 + delisting) / prices[bought].close - 1
    if options["excess"] == "index":
        outcome.value -= prices[end].market / prices[bought].market - 1
    return outcome


def _least(options: dict[str, Any]) -> int:
    if options["least"] is not None:
        return int(options["least"])
    return 2 if options["thresholds"] or options["levels"] == "rank" else int(options["levels"])


def _cell(each: Outcome, options: dict[str, Any]) -> tuple[Any, ...]:
    return (each.row.date, each.row.sector if options["group"] else None)


def _refuse_few(outcomes: list[Outcome], options: dict[str, Any]) -> str:
    where = f"date and {options['group']}" if options["group"] else "date"
    few = f"fewer than {_least(options)} stocks in the {where}"
    counts = Counter(_cell(each, options) for each in outcomes if each.why is None)
    for each in outcomes:
        if each.why is None and counts[_cell(each, options)] < _least(options):
            each.why = few
    return few


def _grade(value: float, others: list[float], options: dict[str, Any]) -> int:
    if options["thresholds"]:
        return len([cut for cut in options["thresholds"] if cut <= value])
    lower = [other for other in others if other < value]
    if options["levels"] == "rank":
        return len(set(lower))
    equal = others.count(value)
    before = {"average": Fraction(equal - 1, 2), "min": Fraction(0), "max": Fraction(equal - 1)}[options["ties"]]
    levels = int(options["levels"])
    return math.floor((len(lower) + before) * levels / len(others))


def _expected(outcomes: list[Outcome], options: dict[str, Any], dropped: dict[str, int], few: str) -> Expected:
    cells: dict[tuple[Any, ...], list[float]] = {}
    for each in outcomes:
        if each.why is None:
            cells.setdefault(_cell(each, options), []).append(each.value)
    graded = {
        (each.row.date, each.row.ticker): (each.value, _grade(each.value, cells[_cell(each, options)], options))
        for each in outcomes
        if each.why is None
    }
    gap = {"skip": [], "drop": [GAP], "holidays": [LONG_GAP]}[options["gaps"]]
    reasons = [END, STOP, *gap, few]
    dropped |= {reason: sum(each.why == reason for each in outcomes) for reason in reasons}
    dropped |= {"no price of the benchmark": 0} if options["excess"] == "index" else {}
    expected = Expected(graded, dropped)
    expected.spans = sum(each.spans for each in outcomes if each.why is None)
    expected.sold = sum(each.sold for each in outcomes if each.why is None)
    for date in sorted({each.row.date for each in outcomes}):
        grades = Counter(float(grade) for (day, _), (_, grade) in graded.items() if day == date)
        if grades and (options["levels"] != "rank" or options["thresholds"]):
            expected.bins[date] = dict(grades)
        if not grades:
            counts = Counter(each.why for each in outcomes if each.row.date == date)
            expected.refused[date] = max(reasons, key=lambda reason: (counts[reason], -reasons.index(reason)))
    return expected
