"""Judgments and rankings: copies, pickles, equality, iteration, and ids with the type that they came with."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

JUDGED = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}}
RANKED = {"q1": {"d2": 0.9, "d1": 0.1}, "q2": ["d3", "d1"]}
RUN = "q1 Q0 d2 1 0.9 mine\nq2 Q0 d3 1 0.5 mine\nq1 Q0 d1 2 0.1 mine\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run.txt"
    path.write_text(RUN, encoding="utf-8")
    return path


def annotated() -> list[rg.Judgments]:
    rows = pl.DataFrame({"query": ["b", "a", "b"], "item": [1, 2, 3], "grade": [1, 0, 2]})
    subtopics = rows.with_columns(subtopic=pl.Series(["s", "t", "10"]))
    positions = rows.with_columns(position=pl.Series([1, 2, 3]))
    propensities = rows.with_columns(propensity=pl.Series([0.5, 1.0, 0.25]))
    return [
        rg.read_judgments(subtopics, annotation="subtopic"),
        rg.read_judgments(positions, annotation="propensity"),
        rg.read_judgments(propensities, annotation="propensity"),
    ]


# Pickles


def unpickled(noun: Any) -> Any:
    return pickle.loads(pickle.dumps(noun))  # noqa: S301 - what it has just written


def test_judgments_when_pickled_keep_rows_kinds_and_notes() -> None:
    judgments = rg.read_judgments(pl.DataFrame({"user": [2, 10, 2], "item": ["b", "a", "c"]}))
    again = unpickled(judgments)
    assert again == judgments
    assert again.to_dict() == {2: [("b", 1.0), ("c", 1.0)], 10: [("a", 1.0)]}
    assert again.remarks == judgments.remarks != ()


def test_judgments_when_pickled_keep_their_annotations() -> None:
    for judgments in annotated():
        again = unpickled(judgments)
        assert again == judgments
        assert again.annotation == judgments.annotation
        assert [again.annotations(query) for query in again] == [judgments.annotations(query) for query in judgments]
        measure = "alpha_ndcg@5" if judgments.annotation == "subtopic" else "ips_dcg"
        ranking = {"a": [2], "b": [3, 1]}
        assert rg.evaluate(again, ranking, measure)[measure] == rg.evaluate(judgments, ranking, measure)[measure]


def test_ranking_when_pickled_keeps_rows_origin_and_run(run: Path) -> None:
    for ranking in (rg.read_ranking(run), rg.read_ranking(run, lazy=True)):
        again = unpickled(ranking)
        assert again == ranking
        assert repr(again) == repr(ranking) == f"Ranking from {run}"
        assert rg.evaluate(JUDGED, again).evaluation.run == "mine"


def test_error_of_pickled_judgments_names_the_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "qrels.csv"
    path.write_text("query,item,grade\nq1,d1,1\nq1,d1,2\n", encoding="utf-8")
    again = unpickled(rg.read_judgments(path))
    with pytest.raises(RankgaugeError, match=r"qrels\.csv:3"):
        rg.evaluate(again, {"q1": ["d1"]})


def _mean(nouns: tuple[rg.Judgments, rg.Ranking]) -> float:
    return rg.evaluate(*nouns)["ndcg@10"]


def test_nouns_when_sent_to_another_process_give_the_same_value() -> None:
    nouns = rg.read_judgments(JUDGED), rg.read_ranking(RANKED)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_mean, [nouns]) == [_mean(nouns)]


def test_scores_beside_pickled_judgments_belong_to_the_same_rows(tmp_path: Path) -> None:
    labels, scores = tmp_path / "labels.txt", tmp_path / "scores.txt"
    labels.write_text("3 qid:b 1:1\n1 qid:a 1:1\n0 qid:b 1:1\n", encoding="utf-8")
    scores.write_text("0.3\n0.2\n0.1\n", encoding="utf-8")
    judgments = unpickled(rg.read_judgments(labels))
    ranking = rg.read_ranking(scores, judgments=judgments)
    assert ranking.to_dict() == {"a": [("2", 0.2)], "b": [("1", 0.3), ("3", 0.1)]}


@pytest.mark.parametrize("noun", [rg.read_judgments(JUDGED), rg.read_ranking(RANKED)], ids=repr)
def test_noun_when_copied_is_the_same(noun: Any) -> None:
    assert copy.copy(noun) is noun
    assert copy.deepcopy([noun])[0] is noun


@pytest.mark.parametrize("content", [b"", b"rgju", b"rgra\x02\0\0\0", b"rgju\x03\0\0\0\0\0\0\0", b"x" * 40])
def test_handle_made_of_broken_bytes_is_refused(content: bytes) -> None:
    for noun in (rg.read_judgments(JUDGED), rg.read_ranking(RANKED)):
        with pytest.raises(RankgaugeError, match=r"expected the bytes of (judgments|a ranking)"):
            type(noun.handle)(content)


# Equality, length, iteration


def test_equality_of_the_same_rows_from_other_inputs_holds(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q2 0 d3 1\nq1 0 d1 2\nq1 0 d2 0\n", encoding="utf-8")
    assert rg.read_judgments(path) == rg.read_judgments(JUDGED)
    assert rg.read_judgments({1: [7]}) == rg.read_judgments({"1": ["7"]})
    whole = rg.read_ranking(pl.DataFrame({"query": [1], "item": [7], "score": [0.5]}))
    assert whole == rg.read_ranking({"1": {"7": 0.5}})


@pytest.mark.parametrize(
    "other", [{"q1": {"d1": 2, "d2": 0}}, {**JUDGED, "q2": {"d3": 2}}, {**JUDGED, "q2": ["d4"]}, {**JUDGED, "q3": []}]
)
def test_equality_of_other_rows_fails(other: Any) -> None:
    assert rg.read_judgments(JUDGED) != rg.read_judgments(other)
    assert rg.read_judgments(JUDGED) != JUDGED
    assert rg.read_ranking(JUDGED) != rg.read_ranking(other)
    assert rg.read_ranking(JUDGED) != rg.read_judgments(JUDGED)


def test_equality_of_other_annotations_fails() -> None:
    subtopics = [rg.read_judgments({"q": {"a": [name]}}, annotation="subtopic") for name in ("s", "t", "s")]
    assert subtopics[0] == subtopics[2] != subtopics[1]
    assert subtopics[0] != rg.read_judgments({"q": ["a"]})


def test_noun_is_not_hashable() -> None:
    for noun in (rg.read_judgments(JUDGED), rg.read_ranking(RANKED)):
        with pytest.raises(TypeError, match="unhashable"):
            hash(noun)


@pytest.mark.parametrize("noun", [rg.read_judgments({2: [1], 10: [1]}), rg.read_ranking({2: [1], 10: [1]})], ids=repr)
def test_noun_has_the_length_and_the_ids_of_its_queries(noun: Any) -> None:
    assert len(noun) == 2
    assert list(noun) == noun.queries == [2, 10]
    assert 2 in noun
    assert "10" in noun
    assert 3 not in noun
    assert [2] not in noun


# Types of ids


@pytest.mark.parametrize(
    ("ids", "native"),
    [
        ([1, 10, 2], [1, 2, 10]),
        (["1", "10", "2"], ["1", "10", "2"]),
        ([1, "10", 2], ["1", "10", "2"]),
        ([np.int64(3), np.int8(-1), 2**70], [-1, 3, 2**70]),
        ([b"1", b"2"], ["1", "2"]),
        ([date(2024, 1, 2), date(2024, 1, 1)], [date(2024, 1, 1), date(2024, 1, 2)]),
    ],
    ids=str,
)
def test_ids_of_a_mapping_come_back_as_what_all_of_them_were(ids: Any, native: list[Any]) -> None:
    for read in (rg.read_judgments, rg.read_ranking):
        noun = read({query: [7, 8] for query in ids})
        assert noun.queries == native
        assert list(noun.to_dict()) == native
        assert [item for item, _ in noun.rows(native[0]) or ()] == [7, 8]
        assert noun.native_queries(noun.text_queries()) == noun.native_queries(
            [str(each) for each in noun.handle.queries()]
        )


COLUMNS = {
    "int64": pd.Series([1, 2]),
    "uint64 beyond int64": pd.Series([1, 2**64 - 1], dtype="uint64"),
    "nullable": pd.Series([1, 2], dtype="Int64"),
    "whole floats": pd.Series([1.0, 2.0]),
    "objects": pd.Series([1, 2], dtype=object),
    "categories": pd.Series(pd.Categorical([1, 2])),
    "text": pd.Series(["1", "2"]),
    "mixed": pd.Series([1, "2"], dtype=object),
    "dates": pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02"])),
}
OTHERS = {"text": ["1", "2"], "mixed": ["1", "2"], "dates": [datetime(2024, 1, 1), datetime(2024, 1, 2)]}


@pytest.mark.parametrize("name", COLUMNS)
def test_ids_of_a_column_come_back_as_what_all_of_them_were(name: str) -> None:
    expected = OTHERS.get(name, [1, 2**64 - 1] if "uint64" in name else [1, 2])
    frame = pd.DataFrame({"query": COLUMNS[name], "item": COLUMNS[name], "grade": [1, 1]})
    judgments = rg.read_judgments(frame)
    assert judgments.queries == expected
    assert [item for query in judgments for item, _ in judgments.rows(query) or ()] == expected


def test_ids_of_lists_in_a_column_come_back_as_ints() -> None:
    ranking = rg.read_ranking(pl.DataFrame({"user": ["a"], "item": [[7, 8]]}))
    assert ranking.to_dict() == {"a": [(7, 0.0), (8, -1.0)]}
    assert (ranking.query_kind, ranking.item_kind) == ("text", "whole")


def test_ids_of_a_parquet_file_keep_their_type_unlike_those_of_text(tmp_path: Path) -> None:
    frame = pl.DataFrame({"query": [1], "item": [7], "grade": [1]})
    frame.write_csv(tmp_path / "grades.csv")
    frame.write_ndjson(tmp_path / "grades.jsonl")
    frame.write_parquet(tmp_path / "grades.parquet")
    kinds = {name: rg.read_judgments(tmp_path / f"grades.{name}").queries for name in ("csv", "jsonl", "parquet")}
    assert kinds == {"csv": ["1"], "jsonl": ["1"], "parquet": [1]}


def test_ids_of_subtopics_and_their_items_come_back_as_ints() -> None:
    judgments = rg.read_judgments({1: {7: [3, 4], 8: [3]}}, annotation="subtopic")
    assert judgments.to_dict() == {1: [(7, 1.0), (8, 1.0)]}
    assert judgments.annotations(1) == {7: {"3": 1.0, "4": 1.0}, 8: {"3": 1.0}}


# Rankings and their files


@pytest.mark.parametrize("name", ["run.txt", "run.csv"])
def test_ranking_read_from_a_file_stays_when_the_file_is_gone(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(RUN if name == "run.txt" else "query,item,score\nq1,d2,0.9\nq2,d3,0.5\nq1,d1,0.1\n", "utf-8")
    ranking, lazy = rg.read_ranking(path), rg.read_ranking(path, lazy=True)
    expected = rg.evaluate(JUDGED, path).per_query.to_dict()
    assert rg.evaluate(JUDGED, lazy).per_query.to_dict() == expected
    path.unlink()
    assert rg.evaluate(JUDGED, ranking).per_query.to_dict() == expected
    with pytest.raises(RankgaugeError, match="nothing of that name"):
        rg.evaluate(JUDGED, lazy)


def test_lazy_ranking_is_read_as_the_file_is_then(run: Path) -> None:
    ranking, lazy = rg.read_ranking(run), rg.read_ranking(run, lazy=True)
    run.write_text("q1 Q0 d1 1 0.9 other\n", encoding="utf-8")
    assert rg.evaluate(JUDGED, lazy).evaluation.run == "other"
    assert rg.evaluate(JUDGED, ranking).evaluation.run == "mine"


def test_error_in_a_lazy_ranking_is_raised_at_evaluation_with_its_line(run: Path) -> None:
    run.write_text(RUN + "q1 Q0 d9 1 x mine\n", encoding="utf-8")
    with pytest.raises(RankgaugeError, match=r"run\.txt:4"):
        rg.read_ranking(run)
    lazy = rg.read_ranking(run, lazy=True)
    with pytest.raises(RankgaugeError, match=r"run\.txt:4"):
        rg.evaluate(JUDGED, lazy)


def test_small_file_that_is_cut_while_it_is_held_does_no_harm(run: Path) -> None:
    lazy = rg.read_ranking(run, lazy=True)
    os.truncate(run, len(RUN.splitlines()[0]) + 1)
    assert len(lazy) == 1
