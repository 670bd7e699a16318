"""The formulas of novelty and diversity, on examples whose arithmetic can be followed."""

from __future__ import annotations

from math import log2

import pytest

from rankgauge.conventions.textbook import TEXTBOOK
from rankgauge.engines.reference.diversity import FORMULAS, Aspects, ideal, novelties, value
from rankgauge.errors import RankgaugeError
from rankgauge.measures import diversity
from rankgauge.measures.diversity import (
    ALPHA_DCG,
    ALPHA_NDCG,
    ERR_IA,
    MAP_IA,
    NERR_IA,
    NNRBP,
    NRBP,
    P_IA,
    STREC,
    Diversity,
)
from rankgauge.measures.measure import Measure

ALL = [measure for measure in vars(diversity).values() if isinstance(measure, Diversity)]


def items(*covered: str) -> list[frozenset[int]]:
    """Return items, each as the digits of its subtopics: `items("12", "", "3")`."""
    return [frozenset(map(int, digits)) for digits in covered]


def of(measure: Measure, aspects: Aspects, k: int) -> float | None:
    assert isinstance(measure, Diversity)
    return value(aspects, measure, k)


# Ten items a to j with the gain vector 2, 1/2, 1/4, 0, 2, 1/2, 1, 1/4, 0, 0 after the example in Clarke et al. 2008.
NUGGETS = items("12", "1", "1", "", "34", "3", "5", "3", "", "")
EXAMPLE = Aspects(NUGGETS, [covered for covered in NUGGETS if covered])


def test_novelties_of_a_repeated_nugget_are_halved_each_time() -> None:
    assert novelties(NUGGETS, 0.5) == [2, 1 / 2, 1 / 4, 0, 2, 1 / 2, 1, 1 / 4, 0, 0]


def test_ideal_order_of_the_example_is_that_of_the_paper() -> None:
    assert ideal(EXAMPLE, 0.5, 10) == items("12", "34", "5", "1", "3", "1", "3")
    assert novelties(ideal(EXAMPLE, 0.5, 10), 0.5) == [2, 2, 1, 1 / 2, 1 / 2, 1 / 4, 1 / 4]


def test_alpha_dcg_of_the_example_equals_the_paper() -> None:
    # 2, + 0.5 / 1.585 = 2.315, + 0.25 / 2 = 2.440, + 0 = 2.440, + 2 / 2.585 = 3.214, + 0.5 / 2.807 = 3.392,
    # + 1 / 3 = 3.726 and + 0.25 / 3.170 = 3.804.
    undivided = [of(ALPHA_DCG(divided_from=0), EXAMPLE, k) for k in range(1, 9)]
    assert undivided == pytest.approx([2, 2.315, 2.440, 2.440, 3.214, 3.392, 3.726, 3.804], abs=0.0005)


def test_alpha_ndcg_of_the_example_equals_the_paper() -> None:
    # Ideal DCG: 2, + 2 / 1.585 = 3.262, + 1 / 2 = 3.762, + 0.5 / 2.322 = 3.977, + 0.5 / 2.585 = 4.171
    best = [2, 3.262, 3.762, 3.977, 4.171]
    actual = [2, 2.315, 2.440, 2.440, 3.214]
    values = [of(ALPHA_NDCG, EXAMPLE, k) for k in range(1, 6)]
    assert values == pytest.approx([one / other for one, other in zip(actual, best, strict=True)], abs=0.0005)
    assert of(ALPHA_NDCG, EXAMPLE, 2) == (2 + 0.5 / log2(3)) / (2 + 2 / log2(3))


def test_alpha_ndcg_with_alpha_0_counts_nuggets() -> None:
    assert novelties(NUGGETS, 0.0) == [2, 1, 1, 0, 2, 1, 1, 1, 0, 0]
    assert of(ALPHA_NDCG(alpha=0), EXAMPLE, 2) == (2 + 1 / log2(3)) / (2 + 2 / log2(3))
    assert novelties(NUGGETS, 1.0) == [2, 0, 0, 0, 2, 0, 1, 0, 0, 0]


def test_divisor_of_perfect_items_covers_all_subtopics() -> None:
    # 5, 5/2 and 5/4 are new at the first ranks of perfect items.
    assert of(ERR_IA, EXAMPLE, 3) == (2 + 0.5 / 2 + 0.25 / 3) / (5 + 2.5 / 2 + 1.25 / 3)
    assert of(ALPHA_DCG, EXAMPLE, 2) == (2 + 0.5 / log2(3)) / (5 + 2.5 / log2(3))
    assert of(NERR_IA, EXAMPLE, 3) == (2 + 0.5 / 2 + 0.25 / 3) / (2 + 2 / 2 + 1 / 3)


def test_err_ia_and_alpha_dcg_with_a_cutoff_of_1_are_not_divided() -> None:
    assert of(ERR_IA @ 1, EXAMPLE, 1) == of(ALPHA_DCG @ 1, EXAMPLE, 1) == 2  # as ndeval has it
    assert of(ERR_IA(divided_from=1), EXAMPLE, 1) == of(ALPHA_DCG(divided_from=1), EXAMPLE, 1) == 2 / 5


