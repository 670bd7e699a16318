from __future__ import annotations

import json
import math
import pickle
from typing import Any

import polars as pl
import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError

JUDGED = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}, "q3": {"d": 0}, "q4": {"e": 1}}
RANKED = {"q1": {"b": 2.0, "a": 2.0}, "q2": {"x": 2.0, "c": 1.0}, "q3": {"d": 1.0}, "q9": {"a": 1.0}}


@pytest.fixture
def result() -> rg.Result:
    return rg.evaluate(JUDGED, RANKED, ["ndcg@10", "dcg@1", "ndcg"])


def test_means_and_values_per_query_equal_hand_calculation(result: rg.Result) -> None:
    late = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert result.per_query["ndcg@10"] == pytest.approx({"q1": late, "q2": 1 / math.log2(3), "q3": 0.0})
    assert result["ndcg@10"] == result["NDCG@10"] == pytest.approx((late + 1 / math.log2(3)) / 3)
    assert list(result.means) == ["ndcg@10", "dcg@1", "ndcg"]


def test_counts_have_each_kind_of_query_and_item(result: rg.Result) -> None:
    assert result.counts == {
        "evaluated": 3,
        "judged": 4,
        "ranked": 4,
        "missing": 1,
        "ignored": 1,
        "empty": 1,
        "blank": 0,
        "short": 0,
        "tied": 1,
        "dropped": 0,
        "unjudged@1": 1,
        "unjudged@10": 1,
        "unjudged": 1,
    }


def test_text_has_a_remark_for_every_count(result: rg.Result) -> None:
    text = str(result)
    for remark in (
        "convention: trec_eval",
        "missing: 1",
        "ignored: 1",
        "nothing relevant: 1",
        "ties: 1",
        "unjudged: 1",
    ):
        assert remark in text


def test_counts_of_dropped_items_have_them() -> None:
    result = rg.evaluate(JUDGED, RANKED, "ndcg@10", unjudged="drop")
    assert result.counts["dropped"] == 1
    assert "dropped: 1 ranked item " in str(result)


def test_lookup_of_an_unknown_measure_names_the_evaluated_ones(result: rg.Result) -> None:
    with pytest.raises(RankgaugeError, match="evaluated: ndcg@10, dcg@1, ndcg"):
        result["ndcg@5"]


def test_interval_of_a_higher_level_is_wider_and_holds_the_mean() -> None:
    judgments = {f"q{number}": {"a": 2, "b": 1} for number in range(12)}
    ranking = {query: ["a", "b"] if number % 2 else ["x", "b"] for number, query in enumerate(judgments)}
    result = rg.evaluate(judgments, ranking, "ndcg@10")
    low, high = result.interval("ndcg@10")
    assert low < result["ndcg@10"] < high
    assert result.interval("ndcg@10") == result.interval("ndcg@10", seed=0)
    wider = result.interval("ndcg@10", level=0.99)
    assert wider.low <= low
    assert wider.high >= high
    assert math.isnan(rg.evaluate({"q": ["a"]}, {"q": ["a"]}).interval("ndcg@10").low)


def test_json_has_means_intervals_counts_and_values_per_query(result: rg.Result) -> None:
    values = json.loads(result.to_json())
    assert set(values) == {"convention", "means", "intervals", "counts", "remarks"}
    assert values["remarks"] == [remark.to_dict() for remark in result.remarks]
    assert values["means"]["ndcg@10"] == result["ndcg@10"]
    assert values["intervals"]["ndcg@10"] == [None, None]  # of three queries
    with_queries = json.loads(result.to_json(per_query=True))
    assert with_queries["per_query"]["dcg@1"] == {"q1": 1.0, "q2": 0.0, "q3": 0.0}


def test_json_of_nan_has_null() -> None:
    result = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, convention="trec_eval(nothing_relevant=nan)")
    values = json.loads(result.to_json(per_query=True), parse_constant=pytest.fail)
    assert values["means"]["ndcg@10"] is None
    assert values["per_query"]["ndcg@10"] == {"q": None}


def test_mean_of_queries_that_are_all_skipped_is_nan() -> None:
    result = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, convention="trec_eval(nothing_relevant=skip)")
    assert math.isnan(result["ndcg@10"])
    assert result.per_query["ndcg@10"] == {}


def test_frames_of_values_per_query_have_a_row_per_query(result: rg.Result) -> None:
    expected = {"query": ["q1", "q2", "q3"], "dcg@1": [1.0, 0.0, 0.0]}
    columns = list(expected)
    assert result.per_query.to_pandas()[columns].to_dict("list") == expected
    assert result.per_query.to_polars()[columns].to_dict(as_series=False) == expected


def test_result_is_a_mapping_of_measures_and_pickles(result: rg.Result) -> None:
    assert list(result) == ["ndcg@10", "dcg@1", "ndcg"]
    assert "ndcg@5" not in result
    assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()  # noqa: S301


def test_counts_of_a_query_without_an_ideal_under_any_measure_have_it() -> None:
    both = rg.evaluate({"q": {"a": 3}}, {"q": ["a"]}, ["ndcg@5", "ndcg(gain=binary(4))@5"])
    assert both.counts["empty"] == 1
    found_nothing = rg.evaluate({"q": {"a": 3}}, {"q": ["x"]}, convention="trec_eval(ideal=ranked)")
    assert found_nothing.counts["empty"] == 1


