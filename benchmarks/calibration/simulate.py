"""Simulations: the coverage of intervals, the error of tests, of families of tests, and of studies over dates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from benchmarks.calibration.dates import Cell, Portfolios, Values, rank_ics
from benchmarks.calibration.values import DIFFERENCES, SHAPES, equal_systems, geometric_mean_of_beta
from rankgauge.measures.measure import Aggregate
from rankgauge.results.pairing import equivalence
from rankgauge.statistics.best_by_luck import luckiest_t
from rankgauge.statistics.bootstrap import bootstrap_interval
from rankgauge.statistics.calendar_time import mean_in_calendar_time
from rankgauge.statistics.corrections import benjamini_hochberg, holm, tukey_p, tukey_ranges
from rankgauge.statistics.intervals import Interval, interval_of_values, student_interval
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.statistics.moments import Moments, moments_of
from rankgauge.statistics.paired import Test, paired_test, t_test
from rankgauge.statistics.power import detectable_effect
from rankgauge.statistics.student import t_quantile

ALPHA: Final = 0.05
PERMUTATIONS: Final = 1_999
Method: TypeAlias = Callable[[Sequence[float], bool], Interval]


def one_of_each(values: Sequence[float], bounded: bool) -> Interval:
    """Student's interval on the logit scale with a whole 0 and a whole 1 added, after Agresti and Coull."""
    if not bounded:
        return interval_of_values(values)
    more = moments_of([*values, 0.0, 1.0])
    slope = more.mean * (1.0 - more.mean)
    logit, error = math.log(more.mean / (1.0 - more.mean)), more.error / slope
    low, high = student_interval(Moments(more.n, logit, more.n * error**2))
    mean = math.fsum(values) / len(values)
    return Interval(min(1.0 / (1.0 + math.exp(-low)), mean), max(1.0 / (1.0 + math.exp(-high)), mean))


INTERVALS: Final[dict[str, Method]] = {
    "default": lambda values, bounded: interval_of_values(values, bounded=bounded),
    "a 0 and a 1 added": one_of_each,
    "t": lambda values, _: interval_of_values(values),
    "percentile bootstrap": lambda values, _: bootstrap_interval(values, resamples=1000),
}


class Share(NamedTuple):
    """How often something happened, of how many repetitions."""

    times: int
    of: int

    @property
    def percent(self) -> float:
        """The share in percent."""
        return 100.0 * self.times / self.of


def interval_coverage(shape: str, queries: int, repetitions: int, seed: int, method: str = "default") -> Share:
    """How often the 95 % interval of a mean holds the true mean."""
    source, (draw, mean, bounded) = np.random.default_rng(seed), SHAPES[shape]
    interval = INTERVALS[method]
    covered = 0
    for _ in range(repetitions):
        low, high = interval([float(value) for value in draw(source, queries)], bounded)
        covered += low <= mean <= high
    return Share(covered, repetitions)


def aggregate_coverage(how: Aggregate, queries: int, repetitions: int, seed: int) -> Share:
    """How often the interval of a sum, a geometric or a weighted mean of NDCG-like values holds the truth."""
    source, covered = np.random.default_rng(seed), 0
    for _ in range(repetitions):
        values = [float(value) for value in source.beta(3.0, 2.0, queries)]
        weights = [float(weight) for weight in source.integers(1, 100, queries)]
        low, high = interval_of_values(values, how, weights)
        truth = {"sum": 0.6 * queries, "geometric": geometric_mean_of_beta(3.0, 2.0)}.get(how, 0.6)
        covered += low <= truth <= high
    return Share(covered, repetitions)


def error_of_test(kind: str, test: Test, queries: int, repetitions: int, seed: int) -> Share:
    """How often a 5 % test finds a difference between systems of equal means."""
    source, wrong = np.random.default_rng(seed), 0
    for repetition in range(repetitions):
        differences = [float(value) for value in DIFFERENCES[kind](source, queries)]
        outcome = paired_test(differences, test, permutations=PERMUTATIONS, seed=repetition)
        wrong += outcome.p < ALPHA
    return Share(wrong, repetitions)


def error_of_equivalence(queries: int, repetitions: int, seed: int, margin: float = 0.05) -> Share:
    """How often two systems that differ by the margin are called equivalent within it."""
    source, wrong = np.random.default_rng(seed), 0
    for _ in range(repetitions):
        differences = [float(value) + margin for value in DIFFERENCES["exchangeable"](source, queries)]
        wrong += equivalence(moments_of(differences), margin) < ALPHA
    return Share(wrong, repetitions)


