"""Prices or returns → grades: the return of each stock over the next trading days, graded within its date."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import narwhals as nw

from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.forward import AT_END, EQUAL_EDGES, FEW, GAP, GRADED, NO_MARKET, STOPPED, Forward, forward
from rankgauge.grading.panel import TABLE, Panel, read_panel
from rankgauge.grading.rules import Cut, Gaps, Rules, Stopped, Ties
from rankgauge.grading.source import Frame, Given, rows
from rankgauge.grading.tally import counted, refuse_clash


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
    cut: Cut = "equal",
    columns: Given = None,
) -> Audited:
    """Grade each stock of each date by its return over the next `horizon` rows of its own, or by a known return.

    return = close after lag + horizon rows / close after lag rows − 1,
    grade = ⌊(rank of the return − 1) · levels / stocks of the date⌋

    `prices` is long, with a date, a ticker and a close, or wide, with a date and a column of prices per ticker: a
    DataFrame of pandas, Polars, DuckDB or Spark, or a file. The table that comes back is of the same library.

    A table with a ticker and a return, as in 0.12 or +12%, and without a price is graded by that return as it is. It
    needs no date: without one, all rows are one date, called "all". `lag`, `stopped`, `gaps` and a benchmark need
    prices and are refused then.

    - `lag`: the trade is made at the close so many rows after the date; with 0 at the close of the date itself, which
      a score must be known before.
    - `levels`: within a date the returns are cut into so many parts of equal size, the worst with grade 0; "rank"
      grades by dense rank instead, and `thresholds`, which rise, by how many of them a return reaches.
    - `cut`: "qcut" cuts the levels where pandas.qcut does, at interpolated quantiles; parts then differ in size unless
      the stocks are a multiple of the levels, and a date of which two quantiles are equal is refused. Edges are exact
      here, where those of pandas are rounded: with 3, 6 or 7 levels a return that is an edge may differ by a grade.
    - `ties`: stocks of equal return have the "average" of their ranks, or the "min" or the "max", and so one grade.
    - `excess`: "mean" takes away the mean return of the date, and any other name is the column of a benchmark's price,
      whose return over the same rows is taken away.
    - `group`: a column such as the sector; grades are made within it.
    - `least`: a date, or a group of it, with fewer stocks is refused; unless said, as many as levels, or 2 with
      thresholds or ranks.
    - `stopped`: a stock whose prices end before the horizon does, and before the last date, is dropped, or sold at its
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

    >>> returns(pl.DataFrame({"stock": ["A", "B"], "return": ["-1%", "+3%"]}), levels=2).frame.rows()
    [('all', 'A', -0.01, 0), ('all', 'B', 0.03, 1)]

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
        cut=cut,
    )
    panel = read_panel(prices, columns, rules)
    _refuse_clash(panel)
    found = forward(panel, rules)
    audit = make_audit(panel, found, rules)
    graded = found.frame.filter(nw.col("fate") == GRADED)
    return Audited(_as_it_came(graded, panel).to_native(), audit, _roles(panel))


def _refuse_clash(panel: Panel) -> None:
    added = ("return", "grade") if panel.dated else ("date", "return", "grade")
    kept = {role: name for role, name in panel.names.items() if role == "ticker" or panel.dated}
    refuse_clash(kept, added, TABLE)


def _as_it_came(frame: Frame, panel: Panel) -> Frame:
    grade = nw.col("grade").cast(nw.Int64)
    names = {name: nw.col(role) for role, name in panel.names.items()}
    return frame.select(**names, **{"return": nw.col("return"), "grade": grade})


def _roles(panel: Panel) -> dict[str, str]:
    return {"query": panel.names["date"], "item": panel.names["ticker"], "grade": "grade"}


def make_audit(panel: Panel, found: Forward, rules: Rules) -> Audit:
    """Count what became of the rows, by date, in one pass."""
    by_grade = ["grade"] if rules.levels != "rank" or rules.thresholds else []
    spans = (nw.col("fate") == GRADED) & (nw.col("exit_day") > nw.col("day") + rules.ahead)
    sums = {"count": nw.lit(1), "spans": spans} | ({} if rules.stopped == "drop" else {"sold": _sold()})
    marked = found.frame.with_columns(**{f"_{name}": each.cast(nw.Int64) for name, each in sums.items()})
    added = [nw.col(f"_{name}").sum().alias(name) for name in sums]
    cells = rows(marked.group_by("day", "fate", *by_grade).agg(*added))
    return _audit(panel, cells, found.dates, rules)


