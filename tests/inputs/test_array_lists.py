"""Lists of arrays: one array per query, of any lengths."""

from __future__ import annotations

from itertools import chain
from typing import Any

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

LABELS = [[3, 2, 0], [1, 0], [0, 0, 1, 2]]
SCORES = [[0.1, 0.5, 0.25], [0.5, 0.75], [0.1, 0.2, 0.3, 0.4]]
masked: Any = np.ma.masked_array


def values(labels: Any, scores: Any, **options: Any) -> dict[str, float]:
    return rg.evaluate_arrays(labels, scores, "ndcg@3", **options).per_query["ndcg@3"]


def failure(labels: Any, scores: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate_arrays(labels, scores, "ndcg@3", **options)
    assert "\n" not in str(caught.value)
    return caught.value


EXPECTED = values(list(chain(*LABELS)), list(chain(*SCORES)), groups=[3, 2, 4], groups_are="sizes")


def as_objects(rows: Any) -> Any:
    array = np.empty(len(rows), dtype=object)
    array[:] = [np.array(row) for row in rows]
    return array


@pytest.mark.parametrize(
    "wrap",
    [
        list,
        tuple,
        lambda rows: [np.array(row) for row in rows],
        lambda rows: [jnp.asarray(row) for row in rows],
        lambda rows: [jnp.asarray(row, dtype=jnp.bfloat16).astype(jnp.float32) for row in rows],
        lambda rows: [pd.Series(row) for row in rows],
        lambda rows: [pl.Series(row) for row in rows],
        lambda rows: [tuple(row) for row in rows],
        lambda rows: [np.array(row, dtype=">f4") for row in rows],
        lambda rows: [np.repeat(np.array(row), 2)[::2] for row in rows],
        as_objects,
        pd.Series,
        pl.Series,
    ],
)
def test_list_of_arrays_has_a_query_per_array(wrap: Any) -> None:
    assert values(wrap(LABELS), SCORES) == pytest.approx(EXPECTED)
    assert values(wrap(LABELS), wrap(SCORES)) == pytest.approx(EXPECTED, abs=0.01)


def test_list_of_arrays_and_of_lists_may_be_mixed() -> None:
    assert values([np.array(row) for row in LABELS], SCORES) == EXPECTED


def test_arrays_of_one_length_are_the_rows_of_a_matrix() -> None:
    labels, scores = np.array([[3, 0], [0, 1]]), np.array([[0.1, 0.5], [0.5, 0.1]])
    expected = values(labels, scores)
    for wrap in (list, lambda array: [jnp.asarray(row) for row in array], as_objects):
        assert values(wrap(labels), wrap(scores)) == expected
        assert values(wrap(labels), scores) == expected


def test_masked_arrays_in_a_list_keep_their_masks() -> None:
    ragged = [masked([3, 2, 9], [0, 0, 1]), masked([1], [0])]
    assert values(ragged, [[0.1, 0.5, 0.7], [0.5]]) == values([[3, 2], [1]], [[0.1, 0.5], [0.5]])
    even = [masked([3, 2, 9], [0, 0, 1]), masked([1, 9, 9], [0, 1, 1])]
    assert values(even, [[0.1, 0.5, 0.7]] * 2) == values([[3, 2], [1]], [[0.1, 0.5], [0.1]])


def test_list_of_arrays_with_a_mask_for_each_leaves_places_out() -> None:
    mask = [[False, True, False], [False, False], [True, False, False, False]]
    left = [np.array(row)[~np.array(hidden)].tolist() for row, hidden in zip(LABELS, mask, strict=True)]
    right = [np.array(row)[~np.array(hidden)].tolist() for row, hidden in zip(SCORES, mask, strict=True)]
    assert values(LABELS, SCORES, mask=mask) == values(left, right)
    assert values(LABELS, SCORES, mask=[np.array(row) for row in mask]) == values(left, right)


def test_empty_array_in_a_list_is_an_empty_query() -> None:
    assert values([[1, 0], []], [[0.5, 0.2], []]) == {"0": 1.0, "1": 0.0}


def test_long_whole_scores_in_a_list_keep_their_order() -> None:
    now = 1_700_000_000_000_000_000
    assert values([[0, 1], [0, 0, 1]], [np.array([now, now + 1]), np.array([now, now + 1, now + 2])]) == {
        "0": 1.0,
        "1": 1.0,
    }


def test_nan_in_a_list_of_arrays_is_refused() -> None:
    error = failure(LABELS, [[0.1, 0.5, np.nan], *SCORES[1:]])
    assert (error.code, error.place) == ("no-score", "query '0', item '2'")
    assert values([[3, np.nan], [1]], [[0.1, np.nan], [0.5]]) == {"0": 1.0, "1": 1.0}


@pytest.mark.parametrize(
    ("labels", "scores", "options", "code"),
    [
        (LABELS, SCORES[:2], {}, "bad-shape"),
        (LABELS, [*SCORES[:2], [1.0]], {}, "bad-shape"),
        (LABELS, SCORES, {"groups": [3, 2, 4]}, "bad-shape"),
        (LABELS, SCORES, {"mask": [True] * 9}, "bad-shape"),
        (LABELS, SCORES, {"mask": [[True]] * 3}, "bad-shape"),
        (LABELS, SCORES, {"mask": [[1, 0, 0], [0, 0], [0, 0, 0, 0]]}, "bad-shape"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], [np.zeros((2, 2)), np.zeros((2, 3))], {}, "bad-array"),
        (LABELS, list(chain(*SCORES)), {}, "bad-array"),
        ([["a", "b"], ["c"]], [[1, 2], [3]], {}, "bad-array"),
        ([[[1], [2]], [[1]]], [[[1], [2]], [[1]]], {}, "bad-shape"),
        ([1, [2, 3]], [1, [2, 3]], {}, "bad-array"),
    ],
)
def test_lists_that_do_not_fit_are_refused(labels: Any, scores: Any, options: dict[str, Any], code: str) -> None:
    assert failure(labels, scores, **options).code == code


def test_lists_of_different_lengths_name_the_query() -> None:
    assert "2 and 1 in query 1" in str(failure(LABELS, [SCORES[0], [0.5], SCORES[2]]))
