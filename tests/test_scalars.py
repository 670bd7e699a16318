from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.errors import RankgaugeError

grades = st.lists(st.sampled_from([0, 1, 2, 3]), min_size=2, max_size=8).filter(any)
bases = st.sampled_from([1.5, 2.0, math.e, 10.0])


@given(grades, bases, st.sampled_from(["linear", "exp2", "binary"]))
def test_ndcg_with_another_logarithm_base_is_unchanged(grades: list[int], base: float, gain: str) -> None:
    value = rg.ndcg(grades, gain=gain, discount=f"log({base})")
    assert value == pytest.approx(rg.ndcg(grades, gain=gain), abs=1e-12)


def test_ndcg_with_another_base_of_jarvelin_changes() -> None:
    values = {base: rg.ndcg([0, 3, 2], discount=f"jarvelin({base})") for base in (2, 3, 10)}
    assert values[2] == pytest.approx((3 + 2 / math.log2(3)) / 5)
    assert values[3] == pytest.approx(1.0)  # ranks 1 to 3 are all undiscounted
    assert values[10] == 1.0
    assert len(set(values.values())) == 2


@given(grades)
def test_clipped_discount_equals_jarvelin_2002_with_base_2(grades: list[int]) -> None:
    assert rg.ndcg(grades, discount="clipped") == rg.ndcg(grades, convention="jarvelin")


@given(grades)
def test_ndcg_equals_dcg_over_idcg(grades: list[int]) -> None:
    assert rg.ndcg(grades, k=3) == rg.dcg(grades, k=3) / rg.idcg(grades, k=3)


def test_ndcg_of_items_or_scores_is_the_same() -> None:
    truth = {"a": 2, "b": 1}
    assert rg.ndcg(["b", "a"], truth) == rg.ndcg({"a": 0.1, "b": 0.9}, truth)
    assert rg.ndcg(("b", "a"), ["a", "b"]) == rg.ndcg(iter(["b", "a"]), {"a", "b"}) == 1.0


@pytest.mark.parametrize("ranking", [{"a": 1}, {1, 2}, "abc", ["x", "y"], [1, None], 5])
def test_ndcg_of_invalid_grades_is_refused(ranking: object) -> None:
    with pytest.raises(RankgaugeError):
        rg.ndcg(ranking)  # type: ignore[arg-type]


def test_ndcg_of_a_set_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="ordered list"):
        rg.ndcg({"a", "b"}, {"a": 1})


def test_ndcg_of_returns_and_other_grades_equals_hand_calculation() -> None:
    actions = {"none": 0, "click": 1, "cart": 2, "purchase": 3}
    assert rg.ndcg([actions[name] for name in ("purchase", "cart", "click", "none")]) == 1.0
    assert rg.ndcg([0.25, 0.5, 1.0]) == pytest.approx(
        (0.25 + 0.5 / math.log2(3) + 0.5) / (1 + 0.5 / math.log2(3) + 0.125)
    )