def _sold() -> nw.Expr:
    return nw.when(nw.col("fate") == GRADED).then(nw.col("sold")).otherwise(nw.lit(0))


def _audit(panel: Panel, cells: Sequence[Mapping[str, Any]], dates: Sequence[Any], rules: Rules) -> Audit:
    fates: Counter[int] = Counter()
    of_date: dict[Any, Counter[int]] = defaultdict(Counter)
    bins: dict[Any, dict[float, int]] = {}
    for cell in cells:
        fate, count, date = int(cell["fate"]), int(cell["count"]), dates[int(cell["day"]) - 1]
        fates[fate] += count
        of_date[date][fate] += count
        if fate == GRADED and "grade" in cell:
            bins.setdefault(date, {})[float(cell["grade"])] = count
    grades: Counter[float] = Counter()
    for counts in bins.values():
        grades.update(counts)
    why = _reasons(panel, rules)
    return Audit(
        title="returns",
        rows=panel.rows,
        dropped={
            "no date or ticker": panel.without_key,
            f"no {panel.noun}": panel.without_value,
            **{reason: fates[fate] for fate, reason in why.items()},
        },
        kept=fates[GRADED],
        grades=dict(sorted(grades.items())),
        remarks=(*panel.remarks, *_remarks(panel, rules, cells)),
        items={date: count for date, own in sorted(of_date.items()) if (count := own[GRADED])},
        bins=dict(sorted(bins.items())),
        refused=_refused(of_date, why),
    )


def _refused(of_date: Mapping[Any, Counter[int]], why: Mapping[int, str]) -> dict[Any, str]:
    """The dates without grades, with the most frequent reason: of two that are as frequent, the first in the list."""
    without = {date: fates for date, fates in of_date.items() if not fates[GRADED]}
    return {date: why[min(fates, key=lambda fate: (-fates[fate], fate))] for date, fates in sorted(without.items())}


def _reasons(panel: Panel, rules: Rules) -> dict[int, str]:
    of_prices = {
        AT_END: "the horizon ends after the last date",
        STOPPED: "the stock stopped trading before the horizon ended",
        GAP: "the horizon spans dates without a price",
        **({NO_MARKET: "no price of the benchmark"} if rules.benchmark else {}),
    }
    edges = f"equal returns make two edges of pandas.qcut equal in the {_where(rules)}"
    return {
        **(of_prices if panel.value == "close" else {}),
        FEW: f"fewer than {rules.least} stocks in the {_where(rules)}",
        **({EQUAL_EDGES: edges} if rules.cut == "qcut" else {}),
    }


def _remarks(panel: Panel, rules: Rules, cells: Sequence[Mapping[str, Any]]) -> list[str]:
    remarks = [_over(rules)] if panel.value == "close" else []
    if panel.value == "return" and rules.excess:
        remarks.append("excess: less the mean of the date")
    remarks.append(f"grade: {_how(rules)}")
    spans, sold = (sum(int(cell.get(name) or 0) for cell in cells) for name in ("spans", "sold"))
    if spans:
        many = counted(spans, "graded return spans", "graded returns span")
        remarks.append(f"gaps: {many} dates without a price of the stock (gaps=skip)")
    if sold:
        many = counted(sold, "graded return ends", "graded returns end")
        remarks.append(f"stopped: {many} at the last price of a stock that stopped trading")
    return remarks


def _over(rules: Rules) -> str:
    since = f"from {_rows(rules.lag)} after the date on" if rules.lag else "from the close of the date on"
    excess = {None: "", "mean": ", less the mean of the date"}.get(rules.excess, f", less that of {rules.excess!r}")
    return f"return: over {_rows(rules.horizon)} of each stock, {since}{excess}"


def _where(rules: Rules) -> str:
    return f"date and {rules.group}" if rules.group else "date"


def _how(rules: Rules) -> str:
    where = f"within the {_where(rules)}"
    if rules.thresholds is not None:
        return f"how many of {', '.join(f'{cut:g}' for cut in rules.thresholds)} the return reaches"
    if rules.levels == "rank":
        return f"dense rank {where}"
    if rules.cut == "qcut":
        return f"{rules.levels} parts {where}, cut at the edges of pandas.qcut"
    tied = {"average": "the average", "min": "the lowest", "max": "the highest"}[rules.ties]
    return f"{rules.levels} parts of equal size {where}; equal returns have {tied} of their ranks"


def _rows(number: int) -> str:
    return f"{number} row{'s' * (number != 1)}"
