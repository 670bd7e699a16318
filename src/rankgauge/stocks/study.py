"""The study of a model that ranks stocks: its numbers of every date, and what they amount to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.conventions import Convention
from rankgauge.evaluate import evaluate
from rankgauge.grading.audited import ALL, Audit
from rankgauge.grading.rules import Cut, Gaps, Rules, Stopped, Ties
from rankgauge.grading.source import Frame, Given
from rankgauge.results import Result, describe
from rankgauge.statistics import whole_number
from rankgauge.stocks.aligned import WANTED, Returns, Scores, read_returns, read_scores, require_common
from rankgauge.stocks.daily import Day, Stock, daily, ranked_stocks
from rankgauge.stocks.one_table import read_twice, shared_columns
from rankgauge.stocks.summary import HEADERS, Care, Summary, summarise, warning
from rankgauge.tables import Cell, Exported, Part, Shown, Table, json_text
from rankgauge.terms import require_choice

if TYPE_CHECKING:
    from rankgauge.stocks.comparison import Comparison

SHOWN = 3
SHOWN_STOCKS = 20
_DATE = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_NOT_OF_EXTREMES = ("ic", "hit_rate", "turnover")  # a line should fit a screen
_MARKETS = (("up", True), ("down", False))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PerDate(Exported):
    """The numbers of each date: `.to_pandas()`, `.to_polars()`, or any library that takes Arrow."""

    values: Mapping[str, Sequence[Any]]

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.values[name]

    def __len__(self) -> int:
        return len(self.values["date"])

    def table(self) -> Table:
        """Return a row per date."""
        columns = [[_cell(value) for value in column] for column in self.values.values()]
        return Table(list(self.values), list(zip(*columns, strict=True)))


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return fmean(known) if known else math.nan


def _cell(value: Any) -> Cell:  # noqa: ANN401 - a number or a date
    return None if isinstance(value, float) and math.isnan(value) else value


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Study(Shown):
    """How good a model orders stocks: print it, or ask for a part.

    `study["rank_ic"]` sums up a measure, which is a column of numbers in `per_date`.
    """

    per_date: PerDate
    k: int
    rules: Rules
    care: Care
    # Measure → what a random order is worth on each date.
    chances: Mapping[str, Sequence[float]]
    # Whether the market rose over the horizon of each date.
    rose: Sequence[bool]
    convention: Convention
    audit: Audit
    notes: tuple[str, ...]
    # Those of the date, best rank first, if there is only one date.
    stocks: tuple[Stock, ...]

    @property
    def horizon(self) -> int:
        """Over how many rows of a stock its return goes."""
        return self.rules.horizon

    @property
    def ndcg(self) -> str:
        """The name of the measure that stands first."""
        return next(iter(self.chances))

    def __getitem__(self, measure: str) -> Summary:
        return self._summary(measure, range(len(self.per_date)))

    def _summary(self, measure: str, dates: Sequence[int]) -> Summary:
        known = [name for name in self.per_date.values if name != "date"]
        require_choice("a measure of the study", measure, known, "the columns of study.per_date")
        values = self.per_date[measure]
        chance = self.chances.get(measure) or [math.nan] * len(values)
        return summarise([values[at] for at in dates], [chance[at] for at in dates], self.care)

    def table(self) -> Table:
        """Return a row per measure: mean, median, chance, and how sure the difference is."""
        return Table(["measure", *HEADERS], [[measure, *self[measure].cells()] for measure in self.chances])

    def by_stock(self) -> Table:
        """Return a row per stock, in the order of the model, if there is only one date."""
        return Table(["rank", "ticker", "return", "grade"], [list(stock) for stock in self.stocks])

    def by_year(self) -> Table:
        """Return a row per year."""
        years: dict[str, list[int]] = {}
        for at, date in enumerate(self.per_date["date"]):
            if _DATE.match(date):  # days that are counted belong to no year
                years.setdefault(date[:4], []).append(at)
        return self._split("year", list(years.items()))

    def by_market(self) -> Table:
        """Return a row for the dates whose universe rose over the horizon, and one for the others."""
        parts = [(name, [at for at, rose in enumerate(self.rose) if rose is up]) for name, up in _MARKETS]
        return self._split("market", parts)

    def _split(self, name: str, parts: Sequence[tuple[str, list[int]]]) -> Table:
        shown = [self.ndcg, "rank_ic", "top_return", "spread"]
        rows: list[list[Cell]] = []
        for part, dates in parts:
            first = self._summary(self.ndcg, dates)
            means = [_cell(_mean([self.per_date[measure][at] for at in dates])) for measure in shown]
            rows.append([part, len(dates), means[0], _cell(first.chance), _cell(first.t), *means[1:]])
        return Table([name, "days", self.ndcg, "chance", "t", "rank_ic", "top_return", "spread"], rows)

    def best(self, days: int = SHOWN) -> Table:
        """Return the dates on which the model was furthest above chance."""
        return self._extreme(days, highest=True)

    def worst(self, days: int = SHOWN) -> Table:
        """Return the dates on which the model was furthest below chance, or least above it."""
        return self._extreme(days, highest=False)

    def _extreme(self, days: int, *, highest: bool) -> Table:
        above, table = self._above(), self.per_date.table()
        columns = [at for at, name in enumerate(table.headers) if name not in _NOT_OF_EXTREMES]
        known = [at for at, value in enumerate(above) if not math.isnan(value)]
        order = sorted(known, key=lambda at: -above[at] if highest else above[at])
        headers = ["best" if highest else "worst", *(table.headers[column] for column in columns[1:])]
        return Table(headers, [[table.rows[at][column] for column in columns] for at in order[:days]])

    def _above(self) -> list[float]:
        values, chance = self.per_date[self.ndcg], self.chances[self.ndcg]
        return [value - base for value, base in zip(values, chance, strict=True)]

    def compare(self, other: Study, *, names: tuple[str, str] = ("this", "other")) -> Comparison:
        """Compare with another model on the dates that both have, with the same care for dependent days."""
        from rankgauge.stocks.comparison import compare

        return compare(self, other, names=names)

    def remarks(self) -> list[str]:
        """Say how the numbers came about, and everything about the data that may matter."""
        few = warning(len(self.per_date), self.care, self.horizon, "the model is better than chance")
        return [
            *self._of_one_date(),
            f"convention: {describe(self.convention)}; a date is a query, a stock an item",
            "chance: the value that a random order of the stocks of the date has on average",
            *(few or [self._errors()]),
            *self.notes,
        ]

    def _of_one_date(self) -> list[str]:
        if not self.stocks:
            return []
        date, more = self.per_date["date"][0], len(self.stocks) - SHOWN_STOCKS
        lower = [f"stocks: {more:,} more, of lower ranks or without a score"] if more > 0 else []
        return [*lower, "date: none in the table, so all rows are one" if date == ALL else f"date: {date} alone"]

    def _errors(self) -> str:
        care = self.care
        shared = (
            f"{care.overlap} later dates share returns with a date" if care.overlap else "no two dates share returns"
        )
        return f"errors: {shared}; t is Newey-West with lag {care.lag}, intervals are of blocks of {care.block} dates"

    def parts(self, *, per_date: bool = False) -> list[Part]:
        """Return what is shown to a person: tables and remarks, one below the other."""
        tables = [self.table(), self.by_market(), self.by_year(), self.best(), self.worst()]
        if self.stocks:  # of one date, the others would say the same
            every = self.by_stock()
            tables = [self.table(), Table(every.headers, every.rows[:SHOWN_STOCKS])]
        shown = [self.per_date.table()] * per_date + [table for table in tables if table.rows]
        return [part for table in shown for part in (table, "")] + self.remarks()

    def to_dict(self, *, per_date: bool = False) -> dict[str, Any]:
        """Return plain values with all digits."""
        measures = {measure: self[measure]._asdict() for measure in self.chances}
        tables = {
            "by_stock": self.by_stock(),
            "by_year": self.by_year(),
            "by_market": self.by_market(),
            "best": self.best(),
            "worst": self.worst(),
        }
        values = {
            "convention": str(self.convention),
            "k": self.k,
            "horizon": self.horizon,
            "dates": len(self.per_date),
            "measures": measures,
            "care": self.care._asdict(),
            **{
                name: [dict(zip(table.headers, row, strict=True)) for row in table.rows]
                for name, table in tables.items()
            },
            "audit": self.audit.to_dict(),
            "notes": list(self.notes),
        }
        return values | ({"per_date": self.per_date.columns()} if per_date else {})

    def to_json(self, *, per_date: bool = False) -> str:
        """Write `to_dict` as JSON."""
        return json_text(self.to_dict(per_date=per_date))


def study(
    prices: Frame,
    scores: Frame | None = None,
    *,
    k: int = 10,
    gain: str | None = None,
    convention: str | Convention = "trec_eval",
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
    seed: int = 0,
    columns_prices: Given = None,
    columns_scores: Given = None,
) -> Study:
    """Study how good the scores of a model order stocks, date by date.

    `prices`, or known returns, are graded as `rg.grading.returns` does, which has the options from `horizon` to `cut`.
    `scores` are long or wide as prices are, with a score per date and ticker, or long with a rank, where 1 is the best.
    Both are DataFrames of any library, or files. Without `scores`, the first table has them in a column of its own.
    There are, for each date:

    - `ndcg@k` of the scores, what it is on average for a random order, and the value corrected for that chance;
    - `rank_ic` and `ic`: the correlation of scores with returns, by rank and plain;
    - `top_return`, `universe_return` and `spread`: the mean return of the best k, of all, and of the best k less that
      of the worst k, each at most half of the stocks; `hit_rate`: the share of the best k that beat all; `turnover`:
      the share of the best k that were not among them on the date before.

    Stocks with a score but without a return are left out; those with a return but without a score count in the ideal.
    A score that came after the price at which it would be traded is an error.

    >>> import polars as pl
    >>> dates = pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 3, 1), "1d", eager=True)
    >>> prices = pl.DataFrame({"date": dates}).with_columns(
    ...     **{f"T{i}": 100 + i * pl.int_range(pl.len()) / 10 for i in range(9)})
    >>> scores = prices.select("date", *(pl.lit(float(i)).alias(f"T{i}") for i in range(9)))
    >>> found = study(prices, scores, k=3, horizon=2)
    >>> found["ndcg@3"].mean, round(found["rank_ic"].mean, 3)
    (1.0, 1.0)

    Known returns need no dates; without them, all rows are one date:

    >>> table = pl.DataFrame({"stock": ["A", "B", "C"], "return": ["+3%", "-1%", "+9%"], "predicted_rank": [2, 3, 1]})
    >>> print(study(table, k=3, levels=3).by_stock())
    rank  ticker   return  grade
       1  C        0.0900      2
       2  A        0.0300      1
       3  B       -0.0100      0

    Grinold & Kahn 2000, Active Portfolio Management; Newey & West 1987, Econometrica 55(3).
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
    k, seed = whole_number("k", k, 1), whole_number("seed", seed, 0)
    wanted = WANTED
    if scores is None:  # a wide table of prices has no room for scores
        prices = scores = read_twice(prices)
        columns_prices, columns_scores = shared_columns(columns_prices, columns_scores)
        wanted = WANTED._replace(may_be_wide=False)
    returns = read_returns(prices, rules, columns_prices)
    read = read_scores(scores, returns, columns_scores, lag=rules.lag, wanted=wanted)
    terms = f"(gain={gain})" if gain else ""
    measures = [f"{name}{terms}@{k}" for name in ("ndcg", "random_ndcg", "corrected_ndcg")]
    days = daily(returns, read, k)
    require_common(returns, read, len(days))
    result = evaluate(
        returns.judgments(), read.ranking(returns), measures, convention=convention, unjudged="drop", seed=seed
    )
    return _study(result, days, returns, read, rules, k, seed)


