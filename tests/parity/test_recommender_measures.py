"""Measures of recommenders and of chance equal scikit-learn, RecTools and ranx; what no tool has is worked by hand."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from ranx.metrics.hits import _hits
from ranx.metrics.interpolated_precision_at_recall import _interpolated_precision
from ranx.metrics.rank_biased_precision import _rank_biased_precision
from rectools import Columns
from rectools.metrics import MAP, F1Beta, PartialAUC, Precision
from sklearn.metrics import label_ranking_average_precision_score, roc_auc_score
from tests.parity.cases import Case, all_cases, traits
from tests.parity.test_counted import UNTIED

import rankgauge as rg

EXACT = 1e-12
CASES = [case for case in all_cases(seeds=(0, 1)) if "unjudged queries" not in traits(case, None)]
# RecTools has users and their items, without grades; a user without items or without a ranking is not in its answer.
HELD_OUT = [case for case in UNTIED if not traits(case, None) & {"graded", "judged 0"}]
K = (1, 3, 5, 10, 20)


def per_query(case: Case, measure: str, convention: str) -> dict[str, float]:
    return dict(rg.evaluate(case.judgments, case.ranking, measure, convention=convention).per_query[measure])


# Area under the curve


def labels_and_scores(case: Case, query: str, level: float) -> tuple[list[bool], list[float]]:
    """Return whether each ranked item is relevant, and its score."""
    grades = case.judgments[query]
    relevant = [item in grades and grades[item] > 0 and grades[item] >= level for item in case.ranking[query]]
    return relevant, list(case.ranking[query].values())


def areas(case: Case, level: float) -> dict[str, float]:
    """Return what scikit-learn says of the queries that rank items of both kinds."""
    pairs = {query: labels_and_scores(case, query, level) for query in case.common()}
    return {query: float(roc_auc_score(*pair)) for query, pair in pairs.items() if len(set(pair[0])) == 2}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_auc_of_random_data_equals_sklearn(case: Case, level: int) -> None:
    wanted = areas(case, level)
    result = rg.evaluate(case.judgments, case.ranking, ["auc", "gauc"], convention="textbook", relevance_level=level)
    assert dict(result.per_query["auc"]) == pytest.approx(wanted, rel=0, abs=EXACT)
    if wanted:
        lengths = {query: len(case.ranking[query]) for query in wanted}
        weighted = sum(lengths[query] * area for query, area in wanted.items()) / sum(lengths.values())
        assert result["auc"] == pytest.approx(sum(wanted.values()) / len(wanted), rel=0, abs=EXACT)
        assert result["gauc"] == pytest.approx(weighted, rel=0, abs=EXACT)


@pytest.mark.filterwarnings("ignore:Downcasting object dtype:FutureWarning")  # what RecTools asks of pandas
@pytest.mark.parametrize("case", HELD_OUT, ids=lambda case: case.name)
def test_auc_of_random_data_equals_rectools(case: Case) -> None:
    """PartialAUC looks at the first k irrelevant items; with all of them, and everything found, it is the AUC."""
    values = {
        query: items
        for query, items in case.judgments.items()
        if items.keys() <= case.ranking[query].keys() and len(items) < len(case.ranking[query])
    }
    ours = per_query(case, "auc", "rectools")
    for query in values:
        one = Case(case.name, {query: case.judgments[query]}, {query: case.ranking[query]})
        k = len(case.ranking[query]) - len(case.judgments[query])
        theirs = PartialAUC(k=k).calc_per_user(*tables(one))
        assert ours[query] == pytest.approx(float(theirs[query]), rel=0, abs=EXACT), query


def test_gauc_of_a_small_list_equals_hand_calculation() -> None:
    """Zhu et al. 2017, Optimized Cost per Click in Taobao Display Advertising, KDD: weighted by impressions."""
    judgments = {"a": {"1": 1, "2": 0}, "b": {"1": 0, "2": 1, "3": 0}, "c": {"1": 1}, "d": {"1": 0}}
    ranking = {"a": {"1": 2.0, "2": 1.0}, "b": {"1": 3.0, "2": 2.0, "3": 2.0}, "c": {"1": 1.0}, "d": {"1": 1.0}}
    result = rg.evaluate(judgments, ranking, ["auc", "gauc"])
    # a: its only pair is in order, 1/1. b: one pair in the wrong order, one tied, (0 + ½) / 2. c and d have no pair.
    assert dict(result.per_query["auc"]) == {"a": 1.0, "b": 0.25}
    assert result["auc"] == (1 + 0.25) / 2
    # 2 items of a and 3 of b were shown.
    assert result["gauc"] == pytest.approx((2 * 1 + 3 * 0.25) / 5, abs=EXACT)


# Average precision that is capped, and others of recommenders


def tables(case: Case) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return recommendations and interactions as RecTools takes them."""
    ranked = [(user, item, rank) for user in case.ranking for rank, item in enumerate(case.ranked(user), start=1)]
    relevant = [(user, item) for user, items in case.judgments.items() for item in items]
    recommended = pd.DataFrame(ranked, columns=[Columns.User, Columns.Item, Columns.Rank])
    return recommended, pd.DataFrame(relevant, columns=[Columns.User, Columns.Item])


