"""A quick part of docs/calibration.md: bounds that a right estimator passes and a wrong one fails.

A right estimator stays within five standard errors of its target: it fails a cell with a probability below 1e-6. Seeds
are fixed, so a test that passes passes always.
"""

from __future__ import annotations

import math

import pytest
from benchmarks.calibration.dates import Cell, ndcg_above_chance, rank_ic, spread, top
from benchmarks.calibration.page import merged
from benchmarks.calibration.simulate import (
    aggregate_coverage,
    error_of_family,
    error_of_portfolios,
    error_of_study,
    error_of_test,
    error_of_tries,
    interval_coverage,
    seed_of,
)
from benchmarks.calibration.values import SHAPES, geometric_mean_of_beta

from rankgauge.measures.measure import Aggregate
from rankgauge.statistics.paired import Test

REPETITIONS = 400


def bounds(percent: float, repetitions: int = REPETITIONS) -> tuple[float, float]:
    """Five standard errors around a share in percent."""
    share = percent / 100.0
    margin = 500.0 * math.sqrt(share * (1.0 - share) / repetitions)
    return percent - margin, percent + margin


@pytest.mark.parametrize("shape", SHAPES)
def test_interval_of_25_queries_covers_the_mean_as_often_as_it_says(shape: str) -> None:
    share = interval_coverage(shape, 25, REPETITIONS, seed_of("quick", shape))
    assert share.percent > bounds(93.0)[0]


def test_interval_by_percentile_bootstrap_would_fail_for_hits() -> None:
    share = interval_coverage("hit at 90 %", 10, 100, seed_of("quick"), "percentile bootstrap")
    assert share.percent < bounds(93.0, 100)[0]


@pytest.mark.parametrize("how", ["sum", "geometric", "weighted"])
def test_interval_of_an_aggregate_covers_it_as_often_as_it_says(how: Aggregate) -> None:
    assert aggregate_coverage(how, 50, REPETITIONS, seed_of("quick", how)).percent > bounds(93.0)[0]


@pytest.mark.parametrize("test", ["randomisation", "t"])
def test_paired_test_of_equal_systems_errs_as_often_as_it_says(test: Test) -> None:
    low, high = bounds(5.0)
    assert max(low, 0.5) < error_of_test("exchangeable", test, 50, REPETITIONS, seed_of("quick", test)).percent < high


def test_paired_test_by_signs_would_fail_for_few_big_wins() -> None:
    share = error_of_test("few big wins, many small losses", "sign", 50, 100, seed_of("quick"))
    assert share.percent > bounds(6.5, 100)[1]


@pytest.mark.parametrize("correction", ["holm", "tukey"])
def test_family_of_equal_systems_errs_at_most_as_often_as_it_says(correction: str) -> None:
    share = error_of_family(correction, 25, 100, seed_of("quick", correction), permutations=999)
    assert share.percent < bounds(6.5, 100)[1]


def test_family_without_a_correction_would_fail() -> None:
    assert error_of_family("none", 25, 100, seed_of("quick"), permutations=999).percent > bounds(6.5, 100)[1]


@pytest.mark.parametrize("measure", [rank_ic, ndcg_above_chance])
def test_study_without_skill_errs_as_often_as_it_says(measure: object) -> None:
    cell = Cell(250, 5, "slow")
    ours, plain = error_of_study(measure, cell, 200, seed_of("quick"))  # type: ignore[arg-type]
    assert ours.percent < bounds(6.5, 200)[1]
    assert plain.percent > bounds(6.5, 200)[1]


@pytest.mark.parametrize("measure", [top, spread])
def test_portfolios_without_skill_err_as_often_as_they_say(measure: object) -> None:
    ours, _ = error_of_portfolios(measure, Cell(120, 5, "slow"), REPETITIONS, seed_of("quick"))  # type: ignore[arg-type]
    low, high = bounds(5.0)
    assert max(low, 0.5) < ours.percent < high


def test_tries_without_skill_err_as_often_as_they_say() -> None:
    actual = error_of_tries(10, Cell(60, 1, "fresh"), 200, seed_of("quick"))
    assert actual.by_holm.percent < bounds(6.5, 200)[1]
    assert actual.deflated.percent < bounds(6.5, 200)[1]
    assert actual.uncorrected.percent > bounds(6.5, 200)[1]


def test_page_with_a_section_made_anew_keeps_the_others() -> None:
    page = merged("", {"a": "## One\n\ntext\n", "b": "## Two\n\ntable\n"}, 4000)
    changed = merged(page, {"b": "## Two\n\nother\n", "c": "## Three\n\nnew\n"}, 100)
    assert changed == page.replace("table", "other") + "\n## Three\n\nnew\n"


def test_geometric_mean_of_beta_is_that_of_its_logarithms() -> None:
    # The mean of log(x) of a uniform distribution is -1.
    assert geometric_mean_of_beta(1.0, 1.0) == pytest.approx(math.exp(-1.0), rel=1e-12)
