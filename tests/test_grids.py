from __future__ import annotations

from tests.grids import grid


def test_grid_keeps_the_ends_and_marks_the_rest_full() -> None:
    values = grid("abcdefg", 3)
    assert [value for value in values if isinstance(value, str)] == ["a", "d", "g"]
    rest = [value for value in values if not isinstance(value, str)]
    assert [value.values for value in rest] == [("b",), ("c",), ("e",), ("f",)]
    assert {mark.name for value in rest for mark in value.marks} == {"full"}


def test_grid_of_few_values_marks_none() -> None:
    assert grid("ab", 5) == ["a", "b"]
