"""Pairs of runs, tested together and alone, give the same comparison."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats

from rankgauge.request import Request
from rankgauge.results.aligned_runs import AlignedRuns
from rankgauge.results.comparison import Comparison
from rankgauge.results.pairing import compare_aligned, design_of, most_moved
from rankgauge.statistics.moments import moments_of
from rankgauge.statistics.paired import randomisation_test

Values = npt.NDArray[np.float64]

REQUEST = Request.of("ndcg@10")
(MEASURE,) = REQUEST.measures


def compared(values: Values, **options: object) -> Comparison:
    names = tuple(f"run{column}" for column in range(values.shape[1]))
    aligned = AlignedRuns(names, tuple(range(len(values))), {MEASURE: values})
    return compare_aligned(aligned, REQUEST, design_of(names, **options))  # type: ignore[arg-type]


def drawn(queries: int, runs: int) -> Values:
    source = np.random.default_rng(4)
    return np.clip(source.beta(2, 2, (queries, 1)) + source.normal(0, 0.1, (queries, runs)), 0, 1)


def test_pairs_of_many_runs_have_the_numbers_of_each_pair_alone() -> None:
    values = drawn(120, 6)
    for pair in compared(values, permutations=20_000).pairs:
        first, second = (int(name.removeprefix("run")) for name in (pair.first, pair.second))
        differences = (values[:, first] - values[:, second]).tolist()
        moments = moments_of(differences)
        assert (pair.difference, pair.deviation**2) == pytest.approx((moments.mean, moments.variance), rel=1e-12)
        assert pair.p == pytest.approx(randomisation_test(differences, 20_000, seed=9).p, abs=0.02)
        low, high = scipy.stats.t.interval(0.95, 119, moments.mean, moments.error)
        assert pair.interval == pytest.approx((low, high), rel=1e-9)


def test_pairs_that_differ_in_few_queries_are_tested_exactly() -> None:
    values = np.repeat(drawn(100, 1), 6, axis=1)
    values[:5, 0] += 0.1
    comparison = compared(values, correction="none")
    assert comparison.pair("ndcg@10", "run1", "run0").p == 2 / 2**5
    assert comparison.pair("ndcg@10", "run2", "run1").p == 1.0


def test_pairs_whose_differences_are_tiny_are_tested_by_themselves() -> None:
    values = np.repeat(drawn(100, 1), 6, axis=1)
    values += np.random.default_rng(1).normal(0, 1e-9, values.shape)
    values[:, 0] += 1e-8
    comparison = compared(values, correction="none")
    assert comparison.pair("ndcg@10", "run1", "run0").p < 0.001
    assert comparison.pair("ndcg@10", "run1", "run0").losses == 100


def test_moved_queries_are_the_largest_differences_in_order() -> None:
    differences = np.array([0.1, -0.5, 0.0, 0.5, 0.2] * 10)
    moved = most_moved(range(50), differences, np.zeros(50), differences)
    assert [each.query for each in moved] == [row for row in range(50) if abs(differences[row]) == 0.5]
    assert [each.query for each in most_moved(range(3), differences[:3], np.zeros(3), differences[:3])] == [1, 0]
