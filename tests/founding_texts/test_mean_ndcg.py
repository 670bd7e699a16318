"""Text 003 builds CG, DCG, IDCG, NDCG and Mean NDCG for recommenders, from a list of items and a truth with grades."""

from __future__ import annotations

import json
from itertools import permutations
from math import fsum, log2
from typing import Any

import pytest
from tests.founding_texts.conftest import Ask, Put, Write
from tests.founding_texts.formula import discounted, exponential, normalised
from tests.founding_texts.two_lists import DCG, IDCG_OF_3, IDCG_OF_5, LONG, MEAN, OPTION, SECOND, SHORT, TRUTH

import rankgauge as rg

CASES = [{"predict_list": ranked, "ground_truth": TRUTH} for ranked in (SHORT, LONG)]


def test_measures_of_one_list_in_python_equal_the_formula() -> None:
    assert rg.dcg(SHORT, TRUTH) == DCG == 0.7654648767857287
    assert rg.ndcg(SHORT, TRUTH) == DCG / IDCG_OF_3 == 0.6048882832133625
    assert rg.ndcg(LONG, TRUTH) == SECOND == 0.8663161395143223


@pytest.mark.parametrize(
    ("measure", "ranked", "expected"),
    [("dcg", SHORT, DCG), ("idcg", SHORT, IDCG_OF_3), ("ndcg", SHORT, DCG / IDCG_OF_3), ("ndcg", LONG, SECOND)],
)
def test_measures_of_one_list_on_the_command_line_equal_the_formula(
    ask: Ask, measure: str, ranked: list[str], expected: float
) -> None:
    assert ask(measure, *ranked, "--truth", OPTION)["value"] == expected


def test_idcg_of_the_truth_alone_equals_the_formula(ask: Ask) -> None:
    # The text prints 1.3472178133165222, the exactly rounded sum, as Python gives it from 3.12 on. Added from rank 1
    # on, as here and by older Pythons, the last bit differs.
    assert rg.idcg(TRUTH) == IDCG_OF_5 == 1.347217813316522
    assert fsum([0.7, 0.5 / log2(3), 0.5 / 2, 0.1 / log2(5), 0.1 / log2(6)]) == 1.3472178133165222
    assert rg.idcg(TRUTH) == pytest.approx(1.3472178133165222, rel=2e-16)
    assert ask("idcg", *TRUTH, "--truth", OPTION)["value"] == IDCG_OF_5


def test_explain_of_a_short_list_cuts_the_ideal_at_the_list() -> None:
    # DCG 0.7655 stands beside the IDCG of all five items, 1.3472. NDCG cuts the ideal at the list's three items.
    why = rg.explain(SHORT, TRUTH)
    assert (why.dcg, why.idcg, why.value) == (DCG, IDCG_OF_3, DCG / IDCG_OF_3)
    assert rg.ndcg(SHORT, TRUTH, k=5) == DCG / IDCG_OF_5 != why.value


def test_explain_of_one_list_has_the_terms_of_the_text() -> None:
    ranks = rg.explain(SHORT, TRUTH).ranks
    assert [rank.contribution for rank in ranks] == [0.1, 0.5 / log2(3), 0.7 / 2]
    assert [rank.discount for rank in ranks] == [1 / log2(i + 1) for i in (1, 2, 3)]


def test_explain_switch_on_one_list_has_the_terms_of_the_text(ask: Ask) -> None:
    why = ask("ndcg", *SHORT, "--truth", OPTION, "--explain")
    assert [rank["contribution"] for rank in why["ranks"]] == [0.1, 0.5 / log2(3), 0.7 / 2]
    assert [rank["item"] for rank in why["ideal_ranks"]] == ["C", "B", "D"]


# The worked example of an ideal: the grades 3, 2, 2, 1 are in the best order already.
IDCG_AT_4 = 3 / log2(2) + 2 / log2(3) + 2 / log2(4) + 1 / log2(5)


@pytest.mark.parametrize("grades", [[3, 2, 2, 1], [2, 1, 3, 2], [1, 2, 2, 3]], ids=repr)
def test_idcg_of_four_grades_equals_the_formula(ask: Ask, grades: list[int]) -> None:
    assert rg.idcg(grades, k=4) == IDCG_AT_4 == 5.692536065216308
    assert ask("idcg", *grades, "-k", 4)["value"] == IDCG_AT_4
    assert str(IDCG_AT_4).startswith("5.6925")


# Cutoffs


@pytest.mark.parametrize("k", range(1, 11))
def test_measures_with_a_cutoff_sum_down_to_it(k: int) -> None:
    gains, best = [0.1, 0.5, 0.7], [0.7, 0.5, 0.5, 0.1, 0.1]
    assert rg.cg(SHORT, TRUTH, k) == pytest.approx(sum(gains[:k]), rel=1e-15)  # `sum` differs among Pythons
    assert rg.dcg(SHORT, TRUTH, k) == rg.dcg(gains, k=k) == discounted(gains[:k])
    assert rg.idcg(TRUTH, k=k) == discounted(best[:k])


