"""Lists of cases, one list alone, and JSON files of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

Put = Callable[..., Path]

TRUTH = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
TRUTHS = [TRUTH, TRUTH]
RANKED = [["A", "B", "C"], ["D", "A", "C", "B", "E"]]
MEAN = 0.7356022113638424
WHOLE = [{"truth": truth, "recommendations": ranked} for truth, ranked in zip(TRUTHS, RANKED, strict=True)]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def write(value: Any, name: str = "cases.json") -> Path:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def lines(values: list[Any]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(RankgaugeError) as caught:
        work()
    return caught.value.code


# Which reading


def test_cases_in_two_lists_are_known_by_position() -> None:
    result = rg.evaluate(TRUTHS, RANKED)
    assert result["ndcg"] == MEAN
    assert result.per_query["ndcg"] == {"0": 0.6048882832133625, "1": 0.8663161395143223}
    assert str(result.convention) == "textbook"
    assert "convention: textbook" in str(result)
    assert "cases: known by their positions, counted from 0" in str(result)


@pytest.mark.parametrize(
    ("truths", "ranked"),
    [
        (tuple(TRUTHS), tuple(map(tuple, RANKED))),
        (TRUTHS, [np.array(items) for items in RANKED]),
        (TRUTHS, [{item: -rank for rank, item in enumerate(items)} for items in RANKED]),
    ],
    ids=["tuples", "arrays", "scores"],
)
def test_cases_of_other_types_are_read(truths: Any, ranked: Any) -> None:
    assert rg.evaluate(truths, ranked)["ndcg"] == MEAN


@pytest.mark.parametrize("relevant", [["A", "C"], {"A", "C"}, ("A", "C"), np.array(["A", "C"]), {"A": 1, "C": True}])
def test_case_truth_as_relevant_items_has_grade_one(relevant: Any) -> None:
    assert rg.evaluate([relevant], [["B", "A", "C"]])["ndcg"] == rg.ndcg(["B", "A", "C"], {"A", "C"})


@pytest.mark.parametrize(
    ("truth", "ranked"),
    [
        ("truth", "recommendations"),
        ("ground_truth", "predict_list"),
        ("relevant_items", "recommend_result"),
        ("groundTruth", "Recommended Items"),
        ("정답 목록", "추천 목록"),
        ("qrels", "ranking"),
    ],
)
def test_cases_that_hold_both_sides_need_no_ranking(truth: str, ranked: str) -> None:
    cases = [{truth: relevant, ranked: items} for relevant, items in zip(TRUTHS, RANKED, strict=True)]
    assert rg.evaluate(cases)["ndcg"] == MEAN
    assert rg.explain(cases, query=1).value == 0.8663161395143223
    assert rg.explain(cases[0]).value == 0.6048882832133625


def test_cases_with_ids_keep_them() -> None:
    cases = [{"user": name} | case for name, case in zip(("ann", "bob"), WHOLE, strict=True)]
    result = rg.evaluate(cases)
    assert list(result.per_query["ndcg"]) == ["ann", "bob"]
    assert "cases:" not in str(result)
    assert code_of(lambda: rg.evaluate([{"user": "ann"} | case for case in WHOLE])) == "duplicate-query"


def test_dicts_with_names_of_columns_are_rows() -> None:
    judged = [{"user": "ann", "item": "tea", "rating": 3}, {"user": "ann", "item": "cup", "rating": 1}]
    ranked = [{"user": "ann", "item": "cup", "score": 2}, {"user": "ann", "item": "tea", "score": 1}]
    result = rg.evaluate(judged, ranked)
    assert result["ndcg@10"] == rg.evaluate({"ann": {"tea": 3, "cup": 1}}, {"ann": ["cup", "tea"]})["ndcg@10"]
    assert str(result.convention) == "trec_eval"
    assert rg.evaluate(judged, pl.DataFrame(ranked))["ndcg@10"] == result["ndcg@10"]
    assert rg.read_judgments(judged).to_dict() == {"ann": [("tea", 3.0), ("cup", 1.0)]}


def test_dicts_of_whole_numbers_are_rows() -> None:
    assert rg.evaluate([{"user": 1, "item": 7, "rating": 3}], [{"user": 1, "item": 7, "score": 2}])["ndcg@10"] == 1.0


def test_dicts_with_columns_named_are_rows() -> None:
    rows = [{"u": 1, "i": 7, "g": 3}]
    columns = {"query": "u", "item": "i", "grade": "g", "score": "g"}
    assert rg.evaluate(rows, rows, columns=columns)["ndcg@10"] == 1.0


@pytest.mark.parametrize(
    ("judgments", "ranking", "code"),
    [
        ([{"item": 1, "tea": 2}], [["tea"]], "rows-or-cases"),
        ([{"usr": 1, "movie": 7, "rating": 3}], [{"usr": 1, "movie": 7, "score": 3}], "rows-or-cases"),
        ([{"query": 1, "item": 2}, {"tea": 1}], [["tea"], ["tea"]], "rows-or-cases"),
        ([{"query": 1, "item": 2}], [["item"]], "one-sided-cases"),
        (TRUTHS, RANKED[:1], "cases-differ"),
        ([TRUTH, "A"], RANKED, "mixed-cases"),
        (TRUTHS, [None, None], "mixed-cases"),
        (["A", "B"], RANKED, "mixed-cases"),
        (TRUTHS, {"q": ["A"]}, "one-sided-cases"),
        (TRUTHS, pl.DataFrame({"query": ["q"], "item": ["A"]}), "one-sided-cases"),
        ({"q": TRUTH}, RANKED, "one-sided-cases"),
        ([3, 2], [0.5, 0.4], "which-is-truth"),
        (["A"], ["A"], "which-is-truth"),
        ({"A": 1}, {"A": 0.5}, "which-is-truth"),
        (TRUTHS, None, "no-ranking"),
        (["A", "B"], None, "no-ranking"),
        ({"q": TRUTH}, None, "no-ranking"),
        ([], [], "no-rows"),
        ([], None, "no-rows"),
        (RANKED, TRUTHS, "swapped-cases"),
        (RANKED, [TRUTH, ["A"]], "swapped-cases"),
        ({}, {}, "no-rows"),
        ([{"gut": TRUTH, "list": ["A"]}], None, "unknown-case"),
        (WHOLE, WHOLE, "one-sided-cases"),
        ([{"A": "good"}], [["A"]], "bad-value"),
    ],
)
@pytest.mark.parametrize("verb", [rg.evaluate, rg.explain])
def test_cases_that_are_ambiguous_are_refused(verb: Any, judgments: Any, ranking: Any, code: str) -> None:
    assert code_of(lambda: verb(judgments, ranking)) == code


def test_series_with_labels_is_a_truth_by_label() -> None:
    labelled = pd.Series({"A": 1, "B": 2})
    assert rg.evaluate([labelled], [["A", "B"]])["ndcg"] == rg.ndcg(["A", "B"], {"A": 1, "B": 2})
    assert rg.explain(["A", "B"], labelled).value == rg.ndcg(["A", "B"], {"A": 1, "B": 2})
    assert rg.explain(pd.Series([3, 2, 3])).value == rg.ndcg([3, 2, 3])


def test_cases_with_many_ids_are_all_evaluated() -> None:
    cases = [{"user": number, "truth": ["A"], "recommendations": ["A"]} for number in range(50_000)]
    assert rg.evaluate(cases).counts["evaluated"] == 50_000


def test_case_id_that_is_a_list_is_refused() -> None:
    assert code_of(lambda: rg.evaluate([{"user": [1], "truth": ["A"], "recommendations": ["A"]}])) == "bad-id"


def test_single_case_keeps_its_id() -> None:
    assert list(rg.evaluate({"user": "ann"} | WHOLE[0]).per_query["ndcg"]) == ["ann"]


# One list


def test_single_list_is_accepted_by_every_verb() -> None:
    grades, items, truth = [2, 3, 0, 0, 1], ["C", "A"], {"A": 1, "C": 3}
    assert rg.evaluate(grades)["ndcg"] == rg.explain(grades).value == rg.ndcg(grades)
    assert rg.explain(np.array(grades)).value == rg.ndcg(grades)
    assert rg.evaluate(items, truth)["ndcg"] == rg.evaluate(truth, items)["ndcg"] == rg.ndcg(items, truth)
    assert rg.explain(items, truth).value == rg.explain(truth, items).value == rg.ndcg(items, truth)
    assert rg.explain([6, 3, 8, 4, 5], {3, 4}).value == rg.ndcg([6, 3, 8, 4, 5], {3, 4})
    assert str(rg.explain(grades).convention) == "textbook"
    assert str(rg.conventions.compare(grades, only=["burges"]).yours) == "textbook"


@pytest.mark.parametrize("convention", ["burges", "trec_eval", "textbook-clipped"])
@pytest.mark.parametrize("measure", ["ndcg", "ndcg@10", "dcg@2", "idcg", "cg"])
def test_explain_of_a_list_equals_evaluate(convention: str, measure: str) -> None:
    for judgments, ranking in ((TRUTHS[:1], RANKED[:1]), ({"u": TRUTH}, {"u": RANKED[0]}), ([3, 2, 0], None)):
        value = rg.explain(judgments, ranking, measure=measure, convention=convention).value
        assert value == rg.evaluate(judgments, ranking, measure, convention=convention)[measure]


def test_mappings_of_queries_keep_the_defaults_in_every_verb() -> None:
    queries, ranking = {"u": TRUTH}, {"u": RANKED[0]}
    result, why = rg.evaluate(queries, ranking), rg.explain(queries, ranking)
    assert result["ndcg@10"] == why.value == pytest.approx(0.5681819741540833)
    assert str(result.convention) == str(why.convention) == "trec_eval"


# The two readings of k


def test_list_shorter_than_k_is_noted() -> None:
    goes_on = rg.evaluate([TRUTH], RANKED[:1], "ndcg@10")
    ends = rg.evaluate([TRUTH], RANKED[:1], "ndcg@10", convention="textbook-clipped")
    assert (goes_on["ndcg@10"], ends["ndcg@10"]) == (0.5681819741540833, 0.6048882832133625)
    assert "the ideal goes on to k (ideal=judged); to end it with the list, use textbook-clipped" in str(goes_on)
    assert "the ideal ends with the list (ideal=list-length); to let it go on to k, use textbook" in str(ends)
    assert "use trec_eval(ideal=list-length): 0.6049" in str(rg.explain({"u": TRUTH}, {"u": RANKED[0]}))
    assert goes_on.counts["short"] == ends.counts["short"] == 1


@pytest.mark.parametrize("measure", ["ndcg", "ndcg@3", "dcg@10", "precision@10"])
def test_list_shorter_than_k_without_effect_is_not_noted(measure: str) -> None:
    assert "short list" not in str(rg.evaluate([TRUTH], RANKED[:1], measure))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_empty_list_is_not_counted_as_nothing_relevant(engine: Any) -> None:
    result = rg.evaluate([TRUTH, TRUTH], [[], ["C"]], engine=engine)
    assert (result.counts["blank"], result.counts["empty"], result["ndcg"]) == (1, 0, 0.5)
    assert "nothing ranked: 1 query with an empty ranking" in str(result)
    assert "nothing relevant" not in str(result)
    assert "nothing relevant" in str(rg.evaluate([{"A": 0}], [["A"]], engine=engine))
    skipped = rg.evaluate([TRUTH, TRUTH], [[], ["C"]], convention="textbook(nothing_relevant=skip)", engine=engine)
    assert skipped["ndcg"] == 1.0


def test_missing_query_is_not_counted_as_nothing_relevant() -> None:
    result = rg.evaluate({"a": {"x": 1, "y": 0}, "b": {"x": 1}}, {"a": ["y", "x"]}, "ndcg@4", convention="lightgbm")
    assert "missing: 1" in str(result)
    assert "nothing relevant" not in str(result)


# Files


@pytest.mark.parametrize("name", ["cases.json", "cases.jsonl", "cases"])
@pytest.mark.parametrize("written", [json.dumps(WHOLE), json.dumps(WHOLE, indent=2), lines(WHOLE)])
def test_case_file_equals_cases_in_memory(put: Put, name: str, written: str) -> None:
    result = rg.evaluate(put(written, name))
    assert (result["ndcg"], str(result.convention)) == (MEAN, "textbook")


def test_case_files_for_each_side_equal_cases_in_memory(put: Put) -> None:
    truths, ranked = put(TRUTHS, "truths.json"), put(RANKED, "ranked.json")
    assert rg.evaluate(truths, ranked)["ndcg"] == MEAN
    assert rg.evaluate(put(lines(TRUTHS), "truths.jsonl"), put(lines(RANKED), "ranked.jsonl"))["ndcg"] == MEAN
    assert rg.evaluate(TRUTHS, ranked)["ndcg"] == MEAN
    assert len(rg.read_judgments(truths)) == 2
    assert rg.read_ranking(ranked).rows("0") == rg.read_ranking({"0": RANKED[0]}).rows("0")


def test_case_file_with_one_list_equals_the_list(put: Put) -> None:
    assert rg.explain(put([2, 3, 0, 0, 1])).value == rg.ndcg([2, 3, 0, 0, 1])
    assert rg.explain(put(TRUTH, "truth.json"), put(RANKED[0], "ranked.json")).value == rg.ndcg(RANKED[0], TRUTH)
    assert rg.explain(put(WHOLE[0])).value == rg.ndcg(RANKED[0], TRUTH)


def test_case_file_with_a_long_first_case_is_recognised(put: Put) -> None:
    many = {f"item {number}": number % 5 for number in range(20_000)}
    named = {"user": "ann", "truth": many, "recommendations": list(many)}
    assert rg.evaluate(put(lines([named, named | {"user": "bob"}]), "cases.jsonl")).counts["evaluated"] == 2
    assert rg.evaluate(put([{"truth": many, "recommendations": list(many)}]))["ndcg"] == rg.ndcg(list(many), many)
    assert rg.explain(put({"truth": many, "recommendations": list(many)})).value == rg.ndcg(list(many), many)
    assert rg.evaluate(put({"q1": many}), {"q1": list(many)})["ndcg@10"] == rg.ndcg(list(many), many, k=10)


def test_case_file_with_an_empty_first_case_is_recognised(put: Put) -> None:
    truths, ranked = put("{}\n" + lines([TRUTH]), "truths.jsonl"), put("[]\n" + lines([["C"]]), "ranked.jsonl")
    assert rg.evaluate(truths, ranked).per_query["ndcg"] == {"0": 0.0, "1": 1.0}


def test_case_file_of_numbers_is_one_list(put: Put) -> None:
    assert rg.evaluate(put("[3, 2,\n 3]", "grades"))["ndcg"] == rg.ndcg([3, 2, 3])


def test_case_file_that_is_gzipped_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cases.json.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(WHOLE).encode()))
    assert rg.evaluate(path)["ndcg"] == MEAN


def test_json_files_of_rows_and_mappings_are_no_cases(put: Put) -> None:
    rows = [{"user": 1, "item": 7, "rating": 3}, {"user": 1, "item": 8, "rating": 2}]
    for written in (rows, lines(rows), {"1": {"7": 3, "8": 2}}):
        result = rg.evaluate(put(written), {1: ["8", "7"]})
        assert (result.measures[0].k, str(result.convention)) == (10, "trec_eval")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('[{"A": 1}, {"B": ]', "unreadable-table", "cases.json:1"),
        ('{"truth": {"A": 1}, "recommendations": ["A"]}\nnonsense\n', "unreadable-table", "cases.json:2"),
        ('[{"truth": {"A": 1, "A": 2}, "recommendations": ["A"]}]', "duplicate-key", "cases.json"),
        ('[{"usr": 1, "movie": 7, "rating": 3}]', "missing-column", "cases.json"),
        ('[["A"], {"B": 1}, 3]', "mixed-cases", ""),
    ],
)
def test_case_files_that_are_broken_are_refused(put: Put, text: str, code: str, place: str) -> None:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(put(text), {"0": ["A"]})
    assert caught.value.code == code
    assert caught.value.place.endswith(place)
