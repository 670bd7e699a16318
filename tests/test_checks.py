from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.checks import as_whole, is_finite, require_choice, require_finite, rising_numbers, whole_number
from rankgauge.conventions.terms import binary
from rankgauge.errors import RankgaugeError


@pytest.mark.parametrize("value", [0, -2.5, Fraction(1, 3), np.float32(0.5), np.int64(7)], ids=repr)
def test_is_finite_numbers_of_any_class_are_accepted(value: Any) -> None:
    assert is_finite(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, True, "2", None, [1.0]], ids=repr)
def test_is_finite_other_values_are_refused(value: Any) -> None:
    assert not is_finite(value)
    with pytest.raises(RankgaugeError, match="expected level to be a finite number"):
        require_finite("level", value)


@pytest.mark.parametrize(("value", "whole"), [(3, 3), (np.uint8(3), 3), (3.0, None), (True, None), ("3", None)])
def test_as_whole_value_of_any_class_is_int_or_none(value: Any, whole: int | None) -> None:
    assert as_whole(value) == whole
    assert type(as_whole(value)) is type(whole)


@pytest.mark.parametrize(("value", "expected"), [(0, "at least 1"), (101, "at most 100"), (2.0, "at least 1")])
def test_whole_number_outside_range_names_the_bound(value: Any, expected: str) -> None:
    with pytest.raises(RankgaugeError, match=f"expected k to be a whole number of {expected}, got {value}"):
        whole_number("k", value, 1, most=100)


@pytest.mark.parametrize("numbers", [[], [1, 1], [2, 1], [0, math.nan], "12", 3, None], ids=repr)
def test_rising_numbers_not_rising_are_refused(numbers: Any) -> None:
    with pytest.raises(RankgaugeError, match=r"finite numbers that rise.*such as \[1, 2\]"):
        rising_numbers("thresholds", numbers, "[1, 2]")


@pytest.mark.parametrize("choice", ["lats", None, ["last"]], ids=repr)
def test_require_choice_unknown_name_lists_the_known(choice: Any) -> None:
    with pytest.raises(RankgaugeError, match=r"expected method to be one of last, time, got .*which rows"):
        require_choice("method", choice, ["last", "time"], "which rows")


def test_relevance_level_of_numpy_is_written_as_typed() -> None:
    level: Any = np.float32(1.5)
    result = rg.evaluate({"q": {"a": 2, "b": 1}}, {"q": ["b", "a"]}, "precision@1", relevance_level=level)
    assert result["precision@1"] == 0.0
    assert str(binary(level)) == "binary(1.5)"
