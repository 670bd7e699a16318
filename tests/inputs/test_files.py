"""Files of every format: what is read from them, and what is said about those that cannot be read."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.errors import RankgaugeError

if TYPE_CHECKING:
    from rankgauge.inputs.formats import Format

Put = Callable[..., Path]
Rows = dict[str, list[tuple[str, float]]]
TWO: Rows = {"q1": [("d1", 0.5), ("d2", 0.25)]}
HEADER = "query,item,score\n"


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def put(content: str | bytes, name: str = "file.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


def refusal(path: str | Path, **how: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(path, **how).to_dict()  # some are read only when they are needed
    assert "Hint: " in str(caught.value)
    assert "this is a bug" not in str(caught.value)
    return caught.value


def order(path: str | Path, **how: Any) -> list[str]:
    """The items of the first query, the best first."""
    (rows,) = rg.read_ranking(path, **how).to_dict().values()
    return [item for item, _ in sorted(rows, key=lambda row: -row[1])]


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
def test_a_delimited_text(put: Put, text: str, quote: bool, pack: Callable[[bytes], bytes]) -> None:
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
def test_ids_are_kept_as_they_are_written(put: Put, row: str, query: str, item: str) -> None:
    assert rg.read_ranking(put(f"{HEADER}{row}\n")).to_dict() == {query: [(item, 1.0)]}


@pytest.mark.parametrize("last", ["q1,d2,x", 'q1,"d2",x'], ids=["bare", "quoted"])
def test_an_error_names_the_line(put: Put, last: str) -> None:
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
def test_a_bad_line(put: Put, rows: str, code: str, place: str) -> None:
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
def test_a_bad_line_in_a_text_with_quotes(put: Put, rows: str, code: str) -> None:
    path = put((HEADER + rows).encode(errors="surrogateescape"))
    error = refusal(path)
    assert error.code in (code, "unreadable-table")
    assert error.place.startswith(str(path))
    assert len(str(error)) < 400


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
def test_a_ragged_row_is_never_passed_over(put: Put, quote: str) -> None:
    rows = [f"{quote}q1{quote},d{number},{number}" for number in range(30)]
    for place in (0, 1, 15, 29):
        for ragged in ("q1,d99,1,2", "q1,d99"):
            path = put(HEADER + "\n".join([*rows[:place], ragged, *rows[place:]]) + "\n")
            with pytest.raises(RankgaugeError):
                rg.read_ranking(path).to_dict()


@pytest.mark.parametrize("name", ["ranking", "judgments"])
def test_a_row_that_stands_twice_is_named_by_its_line(put: Put, name: str) -> None:
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
def test_columns_that_are_given(put: Put, columns: Any, header: str | None, expected: list[str], quote: str) -> None:
    lines = [header] if header else []
    path = put("\n".join([*lines, f"{quote}q1{quote},d1,1", "q1,d2,2"]) + "\n")
    assert order(path, columns=columns) == expected


@pytest.mark.parametrize("row", ["q1,d1\nq1,d2\n", '"q1","d1"\n"q1","d2"\n', "q1\td1\nq1\td2\n"])
def test_the_first_row_of_a_text_without_a_header_counts(put: Put, row: str) -> None:
    assert order(put(row), columns=["query", "item"]) == ["d1", "d2"]


def test_columns_of_a_text_that_looks_like_trec(put: Put) -> None:
    path = put("q1\t0\td1\t3\nq1\t0\td2\t1\n", "file.tsv")
    assert rg.read_ranking(path, columns=["query", "x", "item", "rank"]).rows("q1") == [("d1", -3.0), ("d2", -1.0)]


@pytest.mark.parametrize(
    ("content", "columns", "code", "said"),
    [
        ("query,thing,score\nq1,d1,1\n", {}, "missing-column", "got the columns 'query', 'thing', 'score'"),
        ("a,b,c\nq1,d1,1\n", {"query": "A", "item": "b"}, "missing-column", "did you mean 'a'?"),
        ("a,b,c\nq1,d1,1\n", {"qury": "a"}, "unknown-choice", "did you mean 'query'?"),
        ("query,item,item,score\nq1,a,b,1\n", {}, "ambiguous-column", "expected one column for item"),
        ("q1,d1,1\nq1,d2,2\n", {}, "no-header", "--columns-ranking query,item,score"),
        ("q1,d1,1\nq1,d2,2\n", {"query": "a"}, "no-header", "expected a header"),
        ("q1,d1,1,7\nq1,d2,2,7\n", ["query", "item", "score"], "bad-columns", "expected 3 columns"),
    ],
)
def test_columns_that_are_not_there(put: Put, content: str, columns: Any, code: str, said: str) -> None:
    path = put(content)
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(path, columns=columns).to_dict()
    assert caught.value.code == code
    assert said in str(caught.value)
    assert str(path) in caught.value.place or code == "unknown-choice"


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
def test_without_scores_the_order_counts_and_that_is_said(put: Put, quote: str) -> None:
    path = put(f"query,item\n{quote}q1{quote},d2\nq1,d10\nq1,d1\n")
    result = rg.evaluate({"q1": {"d1": 1, "d2": 2}}, path)
    assert order(path) == ["d2", "d10", "d1"]
    assert [note for note in result.notes if note.startswith("order: ")] != []


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
@pytest.mark.parametrize("name", ["file.csv", "file.jsonl"])
def test_without_grades_every_listed_item_is_relevant_and_that_is_said(put: Put, quote: str, name: str) -> None:
    csv = f"user,item\n{quote}q1{quote},d2\nq1,d1\n"
    path = put(csv if name == "file.csv" else '{"user":"q1","item":"d2"}\n{"user":"q1","item":"d1"}\n', name)
    judgments = rg.read_judgments(path)
    assert judgments.rows("q1") == [("d2", 1.0), ("d1", 1.0)]
    result = rg.evaluate(path, {"q1": ["d1", "d2"]})
    assert result["ndcg@10"] == 1.0
    assert [note for note in result.notes if note.startswith("grades: ")] != []


# JSON, Parquet, Arrow and databases


@pytest.mark.parametrize(
    "content",
    [
        '{"query":"q1","item":"d1","score":0.5}\n{"query":"q1","item":"d2","score":0.25}\n',
        '\n{"query":"q1","item":"d1","score":0.5}\r\n\r\n{"item":"d2","score":"0.25","x":[1],"query":"q1"}',
        '\ufeff[{"query":"q1","item":"d1","score":0.5},\n{"query":"q1","item":"d2","score":0.25}]',
        '{"query":"q1","item":["d1","d2"],"score":[0.5,0.25]}\n',
        '{"q1":{"d1":0.5,"d2":0.25}}',
        '\ufeff{"q1":\n{"d1":0.5,"d2":0.25}}\n',
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_json(put: Put, content: str, pack: Callable[[bytes], bytes]) -> None:
    assert rg.read_ranking(put(pack(content.encode()), "file.json")).to_dict() == TWO


@pytest.mark.parametrize(
    "ids",
    [
        ["007", "0012"],
        ["1", "x"],
        ["2024-01-02", "2024-01-03"],
        ["2024-01-02 10:00:00", "2024-01-02 11:00:00"],
        ["3F2504E0-4F89-11D3-9A0C-0305E82C3301", "3F2504E0-4F89-11D3-9A0C-0305E82C3302"],
        ["12:30:00", "12:31:00"],
        ["true", "false"],
        ['say "hi"', "two\nlines, é"],
        [7, "x"],
    ],
    ids=str,
)
def test_ids_in_json_are_kept_as_they_are_written(put: Put, ids: list[str | int]) -> None:
    lines = [json.dumps({"query": "q1", "item": item, "score": 1}) for item in ids]
    assert rg.read_ranking(put("\n".join(lines), "file.jsonl")).rows("q1") == [(str(item), 1.0) for item in ids]


def test_a_fraction_far_down_in_json_is_not_rounded(put: Put) -> None:
    rows = [{"query": "q1", "item": f"d{number}", "score": number} for number in range(25_000)]
    path = put("\n".join(map(json.dumps, [*rows, {"query": "q1", "item": "last", "score": 0.4}])), "file.jsonl")
    assert (rg.read_ranking(path).rows("q1") or [])[-1] == ("last", 0.4)


@pytest.mark.parametrize(
    "content",
    [
        b'{"query":"q1","item":"d1","score":1}\n{"query":"q1","ite',
        b'{"query":"q1","item":"d1","score":1}\nquery\n',
        b'[{"query":"q1","item":"d1","score":1},',
        b'{"q1":{"d1":0.5,',
        b'{"query":"q1","query":"q2","item":"d1","score":1}\n',
        b'{"query":"q1","item":null,"score":1}\n',
        b'{"query":"q1","item":"d1","score":NaN}\n',
        b'{"query":"q1","item":"caf\xe9","score":1}\n',
        b'{"q1":{"d1":null}}',
        b'{"q1":{"d1":1},"q1":{"d2":1}}',
        b'{"q1":{"d1":"x"}}',
        b'{"q1":7, "q2": {"d1": 1}}',
        b'{"q1":' + b"[" * 100_000,
        b"{}",
        b"[]",
        gzip.compress(b'{"q1":{"d1":0.5}}' + b" " * 100)[:-9],
        gzip.compress(b'{"query":"q1","item":"d1","score":1}\n' * 9)[:-9],
    ],
    ids=range(17),
)
def test_json_that_cannot_be_read(put: Put, content: bytes) -> None:
    path = put(content, "file.json")
    assert refusal(path).place.startswith(str(path))


TABLE = pl.DataFrame({"query": ["007", "007"], "item": ["0012", "d, 2"], "score": [0.5, 0.25]})


def write_duckdb(frame: pl.DataFrame, path: Path) -> None:
    with duckdb.connect(str(path)) as database:
        database.register("frame", frame.to_arrow())
        database.execute("create table run as select * from frame")


def write_sqlite(frame: pl.DataFrame, path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute(f"create table run ({', '.join(frame.columns)})")
    database.executemany(f"insert into run values ({', '.join('?' * frame.width)})", frame.rows())  # noqa: S608
    database.commit()
    database.close()


WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    "parquet": pl.DataFrame.write_parquet,
    "arrow": pl.DataFrame.write_ipc,
    "stream": pl.DataFrame.write_ipc_stream,
    "duckdb": write_duckdb,
    "sqlite": write_sqlite,
}
EACH = pytest.mark.parametrize("kind", WRITERS)


def written(frame: pl.DataFrame, kind: str, folder: Path) -> Path:
    path = folder / f"file.{kind}"
    WRITERS[kind](frame, path)
    return path


@EACH
def test_a_binary_table(kind: str, tmp_path: Path) -> None:
    path = written(TABLE, kind, tmp_path)
    assert rg.read_ranking(path).to_dict() == {"007": [("0012", 0.5), ("d, 2", 0.25)]}
    assert order(path, columns={"rank": "score"}) == ["d, 2", "0012"]


@EACH
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (TABLE.drop("item"), "missing-column"),
        (TABLE.with_columns(score=pl.Series([1.0, None])), "null-value"),
        (TABLE.with_columns(item=pl.Series(["d1", None])), "null-value"),
        (TABLE.with_columns(score=pl.Series([1.0, float("inf")])), "bad-value"),
        (TABLE.with_columns(score=pl.lit("high")), "bad-value"),
    ],
    ids=["no item", "null score", "null item", "infinite", "words"],
)
def test_a_bad_binary_table(kind: str, change: pl.DataFrame, code: str, tmp_path: Path) -> None:
    path = written(change, kind, tmp_path)
    error = refusal(path)
    assert error.code == code
    assert error.place.startswith(str(path))


@EACH
def test_a_binary_table_that_is_cut_or_packed(kind: str, tmp_path: Path) -> None:
    whole = written(TABLE, kind, tmp_path).read_bytes()
    path = tmp_path / "cut"
    for length in (30, len(whole) // 2, len(whole) - 1)[: 2 if kind == "sqlite" else 3]:  # its last byte may be free
        path.write_bytes(whole[:length])
        assert refusal(path).place == str(path)
    path.write_bytes(gzip.compress(whole))
    assert "unpack it first" in str(refusal(path))


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_table_must_be_named_where_there_are_several(kind: str, tmp_path: Path) -> None:
    path = written(TABLE, kind, tmp_path)
    connect: Callable[[str], Any] = duckdb.connect if kind == "duckdb" else sqlite3.connect
    database = connect(str(path))
    database.execute('create table "my ""other"" run" as select * from run where score > 0.3')
    database.commit()
    database.close()
    assert rg.read_ranking(f'{path}::my "other" run').to_dict() == {"007": [("0012", 0.5)]}
    assert "got none" in str(refusal(path))
    assert "did you mean 'run'?" in str(refusal(f"{path}::rum"))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_name_with_stars_and_quotes_is_one_file(kind: str, put: Put, tmp_path: Path) -> None:
    for name in ("run*", "run1", "it's", "[r]un?"):
        TABLE.write_parquet(tmp_path / f"{name}.parquet")
        put(f'{HEADER}007,0012,0.5\n007,"d, 2",0.25\n', f"{name}.csv")
    for name in ("run*", "it's", "[r]un?"):
        assert len(rg.read_ranking(tmp_path / f"{name}.{kind}").rows("007") or []) == 2


FORCED: list[Format] = ["csv", "tsv", "jsonl", "parquet", "arrow", "sqlite", "duckdb", "letor", "trec"]


@pytest.mark.parametrize("format_", FORCED)
@pytest.mark.parametrize(("name", "code"), [("missing", "file-not-found"), (".", "is-directory"), ("empty", None)])
def test_what_is_no_file_of_any_format(format_: Format, name: str, code: str | None, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    path = tmp_path / name
    with pytest.raises(RankgaugeError) as caught:
        rg.read_judgments(path, format=format_)
    assert caught.value.place == str(path)
    assert code in (None, caught.value.code)


@settings(deadline=None, max_examples=150)
@given(
    content=st.binary(max_size=60)
    | st.text(alphabet='q1d0.,;\t \n\r"#{}[]:-e', max_size=60).map(str.encode)
    | st.binary(max_size=30).map(gzip.compress),
    prefix=st.sampled_from([b"", b"query,item,score\n", b'{"query":"', b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff"]),
    format_=st.sampled_from(FORCED),
)
@example(content=b'1","query":2}', prefix=b'{"query":"', format_="jsonl")
def test_any_bytes_are_read_or_refused(
    content: bytes, prefix: bytes, format_: Format, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any-{os.getpid()}"
    path.write_bytes(prefix + content)
    assert is_read_or_refused(lambda: rg.read_judgments(path, format=format_).to_dict())
    assert is_read_or_refused(lambda: rg.read_ranking(path, format=format_).to_dict())


def is_read_or_refused(read: Callable[[], object]) -> bool:
    try:
        read()
    except RankgaugeError as error:
        return error.code != "internal"
    return True


# LETOR, pipes, and judgments that are used again

LETOR = "3 qid:q1 1:0.5\n1 qid:q2 1:2\n0 qid:q1 1:3 # x\n"


@pytest.mark.parametrize(("scores", "expected"), [("3\n2\n1\n", 1.0), ("1\n2\n3\n", 0.8154648767857288)])
def test_letor_with_scores(put: Put, scores: str, expected: float) -> None:
    labels = put(LETOR, "test.letor")
    assert rg.evaluate(labels, put(scores, "scores.txt"))["ndcg@10"] == pytest.approx(expected)
    assert rg.read_judgments(labels).to_dict() == {"q1": [("1", 3.0), ("3", 0.0)], "q2": [("2", 1.0)]}


@pytest.mark.parametrize(
    ("labels", "scores", "code", "place"),
    [
        (LETOR, "1\n2\n", "score-count", "scores"),
        (LETOR, "1\n2\n3\n4\n", "score-count", "scores"),
        (LETOR, "1\n\n2\n3\n", "bad-columns", "scores:2"),
        (LETOR, "1\nnan\n3\n", "bad-value", "scores:2"),
        (LETOR, LETOR, "no-scores", "scores"),
        ("1\n2\n", "1\n2\n", "no-grades", "labels"),
        ("3 qid:q1 1:0.5\nx qid:q1 1:2\n", "1\n2\n", "bad-value", "labels:2"),
        ("3 qid:q1 1:0.5\n1 1:2\n", "1\n2\n", "bad-columns", "labels:2"),
    ],
)
def test_letor_that_does_not_fit(put: Put, labels: str, scores: str, code: str, place: str) -> None:
    paths = put(labels, "labels"), put(scores, "scores")
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(*paths)
    assert (caught.value.code, Path(caught.value.place).name) == (code, place)
    assert "query iteration item grade" not in str(caught.value)
    assert "Q0" not in str(caught.value)


def test_scores_alone(put: Put) -> None:
    path = put("1\n2\n", "scores")
    assert refusal(path).code == "scores-alone"
    judgments = rg.read_judgments(put(TEXTS["plain"]))
    assert rg.read_ranking(path, judgments=judgments).to_dict() == {"q1": [("d1", 1.0), ("d2", 2.0)]}


def test_judgments_are_read_once_for_many_rankings(put: Put, tmp_path: Path) -> None:
    source = put("query,item,grade\n007,0012,1\n")
    judgments = rg.read_judgments(source)
    source.unlink()
    rankings = [written(TABLE, kind, tmp_path) for kind in WRITERS]
    assert [rg.evaluate(judgments, ranking)["ndcg@10"] for ranking in rankings] == [1.0] * len(WRITERS)


def test_a_pipe_leaves_no_files_behind(put: Put, tmp_path: Path) -> None:
    kept, pipe = tmp_path / "kept", tmp_path / "pipe"
    kept.mkdir()
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(TEXTS["plain"],), daemon=True)
    writer.start()
    code = "import sys, rankgauge as rg; print(rg.read_ranking(sys.argv[1]).to_dict() | rg.read_ranking('-').to_dict())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(pipe)],
        input=b"query,item,score\nq2,d1,1\n",
        capture_output=True,
        check=True,
        env=os.environ | {"TMPDIR": str(kept)},
        timeout=60,
    )
    writer.join()
    assert done.stdout.decode().strip() == str(TWO | {"q2": [("d1", 1.0)]})
    assert done.stderr == b""
    assert list(kept.iterdir()) == []
