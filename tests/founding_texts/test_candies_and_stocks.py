"""Text 000 explains NDCG with a friend who guesses the order of five candies, and carries it over to ranked stocks."""

from __future__ import annotations

import io
from itertools import permutations
from math import log2
from pathlib import Path
from statistics import fmean

import pandas as pd
import polars as pl
import pytest
from tests.cli.conftest import Run
from tests.founding_texts.conftest import Ask, Write
from tests.founding_texts.formula import discounted, exponential

import rankgauge as rg

LIKES = {"🍓": 3, "🍫": 2, "🍋": 1, "🍇": 0, "🍬": 0}
FRIEND = ["🍫", "🍓", "🍇", "🍬", "🍋"]
GRADES = [2, 3, 0, 0, 1]
OPTION = ",".join(f"{candy}={grade}" for candy, grade in LIKES.items())
# A rank adds gain × discount, which may be rounded otherwise than gain / log2: of 3 / log2(3), the last digit is.
TERMS = pytest.approx([3 / log2(2), 7 / log2(3), 0, 0, 1 / log2(6)], rel=3e-16)
IDEAL_TERMS = pytest.approx([7 / log2(2), 3 / log2(3), 1 / log2(4), 0, 0], rel=3e-16)
DCG = 3 + 7 / log2(3) + 1 / log2(6)
IDCG = 7 + 3 / log2(3) + 1 / 2
VALUES = [("cg", 3 + 7 + 0 + 0 + 1), ("dcg", DCG), ("idcg", IDCG), ("ndcg", DCG / IDCG)]


@pytest.mark.parametrize(("measure", "expected"), VALUES)
def test_measures_of_the_candies_in_python_equal_the_formula(measure: str, expected: float) -> None:
    compute = getattr(rg, measure)
    assert compute(GRADES, gain="exp2") == compute(FRIEND, LIKES, gain="exp2") == expected
    assert rg.evaluate(FRIEND, LIKES, measure, convention="burges")[measure] == expected


@pytest.mark.parametrize(("measure", "expected"), VALUES)
def test_measures_of_the_candies_on_the_command_line_equal_the_formula(ask: Ask, measure: str, expected: float) -> None:
    assert ask(measure, *GRADES, "--gain", "exp2")["value"] == expected
    assert ask(measure, *FRIEND, "--truth", OPTION, "--gain", "exp2")["value"] == expected


def test_sums_of_the_formula_have_these_digits() -> None:
    assert (DCG, IDCG, DCG / IDCG) == (7.803361082234744, 9.392789260714373, 0.8307820888596468)
    assert discounted(exponential(GRADES)) == DCG


def test_explain_of_the_candies_has_the_terms_of_the_text() -> None:
    why = rg.explain(FRIEND, LIKES, convention="burges")
    assert [rank.item for rank in why.ranks] == FRIEND
    assert [rank.gain for rank in why.ranks] == [3, 7, 0, 0, 1]
    assert [rank.contribution for rank in why.ranks] == TERMS
    assert [rank.contribution for rank in why.ideal_ranks] == IDEAL_TERMS
    assert [rank.item for rank in why.ideal_ranks][:3] == ["🍓", "🍫", "🍋"]


def test_explain_switch_on_the_candies_has_the_terms_of_the_text(ask: Ask) -> None:
    why = ask("ndcg", *FRIEND, "--truth", OPTION, "--gain", "exp2", "--explain")
    assert [rank["contribution"] for rank in why["ranks"]] == TERMS
    assert [rank["contribution"] for rank in why["ideal_ranks"]] == IDEAL_TERMS
    assert (why["dcg"], why["idcg"], why["value"]) == (DCG, IDCG, DCG / IDCG)


