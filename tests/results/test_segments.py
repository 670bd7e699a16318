"""Means and differences for each segment of the queries."""

from __future__ import annotations

import json
import math
import random

import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.results.segments import Segments
from rankgauge.statistics.corrections import holm

QUERIES = [f"q{number:02}" for number in range(60)]
DEVICES = ["mobile"] * 30 + ["desktop"] * 20 + ["tablet"] * 4
DEVICE = dict(zip(QUERIES, DEVICES, strict=False))  # the last six queries have none


def data(seed: int = 1) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, list[str]]]]:
    """Return judgments of 60 queries and three runs, the later the better."""
    draw = random.Random(seed)
    judgments = {query: {f"d{item}": draw.choice([0, 0, 1, 2]) for item in range(10)} for query in QUERIES}

    def run(noise: float) -> dict[str, list[str]]:
        return {
            query: sorted(grades, key=lambda item: draw.gauss(0, noise) - grades[item])
            for query, grades in judgments.items()
        }

    return judgments, {"base": run(3.0), "new": run(1.5), "best": run(0.5)}


JUDGMENTS, RUNS = data()
TWO = {name: RUNS[name] for name in ("base", "new")}


def subset(device: str) -> dict[str, dict[str, int]]:
    return {query: grades for query, grades in JUDGMENTS.items() if DEVICE.get(query, "–") == device}


@pytest.mark.parametrize("device", ["mobile", "desktop", "tablet", "–"])
@pytest.mark.parametrize("measure", ["ndcg@5", "map", "num_rel_ret", "gm_map"])
def test_by_has_the_numbers_of_an_evaluation_of_the_segment_alone(device: str, measure: str) -> None:
    of_segment = rg.evaluate(JUDGMENTS, RUNS["base"], measure).by(DEVICE)[device, measure]
    alone = rg.evaluate(subset(device), RUNS["base"], measure)
    assert of_segment.mean == alone[measure]
    assert str(of_segment.interval) == str(alone.interval(measure))  # NaN is not equal to NaN
    assert of_segment.queries == len(subset(device))


def test_by_leaves_out_queries_that_the_mean_leaves_out() -> None:
    judgments = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 1}}
    ranking = {query: ["a"] for query in judgments}
    result = rg.evaluate(judgments, ranking, "ndcg@5", convention="trec_eval(nothing_relevant=skip)")
    row = result.by(dict.fromkeys(judgments, "all"))["all", "ndcg@5"]
    assert (row.mean, row.queries) == (1.0, 2)


def test_by_says_what_is_small_empty_and_without_a_segment() -> None:
    segments = rg.evaluate(JUDGMENTS, RUNS["base"]).by({**DEVICE, "q99": "watch"})
    assert lines(segments.remarks) == [
        "segments: 3 segments of 60 queries, by segment; 1 other query has a segment",
        "small segments: tablet (4): fewer than 5 queries, too few for an interval",
        "small segments: desktop (20), – (6): fewer than 25 queries, so intervals are rough",
        "no segment: 6 of 60 queries (q54, q55, q56, q57, q58 and 1 more), shown as –",
        "empty segments: watch: no query was evaluated",
    ]
    assert all(remark.severity == "caution" for remark in segments.remarks[1:])


def test_by_leaves_out_measures_of_all_queries_together() -> None:
    segments = rg.evaluate(JUDGMENTS, RUNS["base"], ["coverage@3", "map"]).by(DEVICE)
    assert {row.measure for row in segments.means} == {"map"}
    assert lines(segments.remarks, "not-by-segment") == [
        "not by segment: coverage@3: of all queries together, so not by segment"
    ]


def test_by_shows_segments_in_their_order_and_those_without_last() -> None:
    segments = rg.evaluate(JUDGMENTS, RUNS["base"], "map").by(DEVICE)
    assert list(segments) == ["desktop", "mobile", "tablet", "–"]
    assert segments.table().headers == ["measure", "segment", "mean", "95% from", "to", "queries"]
    assert [row[1] for row in segments.table().rows] == list(segments)
    assert segments.table().rows[2][3] is None  # four queries have no interval


def test_by_of_arrays_takes_positions_of_queries() -> None:
    result = rg.evaluate_arrays([[1, 0], [0, 1]], [[2.0, 1.0], [2.0, 1.0]], "mrr")
    assert result.by({0: "first", 1: "second"})["second", "mrr"].mean == 0.5


def test_by_refuses_segments_of_other_queries() -> None:
    with pytest.raises(RankgaugeError, match="such as 'q00', 'q01', got segments of 'x'") as raised:
        rg.evaluate(JUDGMENTS, RUNS["base"]).by({"x": "mobile"})
    assert raised.value.code == "no-common-segment"


