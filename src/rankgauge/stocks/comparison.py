"""StudyComparison: two or more models on the dates that all of them have, and which of them differ."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.notation import counted
from rankgauge.presentation.table import Cell, Probability, Table, interval_headings
from rankgauge.remarks import Remark
from rankgauge.results.aligned_runs import mean_of
from rankgauge.results.comparison import CORRECTIONS, Comparison
from rankgauge.results.measure_lookup import ByMeasure
from rankgauge.results.pair import Pair
from rankgauge.results.remarks import describe
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.power import ALPHA, POWER
from rankgauge.statistics.student import t_quantile
from rankgauge.stocks.summary import SKILL, TRIED, ErrorSettings, Summary, method, tries, warning

if TYPE_CHECKING:
    import altair as alt

    from rankgauge.measures import Measure
    from rankgauge.presentation.parts import Part
    from rankgauge.presentation.report.page import Report
    from rankgauge.statistics.mean_over_dates import DatesMean


# Without slots, so that `super()` works: a dataclass with slots is another class than the one that was written.
@dataclass(frozen=True, repr=False, eq=False)
class StudyComparison(Comparison):
    """Which models differ, by how much, and how sure that is, measure by measure, with errors for dependent days.

    A model is a run, and a date a query: `pair`, `pairs` and `headline` are those of `rg.compare`. `skill` has each
    model beside chance, corrected for the number of models.

    >>> import polars as pl, rankgauge as rg
    >>> dates = pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 3, 1), "1d", eager=True)
    >>> prices = pl.DataFrame({"date": dates}).with_columns(
    ...     **{f"T{i}": 100 + i * pl.int_range(pl.len()) / 10 for i in range(1, 10)})
    >>> knows = prices.select("date", *(pl.lit(float(i)).alias(f"T{i}") for i in range(1, 10)))
    >>> errs = prices.select("date", *(pl.lit(float(-i)).alias(f"T{i}") for i in range(1, 10)))
    >>> comparison = rg.stocks.compare(prices, {"errs": errs, "knows": knows}, k=3, horizon=2)
    >>> round(comparison.pair("rank_ic", "knows", "errs").difference, 3)
    2.0
    """

    # Measure → model → its summary over the common dates.
    summaries: ByMeasure[Mapping[str, Summary]] = field(kw_only=True)
    # The difference of each pair with its error, in the order of `pairs`.
    differences: tuple[DatesMean, ...] = field(kw_only=True)
    # How many dates each model has that another lacks.
    left_out: tuple[int, ...] = field(kw_only=True)
    # Dates on which chance differs because the models rank different stocks.
    unlike: int = field(kw_only=True)
    horizon: int = field(kw_only=True)
    care: ErrorSettings = field(kw_only=True)
    tried: int = field(kw_only=True)
    # Whether top_return and spread have their errors from calendar time.
    calendar_time: bool = field(kw_only=True)

    @property
    def dates(self) -> int:
        """How many dates all models have."""
        return len(self.aligned.queries)

    def _find(self, measure: str | Measure) -> str:
        name = self.summaries.label(measure) or measure
        require_choice("a measure of the studies", name, list(self.aligned.values), "the rows of a study")
        return str(name)

    def _label(self, measure: Any) -> str:  # noqa: ANN401 - the name of a measure
        return str(measure)

    def skill(self, measure: str | Measure, run: str) -> Summary:
        """Return the summary of a model over the common dates; `p_adjusted` is Holm's over all models tried.

        Parameters:
            measure: one of the measures of the studies, by any of its names.
            run: the name of the model.

        """
        return self.summaries[self._find(measure)][run]

    def mean(self, measure: str | Measure, run: str) -> float:
        """Return the mean of a model over the dates on which all models have a value."""
        column = self._find(measure)
        return mean_of(self.aligned.column(column, run)[self.aligned.counted(column)], "mean")

    def interval(self, measure: str | Measure, run: str) -> Interval:
        """Return the interval of the mean of a model; with a value of chance, that of the difference moved by it."""
        row = self.summaries[self._find(measure)][run]
        return Interval(row.chance + row.low, row.chance + row.high)

    def table(self) -> Table:
        """Return a row per model and a column per measure, with marks of significance; the best is in bold."""
        measures = [measure for measure in self.measures if not _repeats(measure)]
        names = [self._named(run) for run in self.runs]
        columns = [self._column(measure) if measure != "turnover" else self._plain(measure) for measure in measures]
        rows: list[list[Cell]] = [[name, *cells] for name, *cells in zip(names, *columns, strict=True)]
        return Table([Text("model"), *measures], rows)

    def _plain(self, measure: str) -> list[Cell]:
        """The means of a measure that is neither good nor bad."""
        means = [self.mean(measure, run) for run in self.runs]
        return [None if math.isnan(mean) else mean for mean in means]

    def skill_table(self) -> Table:
        """Return a row per model beside chance, by the first measure, corrected for the number of models."""
        first, columns = self.measures[0], SKILL | TRIED
        rows = [[run, *self.skill(first, run).cells(*columns)] for run in self.runs]
        return Table([Text("model ({})", first), *headings(*columns.values())], rows)

    def pairs_table(self) -> Table:
        """Return a row per measure and pair as people read it."""
        several = len(self.pairs) > len(self.measures)
        margin = self.design.margin
        names, last = (headings("pair"), headings("p", "adjusted")) if several else ([], headings("t", "p"))
        headers = [Text("measure"), *names, Text("difference"), *interval_headings(self.design.level), *last]
        headers += headings("higher", "lower", "equal")
        headers += [] if margin is None else [Text("within {margin:g}: p", margin=margin)]
        rows = []
        for pair in self._shown_pairs():
            numbers = [pair.difference, *pair.interval]
            numbers += [Probability(pair.p), Probability(pair.p_adjusted)] if several else [pair.statistic]
            numbers += [] if several else [Probability(pair.p)]
            shown: list[Cell] = [None if math.isnan(number) else number for number in numbers]
            which: list[Cell] = [f"{pair.first} − {pair.second}"] if several else []
            counts: list[Cell] = [pair.wins, pair.losses, pair.ties]
            equivalent: list[Cell] = [] if margin is None else [pair.p_equivalence]
            rows.append([pair.measure, *which, *shown, *counts, *equivalent])
        return Table(headers, rows)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Which dates were compared, how errors were computed, and what may matter in the data."""
        unlike = Text("differs on {:,} of them, and is taken away before the difference", self.unlike)
        few = warning(self.dates, self.care, self.horizon, Text("one model is better than the other"))
        errors = Remark.of("errors", method(Text("the differences"), calendar_time=self.calendar_time))
        return (
            Remark.of("convention", Text("{}; a date is a query, a stock an item", describe(self.convention))),
            Remark.of("dates", self._dates()),
            self._comparisons(),
            *([] if few else [self._marks()]),
            *([Remark.of("chance", unlike)] if self.unlike else []),
            *(few or [errors, *tries(self.tried, self.skill(self.measures[0], self.runs[0]).degrees)]),
            *self.input_remarks,
        )

    def _dates(self) -> Text:
        only = [Text("{:,} of {}", count, run) for count, run in zip(self.left_out, self.runs, strict=True) if count]
        two = len(self.runs) == 2
        both = Text("{:,} that both have", self.dates) if two else Text("{:,} that all models have", self.dates)
        return Text("{}; left out: {}", both, Text.joined(", ", only)) if only else both

    def _comparisons(self) -> Remark:
        per_measure = self._per_measure
        family = Text("{} over the {:,} of each measure", CORRECTIONS[self.design.correction], per_measure)
        if per_measure == 1:
            family = Text("one of each measure, so none is corrected")
        return Remark.of("comparisons", Text("{}; {}", counted(len(self._shown_pairs()), "comparison"), family))

    def _shown_pairs(self) -> list[Pair]:
        """Return the pairs of measures that do not repeat another."""
        return [pair for pair in self.pairs.rows if not _repeats(pair.measure)]

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        moved = self.moved_table()
        most: list[Part] = [moved, ""] if moved.rows and len(self.runs) == 2 else []
        tables: list[Part] = [self.table(), "", self.skill_table(), "", self.pairs_table(), ""]
        return [self.headline(), "", *tables, *most, *self.remarks]

    def plot(
        self, what: str = "differences", measure: str | Measure | None = None, *, themed: bool = True
    ) -> alt.TopLevelMixin:
        """Return a chart of Altair with the data of the report; it takes `pip install 'rankgauge[plots]'`.

        Parameters:
            what: `differences` with their intervals, or `ordered`, the difference of each date.
            measure: the measure to show; default: the first.
            themed: whether it has our theme; charts that are to be joined with others must have none.

        """
        from rankgauge.presentation.charts.plotting import plot
        from rankgauge.stocks.tear_sheet.plots import chart_of_models

        return plot(chart_of_models(self, what, measure), themed=themed)

    # Dates have neither segments nor texts.
    def report(  # type: ignore[override]
        self, path: str | os.PathLike[str] | None = None, *, command: str | None = None
    ) -> Report:
        """Return a report: one HTML page with the models, their differences and the dates behind them.

        Parameters:
            path: where it is written; default: nowhere. `report.to_html()` is its text, and a notebook shows it.
            command: what made it, as the report says; default: this call.

        """
        from rankgauge.stocks.tear_sheet.comparison import report_of_models

        made = report_of_models(self, command=command)
        return made if path is None else made.save(path)

    def by(self, *_: object, **__: object) -> NoReturn:
        """Refuse segments: dates of a segment lie apart, so that their dependence is not that of the study."""
        raise RankgaugeError("no-segments-of-dates")

    def power(self, difference: float | None = None, *, power: float = POWER, alpha: float = ALPHA) -> Table:
        """Return how many dates show a difference, and which one these dates show, from these dates as a pilot.

        Parameters:
            difference: the true difference to be found; default: the observed one of each pair.
            power: with which probability it is to be found.
            alpha: the level of the two-sided test.

        """
        rows: list[list[Cell]] = []
        for pair, observed in zip(self.pairs.rows, self.differences, strict=True):
            sought = abs(pair.difference if difference is None else difference)
            shown = detectable(observed, power, alpha)
            needed = math.ceil(pair.n * (shown / sought) ** 2) if shown > 0 and sought > 0 else None
            names = f"{pair.first} − {pair.second}"
            rows.append([pair.measure, names, pair.n, None if math.isnan(shown) else shown, sought, needed])
        headers = [*headings("measure", "pair", "dates"), Text("shown {power:.0%}", power=power)]
        return Table([*headers, *headings("difference", "dates needed")], rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with all digits."""
        skill = {
            measure: {run: summary._asdict() for run, summary in of_runs.items()}
            for measure, of_runs in self.summaries.items()
        }
        values = {("dates" if name == "queries" else name): value for name, value in super().to_dict().items()}
        about = {"left_out": dict(zip(self.runs, self.left_out, strict=True)), "unlike": self.unlike}
        return values | about | {"tried": self.tried, "care": self.care._asdict(), "skill": skill}


def _repeats(measure: str) -> bool:
    """Whether a measure says again what stands beside it: NDCG that is corrected for chance."""
    return measure.startswith("corrected_")


def detectable(difference: DatesMean, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return the smallest true difference that is found with this probability: a multiple of the standard error.

    Bloom 1995, Minimum Detectable Effects, Evaluation Review 19(5).
    """
    if math.isnan(difference.error):
        return math.nan
    return difference.error * (
        t_quantile(1.0 - alpha / 2.0, difference.degrees) + t_quantile(power, difference.degrees)
    )