@pytest.mark.parametrize("case", HELD_OUT, ids=lambda case: case.name)
def test_recommender_measures_of_random_data_equal_rectools(case: Case) -> None:
    recommended, relevant = tables(case)
    for k in K:
        by_relevant = MAP(k=k).calc_per_user(recommended, relevant)
        by_k = MAP(k=k, divide_by_k=True).calc_per_user(recommended, relevant)
        theirs = {
            # Divided by min(relevant items, k) is the greater of divided by the one and by the other.
            f"capped_map@{k}": np.maximum(by_relevant, by_k),
            f"map@{k}": by_relevant,
            f"f(beta=2)@{k}": F1Beta(k=k, beta=2.0).calc_per_user(recommended, relevant),
            f"relative_precision@{k}": Precision(k=k, r_precision=True).calc_per_user(recommended, relevant),
        }
        for measure, values in theirs.items():
            wanted = {str(user): float(value) for user, value in values.items()}
            assert per_query(case, measure, "rectools") == pytest.approx(wanted, rel=0, abs=EXACT), measure


def capped(actual: set[str], predicted: Sequence[str], k: int) -> Fraction:
    """Return the average precision of competitions: Σ of the precision at each hit, over min(relevant items, k)."""
    hits, total = 0, Fraction(0)
    for rank, item in enumerate(predicted[:k], start=1):
        if item in actual:
            hits += 1
            total += Fraction(hits, rank)
    return total / min(len(actual), k)


@pytest.mark.parametrize("k", K)
@pytest.mark.parametrize("case", UNTIED, ids=lambda case: case.name)
def test_capped_map_of_random_data_equals_its_formula(case: Case, k: int) -> None:
    """Bertin-Mahieux et al. 2012, The Million Song Dataset Challenge, WWW Companion: truncated mAP."""
    actual = {query: {item for item, grade in items.items() if grade > 0} for query, items in case.judgments.items()}
    wanted = {query: float(capped(items, case.ranked(query), k)) if items else 0.0 for query, items in actual.items()}
    assert per_query(case, f"capped_map@{k}", "textbook") == pytest.approx(wanted, rel=0, abs=EXACT)


def test_capped_map_of_a_small_list_equals_hand_calculation() -> None:
    judgments = {"q": {"a": 1, "b": 1, "c": 1, "x": 1}}
    ranking = {"q": {"a": 5.0, "y": 4.0, "b": 3.0, "z": 2.0, "c": 1.0}}
    result = rg.evaluate(judgments, ranking, ["capped_map@3", "capped_map@5", "capped_map@1"])
    assert result["capped_map@1"] == 1.0
    assert result["capped_map@3"] == pytest.approx((1 / 1 + 2 / 3) / 3, abs=EXACT)
    assert result["capped_map@5"] == pytest.approx((1 / 1 + 2 / 3 + 3 / 5) / 4, abs=EXACT)


def test_capped_map_without_a_cutoff_equals_sklearn() -> None:
    """Where everything relevant is ranked, min(relevant items, k) is their number."""
    rows = [case for case in UNTIED if not traits(case, None) & {"relevant items not ranked", "nothing relevant"}]
    assert rows
    for case in rows:
        ours = per_query(case, "capped_map", "textbook")
        for query in case.common():
            labels, scores = labels_and_scores(case, query, 0)
            theirs = label_ranking_average_precision_score(np.array([labels]), np.array([scores]))
            assert ours[query] == pytest.approx(theirs, rel=0, abs=EXACT), (case.name, query)


def numbered(values: Mapping[str, float]) -> np.ndarray[Any, Any]:
    """Return items by number and their values, as the functions of ranx take them."""
    return np.array([(float(item.replace("d", "1")), value) for item, value in values.items()])


@pytest.mark.parametrize("level", [1, 2])
def test_recommender_measures_of_random_data_equal_ranx(level: int) -> None:
    """The functions of one query, which compile within seconds; those of many take a minute."""
    points = [n / 10 for n in range(11)]
    for case in UNTIED:
        names = [f"num_rel_ret(rel={level})", "rbp(gain=linear,p=0.95)"]
        names += [f"iprec(rel={level},recall={point},rounding=0.9)" for point in points]
        ours = rg.evaluate(case.judgments, case.ranking, names, convention="ranx").per_query
        for query in case.common():
            judged = numbered(case.judgments[query])
            ranked = numbered({item: case.ranking[query][item] for item in case.ranked(query)})
            values = [ours[name][query] for name in names]
            theirs = [_hits(judged, ranked, 0, level), _rank_biased_precision(judged, ranked, 0.95, 1)]
            theirs += list(_interpolated_precision(judged, ranked, level))
            assert values == pytest.approx(theirs, rel=0, abs=EXACT), (case.name, query)


# Fallout


