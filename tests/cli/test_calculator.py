"""`rankgauge ndcg`, `dcg`, `idcg` and `cg`: what the functions of the same names return."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.grids import grid

import rankgauge as rg
from rankgauge.cli.app import CALCULATOR

if TYPE_CHECKING:
    from tests.cli.conftest import Run

TRUTH = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
FUNCTIONS = {"ndcg": rg.ndcg, "dcg": rg.dcg, "idcg": rg.idcg, "cg": rg.cg}


@pytest.mark.parametrize("name", grid(CALCULATOR, 2))
@pytest.mark.parametrize(
    ("arguments", "ranked", "truth", "options"),
    [
        (["3", "2", "3", "0", "1", "2"], [3, 2, 3, 0, 1, 2], None, {}),
        (["3", "2", "3", "0", "1", "2", "-k", "5"], [3, 2, 3, 0, 1, 2], None, {"k": 5}),
        (["2", "3", "0", "0", "1", "--gain", "exp2"], [2, 3, 0, 0, 1], None, {"gain": "exp2"}),
        (["A", "B", "C", "--truth", "A=0.1,B=0.5,C=0.7,D=0.5,E=0.1"], ["A", "B", "C"], TRUTH, {}),
        (["6", "3", "8", "4", "5", "--truth", "3,4"], ["6", "3", "8", "4", "5"], {"3", "4"}, {}),
        (["0.5", "-1", "2", "--convention", "burges"], [0.5, -1, 2], None, {"convention": "burges"}),
    ],
)
def test_calculator_prints_what_the_function_returns(
    run: Run, name: str, arguments: list[str], ranked: list[Any], truth: Any, options: dict[str, Any]
) -> None:
    value = FUNCTIONS[name](ranked, truth, **options)
    first, second, *_ = run(name, *arguments).text().splitlines()
    assert first.partition(" = ")[2] == repr(value)
    assert second.startswith(f"convention: {options.get('convention', 'textbook')}")
    assert f"gain {options.get('gain', 'exp2' if 'convention' in options else 'linear')}" in second
    assert json.loads(run(name, *arguments, "--format", "json").text())["value"] == value
    explained = json.loads(run(name, *arguments, "--explain", "--format", "json").text())
    assert explained["value"] == value


def test_calculator_with_a_discount_uses_it(run: Run) -> None:
    discounted = run("dcg", "2", "3", "0", "1", "--discount", "jarvelin(2)").text()
    assert discounted.startswith(f"dcg = {rg.dcg([2, 3, 0, 1], discount='jarvelin(2)')!r}\n")
    assert "expected a parameter of cg" in run("cg", "2", "3", "--discount", "log(10)").refusal()


def test_list_with_commas_equals_one_with_blanks(run: Run) -> None:
    assert run("ndcg", "3,", "2,", "3,", "0").text() == run("ndcg", "3", "2", "3", "0").text()
    assert run("ndcg", "3, 2,3,0").text() == run("ndcg", "3", "2", "3", "0").text()
    assert run("ndcg", "A", "B", "--truth", " A = 1, B=2 ").text() == run("ndcg", "A", "B", "--truth", "A=1,B=2").text()
    truth = ("--truth", "A=1,B=2,C=3")
    assert run("ndcg", "A,", "B,", "C", *truth).text() == run("ndcg", "A", "B", "C", *truth).text()


def test_calculator_of_a_short_or_unjudged_list_prints_a_remark(run: Run) -> None:
    assert "unjudged: 1 of 2 items in the ranking" in run("ndcg", "A", "x", "--truth", "A=1,B=2").text()
    assert "use textbook-clipped" in run("ndcg", "A", "B", "--truth", "A=1,B=2,C=3", "-k", "10").text()


def test_calculator_with_explain_prints_the_explanation_of_python(run: Run) -> None:
    shown = run("ndcg", "2", "3", "0", "0", "1", "--gain", "exp2", "--explain").text()
    assert shown == f"{rg.explain([2.0, 3.0, 0.0, 0.0, 1.0], convention='textbook(gain=exp2)')}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument"),
        (["3", "x"], "to be a grade, got 'x'. Hint: items in ranked order need their grades beside them: --truth"),
        (["3", "nan"], "expected a finite number"),
        (["3", "--foo"], "No such option"),
        (["3", "-k", "0"], "expected a cutoff k from 1"),
        (["3", "--gain", "foo"], "expected gain to be one of"),
        (["3", "--convention", "foo"], "expected a convention"),
        (["A", "--truth", "A=1,A=2"], "expected each item once"),
        (["A", "--truth", "A=x"], "expected a finite number as grade, got 'x'"),
        (["A", "--truth", "A=1,B"], "as in A=1,C=3 or A,C"),
        (["A", "A", "--truth", "A=1"], "expected each item once"),
        (["A", "--truth", "A,"], "expected each item once"),
        (["A", "--truth", "=1"], "expected each item once"),
        (["A", "B", "--truth", "A=1", "--gian", "exp2"], "No such option"),
        (["A", "B", "--truth", "A=1", "-K", "1"], "No such option"),
        (["1,5", "2,5"], "expected words with blanks between them"),
    ],
)
def test_calculator_with_bad_arguments_is_refused(run: Run, arguments: list[str], message: str) -> None:
    assert message in run("ndcg", *arguments).refusal()


@pytest.mark.parametrize(
    "arguments",
    [["-2k1", "3"], ["3", "-2k1"], ["-2", "-2k1"], ["-.5k1", "3"], ["-2o5", "3"], ["-infk1", "3"]],
    ids=" ".join,
)
def test_grade_with_a_switch_behind_it_is_refused(run: Run, arguments: list[str]) -> None:
    line = run("ndcg", *arguments).refusal()
    assert "No such option" in line


@pytest.mark.parametrize("arguments", [["-k1", "-2", "3"], ["-2", "3", "-k", "1"], ["-1e0", "3", "-k1"]], ids=" ".join)
def test_negative_grade_beside_a_switch_is_a_grade(run: Run, arguments: list[str]) -> None:
    assert run("cg", *arguments).text().startswith("cg@1 = ")