@pytest.mark.parametrize("ranked", [SHORT, LONG, ["Z", "C"], ["E"]], ids=" ".join)
@pytest.mark.parametrize("k", range(1, 11))
def test_k_is_clipped_to_the_list_in_python(ranked: list[str], k: int) -> None:
    expected = normalised(ranked, TRUTH, k, min(k, len(ranked)))
    assert rg.ndcg(ranked, TRUTH, k, convention="textbook-clipped") == expected


@pytest.mark.parametrize("k", [1, 2, 3, 4, 10])
def test_k_is_clipped_to_the_list_on_the_command_line(ask: Ask, k: int) -> None:
    expected = normalised(SHORT, TRUTH, k, min(k, 3))
    value = ask("ndcg", *SHORT, "--truth", OPTION, "-k", k, "--convention", "textbook-clipped")["value"]
    assert value == expected
    assert ask("dcg", *SHORT, "--truth", OPTION, "-k", k)["value"] == discounted([0.1, 0.5, 0.7][:k])


# Cases


def test_evaluate_of_two_lists_is_their_mean() -> None:
    for result in (rg.evaluate(CASES), rg.evaluate([TRUTH, TRUTH], [SHORT, LONG])):
        assert result["ndcg"] == MEAN == 0.7356022113638424
        assert result.per_query["ndcg"] == {"0": DCG / IDCG_OF_3, "1": SECOND}
        assert str(result.convention) == "textbook"


def lines(cases: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(case) + "\n" for case in cases)


@pytest.mark.parametrize(("name", "text"), [("cases.json", json.dumps(CASES)), ("cases.jsonl", lines(CASES))])
def test_evaluate_command_on_two_lists_prints_their_mean(ask: Ask, write: Write, name: str, text: str) -> None:
    answer = ask("evaluate", write(name, text), "--per-query")
    assert answer["means"] == {"ndcg": MEAN}
    assert answer["per_query"] == {"ndcg": {"0": DCG / IDCG_OF_3, "1": SECOND}}
    assert answer["convention"] == "textbook"


def test_one_case_is_explained_in_python_and_on_the_command_line(ask: Ask, write_json: Put) -> None:
    file = write_json("cases.json", CASES)
    for query, value in (("0", DCG / IDCG_OF_3), ("1", SECOND)):
        assert rg.explain(CASES, query=query).value == value
        assert ask("explain", file, "--query", query)["value"] == value


@pytest.mark.parametrize("k", [1, 3, 5, 10])
def test_evaluate_with_a_cutoff_clips_it_to_each_list(ask: Ask, write_json: Put, k: int) -> None:
    values = [normalised(ranked, TRUTH, k, min(k, len(ranked))) for ranked in (SHORT, LONG)]
    measure, convention = f"ndcg@{k}", "textbook-clipped"
    assert rg.evaluate(CASES, measures=measure, convention=convention)[measure] == (values[0] + values[1]) / 2
    answer = ask("evaluate", write_json("cases.json", CASES), "-m", measure, "--convention", convention)
    assert answer["means"] == {measure: (values[0] + values[1]) / 2}


def test_evaluate_of_a_short_list_names_the_other_reading_of_k() -> None:
    result = rg.evaluate(CASES, measures="ndcg@10", convention="textbook-clipped")
    assert result.evaluation.counts.short == 1
    assert "to let it go on to k, use textbook" in str(result)


# Nothing to find


NOTHING: list[tuple[list[str], dict[str, float]]] = [
    (["A", "B"], {}),  # no truth
    (["A", "B"], {"A": 0.0, "B": 0.0}),  # every grade is 0
    ([], TRUTH),  # an empty list
    (["X", "Y"], TRUTH),  # nothing of the truth is in the list
]


@pytest.mark.parametrize(("ranked", "truth"), NOTHING)
def test_ndcg_of_nothing_in_python_is_0(ranked: list[str], truth: dict[str, float]) -> None:
    assert rg.dcg(ranked, truth) == rg.ndcg(ranked, truth) == rg.explain(ranked, truth).value == 0
    assert rg.ndcg(ranked, truth, k=5, convention="textbook-clipped") == 0


def test_idcg_of_nothing_is_0() -> None:
    assert rg.idcg({}) == rg.idcg({"A": 0, "B": 0}) == rg.idcg(["A", "B"], {}) == 0


