"""The explorer shows what `rg.explain` says, and says which queries it shows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from tests.reports.unpacked import Unpacked
from tests.small_runs import run_with_noise, small_judgments

import rankgauge as rg
from rankgauge.presentation.report.explorer import ARRAYS
from rankgauge.reports import explorer
from rankgauge.reports.explorer_cells import LEAST_COST, MARKED
from rankgauge.reports.reevaluation import evaluate_again
from rankgauge.reports.runs import ReportedRuns
from rankgauge.results.explanation import Explanation

JUDGMENTS = small_judgments(12)
RUNS = {name: run_with_noise(JUDGMENTS, noise, seed) for seed, (name, noise) in enumerate([("a", 0.5), ("b", 1.5)])}


def thinned(runs: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, dict[str, float]]]:
    """Runs that lack relevant items and rank unjudged ones; one lacks a query."""
    source = random.Random(3)
    actual: dict[str, dict[str, dict[str, float]]] = {}
    for name, run in runs.items():
        actual[name] = {
            query: {item: round(score, 1) for item, score in scores.items() if source.random() < 0.7} | {"new": 0.7}
            for query, scores in run.items()
            if (name, query) != ("b", "q03")
        }
    return actual


CASES = [
    ("ndcg@5", "trec_eval"),
    ("ndcg@5", "sklearn"),  # averages ties
    ("ndcg", "textbook-clipped"),  # an ideal of its own for each run
    ("dcg@5", "trec_eval"),  # costs are no shares
    ("ndcg@5", "rectools"),  # perfect positions, which no item holds
    ("ndcg@5", "lightgbm"),
]


@pytest.mark.parametrize(("measure", "convention"), CASES)
def test_every_rank_and_cost_is_that_of_the_explanation(measure: str, convention: str) -> None:
    runs = thinned(RUNS)
    unpacked = Unpacked.of(rg.compare(JUDGMENTS, runs, measure, convention=convention).report().to_html())
    shown, names = unpacked.explorer, unpacked.explorer["runs"]
    ranks = unpacked.pieces("rankCounts", "refs", "adds")
    costs = unpacked.pieces("costCounts", "costRefs", "costPlaces", "costs")
    assert shown["queries"] == sorted(JUDGMENTS)
    added = unpacked.arrays["addValues"]
    for query, id_ in enumerate(shown["queries"]):
        for run, name in enumerate(names):
            cell = query * len(names) + run
            if id_ not in runs[name]:
                assert (ranks[cell], costs[cell]) == ([], [])
                continue
            why = rg.explain(JUDGMENTS, runs[name], id_, measure, convention=convention)
            actual = [(unpacked.item(query, ref), unpacked.grade(query, ref), added[adds]) for ref, adds in ranks[cell]]
            expected = [(rank.item, rank.grade, pytest.approx(rank.contribution, abs=1e-12)) for rank in why.ranks]
            assert actual == expected[: len(actual)]
            assert len(actual) == min(20, len(expected))
            check_costs(unpacked, query, costs[cell], why)
            assert unpacked.arrays["values"][cell] == pytest.approx(why.value, abs=1e-6)


def check_costs(unpacked: Unpacked, query: int, costs: list[tuple[Any, ...]], why: Explanation) -> None:
    known = {cost.item: cost for cost in why.costs if cost.item is not None}
    items = [unpacked.item(query, ref) for ref, _, _ in costs]
    for item, (_, rank, value) in zip(items, costs, strict=True):
        assert value == pytest.approx(known[item].cost, abs=1e-6)
        # The explanation has ranks down to k; below it an item adds nothing.
        assert known[item].rank in (rank, None)
    worst = sorted((cost.cost for cost in known.values() if cost.cost >= LEAST_COST), reverse=True)[:MARKED]
    assert [value for _, _, value in costs] == pytest.approx(worst, abs=1e-6)


def test_shared_ideal_is_that_of_the_explanation() -> None:
    runs = thinned(RUNS)
    unpacked = Unpacked.of(rg.compare(JUDGMENTS, runs, "ndcg@5").report().to_html())
    assert unpacked.explorer["ideal"] == "shared"
    ideals = unpacked.pieces("idealCounts", "idealRefs", "idealAdds")
    for query, id_ in enumerate(unpacked.explorer["queries"]):
        why = rg.explain(JUDGMENTS, runs["a"], id_, "ndcg@5")
        actual = [(unpacked.item(query, ref), unpacked.arrays["addValues"][adds]) for ref, adds in ideals[query]]
        assert actual == [(rank.item, pytest.approx(rank.contribution, abs=1e-12)) for rank in why.ideal_ranks]


def test_all_arrays_that_the_script_reads_are_there() -> None:
    unpacked = Unpacked.of(rg.compare(JUDGMENTS, RUNS, "ndcg@5").report().to_html())
    assert tuple(unpacked.arrays) == ARRAYS


def test_measure_without_gains_shows_grades_alone() -> None:
    unpacked = Unpacked.of(rg.compare(JUDGMENTS, RUNS, "map").report().to_html())
    assert unpacked.explorer["explained"] is False
    assert unpacked.explorer["ideal"] == "none"
    assert unpacked.arrays["refs"].size > 0


def test_too_many_queries_are_those_that_changed_most_and_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = rg.compare(JUDGMENTS, RUNS, "ndcg@5")
    monkeypatch.setattr(explorer, "MOST_CELLS", 6 * 2 * 5)
    page = comparison.report().to_html()
    shown = Unpacked.of(page).explorer
    assert (len(shown["queries"]), shown["complete"]) == (6, False)
    assert "6 of 12 queries are here: half are those that changed most, half a random sample." in page
    most = [str(moved.query) for moved in comparison.pairs[0].moved[:3]]
    assert set(most) <= set(shown["queries"])


def test_sample_of_queries_for_charts_leaves_the_explorer_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankgauge.reports.reevaluation.MOST_QUERIES", 4)
    page = rg.compare(JUDGMENTS, RUNS, "ndcg@5").report().to_html()
    assert "Of a random sample of 4 queries." in page
    assert (Unpacked.of(page).arrays["rankCounts"] > 0).all()


def test_evaluate_again_computes_the_values_of_the_result() -> None:
    runs = ReportedRuns.of_comparison(rg.compare(JUDGMENTS, RUNS, ["ndcg@5", "map"]))
    again = evaluate_again(runs)
    assert not isinstance(again, str)
    for number, name in enumerate(runs.names):
        values = again.results[name].evaluation.values[runs.main]
        assert np.array_equal(values, runs.values[runs.main][:, number])
