"""Flat arrays in groups: sizes, boundaries and ids of every kind give the values of the same rows in a matrix."""

from __future__ import annotations

import datetime as dt
from typing import Any

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.inputs.small_arrays import EXPECTED, FLAT, LABELS, SCORES, failure, values

import rankgauge as rg

IDS = np.repeat([7, 3, 5], 4)
DAYS = np.repeat(np.array(["2024-03-07", "2024-03-03", "2024-03-05"], dtype="datetime64[D]"), 4)


@pytest.mark.parametrize(
    ("groups", "names"),
    [
        ([4, 4, 4], "012"),
        (np.array([4, 4, 4], dtype=np.uint8), "012"),
        (np.array([4, 4, 4], dtype=">i8"), "012"),
        (pd.Series([4, 4, 4], index=[3, 1, 2]), "012"),
        (pl.Series([0, 4, 8, 12]), "012"),
        (np.array([0, 4, 8, 12], dtype=np.uint64), "012"),
        (IDS, "735"),
        (IDS.astype(np.int8), "735"),
        (IDS.astype(float), "735"),
        (IDS.astype(">f4"), "735"),
        (IDS.astype(str), "735"),
        (IDS.astype("S"), "735"),
        (IDS.tolist(), "735"),
        (pd.Series(IDS, dtype="Int64"), "735"),
        (pd.Series(IDS.astype(str), dtype="string"), "735"),
        (pd.Series(IDS, dtype="category"), "735"),
        (pd.Series(IDS.astype(str), dtype="category", index=range(12, 0, -1)), "735"),
        (pd.Index(IDS), "735"),
        (pl.Series(IDS), "735"),
        (pl.Series(IDS.astype(str), dtype=pl.Categorical), "735"),
        (pa.array(IDS), "735"),
        (pa.chunked_array([IDS[:5], IDS[5:]]), "735"),
        (jnp.asarray(IDS), "735"),
    ],
)
def test_groups_of_every_kind_give_the_same_value(groups: Any, names: str) -> None:
    assert [list(column.values()) for column in values(*FLAT, groups)] == [list(column.values()) for column in EXPECTED]
    assert list(values(*FLAT, groups)[0]) == list(names)


@pytest.mark.parametrize(
    "days",
    [
        DAYS,
        DAYS.astype("M8[s]"),
        DAYS.astype("M8[ns]"),
        DAYS.tolist(),
        pd.Series(DAYS),
        pd.Series(DAYS).dt.tz_localize("Europe/Berlin"),
        pd.DatetimeIndex(DAYS),
        pl.Series(DAYS),
        pl.Series(DAYS).cast(pl.Datetime("ms")),
    ],
)
def test_groups_of_dates_are_iso_texts(days: Any) -> None:
    assert list(values(*FLAT, days)[0]) == ["2024-03-07", "2024-03-03", "2024-03-05"]


def test_groups_that_were_guessed_are_noted() -> None:
    assert rg.evaluate_arrays(*FLAT, "ndcg", [4, 4, 4]).input_remarks[0].text == "read as sizes"
    assert rg.evaluate_arrays(*FLAT, "ndcg", [0, 4, 12]).input_remarks[0].text == "read as boundaries"
    assert rg.evaluate_arrays(*FLAT, "ndcg", IDS).input_remarks[0].text == "read as query ids"
    assert rg.evaluate_arrays(LABELS, SCORES, "ndcg").input_remarks == ()


def test_groups_are_overrides_the_guess() -> None:
    ones = [1] * 12
    assert len(values(*FLAT, ones)[0]) == 1
    assert len(values(*FLAT, ones, groups_are="sizes")[0]) == 12
    assert list(values(*FLAT, [0, 12], groups_are="sizes")[0]) == ["0", "1"]
    assert list(values(*FLAT, [0, 12], groups_are="boundaries")[0]) == ["0"]


def test_flat_arrays_without_groups_are_one_query() -> None:
    assert values(LABELS[0], SCORES[0]) == [{"0": column["0"]} for column in EXPECTED]


def test_groups_of_size_zero_are_empty_queries() -> None:
    assert values(FLAT[0][:4], FLAT[1][:4], [0, 4, 0]) == [
        {"0": 0.0, "1": column["0"], "2": 0.0} for column in EXPECTED
    ]
    assert values(np.zeros((2, 0)), np.zeros((2, 0))) == [{"0": 0.0, "1": 0.0}] * 2
    assert failure(np.zeros((0, 4)), np.zeros((0, 4))).code == "no-rows"


@pytest.mark.parametrize(
    "groups",
    [
        [4, 5],
        [0, 3, 2, 12],
        [-1, 13],
        [4.0, 4.0, 4.0],
        ["a"] * 11,
        [[4, 4, 4]],
        [],
        5,
        "ab",
        {},
        np.zeros((12, 2), int),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups: Any) -> None:
    assert failure(*FLAT, groups).code == "bad-groups"


@pytest.mark.parametrize(
    "missing",
    [
        ["a", None] * 6,
        pd.Series(["a", None] * 6),
        pd.Series(["a", None] * 6, dtype="category"),
        pd.Series(["a", None] * 6, dtype="string"),
        pd.Series([1, None] * 6, dtype="Int64"),
        pd.Series([1, None] * 6),
        pd.Series([pd.Timestamp("2024-01-01"), pd.NaT] * 6),
        np.array(["2024-01-01", "NaT"] * 6, dtype="M8[ns]"),
        pl.Series(["a", None] * 6),
    ],
)
def test_groups_with_a_null_are_refused(missing: Any) -> None:
    error = failure(*FLAT, missing)
    assert (error.code, error.place) == ("null-value", "column 'groups', row 1")


def test_groups_that_are_no_ids_are_refused() -> None:
    assert failure(*FLAT, np.full(12, 1.5)).code == "bad-id"
    assert failure(*FLAT, [dt.timedelta(1)] * 12).code == "bad-id"
    assert failure(*FLAT, np.full(12, True)).code == "bad-column"
    assert failure(*FLAT, IDS, groups_are="id").code == "unknown-choice"
