"""Tests of paired differences: whether two systems differ by more than the choice of queries explains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from rankgauge._core import bootstrap_moments, pair_sign_flips, sign_flips
from rankgauge.statistics.moments import Moments, moments_of
from rankgauge.statistics.student import incomplete_beta, t_tails

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Test: TypeAlias = Literal["randomisation", "t", "wilcoxon", "sign", "bootstrap"]

# Up to so many pairs without ties, the distribution of Wilcoxon's statistic is computed exactly.
MOST_EXACT_RANKS: Final = 50
# Differences no larger than this are rounding errors of equal values.
EQUAL: Final = 1e-12


class Outcome(NamedTuple):
    """The statistic of a test and its p-value, for a difference in either direction."""

    statistic: float
    p: float


def paired_test(
    differences: Sequence[float], test: Test, *, permutations: int, seed: int = 0, threads: int | None = None
) -> Outcome:
    """Test whether paired differences have mean (or, for ranks and signs, median) 0; NaN for fewer than two.

    >>> paired_test([0.1, 0.2, 0.3], "randomisation", permutations=9999)
    Outcome(statistic=0.19..., p=0.25)
    """
    if len(differences) < 2 or not all(map(math.isfinite, differences)):
        return Outcome(math.nan, math.nan)
    if test == "t":
        return t_test(differences)
    if test == "wilcoxon":
        return wilcoxon_test(differences)
    if test == "sign":
        return sign_test(differences)
    if test == "bootstrap":
        return bootstrap_test(differences, permutations, seed, threads)
    return randomisation_test(differences, permutations, seed, threads)


def randomisation_test(
    differences: Sequence[float], permutations: int, seed: int = 0, threads: int | None = None
) -> Outcome:
    """Flip the signs of differences at random: were the systems equal, either sign were as likely.

    p is the share of sign patterns whose mean is as far from 0 as the observed one. All patterns are listed if at most
    20 differences are not 0; else p is (1 + those as far) / (1 + permutations). The statistic is the mean difference.

    Fisher 1935, The Design of Experiments, section 21; Smucker, Allan & Carterette 2007, A Comparison of Statistical
    Significance Tests for Information Retrieval Evaluation, CIKM.
    """
    exceeding, patterns = sign_flips(differences, permutations, seed, threads)
    is_listed = sum(difference != 0.0 for difference in differences) <= 20
    p = exceeding / patterns if is_listed else (1 + exceeding) / (1 + patterns)
    return Outcome(math.fsum(differences) / len(differences), p)


def randomisation_test_of_pairs(
    values: npt.NDArray[np.float64],
    pairs: Sequence[tuple[int, int]],
    permutations: int,
    seed: int = 0,
    threads: int | None = None,
) -> list[float]:
    """Return p of the randomisation test for several pairs of columns, of values by query and run.

    The signs that are drawn serve all pairs, which takes as many sums as there are runs instead of pairs. Each p is
    (1 + those as far) / (1 + permutations).
    """
    if not pairs:  # signs would be drawn for nothing
        return []
    counts = pair_sign_flips(values, list(pairs), permutations, seed, threads)
    return [(1 + count) / (1 + permutations) for count in counts]


def t_test(differences: Sequence[float]) -> Outcome:
    """Student's paired t test: the mean divided by its standard error, with n - 1 degrees of freedom.

    >>> t_test([0.1, 0.2, 0.3])
    Outcome(statistic=3.46..., p=0.074...)
    """
    return t_of_moments(moments_of(differences))


def t_of_moments(moments: Moments) -> Outcome:
    """Return Student's paired t test from the moments of differences; NaN for fewer than two.

    >>> t_of_moments(Moments(3, 0.2, 0.01))
    Outcome(statistic=3.46..., p=0.074...)
    """
    if moments.n < 2:
        return Outcome(math.nan, math.nan)
    if moments.error == 0.0:
        return Outcome(math.copysign(math.inf, moments.mean), 0.0) if moments.mean else Outcome(0.0, 1.0)
    statistic = moments.mean / moments.error
    return Outcome(statistic, t_tails(statistic, moments.n - 1))


def wilcoxon_test(differences: Sequence[float]) -> Outcome:
    """Wilcoxon's signed-rank test; zeros are left out, equal differences share their mean rank.

    The statistic is the smaller of the two rank sums. p is exact for up to 50 differences without ties, else by the
    normal approximation with the correction for ties. It tests a median: with few large wins and many small losses of
    equal means it errs in nearly all comparisons at 50 queries (docs/calibration.md).

    >>> wilcoxon_test([0.1, 0.2, 0.3, -0.05])
    Outcome(statistic=1.0, p=0.25)

    Wilcoxon 1945, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1(6).
    """
    kept = [difference for difference in differences if difference != 0.0]
    count = len(kept)
    if count == 0:
        return Outcome(0.0, 1.0)
    ranks, tied = _ranks([abs(difference) for difference in kept])
    above = math.fsum(rank for rank, difference in zip(ranks, kept, strict=True) if difference > 0.0)
    total = count * (count + 1) / 2
    statistic = min(above, total - above)
    if count <= MOST_EXACT_RANKS and tied == 0.0:
        return Outcome(statistic, min(2.0 * _rank_sum_probability(int(statistic), count), 1.0))
    variance = count * (count + 1) * (2 * count + 1) / 24 - tied / 48
    return Outcome(statistic, math.erfc(abs(statistic - total / 2) / math.sqrt(2.0 * variance)))


def _ranks(values: Sequence[float]) -> tuple[list[float], float]:
    """Return the rank of each value, ties sharing their mean, and the sum of t³ - t over ties of t values."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, tied, first = [0.0] * len(values), 0.0, 1
    for _, group in groupby(order, key=values.__getitem__):
        members = list(group)
        tied += len(members) ** 3 - len(members)
        for member in members:
            ranks[member] = first + (len(members) - 1) / 2
        first += len(members)
    return ranks, tied


