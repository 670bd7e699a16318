"""One number for many days, with errors that account for the returns that neighbouring days share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median, stdev
from typing import Final, NamedTuple

from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.presentation.table import Cell, Probability
from rankgauge.remarks import Remark
from rankgauge.statistics.best_by_luck import luckiest_t
from rankgauge.statistics.mean_over_dates import FEWEST_DATES, DatesMean, fewest_dates, mean_over_dates
from rankgauge.statistics.timeseries import default_lag, effective_number


class ErrorSettings(NamedTuple):
    """What the errors of dependent days depend on: how many later days share returns with a day."""

    overlap: int

    @classmethod
    def of(cls, days: Sequence[int], horizon: int) -> ErrorSettings:
        """Return the settings for days given by their numbers; days fewer than the horizon apart overlap.

        >>> ErrorSettings.of(range(250), 5)
        ErrorSettings(overlap=4)
        >>> ErrorSettings.of(range(0, 250, 5), 5)
        ErrorSettings(overlap=0)
        """
        return cls(max(_overlap(days, horizon), _usual_overlap(days, horizon)))

    @property
    def fewest(self) -> int:
        """The fewest days for which there is a t and an interval."""
        return fewest_dates(self.overlap + 1)


def _overlap(days: Sequence[int], horizon: int) -> int:
    most, first = 0, 0
    for number, day in enumerate(days):
        while day - days[first] >= horizon:
            first += 1
        most = max(most, number - first)
    return most


def _usual_overlap(days: Sequence[int], horizon: int) -> int:
    """The overlap of a longer series with the same median gap between days."""
    gaps = [later - earlier for earlier, later in pairwise(days)]
    return math.ceil(horizon / median(gaps)) - 1 if gaps else 0


class Summary(NamedTuple):
    """One measure over all days; what comes after `chance` is about the difference from it, which may be 0."""

    days: int
    mean: float
    median: float
    chance: float
    above: float
    low: float
    high: float
    t: float
    p: float
    # The information ratio: the difference divided by its standard deviation. That of rank_ic is called ICIR.
    ratio: float
    # The share of days above chance.
    share: float
    # How many independent days would have the same error.
    effective: float
    degrees: float
    deviation: float
    # p corrected for the number of models that were tried, and t less that of the luckiest of as many without skill.
    p_adjusted: float
    t_deflated: float

    def after(self, tried: int) -> Summary:
        """Return the summary of one of `tried` models.

        Parameters:
            tried: the number of models, this one among them.

        """
        p = math.nan if math.isnan(self.p) else min(self.p * tried, 1.0)
        luck = math.nan if math.isnan(self.t) else luckiest_t(tried, self.degrees)
        return self._replace(p_adjusted=p, t_deflated=self.t - luck)

    def cells(self, *columns: str) -> list[Cell]:
        """Return some of the fields as cells, with None for NaN.

        Parameters:
            columns: the names of the fields.

        """
        return [_cell(column, getattr(self, column)) for column in columns]


def _cell(column: str, value: float) -> Cell:
    if math.isnan(value):
        return None
    if column == "effective":
        return round(value)
    return Probability(value) if column in ("p", "p_adjusted") else value


# Column → header, for people: whether a model has skill, and how the days are spread.
SKILL: Final = {
    "mean": "mean",
    "chance": "chance",
    "above": "above",
    "low": "95% from",
    "high": "to",
    "t": "t",
    "p": "p",
}
TRIED: Final = {"p_adjusted": "adjusted p", "t_deflated": "deflated t"}
OVER_DAYS: Final = {
    "days": "days",
    "effective": "effective",
    "median": "median",
    "deviation": "std",
    "ratio": "information ratio",
    "share": "share above chance",
}
# Column → header, for programs.
ALL: Final = {
    "days": "days",
    "mean": "mean",
    "median": "median",
    "chance": "chance",
    "above": "above_chance",
    "low": "low",
    "high": "high",
    "t": "t",
    "p": "p",
    "p_adjusted": "p_adjusted",
    "t_deflated": "t_deflated",
    "degrees": "degrees",
    "deviation": "std",
    "ratio": "information_ratio",
    "share": "share_above_chance",
    "effective": "effective_days",
}


def summarise(
    values: Sequence[float],
    chance: Sequence[float],
    settings: ErrorSettings,
    *,
    skill: DatesMean | None = None,
) -> Summary:
    """Return mean and median of the days, and the difference from chance compared with its variation.

    `above` is the mean difference; `low`, `high`, `t`, `p` and `degrees` are of it, as `mean_over_dates` has them, or
    those of `skill` if it is given, and NaN with too few days. `ratio` is `above` divided by `deviation`, the standard
    deviation of the differences, `share` the share of days on which the difference is above 0. Days without a value are
    left out.

    >>> row = summarise([0.6, 0.4, 0.7, 0.5] * 30, [0.5] * 120, ErrorSettings(overlap=0))
    >>> row.days, round(row.mean, 2), round(row.above, 2), round(row.ratio, 2), row.share
    (120, 0.55, 0.05, 0.45, 0.5)
    """
    kept = [(value, base) for value, base in zip(values, chance, strict=True) if not math.isnan(value)]
    known_values, bases = [value for value, _ in kept], [base for _, base in kept]
    count = len(known_values)
    if not count:
        return Summary(0, *[math.nan] * 15)
    above = [value - base for value, base in kept if not math.isnan(base)]
    comparable = len(above) == count
    spread = stdev(above) if comparable and count > 1 else math.nan
    horizon = settings.overlap + 1
    # Without chance there is nothing to test.
    if skill is None or not comparable or count < settings.fewest:
        skill = mean_over_dates(above if comparable else [], horizon)
    return Summary(
        days=count,
        mean=math.fsum(known_values) / count,
        median=median(known_values),
        chance=math.fsum(bases) / count if comparable else math.nan,
        above=skill.mean,
        low=skill.low,
        high=skill.high,
        t=skill.t,
        p=skill.p,
        ratio=skill.mean / spread if spread > 0 else math.nan,
        share=sum(value > 0 for value in above) / count if comparable else math.nan,
        effective=effective_number(above if comparable else known_values, default_lag(count, horizon)),
        degrees=skill.degrees,
        deviation=spread,
        p_adjusted=skill.p,
        t_deflated=skill.t,
    )


def warning(days: int, settings: ErrorSettings, horizon: int, what: str) -> list[Remark]:
    """Return a warning if there are too few days for their overlap to tell `what`.

    >>> settings = ErrorSettings.of([0], 5)
    >>> str(warning(1, settings, 5, "A is better than B")[0]).partition(";")[0]
    'few dates: 1 date cannot tell whether A is better than B or was lucky, so there are no t, p and intervals'
    """
    # The overlap of a single day is unknown; that of consecutive days is the largest.
    overlap = settings.overlap if days > 1 else horizon - 1
    fewest = fewest_dates(overlap + 1)
    if days >= fewest:
        return []
    text = Text(
        "{dates} cannot tell whether {what} or was lucky, so there are no t, p and intervals; that takes at least "
        "{fewest:,} dates",
        dates=counted(days, "date"),
        what=what,
        fewest=fewest,
    )
    if fewest > FEWEST_DATES:
        text = Text("{}, or {} that are {} or more dates apart", text, FEWEST_DATES, horizon)
    return [Remark.of("few-dates", text)]


def method(of: Text, *, calendar_time: bool) -> Text:
    """Return how t, p and interval were computed, and of what.

    >>> method(Text("the differences"), calendar_time=False)
    't, p and interval are of the differences, by the corrected error of Hansen and Hodrick'
    """
    text = Text("t, p and interval are of {}, by the corrected error of Hansen and Hodrick", of)
    return Text("{}; those of top_return and spread are by calendar-time portfolios", text) if calendar_time else text


def tries(tried: int, degrees: float) -> list[Remark]:
    """Say what the number of models that were tried means for the best of them; nothing for one model.

    >>> print(*tries(20, 200.0))
    tries: adjusted p is Holm's for 20 models; deflated t is t less what the best of 20 without skill has, about 1.91
    """
    if tried == 1:
        return []
    text = Text(
        "adjusted p is Holm's for {tried:,} models; deflated t is t less what the best of {tried:,} without skill has",
        tried=tried,
    )
    luck = luckiest_t(tried, degrees)
    return [Remark.of("tries", text if math.isnan(luck) else Text("{}, about {:.2f}", text, luck))]
