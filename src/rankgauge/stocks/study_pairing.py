"""From studies to a comparison: every pair of models on the dates that all have, tested and corrected."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.checks import require_choice, whole_number
from rankgauge.errors import RankgaugeError
from rankgauge.notation import counted
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.aligned_runs import AlignedRuns
from rankgauge.results.comparison import Design
from rankgauge.results.measure_lookup import ByMeasure
from rankgauge.results.pair import Pair, Pairs
from rankgauge.results.pairing import corrected, design_of, effect_of, equivalence_p, most_moved, pairs_of
from rankgauge.statistics import LEVEL
from rankgauge.statistics.best_by_luck import MOST_TRIED
from rankgauge.statistics.corrections import Correction, holm
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.mean_over_dates import DatesMean, mean_over_dates
from rankgauge.statistics.paired import EQUAL
from rankgauge.stocks.comparison import StudyComparison, detectable
from rankgauge.stocks.summary import ErrorSettings, Summary
from rankgauge.stocks.tranches import MEASURES, mean_of_days

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import Numbers
    from rankgauge.stocks.study_result import Study

ROUNDING: Final = 1e-9  # stocks are summed in rank order, which differs between models


@dataclass(frozen=True, slots=True)
class CommonDates:
    """Studies of the same prices, and the numbers that the dates which all have in each of them."""

    studies: Mapping[str, Study]
    dates: tuple[str, ...]
    numbers: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, studies: Mapping[str, Study]) -> CommonDates:
        """Find the dates that all studies have; raise if there are none, or if options or prices differ."""
        first, *others = studies.values()
        for other in others:
            _require_alike(first, other)
        number_of = {
            name: {date: number for number, date in enumerate(study.per_date["date"])}
            for name, study in studies.items()
        }
        dates = [date for date in first.per_date["date"] if all(date in known for known in number_of.values())]
        if not dates:
            begins = " and ".join(f"{study.per_date['date'][0]}, …" for study in studies.values())
            raise RankgaugeError("different-studies", field="dates", got=f"none in common: {begins}")
        for other in others:
            require_same_prices(first, other, dates)
        numbers = {name: tuple(known[date] for date in dates) for name, known in number_of.items()}
        return cls(studies, tuple(dates), numbers)

    @property
    def care(self) -> ErrorSettings:
        """The settings of the study with the fewest dates: weeks compared with days do not overlap."""
        return min(self.studies.values(), key=lambda study: len(study.per_date)).care

    @property
    def left_out(self) -> tuple[int, ...]:
        """How many dates each study has that another lacks."""
        return tuple(len(study.per_date) - len(self.dates) for study in self.studies.values())

    def measures(self) -> list[str]:
        """The measures to compare: turnover since the date before only where that is the same date in all studies."""
        skipped = any(dates[-1] - dates[0] >= len(dates) for dates in self.numbers.values())
        first = next(iter(self.studies.values()))
        return [measure for measure in first.chances if not (skipped and measure == "turnover")]

    def values(self, measure: str) -> Numbers:
        """The values of a measure by date and model."""
        columns = [
            [self.studies[name].per_date[measure][date] for date in numbers] for name, numbers in self.numbers.items()
        ]
        return np.array(columns, dtype=np.float64).T

    def chances(self, measure: str) -> Numbers:
        """The values of a random order by date and model; 0 where there is none."""
        columns = [
            [self.studies[name].chances[measure][date] for date in numbers] for name, numbers in self.numbers.items()
        ]
        return np.nan_to_num(np.array(columns, dtype=np.float64).T)


def compare_studies(
    studies: Mapping[str, Study],
    *,
    baseline: str | None = None,
    correction: Correction | None = None,
    margin: float | None = None,
    level: float = LEVEL,
    tried: int | None = None,
) -> StudyComparison:
    """Compare every model with the baseline, or all pairs, on every measure; see `rg.stocks.compare`."""
    if correction is not None:
        known = ["holm", "bh", "none"]
        require_choice("correction", correction, known, "tukey shuffles dates, which depend on each other")
    names = list(studies)
    correction = correction or ("none" if len(names) == 2 else "holm")
    design = design_of(names, baseline=baseline, test="t", correction=correction, level=level, margin=margin)
    count = whole_number("tried", len(names) if tried is None else tried, len(names), most=MOST_TRIED)
    common = CommonDates.of(studies)
    first = next(iter(studies.values()))
    values = {measure: common.values(measure) for measure in common.measures()}
    aligned = AlignedRuns(tuple(names), common.dates, values)
    rows: list[Pair] = []
    differences: list[DatesMean] = []
    for measure, of_models in values.items():
        above = of_models - common.chances(measure)
        made = [_pair(common, aligned, measure, above, pair, design) for pair in pairs_of(names, design.baseline)]
        rows += corrected([pair for pair, _ in made], design)
        differences += [difference for _, difference in made]
    chances = common.chances(first.ndcg)
    return StudyComparison(
        request=Request.of(first.ndcg, first.convention),
        aligned=aligned,
        design=design,
        pairs=Pairs(tuple(rows)),
        input_remarks=_remarks(studies.values()),
        summaries=ByMeasure(((each, _summaries(common, each, count)) for each in values), first.chances.request),
        differences=tuple(differences),
        left_out=common.left_out,
        unlike=int((np.ptp(chances, axis=1) > ROUNDING).sum()),
        horizon=first.horizon,
        care=common.care,
        tried=count,
        calendar_time=all(study.tranches is not None for study in studies.values()),
    )


def _remarks(studies: Iterable[Study]) -> tuple[Remark, ...]:
    """What is severe in any of the studies."""
    severe = (remark for study in studies for remark in study.remarks if remark.severity == "severe")
    return tuple(dict.fromkeys(severe))


def _require_alike(first: Study, second: Study) -> None:
    """Raise if the options of the studies differ."""
    options, others = (
        {"measure": each.ndcg, "convention": each.convention, **asdict(each.rules)} for each in (first, second)
    )
    for field, value in options.items():
        if value != others[field]:
            raise RankgaugeError("different-studies", field=field, got=f"{value} and {others[field]}")


def require_same_prices(first: Study, second: Study, dates: Iterable[str]) -> None:
    """Raise if the stocks that were graded on a date, or their returns, differ between two studies."""
    for date in dates:
        (stocks, total), (other_stocks, other_total) = first.universe[date], second.universe[date]
        if stocks != other_stocks:
            got = f"of {counted(stocks, 'stock')} and {counted(other_stocks, 'stock')} on {date}"
        elif abs(total - other_total) > ROUNDING * max(1.0, abs(total)):
            got = f"with mean returns of {total / stocks:.6g} and {other_total / stocks:.6g} on {date}"
        else:
            continue
        raise RankgaugeError("different-studies", field="prices", got=got)


def _summaries(common: CommonDates, measure: str, tried: int) -> dict[str, Summary]:
    """Each model beside chance over the common dates; p is corrected by Holm over all models that were tried."""
    rows = {name: study.summary(measure, common.numbers[name]) for name, study in common.studies.items()}
    adjusted = holm([row.p for row in rows.values()], tests=tried)
    return {
        name: row.after(tried)._replace(p_adjusted=p) for (name, row), p in zip(rows.items(), adjusted, strict=True)
    }


def _pair(
    common: CommonDates,
    aligned: AlignedRuns,
    measure: str,
    above: Numbers,
    names: tuple[str, str],
    design: Design,
) -> tuple[Pair, DatesMean]:
    """The differences of the values above chance; equal chances cancel."""
    kept = np.flatnonzero(aligned.counted(measure))
    first, second = (aligned.runs.index(name) for name in names)
    differences = above[kept, first] - above[kept, second]
    differences[np.abs(differences) <= EQUAL] = 0.0
    values = [float(value) for value in differences]
    difference = _mean_difference(common, measure, names, kept.tolist(), values, design.level)
    deviation = float(differences.std(ddof=1)) if len(values) > 1 else math.nan
    ours, theirs = (aligned.values[measure][kept, run] for run in (first, second))
    means = tuple(math.fsum(each) / len(each) if len(each) else math.nan for each in (ours.tolist(), theirs.tolist()))
    pair = Pair(
        measure=measure,
        first=names[0],
        second=names[1],
        means=(means[0], means[1]),
        difference=difference.mean,
        interval=Interval(difference.low, difference.high),
        p=difference.p,
        p_adjusted=difference.p,
        statistic=difference.t,
        effect=effect_of(difference.mean, deviation),
        deviation=deviation,
        n=len(values),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        detectable=detectable(difference, alpha=1.0 - design.level),
        moved=most_moved([aligned.queries[row] for row in kept], ours, theirs, differences),
        p_equivalence=None
        if design.margin is None
        else equivalence_p(difference.mean, difference.error, difference.degrees, design.margin),
        noun=("date", "dates"),
    )
    return pair, difference


def _mean_difference(
    common: CommonDates,
    measure: str,
    names: tuple[str, str],
    kept: Sequence[int],
    values: Sequence[float],
    level: float,
) -> DatesMean:
    """The mean difference with its error: that of calendar time for returns of portfolios, if prices are known."""
    settings = common.care
    plain = mean_over_dates(values, settings.overlap + 1, level=level)
    first, second = (common.studies[name].tranches for name in names)
    if measure not in MEASURES or first is None or second is None or len(values) < settings.fewest:
        return plain
    ours, theirs = (
        tranches.days_of(measure, [common.numbers[name][row] for row in kept])
        for name, tranches in zip(names, (first, second.renumbered(first.days)), strict=True)
    )
    return mean_of_days(ours.less(theirs), len(values), plain.mean, level=level)
