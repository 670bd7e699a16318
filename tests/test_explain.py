from __future__ import annotations

import gc
import json
import math

import pytest
from hypothesis import assume, given

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Gains
from tests.grids import examples
from tests.properties.strategies import Case, cases, mapping

lenient = cases(
    unique=True, nothing_relevant="zero", missing="zero", unjudged="zero", negative="zero", duplicates="first"
)


@examples(300)
@given(lenient)
def test_explain_value_equals_evaluate_and_costs_add_up(case: Case) -> None:
    judged, ranked = mapping(case.judged), mapping(case.ranked)
    assume(judged.keys() & ranked.keys())
    for measure in case.measures:
        if not (isinstance(measure, Gains) and measure.sums in ("ranked", "ideal")) or measure.residual:
            continue
        values = rg.evaluate(judged, ranked, measure, convention=case.convention, depth=case.depth).per_query[measure]
        for query, value in values.items():
            why = rg.explain(judged, ranked, query, measure, convention=case.convention, depth=case.depth)
            assert why.value == pytest.approx(value, abs=1e-12)
            # Perfect positions are no ideal to fall short of where nothing is relevant.
            if not measure.normalised or (why.idcg > 0 and why.value == pytest.approx(why.dcg / why.idcg)):
                missing = 1 - why.value if measure.normalised else why.idcg - why.dcg
                assert math.fsum(cost.cost for cost in why.costs) == pytest.approx(missing, abs=1e-9)


JUDGED = {"q1": {"a": 3, "b": 2, "c": 0}, "q2": {"d": 1}}
RANKED = {"q1": {"b": 0.9, "x": 0.5, "a": 0.2}}


def test_explain_ranks_stand_beside_the_ideal() -> None:
    why = rg.explain(JUDGED, RANKED, "q1")
    assert [(rank.item, rank.grade, rank.gain) for rank in why.ranks] == [("b", 2, 2), ("x", None, 0), ("a", 3, 3)]
    assert [rank.item for rank in why.ideal_ranks] == ["a", "b", "c"]
    assert why.ranks[-1].running == why.dcg == 3.5
    assert why.value == why.dcg / why.idcg
    assert (why.costs[0].item, why.costs[0].rank, why.costs[0].ideal_rank) == ("a", 3, 1)


def test_explain_swapped_equal_gains_cost_nothing() -> None:
    why = rg.explain({"q": {"a": 1, "b": 1}}, {"q": ["b", "a"]})
    assert why.value == 1.0
    assert [cost.cost for cost in why.costs] == [0.0, 0.0]


def test_explain_item_missing_from_the_ranking_has_no_rank() -> None:
    why = rg.explain({"q": {"a": 1, "b": 1}}, {"q": ["b"]})
    assert (why.costs[0].item, why.costs[0].rank, why.costs[0].ideal_rank) == ("a", None, 2)


def test_explain_query_missing_from_the_ranking_follows_the_convention() -> None:
    why = rg.explain(JUDGED, RANKED, "q2")
    assert why.value == 0.0
    assert "missing: this query is not in the ranking; left out of the mean (missing=skip)" in str(why)
    with pytest.raises(RankgaugeError, match="expected every judged query"):
        rg.explain(JUDGED, RANKED, "q2", missing="error")


def test_explain_query_with_nothing_relevant_follows_the_convention() -> None:
    why = rg.explain({"q": {"a": 0}}, {"q": ["a"]})
    assert "the ideal is 0, so the value is 0.0000 (nothing_relevant=zero)" in str(why)
    assert why.costs == ()


def test_explain_long_ranking_is_cut_only_when_printed() -> None:
    items = [f"d{number}" for number in range(500)]
    why = rg.explain({"q": {"d400": 1}}, {"q": items}, measure="ndcg")
    assert len(why.ranks) == len(why.to_dict()["ranks"]) == 500
    assert "479 more ranks are not shown" in str(why)
    assert "d400" in why.table().to_text()


def test_explain_with_perfect_positions_shows_their_ideal() -> None:
    why = rg.explain({"q": {"a": 1}}, {"q": ["x", "a"]}, measure="ndcg(ideal=perfect)@2")
    assert [cost.item for cost in why.costs] == ["x", "a"]
    assert math.fsum(cost.cost for cost in why.costs) == pytest.approx(1 - why.value)


