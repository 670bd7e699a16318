"""Prices or returns → grades: the return of each stock over the next trading days, graded within its date."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import narwhals as nw

from rankgauge.errors.unknown_keywords import hinted
from rankgauge.grading import plausibility
from rankgauge.grading.audited import Audit, Audited, refusals
from rankgauge.grading.forward_returns import (
    AT_END,
    EQUAL_EDGES,
    FEW,
    GAP,
    GRADED,
    NO_MARKET,
    STOPPED,
    ForwardReturns,
    allowed_gap,
    forward_returns,
)
from rankgauge.grading.grade_counts import refuse_clash
from rankgauge.grading.prices import TABLE, Prices, read_prices
from rankgauge.grading.return_rules import Cut, Gaps, ReturnRules, Stopped, Ties
from rankgauge.grading.source import NwFrame, rows
from rankgauge.grading.universe import universe_remarks
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark


@hinted()
def returns(
    prices: TableInput,
    *,
    horizon: int = 5,
    levels: int | Literal["rank"] = 5,
    thresholds: Sequence[float] | None = None,
    lag: int = 0,
    excess: str | None = None,
    benchmark: str | None = None,
    group: str | None = None,
    least: int | None = None,
    ties: Ties = "average",
    stopped: Stopped | float = "drop",
    gaps: Gaps = "holidays",
    cut: Cut = "equal",
    ignore: str | Sequence[str] = (),
    columns: ColumnsInput = None,
) -> Audited:
    """Grade each stock of each date by its return over the next `horizon` rows of that stock, or by a known return.

    return = close after lag + horizon rows / close after lag rows − 1,
    grade = ⌊(rank of the return − 1) · levels / stocks of the date⌋

    Prices are long (date, ticker, close) or wide (date, and a column of prices per ticker). A long table with a return
    such as 0.12 or +12% instead of a price is graded by that return; without dates, all its rows are one date, "all".
    The last dates, whose horizon ends after the data, have no grades. The audit counts every row.

    Parameters:
        prices: a DataFrame of pandas, Polars, DuckDB or Spark, or a path; the result is a table of the same library.
        horizon: over how many rows of a stock its return goes.
        levels: the number of parts of equal size into which the returns of a date are cut; the worst part has grade 0.
            "rank" grades by dense rank instead.
        thresholds: numbers that rise; the grade is how many of them the return reaches. Replaces `levels`.
        lag: the number of rows from the date to the trade; 0 trades at the close of the date itself, so the score must
            be known before it. Needs prices.
        excess: "mean" subtracts the mean return of the date; any other name is that of a `benchmark`.
        benchmark: a column with the price of a benchmark, which is no stock; its return over the same rows is
            subtracted. Needs prices.
        group: a column such as the sector; returns are graded within it.
        least: a date (and group) with fewer stocks gets no grades; default: `levels`, or 2 with thresholds or ranks.
        ties: the rank of equal returns: the "average", "min" or "max" of their ranks.
        stopped: what happens to a stock whose prices end before its horizon and before the last date: "drop" it, sell
            it at its "last" price, or, with a number, at its last price with this delisting return on top (-0.3 loses
            another 30%). Needs prices.
        gaps: a stock without a price on some dates has no return where the horizon spans more than 7 of them
            ("holidays"), or any ("drop"), or it continues with its next row ("skip"). Where dates are a week or more
            apart, "holidays" is "drop". Needs prices.
        cut: "equal" cuts parts of equal size; "qcut" cuts at the quantiles of pandas.qcut, whose parts differ in size
            unless the stocks are a multiple of the levels, and gives no grades on dates with two equal quantiles. Edges
            are exact here and rounded in pandas: with 3, 6 or 7 levels a return on an edge may differ by a grade.
        ignore: columns of a wide table, or tickers, that are left out, such as a volume or an index.
        columns: role → column for date, ticker, close and return, where names are unusual.

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
    universe: 3 stocks, 2 dates
    refused: 1 date (2026-01-05): the horizon ends after the last date

    >>> returns(pl.DataFrame({"stock": ["A", "B"], "return": ["-1%", "+3%"]}), levels=2).frame.rows()
    [('all', 'A', -0.01, 0), ('all', 'B', 0.03, 1)]

    Poh, Lim, Zohren & Roberts 2020, Building Cross-Sectional Systematic Strategies By Learning to Rank.

    """
    rules = ReturnRules.check(
        horizon=horizon,
        levels=levels,
        thresholds=thresholds,
        lag=lag,
        excess=excess,
        benchmark=benchmark,
        group=group,
        least=least,
        ties=ties,
        stopped=stopped,
        gaps=gaps,
        cut=cut,
        ignore=ignore,
    )
    return grade_by_rules(prices, rules, columns)


def grade_by_rules(prices: TableInput, rules: ReturnRules, columns: ColumnsInput) -> Audited:
    """Grade stocks by checked rules; see `returns`."""
    table = read_prices(prices, columns, rules)
    _refuse_clash(table)
    forward = forward_returns(table, rules)
    audit = make_audit(table, forward, rules)
    graded = forward.frame.filter(nw.col("fate") == GRADED)
    return Audited(_with_original_names(graded, table).to_native(), audit, _roles(table), _overlap(table, rules))


def _overlap(table: Prices, rules: ReturnRules) -> tuple[Remark, ...]:
    """What an evaluation must say where neighbouring dates share returns; a known return may span anything."""
    if table.value == "return" or rules.horizon == 1:
        return ()
    text = Text(
        "a return goes over {:,} rows, so neighbouring dates share returns; the intervals ignore that and are too "
        "narrow",
        rules.horizon,
    )
    return (Remark.of("overlap", text),)


def _refuse_clash(table: Prices) -> None:
    added = ("return", "grade") if table.dated else ("date", "return", "grade")
    kept = {role: name for role, name in table.names.items() if role == "ticker" or table.dated}
    refuse_clash(kept, added, TABLE)


def _with_original_names(frame: NwFrame, table: Prices) -> NwFrame:
    grade = nw.col("grade").cast(nw.Int64)
    names = {name: nw.col(role) for role, name in table.names.items()}
    return frame.select(**names, **{"return": nw.col("return"), "grade": grade})


def _roles(table: Prices) -> dict[str, str]:
    return {"query": table.names["date"], "item": table.names["ticker"], "grade": "grade"}


def make_audit(table: Prices, forward: ForwardReturns, rules: ReturnRules) -> Audit:
    """Count what became of the rows, by date, in one pass."""
    by_grade = ["grade"] if rules.levels != "rank" or rules.thresholds else []
    spans = (nw.col("fate") == GRADED) & (nw.col("exit_day") > nw.col("day") + rules.ahead)
    sums = {"count": nw.lit(1), "spans": spans} | ({} if rules.stopped == "drop" else {"sold": _sold()})
    sums |= plausibility.sums(table)
    marked = forward.frame.with_columns(**{f"_{name}": each.cast(nw.Int64) for name, each in sums.items()})
    added = [nw.col(f"_{name}").sum().alias(name) for name in sums]
    cells = rows(marked.group_by("day", "fate", *by_grade).agg(*added))
    return _audit(table, forward, cells, rules)


def _sold() -> nw.Expr:
    return nw.when(nw.col("fate") == GRADED).then(nw.col("sold")).otherwise(nw.lit(0))


def _audit(table: Prices, forward: ForwardReturns, cells: Sequence[Mapping[str, Any]], rules: ReturnRules) -> Audit:
    fates: Counter[int] = Counter()
    of_date: dict[Any, Counter[int]] = defaultdict(Counter)
    bins: dict[Any, dict[float, int]] = {}
    for cell in cells:
        fate, count, date = int(cell["fate"]), int(cell["count"]), forward.dates[int(cell["day"]) - 1]
        fates[fate] += count
        of_date[date][fate] += count
        if fate == GRADED and "grade" in cell:
            bins.setdefault(date, {})[float(cell["grade"])] = count
    grades: Counter[float] = Counter()
    for counts in bins.values():
        grades.update(counts)
    why = _reasons(table, rules, allowed_gap(rules, daily=forward.daily))
    remarks = [
        *_remarks(table, rules, cells),
        *universe_remarks(forward.tickers, len(forward.dates)),
        *plausibility.remarks(table, forward, cells, fates[GRADED]),
    ]
    refused = _refused(of_date, why)
    return Audit(
        title="returns",
        rows=table.rows,
        dropped={
            Text("no date or ticker"): table.without_key,
            Text("no return") if table.noun == "return" else Text("no price"): table.without_value,
            **{reason: fates[fate] for fate, reason in why.items()},
        },
        kept=fates[GRADED],
        grades=dict(sorted(grades.items())),
        remarks=(*table.remarks, *remarks, *refusals(refused)),
        items={date: count for date, fates_of in sorted(of_date.items()) if (count := fates_of[GRADED])},
        bins=dict(sorted(bins.items())),
        refused=refused,
    )


def _refused(of_date: Mapping[Any, Counter[int]], why: Mapping[int, str]) -> dict[Any, str]:
    """The dates without grades and their most frequent reason; of equally frequent ones, the first in the list."""
    without = {date: fates for date, fates in of_date.items() if not fates[GRADED]}
    return {date: why[min(fates, key=lambda fate: (-fates[fate], fate))] for date, fates in sorted(without.items())}


def _reasons(table: Prices, rules: ReturnRules, gap: int | None) -> dict[int, str]:
    spans = Text("the horizon spans dates without a price")
    if gap:
        spans = Text("the horizon spans more than {} dates without a price", gap)
    of_prices = {
        AT_END: Text("the horizon ends after the last date"),
        STOPPED: Text("the stock stopped trading before the horizon ended"),
        **({} if gap is None else {GAP: spans}),
        **({NO_MARKET: Text("no price of the benchmark")} if rules.benchmark else {}),
    }
    edges = Text("equal returns make two edges of pandas.qcut equal in the {}", _where(rules))
    return {
        **(of_prices if table.value == "close" else {}),
        FEW: Text("fewer than {} stocks in the {}", rules.least, _where(rules)),
        **({EQUAL_EDGES: edges} if rules.cut == "qcut" else {}),
    }


def _remarks(table: Prices, rules: ReturnRules, cells: Sequence[Mapping[str, Any]]) -> list[Remark]:
    remarks = [_over(rules)] if table.value == "close" else []
    if table.value == "return" and rules.excess:
        remarks.append(Remark.of("excess", Text("less the mean of the date")))
    remarks.append(Remark.of("grade", _how(rules)))
    spans, sold = (sum(int(cell.get(name) or 0) for cell in cells) for name in ("spans", "sold"))
    if spans:
        text = Text.counted(
            spans,
            "{n:,} graded return spans dates without a price of the stock (gaps={gaps})",
            "{n:,} graded returns span dates without a price of the stock (gaps={gaps})",
            gaps=rules.gaps,
        )
        remarks.append(Remark.of("gaps", text))
    if sold:
        text = Text.counted(
            sold,
            "{n:,} graded return ends at the last price of a stock that stopped trading",
            "{n:,} graded returns end at the last price of a stock that stopped trading",
        )
        remarks.append(Remark.of("stopped", text))
    return remarks


def _over(rules: ReturnRules) -> Remark:
    since = Text("from the close of the date on")
    if rules.lag:
        since = Text("from {} after the date on", counted(rules.lag, "row"))
    text = Text("over {} of each stock, {}", counted(rules.horizon, "row"), since)
    if rules.benchmark:
        text = Text("{}, less that of {!r}", text, rules.benchmark)
    elif rules.excess:
        text = Text("{}, less the mean of the date", text)
    return Remark.of("return", text)


_TIED: Final = {
    "average": Text("equal returns have the average of their ranks"),
    "min": Text("equal returns have the lowest of their ranks"),
    "max": Text("equal returns have the highest of their ranks"),
}


def _where(rules: ReturnRules) -> Text:
    return Text("date and {}", rules.group) if rules.group else Text("date")


def _how(rules: ReturnRules) -> Text:
    where = _where(rules)
    if rules.thresholds is not None:
        return Text("how many of {} the return reaches", ", ".join(f"{cut:g}" for cut in rules.thresholds))
    if rules.levels == "rank":
        return Text("dense rank within the {}", where)
    if rules.cut == "qcut":
        return Text("{} parts within the {}, cut at the edges of pandas.qcut", rules.levels, where)
    return Text("{} parts of equal size within the {}; {}", rules.levels, where, _TIED[rules.ties])
