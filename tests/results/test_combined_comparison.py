"""`rg.compare(machine, runs, human=human)`."""

from __future__ import annotations

import json
import math

import pytest
from tests.remarks import lines
from tests.results.labels import labels

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.results.combined_comparison import CombinedComparison
from rankgauge.statistics.corrections import holm
from rankgauge.statistics.prediction_powered import prediction_powered

DATA = labels()
RUNS = {"old": DATA.old, "new": DATA.new}


def compare(runs: dict[str, dict[str, list[str]]] = RUNS, **options: object) -> CombinedComparison:
    comparison = rg.compare(DATA.machine, runs, ["ndcg@5", "map"], human=DATA.human, **options)  # type: ignore[arg-type]
    assert isinstance(comparison, CombinedComparison)
    return comparison


def differences(judgments: dict[str, dict[str, int]], measure: str) -> dict[str, float]:
    new, old = (rg.evaluate(judgments, run, measure).per_query[measure] for run in (DATA.new, DATA.old))
    return {query: new[query] - old[query] for query in new}


def test_compare_with_human_labels_combines_the_differences_of_queries() -> None:
    human, machine = (differences(judgments, "map") for judgments in (DATA.human, DATA.machine))
    others = [value for query, value in machine.items() if query not in human]
    expected = prediction_powered(list(human.values()), [machine[query] for query in human], others)
    pair = compare().pair("map", "new", "old")
    assert pair.difference == pytest.approx(expected.estimate, abs=1e-12)
    assert pair.interval == pytest.approx(expected.interval(), abs=1e-12)
    assert [pair.p, pair.statistic] == pytest.approx([expected.p, expected.statistic])
    assert pair.n == 50
    assert pair.wins == sum(value > 0 for value in human.values())


def test_compare_with_human_labels_finds_the_true_difference_more_surely_than_people_alone() -> None:
    true = rg.compare(DATA.truth, RUNS, "map").pair("map", "new", "old").difference
    alone = rg.compare(DATA.human, RUNS, "map").pair("map", "new", "old")
    pair = compare().pair("map", "new", "old")
    assert pair.interval.low <= true <= pair.interval.high
    assert pair.interval.high - pair.interval.low < 0.8 * (alone.interval.high - alone.interval.low)


def test_compare_with_human_labels_has_the_means_of_evaluate() -> None:
    comparison = compare()
    result = rg.evaluate(DATA.machine, DATA.new, "map", human=DATA.human)
    assert comparison.mean("map", "new") == pytest.approx(result["map"], abs=1e-12)
    assert comparison.interval("map", "new") == pytest.approx(result.interval("map"), abs=1e-12)
    assert comparison.pair("map", "new", "old").means[0] == comparison.mean("map", "new")


def test_compare_with_human_labels_says_how_it_tests_and_on_what_condition() -> None:
    comparison = compare()
    assert comparison.design.test == "t"
    assert "the 50 are a random sample" in "\n".join(lines(comparison.remarks, "human-sample"))
    assert [line.split(": ")[1] for line in lines(comparison.remarks, "machine-worth")] == [
        "ndcg@5, new − old",
        "map, new − old",
    ]
    assert lines(comparison.remarks, "combined-differences")
    assert "Student's paired t test" in lines(comparison.remarks, "comparisons")[0]


def test_compare_with_human_labels_of_all_pairs_is_corrected_by_holm() -> None:
    worse = {query: items[::-1] for query, items in DATA.old.items()}
    comparison = compare({**RUNS, "worse": worse})
    assert comparison.design.correction == "holm"
    pairs = [pair for pair in comparison.pairs if pair.measure == "map"]
    assert [pair.p_adjusted for pair in pairs] == holm([pair.p for pair in pairs])
    assert len(pairs) == 3


