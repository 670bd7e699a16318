"""Arrow tables that are not what they say: in files, and handed over through the PyCapsule interface."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import ipc
from tests.inputs.files import TWO, Put, refusal

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading import ratings

ROOT = Path(__file__).parents[2]
TABLE = pa.table({"query": ["q1", "q1"], "item": ["d1", "d2"], "score": [0.5, 0.25]})


def written(table: pa.Table, compression: str | None = None, writer: Any = ipc.new_file) -> bytes:
    file = io.BytesIO()
    with writer(file, table.schema, options=ipc.IpcWriteOptions(compression=compression)) as out:
        out.write_table(table)
    return file.getvalue()


def read_mutations(seed: int, count: int, folder: Path, module: str = "arrow_mutations") -> None:
    """Read changed files in a process of their own, which must neither end nor panic."""
    command = [sys.executable, "-m", f"tests.inputs.{module}", str(seed), str(count), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=1500)
    assert (done.returncode, done.stderr) == (0, "")
    outcomes = dict(part.split("=") for part in done.stdout.split())
    assert sum(map(int, outcomes.values())) == count
    assert int(outcomes["unreadable-table"]) > count / 2


def test_read_changed_arrow_files_are_read_or_refused(tmp_path: Path) -> None:
    read_mutations(20_260_301, 300, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_read_many_changed_arrow_files_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    read_mutations(seed, 1500, tmp_path)


@pytest.mark.parametrize("writer", [ipc.new_file, ipc.new_stream])
@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_read_arrow_file_is_read(put: Put, writer: Any, compression: str | None) -> None:
    assert rg.read_ranking(put(written(TABLE, compression, writer), "run.arrow")).to_dict() == TWO


@pytest.mark.parametrize("writer", [ipc.new_file, ipc.new_stream])
def test_read_arrow_file_without_rows_is_empty(put: Put, writer: Any) -> None:
    assert rg.read_ranking(put(written(TABLE[:0], None, writer), "run.arrow")).to_dict() == {}


def test_read_arrow_file_that_is_cut_is_refused(put: Put) -> None:
    for writer in (ipc.new_file, ipc.new_stream):
        whole = written(TABLE, None, writer)
        for length in range(8, len(whole) - 8, 24):
            assert refusal(put(whole[:length], "run.arrow"), format="arrow").code == "unreadable-table"


@pytest.mark.parametrize("claimed", [1 << 40, 1 << 62, -5, -(1 << 63)])
@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_read_packed_buffer_that_claims_too_much_is_refused(put: Put, compression: str, claimed: int) -> None:
    scores = pa.table({"query": ["q1"] * 500, "item": [f"d{row}" for row in range(500)], "score": [0.0] * 500})
    whole = written(scores, compression)
    claim = struct.pack("<q", 8 * 500)
    assert whole.count(claim) >= 1
    error = refusal(put(whole.replace(claim, struct.pack("<q", claimed)), "run.arrow"))
    assert error.code == "unreadable-table"


def blocks(file: bytes) -> list[int]:
    """Return where the footer says where the batches are: offset, length of the metadata, length of the body."""
    length = struct.unpack("<i", file[-10:-6])[0]
    places = range(len(file) - 10 - length, len(file) - 33)
    actual = {place: struct.unpack("<qi4xq", file[place : place + 24]) for place in places}
    starts = {place: block[0] for place, block in actual.items() if 8 < block[1] < 1000 and 0 < block[2] < len(file)}
    return [place for place, start in starts.items() if start >= 8 and file[start : start + 4] == b"\xff" * 4]


def test_read_arrow_file_with_blocks_that_overlap_is_refused(put: Put) -> None:
    table = pa.table({"query": [f"q{row}" for row in range(510)], "item": ["d"] * 510, "score": [1.0] * 510})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=500)
    file = sink.getvalue().to_pybytes()
    large, small = blocks(file)
    error = refusal(put(file[:small] + file[large : large + 24] + file[small + 24 :], "run.arrow"))
    assert error.code == "unreadable-table"
    assert "blocks that overlap" in str(error)


def test_read_arrow_file_beyond_the_limit_says_how_to_raise_it(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(
        written(pa.table({"query": [1] * 9000, "item": range(9000), "score": [0.0] * 9000}), "zstd"), "run.arrow"
    )
    assert len(rg.read_ranking(path)) == 1
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "100K")
    error = refusal(path)
    assert error.code == "unreadable-table"
    assert "more than 102400 bytes, which RANKGAUGE_MAX_UNPACKED can raise" in str(error)


# What is handed over has no size to check, but must be consistent.


def texts(*rows: bytes, type_: Any = None) -> pa.Array:
    """Texts that need not be UTF-8."""
    kinds = {pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}
    binary = pa.array(rows, kinds.get(type_, pa.binary()))
    return pa.Array.from_buffers(type_ or pa.string(), len(rows), binary.buffers())


def coded(codes: list[int]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(["d1", "d2"]), safe=False)


BAD_ITEMS = {
    "texts": lambda: texts(b"d1", b"\xff\xfe"),
    "large texts": lambda: texts(b"d1", b"\xc3", type_=pa.large_string()),
    "texts that share a character": lambda: texts(b"d\xc3", b"\xa4"),
    "views of short texts": lambda: texts(b"d1", b"\xff", type_=pa.string_view()),
    "views of long texts": lambda: texts(b"d1", b"a text of many bytes \xff", type_=pa.string_view()),
    "views beyond their buffer": lambda: pa.Array.from_buffers(
        pa.string_view(),
        2,
        [None, pa.py_buffer(struct.pack("<i4sii", 30, b"abcd", 0, 0) * 2), pa.py_buffer(b"abcd" * 5)],
    ),
    "views that begin otherwise": lambda: pa.Array.from_buffers(
        pa.string_view(),
        2,
        [None, pa.py_buffer(struct.pack("<i4sii", 20, b"abcx", 0, 0) * 2), pa.py_buffer(b"abcd" * 5)],
    ),
    "codes": lambda: coded([0, 5]),
    "negative codes": lambda: coded([0, -1]),
    "categories": lambda: pa.DictionaryArray.from_arrays(pa.array([0, 1]), texts(b"d1", b"\xff"), safe=False),
    "offsets": lambda: pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(struct.pack("<3i", 0, 2, 1)), pa.py_buffer(b"abc")]
    ),
    "lists": lambda: pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), texts(b"d1", b"\xff")),
}


@pytest.mark.parametrize("items", BAD_ITEMS.values(), ids=BAD_ITEMS)
def test_read_table_with_a_column_that_is_not_what_it_says_is_refused(put: Put, items: Any) -> None:
    column = items()
    table = pa.table({"query": ["q1", "q2"], "item": column, "score": [0.5, 0.25]})
    if pa.types.is_list(column.type):
        table = table.set_column(2, "score", pa.array([[0.5], [0.25]]))
    for source in (table, table.to_reader(), put(written(table), "run.arrow")):
        with pytest.raises(RankgaugeError) as caught:
            rg.read_ranking(source)
        assert caught.value.code == "unreadable-table"


def test_read_bad_texts_in_a_column_that_is_not_needed_are_left_alone() -> None:
    table = TABLE.append_column("note", texts(b"d1", b"\xff\xfe"))
    assert rg.read_ranking(table).to_dict() == TWO


@pytest.mark.parametrize("items", [BAD_ITEMS["texts"], BAD_ITEMS["codes"]])
def test_evaluate_arrays_with_groups_that_are_not_what_they_say_are_refused(items: Any) -> None:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate_arrays([1, 0], [0.5, 0.25], "ndcg", items(), groups_are="ids")
    assert caught.value.code == "unreadable-table"


def test_read_pandas_with_texts_of_arrow_that_are_no_utf8_are_refused() -> None:
    column = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([texts(b"d1", b"\xff\xfe")])))
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(pd.DataFrame({"query": ["q1", "q1"], "item": column, "score": [0.5, 0.25]}))
    assert caught.value.code == "unreadable-table"


class Twice:
    """A table, or a column, that hands out the same capsule again and again."""

    def __init__(self, source: Any) -> None:
        for name in ("__arrow_c_stream__", "__arrow_c_array__"):
            if hasattr(source, name):
                capsule = getattr(source, name)()
                setattr(self, name[2:-2], capsule)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.arrow_c_stream  # type: ignore[attr-defined]


def test_read_stream_that_was_handed_over_before_is_refused() -> None:
    table = Twice(TABLE)
    assert rg.read_ranking(table).to_dict() == TWO
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(table)
    assert caught.value.code == "unreadable-table"


def test_grade_arrow_file_with_texts_that_are_no_utf8_is_refused(put: Put) -> None:
    table = pa.table({"user": ["q1", "q2"], "item": texts(b"d1", b"\xff\xfe"), "rating": [5, 3]})
    with pytest.raises(RankgaugeError) as caught:
        ratings(put(written(table), "ratings.arrow"), thresholds=[3, 4])
    assert caught.value.code in ("unreadable-table", "bad-utf8")
