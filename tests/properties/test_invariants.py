"""What holds whatever the data: bounds, perfect orders, and independence of how the data came."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples
from tests.properties.strategies import Case, cases, discounts, group, mapping, ranking_file

import rankgauge as rg
from rankgauge import conventions
from rankgauge.conventions.terms import Discount, Gain, Ideal
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines import native
from rankgauge.measures import NDCG, Gains, Measure

SOME = examples(300)
ROW_ORDER_MATTERS = ("given", "reversed")
small_cases = cases(unique=True, nothing_relevant="zero", missing="zero", unjudged="zero", negative="zero")


def values_of(case: Case, threads: int | None = None) -> dict[Measure, list[float]]:
    judgments, ranking = Judgments.from_mapping(mapping(case.judged)), Ranking.from_mapping(mapping(case.ranked))
    evaluation = native.evaluate(judgments, ranking, case.request, threads)
    absent = -1e9  # stands for NaN, which is not equal to itself
    return {
        measure: [absent if math.isnan(value) else value for value in values]
        for measure, values in evaluation.values.items()
    }


@SOME
@given(small_cases)
def test_ndcg_under_a_bounded_convention_is_between_0_and_1(case: Case) -> None:
    bounded = [
        measure
        for measure in case.measures
        if isinstance(measure, Gains)
        and measure.normalised
        and measure.sums == "ranked"
        and case.convention.replace(ideal=measure.ideal or case.convention.ideal).bounded
    ]
    values = values_of(case)
    assert all(0.0 <= value <= 1.0 for measure in bounded for value in values[measure])


@SOME
@given(
    grades=st.lists(st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.0, 3.0]), min_size=1, max_size=12),
    name=st.sampled_from(list(conventions.NAMED)),
    gain=st.sampled_from([Gain("linear"), Gain("exp2"), Gain("binary")]),
    discount=discounts,
    ideal=st.sampled_from([Ideal("judged"), Ideal("ranked"), Ideal("list-length")]),
    k=st.sampled_from([1, 3, 20]),
)
def test_ndcg_of_a_perfect_order_is_1(
    grades: list[float], name: str, gain: Gain, discount: Discount, ideal: Ideal, k: int
) -> None:
    best_first = sorted([*grades, 1.0], reverse=True)
    convention = conventions.get(name, nothing_relevant="zero")
    value = rg.ndcg(best_first, k=k, convention=convention, gain=gain, discount=discount, ideal=ideal)
    assert value == (1.0 if discount.kind != "table" or discount.table[0] > 0 else 0.0)


@SOME
@given(small_cases, st.randoms(use_true_random=False))
def test_evaluate_of_shuffled_rows_and_queries_gives_the_same_bits(case: Case, source: random.Random) -> None:
    if case.convention.ties in ROW_ORDER_MATTERS:
        case = case._replace(convention=case.convention.replace(ties="average"))
    shuffled = case._replace(judged=source.sample(case.judged, len(case.judged)))
    shuffled = shuffled._replace(ranked=source.sample(case.ranked, len(case.ranked)))
    assert values_of(shuffled) == values_of(case)  # bit for bit


@pytest.mark.parametrize("ties", list(conventions.QUESTIONS["ties"].answers))
def test_evaluate_with_any_number_of_threads_gives_the_same_bits(ties: str, tmp_path: Path) -> None:
    source = random.Random(1)
    ranked = [
        (f"q{q}", f"d{source.randrange(10**6)}-{i}", source.randrange(30) / 7) for q in range(600) for i in range(40)
    ]
    judged = [(query, item, float(source.randrange(4))) for query, item, _ in ranked if source.random() < 0.3]
    (tmp_path / "ranking").write_text(ranking_file(ranked), encoding="utf-8")
    judgments = mapping(judged)
    results = [
        rg.evaluate(judgments, data, ["ndcg", "dcg@7"], convention=f"textbook(ties={ties})", threads=threads)
        for data in (mapping(ranked), tmp_path / "ranking")
        for threads in (1, 2, 3, None)
    ]
    assert len({result.to_json(per_query=True) for result in results}) == 1


@SOME
@given(small_cases)
def test_evaluate_of_increasingly_mapped_scores_gives_the_same_bits(case: Case) -> None:
    case = case._replace(convention=case.convention.replace(precision="float64"))
    scores = sorted({score for _, _, score in case.ranked})
    ranks = {score: float(rank) for rank, score in enumerate(scores)}
    mapped = [(query, item, ranks[score]) for query, item, score in case.ranked]
    assert values_of(case._replace(ranked=mapped)) == values_of(case)


@SOME
@given(small_cases, st.sampled_from([1, 2, 3]))
def test_ndcg_with_unjudged_items_below_the_cutoff_is_unchanged(case: Case, k: int) -> None:
    convention = case.convention.replace(ideal="judged", ties="id-descending", precision="float64")
    case = case._replace(measures=[NDCG @ k], convention=convention)
    queries = [query for query, items in group(case.ranked).items() if len(items) >= k]
    longer = case.ranked + [(query, "unjudged tail", -1e301) for query in queries]
    assert values_of(case._replace(ranked=longer)) == values_of(case)


@SOME
@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0.0, 1.0, 2.0, 3.0]), st.sampled_from([0.1, 0.2, 0.3])), min_size=1, max_size=6
    ),
    discount=discounts,
    k=st.sampled_from([None, 1, 2, 4]),
)
def test_ties_average_equals_the_mean_over_all_orders(
    rows: list[tuple[float, float]], discount: Discount, k: int | None
) -> None:
    grades = {f"d{number}": grade for number, (grade, _) in enumerate(rows)}
    scores = {f"d{number}": score for number, (_, score) in enumerate(rows)}
    averaged = rg.ndcg(scores, grades, k, convention="burges(ties=average)", discount=discount)
    orders = [
        order
        for order in itertools.permutations(scores)
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    ]
    each = [rg.ndcg(order, grades, k, convention="burges", discount=discount) for order in orders]
    assert averaged == pytest.approx(math.fsum(each) / len(each), abs=1e-12)


@SOME
@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0.0, 1.0, 2.0, 3.0]), st.sampled_from([0.1, 0.2, 0.3])), min_size=1, max_size=6
    )
)
def test_ties_worst_and_best_are_the_extremes_over_all_orders(rows: list[tuple[float, float]]) -> None:
    grades = {f"d{number}": grade for number, (grade, _) in enumerate(rows)}
    scores = {f"d{number}": score for number, (_, score) in enumerate(rows)}
    orders = [
        order
        for order in itertools.permutations(scores)
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    ]
    each = [rg.ndcg(order, grades) for order in orders]
    assert rg.ndcg(scores, grades, convention="textbook(ties=worst)") == pytest.approx(min(each))
    assert rg.ndcg(scores, grades, convention="textbook(ties=best)") == pytest.approx(max(each))


@SOME
@given(
    grades=st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=1, max_size=8),
    ties=st.sampled_from(list(conventions.QUESTIONS["ties"].answers)),
    depth=st.sampled_from([1, 2, 5, 20]),
)
def test_ndcg_of_a_perfect_order_with_a_ranked_ideal_and_any_depth_is_1(
    grades: list[float], ties: str, depth: int
) -> None:
    """Items of equal grade share a score, so every order of them is perfect."""
    judged = {f"d{number}": grade for number, grade in enumerate([*grades, 1.0])}
    result = rg.evaluate({"q": judged}, {"q": judged}, convention=f"textbook(ideal=ranked,ties={ties})", depth=depth)
    assert result["ndcg@10"] == 1.0
