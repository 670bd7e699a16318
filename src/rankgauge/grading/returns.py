"""Prices → grades: the return of each stock over the next trading days, graded within its date."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.panel import TABLE, Panel, place, read_panel
from rankgauge.grading.rules import Gaps, Rules, Stopped, Ties
from rankgauge.grading.source import Frame, Given, absent, kept, numbered, rows
from rankgauge.grading.tally import refuse_clash

# What became of a row that has a price.
GRADED, AT_END, STOPPED, GAP, NO_MARKET, FEW = range(6)


def returns(
    prices: Frame,
    *,
    horizon: int = 5,
    levels: int | Literal["rank"] = 5,
    thresholds: Sequence[float] | None = None,
    lag: int = 0,
    excess: str | None = None,
    group: str | None = None,
    least: int | None = None,
    ties: Ties = "average",
    stopped: Stopped | float = "drop",
    gaps: Gaps = "skip",
    columns: Given = None,
) -> Audited:
    """Grade each stock of each date by its return over the next `horizon` rows of its own.

    return = close after lag + horizon rows / close after lag rows − 1,
    grade = ⌊(rank of the return − 1) · levels / stocks of the date⌋

    `prices` is long, with a date, a ticker and a close, or wide, with a date and a column of prices per ticker: a
    DataFrame of pandas, Polars, DuckDB or Spark, or a file. The table that comes back is of the same library.

    - `lag`: the trade is made at the close so many rows after the date; with 0 at the close of the date itself, which
      a score must be known before.
    - `levels`: within a date the returns are cut into so many parts of equal size, the worst with grade 0; "rank"
      grades by dense rank instead, and `thresholds`, which rise, by how many of them a return reaches.
    - `ties`: stocks of equal return have the "average" of their ranks, or the "min" or the "max", and so one grade.
    - `excess`: "mean" takes away the mean return of the date, and any other name is the column of a benchmark's price,
      whose return over the same rows is taken away.
    - `group`: a column such as the sector; grades are made within it.
    - `least`: a date, or a group of it, with fewer stocks is refused; as many as levels unless said.
    - `stopped`: a stock whose prices end before the horizon does, though others go on, is dropped, or sold at its
      "last" price, or, with a number, at its last price with that delisting return on top: -0.3 loses 30% more.
    - `gaps`: a stock without a price on some dates goes on with its next row ("skip"), or has no return where the
      horizon spans such dates ("drop").

    The last dates, whose horizon has not come yet, have no grades. The audit counts all of it.

    >>> import polars as pl
    >>> prices = pl.DataFrame({
    ...     "date": ["2026-01-02"] * 3 + ["2026-01-05"] * 3, "ticker": ["A", "B", "C"] * 2,
    ...     "close": [10.0, 10.0, 10.0, 11.0, 9.0, 10.0]})
    >>> graded = returns(prices, horizon=1, levels=3)
    >>> graded.frame.sort("ticker").select("ticker", "grade").rows()
    [('A', 2), ('B', 0), ('C', 1)]
    >>> graded.audit
    returns                                        rows
    rows in                                           6
    dropped: the horizon ends after the last date     3
    graded                                            3
      grade 0                                         1
      grade 1                                         1
      grade 2                                         1
    <BLANKLINE>
    price: column 'close'
    return: over 1 row of each stock, from the close of the date on
    grade: 3 parts of equal size within the date; equal returns have the average of their ranks
    no grades on 1 date (2026-01-05): the horizon ends after the last date

    Poh, Lim, Zohren & Roberts 2020, Building Cross-Sectional Systematic Strategies By Learning to Rank.
    """
    rules = Rules.check(
        horizon=horizon,
        levels=levels,
        thresholds=thresholds,
        lag=lag,
        excess=excess,
        group=group,
        least=least,
        ties=ties,
        stopped=stopped,
        gaps=gaps,
    )
    panel = read_panel(prices, columns, benchmark=rules.benchmark, group=rules.group)
    refuse_clash(panel.names, ("return", "grade"), TABLE)
    frame = graded_rows(panel, rules)
    audit = make_audit(panel, frame, rules)
    graded = frame.filter(nw.col("fate") == GRADED)
    return Audited(_as_it_came(graded, panel).to_native(), audit, _roles(panel))


def _as_it_came(frame: Frame, panel: Panel) -> Frame:
    grade = nw.col("grade").cast(nw.Int64)
    names = {name: nw.col(role) for role, name in panel.names.items()}
    return frame.select(**names, **{"return": nw.col("return"), "grade": grade})


def _roles(panel: Panel) -> dict[str, str]:
    return {"query": panel.names["date"], "item": panel.names["ticker"], "grade": "grade"}


def graded_rows(panel: Panel, rules: Rules) -> Frame:
    """Return every row that has a price, with its return, its grade and its fate."""
    frame = panel.frame
    for key, number in (("ticker", "stock"), ("date", "day")):
        frame = frame.join(numbered(panel.frame, key, number), on=key, how="left")
    return kept(_with_grades(_with_returns(frame, rules), rules), is_file=panel.is_file)


def _with_returns(frame: Frame, rules: Rules) -> Frame:
    """Add what is paid, what is got, and when; a row whose date comes again is a duplicate."""
    close, day = nw.col("close"), nw.col("day")
    frame = frame.with_columns(
        entry=_later(close, rules.lag),
        exit=_later(close, rules.ahead),
        exit_day=_later(day, rules.ahead),
        next_day=_later(day, 1),
        last_day=day.max().over("stock"),
    )
    if rules.benchmark:
        market = nw.col("benchmark")
        frame = frame.with_columns(market_entry=_later(market, rules.lag), market_exit=_later(market, rules.ahead))
    frame = frame.with_columns(fate=_fate(rules))
    if rules.stopped != "drop":
        frame = _with_last_prices(frame, rules, float(rules.stopped))
    if rules.benchmark:
        unknown = (nw.col("fate") == GRADED) & absent(["market_entry", "market_exit"])
        frame = frame.with_columns(fate=nw.when(unknown).then(nw.lit(NO_MARKET)).otherwise(nw.col("fate")))
    frame = frame.with_columns(raw=nw.when(nw.col("fate") == GRADED).then(nw.col("exit") / nw.col("entry") - 1))
    return frame.with_columns(**{"return": _in_excess(rules)})


def _later(value: nw.Expr, number: int) -> nw.Expr:
    return value if number == 0 else value.shift(-number).over("stock", order_by="day")


def _fate(rules: Rules) -> nw.Expr:
    """A stock that trades on the last date has not stopped, even if it has too few rows till then."""
    unknown = nw.col("exit").is_null()
    goes_on = (nw.col("day") + rules.ahead > nw.col("days")) | (nw.col("last_day") == nw.col("days"))
    fate = nw.when(unknown & goes_on).then(nw.lit(AT_END)).when(unknown).then(nw.lit(STOPPED))
    if rules.gaps == "drop":
        fate = fate.when(nw.col("exit_day") > nw.col("day") + rules.ahead).then(nw.lit(GAP))
    return fate.otherwise(nw.lit(GRADED))


def _with_last_prices(frame: Frame, rules: Rules, delisting: float) -> Frame:
    """Sell what stopped, if it could be bought, at its last price and with the delisting return; so ends the market."""
    sold = (nw.col("fate") == STOPPED) & ~nw.col("entry").is_null()
    exits = {"exit": _last("close") * (1 + delisting)} | (
        {"market_exit": _last("benchmark")} if rules.benchmark else {}
    )
    frame = frame.with_columns(**{f"last_{name}": price for name, price in exits.items()})
    return frame.with_columns(
        **{name: nw.when(sold).then(nw.col(f"last_{name}")).otherwise(nw.col(name)) for name in exits},
        fate=nw.when(sold).then(nw.lit(GRADED)).otherwise(nw.col("fate")),
        sold=sold.cast(nw.Int64),
    )


def _last(price: str) -> nw.Expr:
    """The price on the last day of the stock; not every library has the last of a group."""
    return nw.when(nw.col("day") == nw.col("last_day")).then(nw.col(price)).max().over("stock")


def _in_excess(rules: Rules) -> nw.Expr:
    if rules.excess is None:
        return nw.col("raw")
    if rules.benchmark:
        return nw.col("raw") - (nw.col("market_exit") / nw.col("market_entry") - 1)
    return nw.col("raw") - nw.col("raw").mean().over("day")


def _with_grades(frame: Frame, rules: Rules) -> Frame:
    frame = frame.with_columns(count=nw.col("return").count().over(*rules.cell))
    few = (nw.col("fate") == GRADED) & (nw.col("count") < rules.least)
    frame = frame.with_columns(fate=nw.when(few).then(nw.lit(FEW)).otherwise(nw.col("fate")))
    return frame.with_columns(grade=nw.when(nw.col("fate") == GRADED).then(_grade(rules)))


def _grade(rules: Rules) -> nw.Expr:
    value = nw.col("return")
    if rules.thresholds is not None:
        return nw.sum_horizontal(*((value >= cut).cast(nw.Float64) for cut in rules.thresholds))
    if rules.levels == "rank":
        return value.rank("dense").over(*rules.cell) - 1
    return ((value.rank(rules.ties).over(*rules.cell) - 1) * rules.levels / nw.col("count")).floor()


def make_audit(panel: Panel, frame: Frame, rules: Rules) -> Audit:
    """Count what became of the rows, by date, in one pass; a stock that has a date twice is an error."""
    by_grade = ["grade"] if rules.levels != "rank" or rules.thresholds else []
    twice = nw.col("next_day") == nw.col("day")
    spans = (nw.col("fate") == GRADED) & (nw.col("exit_day") > nw.col("day") + rules.ahead)
    sums = {"count": nw.lit(1), "twice": twice, "spans": spans} | ({} if rules.stopped == "drop" else {"sold": _sold()})
    marked = frame.with_columns(**{f"_{name}": each.cast(nw.Int64) for name, each in sums.items()})
    added = [nw.col(f"_{name}").sum().alias(name) for name in sums]
    cells = rows(marked.group_by("date", "fate", *by_grade).agg(*added))
    if any(cell["twice"] for cell in cells):
        raise _duplicate(frame.filter(twice))
    return _audit(panel, cells, rules)


def _sold() -> nw.Expr:
    return nw.when(nw.col("fate") == GRADED).then(nw.col("sold")).otherwise(nw.lit(0))


def _duplicate(frame: Frame) -> RankgaugeError:
    (first,) = rows(frame.select("date", "ticker").sort("date", "ticker").head(1))
    return RankgaugeError("duplicate-row", place=place(first), expected="a stock on a date", got="it twice")


def _audit(panel: Panel, cells: Sequence[Mapping[str, Any]], rules: Rules) -> Audit:
    fates: Counter[int] = Counter()
    of_date: dict[Any, Counter[int]] = defaultdict(Counter)
    bins: dict[Any, dict[float, int]] = {}
    for cell in cells:
        fate, count = int(cell["fate"]), int(cell["count"])
        fates[fate] += count
        of_date[cell["date"]][fate] += count
        if fate == GRADED and "grade" in cell:
            bins.setdefault(cell["date"], {})[float(cell["grade"])] = count
    grades: Counter[float] = Counter()
    for counts in bins.values():
        grades.update(counts)
    why = _reasons(rules)
    return Audit(
        title="returns",
        rows=panel.rows,
        dropped={
            "no date or ticker": panel.without_key,
            "no price": panel.without_price,
            **{reason: fates[fate] for fate, reason in why.items()},
        },
        kept=fates[GRADED],
        grades=dict(sorted(grades.items())),
        remarks=(panel.remark, *_remarks(rules, cells)),
        bins=dict(sorted(bins.items())),
        refused=_refused(of_date, why),
    )


def _refused(of_date: Mapping[Any, Counter[int]], why: Mapping[int, str]) -> dict[Any, str]:
    """The dates without grades, with the most frequent reason: of two that are as frequent, the first in the list."""
    without = {date: fates for date, fates in of_date.items() if not fates[GRADED]}
    return {date: why[min(fates, key=lambda fate: (-fates[fate], fate))] for date, fates in sorted(without.items())}


def _reasons(rules: Rules) -> dict[int, str]:
    return {
        AT_END: "the horizon ends after the last date",
        STOPPED: "the stock stopped trading before the horizon ended",
        GAP: "the horizon spans dates without a price",
        **({NO_MARKET: "no price of the benchmark"} if rules.benchmark else {}),
        FEW: f"fewer than {rules.least} stocks in the {_where(rules)}",
    }


def _remarks(rules: Rules, cells: Sequence[Mapping[str, Any]]) -> list[str]:
    since = f"from {_rows(rules.lag)} after the date on" if rules.lag else "from the close of the date on"
    excess = {None: "", "mean": ", less the mean of the date"}.get(rules.excess, f", less that of {rules.excess!r}")
    remarks = [f"return: over {_rows(rules.horizon)} of each stock, {since}{excess}", f"grade: {_how(rules)}"]
    spans, sold = (sum(int(cell.get(name) or 0) for cell in cells) for name in ("spans", "sold"))
    if spans:
        remarks.append(f"gaps: {spans:,} graded returns span dates without a price of the stock (gaps=skip)")
    if sold:
        remarks.append(f"stopped: {sold:,} graded returns end at the last price of a stock that stopped trading")
    return remarks


def _where(rules: Rules) -> str:
    return f"date and {rules.group}" if rules.group else "date"


def _how(rules: Rules) -> str:
    where = f"within the {_where(rules)}"
    if rules.thresholds is not None:
        return f"how many of {', '.join(f'{cut:g}' for cut in rules.thresholds)} the return reaches"
    if rules.levels == "rank":
        return f"dense rank {where}"
    tied = {"average": "the average", "min": "the lowest", "max": "the highest"}[rules.ties]
    return f"{rules.levels} parts of equal size {where}; equal returns have {tied} of their ranks"


def _rows(number: int) -> str:
    return f"{number} row{'s' * (number != 1)}"
