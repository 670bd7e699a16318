from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from tests.inputs.small_arrays import EXPECTED, FLAT, HOLES, LABELS, SCORES, WITH_HOLES, failure, values

import rankgauge as rg
from rankgauge.inputs import arrays

masked: Any = np.ma.masked_array


class OnlyDlpack:
    def __init__(self, array: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


# Types and layouts


@pytest.mark.parametrize(
    "dtype", ["b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d", "g", ">i4", ">f8", ">f2", "O"]
)
def test_arrays_with_labels_of_any_type_give_the_same_value(dtype: str) -> None:
    assert values(LABELS.astype(dtype), SCORES) == EXPECTED


@pytest.mark.parametrize("dtype", ["e", "f", "d", "g", ">f4", "O", "U8"])
def test_arrays_with_scores_of_any_type_give_the_same_value(dtype: str) -> None:
    assert values(LABELS, SCORES.astype(dtype)) == EXPECTED


@pytest.mark.parametrize("dtype", ["b", "B", "h", "H", "i", "I", "q", "Q", ">i2"])
def test_arrays_with_whole_scores_give_the_same_value(dtype: str) -> None:
    assert values(LABELS, (SCORES * 8).astype(dtype)) == EXPECTED


def test_arrays_of_bools_are_zeros_and_ones() -> None:
    assert values(LABELS > 0, SCORES) == values((LABELS > 0).astype(float), SCORES)
    assert values(LABELS, SCORES > 0.4) == values(LABELS, (SCORES > 0.4).astype(float))


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=1)[:, ::2],
        lambda array: np.repeat(array, 3, axis=0)[::3],
        lambda array: array[::-1, ::-1].copy()[::-1, ::-1],
        lambda array: np.ascontiguousarray(array.T).T,
        lambda array: np.frombuffer(b"." + array.tobytes(), array.dtype, offset=1).reshape(array.shape),  # not aligned
    ],
)
def test_arrays_in_any_memory_layout_give_the_same_value(layout: Any) -> None:
    assert values(layout(LABELS), layout(SCORES)) == EXPECTED
    assert values(layout(LABELS), layout(SCORES), mask=layout(HOLES)) == WITH_HOLES


@pytest.mark.parametrize(
    "wrap",
    [
        np.ndarray.tolist,
        jnp.asarray,
        pd.DataFrame,
        pl.DataFrame,
        OnlyDlpack,
        masked,
        lambda array: tuple(map(tuple, array)),
    ],
)
def test_arrays_of_other_libraries_give_the_same_value(wrap: Any) -> None:
    assert values(wrap(LABELS), wrap(SCORES)) == EXPECTED


@pytest.mark.parametrize("wrap", [pd.Series, pl.Series, pa.array, memoryview, jnp.asarray, np.ndarray.tolist])
def test_flat_arrays_of_other_libraries_give_the_same_value(wrap: Any) -> None:
    assert values(wrap(FLAT[0]), wrap(FLAT[1]), [4, 4, 4]) == EXPECTED


def test_arrays_of_types_that_numpy_lacks_are_read() -> None:
    assert values(LABELS, jnp.asarray(SCORES, dtype=jnp.bfloat16)) == EXPECTED
    assert values(pd.Series(FLAT[0], dtype="Int64"), pd.Series(FLAT[1], dtype="Float32"), [4, 4, 4]) == EXPECTED


def test_arrays_that_are_read_only_are_read() -> None:
    labels, scores = LABELS.copy(), SCORES.copy()
    labels.flags.writeable = scores.flags.writeable = False
    assert values(labels, scores) == EXPECTED


@pytest.mark.parametrize("convention", ["sklearn", "xgboost", "textbook(ties=given,precision=float32)"])
def test_arrays_after_evaluation_are_unchanged(convention: str) -> None:
    labels, scores, mask = LABELS.copy(), SCORES * 0.1, HOLES.copy()
    before = labels.copy(), scores.copy(), mask.copy()
    rg.evaluate_arrays(labels, scores, "ndcg@3", convention=convention, mask=mask)
    rg.evaluate_arrays(labels.ravel(), scores.ravel(), "ndcg@3", [1, 2] * 6, convention=convention)
    assert all(np.array_equal(now, then) for now, then in zip((labels, scores, mask), before, strict=True))


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i1", "u8", "?"])
@pytest.mark.parametrize("shape", [(12,), (3, 4)])
def test_arrays_in_order_are_borrowed(dtype: str, shape: tuple[int, ...]) -> None:
    labels, scores = LABELS.astype(dtype).reshape(shape), SCORES.astype(dtype).reshape(shape)
    borrowed, _ = arrays.read(labels, scores, None, None, None)
    assert np.shares_memory(borrowed.scores, scores)
    assert not isinstance(borrowed.labels, tuple)
    assert np.shares_memory(borrowed.labels, labels)


def test_sparse_matrix_parts_are_borrowed() -> None:
    matrix = scipy.sparse.csr_array(LABELS)
    borrowed, _ = arrays.read(matrix, SCORES, None, None, None)
    numbers, places, starts, columns = borrowed.labels
    assert np.shares_memory(numbers, matrix.data)
    assert np.shares_memory(places, matrix.indices)
    assert np.shares_memory(starts, matrix.indptr)
    assert columns == 4


# Places without an item