@pytest.mark.parametrize("measure", [ERR_IA, ALPHA_DCG], ids=str)
def test_err_ia_and_alpha_dcg_without_a_cutoff_divide_lists_of_one_item(measure: Diversity) -> None:
    single = Aspects(NUGGETS[:1], EXAMPLE.judged)
    assert of(measure.under(TEXTBOOK), single, 1) == 2 / 5
    assert of((measure @ 1).under(TEXTBOOK), single, 1) == 2
    assert of(measure(divided_from=0).under(TEXTBOOK), single, 1) == 2


def test_nrbp_of_the_example_equals_hand_calculation() -> None:
    ranked = Aspects(items("12", "1", "3"), items("12", "3", "1"))
    # 2 + 1/2 · 1/2 + 1 · 1/4 = 2.5, and the ideal order 12, 3, 1 has 2 + 1 · 1/2 + 1/2 · 1/4 = 2.625.
    assert of(NRBP, ranked, 3) == 2.5 * (1 - 0.5 * 0.5) / 3
    assert of(NNRBP, ranked, 3) == 2.5 / 2.625
    # With β = 0 the first item alone counts.
    assert of(NRBP(beta=0), ranked, 3) == pytest.approx(2 / 3)


def test_intent_aware_measures_are_means_over_subtopics() -> None:
    aspects = Aspects(items("12", "", "1"), items("12", "1", "2", "3"))
    # Subtopic 1: (1/1 + 2/3) / 2; subtopic 2: (1/1) / 2; subtopic 3: 0.
    assert of(MAP_IA, aspects, 3) == pytest.approx((5 / 6 + 1 / 2 + 0) / 3)
    # Precision at 3: 2/3, 1/3 and 0; at 10: 2/10, 1/10 and 0.
    assert of(P_IA, aspects, 3) == pytest.approx((2 / 3 + 1 / 3 + 0) / 3)
    assert of(P_IA, aspects, 10) == pytest.approx((2 / 10 + 1 / 10 + 0) / 3)
    assert [of(STREC, aspects, k) for k in (1, 3, 10)] == [2 / 3, 2 / 3, 2 / 3]


def test_ideal_order_takes_the_first_of_equals_and_may_be_beaten() -> None:
    ranked = items("12", "34", "23")
    middle_first, outer_first = Aspects(ranked, items("23", "12", "34")), Aspects(ranked, items("12", "23", "34"))
    # 2, 2, 1/2 + 1/2 against 2, 1 + 1/2, 1 + 1/2.
    assert of(NERR_IA, middle_first, 3) == pytest.approx((2 + 2 / 2 + 1 / 3) / (2 + 1.5 / 2 + 1.5 / 3))
    assert of(NERR_IA, outer_first, 3) == 1


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_diversity_with_nothing_relevant_has_no_value_and_with_nothing_found_0(measure: Diversity) -> None:
    assert of(measure, Aspects(items("", ""), []), 2) is None
    assert of(measure, Aspects(items("", ""), items("1")), 2) == 0
    assert of(measure.under(TEXTBOOK), Aspects([], items("1")), 0) == 0


def test_diversity_measures_and_formulas_correspond() -> None:
    assert [measure.covers for measure in ALL] == list(FORMULAS)


def test_diversity_aliases_include_the_names_of_ir_measures_and_ndeval() -> None:
    known = {name: measure for measure in ALL for name in (measure.name, *measure.aliases)}
    assert all(name == name.lower() for name in known)
    assert len(known) == sum(1 + len(measure.aliases) for measure in ALL)
    ir_measures = (
        "alpha_nDCG",
        "α_nDCG",
        "alpha_DCG",
        "α_DCG",
        "ERR_IA",
        "nERR_IA",
        "NRBP",
        "nNRBP",
        "AP_IA",
        "MAP_IA",
    )
    ndeval = ("alpha-nDCG", "alpha-DCG", "ERR-IA", "nERR-IA", "NRBP", "nNRBP", "MAP-IA", "P-IA", "strec")
    assert {name.lower() for name in (*ir_measures, "P_IA", "StRecall", *ndeval)} <= known.keys()


def test_diversity_parameters_are_printed_and_checked() -> None:
    assert str(ALPHA_NDCG(alpha=0.3, rel="2") @ 10) == "alpha_ndcg(rel=2,alpha=0.3)@10"
    assert str(ALPHA_NDCG.under(TEXTBOOK, 2)) == "alpha_ndcg(rel=2)"
    assert ALPHA_NDCG(rel=3).under(TEXTBOOK, 2) == ALPHA_NDCG(rel=3)
    with pytest.raises(RankgaugeError, match="from 0 to 1"):
        NRBP(beta=1.5)
    with pytest.raises(RankgaugeError, match="cutoff"):
        MAP_IA @ 5
    with pytest.raises(RankgaugeError, match="perfect positions"):
        (ERR_IA @ 2_000_000).under(TEXTBOOK)
