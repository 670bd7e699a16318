from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections import ChainMap, OrderedDict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

JUDGED = {"1": {"10": 2, "9": 1}, "2": {"7": 1}}
RANKED = {"1": {"9": 2.0, "10": 2.0, "8": 1.0}, "2": {"7": 1.0, "6": 3.0}}
EXPECTED = rg.evaluate(JUDGED, RANKED, ["ndcg@10", "dcg"]).to_json(per_query=True)


def converted(data: Mapping[str, Mapping[str, float]], query: Any, item: Any, number: Any) -> dict[Any, dict[Any, Any]]:
    return {query(q): {item(d): number(value) for d, value in items.items()} for q, items in data.items()}


@pytest.mark.parametrize("query", [str, int, str.encode, np.int64, np.str_])
@pytest.mark.parametrize("item", [str, int, str.encode, np.int32])
@pytest.mark.parametrize("number", [float, np.float64, np.float32, int, np.int64])
def test_mappings_with_ids_and_numbers_of_any_type_are_the_same(query: Any, item: Any, number: Any) -> None:
    judged, ranked = converted(JUDGED, query, item, number), converted(RANKED, query, item, number)
    assert rg.evaluate(judged, ranked, ["ndcg@10", "dcg"]).to_json(per_query=True) == EXPECTED


@pytest.mark.parametrize("wrap", [OrderedDict, MappingProxyType, ChainMap])
def test_mapping_of_any_class_is_read(wrap: Any) -> None:
    judged, ranked = (wrap({query: wrap(items) for query, items in data.items()}) for data in (JUDGED, RANKED))
    assert rg.evaluate(judged, ranked, ["ndcg@10", "dcg"]).to_json(per_query=True) == EXPECTED


def trec(data: Mapping[str, Mapping[str, float]], line: str) -> bytes:
    return "".join(line.format(q, d, v) for q, items in data.items() for d, v in items.items()).encode()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "judgments").write_bytes(trec(JUDGED, "{} 0 {} {}\n"))
    (tmp_path / "ranking").write_bytes(trec(RANKED, "{} Q0 {} 1 {} tag\n"))
    return tmp_path / "judgments", tmp_path / "ranking"


def test_trec_files_equal_mappings(files: tuple[Path, Path]) -> None:
    judgments, ranking = files
    assert rg.evaluate(judgments, str(ranking), ["ndcg@10", "dcg"]).to_json(per_query=True) == EXPECTED


def test_gzipped_file_of_several_members_is_read(files: tuple[Path, Path]) -> None:
    judgments, ranking = files
    lines = ranking.read_bytes().splitlines(keepends=True)
    ranking.write_bytes(b"".join(gzip.compress(line) for line in lines))
    assert rg.evaluate(judgments, ranking, ["ndcg@10", "dcg"]).to_json(per_query=True) == EXPECTED


def test_evaluate_of_a_pipe_reads_it(files: tuple[Path, Path]) -> None:
    judgments, ranking = files
    reader, writer = os.pipe()
    content = ranking.read_bytes()

    def send() -> None:
        os.write(writer, content)
        os.close(writer)

    sender = threading.Thread(target=send)
    sender.start()
    result = rg.evaluate(judgments, f"/dev/fd/{reader}", ["ndcg@10", "dcg"])
    sender.join()
    os.close(reader)
    assert result.to_json(per_query=True) == EXPECTED


def test_nouns_read_once_are_used_often(files: tuple[Path, Path]) -> None:
    judgments, ranking = rg.read_judgments(files[0]), rg.read_ranking(files[1])
    files[0].unlink()
    assert len(judgments) == 2
    for _ in range(2):
        assert rg.evaluate(judgments, ranking, ["ndcg@10", "dcg"]).to_json(per_query=True) == EXPECTED
    assert rg.read_judgments(judgments) is judgments
    assert rg.read_ranking(ranking) is ranking


