"""Values that never change: terms of conventions, judgments and rankings."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest

import rankgauge as rg
from rankgauge.conventions.terms import Discount, Gain, Ideal
from rankgauge.immutable_value import Value

VALUES = [Gain("binary", threshold=2), Discount("jarvelin", 3), Ideal("perfect", 3)]
NOUNS = [rg.read_judgments({"q": {"a": 1}}), rg.read_ranking({"q": ["a"]})]


@pytest.mark.parametrize("value", [*VALUES, *NOUNS], ids=lambda value: type(value).__name__)
def test_value_refuses_to_be_changed(value: Value) -> None:
    field = value.__slots__[0]
    with pytest.raises(FrozenInstanceError, match=f"assign to field '{field}'"):
        setattr(value, field, None)
    with pytest.raises(FrozenInstanceError, match=f"delete field '{field}'"):
        delattr(value, field)


@pytest.mark.parametrize("value", [*VALUES, *NOUNS], ids=lambda value: type(value).__name__)
def test_value_pickled_is_equal(value: Value) -> None:
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_value_with_equal_fields_is_equal_and_has_the_same_hash(value: Value) -> None:
    same = value.changed()
    assert same is not value
    assert (same, hash(same)) == (value, hash(value))


def test_value_of_another_class_or_with_other_fields_is_not_equal() -> None:
    assert Gain("binary", threshold=2) != Gain("binary", threshold=3)
    assert Ideal("judged") != "judged"
