"""Every look-up by measure takes any of its names."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable

import pytest
from tests.results.labels import labels
from tests.stocks.models import GUESSING, KNOWING, TABLE

import rankgauge as rg
from rankgauge.measures import parse
from rankgauge.request import Request
from rankgauge.results.combined_comparison import CombinedComparison
from rankgauge.results.combined_result import CombinedResult
from rankgauge.results.measure_lookup import ByMeasure

JUDGMENTS = {1: {"a": 1}, 2: {"b": 1}}
RANKING = {1: ["x", "a"], 2: ["b"]}


def evaluated() -> rg.Result:
    return rg.evaluate(JUDGMENTS, RANKING, ["recip_rank", "P@1", "relstring@2"])


def combined() -> tuple[CombinedResult, CombinedComparison]:
    data = labels(queries=60, sample=30)
    result = rg.evaluate(data.machine, data.new, "recip_rank", human=data.human)
    comparison = rg.compare(data.machine, {"new": data.new, "old": data.old}, "recip_rank", human=data.human)
    assert isinstance(result, CombinedResult)
    assert isinstance(comparison, CombinedComparison)
    return result, comparison


def test_means_and_values_of_a_query_take_any_name_of_a_measure() -> None:
    result = evaluated()
    for name in ("recip_rank", "mrr", "RR", rg.measures.MRR):
        assert result.means[name] == result[name] == 0.75
        assert result.query(1)[name] == result.per_query[name][1] == 0.5
        assert result.means.get(name) == 0.75
        assert name in result.means
        assert name in result.query(1)
    assert result.query(2)["relstring@2"] == "1"
    assert "relstring@2" not in result.means


def test_by_measure_is_a_dict_of_the_names_as_they_were_asked_for() -> None:
    means = evaluated().means
    plain = {"recip_rank": 0.75, "P@1": 0.5}
    assert means == plain
    assert repr(means) == repr(plain)
    assert list(means) == list(plain)
    assert json.dumps(means) == json.dumps(plain)
    assert type(evaluated().to_dict()["means"]) is dict


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda means: pickle.loads(pickle.dumps(means))])  # noqa: S301
def test_by_measure_that_is_copied_still_takes_any_name(copied: Callable[[ByMeasure[float]], ByMeasure[float]]) -> None:
    means = copied(evaluated().means)
    assert means == {"recip_rank": 0.75, "P@1": 0.5}
    assert means["mrr"] == 0.75


@pytest.mark.parametrize("measure", ["ndcg@10", "no measure", "", 7, None])
def test_by_measure_without_a_measure_raises_a_key_error(measure: object) -> None:
    means = evaluated().means
    assert measure not in means
    assert means.get(measure, 0.0) == 0.0
    with pytest.raises(KeyError):
        means[measure]  # type: ignore[index]


def test_by_measure_takes_what_the_tool_of_the_convention_means_by_a_name() -> None:
    request = Request.of("rbp", "trec_eval")
    values = ByMeasure({"rbp": 1.0}, request)
    assert values[parse("rbp(gain=share,p=0.9)")] == values["rbp"] == 1.0


def test_result_contains_a_measure_of_ir_measures() -> None:
    import ir_measures

    assert ir_measures.RR in evaluated()
    assert ir_measures.AP not in evaluated()


def test_prediction_powered_estimates_take_any_name_of_a_measure() -> None:
    result, comparison = combined()
    assert result.ppi["mrr"].estimate == result["mrr"]
    assert comparison.runs_ppi["mrr"]["new"].estimate == comparison.mean("mrr", "new")
    assert list(comparison.runs_ppi) == ["recip_rank"]


def test_study_takes_any_name_of_a_measure() -> None:
    study = rg.stocks.study(TABLE, KNOWING, k=4, horizon=[1, 5])
    for name in ("nDCG@4", "ndcg_cut_4", parse("ndcg@4")):
        assert study[name] == study["ndcg@4"]
        assert list(study.per_date[name]) == list(study.per_date["ndcg@4"])
        assert study.horizons[5][name] == study.horizons[5]["ndcg@4"]
        assert study.by_month(name).headers == study.by_month("ndcg@4").headers
    assert study["rank_ic"].mean > 0
    with pytest.raises(rg.RankgaugeError, match="success"):
        study["success"]


def test_comparison_of_studies_takes_any_name_of_a_measure() -> None:
    comparison = rg.stocks.compare(TABLE, {"guess": GUESSING, "knows": KNOWING}, k=4)
    for name in ("nDCG@4", parse("ndcg@4")):
        assert comparison.skill(name, "knows") == comparison.summaries[name]["knows"]
        assert comparison.mean(name, "knows") == comparison.mean("ndcg@4", "knows")
        assert comparison.pair(name, "knows", "guess") == comparison.pair("ndcg@4", "knows", "guess")
        assert comparison.plot(measure=name).to_dict() == comparison.plot(measure="ndcg@4").to_dict()