def test_mappings_of_lists_are_relevant_items_and_orders() -> None:
    result = rg.evaluate({"u": {"a", "b"}, "v": ["c"]}, {"u": ["x", "a"], "v": ("c",)}, "dcg@10")
    assert result.per_query["dcg@10"] == {"u": pytest.approx(0.6309297535714575), "v": 1.0}


def test_item_named_twice_in_two_types_is_a_duplicate() -> None:
    with pytest.raises(RankgaugeError, match="each item once per query"):
        rg.evaluate({"q": {"7": 1}}, {"q": {7: 1.0, "7": 2.0}})


@pytest.mark.parametrize("ranking", [{"q": {"a", "b"}}, {"q": frozenset("ab")}, {"q": "ab"}, {"q": b"ab"}, {"q": 3}])
def test_set_as_a_ranking_is_refused(ranking: dict[str, object]) -> None:
    with pytest.raises(RankgaugeError, match="an ordered list of items"):
        rg.evaluate({"q": ["a"]}, ranking)


@pytest.mark.parametrize("bad", ["\ud800", b"\xff", 1.5, None, ("a",)])
def test_ids_of_other_types_are_refused(bad: object) -> None:
    with pytest.raises(RankgaugeError, match="expected item ids"):
        rg.evaluate({"q": {bad: 1}}, {"q": ["a"]})
    with pytest.raises(RankgaugeError, match="expected query ids"):
        rg.evaluate({bad: {"a": 1}}, {"q": ["a"]})


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, "1.5", [1], 10**400, 1 + 2j])
def test_numbers_that_are_not_finite_are_refused(bad: object) -> None:
    with pytest.raises(RankgaugeError, match=r"query 'q', item 'b': expected a finite number as grade"):
        rg.evaluate({"q": {"a": 1, "b": bad}}, {"q": ["a"]})
    with pytest.raises(RankgaugeError, match=r"query 'q', item 'a': expected a finite number as score"):
        rg.evaluate({"q": {"a": 1}}, {"q": {"a": bad}})


def test_mapping_that_fails_while_it_is_read_raises_its_error() -> None:
    class Broken(dict[str, float]):
        def items(self) -> Any:
            raise RuntimeError("no more rows")

    with pytest.raises(RuntimeError, match="no more rows"):
        rg.evaluate({"q": Broken(a=1.0)}, {"q": ["a"]})


def test_mapping_that_changes_while_it_is_read_is_copied() -> None:
    class Growing(float):
        def __float__(self) -> float:
            scores[f"more {len(scores)}"] = 1.0
            return 0.5

    scores: dict[str, Any] = {"a": Growing(1.0), "b": 2.0}
    assert rg.evaluate({"q": {"a": 1}}, {"q": scores}).counts["unjudged@10"] == 1


@pytest.mark.parametrize("count", [20_000, 200_000])  # a small file is read, a large one mapped
def test_lazy_ranking_when_its_file_is_rewritten_shorter_has_the_new_rows(files: tuple[Path, Path], count: int) -> None:
    judgments, ranking = files
    ranking.write_bytes(trec({"1": {f"d{number}": -float(number) for number in range(count)}}, "{} Q0 {} 1 {} tag\n"))
    opened = rg.read_ranking(ranking, lazy=True)
    rg.evaluate(judgments, opened)
    ranking.write_text("2 Q0 7 1 1.0 tag\n", encoding="utf-8")
    assert rg.evaluate(judgments, opened)["ndcg@10"] == 1.0  # what the file holds now


