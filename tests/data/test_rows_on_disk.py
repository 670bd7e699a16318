"""Sides on disk: parts hold whole queries with their rows in order, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import rankgauge as rg
from rankgauge._core import Stream, begin_progress, progress
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.data.rows_on_disk import RowsOnDisk, parts
from rankgauge.inputs.roles import Roles

pytestmark = pytest.mark.usefixtures("tiny_parts")

SCORES = Roles("query", "item", "score", descending=True)
GRADES = Roles("query", "item", "grade", descending=True)
ROWS = [(f"q{number % 40}", f"d{number}", number % 7) for number in range(2_000)]


def table(name: str, rows: list[tuple[str, str, int]] = ROWS) -> pa.Table:
    queries, items, values = zip(*rows, strict=True)
    return pa.table({"query": queries, "item": items, name: pa.array(values, pa.float64())})


def on_disk(memory: int, rows: list[tuple[str, str, int]] = ROWS) -> RowsOnDisk[Ranking]:
    batches = table("score", rows).to_batches(max_chunksize=97)
    return RowsOnDisk.write(Ranking, Stream.from_batches(batches), SCORES, None, memory)


def groups(pairs: list[tuple[Judgments, Ranking]]) -> dict[str, list[tuple[str, float]]]:
    return {query: rows for _, ranking in pairs for query, rows in ranking.to_dict().items()}


@pytest.mark.parametrize("memory", [1, 3_000, 100_000, 10**9])
def test_parts_hold_every_query_once_with_rows_in_order(memory: int) -> None:
    judgments = Judgments.from_mapping({"q1": {"d1": 1}, "q99": {"d1": 1}})
    pairs = list(parts(judgments, on_disk(memory)))
    whole = Ranking.from_table(Stream(table("score")), SCORES).to_dict()
    assert groups(pairs) == whole
    assert sum(len(ranking) for _, ranking in pairs) == len(whole)
    assert sorted(query for judged, _ in pairs for query in judged) == ["q1", "q99"]


def test_parts_of_a_small_memory_are_many() -> None:
    judgments = Judgments.from_mapping({})
    assert len(list(parts(judgments, on_disk(10**9)))) == 1
    assert len(list(parts(judgments, on_disk(1)))) > 40


def test_query_that_is_larger_than_a_part_is_a_part() -> None:
    rows = [("one", f"d{number}", 1) for number in range(500)]
    pairs = list(parts(Judgments.from_mapping({}), on_disk(1, rows)))
    assert groups(pairs) == {"one": [(item, 1.0) for _, item, _ in rows]}


def test_parts_of_hardly_any_memory_are_not_smaller_than_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(list(parts(Judgments.from_mapping({}), on_disk(1)))) > 1
    monkeypatch.setattr("rankgauge.data.rows_on_disk.LEAST", 1 << 30)
    assert len(list(parts(Judgments.from_mapping({}), on_disk(1)))) == 1


def test_numbers_and_texts_of_one_query_meet_in_one_part() -> None:
    numbers = pa.table({"query": [7, 8, 9], "item": [1, 2, 3], "grade": [1, 1, 1]})
    judged = RowsOnDisk.write(Judgments, Stream(numbers), GRADES, None, 1)
    texts = [(str(query), "d", 1) for query in (7, 8, 9)]
    pairs = [(list(j.text_queries()), list(r.text_queries())) for j, r in parts(judged, on_disk(1, texts))]
    assert sorted(pair for pair in pairs if pair[0] or pair[1]) == [([q], [q]) for q in ("7", "8", "9")]


def test_spilled_rows_leave_no_name_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    side = on_disk(1_000)
    assert list(tmp_path.iterdir()) == []
    assert groups(list(parts(Judgments.from_mapping({}), side)))


def test_error_of_a_generator_is_raised_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def batches() -> Iterator[pa.RecordBatch]:
        yield from table("score").to_batches(max_chunksize=500)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rg.evaluate({"q1": {"d1": 1}}, batches(), memory=1_000)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_a_stream_are_counted_while_they_are_written() -> None:
    seen = []

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in table("score").to_batches(max_chunksize=500):
            seen.append(progress())
            yield batch
        seen.append(progress())

    begin_progress(0)
    RowsOnDisk.write(Ranking, Stream.from_batches(batches()), SCORES, None, 1_000)
    assert seen[1:] == [(rows, 0, "rows") for rows in (500, 1000, 1500, 2000)]


def test_bytes_of_a_file_that_is_being_read_are_counted_instead_of_rows() -> None:
    begin_progress(1_000)
    on_disk(1_000)
    assert progress() == (0, 1_000, "bytes")


_PROGRAM = """
import os, signal, sys, resource
import pyarrow as pa, rankgauge as rg
number = 0
def batches():
    global number
    while True:
        number += 1
        if number == 20:
            {then}
        texts = [f"q{{n}}" for n in range(1000)]
        yield pa.record_batch({{"query": texts, "item": ["d" * 50] * 1000, "score": [1.0] * 1000}})
try:
    rg.evaluate({{"q1": {{"d1": 1}}}}, batches(), memory=20_000)
except rg.RankgaugeError as error:
    print(error.code, error)
"""


def run(then: str, folder: Path, blocks: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program; `blocks` of 1,024 bytes are the longest file. The shell sets that: JAX forbids to fork."""
    program = [sys.executable, "-c", _PROGRAM.format(then=then)]
    limited = program if blocks is None else ["bash", "-c", f'ulimit -f {blocks}; exec "$0" "$@"', *program]
    environment = {**os.environ, "TMPDIR": str(folder)}
    return subprocess.run(limited, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_spilled_rows_after_a_signal_leave_no_file(tmp_path: Path, sent: signal.Signals) -> None:
    ended = run(f"os.kill(os.getpid(), {int(sent)})", tmp_path)
    assert ended.returncode == -sent
    assert list(tmp_path.iterdir()) == []


def test_spilled_rows_on_a_full_disk_raise_no_room_on_disk(tmp_path: Path) -> None:
    ended = run("pass", tmp_path, blocks=100)
    assert ended.stdout.startswith(
        f"no-room-on-disk {tmp_path}: expected room for temporary files, got: File too large"
    )
    assert "TMPDIR" in ended.stdout
    assert list(tmp_path.iterdir()) == []


_FORKED = """
import os
from tests.data.test_rows_on_disk import groups, parts, on_disk
from rankgauge.data.judgments import Judgments
side = on_disk(1_000)
child = os.fork()
count = len(groups(list(parts(Judgments.from_mapping({}), side))))
if child == 0:
    os._exit(0 if count == 40 else 1)
assert os.waitpid(child, 0)[1] == 0
assert count == 40
"""


def test_forked_child_reads_what_the_parent_wrote() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", _FORKED], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
