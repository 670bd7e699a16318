from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import feather, parquet

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats
from rankgauge.inputs.formats import FORMATS, Dialect, Format, detect, dialect, first_lines, split_table
from rankgauge.inputs.roles import Side

SIDES: tuple[Side, ...] = ("judgments", "ranking")
GIT_LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22\nsize 12345\n"


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    def put(content: str | bytes, name: str = "file") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


JUDGMENTS: dict[str, tuple[str, Format]] = {
    "msmarco qrels": ("300674\t0\t7067032\t1\n125705\t0\t7067056\t1\n94798\t0\t7067181\t1\n", "trec"),
    "trec covid": ("1 0.5 005b2j4b 2\n1 4 00fmeepz 1\n1 0.5 010vptx3 -1\n", "trec"),
    "aligned with blanks": ("  301   0   FBIS3-10082    1\n  301   0   FBIS3-10169    0\n", "trec"),
    "grades with fractions": ("q1 0 d1 0.5\nq1 0 d2 1e-1\n", "trec"),
    "comments first": ("# made by hand\n\n   # twice\nq1 0 d1 1\n", "trec"),
    "one line without end": ("q1 0 d1 1", "trec"),
    "ids with commas": ("q,1 0 d,1 1\nq,1 0 d,2 1\n", "trec"),
    "ids in braces": ("{3f2504e0-4f89} 0 d1 1\n{3f2504e0-4f89} 0 d2 1\n", "trec"),
    "ids in brackets": ("[1] 0 d1 1\n[1] 0 d2 1\n", "trec"),
    "ids with a no-break space": ("q1 0 d\u00a01 1\nq1 0 d\u00a02 1\n", "trec"),
    "a query like a magic number": ("PAR1 0 d1 1\nPAR12 0 d1 1\n", "trec"),
    "a query like another": ("PAR1\t0\td1\t1\n", "trec"),
    "an item like a magic number": ("q1 0 abcDUCK0123456 1\n", "trec"),
    "a broken line": ("q1\t0\td1\t1\nq1\t0\td2\nq1\t0\td3\t1\n", "trec"),
    "a broken first grade": ("q1\t0\td1\tx\nq1\t0\td2\t1\nq1\t0\td3\t1\n", "trec"),
    "not a finite grade": ("q1\t0\td1\tnan\nq1\t0\td2\tinf\n", "trec"),
    "a header between blanks": ("qid iter docno rel\nq1 0 d1 1\nq1 0 d2 1\n", "trec"),
    "a ranking": ("q1 Q0 d1 1 0.5 tag\n", "trec"),
    "numbers": ("1\n2\n", "scores"),
    "prose": ("This is not data, alas.\nIt has lines.\n", "trec"),
    "trec with a header": ("query_id\titer\tdoc_id\trelevance\nq1\t0\td1\t2\nq1\t0\td2\t1\n", "tsv"),
    "trec with an unknown header": ("a\tb\tc\td\nq1\t0\td1\t2\nq1\t0\td2\t1\n", "tsv"),
    "only a header": ("query_id\titer\tdoc_id\trelevance\n", "tsv"),
    "beir qrels": ("query-id\tcorpus-id\tscore\n1\t31715818\t1\n3\t14717500\t1\n", "tsv"),
    "two words and a header": ("query\titem\tgrade\nhow to\td1\t3\nred car\td2\t1\n", "tsv"),
    "movielens ratings": ("userId,movieId,rating,timestamp\n1,1,4.0,964982703\n1,3,4.0,964981247\n", "csv"),
    "commas and no header": ("q1,0,d1,1\nq1,0,d2,0\n", "csv"),
    "commas and blanks": ("q1, 0, d1, 4\nq1, 0, d2, 3\n", "csv"),
    "quoted": ('"query","item","grade"\n"red, blue","d1","1"\n"a ""b"", c","d2","2"\n', "csv"),
    "semicolons": ("query;item;grade\nq1;d1;0,5\nq1;d2;1,5\n", "csv"),
    "bars": ("query|item|grade\nq1|d,1|2\n", "csv"),
    "bars and blanks": ("q1 | d1 | 3\nq1 | d2 | 1\n", "csv"),
    "commented": ("# source: shop\nquery,item,grade\nq1,d1,1\n", "csv"),
    "ragged below a header": ("query,item,grade,text\nq1,d1,1,a, b\nq1,d2,1,c\n", "csv"),
    "interactions": ("user,item\nann,d1\nbob,d2\n", "csv"),
    "json lines": ('{"query": "q1", "item": "d1", "grade": 2}\n{"query": "q1", "item": "d2", "grade": 0}\n', "jsonl"),
    "pretty json": ('\n{\n  "query": "q1",\n  "grade": 2\n}\n', "jsonl"),
    "json array": ('[{"query": "q1", "item": "d1", "grade": 2}]', "jsonl"),
    "pretty json array": ('[\n  {\n    "query": "q1"\n  }\n]\n', "jsonl"),
    "json arrays": ('["q1", "d1", 2]\n["q1", "d2", 0]\n', "jsonl"),
    "empty json": ("{}\n", "jsonl"),
    "mslr": ("2 qid:1 1:3 2:3 3:0 4:0\n0 qid:1 1:3 2:0 3:3\n", "letor"),
    "letor 4": ("0 qid:10032 1:0.056537 2:0.000000 #docid = GX029-35-5894638 inc = 0.02 prob = 0.13\n", "letor"),
    "letor commented": ("# istella\n4 qid:q7 1:1.7e308\n", "letor"),
}
RANKING: dict[str, tuple[str, Format]] = {
    "pyserini": ("2 Q0 1782337 1 11.62500 Anserini\n2 Q0 4339068 2 10.9 Anserini\n", "trec"),
    "tabs": ("2\tQ0\t1782337\t1\t11.62500\tAnserini\n2\tQ0\t4339068\t2\t10.9\tAnserini\n", "trec"),
    "a tag with blanks": ("2 Q0 1782337 1 11.6 my own tag\n2 Q0 43 2 10.9 my own tag\n", "trec"),
    "no rank": ("2 Q0 1782337 - 11.6 tag\n", "trec"),
    "judgments": ("q1 0 d1 1\nq1 0 d2 0\n", "trec"),
    "scores": ("0.25\n-1e-3\n 17\n\n3.\n.5\n", "scores"),
    "scores commented": ("# model 7\n0.25\n0.5\n", "scores"),
    "scores that are none": ("0.25\nnan\n-inf\n", "scores"),
    "scores and a word": ("0.25\n0.5\nhello\n", "trec"),
    "trec with a header": ("qid\tq0\tdocno\trank\tscore\ttag\n1\tQ0\td1\t1\t2.5\tx\n1\tQ0\td2\t2\t1.5\tx\n", "tsv"),
    "msmarco run": ("1048585\t7187158\t1\n1048585\t7187157\t2\n", "tsv"),
    "finance": ("date,ticker,prediction\n2024-01-02,AAPL,0.013\n2024-01-02,MSFT,-0.002\n", "csv"),
    "pandas": (",user_id,item_id,score,rank\n0,1,2,0.5,1\n1,1,3,0.25,2\n", "csv"),
    "bars and blanks": ("q1 | d1 | 1 | 0.5\nq1 | d2 | 2 | 0.25\n", "csv"),
    "json lines": ('{"query": 1, "item": 2, "score": 0.5}\n', "jsonl"),
    "letor": ("2 qid:1 1:3 2:3 3:0 4:0\n", "letor"),
}
SAMPLES = pytest.mark.parametrize(
    ("side", "text", "expected"),
    [
        pytest.param(side, *sample, id=f"{side}-{name}")
        for side, samples in zip(SIDES, (JUDGMENTS, RANKING), strict=True)
        for name, sample in samples.items()
    ],
)
WRITTEN: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "windows": lambda data: data.replace(b"\n", b"\r\n"),
    "old mac": lambda data: data.replace(b"\n", b"\r"),
    "bom": lambda data: b"\xef\xbb\xbf" + data,
    "bom and gzip": lambda data: gzip.compress(b"\xef\xbb\xbf" + data),
    "cut gzip": lambda data: gzip.compress(data)[:-8],
    "members": lambda data: gzip.compress(b"") + b"".join(map(gzip.compress, data.splitlines(keepends=True))),
    "latin-1": lambda data: data.replace(b"d1", b"d\xe91"),
}