def test_html_for_notebooks_has_tables_and_remarks(result: rg.Result) -> None:
    html = result._repr_html_()
    assert "<td>ndcg@10</td>" in html
    assert "<p>convention: trec_eval" in html
    assert "<td>q1</td>" in result.per_query._repr_html_()


def test_aggregates_that_are_no_plain_means_are_remarked() -> None:
    judgments = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "c": 0, "d": 0}}
    ranking = {"q1": ["a", "b"], "q2": ["c", "a", "d"]}
    result = rg.evaluate(judgments, ranking, ["num_ret", "gm_map", "gauc", "coverage@1", "map", "relstring"])
    assert result["num_ret"] == 5
    assert result["gm_map"] == pytest.approx(math.sqrt(0.5))
    assert result["gauc"] == pytest.approx((2 * 1.0 + 3 * 0.5) / 5)
    assert result["coverage@1"] == 0.5
    assert result.per_query["relstring"] == {"q1": "10", "q2": "010"}
    assert len(lines(result.remarks, "no-plain-means")) == 4
    aggregates = result.to_dict()["aggregates"]
    assert aggregates == {"num_ret": "sum", "gm_map": "geometric", "gauc": "weighted", "coverage@1": "union"}
    assert math.isnan(result.interval("coverage@1").low)


def test_measure_that_is_a_text_has_no_mean_and_is_exported_as_text() -> None:
    result = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, ["relstring@3", "ndcg"])
    assert list(result.means) == ["ndcg"]
    assert pl.DataFrame(result.per_query)["relstring@3"].to_list() == ["-1"]
    copied = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own
    assert copied.per_query["relstring@3"] == {"q": "-1"}


def test_json_of_infinity_has_null() -> None:
    result = rg.evaluate({"q": {"a": 1}}, {"q": ["a", "b"]}, "utility(hit=1e308,noise=1e308)")
    assert json.loads(result.to_json())["means"] == {"utility(hit=1e308,noise=1e308)": None}


def test_result_of_the_same_request_and_data_is_equal() -> None:
    judgments, ranking = {"q1": {"a": 1}, "q2": {"a": 0}}, {"q1": ["b", "a"], "q2": ["a"]}
    skipping = "trec_eval(nothing_relevant=skip)"  # the value of q2 is NaN
    result = rg.evaluate(judgments, ranking, "ndcg,map", convention=skipping)
    equal = [
        rg.evaluate(judgments, ranking, "ndcg,map", convention=skipping),
        rg.evaluate(judgments, ranking, "ndcg,map", convention=skipping, engine="reference"),
        pickle.loads(pickle.dumps(result)),  # noqa: S301
    ]
    assert all(other == result and hash(other) == hash(result) for other in equal)


@pytest.mark.parametrize("options", [{"measures": "map"}, {"convention": "burges"}, {"seed": 1}, {"depth": 1}])
def test_result_of_another_request_or_seed_is_not_equal(options: dict[str, Any]) -> None:
    data: dict[str, Any] = {"judgments": {"q1": {"a": 1}}, "ranking": {"q1": ["b", "a"]}}
    assert rg.evaluate(**data) != rg.evaluate(**data, **options)
    assert rg.evaluate(**data) != rg.evaluate(data["judgments"], {"q1": ["a", "b"]})


def test_result_beside_its_light_form_or_its_means_is_not_equal() -> None:
    evaluation = rg.Request.of("ndcg").plan().evaluate({"q1": {"a": 1}}, {"q1": ["a"]})
    result, light = rg.Result.of(evaluation), rg.Result.of(evaluation.light())
    assert light == rg.Result.of(evaluation.light())
    assert light != result
    assert result != dict(result)


def test_ties_under_a_convention_that_claims_nothing_for_them_are_remarked_on() -> None:
    remarks = {remark.code: remark for remark in rg.evaluate(JUDGED, RANKED, "ndcg@10", convention="ranx").remarks}
    assert remarks["undefined"].severity == "caution"
    assert remarks["undefined"].text == (
        "1 query with equal scores, for which equality with ranx is not claimed: its sort is not stable beyond 16 items"
    )


@pytest.mark.parametrize(("convention", "ranked"), [("trec_eval", RANKED), ("ranx", {"q2": {"x": 2.0, "c": 1.0}})])
def test_ties_that_are_claimed_or_absent_have_no_remark_on_equality(convention: str, ranked: Any) -> None:
    remarks = rg.evaluate(JUDGED, ranked, "ndcg@10", convention=convention).remarks
    assert "undefined" not in [remark.code for remark in remarks]


def test_query_that_is_judged_but_not_ranked_says_that_it_is_left_out() -> None:
    left_out = rg.evaluate(JUDGED, RANKED, "ndcg@10", missing="skip")
    said = r"got 'q4'\. Hint: it is judged, but not in the ranking: left out, as missing=skip says; query ids"
    with pytest.raises(RankgaugeError, match=said):
        left_out.query("q4")
    with pytest.raises(RankgaugeError, match=r"got 'q22'\. Hint: did you mean"):
        left_out.query("q22")