def test_duplicate_row_of_a_named_pipe_is_refused_by_its_line(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sender = threading.Thread(target=lambda: pipe.write_text("q Q0 d 1 2 t\nq Q0 d 2 1 t\n", encoding="utf-8"))
    sender.start()
    with pytest.raises(RankgaugeError, match=r"pipe:2 \(query 'q', item 'd'\): expected each item once"):
        rg.evaluate({"q": ["d"]}, pipe)
    sender.join()


def test_lines_ended_by_a_lone_carriage_return_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "ranking"
    path.write_bytes(b"q Q0 d1 1 0.5 t\rq Q0 d2 2 0.4 t\r")
    with pytest.raises(
        RankgaugeError, match="ranking:1: expected lines that end in a newline, got a carriage return inside one"
    ):
        rg.evaluate({"q": ["d1", "d2"]}, path)
    path.write_bytes(b"q Q0 d1 1 0.5 t\r\nq Q0 d2 2 0.4 t\r\n")
    assert rg.evaluate({"q": ["d1", "d2"]}, path)["ndcg@10"] == 1.0


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_first_bad_line_of_a_file_is_reported(threads: int, tmp_path: Path) -> None:
    lines = [b"q%d Q0 d%d 1 0.5 t\n" % (number // 10, number) for number in range(20_000)]
    lines[100] = b"q10 Q0 too few\n"
    lines[4600] = b"q460 Q0 \xff 1 0.5 t\n"
    (tmp_path / "ranking").write_bytes(b"".join(lines))
    with pytest.raises(RankgaugeError, match="ranking:101: expected 6 columns"):
        rg.evaluate({"q1": ["d1"]}, tmp_path / "ranking", threads=threads)
    lines[100] = lines[99]
    (tmp_path / "ranking").write_bytes(b"".join(lines))
    with pytest.raises(RankgaugeError, match="ranking:4601: expected UTF-8"):
        rg.evaluate({"q1": ["d1"]}, tmp_path / "ranking", threads=threads)


def test_pairs_that_nouns_return_are_read_again(files: tuple[Path, Path]) -> None:
    judged, ranked = rg.read_judgments(files[0]).to_dict(), rg.read_ranking(files[1]).to_dict()
    assert rg.evaluate(judged, ranked, ["ndcg@10", "dcg"]).to_json(per_query=True) == EXPECTED
    with pytest.raises(RankgaugeError, match="ordered list of items"):
        rg.evaluate({"q": ["a"]}, {"q": [("a", 1.0), "b"]})


def test_series_of_numbers_is_a_mapping_and_one_of_texts_a_list() -> None:
    judged = {"2026-01-05": pd.Series({"AAPL": 3, "MSFT": 1})}
    by_score = rg.evaluate(judged, {"2026-01-05": pd.Series({"AAPL": 1, "MSFT": 3})})["ndcg@10"]
    by_order = rg.evaluate(judged, {"2026-01-05": pd.Series(["MSFT", "AAPL"])})["ndcg@10"]
    assert by_score == by_order == rg.ndcg(["MSFT", "AAPL"], {"AAPL": 3, "MSFT": 1})


@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_queries_equal_as_text_are_refused(side: str) -> None:
    twice, once = {1: ["a"], "1": ["b"]}, {"1": ["a"]}
    with pytest.raises(RankgaugeError, match="query '1': expected each query once"):
        rg.evaluate(*((twice, once) if side == "judgments" else (once, twice)))


def test_item_with_a_space_in_a_trec_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ranking"
    path.write_text("q Q0 my doc 1 0.1 tag\n", encoding="utf-8")
    with pytest.raises(RankgaugeError, match="got 7 columns"):
        rg.evaluate({"q": ["my"]}, path)
    path.write_text("q Q0 doc 1 0.1 my tag\n", encoding="utf-8")
    assert rg.evaluate({"q": ["doc"]}, path)["ndcg@10"] == 1.0


@pytest.mark.parametrize(
    "line", [b"q\rQ0 d3 1 0.5 t", b"q Q0 d3\r1 0.5 t", b"q Q0 d3 1 0.5\rt", b"q Q0 d3 1 0.5 t\rq Q0 d4 2 0.4 t"]
)
def test_carriage_return_inside_a_line_is_refused(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ranking"
    path.write_bytes(b"q Q0 d1 1 0.9 t\nq Q0 d2 1 0.8 t\n" + line + b"\nq Q0 d5 1 0.1 t\n")
    for read in (lambda: rg.evaluate({"q": ["d1"]}, path), lambda: rg.read_ranking(path)):
        with pytest.raises(RankgaugeError, match="ranking:3: expected lines that end in a newline") as caught:
            read()
        assert caught.value.code == "bare-return"


def test_carriage_returns_between_the_labels_of_a_letor_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_bytes(b"2 qid:1 1:0.5\r1 qid:1 1:0.4\r0 qid:1 1:0.1\r")
    with pytest.raises(RankgaugeError, match="labels:1: expected lines that end in a newline"):
        rg.read_judgments(path, format="letor")


SHRINKING = """
import os, sys, threading
import rankgauge as rg
from rankgauge.errors import RankgaugeError

path, judged = sys.argv[1], {"q1": ["d1"]}
whole = open(path, "rb").read()
done = threading.Event()

def shrink_and_grow():
    while not done.is_set():
        os.truncate(path, 5000)
        with open(path, "r+b") as file:
            file.write(whole)

writer = threading.Thread(target=shrink_and_grow)
writer.start()
codes = set()
try:
    for _ in range(15):
        for read in (lambda: rg.evaluate(judged, path, "ndcg"), lambda: rg.read_ranking(path)):
            try:
                read()
            except RankgaugeError as error:
                codes.add(error.code)
finally:
    done.set()
    writer.join()
print(codes <= {"file-changed", "bad-columns", "bad-value", "duplicate-item", "no-common-query", "empty-file"}, codes)
"""


@pytest.mark.parametrize("name", ["run.txt", "run.csv"])
def test_file_that_shrinks_while_it_is_read_does_not_end_the_process(name: str, tmp_path: Path) -> None:
    line, head = ("q{} Q0 d{} 1 0.5 t\n", "") if name == "run.txt" else ("q{},d{},0.5\n", "query,item,score\n")
    text = head + "".join(line.format(row // 1000, row) for row in range(300_000))
    (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", SHRINKING, str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1500)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True"), done.stdout


# What is empty


@pytest.mark.parametrize(
    ("judgments", "ranking", "hint"),
    [
        (JUDGED, {}, "check the step that makes the ranking: it is empty"),
        (JUDGED, pd.DataFrame({"query": [], "item": [], "score": []}), "check the step that makes the ranking"),
        (JUDGED, pd.DataFrame(), "check the step that made the table: it is empty"),
        (pd.DataFrame(), RANKED, "check the step that made the table: it is empty"),
        (JUDGED, iter(()), "an iterator that was read before has nothing left"),
        ([], [], "check that the judgments are not empty"),
        ({}, RANKED, "check that the judgments are not empty"),
    ],
)
def test_evaluate_of_nothing_hints_at_the_step_before(judgments: Any, ranking: Any, hint: str) -> None:
    with pytest.raises(RankgaugeError, match=hint):
        rg.evaluate(judgments, ranking)


@pytest.mark.parametrize("count", [1, 2])
def test_evaluate_of_a_list_of_paths_says_how_many(count: int, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 9 1 1.0 t\n")
    with pytest.raises(RankgaugeError, match=f"got a list of {count} file.*give one file as a path") as caught:
        rg.evaluate(JUDGED, [path] * count)
    assert caught.value.code == "several-files"


@pytest.mark.parametrize(("name", "format_"), [("j.parquet", "Parquet"), ("j.csv", "commas"), ("j.jsonl", "JSON")])
def test_evaluate_of_an_empty_file_says_which_format_it_should_have(name: str, format_: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    with pytest.raises(RankgaugeError, match=f"expected rows of .*{format_}.*, got an empty file") as caught:
        rg.evaluate(tmp_path / name, RANKED)
    assert caught.value.code == "empty-file"


def test_evaluate_of_the_empty_path_says_so() -> None:
    with pytest.raises(RankgaugeError, match="the empty path ''") as caught:
        rg.evaluate("", RANKED)
    assert caught.value.code == "file-not-found"