@SAMPLES
@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_detect_of_text_returns_its_format(
    side: Side, text: str, expected: Format, write: Callable[[bytes], bytes], put: Callable[..., Path]
) -> None:
    assert detect(put(write(text.encode())), side) == expected


@SAMPLES
def test_detect_with_a_misleading_name_follows_the_content(
    side: Side, text: str, expected: Format, put: Callable[..., Path]
) -> None:
    in_doubt = expected == "trec" and text in (
        *(JUDGMENTS[name][0] for name in ("prose", "a ranking")),
        *(RANKING[name][0] for name in ("judgments", "scores and a word")),
    )
    for name in ("file.csv", "file.tsv", "file.JSONL", "file.json.gz", "file.letor"):
        assert in_doubt or detect(put(text, name), side) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("file", "trec"),
        ("file.txt", "trec"),
        ("file.csv", "csv"),
        ("file.CSV", "csv"),
        ("file.csv.gz", "csv"),
        ("file.tsv", "tsv"),
        ("file.jsonl", "jsonl"),
        ("file.ndjson", "jsonl"),
        ("file.json", "jsonl"),
        ("file.letor", "letor"),
        ("file.svmlight", "letor"),
        ("csv", "trec"),
        (".csv", "trec"),
        ("file.csv.bak", "trec"),
    ],
)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("content", [b"what is this\n", b"\n# nothing\n", "q,d\n".encode("utf-16"), b"\xfe\x00"])
def test_detect_with_ambiguous_content_follows_the_name(
    name: str, expected: Format, side: Side, content: bytes, put: Callable[..., Path]
) -> None:
    assert detect(put(content, name), side) == expected


