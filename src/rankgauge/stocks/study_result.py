"""Study: the numbers of a model on every date, and what they amount to."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge.checks import bad_number
from rankgauge.errors import RankgaugeError
from rankgauge.grading.times import ONLY_DATE
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.notation import counted, date_text
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.presentation.table import Cell, Table
from rankgauge.remarks import Remark
from rankgauge.results.pair import written_p
from rankgauge.results.remarks import describe
from rankgauge.statistics import LEVEL
from rankgauge.statistics.mean_over_dates import FEWEST_DATES
from rankgauge.stocks.study_values import StudyValues, cell_of, mean_of_known
from rankgauge.stocks.summary import (
    ALL,
    OVER_DAYS,
    SKILL,
    TRIED,
    Summary,
    method,
    tries,
    warning,
)

if TYPE_CHECKING:
    import altair as alt

    from rankgauge.measures import Measure
    from rankgauge.presentation.report.page import Report
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.stocks.comparison import StudyComparison

SHOWN = 3
# No model has a larger mean rank correlation with returns, unless it ranks a handful of stocks.
LEAK, LEAK_STOCKS = 0.5, 5
SHOWN_STOCKS = 20
_NOT_OF_EXTREMES = ("ic", "hit_rate", "turnover")  # so that a line fits a screen, as does leaving out corrected_ndcg


def _plain(of_measures: Mapping[str, Summary]) -> dict[str, Any]:
    return {measure: summary._asdict() for measure, summary in of_measures.items()}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Study(StudyValues, PartsMixin):
    """How well a model orders stocks.

    `study["rank_ic"]` is the summary of a measure; `per_date` has a column of its values.
    """

    def headline(self) -> Text:
        """Return in one sentence whether the model is shown to be better than chance, by NDCG."""
        row = self[self.ndcg]
        values = self.ndcg, row.mean, row.chance
        if row.days < self.care.fewest:
            return Text("too few dates to tell luck from skill: {} is {}, chance {}", *values)
        if math.isnan(row.p):
            return Text("the same difference on every date: {} is {}, chance {}", *values)
        interval = Text("95% {} to {}, p {}", row.low, row.high, written_p(row.p))
        if row.p >= 1.0 - LEVEL:
            return Text("no skill shown: {} is {}, chance {}; difference {} ({})", *values, row.above, interval)
        if row.above > 0:
            return Text("better than chance: {} is {}, chance {}; difference {} ({})", *values, row.above, interval)
        return Text("worse than chance: {} is {}, chance {}; difference {} ({})", *values, row.above, interval)

    def table(self) -> Table:
        """Return a row per measure: mean, chance, and the difference from it with interval, t and p."""
        return self._table(SKILL | (TRIED if self.tried > 1 else {}))

    def over_days(self) -> Table:
        """Return a row per measure: how many days there are, and how the difference from chance varies over them."""
        return self._table(OVER_DAYS)

    def rows_table(self) -> Table:
        """Return a row per measure with every column: what programs read."""
        return Table(["measure", *ALL.values()], [[measure, *self[measure].cells(*ALL)] for measure in self.chances])

    def _table(self, columns: Mapping[str, str]) -> Table:
        rows = [[measure, *self[measure].cells(*columns)] for measure in self.chances]
        return Table([Text("measure"), *headings(*columns.values())], rows)

    def by_stock(self) -> Table:
        """Return a row per stock, in the order of the model, if there is only one date."""
        return Table(headings("rank", "ticker", "return", "grade"), [list(stock) for stock in self.stocks])

    def by_year(self) -> Table:
        """Return a row per year."""
        return self._split(Text("year"), self.years())

    def by_market(self) -> Table:
        """Return a row for the dates whose universe rose over the horizon, and one for the others."""
        return self._split(Text("market"), self.markets())

    def by_volatility(self) -> Table:
        """Return a row for each third of the dates, by the volatility of the market in the month before."""
        return self._split(Text("market before"), self.volatilities())

    def by_month(self, measure: str | Measure = "rank_ic") -> Table:
        """Return the mean of a measure in each month: a row per year, a column per month.

        Parameters:
            measure: one of the measures of the study, by any of its names; default: the rank correlation.

        """
        from rankgauge.stocks.regimes import month_table

        return month_table(self, self.name_of(measure))

    def by_horizon(self) -> Table:
        """Return a row per horizon, if several were asked for: how skill decays with time."""
        headers = [*headings("horizon", "days"), self.ndcg, Text("chance"), "t", "rank_ic", "t", "ICIR", "spread", "t"]
        rows = []
        for horizon, of_measures in self.horizons.items():
            ndcg, ic, spread = (of_measures[measure] for measure in (self.ndcg, "rank_ic", "spread"))
            cells = [*ndcg.cells("days", "mean", "chance", "t"), *ic.cells("mean", "t", "ratio")]
            rows.append([horizon, *cells, *spread.cells("mean", "t")])
        return Table(headers, rows)

    def by_bucket(self, count: int | None = None) -> Table:
        """Return a row per bucket of the scores, from the lowest to the highest: what its stocks earned.

        Parameters:
            count: into how many parts of equal size a date is cut; default: as many as there are grades.

        """
        from rankgauge.stocks.buckets import by_bucket

        return by_bucket(self, count)

    def by_group(self, groups: SegmentsInput) -> Table:
        """Return a row per group of stocks, such as a sector: the rank correlation within it, and what it earned.

        Parameters:
            groups: a mapping of ticker to group; a table with a column of tickers and one of groups, or (table,
                column); or text such as `sectors.csv:sector`.

        """
        from rankgauge.stocks.groups import by_group

        return by_group(self, groups)

    def by_period(self, periods: Sequence[int] = ()) -> Table:
        """Return a row per number of dates: how much the order resembles that of so many dates before.

        Parameters:
            periods: numbers of dates; default: 1, and the number after which portfolios do not overlap.

        """
        from rankgauge.stocks.persistence import by_period

        return by_period(self, periods or sorted({1, self.care.overlap + 1}))

    def break_even(self) -> Table:
        """Return a row per portfolio: its return over the horizon, its turnover, and the cost that would consume it."""
        from rankgauge.stocks.persistence import break_even_table

        return break_even_table(self)

    def ranking(self, date: object) -> Table:
        """Return the stocks of a date in the order of the model, with score, return and grade.

        Parameters:
            date: as text, or as a date of any library.

        """
        dates, text = list(self.per_date["date"]), date_text(date)
        if text not in dates:
            expected = f"one of the study, from {dates[0]} to {dates[-1]}"
            raise bad_number("date", expected, text, "study.per_date has all of them")
        stocks = self.ranked.rows(self.ranked.slices()[dates.index(text)])
        order = sorted(range(len(stocks.stock)), key=lambda row: (-stocks.score[row], self.tickers[stocks.stock[row]]))
        ranks = [1 + int((stocks.score > stocks.score[row]).sum()) for row in order]
        tickers = [self.tickers[stocks.stock[row]] for row in order]
        values = [[column[row] for row in order] for column in (stocks.score.tolist(), stocks.value.tolist())]
        grades = [int(stocks.grade[row]) for row in order]
        rows: list[list[Cell]] = [list(row) for row in zip(ranks, tickers, *values, grades, strict=True)]
        return Table(headings("rank", "ticker", "score", "return", "grade"), rows)

    def _split(self, name: str, parts: Sequence[tuple[str, list[int]]]) -> Table:
        shown = [self.ndcg, "rank_ic", "top_return", "spread"]
        rows: list[list[Cell]] = []
        for part, dates in parts:
            first = self.summary(self.ndcg, dates)
            means = [cell_of(mean_of_known([self.per_date[measure][date] for date in dates])) for measure in shown]
            rows.append([part, len(dates), means[0], cell_of(first.chance), cell_of(first.t), *means[1:]])
        return Table([name, Text("days"), self.ndcg, Text("chance"), "t", "rank_ic", "top_return", "spread"], rows)

    def best(self, days: int = SHOWN) -> Table:
        """Return the dates on which the model was furthest above chance.

        Parameters:
            days: how many dates; default: 3.

        """
        return self._extreme(days, highest=True)

    def worst(self, days: int = SHOWN) -> Table:
        """Return the dates on which the model was furthest below chance, or least above it.

        Parameters:
            days: how many dates; default: 3.

        """
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

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        group: SegmentsInput | None = None,
        command: str | None = None,
    ) -> Report:
        """Return the tear sheet: one HTML page with the study over time, by horizon, bucket, group, year and day.

        Parameters:
            path: where it is written; default: nowhere. `report.to_html()` is its text, and a notebook shows it.
            group: groups of stocks, such as sectors, as for `by_group`.
            command: what made it, as the page says; default: this call.

        """
        from rankgauge.stocks.tear_sheet.page import tear_sheet

        made = tear_sheet(self, group=group, command=command)
        return made if path is None else made.save(path)

    def plot(self, what: str = "ic", *, themed: bool = True) -> alt.TopLevelMixin:
        """Return a chart of Altair with the data of the tear sheet; it takes `pip install 'rankgauge[plots]'`.

        Parameters:
            what: `ic` and `ndcg` over time; `months`, rank IC by month; `buckets`, the mean return of each;
                `cumulative`, what the spread earned; `horizons`, if several were studied.
            themed: whether it has our theme; charts that are to be joined with others must have none.

        """
        from rankgauge.presentation.charts.plotting import plot
        from rankgauge.stocks.tear_sheet.plots import chart_of_study

        return plot(chart_of_study(self, what), themed=themed)

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

        Parameters:
            other: the study of the other model, with the same options.
            names: what the two models are called in tables.
            margin: two models that differ by less are equivalent.
            level: the level of the interval.

        """
        from rankgauge.stocks.study_pairing import compare_studies

        if not isinstance(other, Study):
            raise RankgaugeError("different-studies", field="kinds", got=f"a study and a {type(other).__name__}")
        if names[0] == names[1]:
            raise RankgaugeError("same-run", got=names[0])
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
        mean = mean_of_known(many)
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
        """Return the tables, the counts of the audit and the remarks, as they are shown to a person.

        Parameters:
            per_date: whether the table of values per date comes first; default: no.

        """
        tables = [self.table(), self.over_days(), self.by_market(), self.by_year(), self.best(), self.worst()]
        if self.stocks:  # for a single date, the other tables would repeat the first
            every = self.by_stock()
            tables = [self.table(), Table(every.headers, every.rows[:SHOWN_STOCKS])]
        if self.horizons:
            tables.insert(2, self.by_horizon())
        shown = [self.per_date.table()] * per_date + [table for table in tables if table.rows] + [self.audit.overview()]
        return [*(part for table in shown for part in (table, "")), *self.remarks]

    def to_dict(self, *, per_date: bool = False) -> dict[str, Any]:
        """Return plain values with all digits.

        Parameters:
            per_date: whether the values per date are in it, under `per_date`; default: no.

        """
        measures = _plain({measure: self[measure] for measure in self.chances})
        tables = {
            "by_stock": self.by_stock(),
            "by_year": self.by_year(),
            "by_market": self.by_market(),
            "by_volatility": self.by_volatility(),
            "by_bucket": self.by_bucket(),
            "by_period": self.by_period(),
            "break_even": self.break_even(),
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
            "horizons": {str(horizon): _plain(of_measures) for horizon, of_measures in self.horizons.items()},
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
        """Write `to_dict` as JSON.

        Parameters:
            per_date: whether the values per date are in it, under `per_date`; default: no.

        """
        return json_text(self.to_dict(per_date=per_date))
