"""Three queries as arrays of labels and scores, their values, and what is said of arrays that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

LABELS = np.array([[3, 2, 0, 1], [0, 1, 0, 0], [2, 0, 0, 1]])
SCORES = np.array([[0.5, 0.25, 0.5, 0.125], [3.0, 2.0, 1.0, 0.0], [1.0, 1.0, 2.0, 4.0]])
MEASURES = ["ndcg@3", "dcg"]
HOLES = np.array([[True, False, False, False], [False] * 4, [True] * 4])


def values(labels: Any, scores: Any, groups: Any = None, **options: Any) -> list[dict[str, float]]:
    result = rg.evaluate_arrays(labels, scores, MEASURES, groups, **options)
    return [result.per_query[measure] for measure in MEASURES]


def failure(labels: Any, scores: Any, groups: Any = None, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate_arrays(labels, scores, MEASURES, groups, **options)
    assert "\n" not in str(caught.value)
    return caught.value


EXPECTED = values(LABELS, SCORES)
WITH_HOLES = values(np.where(HOLES, np.nan, LABELS), SCORES)
FLAT = LABELS.ravel(), SCORES.ravel()
