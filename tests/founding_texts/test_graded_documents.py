"""Text 001 introduces CG, DCG and nDCG for search engines, and computes them for six graded documents."""

from __future__ import annotations

from itertools import permutations, product
from math import log2

import pytest
from tests.founding_texts.conftest import Ask
from tests.founding_texts.formula import discounted, exponential

import rankgauge as rg

GRADES = [3, 2, 3, 0, 1, 2]
IDEAL = [3, 3, 2, 2, 1, 0]
SWAPPED = [3, 2, 0, 3, 1, 2]
JUDGED = {"D1": 3, "D2": 2, "D3": 3, "D4": 0, "D5": 1, "D6": 2}
DCG = 3 + 2 / log2(3) + 3 / 2 + 0 / log2(5) + 1 / log2(6) + 2 / log2(7)
IDCG = 3 + 3 / log2(3) + 2 / 2 + 2 / log2(5) + 1 / log2(6) + 0 / log2(7)
# Equation (2). The text's formula of IDCG has this gain, its example has the linear one; both are computed here.
DCG_EXP2 = 7 + 3 / log2(3) + 7 / 2 + 0 / log2(5) + 1 / log2(6) + 3 / log2(7)
IDCG_EXP2 = 7 + 7 / log2(3) + 3 / 2 + 3 / log2(5) + 1 / log2(6) + 0 / log2(7)

VALUES = [
    ("cg", "linear", 11.0),
    ("dcg", "linear", DCG),
    ("idcg", "linear", IDCG),
    ("ndcg", "linear", DCG / IDCG),
    ("cg", "exp2", 7 + 3 + 7 + 0 + 1 + 3),
    ("dcg", "exp2", DCG_EXP2),
    ("idcg", "exp2", IDCG_EXP2),
    ("ndcg", "exp2", DCG_EXP2 / IDCG_EXP2),
]


@pytest.mark.parametrize(("measure", "gain", "expected"), VALUES)
def test_measures_of_the_documents_in_python_equal_the_formula(measure: str, gain: str, expected: float) -> None:
    compute = getattr(rg, measure)
    assert compute(GRADES, gain=gain) == expected
    assert compute(list(JUDGED), JUDGED, gain=gain) == expected
    assert rg.evaluate(GRADES, measures=f"{measure}(gain={gain})").means == {f"{measure}(gain={gain})": expected}


@pytest.mark.parametrize(("measure", "gain", "expected"), VALUES)
def test_measures_of_the_documents_on_the_command_line_equal_the_formula(
    ask: Ask, measure: str, gain: str, expected: float
) -> None:
    truth = ",".join(f"{item}={grade}" for item, grade in JUDGED.items())
    assert ask(measure, *GRADES, "--gain", gain)["value"] == expected
    assert ask(measure, *JUDGED, "--truth", truth, "--gain", gain)["value"] == expected


def test_measures_rounded_to_three_decimals_are_those_of_the_text() -> None:
    assert [round(rg.dcg(GRADES), 3), round(rg.idcg(GRADES), 3), round(rg.ndcg(GRADES), 3)] == [6.861, 7.141, 0.961]


def test_measures_of_the_documents_have_these_digits() -> None:
    assert (rg.dcg(GRADES), rg.idcg(GRADES), rg.ndcg(GRADES)) == (
        6.861126688593502,
        7.1409951840957,
        0.9608081943360617,
    )


TERMS = [3, 2 / log2(3), 3 / 2, 0, 1 / log2(6), 2 / log2(7)]


def test_explain_of_the_documents_has_the_terms_of_the_text() -> None:
    ranks = rg.explain(GRADES).ranks
    assert [rank.contribution for rank in ranks] == TERMS
    assert [round(rank.contribution, 3) for rank in ranks] == [3, 1.262, 1.5, 0, 0.387, 0.712]
    # The denominators of the text's table: log2(2) to log2(7). 1 / (1 / x) may miss x by a rounding.
    assert [1 / rank.discount for rank in ranks] == pytest.approx([log2(i + 1) for i in range(1, 7)], rel=1e-15)


def test_explain_switch_on_the_documents_has_the_terms_of_the_text(ask: Ask) -> None:
    ranks = ask("ndcg", *GRADES, "--explain")["ranks"]
    assert [rank["contribution"] for rank in ranks] == TERMS
    assert [rank["grade"] for rank in ranks] == GRADES


def test_dcg_at_rank_1_has_no_discount() -> None:
    # Equation (1) is also written as rel_1 plus the sum from rank 2 on. Another order of adding may round otherwise.
    assert rg.dcg(GRADES) == pytest.approx(3 + discounted([0, *GRADES[1:]]), rel=1e-15)


def test_ideal_of_the_documents_is_in_falling_order(ask: Ask) -> None:
    assert [rank.grade for rank in rg.explain(GRADES).ideal_ranks] == IDEAL
    assert [rank["grade"] for rank in ask("ndcg", *GRADES, "--explain")["ideal_ranks"]] == IDEAL
    assert rg.dcg(IDEAL) == rg.idcg(GRADES)
    assert ask("dcg", *IDEAL)["value"] == IDCG
    assert rg.ndcg(IDEAL) == 1.0


