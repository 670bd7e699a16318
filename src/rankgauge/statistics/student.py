"""Student's t distribution, for intervals from a mean and a variance."""

from __future__ import annotations

import math
from functools import lru_cache

_STEPS = 200
_TINY = 1e-300
# With more degrees of freedom the distribution is normal to seven digits, and logarithms of Γ lose theirs.
_NORMAL = 1e7


@lru_cache(maxsize=256)
def t_quantile(probability: float, degrees: float) -> float:
    """Return the value that a t-distributed number stays below with this probability.

    >>> round(t_quantile(0.975, 9), 6), round(t_quantile(0.975, 10**6), 4), t_quantile(0.5, 3)
    (2.262157, 1.96, 0.0)

    Abramowitz & Stegun 1964, Handbook of Mathematical Functions, 26.7.
    """
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -t_quantile(1.0 - probability, degrees)
    degrees = min(degrees, _NORMAL)
    value = 0.0
    # The probability is concave in the value, so Newton's steps approach it from below.
    for _ in range(_STEPS):
        step = (probability - t_probability(value, degrees)) / _density(value, degrees)
        value += step
        if step <= 1e-15 * value:
            break
    return value


def _density(value: float, degrees: float) -> float:
    scale = math.exp(math.lgamma((degrees + 1.0) / 2.0) - math.lgamma(degrees / 2.0)) / math.sqrt(degrees * math.pi)
    return scale * math.exp(-(degrees + 1.0) / 2.0 * math.log1p(value * value / degrees))


def t_probability(value: float, degrees: float) -> float:
    """Return the probability that a t-distributed number is at most `value`, which is not negative.

    >>> t_probability(0.0, 5), round(t_probability(2.015048, 5), 6)
    (0.5, 0.95)
    """
    return 1.0 - 0.5 * incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + value * value))


def t_tails(value: float, degrees: float) -> float:
    """Return the probability that a t-distributed number is as far from 0 as `value`, on either side.

    >>> t_tails(0.0, 5), round(t_tails(-2.015048, 5), 6)
    (1.0, 0.1)
    """
    if math.isinf(value):
        return 0.0
    return incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + value * value))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function by its continued fraction, on the side where that is quick."""
    if x in (0.0, 1.0):
        return x
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - incomplete_beta(b, a, 1.0 - x)
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return math.exp(a * math.log(x) + b * math.log1p(-x) - log_beta) / a * _continued_fraction(a, b, x)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Evaluate the fraction by Lentz's method: Press et al. 2007, Numerical Recipes, 5.2 and 6.4."""
    c, d = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            d = 1.0 / _not_zero(1.0 + term * d)
            c = _not_zero(1.0 + term / c)
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return fraction


def _not_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
