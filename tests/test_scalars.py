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
def test_the_base_of_the_logarithm_cancels_for_every_gain(grades: list[int], base: float, gain: str) -> None:
    value = rg.ndcg(grades, gain=gain, discount=f"log({base})")
    assert value == pytest.approx(rg.ndcg(grades, gain=gain), abs=1e-12)


def test_the_base_matters_where_ranks_below_it_are_not_discounted() -> None:
    values = {base: rg.ndcg([0, 3, 2], discount=f"jarvelin({base})") for base in (2, 3, 10)}
    assert values[2] == pytest.approx((3 + 2 / math.log2(3)) / 5)
    assert values[3] == pytest.approx(1.0)  # ranks 1 to 3 are all undiscounted
    assert values[10] == 1.0
    assert len(set(values.values())) == 2


@given(grades)
def test_the_clipped_discount_is_that_of_2002_with_base_2(grades: list[int]) -> None:
    assert rg.ndcg(grades, discount="clipped") == rg.ndcg(grades, convention="jarvelin")


@given(grades)
def test_ndcg_is_dcg_over_idcg(grades: list[int]) -> None:
    assert rg.ndcg(grades, k=3) == rg.dcg(grades, k=3) / rg.idcg(grades, k=3)


def test_a_ranking_may_be_items_or_scores() -> None:
    truth = {"a": 2, "b": 1}
    assert rg.ndcg(["b", "a"], truth) == rg.ndcg({"a": 0.1, "b": 0.9}, truth)
    assert rg.ndcg(("b", "a"), ["a", "b"]) == rg.ndcg(iter(["b", "a"]), {"a", "b"}) == 1.0


@pytest.mark.parametrize("ranking", [{"a": 1}, {1, 2}, "abc", ["x", "y"], [1, None], 5])
def test_what_is_no_list_of_grades_is_refused(ranking: object) -> None:
    with pytest.raises(RankgaugeError):
        rg.ndcg(ranking)  # type: ignore[arg-type]


def test_a_set_has_no_order_to_rank_by() -> None:
    with pytest.raises(RankgaugeError, match="ordered list"):
        rg.ndcg({"a", "b"}, {"a": 1})


def test_stocks_and_other_grades() -> None:
    actions = {"none": 0, "click": 1, "cart": 2, "purchase": 3}
    assert rg.ndcg([actions[name] for name in ("purchase", "cart", "click", "none")]) == 1.0
    assert rg.ndcg([0.25, 0.5, 1.0]) == pytest.approx(
        (0.25 + 0.5 / math.log2(3) + 0.5) / (1 + 0.5 / math.log2(3) + 0.125)
    )
