"""Values by human and machine labels, where queries may count for one and not for the other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rankgauge.errors import RankgaugeError
from rankgauge.results.human_labels import combined


def test_combined_needs_25_queries_that_count() -> None:
    machine = {str(query): 0.5 for query in range(100)}
    human = {str(query): math.nan if query < 6 else 0.5 for query in range(30)}
    with pytest.raises(RankgaugeError, match=r"at least 25 of the queries .* got them for 24") as raised:
        combined(human, machine, bounded=True)
    assert raised.value.code == "few-human-labels"


def test_combined_leaves_out_human_labels_without_machine_labels() -> None:
    machine = {str(query): query % 2 for query in range(100)}
    human = {str(query): query % 2 for query in range(40)}
    assert combined({**human, "other": 1.0}, machine, bounded=True) == combined(human, machine, bounded=True)


def test_combined_human_mean_is_that_of_the_queries_that_count() -> None:
    human = {str(query): math.nan if query % 3 == 0 else float(query % 3 == 1) for query in range(60)}
    estimate = combined(human, {str(query): 0.3 for query in range(200)}, bounded=True)
    assert estimate.human.mean == pytest.approx(0.5)
    assert estimate.estimate == pytest.approx(0.5)


def test_combined_interval_with_queries_skipped_on_one_side_has_its_coverage() -> None:
    # A query counts for people with probability 0.8; the machine is wrong about it one time in five, and about easy
    # queries more often. The mean of those that count is 0.5. Bounds as for the interval itself.
    draw = np.random.default_rng(11)
    holds = 0
    for _ in range(1000):
        truth = draw.random(340)
        counts = draw.random(340) < 0.8
        seen = counts ^ (draw.random(340) < 0.4 * truth)
        guess = np.clip(truth + draw.normal(0.1, 0.1, 340), 0.0, 1.0)
        machine = {str(query): guess[query] if seen[query] else math.nan for query in range(340)}
        human = {str(query): truth[query] if counts[query] else math.nan for query in range(60)}
        low, high = combined(human, machine, bounded=True).interval()
        holds += low <= 0.5 <= high
    assert 900 <= holds <= 998