def test_compare_with_human_labels_and_a_margin_tests_equivalence() -> None:
    comparison = rg.compare(DATA.machine, {"a": DATA.new, "b": DATA.new}, "map", human=DATA.human, margin=0.01)
    assert comparison.pairs[0].p_equivalence == 0.0
    assert compare(margin=0.001).pair("map", "new", "old").p_equivalence == pytest.approx(1.0, abs=0.01)


def test_compare_with_human_labels_counts_a_query_that_a_run_lacks_as_0() -> None:
    lacking = {query: items for query, items in DATA.new.items() if query not in DATA.human}
    comparison = compare({"old": DATA.old, "new": {**lacking, **{q: DATA.new[q] for q in list(DATA.human)[:30]}}})
    pair = comparison.pair("map", "new", "old")
    assert (pair.n, pair.wins + pair.ties + pair.losses) == (50, 50)
    assert lines(comparison.remarks, "lacking-queries")
    assert sum(moved.first == 0.0 for moved in pair.moved) >= 15


def test_json_of_a_comparison_has_the_key_ppi() -> None:
    written = json.loads(compare().to_json())
    assert written["ppi"]["map"]["runs"]["new"]["estimate"] == written["means"]["map"]["new"]
    (pair,) = written["ppi"]["map"]["pairs"]
    assert (pair["first"], pair["second"], pair["human_queries"]) == ("new", "old", 50)
    assert pair["estimate"] == written["pairs"][1]["difference"]


def test_compare_with_human_labels_refuses_other_tests() -> None:
    with pytest.raises(RankgaugeError, match="differences are tested by Student's t"):
        compare(test="wilcoxon")
    with pytest.raises(RankgaugeError, match="human labels: run 'old': query 'q': expected"):
        rg.compare(DATA.machine, RUNS, "map", human={"q": 5})


# The first 320 of 400 queries, of which people labelled 41 of 50.
PHONES = {query: "phone" if query < "q320" else "desktop" for query in DATA.machine}


def test_compare_with_human_labels_by_segment_has_the_numbers_of_the_segment_alone() -> None:
    segments = compare(by=PHONES).segments
    assert segments is not None

    def phones(labels: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
        return {query: grades for query, grades in labels.items() if PHONES[query] == "phone"}

    alone = rg.compare(phones(DATA.machine), RUNS, ["ndcg@5", "map"], human=phones(DATA.human), missing="skip")
    for measure in ("ndcg@5", "map"):
        expected, pair = alone.pair(measure, "new", "old"), segments.pair("phone", measure, "new", "old")
        assert (pair.difference, pair.p, pair.n) == pytest.approx((expected.difference, expected.p, expected.n))
        assert pair.interval == pytest.approx(tuple(expected.interval))
        mean = segments.mean("phone", measure, "new")
        assert (mean.mean, mean.queries) == pytest.approx((alone.mean(measure, "new"), 320))


def test_compare_with_human_labels_by_segment_says_where_labels_are_too_few() -> None:
    comparison = compare(by=PHONES)
    segments = comparison.segments
    assert segments is not None
    few = sum(PHONES[query] == "desktop" for query in DATA.human)
    assert f"small segments: desktop ({few}): fewer than 25 queries with human labels" in "\n".join(
        lines(comparison.remarks)
    )
    assert math.isnan(segments.mean("desktop", "map", "new").mean)
    with pytest.raises(RankgaugeError, match=f"segment 'desktop': expected human labels .* got them for {few}"):
        segments.pair("desktop", "map", "new", "old")
    written = json.loads(comparison.to_json())["segments"]
    assert {pair["segment"] for pair in written["pairs"]} == {"phone"}
    assert [mean["mean"] for mean in written["means"] if mean["segment"] == "desktop"] == [None] * 4


def test_compare_with_human_labels_by_small_segments_alone_has_dashes() -> None:
    segments = compare(by={query: str(int(query[1:]) % 4) for query in DATA.machine}).segments
    assert segments is not None
    assert not segments.pairs
    assert [row[2:] for row in segments.means_table().rows] == [[None, None, 100]] * 8
    assert segments.to_dict()["pairs"] == []