def test_segments_refuse_a_segment_or_a_pair_that_is_not_there() -> None:
    segments = rg.evaluate(JUDGMENTS, RUNS["base"], "map").by(DEVICE)
    with pytest.raises(RankgaugeError, match="did you mean 'tablet'"):
        segments["tabelt", "map"]
    with pytest.raises(RankgaugeError, match="these are segments of a result"):
        segments.pair("tablet", "map", "new", "base")
    with pytest.raises(RankgaugeError, match="expected a run"):
        compared().mean("tablet", "map", "nwe")


def compared(runs: dict[str, dict[str, list[str]]] = TWO, **options: str) -> Segments:
    segments = rg.compare(JUDGMENTS, runs, ["ndcg@5", "map"], by=DEVICE, **options).segments  # type: ignore[arg-type]
    assert segments is not None
    return segments


@pytest.mark.parametrize("device", ["mobile", "desktop", "–"])
def test_compare_by_has_the_numbers_of_a_comparison_of_the_segment_alone(device: str) -> None:
    pair = compared().pair(device, "map", "new", "base")
    alone = rg.compare(subset(device), TWO, "map", permutations=99_999).pair("map", "new", "base")
    assert (pair.difference, pair.interval, pair.n) == (alone.difference, alone.interval, alone.n)
    assert pair.p == pytest.approx(alone.p, abs=0.002)
    assert compared().mean(device, "map", "new").mean == alone.means[0]


def test_compare_by_corrects_over_the_segments_of_a_measure() -> None:
    segments = compared()
    for measure in ("ndcg@5", "map"):
        pairs = [each.pair for each in segments.pairs if each.pair.measure == measure]
        tested = [pair for pair in pairs if pair.n >= 5]
        assert [pair.p_adjusted for pair in tested] == holm([pair.p for pair in tested])
        assert [math.isnan(pair.p) for pair in pairs] == [False, False, True, False]
    text = "6 comparisons within segments of at least 5 queries; Holm's correction over the 3 of each measure"
    assert lines(segments.remarks, "comparisons-by-segment") == [f"comparisons by segment: {text}"]


def test_compare_by_of_three_runs_corrects_over_segments_and_pairs() -> None:
    segments = compared(RUNS, baseline="base")
    tested = [each.pair for each in segments.pairs if each.pair.measure == "map" and each.pair.n >= 5]
    assert len(tested) == 6
    assert [pair.p_adjusted for pair in tested] == holm([pair.p for pair in tested])
    assert segments.means_table().headers == ["measure", "segment", "base", "new", "best", "queries"]


def test_compare_by_pair_is_turned_around() -> None:
    segments = compared()
    pair, turned = (segments.pair("mobile", "map", *runs) for runs in (("new", "base"), ("base", "new")))
    assert (turned.difference, turned.p_adjusted) == (-pair.difference, pair.p_adjusted)


def test_compare_by_shows_segments_below_the_comparison() -> None:
    comparison = rg.compare(JUDGMENTS, TWO, "map", by=DEVICE)
    text = str(comparison)
    assert "map      desktop  new − base" in text
    assert text.index("new is better") < text.index("desktop") < text.index("convention:")
    assert "comparisons by segment: 3" in text
    assert comparison.by(DEVICE).to_dict() == comparison.to_dict()["segments"]


def test_segments_as_json_have_means_and_pairs() -> None:
    written = json.loads(compared().to_json())["segments"]
    assert written["by"] == "segment"
    assert written["means"][4] | {"mean": 0, "interval": 0} == {
        "segment": "tablet",
        "measure": "ndcg@5",
        "run": "base",
        "mean": 0,
        "interval": 0,
        "queries": 4,
    }
    assert written["means"][4]["interval"] == [None, None]
    assert [pair["segment"] for pair in written["pairs"][:4]] == ["desktop", "mobile", "tablet", "–"]


def test_segments_as_tables_have_a_row_per_number() -> None:
    means = rg.evaluate(JUDGMENTS, RUNS["base"], ["map", "mrr"]).by(DEVICE)
    frame = means.to_pandas()
    assert list(frame.columns) == ["segment", "measure", "mean", "low", "high", "queries"]
    assert len(frame) == 8
    assert means.to_polars().filter(segment="mobile", measure="map")["mean"].item() == means["mobile", "map"].mean
    assert means.to_csv().startswith("segment,measure,mean,low,high,queries\ndesktop,map,0.")
    assert compared().to_polars().columns[:4] == ["segment", "measure", "first", "second"]