def test_explain_with_perfect_positions_beyond_the_list_shows_their_ideal() -> None:
    why = rg.explain({"q": {"a": 1}}, {"q": ["x", "a"]}, measure="ndcg(ideal=perfect)@5")
    assert why.costs[0].item is None
    assert math.fsum(cost.cost for cost in why.costs) == pytest.approx(1 - why.value)


def test_explain_invalid_request_names_no_place_in_the_data() -> None:
    with pytest.raises(RankgaugeError, match=r"^expected a measure"):
        rg.explain(JUDGED, RANKED, "q1", "ndgc@10")


def test_explain_with_a_relevance_level_uses_it() -> None:
    why = rg.explain(JUDGED, RANKED, "q1", "dcg@10", convention="implicit-feedback", relevance_level=3)
    assert why.value == 0.5


def test_explain_as_json_has_all_digits() -> None:
    values = json.loads(rg.explain(JUDGED, RANKED, "q1").to_json())
    assert values["convention"] == "trec_eval"
    assert values["ranks"][0] == {
        "rank": 1,
        "item": "b",
        "grade": 2.0,
        "gain": 2.0,
        "discount": 1.0,
        "contribution": 2.0,
        "running": 2.0,
    }


def test_explain_in_a_notebook_escapes_ids() -> None:
    html = rg.explain({"q": {"<b>": 1}}, {"q": ["x", "<b>"]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_explain_lists_also_what_is_below_the_cutoff_and_what_is_not_ranked() -> None:
    why = rg.explain({"q": {"a": 3, "b": 2, "c": 0, "e": 0}}, {"q": ["b", "x", "c"]}, measure="ndcg@1")
    assert why.listed == (("b", 2.0), ("x", None), ("c", 0.0))
    assert why.unlisted == (("a", 3.0), ("e", 0.0))
    dropped = rg.explain({"q": {"a": 3, "b": 2}}, {"q": ["x", "b"]}, unjudged="drop")
    assert (dropped.listed, dropped.unlisted) == ((("b", 2.0),), (("a", 3.0),))
    assert rg.explain({"q": {"a": 3}}, {"q": ["x", "a"]}, depth=1).listed == (("x", None),)


@pytest.mark.parametrize("measure", ["ndcg@2", "ndcg", "dcg", "idcg@3", "cg", "rbp", "sdcg@2"])
def test_explain_to_html_is_a_page_for_every_measure_that_is_explained(measure: str) -> None:
    page = rg.explain(JUDGED, RANKED, "q1", measure).to_html(places=2)
    assert page.startswith("<!DOCTYPE html>")
    assert f"{measure} = " in page


def test_explain_without_a_query_needs_one_judged_query() -> None:
    with pytest.raises(RankgaugeError, match="got none of 2"):
        rg.explain(JUDGED, RANKED)
    with pytest.raises(RankgaugeError, match="did you mean 'q1'"):
        rg.explain(JUDGED, RANKED, "q11")


@pytest.mark.parametrize("enabled", [True, False])
def test_explain_leaves_the_garbage_collector_as_it_was(enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        rg.explain(JUDGED, RANKED, "q1")
        with pytest.raises(RankgaugeError):
            rg.explain(JUDGED, RANKED, "q11")
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_explain_of_a_query_with_many_ties_orders_them_by_the_convention() -> None:
    items = [f"d{number:03}" for number in range(300)]
    judged = {"q": {item: number % 3 for number, item in enumerate(items[100:])}}
    scores = {"q": {item: number // 100 for number, item in enumerate(items)}}
    blocks = [items[200:], items[100:200], items[:100]]
    for ties, ordered in [
        ("id-ascending", [item for block in blocks for item in block]),
        ("id-descending", [item for block in blocks for item in reversed(block)]),
    ]:
        why = rg.explain(judged, scores, "q", "ndcg", convention=f"trec_eval(ties={ties})")
        assert [rank.item for rank in why.ranks] == ordered
        evaluated = rg.evaluate(judged, scores, "ndcg", convention=f"trec_eval(ties={ties})")
        assert why.value == pytest.approx(evaluated["ndcg"], abs=1e-12)
        assert [rank.gain for rank in why.ideal_ranks] == sorted((rank.gain for rank in why.ideal_ranks), reverse=True)
