from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.inputs.format_samples import BINARY, JUDGMENTS, RANKING

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


@pytest.mark.parametrize("name", ["file", "file.csv"])
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
    assert set(formats.SUFFIXES.values()) | {"trec", "scores"} == set(FORMATS)
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