def write_parquet(path: Path) -> None:
    parquet.write_table(pa.table({"query": ["q1"], "item": ["d1"]}), path)


def write_empty_parquet(path: Path) -> None:
    parquet.write_table(pa.table({"query": pa.array([], pa.string())}), path)


def write_polars_parquet(path: Path) -> None:
    pl.DataFrame({"query": ["q1"]}).write_parquet(path)


def write_polars_file(path: Path) -> None:
    pl.DataFrame({"query": ["q1"]}).write_ipc(path)


def write_polars_stream(path: Path) -> None:
    pl.DataFrame({"query": ["q1"]}).write_ipc_stream(path)


def write_arrow_file(path: Path) -> None:
    table = pa.table({"query": ["q1"]})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def write_arrow_stream(path: Path) -> None:
    table = pa.table({"query": ["q1"]})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def write_feather(path: Path) -> None:
    feather.write_feather(pa.table({"query": ["q1"]}), str(path))


def write_duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE run (query TEXT, item TEXT)")


def write_duckdb_parquet(path: Path) -> None:
    with duckdb.connect() as database:
        database.execute(f"COPY (SELECT 1 AS query) TO '{path}' (FORMAT parquet)")


def write_sqlite(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE run (query TEXT, item TEXT)")
    database.commit()
    database.close()


BINARY: list[tuple[Callable[[Path], None], Format]] = [
    (write_parquet, "parquet"),
    (write_empty_parquet, "parquet"),
    (write_polars_parquet, "parquet"),
    (write_duckdb_parquet, "parquet"),
    (write_polars_file, "arrow"),
    (write_polars_stream, "arrow"),
    (write_arrow_file, "arrow"),
    (write_arrow_stream, "arrow"),
    (write_feather, "arrow"),
    (write_duckdb, "duckdb"),
    (write_sqlite, "sqlite"),
]


@pytest.mark.parametrize(("write", "expected"), BINARY)
@pytest.mark.parametrize("side", SIDES)
def test_detect_of_binary_returns_its_format(
    write: Callable[[Path], None], expected: Format, side: Side, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    write(path)
    assert detect(path, side) == expected
    assert detect(str(path), side) == expected
    for name in ("file.csv", "file.parquet", "file.db", "file.arrow"):
        assert detect(path.rename(tmp_path / name), side) == expected
        path = tmp_path / name
    packed = tmp_path / "file.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert detect(packed, side) == expected


@pytest.mark.parametrize(
    "suffix", ["parquet", "pq", "arrow", "feather", "ipc", "duckdb", "db", "sqlite", "PARQUET", "parquet.gz"]
)
@pytest.mark.parametrize("content", [b"query,item\nq1,d1\n", GIT_LFS, b"\x00\x01\x02", b" ", b"caf\xe9 {got}\n"])
def test_detect_with_a_false_promise_is_refused(suffix: str, content: bytes, put: Callable[..., Path]) -> None:
    path = put(content, f"file.{suffix}")
    with pytest.raises(RankgaugeError) as caught:
        detect(path, "ranking")
    assert caught.value.code == "bad-format"
    assert caught.value.place == str(path)
    assert repr(content[:20])[1:] in str(caught.value)


@pytest.mark.parametrize("name", ["file", "file.csv", "file.parquet"])
@pytest.mark.parametrize(
    "content",
    [b"", gzip.compress(b""), gzip.compress(b"q1,d1\n" * 50)[:10], b"\x1f\x8b junk"],
    ids=["empty", "packed", "cut", "broken"],  # a gzip header has the time in it
)
def test_detect_of_an_empty_file_returns_trec(name: str, content: bytes, put: Callable[..., Path]) -> None:
    assert detect(put(content, name), "ranking") == "trec"
    assert first_lines(put(content, name)) == []


@pytest.mark.parametrize("name", ["missing.parquet", "missing/file.csv", ".", "long" * 100, "nul\0.csv"])
def test_detect_of_an_unreadable_file_leaves_the_error_to_the_reader(name: str, tmp_path: Path) -> None:
    assert detect(f"{tmp_path}/{name}", "ranking") == "trec"


def test_detect_of_a_pipe_reads_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    assert detect(pipe, "ranking") == "trec"  # without a writer, opening it would wait for ever
    writer = threading.Thread(target=pipe.write_bytes, args=(b"query,item\n",))
    writer.start()
    assert detect(pipe, "ranking") == "trec"
    assert pipe.read_bytes() == b"query,item\n"
    writer.join()


def test_detect_of_a_long_file_reads_its_head(put: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def unpacked(data: bytes) -> bytes:
        taken.append(len(data))
        return data

    monkeypatch.setattr(formats, "_unpacked", unpacked)
    path = put(b"q1 0 d1 1\n" * 10_000 + b"{" * 100_000)
    assert detect(path, "judgments") == "trec"
    assert taken == [1 << 16]


def test_detect_of_a_gzip_bomb_unpacks_its_head() -> None:
    bomb = gzip.compress(b"0.5\n" * 10_000_000)
    assert len(formats._unpacked(bomb)) == 1 << 16


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_first_lines_without_the_line_that_is_cut(pack: Callable[[bytes], bytes], put: Callable[..., Path]) -> None:
    lines = ["query,item,text", *(f"q{number},d{number},{'x' * 9000}" for number in range(20))]
    path = put(pack("\n".join(lines).encode()))
    assert detect(path, "ranking") == "csv"
    assert first_lines(path) == lines[:8]


def test_detect_of_a_line_longer_than_the_head_returns_its_format(put: Callable[..., Path]) -> None:
    features = " ".join(f"{number}:0.5" for number in range(20_000))
    assert detect(put(f"1 qid:7 {features}\n"), "judgments") == "letor"


def test_first_lines_of_any_text_are_returned(put: Callable[..., Path]) -> None:
    path = put(b"\xef\xbb\xbf# made by hand\r\n\r\nquery,item\r\nq1,caf\xe9\r\n \r\nq1,\xc3\xa9", "file.csv")
    assert first_lines(path) == ["query,item", "q1,caf\ufffd", "q1,é"]
    assert len(first_lines(put("q1,d1\n" * 1000))) == 100


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["query-id\tcorpus-id\tscore", "q1\td1\t1"], ("\t", "query-id corpus-id score")),
        (["userId,movieId,rating,timestamp", "1,1,4.0,964982703"], (",", "userId movieId rating timestamp")),
        (["q1,d1,0.5", "q1,d2,0.25"], (",", None)),
        (["q1\td1\t1"], ("\t", None)),
        (["q1;d1;0,5", "q1;d2;0,25"], (";", None)),  # a comma in each line, too
        (["query;item;grade", "q1;d1;0,5"], (";", "query item grade")),
        (["query|item", "a,b|c,d"], ("|", "query item")),
        (["a,b\tc,d", "e,f\tg,h"], ("\t", "a,b c,d")),  # a tab in each line is no accident
        (["query,item,1,2", "q1,d1,0,0"], (",", "query item 1 2")),  # names of roles beside numbers
        (["user,d1,3", "rank,d2,2"], (",", None)),  # one such name may be an id
        (['"query" , "item"', '"q,1" , "d1"'], (",", "query item")),
        (["query, item, grade", "q1, d1, 2"], (",", "query item grade")),
        (["query;item;text, long", "q1;d1;a, b"], (";", ["query", "item", "text, long"])),
        (["a,b,c", "1,2,3,4"], (",", "a b c")),  # by default
        (["alone"], (",", "alone")),
        (["7"], (",", None)),
        (["q1,d1,nan"], (",", None)),
        (["q1,d1,-1e-7"], (",", None)),
        ([], (",", None)),
    ],
)
def test_dialect_of_any_style_is_found(lines: list[str], expected: tuple[str, str | list[str] | None]) -> None:
    delimiter, header = expected
    names = header.split() if isinstance(header, str) else header
    assert dialect(lines) == Dialect(delimiter, tuple(names) if names else None)