def _study(result: Result, days: list[Day], returns: Returns, scores: Scores, rules: Rules, k: int, seed: int) -> Study:
    dates = returns.dates
    names = [str(measure) for measure in result.measures]
    ndcg, random, corrected = names
    own = {name: result.per_query[name] for name in names}
    gains = {name: [own[name].get(dates[day.day], math.nan) for day in days] for name in names}
    columns = {name: [getattr(day, name) for day in days] for name in Day._fields}
    zeros = [0.0] * len(days)
    per_date = {
        "date": [dates[day.day] for day in days],
        "n": columns["n"],
        **gains,
        **{
            name: columns[name]
            for name in ("rank_ic", "ic", "top_return", "universe_return", "spread", "hit_rate", "turnover")
        },
    }
    return Study(
        per_date=PerDate(per_date),
        k=k,
        rules=rules,
        care=Care.of([day.day for day in days], rules.horizon, seed),
        chances={
            ndcg: gains[random],
            corrected: zeros,
            "rank_ic": zeros,
            "ic": zeros,
            "top_return": columns["universe_return"],
            "spread": zeros,
            "hit_rate": columns["hit_chance"],
            "turnover": [math.nan] * len(days),
        },
        rose=[day.market > 0 for day in days],
        convention=result.convention,
        audit=returns.audit,
        notes=_notes(result, returns, scores, rules),
        stocks=tuple(ranked_stocks(returns, scores, days[0].day)) if len(days) == 1 else (),
    )


def _notes(result: Result, returns: Returns, scores: Scores, rules: Rules) -> tuple[str, ...]:
    counts = result.counts
    causes = {
        "without a score": scores.without_score,
        f"of dates without {returns.noun}s": scores.without_date,
        f"of stocks without {returns.noun}s": scores.without_stock,
    }
    lost = [f"{count:,} {why}" for why, count in causes.items() if count]
    notes = [f"scores: {scores.rows:,} rows{'; left out: ' + ', '.join(lost) if lost else ''}"]
    if scores.rank is not None:
        notes.append(f"ranks: column {scores.rank!r}, where 1 is the best; the score is minus the rank")
    if returns.noun == "return" and returns.dated:
        notes.append(f"horizon: a return is taken to span {_many(rules.horizon, 'date')} of the table")
    said = {
        "dropped": "no return: {} of stocks without a graded return left out",
        "ignored": "no grades: {} with scores but without graded returns",
        "missing": "no scores: {} with graded returns but without scores",
        "tied": "ties: {} with equal scores in the first ranks; among the best k, the last ticker comes first",
    }
    nouns = {"dropped": "score"}
    return (
        *notes,
        *(text.format(_many(counts[name], nouns.get(name, "date"))) for name, text in said.items() if counts[name]),
    )


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
