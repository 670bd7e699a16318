"""Text 004 is a second, shorter edition of 003, with cases that hold both parts, and grades for what a user did."""

from __future__ import annotations

import io
from math import log2
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Run
from tests.founding_texts.conftest import Ask, Put, Write
from tests.founding_texts.formula import discounted, exponential, normalised
from tests.founding_texts.two_lists import DCG, IDCG_OF_3, IDCG_OF_5, LONG, MEAN, OPTION, SECOND, SHORT, TRUTH

import rankgauge as rg

CASES = [{"recommend_result": ranked, "relevant_items": TRUTH} for ranked in (SHORT, LONG)]


def test_evaluate_of_one_case_equals_the_formula() -> None:
    result = rg.evaluate(CASES[0], measures=["dcg", "idcg", "ndcg"])
    assert result.means == {"dcg": DCG, "idcg": IDCG_OF_3, "ndcg": DCG / IDCG_OF_3}
    assert (result["dcg"], result["ndcg"]) == (0.7654648767857287, 0.6048882832133625)


def test_evaluate_command_on_one_case_equals_the_formula(ask: Ask, write_json: Put) -> None:
    answer = ask("evaluate", write_json("case.json", CASES[0]), "-m", "dcg", "-m", "idcg", "-m", "ndcg")
    assert answer["means"] == {"dcg": DCG, "idcg": IDCG_OF_3, "ndcg": DCG / IDCG_OF_3}


def test_ideal_that_the_text_prints_is_that_of_all_five_items(ask: Ask) -> None:
    # It prints 1.347217813316522. Its code takes the list's length for k, which is 3, and gives 1.2654648767857286.
    assert rg.idcg(TRUTH) == IDCG_OF_5 == 1.347217813316522
    assert rg.idcg(SHORT, TRUTH) == IDCG_OF_3 == 1.2654648767857286
    assert ask("idcg", *TRUTH, "--truth", OPTION)["value"] == 1.347217813316522
    assert ask("idcg", *SHORT, "--truth", OPTION)["value"] == 1.2654648767857286
    # Its NDCG, 0.6049, is DCG over the second.
    assert rg.ndcg(SHORT, TRUTH) == DCG / IDCG_OF_3


def test_evaluate_of_two_cases_is_their_mean() -> None:
    result = rg.evaluate(CASES)
    assert result["ndcg"] == MEAN == 0.7356022113638424
    assert result.per_query["ndcg"] == {"0": DCG / IDCG_OF_3, "1": SECOND}


def test_evaluate_command_on_two_cases_prints_their_mean(ask: Ask, write_json: Put) -> None:
    answer = ask("evaluate", write_json("cases.json", CASES), "--per-query")
    assert answer["means"] == {"ndcg": MEAN}
    assert answer["per_query"]["ndcg"] == {"0": DCG / IDCG_OF_3, "1": SECOND}


def test_explain_of_one_case_equals_the_formula(ask: Ask, write_json: Put) -> None:
    assert rg.explain(CASES, query=0).value == rg.explain(CASES[0]).value == DCG / IDCG_OF_3
    assert ask("explain", write_json("cases.json", CASES), "--query", 0)["idcg"] == IDCG_OF_3


def test_idcg_of_the_worked_example_equals_the_formula(ask: Ask) -> None:
    expected = 3 / log2(2) + 2 / log2(3) + 2 / log2(4) + 1 / log2(5)
    assert rg.idcg([3, 2, 2, 1], k=4) == ask("idcg", 3, 2, 2, 1, "-k", 4)["value"] == expected == 5.692536065216308


# The ideal goes on to k, also where the list is shorter: the convention textbook. Text 003 cuts it at the list.


@pytest.mark.parametrize("ranked", [SHORT, LONG, ["Z", "C"], ["E"]], ids=" ".join)
@pytest.mark.parametrize("k", range(1, 11))
def test_k_is_not_clipped_in_python(ranked: list[str], k: int) -> None:
    assert rg.ndcg(ranked, TRUTH, k) == normalised(ranked, TRUTH, k, k)
    assert rg.idcg(ranked, TRUTH, k) == discounted([0.7, 0.5, 0.5, 0.1, 0.1][:k])


@pytest.mark.parametrize("k", [1, 2, 3, 4, 10])
def test_k_is_not_clipped_on_the_command_line(ask: Ask, k: int) -> None:
    assert ask("ndcg", *SHORT, "--truth", OPTION, "-k", k)["value"] == normalised(SHORT, TRUTH, k, k)
    assert ask("idcg", *SHORT, "--truth", OPTION, "-k", k)["value"] == discounted([0.7, 0.5, 0.5, 0.1, 0.1][:k])


@pytest.mark.parametrize("k", [1, 3, 5, 10])
def test_evaluate_of_cases_with_a_cutoff_takes_the_ideal_down_to_it(ask: Ask, write_json: Put, k: int) -> None:
    expected = (normalised(SHORT, TRUTH, k, k) + normalised(LONG, TRUTH, k, k)) / 2
    assert rg.evaluate(CASES, measures=f"ndcg@{k}")[f"ndcg@{k}"] == expected
    assert ask("evaluate", write_json("cases.json", CASES), "-m", f"ndcg@{k}")["means"] == {f"ndcg@{k}": expected}