def test_fallout_of_a_small_list_equals_hand_calculation() -> None:
    """van Rijsbergen 1979, Information Retrieval, chapter 7: the irrelevant items shown, of all irrelevant ones."""
    judgments = {"q": {"a": 1, "b": 0, "d": 0, "x": 1, "y": 0}}
    ranking = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    # Of a, b, c, d, x, y all but a and x are irrelevant; c is unjudged.
    result = rg.evaluate(judgments, ranking, ["fallout@1", "fallout@2", "fallout@3", "fallout"])
    assert [result[name] for name in ("fallout@1", "fallout@2", "fallout@3", "fallout")] == [0, 1 / 4, 2 / 4, 3 / 4]
    # In a collection of 100 items 98 are irrelevant.
    assert rg.evaluate(judgments, ranking, "fallout(documents=100)@3")["fallout(documents=100)@3"] == 2 / 98


# Chance


def of_all_orders(grades: Sequence[float], judgments: dict[str, float], measure: str, convention: str) -> list[float]:
    """Return the values of a measure over all orders of the ranked items, each a query of its own."""
    items = [f"i{place}" for place in range(len(grades))]
    judged = dict(zip(items, grades, strict=True)) | judgments
    orders = {str(number): order for number, order in enumerate(itertools.permutations(items))}
    ranking = {
        query: {item: float(-rank) for rank, item in enumerate(order, start=1)} for query, order in orders.items()
    }
    result = rg.evaluate(dict.fromkeys(orders, judged), ranking, measure, convention=convention)
    return list(dict(result.per_query[measure]).values())


@pytest.mark.parametrize("cutoff", ["@1", "@2", "@4", "@10", ""])
@pytest.mark.parametrize("convention", ["textbook", "burges", "trec_eval", "sklearn", "textbook-clipped", "jarvelin"])
@pytest.mark.parametrize("unranked", [{}, {"x": 3.0, "y": 0.0}])
def test_random_ndcg_equals_the_mean_over_all_orders(convention: str, unranked: dict[str, float], cutoff: str) -> None:
    """Wang et al. 2013, A Theoretical Analysis of NDCG Type Ranking Measures, COLT."""
    grades = [4, 0, 1, 1, 2]
    mean = math.fsum(of_all_orders(grades, unranked, f"ndcg{cutoff}", convention)) / math.factorial(len(grades))
    expected = of_all_orders(grades, unranked, f"random_ndcg{cutoff}", convention)
    assert expected == pytest.approx([mean] * len(expected), rel=0, abs=EXACT)
    corrected = of_all_orders(grades, unranked, f"corrected_ndcg{cutoff}", convention)
    assert math.fsum(corrected) / len(corrected) == pytest.approx(0.0, abs=EXACT)


@pytest.mark.parametrize("n", [5, 10, 100, 500])
def test_random_ndcg_of_five_equal_quantiles_equals_its_formula(n: int) -> None:
    """The grades 0 to 4 have the mean 2, and the first n/5 of the ideal are all 4: 2/4, whatever the discount."""
    source = random.Random(n)
    judgments = {"day": {f"s{place}": place * 5 // n for place in range(n)}}
    ranking = {"day": {item: source.random() for item in judgments["day"]}}
    for k in {1, n // 10 or 1, n // 5}:
        names = [f"ndcg@{k}", f"random_ndcg@{k}", f"corrected_ndcg@{k}", f"random_ndcg(discount=reciprocal)@{k}"]
        result = rg.evaluate(judgments, ranking, names)
        assert result[names[1]] == pytest.approx(0.5, abs=EXACT)
        assert result[names[3]] == pytest.approx(0.5, abs=EXACT)
        assert result[names[2]] == pytest.approx(2 * result[names[0]] - 1, abs=EXACT)


def test_corrected_ndcg_of_a_small_list_equals_hand_calculation() -> None:
    """Hubert & Arabie 1985, Comparing Partitions, Journal of Classification 2: (value − expected) / (1 − expected)."""
    judgments = {"q": {"a": 1, "b": 0, "c": 2}}
    ranking = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    second = 1 / math.log2(3)  # what rank 2 is worth; rank 3 is worth 1 / log2(4) = 1/2
    ideal = 2 + second
    actual = 1 + 2 / 2
    by_chance = 1 * (1 + second + 1 / 2)  # the mean grade is 1
    result = rg.evaluate(judgments, ranking, ["ndcg@3", "random_ndcg@3", "corrected_ndcg@3"])
    assert result["ndcg@3"] == pytest.approx(actual / ideal, abs=EXACT)
    assert result["random_ndcg@3"] == pytest.approx(by_chance / ideal, abs=EXACT)
    assert result["corrected_ndcg@3"] == pytest.approx((actual - by_chance) / (ideal - by_chance), abs=EXACT)


def test_corrected_ndcg_of_the_best_order_is_1_and_of_the_worst_negative() -> None:
    judgments = {"best": {"a": 2, "b": 1, "c": 0}, "worst": {"a": 0, "b": 1, "c": 2}}
    ranking = {query: {"a": 3.0, "b": 2.0, "c": 1.0} for query in judgments}
    values = rg.evaluate(judgments, ranking, "corrected_ndcg").per_query["corrected_ndcg"]
    assert values["best"] == pytest.approx(1.0, abs=EXACT)
    assert values["worst"] < 0