def test_dialect_of_one_column_is_the_default() -> None:
    assert dialect(["alone"], default="\t") == Dialect("\t", ("alone",))
    assert dialect(["query,item"], default="\t") == Dialect(",", ("query", "item"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("file.duckdb::table", ("file.duckdb", "table")),
        ("C:\\data\\file.duckdb::table", ("C:\\data\\file.duckdb", "table")),
        ("C:\\data\\file.duckdb", ("C:\\data\\file.duckdb", None)),
        ("C:/data/file.duckdb", ("C:/data/file.duckdb", None)),
        ("file.db::main.run", ("file.db", "main.run")),
        ("a::b.db::run 1", ("a::b.db", "run 1")),
        ("file.db", ("file.db", None)),
        ("file.db::", ("file.db::", None)),
        ("::table", ("::table", None)),
        ("::", ("::", None)),
        ("", ("", None)),
        ("-", ("-", None)),
        ("long" * 100 + "::table", ("long" * 100, "table")),
        ("nul\0::table", ("nul\0", "table")),
    ],
)
def test_split_table_separates_path_and_table(path: str, expected: tuple[str, str | None]) -> None:
    assert split_table(path) == expected


def test_split_table_of_an_existing_file_keeps_its_name(put: Callable[..., Path]) -> None:
    path = str(put("q1 0 d1 1\n", "run::v2.txt"))
    assert split_table(path) == (path, None)
    assert split_table(f"{path}::table") == (path, "table")


