"""The interval of a mean: 10,000 resamples of 7,000 values. The value shown is the interval's lower end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.work import Work

RESAMPLES = 10_000


def values() -> NDArray[np.float64]:
    return np.random.default_rng(4).beta(0.6, 1.2, size=7_000)


def rankgauge() -> Work:
    from rankgauge.statistics.bootstrap import bootstrap_interval

    sample = values().tolist()
    return lambda: bootstrap_interval(sample, resamples=RESAMPLES).low


def scipy() -> Work:
    return resampled(batch=None)


def scipy_batches() -> Work:
    """In batches that fit the cache: the default keeps all resamples in memory at once."""
    return resampled(batch=10)


def resampled(batch: int | None) -> Work:
    from scipy.stats import bootstrap

    sample, source = (values(),), np.random.default_rng(0)

    def work() -> float:
        options = {"n_resamples": RESAMPLES, "method": "percentile", "vectorized": True, "batch": batch}
        return float(bootstrap(sample, np.mean, rng=source, **options).confidence_interval.low)

    return work
