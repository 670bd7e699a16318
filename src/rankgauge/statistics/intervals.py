"""How sure a number over queries is: its confidence interval, without resampling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from rankgauge.checks import bad_number, require_choice
from rankgauge.statistics import LEVEL
from rankgauge.statistics.moments import Moments, moments_of
from rankgauge.statistics.student import t_quantile

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate

# Fewer queries tell too little about their spread, and docs/calibration.md does not simulate them.
FEWEST: Final = 5

# Keeps the degrees of freedom finite where all values are 0 or 1: t is then the normal distribution.
_LEAST_SPREAD: Final = 1e-6

Method: TypeAlias = Literal["logit", "t", "bootstrap", "bca", "studentised"]


class Interval(NamedTuple):
    """The lower and upper end of a confidence interval; NaN where there is none."""

    low: float
    high: float


NO_INTERVAL: Final = Interval(math.nan, math.nan)


def interval_of_values(
    values: Sequence[float],
    how: Aggregate = "mean",
    weights: Sequence[float] = (),
    *,
    bounded: bool = False,
    level: float = LEVEL,
    method: Method | None = None,
) -> Interval:
    """Return the interval of an aggregate of values: plus-logit for a mean of shares, else Student t.

    `bounded` says that values stay between 0 and 1. Fewer than five values, or one that is not finite, have none.

    >>> low, high = interval_of_values([0.2, 0.4, 0.6, 0.8] * 25, bounded=True)
    >>> round(low, 3), round(high, 3)
    (0.456, 0.544)
    """
    require_level(level)
    if how == "union" or len(values) < FEWEST or not all(map(math.isfinite, values)):
        return NO_INTERVAL
    return interval_of_moments(moments_of(values, how, weights), how, bounded=bounded, level=level, method=method)


def interval_of_moments(
    moments: Moments,
    how: Aggregate,
    *,
    bounded: bool,
    level: float = LEVEL,
    method: Method | None = None,
) -> Interval:
    """Return the interval of an aggregate from the moments of its values.

    A geometric mean has that of the mean of logarithms, and a sum n times that of the mean.
    """
    if moments.n < FEWEST or not math.isfinite(moments.mean + moments.variance):
        return NO_INTERVAL
    by_logit = bounded and how == "mean" if method is None else method == "logit"
    if by_logit and 0.0 <= moments.mean <= 1.0:
        return plus_logit_interval(moments, level)
    low, high = student_interval(moments, level)
    if how == "geometric":
        return Interval(math.exp(low), math.exp(high))
    scale = moments.n if how == "sum" else 1
    return Interval(low * scale, high * scale)


def student_interval(moments: Moments, level: float = LEVEL) -> Interval:
    """Return the interval m ± t·s/√n of a mean, with n - 1 degrees of freedom.

    >>> student_interval(Moments(4, 2.0, 4 / 3))
    Interval(low=0.1626..., high=3.8373...)

    Student 1908, The Probable Error of a Mean, Biometrika 6(1).
    """
    margin = t_quantile((1.0 + level) / 2.0, moments.n - 1) * moments.error
    return Interval(moments.mean - margin, moments.mean + margin)


def plus_logit_interval(moments: Moments, level: float = LEVEL, *, effective: float | None = None) -> Interval:
    """Return the interval of a mean of values between 0 and 1, which never leaves them and always has a width.

    Fractions of a value 0 and of a value 1 are added, each half of φ: the share that the variance has of the largest
    one, which values of 0 and 1 alone have. With m' the mean and s' the standard deviation of the N = n + φ values, the
    interval is that of Student on the scale of logit(m) = log(m / (1 - m)), whose error is s' / (√N m' (1 - m')), with
    (N - 1) / (1 - φ) degrees of freedom: where values are 0 and 1 alone, the mean tells their variance. An end that
    would exclude the mean itself is moved to it.
    `effective` is the number of queries that have the error of the mean, where it is not that of the values. It takes
    the place of n but for the degrees of freedom, and the mean tells of the error only what is not due to others.

    >>> low, high = plus_logit_interval(Moments(50, 1.0, 0.0))
    >>> round(low, 3), high
    (0.858, 1.0)

    After the empirical logit, Anscombe 1956, On Estimating Binomial Response Relations, Biometrika 43(3/4); Agresti &
    Coull 1998, Approximate Is Better than "Exact" for Interval Estimation of Binomial Proportions, The American
    Statistician 52(2); and the delta method. Its measured coverage is in docs/calibration.md.
    """
    mean = moments.mean
    count = float(moments.n) if effective is None else effective
    centre, squares = _with_ends(0.5, count, moments)
    share = min(squares / (count + 1.0) / (centre * (1.0 - centre)), 1.0)
    centre, squares = _with_ends(share / 2.0, count, moments)
    error = math.sqrt(squares / (count + share - 1.0) / (count + share)) / (centre * (1.0 - centre))
    told_by_mean = share * min(moments.n / count, 1.0)
    degrees = (moments.n + share - 1.0) / max(1.0 - told_by_mean, _LEAST_SPREAD)
    margin = t_quantile((1.0 + level) / 2.0, degrees) * error
    logit = math.log(centre / (1.0 - centre))
    low, high = _share(logit - margin), _share(logit + margin)
    return Interval(min(low, mean), max(high, mean))


def _with_ends(each: float, count: float, moments: Moments) -> tuple[float, float]:
    """Return the mean and the sum of squared deviations after adding `each` observations of 0 and as many of 1."""
    centre = (count * moments.mean + each) / (count + 2.0 * each)
    squares = (count - 1.0) * moments.variance + count * (moments.mean - centre) ** 2
    return centre, squares + each * (centre**2 + (1.0 - centre) ** 2)


def _share(logit: float) -> float:
    """Return the share whose logit this is."""
    return 1.0 / (1.0 + math.exp(-logit)) if logit > -700.0 else 0.0


def require_method(method: Method | None) -> None:
    """Raise unless intervals are computed in that way; None is the way that suits the measure.

    >>> require_method("bca")
    """
    if method is not None:
        require_choice("method", method, get_args(Method), "how the interval is computed")


def require_level(level: float) -> None:
    """Raise unless a confidence level is between 0 and 1.

    >>> require_level(0.95)
    """
    if not (isinstance(level, float) and 0.0 < level < 1.0):
        raise bad_number("level", "between 0 and 1", level, "such as 0.95")