@pytest.mark.parametrize(
    ("labels", "scores", "mask"),
    [
        (np.where(HOLES, np.nan, LABELS), np.where(HOLES, np.nan, SCORES), None),
        (np.where(HOLES, np.nan, LABELS), np.where(HOLES[::-1] & HOLES, np.nan, SCORES), None),
        (LABELS, SCORES, HOLES),
        (LABELS, SCORES, HOLES.tolist()),
        (LABELS, SCORES, jnp.asarray(HOLES)),
        (masked(LABELS, HOLES), SCORES, None),
        (LABELS, masked(SCORES, HOLES), None),
        (LABELS, np.where(HOLES, np.inf, SCORES), HOLES),
        (np.where(HOLES, np.inf, LABELS), SCORES, HOLES),
        (LABELS, masked(SCORES, HOLES & (LABELS > 2)), HOLES & (LABELS <= 2)),
        (np.where(HOLES, np.array(None), LABELS), SCORES, None),
        (scipy.sparse.csr_array(LABELS), SCORES, HOLES),
    ],
)
def test_arrays_with_nan_or_mask_have_absent_items(labels: Any, scores: Any, mask: Any) -> None:
    assert values(labels, scores, mask=mask) == WITH_HOLES


@pytest.mark.parametrize("groups", [[4, 4, 4], [0, 4, 8, 12], ["0"] * 4 + ["1"] * 4 + ["2"] * 4])
def test_flat_arrays_with_nan_or_mask_have_absent_items(groups: Any) -> None:
    assert values(*FLAT, groups, mask=HOLES.ravel()) == WITH_HOLES


def test_grouped_rows_apart_with_nan_have_absent_items() -> None:
    mixed = np.arange(12).reshape(3, 4).T.ravel()
    labels, scores, mask = FLAT[0][mixed], FLAT[1][mixed], HOLES.ravel()[mixed]
    assert values(labels, scores, np.tile([0, 1, 2], 4), mask=mask) == WITH_HOLES


def test_item_place_with_absent_neighbours_stays() -> None:
    error = failure([[np.nan, np.nan, -1.0]], [[1, 2, 3]])
    assert (error.code, error.place) == ("negative-grade", "query '0', item '2'")


# Sparse labels


@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "csc_array", "coo_array", "lil_array", "dok_array"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1"])
def test_sparse_labels_equal_dense_labels(kind: str, dtype: str) -> None:
    assert values(getattr(scipy.sparse, kind)(LABELS.astype(dtype)), SCORES) == EXPECTED


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_sparse_labels_with_duplicates_are_summed(dtype: Any) -> None:
    """A place given twice counts as the sum; rows may be empty, and places in any order."""
    matrix = scipy.sparse.csr_array((3, 4))
    matrix.data = np.array([1.0, 1.0, 3.0, 1.0, 1.0])
    matrix.indices, matrix.indptr = np.array([3, 1, 0, 1, 2], dtype), np.array([0, 4, 4, 5], dtype)
    assert values(matrix, SCORES) == values([[3, 2, 0, 1], [0] * 4, [0, 0, 1, 0]], SCORES)


def test_sparse_labels_without_columns_or_in_one_dimension_equal_dense_labels() -> None:
    assert values(scipy.sparse.csr_array((2, 0)), np.zeros((2, 0))) == values(np.zeros((2, 0)), np.zeros((2, 0)))
    assert values(scipy.sparse.coo_array(LABELS[0]), SCORES[0]) == values(LABELS[0], SCORES[0])


def test_sparse_matrix_that_is_broken_is_refused() -> None:
    matrix = scipy.sparse.csr_array(LABELS)
    matrix.indices = np.full_like(matrix.indices, 99)
    assert failure(matrix, SCORES).code == "bad-array"


# What is refused


@pytest.mark.parametrize(
    ("labels", "scores", "code"),
    [
        (LABELS, SCORES[:2], "bad-shape"),
        (LABELS, SCORES.ravel(), "bad-shape"),
        (scipy.sparse.csr_array(LABELS), SCORES[:, :3], "bad-shape"),
        (np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), "bad-shape"),
        (1, 2, "bad-shape"),
        ([[1, 2], [1]], [[1, 2], 1], "bad-array"),
        ([["a", "b"]], [[1, 2]], "bad-array"),
        (np.array([[object()]]), [[1]], "bad-array"),
        (np.array([[10**400]], dtype=object), [[1]], "bad-array"),
        (LABELS.astype(complex), SCORES, "bad-array"),
        (LABELS, SCORES * 1j, "bad-array"),
        (LABELS, LABELS.astype("M8[s]"), "bad-array"),
        (LABELS, scipy.sparse.csr_array(SCORES), "bad-array"),
        (OnlyDlpack(LABELS, device=(2, 0)), SCORES, "bad-array"),
        (LABELS, np.where(SCORES == 3, np.inf, SCORES), "infinite-value"),
        (np.where(LABELS == 3, -np.inf, LABELS), SCORES, "infinite-value"),
        (LABELS - 1, SCORES, "negative-grade"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(labels: Any, scores: Any, code: str) -> None:
    assert failure(labels, scores).code == code


def test_arrow_null_is_an_absent_item() -> None:
    assert values(pa.array([1, None, 2]), pa.array([1.0, 2.0, 3.0])) == values([1, np.nan, 2], [1, 2, 3])


@pytest.mark.parametrize("mask", [HOLES[0], HOLES.astype(int), HOLES.astype(str), True, HOLES.T])
def test_masks_that_do_not_fit_are_refused(mask: Any) -> None:
    assert failure(LABELS, SCORES, mask=mask).code == "bad-shape"


def test_groups_beside_two_dimensions_are_refused() -> None:
    assert failure(LABELS, SCORES, [1, 1, 1]).code == "bad-shape"


def test_infinite_value_is_refused_by_its_place() -> None:
    error = failure(FLAT[0], np.where(FLAT[1] == 4, np.inf, FLAT[1]), np.repeat([7, 3, 5], 4))
    assert (error.code, error.place) == ("infinite-value", "query '5', item '3'")
