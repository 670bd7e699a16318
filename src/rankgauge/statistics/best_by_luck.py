"""The best of several models that were tried: what luck alone gives it."""

from __future__ import annotations

import math
from typing import Final

from rankgauge.checks import whole_number
from rankgauge.statistics.student import t_quantile

MOST_TRIED: Final = 10**9
_EULER: Final = 0.5772156649015329


def luckiest_t(tried: int, degrees: float) -> float:
    """Return about the t that the best of `tried` models without skill has on average.

    (1 - γ) F(1 - 1/N) + γ F(1 - 1/(N e)), where F is the quantile function of Student's t, γ Euler's constant and N the
    number of models, if they are independent; models that resemble each other have a smaller one.

    >>> luckiest_t(1, 100), round(luckiest_t(20, 10**6), 2)
    (0.0, 1.9)

    Bailey & López de Prado 2014, The Deflated Sharpe Ratio: Correcting for Selection Bias, Backtest Overfitting and
    Non-Normality, Journal of Portfolio Management 40(5).
    """
    tried = whole_number("tried", tried, 1, most=MOST_TRIED)
    if tried == 1:
        return 0.0
    if math.isnan(degrees):
        return math.nan
    shares = 1.0 - 1.0 / tried, 1.0 - 1.0 / (tried * math.e)
    low, high = (t_quantile(share, degrees) for share in shares)
    return (1.0 - _EULER) * low + _EULER * high