def test_formats_are_each_described_in_a_line() -> None:
    assert set(formats._SUFFIXES.values()) | {"trec", "scores"} == set(FORMATS)
    assert all(text and "\n" not in text and not text.endswith(".") for text in FORMATS.values())


TEXT = st.text(alphabet=st.sampled_from('q1d0.,;|\t \n\r"#{[:-e'), max_size=80).map(str.encode)


@given(
    content=st.one_of(st.binary(), TEXT, st.binary().map(gzip.compress), TEXT.map(gzip.compress)),
    prefix=st.sampled_from(
        [b"", b"\x1f\x8b", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"12345678DUCK", b"\xef\xbb\xbf"]
    ),
    side=st.sampled_from(SIDES),
    suffix=st.sampled_from(["", ".csv", ".parquet", ".json.gz"]),
)
@example(content=b"\x08\x00" + bytes(8) + zlib.compress(b"q1"), prefix=b"\x1f\x8b", side="ranking", suffix="")
@example(content=b'"', prefix=b"", side="ranking", suffix=".csv")
def test_detect_of_any_bytes_returns_or_refuses(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, prefix: bytes, side: Side, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    path.write_bytes(prefix + content)
    try:
        assert detect(path, side) in FORMATS
    except RankgaugeError as error:
        assert (error.code, suffix) == ("bad-format", ".parquet")  # noqa: PT017 - most bytes are taken
    assert isinstance(dialect(first_lines(path)), Dialect)


@given(st.lists(st.text()))
def test_dialect_of_any_lines_is_found(lines: list[str]) -> None:
    assert dialect(lines).delimiter in "\t,;|"


def test_formats_import_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import rankgauge.inputs.formats; print(*set(sys.modules) - before)"
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert not {"csv", "json", "gzip", "zlib", "pathlib", "numpy", "duckdb", "pyarrow"} & set(output.split())
