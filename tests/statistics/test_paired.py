"""Paired tests against scipy, and the properties of the randomisation test."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.statistics import paired
from rankgauge.statistics.paired import (
    bootstrap_test,
    paired_test,
    randomisation_test,
    randomisation_test_of_pairs,
    sign_test,
    t_test,
    wilcoxon_test,
)


def differences(count: int, *, seed: int = 0, mean: float = 0.05, digits: int = 12) -> list[float]:
    values = np.random.default_rng(seed).normal(mean, 0.3, count)
    return [round(float(value), digits) for value in values]


@pytest.mark.parametrize("count", [2, 5, 30, 400])
def test_t_test_is_that_of_scipy(count: int) -> None:
    values = differences(count)
    expected = scipy.stats.ttest_1samp(values, 0.0)
    assert t_test(values) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)


@pytest.mark.parametrize("count", [3, 12, 50])
def test_wilcoxon_test_without_ties_is_the_exact_one_of_scipy(count: int) -> None:
    values = differences(count)
    expected = scipy.stats.wilcoxon(values, method="exact")
    assert wilcoxon_test(values) == pytest.approx((expected.statistic, expected.pvalue))


@pytest.mark.parametrize("digits", [1, 2, 12])
def test_wilcoxon_test_of_many_or_tied_values_is_the_approximate_one_of_scipy(digits: int) -> None:
    values = differences(200, digits=digits)
    expected = scipy.stats.wilcoxon(values, method="approx")
    assert wilcoxon_test(values) == pytest.approx((expected.statistic, expected.pvalue))


@pytest.mark.parametrize("count", [2, 9, 60, 3000])
def test_sign_test_is_the_binomial_test_of_scipy(count: int) -> None:
    values = [*differences(count), 0.0]
    wins = sum(value > 0 for value in values)
    expected = scipy.stats.binomtest(wins, count).pvalue
    assert sign_test(values) == pytest.approx((wins, expected), rel=1e-9)


@pytest.mark.parametrize("count", [2, 5, 12])
def test_randomisation_test_of_few_queries_is_the_exact_one_of_scipy(count: int) -> None:
    values = np.array(differences(count, mean=0.2))
    expected = scipy.stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert randomisation_test(values.tolist(), 9999) == pytest.approx((expected.statistic, expected.pvalue))


def test_randomisation_test_of_many_queries_is_near_the_t_test() -> None:
    for seed in range(5):
        values = differences(300, seed=seed, mean=0.03)
        assert randomisation_test(values, 99_999, seed=1).p == pytest.approx(t_test(values).p, abs=0.01)


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9))
def test_randomisation_test_of_few_queries_counts_every_pattern(values: list[int]) -> None:
    patterns = list(itertools.product((1, -1), repeat=len(values)))
    observed = abs(sum(values))
    far = sum(
        abs(sum(sign * value for sign, value in zip(signs, values, strict=True))) >= observed for signs in patterns
    )
    assert randomisation_test([float(value) for value in values], 99).p == far / len(patterns)


@given(st.lists(st.floats(-1, 1), min_size=25, max_size=40), st.integers(0, 5))
def test_randomisation_test_has_the_same_p_on_any_number_of_threads(values: list[float], seed: int) -> None:
    assert randomisation_test(values, 2500, seed, threads=1) == randomisation_test(values, 2500, seed, threads=3)


def test_randomisation_test_of_no_pairs_draws_no_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(paired, "pair_sign_flips")
    assert randomisation_test_of_pairs(np.zeros((3, 2)), [], 99_999) == []


def test_randomisation_test_of_pairs_is_near_that_of_each_pair() -> None:
    source = np.random.default_rng(8)
    values = np.ascontiguousarray(source.beta(2, 2, (90, 1)) + source.normal(0, 0.2, (90, 4)) + [0, 0.02, 0.03, 0.05])
    pairs = [(first, second) for first in range(4) for second in range(first)]
    together = randomisation_test_of_pairs(values, pairs, 99_999, seed=1)
    assert together == randomisation_test_of_pairs(values, pairs, 99_999, seed=1, threads=1)
    for (first, second), p in zip(pairs, together, strict=True):
        alone = randomisation_test((values[:, first] - values[:, second]).tolist(), 99_999, seed=2).p
        # Five standard errors of the difference of two shares near a half.
        assert p == pytest.approx(alone, abs=0.012)


@given(st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=21, max_size=40))
def test_randomisation_test_of_opposite_differences_has_the_same_p(values: list[float]) -> None:
    opposite = [-value for value in values]
    assert randomisation_test(values, 999).p == randomisation_test(opposite, 999).p


def test_bootstrap_test_is_near_the_t_test_of_many_queries() -> None:
    values = differences(400, mean=0.03)
    assert bootstrap_test(values, 20_000).p == pytest.approx(t_test(values).p, abs=0.015)


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon", "sign", "bootstrap"])
def test_paired_test_of_equal_runs_has_p_1(test: str) -> None:
    assert paired_test([0.0] * 30, test, permutations=999).p == 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon", "sign", "bootstrap"])
@pytest.mark.parametrize("values", [[], [0.5], [0.5, math.nan], [0.5, math.inf]])
def test_paired_test_without_two_finite_differences_is_nan(test: str, values: list[float]) -> None:
    assert all(map(math.isnan, paired_test(values, test, permutations=999)))  # type: ignore[arg-type]


@pytest.mark.parametrize("test", ["t", "bootstrap"])
def test_paired_test_of_constant_differences_has_p_0_or_the_smallest(test: str) -> None:
    assert paired_test([0.1] * 10, test, permutations=999).p < 0.002  # type: ignore[arg-type]
