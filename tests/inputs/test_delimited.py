"""Delimited texts: what is read from them, and what is said about those that cannot be read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.inputs.files import TWO, Put, order, refusal
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError

HEADER = "query,item,score\n"


# Delimited texts

TEXTS = {
    "plain": "query,item,score\nq1,d1,0.5\nq1,d2,0.25\n",
    "no end": "query,item,score\nq1,d1,0.5\nq1,d2,0.25",
    "a mark": "\ufeffquery,item,score\nq1,d1,0.5\nq1,d2,0.25\n",
    "windows": "query,item,score\r\nq1,d1,0.5\r\nq1,d2,0.25\r\n",
    "blank lines": "\n\nquery,item,score\n\nq1,d1,0.5\n\n\nq1,d2,0.25\n\n",
    "comments first": "# made by hand\n\n  # twice, with a comma\nquery,item,score\nq1,d1,0.5\nq1,d2,0.25\n",
    "a mark and a comment": "\ufeff# made by hand\nquery,item,score\nq1,d1,0.5\nq1,d2,0.25\n",
    "blanks around": "query , item , score\n q1 , d1 , 0.5\nq1, d2, 0.25\n",
    "other columns": "note,score,item,text,query\na,0.5,d1,b,q1\n,0.25,d2,,q1\n",
    "an index of pandas": ",query,item,score\n0,q1,d1,0.5\n1,q1,d2,0.25\n",
    "columns of one name": "query,item,x,x,score\nq1,d1,1,2,0.5\nq1,d2,1,2,0.25\n",
    "other words": "Query ID,Doc-No,Prediction\nq1,d1,0.5\nq1,d2,0.25\n",
    "tabs": "query\titem\tscore\nq1\td1\t0.5\nq1\td2\t0.25\n",
    "semicolons": "query;item;score\nq1;d1;0.5\nq1;d2;0.25\n",
    "bars": "query|item|score\nq1|d1|0.5\nq1|d2|0.25\n",
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("quote", [False, True], ids=["bare", "quoted"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_delimited_text_in_any_style_is_read(put: Put, text: str, quote: bool, pack: Callable[[bytes], bytes]) -> None:
    written = text.replace("d1", '"d1"') if quote else text
    assert rg.read_ranking(put(pack(written.encode()))).to_dict() == TWO


@pytest.mark.parametrize(
    ("row", "query", "item"),
    [
        ("007,0012,1", "007", "0012"),
        ('"007","0012",1', "007", "0012"),
        ("1e3,1.0,1", "1e3", "1.0"),
        ('"1e3",1.0,1', "1e3", "1.0"),
        ('"2024-01-02 10:00:00",true,1', "2024-01-02 10:00:00", "true"),
        ("red car,große Straße,1", "red car", "große Straße"),
        ('"red, blue car","日本, 語",1', "red, blue car", "日本, 語"),
        ('"say ""hi""","""",1', 'say "hi"', '"'),
        ('"two\nlines","three\r\n\nlines",1', "two\nlines", "three\r\n\nlines"),
        ("NULL,None,1", "NULL", "None"),
        ('"NULL",null,1', "NULL", "null"),
        ('q#1,"#2",1', "q#1", "#2"),
    ],
)
def test_delimited_ids_stay_as_written(put: Put, row: str, query: str, item: str) -> None:
    assert rg.read_ranking(put(f"{HEADER}{row}\n")).to_dict() == {query: [(item, 1.0)]}


@pytest.mark.parametrize("last", ["q1,d2,x", 'q1,"d2",x'], ids=["bare", "quoted"])
def test_delimited_error_names_its_line(put: Put, last: str) -> None:
    path = put(f"# by hand\n{HEADER}q1,d1,1\n\n{last}\n")
    error = refusal(path)
    assert error.code == "bad-value"
    assert error.place.startswith(f"{path}:5") or "row 1" in error.place  # those with quotes are known by their row


@pytest.mark.parametrize(
    ("rows", "code", "place"),
    [
        ("q1,d1,1\n,d2,1\n", "null-value", ":3, column 1"),
        ("q1,d1,1\nq1, ,1\n", "null-value", ":3, column 2"),
        ("q1,d1,1\nq1,d2,\n", "null-value", ":3, column 3"),
        ("q1,d1,1\nq1,d2\n", "bad-columns", ":3"),
        ("q1,d1,1\n\nq1,d2,1,1\n", "bad-columns", ":4"),
        ("q1,d1,1\nq1\n", "bad-columns", ":3"),
        *((f"q1,d1,1\nq1,d2,{value}\n", "bad-value", ":3") for value in ("x", "nan", "-inf", "1e999", "0x1", "1_0")),
    ],
)
def test_delimited_line_that_is_broken_is_refused(put: Put, rows: str, code: str, place: str) -> None:
    path = put(HEADER + rows)
    error = refusal_of_rows(path)
    assert (error.code, error.place) == (code, f"{path}{place}")
    assert "white space" not in str(error)


def refusal_of_rows(path: Path) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate({"q1": ["d1"]}, path)
    return caught.value


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ('"q1",d1,1\nq1,,1\n', "null-value"),
        ('"q1",d1,1\nq1,"",1\n', "null-value"),
        ('"q1",d1,1\nq1,d2,\n', "null-value"),
        ('"q1",d1,1\nq1,d2,high\n', "bad-value"),
        ('"q1",d1,1\nq1,d2,nan\n', "bad-value"),
        ('"q1",d1,1\nq1,d2\n', "bad-columns"),
        ('"q1",d1,1\nq1,d2,1,1\n', "bad-columns"),
        ('"q1",d1,1,1\nq1,d2,1,1\n', "bad-columns"),
        ('"q1",d1,1\nq1,caf\udce9,1\n', "bad-utf8"),
        ('q1,"d1,1\nq1,d2,1\n', "unreadable-table"),
    ],
)
def test_quoted_line_that_is_broken_is_refused(put: Put, rows: str, code: str) -> None:
    path = put((HEADER + rows).encode(errors="surrogateescape"))
    error = refusal(path)
    assert error.code in (code, "unreadable-table")
    assert error.place.startswith(str(path))
    assert len(str(error)) < 400


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
def test_delimited_row_of_another_length_is_refused(put: Put, quote: str) -> None:
    rows = [f"{quote}q1{quote},d{number},{number}" for number in range(30)]
    for place in (0, 1, 15, 29):
        for ragged in ("q1,d99,1,2", "q1,d99"):
            path = put(HEADER + "\n".join([*rows[:place], ragged, *rows[place:]]) + "\n")
            with pytest.raises(RankgaugeError):
                rg.read_ranking(path).to_dict()


@pytest.mark.parametrize("name", ["ranking", "judgments"])
def test_duplicate_row_is_refused_by_its_line(put: Put, name: str) -> None:
    twice = put("# by hand\nquery,item,score\nq1,d1,1\nq1,d2,2\nq2,d1,1\nq1,d1,3\n")
    sides = {"judgments": {"q1": ["d1"]}, "ranking": {"q1": ["d1"]}} | {name: twice}
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(**sides)  # type: ignore[arg-type]
    assert caught.value.code == "duplicate-item"
    assert caught.value.place == f"{twice}:6 (query 'q1', item 'd1')"


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
@pytest.mark.parametrize(
    ("columns", "header", "expected"),
    [
        ({"query": "a", "item": "b", "score": "c"}, "a,b,c", ["d2", "d1"]),
        ({"query": "a", "item": "b", "rank": "c"}, "a,b,c", ["d1", "d2"]),
        ({"query": "a", "rank": "rank"}, "a,item,rank", ["d1", "d2"]),
        ({}, "query,item,rank", ["d1", "d2"]),
        (["query", "item", "score"], None, ["d2", "d1"]),
        (("query", "item", "rank"), None, ["d1", "d2"]),
        (["query", "item", "score"], "query,item,score", ["d2", "d1"]),
        (["qid", "docno", "sim"], "a,b,c", ["d2", "d1"]),
    ],
)
def test_delimited_columns_by_name_are_taken(
    put: Put, columns: Any, header: str | None, expected: list[str], quote: str
) -> None:
    lines = [header] if header else []
    path = put("\n".join([*lines, f"{quote}q1{quote},d1,1", "q1,d2,2"]) + "\n")
    assert order(path, columns=columns) == expected


@pytest.mark.parametrize("row", ["q1,d1\nq1,d2\n", '"q1","d1"\n"q1","d2"\n', "q1\td1\nq1\td2\n"])
def test_delimited_text_without_a_header_keeps_its_first_row(put: Put, row: str) -> None:
    assert order(put(row), columns=["query", "item"]) == ["d1", "d2"]


def test_named_columns_override_trec_detection(put: Put) -> None:
    path = put("q1\t0\td1\t3\nq1\t0\td2\t1\n", "file.tsv")
    assert rg.read_ranking(path, columns=["query", "x", "item", "rank"]).rows("q1") == [("d1", -3.0), ("d2", -1.0)]


def test_listed_columns_keep_a_first_row_with_units(put: Put) -> None:
    error = refusal(put("q1,d1,1등\nq1,d2,2등\n"), columns=["query", "item", "rank"])
    assert "1등" in str(error)
    table = put("A,+12%,1등\nB,-5%,2등\n", "both.csv")
    study = rg.stocks.study(str(table), columns_prices=["ticker", "return", "rank"], k=2, levels=2)
    assert [stock.ticker for stock in study.stocks] == ["A", "B"]


@pytest.mark.parametrize(
    ("content", "columns", "code", "message"),
    [
        ("query,thing,score\nq1,d1,1\n", {}, "missing-column", "got the columns 'query', 'thing', 'score'"),
        ("a,b,c\nq1,d1,1\n", {"query": "A", "item": "b"}, "missing-column", "did you mean 'a'?"),
        ("a,b,c\nq1,d1,1\n", {"qury": "a"}, "unknown-choice", "did you mean 'query'?"),
        ("a,b,c\nq1,d1,1\n", {"a": "query", "b": "item"}, "unknown-choice", "{'query': 'a', 'item': 'b'} in Python"),
        ("a,b,c\nq1,d1,1\n", {"a": "query", "b": "item"}, "unknown-choice", "query=a,item=b on the command line"),
        ("visitor,sku\nq1,d1\n", {}, "missing-column", "--columns-ranking query=visitor on the command line"),
        ("who,what\nq1,d1\n", {}, "missing-column", "Hint: say which it is: columns={'query': …} in Python"),
        ("who,what\nq1,d1\n", {}, "missing-column", "--columns-ranking query=… on the command line"),
        ("query,item,item,score\nq1,a,b,1\n", {}, "ambiguous-column", "expected one column for item"),
        ("q1,d1,0.5\nq1,d2,2\n", {}, "no-header", "--columns-ranking query,item,score"),
        ("q1,d1,1\nq1,d2,2\n", {"query": "a"}, "no-header", "expected a header"),
        ("q1,d1,1,7\nq1,d2,2,7\n", ["query", "item", "score"], "bad-columns", "expected 3 columns"),
    ],
)
def test_delimited_columns_that_are_missing_are_refused(
    put: Put, content: str, columns: Any, code: str, message: str
) -> None:
    path = put(content)
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(path, columns=columns).to_dict()
    assert caught.value.code == code
    assert message in str(caught.value)
    assert str(path) in caught.value.place or code == "unknown-choice"


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
def test_delimited_ranking_without_scores_takes_the_order_and_notes_it(put: Put, quote: str) -> None:
    path = put(f"query,item\n{quote}q1{quote},d2\nq1,d10\nq1,d1\n")
    result = rg.evaluate({"q1": {"d1": 1, "d2": 2}}, path)
    assert order(path) == ["d2", "d10", "d1"]
    assert lines(result.remarks, "order")


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
@pytest.mark.parametrize("name", ["file.csv", "file.jsonl"])
def test_delimited_judgments_without_grades_are_relevant_and_noted(put: Put, quote: str, name: str) -> None:
    csv = f"user,item\n{quote}q1{quote},d2\nq1,d1\n"
    path = put(csv if name == "file.csv" else '{"user":"q1","item":"d2"}\n{"user":"q1","item":"d1"}\n', name)
    judgments = rg.read_judgments(path)
    assert judgments.rows("q1") == [("d2", 1.0), ("d1", 1.0)]
    result = rg.evaluate(path, {"q1": ["d1", "d2"]})
    assert result["ndcg@10"] == 1.0
    assert lines(result.remarks, "grades")
