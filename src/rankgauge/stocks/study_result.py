"""Study: the numbers of a model on every date, and what they amount to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rankgauge.checks import require_choice
from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit
from rankgauge.grading.rules import Rules
from rankgauge.grading.times import ONLY_DATE
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.notation import counted
from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part, PartsMixin
from rankgauge.presentation.table import Cell, Table
from rankgauge.remarks import Remark
from rankgauge.results.remarks import describe
from rankgauge.statistics.dates import FEWEST_DATES
from rankgauge.statistics.intervals import LEVEL
from rankgauge.stocks.daily import Stock
from rankgauge.stocks.ranked import RankedStocks
from rankgauge.stocks.summary import (
    ALL,
    OVER_DAYS,
    SKILL,
    TRIED,
    ErrorSettings,
    Summary,
    method,
    summarise,
    tries,
    warning,
)
from rankgauge.stocks.tranches import MEASURES, Tranches

if TYPE_CHECKING:
    from rankgauge.statistics.dates import DatesMean
    from rankgauge.stocks.comparison import StudyComparison

SHOWN = 3
# No model has such a rank correlation with returns on average; a handful of stocks may.
LEAK, LEAK_STOCKS = 0.5, 5
SHOWN_STOCKS = 20
_DATE = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_NOT_OF_EXTREMES = ("ic", "hit_rate", "turnover")  # so that a line fits a screen, as does leaving out corrected_ndcg
_MARKETS = ((Text("up"), True), (Text("down"), False))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PerDate(DataFrameMixin):
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
class Study(PartsMixin):
    """How well a model orders stocks.

    `study["rank_ic"]` is the summary of a measure; `per_date` has a column of its values.
    """

    per_date: PerDate
    k: int
    rules: Rules
    care: ErrorSettings
    # Measure → the expected value of a random order on each date.
    chances: Mapping[str, Sequence[float]]
    # Whether the market rose over the horizon of each date.
    rose: Sequence[bool]
    convention: Convention
    audit: Audit
    # What was remarked on while the inputs were read.
    input_remarks: tuple[Remark, ...]
    # The stocks of the date by rank, if there is only one date.
    stocks: tuple[Stock, ...]
    # Date → how many stocks have a graded return, and the sum of their returns: what tells prices apart.
    universe: Mapping[str, tuple[int, float]]
    # The stocks with a score and a return, and what their portfolios earned day by day, if prices are known.
    ranked: RankedStocks
    tranches: Tranches | None
    # The number of models that were tried, this one among them.
    tried: int = 1

    @property
    def horizon(self) -> int:
        """The number of rows of a stock over which its return goes."""
        return self.rules.horizon

    @property
    def ndcg(self) -> str:
        """The name of the first measure, NDCG."""
        return next(iter(self.chances))

    def __getitem__(self, measure: str) -> Summary:
        return self.summary(measure)

    def summary(self, measure: str, dates: Sequence[int] | None = None) -> Summary:
        """Return the summary of a measure over all dates, or over those with these numbers."""
        known = [name for name in self.per_date.values if name != "date"]
        require_choice("a measure of the study", measure, known, "the columns of study.per_date")
        numbers = range(len(self.per_date)) if dates is None else dates
        values = self.per_date[measure]
        chance = self.chances.get(measure) or [math.nan] * len(values)
        kept = [values[date] for date in numbers], [chance[date] for date in numbers]
        return summarise(*kept, self.care, skill=self._skill(measure, numbers)).after(self.tried)

    def _skill(self, measure: str, dates: Sequence[int]) -> DatesMean | None:
        """The mean above chance of a measure that is a return of portfolios, with its error in calendar time."""
        if measure not in MEASURES or self.tranches is None:
            return None
        values, chance = self.per_date[measure], self.chances[measure]
        kept = [date for date in dates if not math.isnan(values[date])]
        mean = math.fsum(values[date] - chance[date] for date in kept) / len(kept) if kept else math.nan
        return self.tranches.mean(measure, kept, mean)

    def table(self) -> Table:
        """Return a row per measure: mean, chance, and the difference from it with interval, t and p."""
        return self._table(SKILL | (TRIED if self.tried > 1 else {}))

    def over_days(self) -> Table:
        """Return a row per measure: how many days there are, and how the difference from chance varies over them."""
        return self._table(OVER_DAYS)

    def rows_table(self) -> Table:
        """Return a row per measure with every column: what programs read."""
        return self._table(ALL)

    def _table(self, columns: Mapping[str, str]) -> Table:
        rows = [[measure, *self[measure].cells(*columns)] for measure in self.chances]
        return Table(headings("measure", *columns.values()), rows)

    def by_stock(self) -> Table:
        """Return a row per stock, in the order of the model, if there is only one date."""
        return Table(headings("rank", "ticker", "return", "grade"), [list(stock) for stock in self.stocks])

    def by_year(self) -> Table:
        """Return a row per year."""
        years: dict[str, list[int]] = {}
        for number, date in enumerate(self.per_date["date"]):
            if _DATE.match(date):  # numbered days belong to no year
                years.setdefault(date[:4], []).append(number)
        return self._split(Text("year"), list(years.items()))

    def by_market(self) -> Table:
        """Return a row for the dates whose universe rose over the horizon, and one for the others."""
        parts = [(name, [number for number, rose in enumerate(self.rose) if rose is up]) for name, up in _MARKETS]
        return self._split(Text("market"), parts)

    def _split(self, name: str, parts: Sequence[tuple[str, list[int]]]) -> Table:
        shown = [self.ndcg, "rank_ic", "top_return", "spread"]
        rows: list[list[Cell]] = []
        for part, dates in parts:
            first = self.summary(self.ndcg, dates)
            means = [_cell(_mean([self.per_date[measure][date] for date in dates])) for measure in shown]
            rows.append([part, len(dates), means[0], _cell(first.chance), _cell(first.t), *means[1:]])
        return Table([name, Text("days"), self.ndcg, Text("chance"), "t", "rank_ic", "top_return", "spread"], rows)

    def best(self, days: int = SHOWN) -> Table:
        """Return the dates on which the model was furthest above chance."""
        return self._extreme(days, highest=True)

    def worst(self, days: int = SHOWN) -> Table:
        """Return the dates on which the model was furthest below chance, or least above it."""
        return self._extreme(days, highest=False)

    def _extreme(self, days: int, *, highest: bool) -> Table:
        above, table = self._above(), self.per_date.table()
        left_out = (*_NOT_OF_EXTREMES, list(self.chances)[1])
        columns = [column for column, name in enumerate(table.headers) if name not in left_out]
        known = [date for date, value in enumerate(above) if not math.isnan(value)]
        order = sorted(known, key=lambda date: -above[date] if highest else above[date])
        headers = [Text("best") if highest else Text("worst"), *(table.headers[column] for column in columns[1:])]
        return Table(headers, [[table.rows[date][column] for column in columns] for date in order[:days]])

    def _above(self) -> list[float]:
        values, chance = self.per_date[self.ndcg], self.chances[self.ndcg]
        return [value - base for value, base in zip(values, chance, strict=True)]

    def compare(
        self,
        other: Study,
        *,
        names: tuple[str, str] = ("this", "other"),
        margin: float | None = None,
        level: float = LEVEL,
    ) -> StudyComparison:
        """Compare with another model on the dates that both have: this less the other, with errors for dependent days.

        `rg.stocks.compare` compares several models.

        Parameters
        ----------
            other: the study of the other model, with the same options.
            names: what the two models are called in tables.
            margin: two models that differ by less are equivalent.
            level: the level of the interval.

        """
        from rankgauge.stocks.study_pairing import compare_studies

        if not isinstance(other, Study):
            raise RankgaugeError("different-studies", field="kinds", got=f"a study and a {type(other).__name__}")
        studies = dict(zip(names, (self, other), strict=True))
        return compare_studies(studies, baseline=names[1], margin=margin, level=level)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """How the numbers were computed, and what was left out."""
        few = warning(len(self.per_date), self.care, self.horizon, Text("the model is better than chance"))
        return (
            *self._of_one_date(),
            Remark.of("convention", Text("{}; a date is a query, a stock an item", describe(self.convention))),
            Remark.of("chance", Text("the value that a random order of the stocks of the date has on average")),
            *(few or [self._errors()]),
            *tries(self.tried, self[self.ndcg].degrees),
            *self._leaks(),
            *self.input_remarks,
            *self.audit.remarks,
        )

    def _of_one_date(self) -> list[Remark]:
        if not self.stocks:
            return []
        date, more = self.per_date["date"][0], len(self.stocks) - SHOWN_STOCKS
        lower = [Remark.of("stocks", Text("{:,} more, of lower ranks or without a score", more))] if more > 0 else []
        only = (
            [] if date == ONLY_DATE else [Remark.of("date", Text("{} alone", date))]
        )  # the audit says that there are none
        return [*lower, *only]

    def _leaks(self) -> list[Remark]:
        """Say if the scores order the stocks by their returns on enough dates with enough stocks."""
        many = [ic for ic, n in zip(self.per_date["rank_ic"], self.per_date["n"], strict=True) if n >= LEAK_STOCKS]
        mean = _mean(many)
        if len(many) < FEWEST_DATES or not abs(mean) >= LEAK:
            return []
        text = Text("rank_ic is {:.2f} on average over {:,} dates; skill is below 0.1", mean, len(many))
        return [Remark.of("leak", text)]

    def _errors(self) -> Remark:
        shared = Text("no two dates share returns")
        if self.care.overlap:
            shared = Text("a date shares returns with {}", counted(self.care.overlap, "later date"))
        how = method(Text("mean − chance"), calendar_time=self.tranches is not None)
        return Remark.of("errors", Text("{}; {}", shared, how))

    def parts(self, *, per_date: bool = False) -> list[Part]:
        """Return the tables, the counts of the audit and the remarks, as they are shown to a person."""
        tables = [self.table(), self.over_days(), self.by_market(), self.by_year(), self.best(), self.worst()]
        if self.stocks:  # for a single date, the other tables would repeat the first
            every = self.by_stock()
            tables = [self.table(), Table(every.headers, every.rows[:SHOWN_STOCKS])]
        shown = [self.per_date.table()] * per_date + [table for table in tables if table.rows] + [self.audit.overview()]
        return [*(part for table in shown for part in (table, "")), *self.remarks]

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
            "tried": self.tried,
            "measures": measures,
            "care": self.care._asdict(),
            **{
                name: [dict(zip(table.headers, row, strict=True)) for row in table.rows]
                for name, table in tables.items()
            },
            "audit": self.audit.to_dict(),
            "remarks": [remark.to_dict() for remark in self.remarks],
        }
        return values | ({"per_date": self.per_date.columns()} if per_date else {})

    def to_json(self, *, per_date: bool = False) -> str:
        """Write `to_dict` as JSON."""
        return json_text(self.to_dict(per_date=per_date))
