"""Texts of queries and items, from mappings and files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.reports.unpacked import Unpacked

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.reports.id_texts import LONGEST, read_texts


def test_read_texts_separated_by_tabs_returns_those_of_known_ids(tmp_path: Path) -> None:
    path = tmp_path / "queries.tsv"
    path.write_text("q1\trunning  shoes\nq2\thats\n\nq3\n", encoding="utf-8")
    assert read_texts(path, {"q1", "q3"}) == {"q1": "running shoes", "q3": ""}


@pytest.mark.parametrize("name", ["_id", "id", "docno", "pid"])
def test_read_texts_of_json_lines_with_usual_names_finds_them(tmp_path: Path, name: str) -> None:
    path = tmp_path / "docs.jsonl"
    rows = [{name: f"d{number}", "title": "T", "text": f"text {number}"} for number in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert read_texts(path, {"d1"}) == {"d1": "T. text 1"}


def test_read_texts_of_ids_that_are_numbers_or_escaped_finds_them(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write('{"id": 7, "text": "seven"}\n{"id": "a\\"b", "text": "quoted"}\n')
    assert read_texts(path, {"7", 'a"b'}) == {"7": "seven", 'a"b': "quoted"}


@pytest.mark.parametrize(
    "line",
    [
        '{"metadata": {"id": "other"}, "_id": "a, b", "text": "found"}',
        '{"id": "other", "_id": "a, b", "text": "found"}',
        '\ufeff{"_id" : "a, b" , "text": "found"}',
        "\ufeffa, b\tfound",
    ],
)
def test_id_is_found_wherever_it_stands_in_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "docs"
    path.write_text(f"{line}\n", encoding="utf-8")
    assert read_texts(path, {"a, b"}) == {"a, b": "found"}


def test_number_before_a_blank_is_an_id(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"text": "seven", "id": 7 }\n', encoding="utf-8")
    assert read_texts(path, {"7"}) == {"7": "seven"}


def test_read_texts_with_thousands_of_brackets_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"id": "a", "text": ' + "[" * 100_000 + "\n", encoding="utf-8")
    with pytest.raises(RankgaugeError, match="expected lines of id, tab and text"):
        read_texts(path, {"a"})


def test_compressed_file_that_is_cut_or_damaged_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "docs.tsv.gz"
    whole = gzip.compress(b"a\ttext\n" * 100, mtime=0)
    for content in (whole[:15], whole[:12] + b"\xff" * 20, b"no gzip"):
        path.write_bytes(content)
        with pytest.raises(RankgaugeError) as raised:
            read_texts(path, {"a"})
        assert raised.value.code == "unreadable-file"


@pytest.mark.parametrize("texts", ["docs.tsv", ({"a": "b"},), {"a": "b"}, (7, None), 7])
def test_texts_that_are_no_pair_are_an_error(texts: Any) -> None:
    result = rg.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "ndcg@10")
    with pytest.raises(RankgaugeError) as raised:
        result.report(texts=texts)
    assert raised.value.code == "bad-texts-type"


def test_path_with_a_nul_is_an_error() -> None:
    with pytest.raises(RankgaugeError, match="null"):
        read_texts("a\0b", {"a"})


def test_texts_without_any_id_of_the_report_are_said() -> None:
    result = rg.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "ndcg@10")
    page = result.report(texts=({"q1": "shoes"}, {"other": "text"})).to_html()
    assert "The texts have none of any item here." in page
    assert "none of any query" not in page


def test_read_texts_that_are_long_cuts_them() -> None:
    (text,) = read_texts({"a": "word " * 200}, {"a"}).values()
    assert (len(text), text[-1]) == (LONGEST, "…")


def test_line_without_an_id_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"name": "x"}\n', encoding="utf-8")
    with pytest.raises(RankgaugeError) as raised:
        read_texts(path, {"x"})
    assert raised.value.code == "bad-texts"
    assert raised.value.place == f"{path}:1"


def test_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RankgaugeError) as raised:
        read_texts(tmp_path / "none.tsv", {"x"})
    assert raised.value.code == "file-not-found"


def test_report_has_the_texts_of_what_it_shows() -> None:
    result = rg.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a", "x"], "q2": ["b"]}, "ndcg@10")
    shown = Unpacked.of(result.report(texts=({"q1": "shoes"}, {"a": "a shoe", "z": "none"})).to_html()).explorer
    assert shown["texts"] == ["shoes", ""]
    assert shown["itemTexts"] == {"a": "a shoe"}
