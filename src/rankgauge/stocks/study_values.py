"""StudyValues: the numbers of a model on every date, and what each measure amounts to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from rankgauge.checks import require_choice
from rankgauge.conventions import Convention
from rankgauge.grading.audited import Audit
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.table import Cell, Table
from rankgauge.remarks import Remark
from rankgauge.results.measure_lookup import ByMeasure
from rankgauge.stocks.daily_numbers import Stock
from rankgauge.stocks.ranked_stocks import RankedStocks
from rankgauge.stocks.summary import ErrorSettings, Summary, summarise
from rankgauge.stocks.tranches import MEASURES, Tranches

if TYPE_CHECKING:
    from rankgauge.statistics.mean_over_dates import DatesMean
    from rankgauge.stocks.returns_and_scores import Numbers


_DATE: Final = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_MARKETS: Final = ((Text("up"), True), (Text("down"), False))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PerDate(DataFrameMixin):
    """The numbers of each date: `.to_pandas()`, `.to_polars()`, or any library that takes Arrow."""

    values: ByMeasure[Sequence[Any]]

    def __getitem__(self, name: str | Measure) -> Sequence[Any]:
        return self.values[name]

    def __len__(self) -> int:
        return len(self.values["date"])

    def table(self) -> Table:
        """Return a row per date."""
        columns = [[cell_of(value) for value in column] for column in self.values.values()]
        return Table(list(self.values), list(zip(*columns, strict=True)))


def mean_of_known(values: Sequence[float]) -> float:
    """Return the mean of the values that are not NaN; NaN where there is none."""
    known = [value for value in values if not math.isnan(value)]
    return fmean(known) if known else math.nan


def cell_of(value: Any) -> Cell:  # noqa: ANN401 - a number or a date
    """Return a value as a cell, with None for NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class StudyValues:
    """The numbers of a model on every date, beside those of chance, and what they were computed from."""

    per_date: PerDate
    k: int
    rules: ReturnRules
    care: ErrorSettings
    # Measure → the expected value of a random order on each date.
    chances: ByMeasure[Sequence[float]]
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
    # Every ticker, by the numbers that `ranked` has, and the mean return of all stocks on each session.
    tickers: tuple[str, ...]
    market: Numbers
    # The number of models that were tried, this one among them.
    tried: int = 1
    # Horizon → measure → its summary, if several horizons were asked for.
    horizons: Mapping[int, ByMeasure[Summary]] = field(default_factory=dict)

    @property
    def horizon(self) -> int:
        """The number of rows of a stock over which its return goes."""
        return self.rules.horizon

    @property
    def ndcg(self) -> str:
        """The name of the first measure, NDCG."""
        return next(iter(self.chances))

    def __getitem__(self, measure: str | Measure) -> Summary:
        return self.summary(measure)

    def summary(self, measure: str | Measure, dates: Sequence[int] | None = None) -> Summary:
        """Return the summary of a measure over all dates, or over those with these numbers.

        Parameters:
            measure: one of the measures of the study, by any of its names.
            dates: numbers of dates, the first of the study being 0; default: all.

        """
        name = self.name_of(measure)
        numbers = range(len(self.per_date)) if dates is None else dates
        values = self.per_date[name]
        chance = self.chances.get(name) or [math.nan] * len(values)
        kept = [values[date] for date in numbers], [chance[date] for date in numbers]
        return summarise(*kept, self.care, skill=self._skill(name, numbers)).after(self.tried)

    def name_of(self, measure: str | Measure) -> str:
        """Return a measure as the study shows it; raise if the study has none of that name.

        Parameters:
            measure: one of the measures of the study, by any of its names.

        """
        known = [name for name in self.per_date.values if name != "date"]
        name = self.per_date.values.label(measure) or measure
        require_choice("a measure of the study", name, known, "the columns of study.per_date")
        return str(name)

    def _skill(self, measure: str, dates: Sequence[int]) -> DatesMean | None:
        """The mean above chance of a measure that is a return of portfolios, with its error in calendar time."""
        if measure not in MEASURES or self.tranches is None:
            return None
        values, chance = self.per_date[measure], self.chances[measure]
        kept = [date for date in dates if not math.isnan(values[date])]
        mean = math.fsum(values[date] - chance[date] for date in kept) / len(kept) if kept else math.nan
        return self.tranches.mean(measure, kept, mean)

    def years(self) -> list[tuple[str, list[int]]]:
        """Return each year with the numbers of its dates; numbered days belong to no year."""
        years: dict[str, list[int]] = {}
        for number, date in enumerate(self.per_date["date"]):
            if _DATE.match(date):
                years.setdefault(date[:4], []).append(number)
        return list(years.items())

    def markets(self) -> list[tuple[str, list[int]]]:
        """Return the numbers of the dates whose universe rose over the horizon, and of the others."""
        return [(name, [number for number, rose in enumerate(self.rose) if rose is up]) for name, up in _MARKETS]

    def volatilities(self) -> list[tuple[str, list[int]]]:
        """Return the numbers of the dates in thirds, by the volatility of the market in the month before."""
        from rankgauge.stocks.regimes import by_volatility

        return [(Text(name), dates) for name, dates in by_volatility(self)]