def test_ndcg_of_nothing_on_the_command_line_is_0(ask: Ask, write_json: Put) -> None:
    cases = [{"predict_list": ranked, "ground_truth": truth} for ranked, truth in NOTHING]
    answer = ask("evaluate", write_json("cases.json", [*CASES, *cases]), "--per-query")
    assert list(answer["per_query"]["ndcg"].values()) == [DCG / IDCG_OF_3, SECOND, 0, 0, 0, 0]
    # Such cases count in the mean. Dividing a sum of six values may round once more than the mean of two.
    assert answer["means"]["ndcg"] == pytest.approx(MEAN / 3, rel=1e-15)
    assert ask("ndcg", "A", "B", "--truth", "")["value"] == ask("ndcg", 0, 0)["value"] == 0


def test_ndcg_of_an_item_without_a_grade_counts_it_as_0(ask: Ask) -> None:
    expected = (0.7 / log2(3)) / (0.7 + 0.5 / log2(3))
    assert rg.ndcg(["Z", "C"], TRUTH) == expected
    assert ask("ndcg", "Z", "C", "--truth", OPTION)["value"] == expected


# Concepts


def test_cg_ignores_the_order(ask: Ask) -> None:
    assert rg.cg(["A", "B", "C"], TRUTH) == pytest.approx(0.1 + 0.5 + 0.7, rel=1e-15)
    # 0.1 + 0.5 + 0.7 depends on the order of adding in its last digit; whole grades do not.
    assert {rg.cg(order) for order in permutations([3, 2, 2, 1])} == {8.0}
    assert ask("cg", 1, 2, 2, 3)["value"] == 8.0


def test_ndcg_with_exponential_gain_equals_the_formula(ask: Ask) -> None:
    grades = [1, 4, 0, 2]
    assert exponential(grades) == [1, 15, 0, 3]
    dcg, idcg = discounted([1, 15, 0, 3]), discounted([15, 3, 1, 0])
    assert (rg.dcg(grades, gain="exp2"), rg.idcg(grades, gain="exp2")) == (dcg, idcg)
    assert ask("dcg", *grades, "--gain", "exp2")["value"] == dcg
    assert ask("ndcg", *grades, "--gain", "exp2")["value"] == rg.ndcg(grades, gain="exp2") == dcg / idcg


def test_exponential_gain_amplifies_high_grades() -> None:
    ratios = [rg.cg([grade], gain="exp2") / rg.cg([grade]) for grade in (1, 2, 3, 4)]
    assert ratios == [1, 3 / 2, 7 / 3, 15 / 4]


SCALES = {
    "0 unrelated to 4 perfect": [4, 2, 3, 0, 1],
    "1 to 5 stars": [5, 1, 4, 2, 3],
    "no match or match": [0, 1, 1, 0],
    "match rate from 0 to 1": [0.25, 0.875, 0.5],
}


@pytest.mark.parametrize("grades", SCALES.values(), ids=SCALES)
@pytest.mark.parametrize("gain", ["linear", "exp2"])
def test_ndcg_of_each_scale_of_relevance_equals_the_formula(ask: Ask, grades: list[float], gain: str) -> None:
    gains = exponential(grades) if gain == "exp2" else grades
    expected = discounted(gains) / discounted(sorted(gains, reverse=True))
    # A power of 2 that is no whole number may be rounded otherwise.
    assert rg.ndcg(grades, gain=gain) == pytest.approx(expected, rel=1e-15)
    assert ask("ndcg", *grades, "--gain", gain)["value"] == rg.ndcg(grades, gain=gain)


def test_dcg_is_between_0_and_the_ideal_and_ndcg_between_0_and_1() -> None:
    for length in range(1, 6):
        for ranked in permutations(TRUTH, length):
            why = rg.explain(ranked, TRUTH)
            assert 0 <= why.dcg <= why.idcg
            assert 0 <= why.value <= 1


def test_ndcg_does_not_depend_on_the_scale() -> None:
    # DCG of another system may run from 100 to 200; NDCG compares them. Multiplying rounds the last digit.
    scaled = {item: 250 * grade for item, grade in TRUTH.items()}
    assert rg.dcg(LONG, scaled) == pytest.approx(250 * rg.dcg(LONG, TRUTH), rel=1e-15)
    assert rg.ndcg(LONG, scaled) == pytest.approx(SECOND, rel=1e-15)


def test_binary_measures_do_not_see_the_grade() -> None:
    # Precision, recall, RR and AP of two orders of the same relevant items are equal, NDCG is not.
    grades, binary = {"A": 1, "B": 3}, ["precision@2", "recall@2", "mrr", "map"]
    values = rg.evaluate([grades, grades], [["A", "B"], ["B", "A"]], [*binary, "ndcg"]).per_query
    assert all(values[measure]["0"] == values[measure]["1"] == 1 for measure in binary)
    assert values["ndcg"] == {"0": (1 + 3 / log2(3)) / (3 + 1 / log2(3)), "1": 1.0}
