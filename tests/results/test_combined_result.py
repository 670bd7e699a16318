"""`rg.evaluate(machine, ranking, human=human)`."""

from __future__ import annotations

import json
import math

import pytest
from tests.remarks import lines
from tests.results.labels import labels

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.results.combined_result import CombinedResult

DATA = labels()


def evaluate(measures: list[str] | str = "ndcg@5", **options: object) -> CombinedResult:
    result = rg.evaluate(DATA.machine, DATA.new, measures, human=DATA.human, **options)  # type: ignore[arg-type]
    assert isinstance(result, CombinedResult)
    return result


def test_evaluate_with_human_labels_holds_the_truth_that_the_machine_misses() -> None:
    truth = rg.evaluate(DATA.truth, DATA.old, "precision@5")["precision@5"]
    result = rg.evaluate(DATA.machine, DATA.old, "precision@5", human=DATA.human)
    assert isinstance(result, CombinedResult)
    of_machine, of_human, (low, high) = (
        each.interval("precision@5") for each in (result.machine, result.human, result)
    )
    assert of_machine.low > truth
    assert low <= truth <= high
    assert high - low < 0.9 * (of_human.high - of_human.low)


def test_evaluate_with_human_labels_has_both_raw_means_beside_the_estimate() -> None:
    result = evaluate(["ndcg@5", "dcg@3"])
    assert result.machine["ndcg@5"] == rg.evaluate(DATA.machine, DATA.new, "ndcg@5")["ndcg@5"]
    assert result.human["ndcg@5"] == rg.evaluate(DATA.human, DATA.new, "ndcg@5")["ndcg@5"]
    table = result.table()
    assert table.headers[4:] == ["queries", "machine", "human", "human queries", "effective"]
    row = dict(zip(table.headers, table.rows[0], strict=True))
    assert row["mean"] == result["ndcg@5"] == result.ppi["ndcg@5"].estimate
    assert row["machine"] == pytest.approx(result.machine["ndcg@5"])
    assert row["human"] == pytest.approx(result.human["ndcg@5"])
    assert (row["queries"], row["human queries"]) == (400, 50)
    frame = result.to_pandas()
    assert frame["human_mean"].tolist() == pytest.approx([result.human["ndcg@5"], result.human["dcg@3"]])


def test_evaluate_with_human_labels_by_both_engines_is_the_same() -> None:
    assert dict(evaluate("map", engine="reference")) == dict(evaluate("map"))


def test_combined_interval_at_a_lower_level_is_narrower() -> None:
    result = evaluate(["ndcg@5", "dcg@3"])
    low, high = result.interval("dcg@3")
    assert (low + high) / 2 == pytest.approx(result["dcg@3"])
    narrow = result.interval("ndcg@5", level=0.5)
    assert result.interval("ndcg@5").low < narrow.low < result["ndcg@5"] < narrow.high
    with pytest.raises(RankgaugeError, match="leave method out"):
        result.interval("ndcg@5", method="bca")


def test_remarks_say_the_condition_the_worth_and_what_would_halve_the_interval() -> None:
    result = evaluate()
    made = "machine labels of 400 queries, corrected by human labels of 50 of them"
    condition = "right whatever the machine's bias, if the 50 are a random sample"
    assert lines(result.remarks, "human-sample") == [f"human sample: {made}; {condition}"]
    estimate = result.ppi["ndcg@5"]
    assert 50 < estimate.effective < 400
    counts = f"50 human-labelled queries count as {estimate.effective:.0f} (λ = {estimate.weight:.4f})"
    half = "half the interval takes human labels of 200 of 1,600 queries"
    assert lines(result.remarks, "machine-worth") == [f"machine worth: ndcg@5: {counts}; {half}"]
    assert lines(result.remarks, "human-only", "unlike-sample") == []


def test_remarks_count_queries_that_only_people_labelled() -> None:
    judged = {query: grades for query, grades in DATA.machine.items() if query != min(DATA.human)}
    result = rg.evaluate(judged, DATA.new, "map", human=DATA.human)
    assert lines(result.remarks, "human-only") == ["human only: 1 query has no machine labels; left out"]


def test_remarks_tell_a_sample_that_was_not_drawn_at_random() -> None:
    values = rg.evaluate(DATA.machine, DATA.new, "ndcg@5").per_query["ndcg@5"]
    easy = sorted(values, key=values.__getitem__)[-50:]
    result = rg.evaluate(DATA.machine, DATA.new, "ndcg@5", human={query: DATA.truth[query] for query in easy})
    (line,) = lines(result.remarks, "unlike-sample")
    assert line.startswith("unlike sample: ndcg@5: the machine's mean differs")