def _rank_sum_probability(statistic: int, count: int) -> float:
    """Return the probability that the ranks 1…n with random signs have a positive sum of at most `statistic`."""
    ways = [1] + [0] * statistic
    for rank in range(1, count + 1):
        for total in range(statistic, rank - 1, -1):
            ways[total] += ways[total - rank]
    return float(sum(ways) / 2**count)


def sign_test(differences: Sequence[float]) -> Outcome:
    """Count wins and losses only: a binomial test; zeros are left out. The statistic is the number of wins.

    It does not see how large the differences are: with few large wins and many small losses of equal means it errs
    in nearly all comparisons at 25 queries (docs/calibration.md).

    >>> sign_test([0.1, 0.2, 0.3, -0.05])
    Outcome(statistic=3.0, p=0.62...)
    """
    wins = sum(difference > 0.0 for difference in differences)
    return sign_of_counts(wins, sum(difference < 0.0 for difference in differences))


def sign_of_counts(wins: int, losses: int) -> Outcome:
    """Return the sign test from how many differences are above 0, and below.

    >>> sign_of_counts(3, 1)
    Outcome(statistic=3.0, p=0.62...)
    """
    fewer = min(wins, losses)
    if wins == losses:
        return Outcome(float(wins), 1.0)
    # P(X ≤ fewer) of a fair coin is the incomplete beta function at a half.
    return Outcome(float(wins), min(2.0 * incomplete_beta(wins + losses - fewer, fewer + 1, 0.5), 1.0))


def bootstrap_test(differences: Sequence[float], resamples: int, seed: int = 0, threads: int | None = None) -> Outcome:
    """Compare t with those of resamples that are drawn around the observed mean: the studentised bootstrap.

    p is (1 + those as far from 0) / (1 + resamples).

    Efron & Tibshirani 1993, An Introduction to the Bootstrap, section 16.4.
    """
    observed = t_test(differences)
    if not math.isfinite(observed.statistic):
        return observed
    mean = math.fsum(differences) / len(differences)
    drawn = bootstrap_moments(differences, resamples, seed, threads)
    far = sum(abs(each - mean) >= abs(observed.statistic) * error for each, error in drawn)
    return Outcome(observed.statistic, (1 + far) / (1 + resamples))
