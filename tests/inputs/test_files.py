"""Files of other formats: what is read from them, and what is said about those that cannot be read."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.grids import examples
from tests.inputs.files import TWO, Put, order, refusal

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import files

if TYPE_CHECKING:
    from rankgauge.inputs.formats import Format

HEADER = "query,item,score\n"
PLAIN = f"{HEADER}q1,d1,0.5\nq1,d2,0.25\n"


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
def test_json_in_any_shape_is_read(put: Put, content: str, pack: Callable[[bytes], bytes]) -> None:
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
def test_json_ids_stay_as_written(put: Put, ids: list[str | int]) -> None:
    lines = [json.dumps({"query": "q1", "item": item, "score": 1}) for item in ids]
    assert rg.read_ranking(put("\n".join(lines), "file.jsonl")).rows("q1") == [(str(item), 1.0) for item in ids]


def test_json_fraction_far_down_is_not_rounded(put: Put) -> None:
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
def test_json_that_is_broken_is_refused(put: Put, content: bytes) -> None:
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
def test_binary_table_of_any_format_is_read(kind: str, tmp_path: Path) -> None:
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
def test_binary_table_with_bad_values_is_refused(kind: str, change: pl.DataFrame, code: str, tmp_path: Path) -> None:
    path = written(change, kind, tmp_path)
    error = refusal(path)
    assert error.code == code
    assert error.place.startswith(str(path))


@EACH
def test_binary_table_that_is_cut_or_packed_is_refused(kind: str, tmp_path: Path) -> None:
    whole = written(TABLE, kind, tmp_path).read_bytes()
    path = tmp_path / "cut"
    for length in (30, len(whole) // 2, len(whole) - 1)[: 2 if kind == "sqlite" else 3]:  # its last byte may be free
        path.write_bytes(whole[:length])
        assert refusal(path).place == str(path)
    path.write_bytes(gzip.compress(whole))
    assert "unpack it first" in str(refusal(path))


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_database_with_several_tables_needs_a_name(kind: str, tmp_path: Path) -> None:
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
def test_path_with_stars_and_quotes_is_one_file(kind: str, put: Put, tmp_path: Path) -> None:
    for name in ("run*", "run1", "it's", "[r]un?"):
        TABLE.write_parquet(tmp_path / f"{name}.parquet")
        put(f'{HEADER}007,0012,0.5\n007,"d, 2",0.25\n', f"{name}.csv")
    for name in ("run*", "it's", "[r]un?"):
        assert len(rg.read_ranking(tmp_path / f"{name}.{kind}").rows("007") or []) == 2


FORCED: list[Format] = ["csv", "tsv", "jsonl", "parquet", "arrow", "sqlite", "duckdb", "letor", "trec"]


@pytest.mark.parametrize("format_", FORCED)
@pytest.mark.parametrize(("name", "code"), [("missing", "file-not-found"), ("folder", "no-pieces"), ("empty", None)])
def test_file_of_no_format_is_refused(format_: Format, name: str, code: str | None, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    path = tmp_path / name
    with pytest.raises(RankgaugeError) as caught:
        rg.read_judgments(path, format=format_)
    assert caught.value.place == str(path)
    assert code in (None, caught.value.code)


@examples(150)
@given(
    content=st.binary(max_size=60)
    | st.text(alphabet='q1d0.,;\t \n\r"#{}[]:-e', max_size=60).map(str.encode)
    | st.binary(max_size=30).map(gzip.compress),
    prefix=st.sampled_from([b"", b"query,item,score\n", b'{"query":"', b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff"]),
    format_=st.sampled_from(FORCED),
)
@example(content=b'1","query":2}', prefix=b'{"query":"', format_="jsonl")
def test_file_of_any_bytes_is_read_or_refused(
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
def test_letor_with_scores_is_evaluated(put: Put, scores: str, expected: float) -> None:
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
def test_letor_and_scores_that_do_not_fit_are_refused(
    put: Put, labels: str, scores: str, code: str, place: str
) -> None:
    paths = put(labels, "labels"), put(scores, "scores")
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(*paths)
    assert (caught.value.code, Path(caught.value.place).name) == (code, place)
    assert "query iteration item grade" not in str(caught.value)
    assert "Q0" not in str(caught.value)


def test_scores_without_judgments_are_refused(put: Put) -> None:
    path = put("1\n2\n", "scores")
    assert refusal(path).code == "scores-alone"
    judgments = rg.read_judgments(put(PLAIN))
    assert rg.read_ranking(path, judgments=judgments).to_dict() == {"q1": [("d1", 1.0), ("d2", 2.0)]}


def test_judgments_read_once_serve_many_rankings(put: Put, tmp_path: Path) -> None:
    source = put("query,item,grade\n007,0012,1\n")
    judgments = rg.read_judgments(source)
    source.unlink()
    rankings = [written(TABLE, kind, tmp_path) for kind in WRITERS]
    assert [rg.evaluate(judgments, ranking)["ndcg@10"] for ranking in rankings] == [1.0] * len(WRITERS)


def test_pipe_after_reading_leaves_no_files(put: Put, tmp_path: Path) -> None:
    kept, pipe = tmp_path / "kept", tmp_path / "pipe"
    kept.mkdir()
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(PLAIN,), daemon=True)
    writer.start()
    code = "import sys, rankgauge as rg; print(rg.read_ranking(sys.argv[1]).to_dict() | rg.read_ranking('-').to_dict())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(pipe)],
        input=b"query,item,score\nq2,d1,1\n",
        capture_output=True,
        check=True,
        env=os.environ | {"TMPDIR": str(kept)},
    )
    writer.join()
    assert done.stdout.decode().strip() == str(TWO | {"q2": [("d1", 1.0)]})
    assert done.stderr == b""
    assert list(kept.iterdir()) == []


@pytest.mark.parametrize("pattern", ["s3://bucket/run.parquet", "s3://bucket/*.parquet", "https://host/run.txt"])
def test_address_is_refused_with_what_reads_it(pattern: str) -> None:
    with pytest.raises(RankgaugeError, match=r"got an address\. Hint: Spark reads it with --engine spark"):
        rg.evaluate({"q1": {"d1": 1}}, pattern)


def test_empty_parquet_file_is_refused_as_parquet(tmp_path: Path) -> None:
    (tmp_path / "run.parquet").touch()
    with pytest.raises(RankgaugeError, match=r"run\.parquet: expected rows of Apache Parquet, got an empty file"):
        rg.evaluate({"q1": {"d1": 1}}, tmp_path / "run.parquet")


@pytest.mark.parametrize("memory", [2e9, 1 << 62, "5000000TB"])
def test_memory_that_is_no_number_of_bytes_is_refused_with_its_bounds(memory: float | str) -> None:
    with pytest.raises(RankgaugeError, match=r"at least 1 and below 2\^62, or .* 2e9 is int\(2e9\)"):
        rg.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, memory=memory)  # type: ignore[arg-type]


# What has no end, or no room


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_device_without_an_end_is_refused(device: str) -> None:
    for sides in ((device, {"q": ["d"]}), ({"q": ["d"]}, device)):
        with pytest.raises(RankgaugeError, match="a device that is no terminal") as caught:
            rg.evaluate(*sides)
        assert (caught.value.code, caught.value.place) == ("endless-file", device)


def test_device_that_is_empty_is_an_empty_file() -> None:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate("/dev/null", {"q": ["d"]})
    assert caught.value.code == "empty-file"


@pytest.mark.parametrize("line", ["q 0 d 1\n", "q Q0 d 1 1.0 t\n"])
def test_file_with_a_line_without_an_end_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.txt"
    path.write_text(line)
    os.truncate(path, files.LONGEST_LINE + (1 << 24))  # zeros that take no room
    sides = ({"q": ["d"]}, path) if "Q0" in line else (path, {"q": ["d"]})
    with pytest.raises(RankgaugeError, match="a line of more than 256 MB") as caught:
        rg.evaluate(*sides)
    assert (caught.value.code, caught.value.place) == ("endless-file", f"{path}:2")


def test_pipe_with_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 20)
    with pytest.raises(RankgaugeError, match="pipe: expected a text whose lines end"):
        files.spool(BytesIO(b"a" * (3 << 20)), "pipe")
    assert Path(files.spool(BytesIO(b"a" * 1000 + b"\n" + b"a" * (3 << 20)), "pipe")).stat().st_size > 3 << 20


def test_standard_input_without_room_for_it_names_the_temporary_folder(tmp_path: Path) -> None:
    code = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from rankgauge.cli.app import run\n"
        "raise SystemExit(run(['evaluate', '-', 'missing.run']))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        input="q 0 d 1\n" * 1000,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        text=True,
        capture_output=True,
        check=False,
    )
    expected = f"rankgauge: {tmp_path}: expected room for temporary files, got: File too large. Hint: "
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(expected)
