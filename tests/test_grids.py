from __future__ import annotations

import pytest

from tests import grids
from tests.grids import grid


def test_grid_keeps_the_ends_and_marks_the_rest_full() -> None:
    values = grid("abcdefg", 3)
    assert [value for value in values if isinstance(value, str)] == ["a", "d", "g"]
    rest = [value for value in values if not isinstance(value, str)]
    assert [value.values for value in rest] == [("b",), ("c",), ("e",), ("f",)]
    assert {mark.name for value in rest for mark in value.marks} == {"full"}


def test_grid_of_few_values_marks_none() -> None:
    assert grid("ab", 5) == ["a", "b"]


def test_examples_in_make_test_are_a_fifth_and_at_least_20(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "_DIVISOR", 5)
    assert [grids.examples(count).max_examples for count in (1000, 50)] == [200, 20]


def test_examples_in_make_test_full_are_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "_DIVISOR", 1)
    assert grids.examples(1000).max_examples == 1000
