"""The first ranks from the native engine are those of the reference, item by item, under every convention."""

from __future__ import annotations

import random

import numpy as np
import pytest

import rankgauge as rg
from rankgauge import conventions
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines.top_ranks import Ranks, TopRanks, top_ranks
from rankgauge.errors import RankgaugeError
from rankgauge.request import Request
from rankgauge.results.explanation import Explanation

QUERIES = ("q1", "q10", "q2", "q3")
COUNT = 30


def drawn(seed: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgments and a ranking with ties, unjudged items, an empty truth, and queries that one side lacks."""
    source = random.Random(seed)
    items = [f"d{number}" for number in range(14)]
    judgments = {query: {item: float(source.randint(0, 3)) for item in items[:9]} for query in QUERIES[:3]}
    judgments["q3"] = {"d1": 0.0}
    judgments["q9"] = {"d1": 1.0}
    ranking = {
        query: {item: source.choice([0.5, 0.75, 1.0, 2.0]) for item in source.sample(items, source.randint(3, 12))}
        for query in (*QUERIES, "q8")
    }
    return judgments, ranking


def rows(ranks: Ranks, number: int) -> list[tuple[str, float | None, float]]:
    start, end = int(ranks.starts[number]), int(ranks.starts[number + 1])
    grades = [None if np.isnan(grade) else float(grade) for grade in ranks.grades[start:end]]
    return list(zip(ranks.items[start:end], grades, ranks.gains[start:end].tolist(), strict=True))


def check(top: TopRanks, number: int, why: Explanation) -> None:
    for actual, expected in ((top.ranked, why.ranks), (top.ideal, why.ideal_ranks)):
        shown = rows(actual, number)[: len(expected)]
        assert [(item, grade) for item, grade, _ in shown] == [(rank.item or "", rank.grade) for rank in expected]
        assert [gain for _, _, gain in shown] == pytest.approx([rank.gain for rank in expected], abs=1e-15)
    assert len(rows(top.ideal, number)) == len(why.ideal_ranks)


@pytest.mark.parametrize("name", conventions.NAMED)
@pytest.mark.parametrize("measure", ["ndcg@5", "ndcg"])
def test_first_ranks_are_those_of_the_explanation(name: str, measure: str) -> None:
    for seed in range(3):
        judgments, ranking = drawn(seed)
        nouns = Judgments.from_mapping(judgments), Ranking.from_mapping(ranking)
        try:
            explained = {query: rg.explain(judgments, ranking, query, measure, convention=name) for query in QUERIES}
        except RankgaugeError:
            with pytest.raises(RankgaugeError):
                rg.evaluate(judgments, ranking, measure, convention=name)
            continue
        top = top_ranks(*nouns, Request.of(measure, name), COUNT)
        assert top.queries == list(QUERIES)
        for number, query in enumerate(QUERIES):
            check(top, number, explained[query])


def test_ideal_ranks_are_the_ranks_of_its_items_in_the_ranking() -> None:
    judgments, ranking = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": ["x", "c", "a"]}
    request = Request.of("ndcg@2")
    top = top_ranks(Judgments.from_mapping(judgments), Ranking.from_mapping(ranking), request, 5)
    assert top.ideal.items == ["a", "b"]
    assert top.ideal_ranks.tolist() == [3, 0]
    assert top.gains_there.tolist() == [3.0, 0.0]
    assert top.lengths.tolist() == [3]


def test_only_chosen_queries_are_returned() -> None:
    judgments, ranking = drawn(0)
    nouns = Judgments.from_mapping(judgments), Ranking.from_mapping(ranking)
    assert top_ranks(*nouns, Request.of("ndcg@5"), 3, ["q10", "q9"]).queries == ["q10"]


def test_measure_without_gains_has_grades_and_no_ideal() -> None:
    nouns = Judgments.from_mapping({"q": {"a": 2}}), Ranking.from_mapping({"q": ["x", "a"]})
    top = top_ranks(*nouns, Request.of("map"), 5)
    assert top.ranked.items == ["x", "a"]
    assert np.isnan(top.ranked.gains).all()
    assert top.ideal.items == []


def test_negative_grades_are_shown_as_they_came() -> None:
    nouns = Judgments.from_mapping({"q": {"a": -2, "b": 1}}), Ranking.from_mapping({"q": ["a", "b"]})
    top = top_ranks(*nouns, Request.of("ndcg@5", "trec_eval"), 5)
    assert top.ranked.grades.tolist() == [-2.0, 1.0]
    assert top.ranked.gains.tolist() == [0.0, 1.0]


def test_matrix_has_nan_where_a_query_has_fewer_ranks() -> None:
    nouns = Judgments.from_mapping({"a": ["x"], "b": ["x"]}), Ranking.from_mapping({"a": ["x", "y", "z"], "b": ["y"]})
    ranked = top_ranks(*nouns, Request.of("ndcg@5"), 5).ranked
    actual = ranked.matrix(ranked.gains, 2)
    assert np.array_equal(actual, [[1.0, 0.0], [0.0, np.nan]], equal_nan=True)