def test_dcg_of_rounded_terms_is_the_sum_that_the_text_prints() -> None:
    why = rg.explain(GRADES, measure="ndcg(gain=exp2)")
    rounded = [round(rank.contribution, 2) for rank in why.ranks]
    assert rounded == [3.0, 4.42, 0, 0, 0.39]
    assert [round(rank.contribution, 2) for rank in why.ideal_ranks[:3]] == [7.0, 1.89, 0.5]
    # 7.81 is the sum of the rounded terms; the sum itself is 7.80. 9.39 is right either way.
    assert round(sum(rounded), 2) == 7.81
    assert round(why.dcg, 2) == 7.80
    assert round(why.idcg, 2) == 9.39
    # 7.81 / 9.39 would be 0.832. The text's 0.831 is what the exact sums give.
    assert round(7.81 / 9.39, 3) == 0.832
    assert round(why.value, 3) == 0.831


def test_ndcg_of_any_order_is_at_most_1_and_1_for_the_ideal_order() -> None:
    values = {order: rg.ndcg(order, LIKES, gain="exp2") for order in permutations(LIKES)}
    assert all(0 < value <= 1 for value in values.values())
    assert {order[:3] for order, value in values.items() if value == 1} == {("🍓", "🍫", "🍋")}


def test_ndcg_of_a_better_candy_further_up_is_higher() -> None:
    values = [
        rg.ndcg(order, gain="exp2") for order in ([0, 0, 1, 3, 2], [0, 0, 3, 1, 2], [0, 3, 0, 1, 2], [3, 0, 0, 1, 2])
    ]
    assert values == sorted(set(values))


# Stocks: the grade is the quintile of the return over five days, the order is that of the model.

TABLE = (
    "종목,실제 수익률,분위 라벨,모델 예측 순위\n"
    "A,+12%,4 (최상),1등\n"
    "B,+3%,3,2등\n"
    "C,0%,2,3등\n"
    "D,-1%,1,4등\n"
    "E,-5%,0 (최하),5등\n"
)
RETURNS = "stock,return\nA,+12%\nB,+3%\nC,0%\nD,-1%\nE,-5%\n"
RANKS = "stock,rank\nA,1\nB,2\nC,3\nD,4\nE,5\n"
QUINTILES = {"A": 4, "B": 3, "C": 2, "D": 1, "E": 0}
BY_STOCK = [
    {"rank": 1, "ticker": "A", "return": 0.12, "grade": 4},
    {"rank": 2, "ticker": "B", "return": 0.03, "grade": 3},
    {"rank": 3, "ticker": "C", "return": 0.0, "grade": 2},
    {"rank": 4, "ticker": "D", "return": -0.01, "grade": 1},
    {"rank": 5, "ticker": "E", "return": -0.05, "grade": 0},
]
# What a random order has on average: every rank then has the mean grade, 2.
CHANCE = 2 * discounted([1] * 5) / discounted([4, 3, 2, 1, 0])


def table() -> pl.DataFrame:
    return pl.read_csv(io.StringIO(TABLE))


def read_lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("gain", ["linear", "exp2"])
def test_ndcg_of_a_perfect_prediction_is_1(ask: Ask, gain: str) -> None:
    option = ",".join(f"{stock}={grade}" for stock, grade in QUINTILES.items())
    assert rg.ndcg(list("ABCDE"), QUINTILES, gain=gain) == 1.0
    assert ask("ndcg", *"ABCDE", "--truth", option, "--gain", gain)["value"] == 1.0


def test_returns_get_the_labels_of_the_text_in_python() -> None:
    for frame in (table(), table().to_pandas()):
        grades = rg.grading.returns(frame).frame
        assert list(grades["종목"]) == list("ABCDE")
        assert list(grades["return"]) == [0.12, 0.03, 0.0, -0.01, -0.05]
        assert list(grades["grade"]) == [int(label[0]) for label in frame["분위 라벨"]]


def test_returns_get_the_labels_of_the_text_on_the_command_line(run: Run, write: Write, tmp_path: Path) -> None:
    for name, text in (("표.csv", TABLE), ("ret.csv", RETURNS)):
        grades = tmp_path / "grades.csv"
        run("grade", "returns", write(name, text), "-o", grades).text()
        assert [line.rpartition(",")[2] for line in read_lines(grades)] == ["grade", "4", "3", "2", "1", "0"]


