"""What the page computes is what the package computes: hundreds of lists in one load of the page, to 1e-12."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.presentation.learner.random_lists import LearnerCase, RandomList

import rankgauge as rg
from rankgauge.conventions import NAMED, get
from rankgauge.conventions.terms import DISCOUNTS, GAINS, IDEALS
from rankgauge.presentation.learner.page import learner_page

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.browser.watched_page import WatchedPages

CUTOFFS = (None, 1, 2, 3, 5, 10, 50)
WHOLE = (0, 0, 1, 2, 3)
ODD = (-2, -0.5, 0, 0, 0.5, 1, 1.5, 2, 3, 4)
# Every kind of term, with and without the numbers that it takes.
GAIN_TEXTS = (
    *("linear", "linear(1=3,2=9)", "exp2", "exp2(1)", "binary", "binary(2)", "share", "share(4)", "chance(4)"),
    "table(0=0,1=1,2=3,3=7)",
)
DISCOUNT_TEXTS = (
    *("log2", "log(10)", "log(1.5)", "jarvelin", "jarvelin(3)", "clipped", "reciprocal", "geometric(0.8)"),
    "table(1,0.6,0.6,0.1)",
)
IDEAL_TEXTS = ("judged", "uncut", "ranked", "top", "list-length", "perfect", "perfect(7)")
# In the page: what `compute` says of each case, with what each rank has in the order of the package's test.
COMPUTE = """cases => cases.map(([items, rules]) => {
  const row = rank => [rank.gain, rank.discount, rank.adds, rank.running];
  const result = compute(items, rules);
  if (result.problem) return {problem: result.problem};
  const lost = result.idcg > 0 ? costs(result).map(entry => entry.cost) : null;
  const {dcg, idcg, value, others} = result;
  return {ranks: result.ranks.map(row), ideal: result.ideal.map(row), dcg, idcg, value, costs: lost, others};
})"""


@pytest.fixture
def page(open_page: WatchedPages, tmp_path: Path) -> Page:
    path = tmp_path / "learner.html"
    path.write_text(learner_page(), encoding="utf-8")
    return open_page(path)


def require_equal(page: Page, cases: Sequence[LearnerCase]) -> list[dict[str, Any]]:
    """Compare the page with the package; returns what the package says."""
    expected = [case.in_package() for case in cases]
    for case, theirs, ours in zip(cases, page.evaluate(COMPUTE, [c.for_page() for c in cases]), expected, strict=True):
        assert theirs.keys() - {"others"} == ours.keys(), case
        for name, actual in ours.items():
            if isinstance(actual, float | list):
                assert flat(theirs[name]) == pytest.approx(flat(actual), rel=1e-12, abs=1e-12), (name, case)
            elif name != "costs":
                assert theirs[name] == actual, (name, case)
    return expected


def flat(numbers: Any) -> list[Any]:
    return [inner for number in numbers for inner in flat(number)] if isinstance(numbers, list) else [numbers]


def test_terms_of_these_tests_are_all_that_there_are() -> None:
    def kinds(texts: Sequence[str]) -> set[str]:
        return {text.partition("(")[0] for text in texts}

    assert kinds(GAIN_TEXTS) == set(GAINS)
    assert kinds(DISCOUNT_TEXTS) == set(DISCOUNTS)
    assert kinds(IDEAL_TEXTS) == set(IDEALS)


def test_every_gain_discount_and_ideal_is_that_of_the_package(page: Page) -> None:
    source = random.Random(1)
    cases = [
        LearnerCase(
            RandomList.drawn(source, WHOLE),
            get("textbook", gain=gain, discount=discount, ideal=ideal),
            source.choice(CUTOFFS),
        )
        for gain, discount, ideal in product(GAIN_TEXTS, DISCOUNT_TEXTS, IDEAL_TEXTS)
    ]
    expected = require_equal(page, cases)
    assert len(expected) == 630
    assert sum("problem" in actual for actual in expected) < 10


@pytest.mark.parametrize("grades", [WHOLE, ODD], ids=["whole grades", "odd grades"])
def test_every_convention_is_that_of_the_package(page: Page, grades: tuple[float, ...]) -> None:
    source = random.Random(2)
    cases = [
        LearnerCase(RandomList.drawn(source, grades), convention, k)
        for convention, k in product(NAMED.values(), CUTOFFS)
    ]
    require_equal(page, cases)


@pytest.mark.parametrize("answer", ["zero", "drop", "error"])
def test_every_answer_on_unjudged_negative_and_nothing_is_that_of_the_package(page: Page, answer: str) -> None:
    source = random.Random(3)
    cases = [
        LearnerCase(
            RandomList.drawn(source, (-1, 0, 0, 1, 2)),
            get(f"textbook(default_cutoff=all,unjudged={answer},negative={negative},nothing_relevant={nothing})"),
            source.choice(CUTOFFS),
        )
        for negative, nothing, _ in product(
            ("zero", "keep", "drop", "error"), ("zero", "one", "nan", "skip", "error"), range(4)
        )
    ]
    assert {actual.get("problem") for actual in require_equal(page, cases)} >= {None, "negative-grade"}


def test_gain_without_discount_is_that_of_the_package(page: Page) -> None:
    source = random.Random(4)
    cases = [LearnerCase(RandomList.drawn(source), NAMED["textbook"], k, discounted=False) for k in CUTOFFS]
    page_values = page.evaluate(COMPUTE, [case.for_page() for case in cases])
    assert [actual["dcg"] for actual in page_values] == [case.in_package()["dcg"] for case in cases]


def test_gains_that_are_too_large_are_refused_as_in_the_package(page: Page) -> None:
    drawn = RandomList((2000.0, 1.0), ())
    assert require_equal(page, [LearnerCase(drawn, NAMED["burges"], 5)]) == [{"problem": "overflow"}]


def test_mean_and_worst_of_all_orders_are_those_of_the_package(page: Page) -> None:
    source = random.Random(5)
    drawn = [RandomList(tuple(float(source.choice(WHOLE)) for _ in range(5)), (2.0,)) for _ in range(6)]
    cases = [LearnerCase(one, NAMED["burges"], k) for one, k in product(drawn, (None, 2, 9))]
    for case, actual in zip(cases, page.evaluate(COMPUTE, [case.for_page() for case in cases]), strict=True):
        at = "" if case.k is None else f"@{case.k}"
        truth = case.drawn.judgments
        orders = {order: rg.ndcg(list(order), truth, case.k, gain="exp2") for order in permutations(case.drawn.ranking)}
        mean = rg.evaluate({"q": truth}, {"q": case.drawn.ranking}, f"random_ndcg{at}", convention="burges")
        assert actual["others"]["worst"] == pytest.approx(min(orders.values()), abs=1e-12)
        assert actual["others"]["random"] == pytest.approx(mean[f"random_ndcg{at}"], abs=1e-12)


REFUSED_TERMS = {
    "gain": (
        *("exp3", "binary(", "binary(x)", "chance", "chance(0)", "table", "table(1)", "", "binary(1,2)", "share(-1)"),
        *("linear(1=-2)", "chance(2000)", "constructor"),
    ),
    "discount": ("log", "log(1)", "geometric(1)", "table(1,2)", "table(-1)", "log2(3)"),
    "ideal": ("perfect(0)", "judged(1)", "best", "toString"),
}


def test_terms_that_the_package_refuses_are_refused(page: Page) -> None:
    for field, texts in REFUSED_TERMS.items():
        for text in texts:
            with pytest.raises(rg.RankgaugeError):
                get("textbook", **{field: text})
            assert page.evaluate("([field, text]) => readValid(field, text)", [field, text]) is None, text
