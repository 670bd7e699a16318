"""A mean from few human and many machine labels: prediction-powered inference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from rankgauge.errors import RankgaugeError
from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import Interval, plus_logit_interval, student_interval
from rankgauge.statistics.moments import NO_MOMENTS, Moments, moments_of
from rankgauge.statistics.student import t_tails

# With fewer human-labelled queries the error of the machine cannot be estimated well enough.
FEWEST_HUMAN: Final = 25


class Halving(NamedTuple):
    """How many queries, and how many of them with human labels, have an interval half as wide."""

    human: int
    queries: int


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """A mean over queries, estimated from machine values of all and human values of some.

    `weight` is λ, how much the machine is trusted: 0 leaves the mean of the human values alone, 1 adds the mean error
    of the machine to its mean over all queries. `error` is the standard error of the estimate, and `effective` the
    number of queries with human labels that would have the same error without a machine. `p_sample` is the p-value of
    the machine's values being alike where people labelled and where they did not, which a random sample makes so.
    `bounded` says that values stay between 0 and 1, and the estimate is kept there.
    """

    estimate: float
    error: float
    weight: float
    human: Moments
    machine_mean: float
    queries: int
    effective: float
    to_halve: Halving
    p_sample: float
    bounded: bool

    def interval(self, level: float = LEVEL) -> Interval:
        """Return the confidence interval.

        A bounded mean has the plus-logit interval of `effective` queries, any other has Student's. Both take the
        quantile of Student's t for the number of human labels, which the error comes from.
        """
        if not self.bounded:
            return student_interval(self.moments, level)
        moments = Moments(self.human.n, self.estimate, self.human.variance)
        return plus_logit_interval(moments, level, effective=self.effective)

    @property
    def moments(self) -> Moments:
        """The moments of as many values with the same mean and error."""
        return Moments(self.human.n, self.estimate, self.human.n * self.error**2)

    @property
    def statistic(self) -> float:
        """The estimate divided by its error."""
        if self.error == 0.0:
            return math.copysign(math.inf, self.estimate) if self.estimate else 0.0
        return self.estimate / self.error

    @property
    def p(self) -> float:
        """The p-value of the mean being 0, by Student's t."""
        return t_tails(self.statistic, self.human.n - 1)

    def human_interval(self, level: float = LEVEL) -> Interval:
        """Return the confidence interval of the human values alone."""
        return plus_logit_interval(self.human, level) if self.bounded else student_interval(self.human, level)

    def to_dict(self, level: float = LEVEL) -> dict[str, Any]:
        """Return plain values, with all digits."""
        return {
            "estimate": self.estimate,
            "interval": list(self.interval(level)),
            "lambda": self.weight,
            "machine_mean": self.machine_mean,
            "human_mean": self.human.mean,
            "human_interval": list(self.human_interval(level)),
            "human_queries": self.human.n,
            "queries": self.queries,
            "effective_human_queries": self.effective,
            "to_halve": self.to_halve._asdict(),
            "p_sample": self.p_sample,
        }


def prediction_powered(
    human: Sequence[float], machine: Sequence[float], machine_of_others: Sequence[float], *, bounded: bool = False
) -> PredictionPowered:
    """Estimate the mean of human values, with machine values of the same queries and of others that people left out.

    The estimate is λ·mean(machine of others) + mean(human - λ·machine). It is right on average whatever the machine's
    values are, if the queries with human values are a random sample; the better they agree, the smaller is its error.
    λ makes the error least: cov(human, machine) / ((1 + n/N)·var(machine)), kept between 0 and 1, with n queries of the
    sample and N others.

    >>> human = [0.0, 1.0] * 15
    >>> powered = prediction_powered(human, human, [0.25, 0.75] * 200)
    >>> round(powered.estimate, 3), round(powered.weight, 2), powered.machine_mean
    (0.5, 1.0, 0.5)

    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-Powered Inference, Science 382(6671), 669-674; λ:
    Angelopoulos, Duchi & Zrnic 2023, PPI++: Efficient Prediction-Powered Inference, arXiv:2311.01453.
    """
    count, others = len(human), len(machine_of_others)
    truth, everything = moments_of(human), moments_of([*machine, *machine_of_others])
    if count > 1 and NO_MOMENTS in (truth, everything):  # every estimate needs the variances
        raise RankgaugeError("overflow", got=max(map(abs, (*human, *machine, *machine_of_others))))
    covariance = _covariance(human, machine)
    weight = _best_weight(covariance, everything.variance, count, others)
    corrected = moments_of([each - weight * guess for each, guess in zip(human, machine, strict=True)])
    rest = moments_of(machine_of_others) if others > 1 else Moments(others, math.fsum(machine_of_others), 0.0)
    variance = corrected.variance / count + (weight**2 * rest.variance / others if others else 0.0)
    estimate = corrected.mean + weight * rest.mean
    return PredictionPowered(
        estimate=min(max(estimate, 0.0), 1.0) if bounded else estimate,
        error=math.sqrt(variance),
        weight=weight,
        human=truth,
        machine_mean=everything.mean,
        queries=count + others,
        effective=truth.variance / variance if variance > 0.0 else float(count),
        to_halve=_halving(truth.variance, everything.variance, covariance, count, others),
        p_sample=_alike(machine, rest, everything.variance),
        bounded=bounded,
    )


def _covariance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the covariance with n, as PPI++ takes it."""
    count = len(first)
    means = math.fsum(first) / count, math.fsum(second) / count
    return math.fsum((a - means[0]) * (b - means[1]) for a, b in zip(first, second, strict=True)) / count


def _best_weight(covariance: float, variance: float, count: int, others: int) -> float:
    if others == 0 or variance == 0.0:
        return 0.0
    return min(max(covariance / ((1.0 + count / others) * variance), 0.0), 1.0)


def _variance(human: float, machine: float, covariance: float, count: int, others: int) -> float:
    """Return the variance that an estimate from so many queries would have."""
    bounded = math.copysign(min(abs(covariance), math.sqrt(human * machine)), covariance)
    weight = _best_weight(bounded, machine, count, others)
    of_machine = weight**2 * machine
    return (human - 2.0 * weight * bounded + of_machine) / count + (of_machine / others if others else 0.0)


def _halving(human: float, machine: float, covariance: float, count: int, others: int) -> Halving:
    """Find the fewest human labels of the same queries that halve the error; four times all, where none do."""
    total = count + others
    wanted = _variance(human, machine, covariance, count, others) / 4.0
    if _variance(human, machine, covariance, total, 0) >= wanted:
        return Halving(4 * count, 4 * total)
    low, high = count, total
    while high - low > 1:
        middle = (low + high) // 2
        enough = _variance(human, machine, covariance, middle, total - middle) <= wanted
        low, high = (low, middle) if enough else (middle, high)
    return Halving(high, total)


def _alike(machine: Sequence[float], rest: Moments, variance: float) -> float:
    """Return the p-value of two means being equal, by the normal distribution."""
    difference = math.fsum(machine) / len(machine) - rest.mean
    if rest.n == 0 or variance == 0.0:
        return 1.0
    return math.erfc(abs(difference) / math.sqrt(2.0 * variance * (1.0 / len(machine) + 1.0 / rest.n)))