def found_of_detectable(queries: int, repetitions: int, seed: int) -> Share:
    """How often the randomisation test finds the difference that so many queries are said to show 80 % of the time."""
    source, findings = np.random.default_rng(seed), 0
    deviation = float(DIFFERENCES["exchangeable"](source, 10**6).std())
    shift = detectable_effect(queries) * deviation
    for repetition in range(repetitions):
        differences = [float(value) + shift for value in DIFFERENCES["exchangeable"](source, queries)]
        findings += paired_test(differences, "randomisation", permutations=PERMUTATIONS, seed=repetition).p < ALPHA
    return Share(findings, repetitions)


def error_of_family(correction: str, queries: int, repetitions: int, seed: int, permutations: int = 9_999) -> Share:
    """How often any of the ten pairs of five equal systems is found different."""
    source, wrong = np.random.default_rng(seed), 0
    for repetition in range(repetitions):
        values = equal_systems(source, queries, 5)
        pairs = [(first, second) for first in range(5) for second in range(first)]
        if correction == "tukey":
            ranges = tukey_ranges(values[:, :, None], permutations, repetition)[0]
            totals = values.sum(axis=0)
            largest = float(totals.max() - totals.min())
            wrong += tukey_p(ranges, largest, float(np.abs(values).sum())) < ALPHA
            continue
        differences = [[float(each) for each in values[:, first] - values[:, second]] for first, second in pairs]
        p_values = [
            paired_test(each, "randomisation", permutations=permutations, seed=repetition).p for each in differences
        ]
        corrected = {"holm": holm, "bh": benjamini_hochberg}.get(correction, list)(p_values)
        wrong += min(corrected) < ALPHA
    return Share(wrong, repetitions)


def error_of_study(
    measure: Callable[[np.random.Generator, Cell], Values], cell: Cell, repetitions: int, seed: int
) -> tuple[Share, Share]:
    """How often a 5 % test of a mean over dates finds skill where there is none: ours, and one that ignores overlap."""
    source, wrong, plain = np.random.default_rng(seed), 0, 0
    for _ in range(repetitions):
        values = [float(value) for value in measure(source, cell)]
        wrong += mean_over_dates(values, cell.horizon).p < ALPHA
        plain += t_test(values).p < ALPHA
    return Share(wrong, repetitions), Share(plain, repetitions)


def error_of_portfolios(
    measure: Callable[[np.random.Generator, Cell], Portfolios], cell: Cell, repetitions: int, seed: int
) -> tuple[Share, Share]:
    """How often a 5 % test of overlapping portfolios finds skill where there is none: ours, and by their returns."""
    source, wrong, plain = np.random.default_rng(seed), 0, 0
    for _ in range(repetitions):
        returns, profits, held = measure(source, cell)
        estimate = mean_in_calendar_time(profits, held, cell.days, float(returns.mean()))
        wrong += estimate.p < ALPHA
        plain += mean_over_dates([float(each) for each in returns], cell.horizon).p < ALPHA
    return Share(wrong, repetitions), Share(plain, repetitions)


class Tries(NamedTuple):
    """How often any of several models without skill is found to have some."""

    uncorrected: Share
    by_holm: Share
    # A deflated t that 5 % of the models exceed if one was tried.
    deflated: Share


def error_of_tries(models: int, cell: Cell, repetitions: int, seed: int) -> Tries:
    """How often the best of several models without skill is found to have some."""
    source, wrong = np.random.default_rng(seed), [0, 0, 0]
    for _ in range(repetitions):
        series = ([float(value) for value in each] for each in rank_ics(source, cell, models))
        estimates = [mean_over_dates(values, cell.horizon) for values in series]
        ps = [each.p for each in estimates]
        luck, degrees = luckiest_t(models, estimates[0].degrees), estimates[0].degrees
        wrong[0] += min(ps) < ALPHA
        wrong[1] += min(holm(ps)) < ALPHA
        wrong[2] += max(each.t for each in estimates) - luck > t_quantile(1.0 - ALPHA, degrees)
    return Tries(*(Share(times, repetitions) for times in wrong))


def seed_of(*words: object) -> int:
    """Return a seed that is the same in every process for the same words.

    >>> seed_of("interval", 25) == seed_of("interval", 25)
    True
    """
    text = "/".join(map(str, words)).encode()
    return math.prod(byte + 2 for byte in text) % 2**61 + len(text)