def test_explain_of_a_short_list_names_both_readings_of_k() -> None:
    why = rg.explain(CASES[0], measure="ndcg@10")
    assert why.value == DCG / IDCG_OF_5
    (remark,) = (remark for remark in why.remarks if remark.code == "short-lists")
    assert remark.text.endswith(f"use textbook-clipped: {DCG / IDCG_OF_3:.4f}")
    result = rg.evaluate(CASES, measures="ndcg@10")
    assert result.evaluation.counts.short == 1
    assert "to end it with the list, use textbook-clipped" in str(result)


# Nothing to find: no relevant items, only zeros, an empty list

EMPTY = [
    {"recommend_result": ["A", "B"], "relevant_items": {}},
    {"recommend_result": ["A", "B"], "relevant_items": {"A": 0, "B": 0}},
    {"recommend_result": [], "relevant_items": TRUTH},
]


@pytest.mark.parametrize("measure", ["idcg", "ndcg", "ndcg@5"])
def test_evaluate_of_cases_with_nothing_on_a_side_is_0(ask: Ask, write_json: Put, measure: str) -> None:
    zeros = {"0": 0, "1": 0, "2": 0}
    assert rg.evaluate(EMPTY, measures=measure).per_query[measure] == zeros
    answer = ask("evaluate", write_json("cases.json", EMPTY), "-m", measure, "--per-query")
    assert answer["per_query"][measure] == zeros


def test_remarks_on_cases_with_nothing_on_a_side_name_each_kind() -> None:
    result = rg.evaluate(EMPTY)
    assert "nothing relevant: 2 queries" in str(result)
    assert "nothing ranked: 1 query" in str(result)


def test_ndcg_of_an_item_without_a_grade_counts_it_as_0() -> None:
    # The text's DCG fails for an item without a grade, its NDCG takes 0, and so do all of ours.
    assert rg.dcg(["Z", "C"], TRUTH) == 0.7 / log2(3)
    assert rg.ndcg(["Z", "C"], TRUTH) == (0.7 / log2(3)) / (0.7 + 0.5 / log2(3))


def test_cg_sums_the_result_list(ask: Ask) -> None:
    # Adding 0.1, 0.5 and 0.7 in another order may round otherwise.
    assert rg.cg(SHORT, TRUTH) == pytest.approx(1.3, rel=1e-15)
    assert ask("cg", *SHORT, "--truth", OPTION)["value"] == rg.cg(SHORT, TRUTH)


# (name, grades in ranked order)
SCALES = [("people", [2, 4, 0, 3, 1]), ("stars", [4, 5, 1]), ("match or not", [0, 1, 1]), ("match rate", [0.5, 0.75])]


@pytest.mark.parametrize(("name", "grades"), SCALES)
def test_ndcg_of_each_scale_of_relevance_equals_the_formula(ask: Ask, name: str, grades: list[float]) -> None:
    for gain, gains in (("linear", grades), ("exp2", exponential(grades))):
        expected = discounted(gains) / discounted(sorted(gains, reverse=True))
        # A power of 2 that is no whole number may be rounded otherwise.
        assert rg.ndcg(grades, gain=gain) == pytest.approx(expected, rel=1e-15)
        assert ask("ndcg", *grades, "--gain", gain)["value"] == rg.ndcg(grades, gain=gain)


# What a user did: no reaction 0, a click 1, into the cart 2, a purchase 3

ACTIONS = {"무반응": 0, "클릭": 1, "장바구니": 2, "구매": 3}
LOG = "사용자,상품,행동\n지수,모자,클릭\n지수,신발,구매\n지수,양말,무반응\n지수,장갑,장바구니\n"
GRADES = {"모자": 1, "신발": 3, "양말": 0, "장갑": 2}
SHOWN = ["모자", "신발", "양말", "장갑"]
VALUE = (1 + 3 / log2(3) + 0 + 2 / log2(5)) / (3 + 2 / log2(3) + 1 / 2)


def test_actions_have_the_grades_of_the_text() -> None:
    log = pl.DataFrame({"사용자": ["u"] * 4, "상품": range(4), "행동": list(ACTIONS)})
    assert rg.grading.actions(log).frame["grade"].to_list() == list(ACTIONS.values())


def test_actions_of_a_log_in_python_give_the_grades_and_the_value() -> None:
    grades = rg.grading.actions(pl.read_csv(io.StringIO(LOG)))
    assert dict(zip(grades.frame["상품"], grades.frame["grade"], strict=True)) == GRADES
    assert rg.evaluate(grades, {"지수": SHOWN}, "ndcg@4")["ndcg@4"] == rg.ndcg(SHOWN, GRADES) == VALUE


def test_actions_of_a_log_on_the_command_line_give_the_grades_and_the_value(
    run: Run, ask: Ask, write: Write, tmp_path: Path
) -> None:
    grades = tmp_path / "grades.csv"
    run("grade", "actions", write("log.csv", LOG), "-o", grades).text()
    rows = [line.split(",") for line in grades.read_text(encoding="utf-8").splitlines()]
    assert {item: float(grade) for _, item, grade in rows[1:]} == GRADES
    shown = write("shown.csv", "사용자,상품,순위\n" + "".join(f"지수,{item},{i}\n" for i, item in enumerate(SHOWN, 1)))
    assert ask("evaluate", grades, shown, "-m", "ndcg@4")["means"] == {"ndcg@4": VALUE}


def test_actions_with_the_usual_english_names_have_the_same_grades() -> None:
    log = pl.DataFrame({"user": ["u"] * 4, "item": range(4), "action": ["none", "click", "add_to_cart", "purchase"]})
    assert rg.grading.actions(log).frame["grade"].to_list() == [0, 1, 2, 3]
