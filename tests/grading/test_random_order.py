from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from scipy import stats

from rankgauge.grading import random_order


def test_mix_of_consecutive_numbers_looks_uniform() -> None:
    keys = [random_order.mix(user, random_order.seed_key(0)) for user in range(300)]
    values = np.array([[random_order.mix(item, key) for item in range(100)] for key in keys]) / random_order.PRIME
    for table in (values, values.T):
        tens = np.histogram(table, bins=10, range=(0, 1))[0]
        assert stats.chisquare(tens).pvalue > 0.001
        pairs = np.histogram2d(table[:, :-1].ravel(), table[:, 1:].ravel(), bins=10, range=[[0, 1], [0, 1]])[0]
        assert stats.chisquare(pairs.ravel()).pvalue > 0.001
        assert abs(np.corrcoef(table[:, :-1].ravel(), table[:, 1:].ravel())[0, 1]) < 0.02
    # Each place is held out as often as any other, and neighbours are so together as often as they should be.
    held = values.argsort(axis=1).argsort(axis=1) < 20
    assert stats.chisquare(held.sum(axis=0)).pvalue > 0.001
    together = (held[:, :-1] & held[:, 1:]).mean()
    assert together == pytest.approx(0.2 * 19 / 99, rel=0.1)


def test_with_shuffled_is_a_permutation() -> None:
    for least in (5, 500):
        prime = random_order.prime_from(least)
        frame = nw.from_native(pl.DataFrame({"turn": range(prime), "key": [12345] * prime}))
        frame = random_order.with_shuffled(random_order.with_keys(frame, "key"), "number", nw.col("turn"), "key", prime)
        assert sorted(frame["number"].to_list()) == list(range(prime))
        assert frame["number"].to_list() != list(range(prime))
