"""Means from few human and many machine labels: as ppi-python computes them, and as sure as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.calibration.human_labels import SHAPES, Labels, coverage, labelled
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.intervals import plus_logit_interval, student_interval
from rankgauge.statistics.moments import moments_of
from rankgauge.statistics.prediction_powered import prediction_powered

NORMAL_QUANTILE = 1.959963984540054


@pytest.mark.parametrize("agreement", [0.0, 0.5, 0.95, 1.0])
@pytest.mark.parametrize(("sample", "others"), [(25, 40), (50, 500), (300, 60)])
@pytest.mark.parametrize("name", SHAPES)
def test_prediction_powered_estimate_and_error_are_those_of_ppi_python(
    name: str, sample: int, others: int, agreement: float
) -> None:
    values = labelled(np.random.default_rng(sample), SHAPES[name], sample, others, agreement)
    estimate = values.powered(bounded=False)
    low, high = ppi_mean_ci(*values, alpha=0.05)
    assert estimate.estimate == pytest.approx(ppi_mean_pointestimate(*values).item(), abs=1e-12)
    # ppi-python divides by n where variances are estimated from the sample, which n - 1 makes unbiased.
    human, machine, rest = values
    residual = human - estimate.weight * machine
    error = math.sqrt(residual.var() / sample + estimate.weight**2 * rest.var() / others)
    assert (high - low).item() / 2.0 / NORMAL_QUANTILE == pytest.approx(error, rel=1e-9)
    assert estimate.error == pytest.approx(error, rel=1.0 / (sample - 1))
    assert estimate.error > error


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_prediction_powered_weight_at_an_end_is_that_of_ppi_python(weight: float) -> None:
    draw = np.random.default_rng(5)
    human = draw.random(40)
    machine, others = (human * 0.5, draw.random(200) * 0.5) if weight else (1.0 - human, draw.random(200))
    estimate = Labels(human, machine, others).powered(bounded=False)
    assert estimate.weight == weight
    assert estimate.estimate == pytest.approx(ppi_mean_pointestimate(human, machine, others, lam=weight).item())


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(("sample", "agreement"), [(25, 0.0), (50, 0.6), (25, 0.95)])
def test_interval_of_a_biased_machine_holds_the_mean_as_often_as_it_says(
    name: str, sample: int, agreement: float
) -> None:
    # The true coverage is 93 to 99 %: five standard errors below it, a right estimator fails with probability 1e-6.
    actual = coverage(name, sample, agreement, 200, sample + len(name))
    assert actual.ours >= 84.0
    assert actual.width < {0.0: 103.0, 0.6: 90.0, 0.95: 55.0}[agreement]


def test_mean_of_the_machine_alone_would_miss() -> None:
    draw = np.random.default_rng(1)
    human, machine, others = labelled(draw, SHAPES["hit at 90 %"], 50, 2000, 0.6)
    estimate = Labels(human, machine, others).powered(bounded=True)
    low, high = student_interval(moments_of([*machine.tolist(), *others.tolist()]))
    assert not low <= 0.9 <= high
    assert estimate.interval().low <= 0.9 <= estimate.interval().high
    assert estimate.machine_mean == pytest.approx(np.concatenate([machine, others]).mean())


def test_interval_of_a_machine_that_knows_nothing_is_that_of_the_human_values() -> None:
    human = [0.2, 0.4, 0.9, 1.0, 0.0] * 6
    estimate = prediction_powered(human, [0.5] * 30, [0.5] * 100, bounded=True)
    assert [estimate.weight, estimate.effective] == pytest.approx([0.0, 30.0])
    assert estimate.estimate == pytest.approx(0.5)
    assert estimate.interval() == pytest.approx(plus_logit_interval(moments_of(human)))
    unbounded = prediction_powered(human, [0.5] * 30, [0.5] * 100)
    assert unbounded.interval() == pytest.approx(student_interval(moments_of(human)))


def test_effective_number_of_a_perfect_machine_is_that_of_all_queries() -> None:
    draw = np.random.default_rng(2)
    truth = draw.random(1000)
    estimate = Labels(truth[:100], truth[:100], truth[100:]).powered(bounded=False)
    assert estimate.effective == pytest.approx(1000, rel=0.15)
    assert estimate.estimate == pytest.approx(truth.mean(), abs=0.005)
    assert estimate.to_halve == (400, 4000)


def test_halving_finds_the_number_of_labels_whose_error_is_half() -> None:
    draw = np.random.default_rng(3)
    estimate = labelled(draw, SHAPES["NDCG-like"], 50, 50_000, 0.6).powered(bounded=False)
    human, queries = estimate.to_halve
    assert queries == 50_050
    again = labelled(draw, SHAPES["NDCG-like"], human, queries - human, 0.6).powered(bounded=False)
    assert 150 < human < 250
    assert again.error == pytest.approx(estimate.error / 2.0, rel=0.15)


def test_prediction_powered_without_other_queries_is_the_human_mean() -> None:
    human = [0.0, 1.0, 0.5] * 10
    estimate = prediction_powered(human, human, [])
    assert [estimate.estimate, estimate.weight, estimate.queries] == pytest.approx([0.5, 0.0, 30])
    assert estimate.p_sample == 1.0


def test_prediction_powered_of_shares_stays_between_0_and_1() -> None:
    human = [1.0] * 29 + [0.0]
    machine = [1.0] * 20 + [0.0] * 10
    estimate = prediction_powered(human, machine, [1.0] * 300, bounded=True)
    assert 0.0 <= estimate.interval().low <= estimate.estimate <= estimate.interval().high <= 1.0


def test_prediction_powered_of_equal_values_has_no_error_and_a_p_of_0() -> None:
    estimate = prediction_powered([0.5] * 30, [0.1] * 30, [0.1] * 50)
    assert (estimate.error, estimate.p, estimate.statistic) == (0.0, 0.0, math.inf)
    assert prediction_powered([0.0] * 30, [0.1] * 30, [0.1] * 50).p == 1.0
    assert estimate.to_halve == (120, 320)


def test_p_sample_tells_a_sample_of_easy_queries() -> None:
    draw = np.random.default_rng(4)
    truth = np.sort(draw.random(500))
    chosen = draw.permutation(500)
    at_random = Labels(truth[chosen[:50]], truth[chosen[:50]], truth[chosen[50:]]).powered(bounded=True)
    easy = Labels(truth[-50:], truth[-50:], truth[:-50]).powered(bounded=True)
    assert at_random.p_sample > 0.001
    assert easy.p_sample < 1e-6


def test_values_whose_squares_overflow_are_refused() -> None:
    human = [1e200 * row for row in range(30)]
    with pytest.raises(RankgaugeError) as refused:
        prediction_powered(human, [0.5] * 30, [0.5, 0.6] * 10)
    assert refused.value.code == "overflow"