def test_remarks_say_what_people_left_unjudged() -> None:
    partly = {query: dict(list(grades.items())[:6]) for query, grades in DATA.human.items()}
    result = rg.evaluate(DATA.machine, DATA.new, "ndcg@5", human=partly)
    (line,) = lines(result.remarks, "unjudged")
    assert line.startswith("unjudged: human labels: ")


def test_json_has_the_key_ppi() -> None:
    result = evaluate(["ndcg@5", "map"])
    written = json.loads(result.to_json())
    assert written["means"]["map"] == written["ppi"]["map"]["estimate"] == result["map"]
    assert written["ppi"]["map"]["interval"] == written["intervals"]["map"]
    assert written["ppi"]["map"].keys() == {
        *("estimate", "interval", "lambda", "machine_mean", "human_mean", "human_interval"),
        *("human_queries", "queries", "effective_human_queries", "to_halve", "p_sample"),
    }
    assert written["ppi"]["map"]["to_halve"].keys() == {"human", "queries"}


def test_evaluate_with_human_labels_skips_queries_that_do_not_count() -> None:
    nothing = {**DATA.human, min(DATA.human): dict.fromkeys(DATA.human[min(DATA.human)], 0)}
    convention = "trec_eval(nothing_relevant=skip)"
    result = rg.evaluate(DATA.machine, DATA.new, "map", human=nothing, convention=convention)
    assert isinstance(result, CombinedResult)
    assert result.ppi["map"].human.mean == pytest.approx(result.human["map"])
    assert not math.isnan(result["map"])


@pytest.mark.parametrize(("measure", "options"), [("gm_map", {}), ("num_rel", {}), ("map", {"convention": "nan"})])
def test_evaluate_with_human_labels_refuses_what_is_no_mean(measure: str, options: dict[str, str]) -> None:
    convention = "trec_eval(nothing_relevant=nan)" if options else "trec_eval"
    with pytest.raises(RankgaugeError, match="means over queries") as raised:
        evaluate(measure, convention=convention)
    assert raised.value.code == "not-combined"


def test_evaluate_with_24_human_labelled_queries_is_refused() -> None:
    few = dict(list(DATA.human.items())[:24])
    with pytest.raises(RankgaugeError, match="got them for 24") as raised:
        rg.evaluate(DATA.machine, DATA.new, "map", human=few)
    assert raised.value.code == "few-human-labels"


def test_errors_of_human_labels_say_so() -> None:
    with pytest.raises(RankgaugeError, match="human labels: query 'q', item 'd': expected a finite number"):
        rg.evaluate(DATA.machine, DATA.new, "map", human={"q": {"d": math.nan}})
    with pytest.raises(RankgaugeError, match="human labels: expected at least one query that is both judged"):
        rg.evaluate(DATA.machine, DATA.new, "map", human={"q": {"d": 1}})


def test_by_of_human_labels_combines_each_segment() -> None:
    devices = {query: "phone" if query < "q320" else "desktop" for query in DATA.machine}
    segments = evaluate().by(devices)
    machine, human = (
        {query: grades for query, grades in labels.items() if devices[query] == "phone"}
        for labels in (DATA.machine, DATA.human)
    )
    alone = rg.evaluate(machine, DATA.new, "ndcg@5", human=human)
    assert segments["phone", "ndcg@5"].mean == pytest.approx(alone["ndcg@5"])
    assert segments["phone", "ndcg@5"].interval == pytest.approx(tuple(alone.interval("ndcg@5")))
    assert math.isnan(segments["desktop", "ndcg@5"].mean)
    assert "fewer than 25 queries with human labels" in str(segments)


def test_compare_of_two_combined_results_is_that_of_the_runs() -> None:
    new, old = evaluate(), rg.evaluate(DATA.machine, DATA.old, "ndcg@5", human=DATA.human)
    expected = rg.compare(DATA.machine, {"old": DATA.old, "new": DATA.new}, "ndcg@5", human=DATA.human)
    pair = new.compare(old, names=("new", "old")).pair("ndcg@5", "new", "old")
    assert pair == expected.pair("ndcg@5", "new", "old")
    with pytest.raises(RankgaugeError, match="two results of human and machine labels"):
        new.compare(new.human)
