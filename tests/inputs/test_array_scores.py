"""Scores in arrays that are no plain numbers: NaN, infinite ones, and whole numbers that no float holds."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.remarks import Remark

NAN, LAST = np.nan, -np.inf
LABELS = np.array([[3, 2, 0, 1], [0, 1, 0, 0]])
SCORES = np.array([[0.5, 0.25, 0.75, 0.125], [3.0, 2.0, 1.0, 0.5]])
CONVENTIONS = ["sklearn", "lightgbm", "xgboost", "trec_eval", "textbook"]
masked: Any = np.ma.masked_array


def failure(*data: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate_arrays(*data, **{"measures": "ndcg@3", **options})
    assert "\n" not in str(caught.value)
    return caught.value


def value(*data: Any, **options: Any) -> dict[str, float]:
    result = rg.evaluate_arrays(*data, **{"measures": "ndcg@3", **options})
    return result.per_query["ndcg@3"]


def remark(code: str, *data: Any, **options: Any) -> Remark | None:
    result = rg.evaluate_arrays(*data, **{"measures": "ndcg@3", **options})
    return next((each for each in result.remarks if each.code == code), None)


# NaN


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("groups", [None, [4, 4], [0, 4, 8], ["a", "b"] * 4])
def test_flat_scores_that_are_all_nan_are_refused(convention: str, groups: Any) -> None:
    """They were places without an item once: nothing was relevant, and an epoch of NaN was worth 1."""
    error = failure(LABELS.ravel(), np.full(8, NAN), groups=groups, convention=convention)
    assert error.code == "no-score"
    assert "mask=" in str(error)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_matrix_of_scores_that_are_all_nan_is_refused(convention: str) -> None:
    assert failure(LABELS, np.full((2, 4), NAN), convention=convention).code == "no-score"
    assert failure(LABELS * 0, np.full((2, 4), NAN), convention=convention).code == "no-score-at-all"


@pytest.mark.parametrize("label", [0, 1, -1, 0.5])
def test_flat_score_that_is_nan_is_refused_whatever_the_label(label: float) -> None:
    error = failure([2, label, 1], [0.5, NAN, 0.1])
    assert (error.code, error.place) == ("no-score", "query '0', item '1'")


def test_flat_score_that_is_nan_in_rows_apart_is_refused_by_its_place() -> None:
    error = failure([2, 0, 1, 1], [0.5, 0.1, 0.2, NAN], groups=["a", "b", "a", "b"])
    assert (error.code, error.place) == ("no-score", "query 'b', item '1'")


def test_matrix_score_that_is_nan_beside_a_relevant_label_is_refused() -> None:
    error = failure([[2, 1, 0]], [[0.5, NAN, 0.1]])
    assert (error.code, error.place) == ("no-score", "query '0', item '1'")
    assert "label 1, got NaN" in str(error)


def test_matrix_row_without_any_score_is_refused() -> None:
    error = failure([[2, 1, 0], [0, 0, NAN]], [[0.5, 0.2, 0.1], [NAN, NAN, NAN]])
    assert (error.code, error.place) == ("no-score-at-all", "query '1'")
    assert "mask=" in str(error)


@pytest.mark.parametrize("pad", [0, -1, NAN])
def test_matrix_with_padding_equals_its_queries_alone(pad: float) -> None:
    padded = value([[2, 1, 0], [0, 1, pad]], [[0.5, 0.2, 0.1], [0.2, 0.1, NAN]])
    assert padded == value([2, 1, 0, 0, 1], [0.5, 0.2, 0.1, 0.2, 0.1], groups=[3, 2])


def test_matrix_padding_by_nan_scores_is_remarked() -> None:
    said = remark("unscored", [[2, 1, 0, 0]], [[0.5, 0.2, NAN, NAN]])
    assert said is not None
    assert said.severity == "caution"
    assert said.text == "2 places with the label 0 and the score NaN, taken for padding"
    assert remark("unscored", [[2, 1, NAN]], [[0.5, 0.2, NAN]]) is None


@pytest.mark.parametrize(
    ("labels", "scores", "mask"),
    [
        ([3, 2, 1, 0], [0.1, NAN, 0.3, 0.2], [False, True, False, False]),
        ([3, NAN, 1, 0], [0.1, NAN, 0.3, 0.2], None),
        ([3, NAN, 1, 0], [0.1, 9, 0.3, 0.2], None),
        ([3, 2, 1, 0], masked([0.1, NAN, 0.3, 0.2], [0, 1, 0, 0]), None),
        (masked([3, 2, 1, 0], [0, 1, 0, 0]), [0.1, NAN, 0.3, 0.2], None),
        (pa.array([3, None, 1, 0]), [0.1, NAN, 0.3, 0.2], None),
        ([3, 2, 1, 0], [0.1, np.inf, 0.3, 0.2], [False, True, False, False]),
        ([3, 2, 1, 0], [0.1, LAST, 0.3, 0.2], [False, True, False, False]),
    ],
)
def test_flat_place_that_is_masked_or_unlabelled_has_no_item(labels: Any, scores: Any, mask: Any) -> None:
    expected = value([3, 1, 0], [0.1, 0.3, 0.2])
    assert value(labels, scores, mask=mask) == expected
    assert value(labels, scores, mask=mask, groups=[4]) == expected


def test_arrow_null_in_flat_scores_is_refused() -> None:
    assert failure([1, 0], pa.array([0.5, None])).code == "no-score"


def test_nan_is_refused_by_a_plan_too() -> None:
    plan = rg.Request.of("ndcg@3", "lightgbm").plan()
    scores = np.full((2, 4), NAN)
    for data in ((LABELS, scores), (LABELS.ravel(), scores.ravel(), [4, 4])):
        with pytest.raises(RankgaugeError) as caught:
            plan.evaluate_arrays(*data)
        assert caught.value.code == "no-score"


@pytest.mark.parametrize("convert", [jnp.asarray, np.float16, np.float32, lambda array: array.astype(">f8"), list])
def test_nan_of_any_type_is_refused(convert: Any) -> None:
    assert failure([1, 0], convert(np.array([0.5, NAN]))).code == "no-score"
    bfloat = jnp.asarray([0.5, NAN], dtype=jnp.bfloat16)
    assert failure([1, 0], bfloat).code == "no-score"


def test_nan_beside_sparse_labels_is_refused_where_they_are_relevant() -> None:
    labels = scipy.sparse.csr_array([[0, 2, 0], [1, 0, 0]])
    scores = np.array([[0.5, 0.4, NAN], [0.5, 0.4, NAN]])
    assert value(labels, scores) == value(labels[:, :2].toarray(), scores[:, :2])
    assert failure(labels, np.where(labels.toarray() == 2, NAN, scores)).code == "no-score"


# Infinite scores


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_score_of_minus_infinity_is_ranked_last(convention: str) -> None:
    labels, scores = [[1, 3, 2, 0]], np.array([[0.3, LAST, 0.2, 0.1]])
    lowest = np.where(np.isneginf(scores), -1e30, scores)
    assert value(labels, scores, convention=convention) == value(labels, lowest, convention=convention)


@pytest.mark.parametrize("length", [5, 40, 300, 2000])
@pytest.mark.parametrize("measure", ["ndcg", "ndcg@10", "map", "mrr", "auc", "ndcg@100"])
@pytest.mark.parametrize("convention", ["sklearn", "xgboost", "recbole"])
def test_many_scores_of_minus_infinity_equal_one_score_below_all(length: int, measure: str, convention: str) -> None:
    rng = np.random.default_rng(length)
    labels, scores = rng.integers(0, 3, (4, length)), rng.normal(size=(4, length))
    scores = np.where(rng.random((4, length)) < 0.7, LAST, scores)
    scores[:, 0] = 0.5
    lowest = np.where(np.isneginf(scores), -1e30, scores)
    results = [
        rg.evaluate_arrays(labels, each, measure, convention=convention).per_query[measure] for each in (scores, lowest)
    ]
    assert results[0] == results[1]


def test_score_of_minus_infinity_is_remarked_with_the_way_to_leave_it_out() -> None:
    data = [1, 0, 2], np.array([0.1, LAST, LAST])
    said = remark("lowest-scores", *data)
    assert said is not None
    assert (said.severity, said.text) == ("caution", "2 items with the score -inf, ranked last")
    assert "mask=np.isneginf(scores)" in said.next_step
    assert value(*data, mask=np.isneginf(data[1])) == {"0": 1.0}
    assert remark("lowest-scores", [1, 0], [0.1, 0.2]) is None


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_query_whose_scores_are_all_minus_infinity_is_refused_if_something_is_relevant(convention: str) -> None:
    error = failure([[3, 2, 0]], [[LAST, LAST, LAST]], convention=convention)
    assert (error.code, error.place) == ("no-score-at-all", "query '0'")
    assert "-inf for all" in str(error)
    assert failure([3, 2, NAN], [LAST, LAST, 0.5], convention=convention).code == "no-score-at-all"
    assert value([[0, 0], [1, 0]], [[LAST, LAST], [1, 0]], convention=convention)["1"] == 1.0


@pytest.mark.parametrize("got", [np.inf, LAST])
def test_infinite_label_is_refused(got: float) -> None:
    error = failure([1, got], [0.2, 0.1])
    assert (error.code, error.place) == ("infinite-value", "query '0', item '1'")


def test_score_of_plus_infinity_is_refused_with_the_way_out() -> None:
    error = failure([1, 0], [0.2, np.inf])
    assert (error.code, error.place) == ("infinite-value", "query '0', item '1'")
    assert "mask=" in str(error)


@pytest.mark.parametrize(
    "ranking",
    [
        {"q": {"a": 0.5, "b": LAST}},
        {"q": [("a", 0.5), ("b", LAST)]},
        [{"query": "q", "item": "a", "score": 0.5}, {"query": "q", "item": "b", "score": LAST}],
    ],
)
def test_minus_infinity_outside_of_arrays_is_refused_with_the_way_out(ranking: Any) -> None:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate({"q": {"a": 1}}, ranking)
    assert caught.value.code == "bad-value"
    assert "a score below all others, not -inf" in str(caught.value)


# Whole numbers that no float holds

NOW = 1_700_000_000_000_000_000


@pytest.mark.parametrize("dtype", ["i8", "u8", ">i8", ">u8", "O", "U19", "S19"])
@pytest.mark.parametrize("base", [NOW, 2**53, 2**62])
def test_long_whole_scores_keep_their_order(dtype: str, base: int) -> None:
    order = np.array([4, 0, 3, 1, 2])
    labels, scores = order[None], (base + order)[None]
    for convention in ("sklearn", "lightgbm", "textbook"):
        assert value(labels, scores.astype(dtype), convention=convention) == {"0": 1.0}
        assert value(labels[0], scores[0].astype(dtype), convention=convention) == {"0": 1.0}


def test_long_whole_scores_at_the_ends_of_their_types_keep_their_order() -> None:
    unsigned = np.array([[2**64 - 1, 2**64 - 2, 2**64 - 3]], dtype=np.uint64)
    signed = np.array([[-(2**63) + 2, -(2**63) + 1, -(2**63)]])
    for scores in (unsigned, signed):
        assert value([[3, 2, 1]], scores) == {"0": 1.0}
        assert value([[1, 2, 3]], scores)["0"] < 1


def test_long_whole_scores_in_a_plan_keep_their_order() -> None:
    evaluation = (
        rg.Request.of("mrr", "sklearn")
        .plan()
        .evaluate_arrays(np.array([[0, 1, 0]]), np.array([[NOW, NOW + 2, NOW + 1]]))
    )
    assert evaluation.aggregates() == [1.0]


def test_long_whole_scores_with_groups_apart_and_a_mask_keep_their_order() -> None:
    scores = np.array([NOW, NOW + 9, NOW + 2, 5, NOW + 1])
    mask = np.array([False, True, False, False, False])
    assert value([0, 9, 1, 1, 0], scores, groups=["a", "a", "a", "b", "a"], mask=mask) == {"a": 1.0, "b": 1.0}


def test_equal_long_scores_stay_equal() -> None:
    assert remark("ties", [[0, 1]], np.array([[NOW, NOW]])) is not None
    assert remark("ties", [[0, 1]], np.array([[NOW, NOW + 1]])) is None


def test_long_whole_scores_under_a_convention_of_32_bits_tie_and_are_remarked() -> None:
    data = [[0, 1, 0]], np.array([[NOW, NOW + 2, NOW + 1]])
    floats = data[0], data[1].astype(float)
    assert value(*data, convention="xgboost") == value(*floats, convention="xgboost")
    said = remark("rounded-scores", *data, convention="xgboost")
    assert said is not None
    assert said.severity == "caution"
    assert said.text.startswith("1 query whose distinct scores are equal as 32-bit floats")
    assert remark("rounded-scores", *floats, convention="xgboost") is None
    assert rg.evaluate_arrays(*data, "mrr", convention="xgboost", strict=True)["mrr"] == 0.5


def test_scores_that_differ_in_the_last_bits_are_rounded_by_32_bits_alone() -> None:
    data = [[0, 1]], np.array([[0.1, 0.1 + 1e-12]])
    assert remark("rounded-scores", *data, convention="xgboost") is not None
    assert remark("rounded-scores", *data, convention="lightgbm") is None
    assert remark("merged-scores", *data, convention="lightgbm") is None


def test_long_doubles_that_a_float_does_not_tell_apart_are_refused() -> None:
    long = np.array([[1, 1, 2]], dtype=np.longdouble)
    assert value([[0, 0, 1]], long) == {"0": 1.0}
    long[0, 1] += np.finfo(np.longdouble).eps
    error = failure([[0, 1, 0]], long)
    assert error.code == "bad-array"
    assert "equal as 64-bit floats" in str(error)
    assert value(long, [[0.1, 0.2, 0.3]]) == value([[1, 1, 2]], [[0.1, 0.2, 0.3]])  # labels need no order


# Other types


def test_scores_of_bool_and_small_floats_are_read() -> None:
    assert value([[0, 1]], [[False, True]]) == value([[0, 1]], np.array([[0, 1]], np.float16)) == {"0": 1.0}


@pytest.mark.parametrize("empty", [np.zeros(0), [], np.zeros((0, 3)), np.zeros(0, dtype=np.int64)])
def test_empty_arrays_are_refused(empty: Any) -> None:
    assert failure(empty, empty).code == "no-rows"


def test_array_without_dimensions_is_refused() -> None:
    assert failure(np.array(1.0), np.array(2.0)).code == "bad-shape"
