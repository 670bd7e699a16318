"""The formulas of novelty and diversity equal pyndeval, which is TREC's ndeval."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import NamedTuple

import pyndeval  # type: ignore[import-untyped]
import pytest

from rankgauge.engines.reference import diversity
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

CUT = {
    "ERR-IA": ERR_IA,
    "nERR-IA": NERR_IA,
    "alpha-DCG": ALPHA_DCG,
    "alpha-nDCG": ALPHA_NDCG,
    "P-IA": P_IA,
    "strec": STREC,
}
UNCUT = {"NRBP": NRBP, "nNRBP": NNRBP, "MAP-IA": MAP_IA}
CUTOFFS = (1, 2, 3, 5, 10, 20)  # pyndeval has none above 20


class Row(NamedTuple):
    """A judgment: the grade of an item for a subtopic."""

    subtopic: str
    item: str
    grade: int


class Case(NamedTuple):
    """The judgments of one query in the order of the file, and its ranking."""

    rows: list[Row]
    ranking: list[str]
    alpha: float
    beta: float


def make(seed: int) -> Case:
    """Draw a case: few subtopics and few kinds of items make many ties of the greedy choice."""
    source = random.Random(seed)
    subtopics = [f"s{number}" for number in range(source.choice((1, 3, 4, 5, 6, 9)))]
    # Ids of different lengths, some of which are not ASCII, so that the order of bytes counts.
    items = [f"{source.choice('dDzé')}{number}" for number in range(source.choice((3, 6, 10, 15, 40)))]
    width = min(2, len(subtopics))
    share = source.choice((0.1, 0.4, 0.7))
    grades = (0,) if seed % 15 == 0 else (2,) if seed % 3 == 0 else (-2, 0, 1, 1, 2, 3)
    rows = [
        Row(subtopic, item, source.choice(grades))
        for item in items
        for subtopic in (source.sample(subtopics, width) if seed % 2 else subtopics)
        if seed % 2 or source.random() < share
    ]
    rows = rows or [Row(subtopics[0], items[0], grades[-1])]
    source.shuffle(rows)
    unjudged = [f"u{number}" for number in range(source.choice((0, 3)))]
    ranking = source.sample(items + unjudged, source.randint(1, len(items + unjudged)))
    return Case(rows, ranking, source.choice((0.0, 0.3, 0.5, 0.5, 0.9, 1.0)), source.choice((0.0, 0.2, 0.5, 0.8, 0.95)))


def aspects(case: Case, level: int) -> diversity.Aspects:
    """Return a case as what the formulas look at: the judged items from the highest id to the lowest."""
    numbers: dict[str, int] = {}
    covered: defaultdict[str, set[int]] = defaultdict(set)
    for row in case.rows:
        number = numbers.setdefault(row.subtopic, len(numbers))
        if row.grade >= level:
            covered[row.item].add(number)
    ranked = [frozenset(covered.get(item, ())) for item in case.ranking]
    judged = [frozenset(covered[item]) for item in sorted(covered, key=str.encode, reverse=True)]
    return diversity.Aspects(ranked, judged)


def theirs(case: Case, level: int) -> dict[str, float]:
    """Ask pyndeval."""
    qrels = [pyndeval.SubtopicQrel("q", row.subtopic, row.item, row.grade) for row in case.rows]
    names = [f"{name}@{k}" for name in CUT for k in CUTOFFS] + list(UNCUT)
    evaluator = pyndeval.RelevanceEvaluator(qrels, names, relevance_level=level, alpha=case.alpha, beta=case.beta)
    run = [pyndeval.ScoredDoc("q", item, -float(rank)) for rank, item in enumerate(case.ranking)]
    return dict(evaluator.evaluate(run)["q"])


def with_numbers(measure: Diversity, case: Case) -> Diversity:
    """Return the measure with α and β of the case, where it has them."""
    asked = {name: number for name, number in (("alpha", case.alpha), ("beta", case.beta)) if name in measure.takes}
    given = measure(**asked)
    assert isinstance(given, Diversity)
    return given


def ours(case: Case, level: int) -> dict[str, float | None]:
    """Compute all that pyndeval is asked for."""
    seen = aspects(case, level)
    cut = {
        f"{name}@{k}": diversity.value(seen, with_numbers(measure, case), k)
        for name, measure in CUT.items()
        for k in CUTOFFS
    }
    length = len(case.ranking)
    return cut | {name: diversity.value(seen, with_numbers(measure, case), length) for name, measure in UNCUT.items()}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(60))
def test_formulas_of_any_case_equal_pyndeval(seed: int, level: int) -> None:
    case = make(seed)
    expected, values = theirs(case, level), ours(case, level)
    if not aspects(case, level).subtopics:
        assert set(values.values()) == {None}
        assert math.isnan(expected.pop("nNRBP"))  # 0 / 0
        assert set(expected.values()) == {0.0}
        return
    assert values == pytest.approx(expected, abs=1e-12)


def test_cases_include_ties_and_empty_queries() -> None:
    cases = [(make(seed), level) for seed in range(60) for level in (1, 2)]
    seen = [(case, aspects(case, level)) for case, level in cases]
    assert sum(not one.subtopics for _, one in seen) >= 4
    assert sum(len(case.ranking) < 10 for case, _ in seen) >= 20
    assert sum(has_tie(one) for _, one in seen) >= 40
    assert sum(order_counts(one, case.alpha) for case, one in seen) >= 5


def has_tie(seen: diversity.Aspects) -> bool:
    """Return whether items of different kinds are equally good for the first rank of the ideal order."""
    most = max(map(len, seen.judged), default=0)
    return len({item for item in seen.judged if len(item) == most}) > 1


def order_counts(seen: diversity.Aspects, alpha: float) -> bool:
    """Return whether the value depends on which of equally good items is taken."""
    measure = ALPHA_NDCG(alpha=alpha)
    assert isinstance(measure, Diversity)
    reverse = diversity.Aspects(seen.ranked, seen.judged[::-1])
    return any(diversity.value(seen, measure, k) != diversity.value(reverse, measure, k) for k in CUTOFFS)


def test_ideal_with_equally_good_items_takes_the_highest_id() -> None:
    # The middle item shares a subtopic with each of the others: to take it first is not the best.
    kinds = {"first": (1, 2), "middle": (2, 3), "last": (3, 4)}
    for names in ("abc", "acb", "bac", "bca", "cab", "cba", "Zaé"):
        ids = dict(zip(kinds, names, strict=True))
        rows = [Row(str(subtopic), ids[kind], 1) for kind, covered in kinds.items() for subtopic in covered]
        case = Case(rows, [ids["first"], ids["last"]], 0.5, 0.5)
        expected = theirs(case, 1)
        assert ours(case, 1) == pytest.approx(expected, abs=1e-12)
        assert (expected["alpha-nDCG@2"] > 1) == (max(names) == ids["middle"])


def test_ideal_with_alpha_other_than_a_half_depends_on_the_order_of_subtopics() -> None:
    # Items are equally good on paper; the order in which 64-bit gains are added says which one is taken.
    differing = 0
    for seed in range(300):
        source = random.Random(seed)
        rows = [Row(f"s{s}", f"d{d:02}", 1) for d in range(12) for s in range(6) if source.random() < 0.5]
        case = Case(rows, [f"d{d:02}" for d in range(12)], 0.7, 0.5)
        source.shuffle(rows)
        expected = theirs(case, 1)
        assert ours(case, 1) == pytest.approx(expected, abs=1e-12)
        source.shuffle(rows)
        again = theirs(case, 1)
        assert ours(case, 1) == pytest.approx(again, abs=1e-12)
        differing += any(abs(expected[name] - again[name]) > 1e-9 for name in expected)
    assert differing > 0