def test_study_of_the_table_in_python_has_the_values_of_the_text() -> None:
    for study in (rg.stocks.study(table(), k=5), rg.stocks.study(pd.read_csv(io.StringIO(TABLE)), k=5)):
        assert study["ndcg@5"].mean == study["rank_ic"].mean == 1.0
        assert study["ndcg@5"].chance == pytest.approx(CHANCE, rel=1e-15)  # the mean may be added in another order
        assert study.to_dict()["by_stock"] == BY_STOCK


def test_study_of_the_table_on_the_command_line_has_the_values_of_the_text(ask: Ask, write: Write) -> None:
    one, returns, ranks = write("표.csv", TABLE), write("ret.csv", RETURNS), write("rank.csv", RANKS)
    for files in ((one,), (returns, ranks)):
        study = ask("stocks", *files, "-k", 5)
        assert study["dates"] == 1
        assert study["measures"]["ndcg@5"]["mean"] == 1.0
        assert study["by_stock"] == BY_STOCK


def test_study_of_one_date_has_means_but_no_errors(run: Run, write: Write) -> None:
    study = rg.stocks.study(table(), k=5)
    assert (study["ndcg@5"].mean, study["ndcg@5"].days) == (1.0, 1)
    for text in (str(study), run("stocks", write("표.csv", TABLE), "-k", "5").text()):
        assert "1 date cannot tell whether the model is better than chance or was lucky" in text


def test_study_of_a_model_with_another_order_equals_the_formula(ask: Ask, write: Write) -> None:
    # The order B, A, C, E, D, whose grades are 3, 4, 2, 0, 1.
    expected = discounted([3, 4, 2, 0, 1]) / discounted([4, 3, 2, 1, 0])
    ranks = write("rank.csv", "stock,rank\nA,2\nB,1\nC,3\nD,5\nE,4\n")
    assert ask("stocks", write("ret.csv", RETURNS), ranks, "-k", 5)["measures"]["ndcg@5"]["mean"] == expected
    assert rg.stocks.study(write("ret.csv", RETURNS), ranks, k=5)["ndcg@5"].mean == expected
    assert rg.ndcg(list("BACED"), QUINTILES) == expected


def test_chance_is_the_mean_over_all_orders() -> None:
    values = [rg.ndcg(order, QUINTILES) for order in permutations(QUINTILES)]
    assert fmean(values) == pytest.approx(CHANCE, rel=1e-14)  # 120 rounded values


# Prices at which the returns over five days are those of the table.
PRICES = (
    "date,A,B,C,D,E\n"
    "2026-03-02,100,100,100,100,100\n"
    "2026-03-03,101,100,100,100,99\n"
    "2026-03-04,104,101,100,100,98\n"
    "2026-03-05,107,102,100,100,97\n"
    "2026-03-06,110,102,100,99,96\n"
    "2026-03-09,112,103,100,99,95\n"
)


def test_grading_of_prices_five_days_apart_gives_the_same_grades(run: Run, write: Write, tmp_path: Path) -> None:
    grades = rg.grading.returns(pd.read_csv(io.StringIO(PRICES))).frame
    assert dict(zip(grades["ticker"], grades["grade"], strict=True)) == QUINTILES
    # 112 / 100 − 1 is not 0.12 to the last digit.
    assert list(grades["return"]) == pytest.approx([0.12, 0.03, 0.0, -0.01, -0.05], abs=1e-15)
    run("grade", "returns", write("prices.csv", PRICES), "-o", tmp_path / "grades.csv").text()
    rows = [line.split(",") for line in read_lines(tmp_path / "grades.csv")]
    assert [(date, stock, grade) for date, stock, _, grade in rows[1:]] == [
        ("2026-03-02", stock, str(grade)) for stock, grade in QUINTILES.items()
    ]