@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.parametrize("gain", ["linear", "exp2"])
def test_ideal_sums_the_best_p(k: int, gain: str) -> None:
    gains = IDEAL if gain == "linear" else exponential(IDEAL)
    assert rg.idcg(GRADES, k=k, gain=gain) == discounted(gains[:k])


def test_ndcg_with_a_cutoff_counts_the_first_p(ask: Ask) -> None:
    expected = discounted([3, 2, 3]) / discounted([3, 3, 2])
    assert rg.ndcg(GRADES, k=3) == expected
    assert ask("ndcg", *GRADES, "-k", 3)["value"] == expected


def test_cg_ignores_the_order(ask: Ask) -> None:
    assert {rg.cg(order) for order in set(permutations(GRADES))} == {11.0}
    assert ask("cg", *SWAPPED)["value"] == 11.0


def test_swapping_d3_and_d4_costs_dcg(ask: Ask) -> None:
    swapped = 3 + 2 / log2(3) + 0 / 2 + 3 / log2(5) + 1 / log2(6) + 2 / log2(7)
    assert rg.dcg(SWAPPED) == rg.dcg(["D1", "D2", "D4", "D3", "D5", "D6"], JUDGED) == swapped
    assert ask("dcg", *SWAPPED)["value"] == swapped
    assert ask("ndcg", *SWAPPED)["value"] == rg.ndcg(SWAPPED) == swapped / IDCG
    # A difference of numbers near 7 is exact to about 1e-15, not to all its own digits.
    assert rg.dcg(GRADES) - rg.dcg(SWAPPED) == pytest.approx(3 * (1 / 2 - 1 / log2(5)), abs=2e-15)


def test_dcg_of_any_order_is_at_most_the_ideal() -> None:
    values = {rg.dcg(order) for order in set(permutations(GRADES))}
    assert max(values) == IDCG
    assert min(values) == discounted(IDEAL[::-1])


def test_dcg_of_an_earlier_relevant_document_is_higher() -> None:
    values = [rg.dcg([0] * before + [3] + [0] * (5 - before)) for before in range(6)]
    assert values == sorted(set(values), reverse=True)


@pytest.mark.parametrize("gain", ["linear", "exp2"])
def test_dcg_of_a_more_relevant_document_is_higher(gain: str) -> None:
    values = [rg.dcg([2, grade, 1], gain=gain) for grade in (0, 1, 2, 3)]
    assert values == sorted(set(values))


def test_both_gains_agree_on_binary_grades(ask: Ask) -> None:
    for grades in product((0, 1), repeat=6):
        assert rg.dcg(grades) == rg.dcg(grades, gain="exp2")
        assert rg.ndcg(grades) == rg.ndcg(grades, gain="exp2")
    linear, exponential = (ask("dcg", 0, 1, 1, 0, 1, "--gain", gain)["value"] for gain in ("linear", "exp2"))
    assert linear == exponential == 1 / log2(3) + 1 / 2 + 1 / log2(6)


# The text has heard that the base matters for equation (2). It multiplies every discount by the same number, which
# cancels in nDCG for any gain.
@pytest.mark.parametrize("gain", ["linear", "exp2"])
@pytest.mark.parametrize("base", [1.5, 3, 10])
def test_base_of_the_logarithm_cancels(ask: Ask, gain: str, base: float) -> None:
    discount = f"log({base})"
    # Other discounts round otherwise, so the last digit may differ.
    assert rg.ndcg(GRADES, gain=gain, discount=discount) == pytest.approx(rg.ndcg(GRADES, gain=gain), rel=1e-15)
    assert rg.dcg(GRADES, gain=gain, discount=discount) == pytest.approx(
        rg.dcg(GRADES, gain=gain) * log2(base), rel=1e-15
    )
    value = ask("ndcg", *GRADES, "--gain", gain, "--discount", discount)["value"]
    assert value == rg.ndcg(GRADES, gain=gain, discount=discount)


def test_base_matters_where_early_ranks_have_no_discount(ask: Ask) -> None:
    # The form of Järvelin & Kekäläinen 2002: 1 / log_b(rank), and 1 below rank b.
    values = [rg.ndcg(GRADES, discount=f"jarvelin({base})") for base in (2, 3, 10)]
    assert values == sorted(set(values))
    assert values[-1] == ask("ndcg", *GRADES, "--discount", "jarvelin(10)")["value"] == 1.0


def test_ndcg_compares_queries_of_different_length() -> None:
    result = rg.evaluate([dict(enumerate(IDEAL)), {0: 1, 1: 1}], [list(range(6)), [0, 1]], ["dcg", "ndcg"])
    assert result.per_query["dcg"] == {"0": IDCG, "1": 1 + 1 / log2(3)}
    assert result.per_query["ndcg"] == {"0": 1.0, "1": 1.0}


def test_partial_feedback_changes_the_ideal_and_is_counted() -> None:
    known = {item: grade for item, grade in JUDGED.items() if item != "D3"}
    result = rg.evaluate(known, list(JUDGED), ["ndcg", "judged@6"])
    assert result["ndcg"] == discounted([3, 2, 0, 0, 1, 2]) / discounted([3, 2, 2, 1, 0])
    assert result["judged@6"] == 5 / 6
    assert "unjudged: 1 of 6 items" in str(result)
