"""Corrections of p-values against statsmodels, and the randomised Tukey test against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from rankgauge.statistics.corrections import benjamini_hochberg, holm, tukey_p, tukey_ranges

# Few, since statsmodels collects garbage at each call, which takes a second where many tests ran before.
SAMPLES = [
    [0.03],
    [0.0, 1.0],
    [0.02, 0.02, 0.02],
    [0.5, 0.001, 0.04, 0.04, 0.2],
    [float(value) for value in np.random.default_rng(1).random(12) ** 3],
]


@pytest.mark.parametrize("values", SAMPLES)
def test_holm_is_that_of_statsmodels(values: list[float]) -> None:
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1])


@pytest.mark.parametrize("values", SAMPLES)
def test_benjamini_hochberg_is_that_of_statsmodels(values: list[float]) -> None:
    assert benjamini_hochberg(values) == pytest.approx(multipletests(values, method="fdr_bh")[1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_are_never_below_the_p_value_and_keep_the_order(values: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        adjusted = correct(values)
        assert all(p <= corrected <= 1.0 for p, corrected in zip(values, adjusted, strict=True))
        order = sorted(range(len(values)), key=values.__getitem__)
        assert [adjusted[index] for index in order] == sorted(adjusted)


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_correction_leaves_nan_out(correct: object) -> None:
    assert correct([math.nan, 0.02, 0.5]) == pytest.approx([math.nan, 0.04, 0.5], nan_ok=True)  # type: ignore[operator]


def test_tukey_ranges_of_two_runs_are_those_of_flipped_signs() -> None:
    source = np.random.default_rng(3)
    values = source.random((40, 2, 1))
    ranges = tukey_ranges(values, 20_000)[0]
    differences = values[:, 0, 0] - values[:, 1, 0]
    signs = source.integers(0, 2, (20_000, 40)) * 2 - 1
    flipped = np.sort(np.abs(signs @ differences))
    # Two samples of 20,000 of the same distribution.
    assert np.abs(ranges - flipped).mean() < 0.05


def test_tukey_ranges_are_by_measure_and_sorted() -> None:
    values = np.zeros((30, 4, 2))
    values[:, :, 1] = np.random.default_rng(1).random((30, 4))
    ranges = tukey_ranges(values, 500)
    assert ranges.shape == (2, 500)
    assert (ranges[0] == 0).all()
    assert (np.diff(ranges[1]) >= 0).all()


def test_tukey_p_counts_ranges_that_are_equal_but_for_rounding() -> None:
    assert tukey_p(np.array([0.1, 0.3, 0.3 + 1e-17]), 0.1 + 0.2, 1.0) == 0.75
