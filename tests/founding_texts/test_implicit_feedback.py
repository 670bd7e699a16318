"""Text 002 shows NDCG@5 for implicit data, where an item is worth 1 if it is in a user's test set and 0 if not."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from math import log2
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Run
from tests.founding_texts.conftest import Ask, Put, Write
from tests.founding_texts.formula import discounted, exponential

import rankgauge as rg

PREDICTED = [6, 3, 8, 4, 5]
ACTUAL = {3, 4}
DCG = 1 / log2(3) + 1 / log2(5)
IDCG = 1 + 1 / log2(3)
# (the measure, its exact value, the four decimals that the text prints)
VALUES = [("dcg", DCG, "1.0616"), ("idcg", IDCG, "1.6309"), ("ndcg", DCG / IDCG, "0.6509")]
# Grades are 0 and 1, so both gains and both conventions say the same.
SAME = [("textbook", "linear"), ("textbook", "exp2"), ("implicit-feedback", "binary")]


@pytest.mark.parametrize(("convention", "gain"), SAME)
@pytest.mark.parametrize(("measure", "expected", "printed"), VALUES)
def test_measures_of_the_clicks_in_python_equal_the_formula(
    measure: str, expected: float, printed: str, convention: str, gain: str
) -> None:
    value = getattr(rg, measure)(PREDICTED, ACTUAL, k=5, convention=convention, gain=gain)
    assert value == expected
    assert f"{value:.4f}" == printed


@pytest.mark.parametrize(("convention", "gain"), SAME)
@pytest.mark.parametrize(("measure", "expected", "printed"), VALUES)
def test_measures_of_the_clicks_on_the_command_line_equal_the_formula(
    ask: Ask, measure: str, expected: float, printed: str, convention: str, gain: str
) -> None:
    terms = ("--convention", convention, "--gain", gain)
    value = ask(measure, *PREDICTED, "--truth", "3,4", "-k", 5, *terms)["value"]
    assert value == expected
    assert f"{value:.4f}" == printed


def test_measures_of_the_clicks_have_these_digits() -> None:
    values = [compute(PREDICTED, ACTUAL, k=5) for compute in (rg.dcg, rg.idcg, rg.ndcg)]
    assert values == [1.0616063116448506, 1.6309297535714575, 0.6509209298071326]


def test_ndcg_with_the_normaliser_of_the_text_equals_its_formula() -> None:
    # The text's Z_K times the sum of (2^r − 1) / log2(i + 1), where r is 1 for an item of the test set.
    relevance = [int(item in ACTUAL) for item in PREDICTED]
    assert rg.ndcg(PREDICTED, ACTUAL, k=5) == discounted(exponential(relevance)) / discounted([1, 1])


def test_explain_of_the_clicks_has_the_terms_of_the_text() -> None:
    why = rg.explain(PREDICTED, ACTUAL, measure="ndcg@5")
    assert [rank.grade for rank in why.ranks] == [None, 1, None, 1, None]  # unjudged items have no grade
    assert [rank.contribution for rank in why.ranks] == [0, 1 / log2(3), 0, 1 / log2(5), 0]
    assert [rank.contribution for rank in why.ideal_ranks] == [1, 1 / log2(3)]
    assert (why.dcg, why.idcg, why.value) == (DCG, IDCG, DCG / IDCG)


def test_explain_switch_on_the_clicks_has_the_terms_of_the_text(ask: Ask) -> None:
    why = ask("ndcg", *PREDICTED, "--truth", "3,4", "-k", 5, "--explain")
    assert [rank["contribution"] for rank in why["ranks"]] == [0, 1 / log2(3), 0, 1 / log2(5), 0]
    assert (why["dcg"], why["idcg"], why["value"]) == (DCG, IDCG, DCG / IDCG)


@pytest.mark.parametrize("actual", [ACTUAL, frozenset(ACTUAL), [3, 4], [4, 3], {3: 1, 4: 1}], ids=repr)
def test_order_of_the_actual_items_does_not_matter(actual: Iterable[object]) -> None:
    assert rg.ndcg(PREDICTED, actual, k=5) == DCG / IDCG


def test_order_of_the_actual_items_does_not_matter_on_the_command_line(ask: Ask) -> None:
    assert ask("ndcg", *PREDICTED, "--truth", "4,3", "-k", 5)["value"] == DCG / IDCG


def test_ideal_lists_the_actual_items_first() -> None:
    best = [order for order in permutations(PREDICTED) if rg.ndcg(order, ACTUAL, k=5) == 1]
    assert {frozenset(order[:2]) for order in best} == {frozenset(ACTUAL)}
    assert len(best) == 2 * 6  # both orders of 3 and 4, any order of the rest


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_ideal_has_as_many_terms_as_k_or_the_actual_items(ask: Ask, k: int) -> None:
    expected = discounted([1] * min(k, len(ACTUAL)))
    assert rg.idcg(PREDICTED, ACTUAL, k=k) == expected
    assert ask("idcg", *PREDICTED, "--truth", "3,4", "-k", k)["value"] == expected


def test_ndcg_of_probabilities_ranks_by_them() -> None:
    likely = {3: 0.8, 4: 0.6, 5: 0.5, 6: 0.9, 8: 0.7, 7: 0.2, 9: 0.1}
    assert rg.ndcg(likely, ACTUAL, k=5) == DCG / IDCG


def test_evaluate_of_the_case_of_a_user_equals_the_formula() -> None:
    result = rg.evaluate([{"user": "t", "actual": [3, 4], "predicted": PREDICTED}], measures="ndcg@5")
    assert result.per_query["ndcg@5"] == {"t": DCG / IDCG}


def test_evaluate_command_on_the_case_of_a_user_equals_the_formula(ask: Ask, write_json: Put) -> None:
    cases = write_json("cases.json", [{"user": "t", "actual": [3, 4], "predicted": PREDICTED}])
    assert ask("evaluate", cases, "-m", "ndcg@5")["means"] == {"ndcg@5": DCG / IDCG}
    assert ask("explain", cases, "--query", "t", "-m", "ndcg@5")["value"] == DCG / IDCG


# User t used the items 0 to 4, and 3 and 4 become the test set. The text does not say how they were chosen; here they
# are the last two.
USED = "user,item,timestamp\nt,0,1\nt,1,2\nt,2,3\nt,3,4\nt,4,5\n"


def test_holdout_in_python_gives_the_split_of_the_text() -> None:
    used = pl.DataFrame({"user": ["t"] * 5, "item": range(5), "timestamp": range(5)})
    split = rg.grading.holdout(used, count=2)
    assert split.train["item"].to_list() == [0, 1, 2]
    assert set(split.truth.frame["item"]) == ACTUAL
    assert rg.evaluate(split.truth, {"t": PREDICTED}, "ndcg@5")["ndcg@5"] == DCG / IDCG


def test_holdout_on_the_command_line_gives_the_split_of_the_text(
    run: Run, ask: Ask, write: Write, tmp_path: Path
) -> None:
    truth = tmp_path / "truth.csv"
    run("grade", "holdout", write("used.csv", USED), "--count", "2", "-o", truth).text()
    assert truth.read_text(encoding="utf-8") == "user,item,grade\nt,3,1.0\nt,4,1.0\n"
    predicted = write("predicted.csv", "user,item,rank\n" + "".join(f"t,{x},{i}\n" for i, x in enumerate(PREDICTED, 1)))
    assert ask("evaluate", truth, predicted, "-m", "ndcg@5")["means"] == {"ndcg@5": DCG / IDCG}
