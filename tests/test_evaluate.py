from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

JUDGED = {"q1": {"a": 1, "b": 3}, "q2": {"c": 2}}
RANKED = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}}


def test_evaluate_with_missing_and_unjudged_changes_the_convention() -> None:
    result = rg.evaluate(JUDGED, RANKED, missing="zero", unjudged="drop")
    assert str(result.convention) == "trec_eval(missing=zero,unjudged=drop)"
    assert result.per_query["ndcg@10"]["q2"] == 0.0


def test_evaluate_with_depth_counts_only_the_first_items() -> None:
    result = rg.evaluate(JUDGED, RANKED, "dcg", depth=2)
    assert result["dcg"] == pytest.approx(0.6309297535714575)
    assert "depth: only the first 2 ranked items" in str(result)


def test_evaluate_with_a_relevance_level_counts_grades_from_it() -> None:
    result = rg.evaluate(JUDGED, RANKED, "dcg", convention="implicit-feedback(missing=skip)", relevance_level=2)
    assert result["dcg"] == 0.5
    assert result.input_remarks == ()
    ignored = rg.evaluate(JUDGED, RANKED, ["ndcg@5"], relevance_level=2)
    assert "relevance level: 2 does not apply to ndcg@5" in str(ignored)
    assert ignored.to_dict()["remarks"] == [remark.to_dict() for remark in ignored.remarks]


def test_evaluate_with_either_engine_gives_the_same_values() -> None:
    results = [rg.evaluate(JUDGED, RANKED, ["ndcg", "dcg@1"], engine=engine) for engine in ("native", "reference")]
    assert results[0].to_dict(per_query=True) == results[1].to_dict(per_query=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"engine": "fast"},
        {"depth": 0},
        {"depth": 1.5},
        {"threads": 0},
        {"seed": -1},
        {"seed": 2**64},
        {"missing": "ignore"},
        {"unjudged": "skip"},
        {"relevance_level": float("nan")},
        {"relevance_level": "2"},
        {"convention": "sklern"},
        {"measures": 7},
    ],
)
def test_evaluate_with_invalid_keywords_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(RankgaugeError):
        rg.evaluate(JUDGED, RANKED, **wrong)  # type: ignore[arg-type]


def test_evaluate_without_a_common_query_shows_ids_of_both_sides() -> None:
    with pytest.raises(RankgaugeError, match="judgments have 'q1', 'q2', the ranking has '1'"):
        rg.evaluate(JUDGED, {"1": ["a"]})


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("missing", [None, "skip", "zero"])
@pytest.mark.parametrize("ranking", [{}, {"q01": ["a"], "q02": ["a"]}])
def test_evaluate_without_a_common_query_whatever_a_missing_query_is_worth_is_refused(
    ranking: dict[str, Any], missing: Any, engine: Any
) -> None:
    with pytest.raises(RankgaugeError, match="both judged and ranked") as caught:
        rg.evaluate({"q1": {"a": 1}}, ranking, missing=missing, engine=engine)
    assert caught.value.code == "no-common-query"


def test_evaluate_without_a_common_query_says_what_the_ids_differ_in() -> None:
    with pytest.raises(RankgaugeError, match="'7' and '007' differ only in leading zeros"):
        rg.evaluate({"7": {"a": 1}}, {"007": ["a"]}, missing="zero")


FORKED = """
import multiprocessing
import rankgauge as rg

judged = {f"q{at}": {"a": 1, "b": 2} for at in range(2000)}
ranked = {query: ["a", "b"] for query in judged}
here = rg.evaluate(judged, ranked)
with multiprocessing.get_context("fork").Pool(2) as pool:
    there = pool.starmap(rg.evaluate, [(judged, ranked)] * 2)
assert [result.to_json() for result in there] == [here.to_json()] * 2
"""


def test_evaluate_in_a_forked_child_gives_the_same_values() -> None:
    """The threads of the parent do not exist in a child; the child makes its own.

    In a process of its own: libraries that other tests load do not like to be forked.
    """
    subprocess.run([sys.executable, "-c", FORKED], check=True)


def test_evaluate_of_sums_beyond_floats_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="overflow"):
        rg.evaluate({"q": {"a": 1e308, "b": 1e308}}, {"q": ["a", "b"]}, "cg")
    assert rg.evaluate({"q": {"a": 1, "b": 1e308, "c": 1e308}}, {"q": ["a"]}, "cg")["cg"] == 1.0
    convention = "trec_eval(gain=exp2,ideal=list-length,missing=zero)"
    unused = rg.evaluate({"q": {"a": 2000}, "r": {"a": 1}}, {"r": []}, "idcg", convention=convention)
    assert unused["idcg"] == 0.0
    with pytest.raises(RankgaugeError, match="overflow"):
        rg.evaluate({"q": {"a": 1.7e308}, "r": {"a": 1.7e308}}, {"q": ["a"], "r": ["a"]}, "cg")["cg"]


def test_evaluate_with_depth_and_unjudged_drop_cuts_before_dropping() -> None:
    judged = {"q": {"a": 1, "b": 1, "c": 0}}
    values = [rg.evaluate(judged, {"q": list("xaybc")}, "ndcg", unjudged="drop", depth=m)["ndcg"] for m in (1, 2, 3, 4)]
    # What `trec_eval -J -M m -m ndcg` prints, version 10.0.
    assert [f"{value:.4f}" for value in values] == ["0.0000", "0.6131", "0.6131", "1.0000"]


def test_evaluate_with_numbers_of_numpy_accepts_them() -> None:
    result = rg.evaluate(JUDGED, RANKED, "dcg", depth=np.int64(2), seed=np.int32(1), threads=np.int8(1))  # type: ignore[arg-type]
    assert result["dcg"] == rg.evaluate(JUDGED, RANKED, "dcg", depth=2)["dcg"]
    assert rg.ndcg([3, 2, 3], k=np.int64(2)) == rg.ndcg([3, 2, 3], k=2)  # type: ignore[arg-type]


def test_evaluate_with_own_id_dropped_before_the_depth_moves_the_next_item_up() -> None:
    judged, ranked = {"q": {"a": 1}}, {"q": {"q": 3.0, "a": 2.0, "b": 1.0}}
    for engine in ("native", "reference"):
        result = rg.evaluate(
            judged,
            ranked,
            "ndcg@5",
            convention="trec_eval(own_id=drop)",
            depth=1,
            engine=engine,
        )
        assert (result["ndcg@5"], result.counts["dropped"]) == (1.0, 1)


@pytest.mark.parametrize(("horizon", "overlap"), [(1, False), (3, True)])
def test_evaluate_of_returns_that_overlap_remarks_it(horizon: int, *, overlap: bool) -> None:
    days = pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 1, 20), "1d", eager=True)
    prices = pl.DataFrame({"date": days, **{f"S{i}": [100 + i * (day % 3) for day in range(20)] for i in range(1, 7)}})
    scores = prices.unpivot(index="date", variable_name="ticker", value_name="score")
    graded = rg.grading.returns(prices, horizon=horizon)
    result = rg.evaluate(graded, scores, "ndcg@3")
    overlapping = [remark for remark in result.remarks if remark.code == "overlap"]
    assert [remark.severity for remark in overlapping] == ["caution"] * overlap
    assert all("a return goes over 3 rows" in remark.text for remark in overlapping)
    assert rg.evaluate(graded.frame, scores, "ndcg@3").means == result.means
