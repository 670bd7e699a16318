"""Arrow files with changed bytes, read one after another: `python -m tests.inputs.arrow_mutations seed count folder`.

It runs in a process of its own, because what it looks for ends a process.
"""

from __future__ import annotations

import io
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import ipc

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import duckdb_tables
from rankgauge.inputs.input_pair import InputFile

ROWS = 40
QUERIES, ITEMS = [f"q{row // 7}" for row in range(ROWS)], [f"d{row}" for row in range(ROWS)]
SCORES = [row / 3 for row in range(ROWS)]


def tables() -> Iterator[pa.Table]:
    """A table for each way in which ids and numbers come."""
    yield pa.table({"query": QUERIES, "item": ITEMS, "score": SCORES})
    yield pa.table(
        {
            "query": pa.array(QUERIES).dictionary_encode(),
            "item": pa.array(ITEMS).dictionary_encode(),
            "score": pa.array(SCORES, pa.float32()),
        }
    )
    lists = {"item": pa.array([["d1", "d2", "d3"]] * ROWS), "score": pa.array([[0.1, 0.2, 0.3]] * ROWS)}
    yield pa.table({"query": pa.array(range(ROWS)), **lists})
    yield pa.table(
        {
            "query": pa.array(QUERIES, pa.string_view()),
            "item": pa.array(ITEMS, pa.large_string()),
            "score": SCORES,
            "note": pa.nulls(ROWS),
        }
    )
    yield pa.table(
        {
            "query": pa.array(range(ROWS), pa.timestamp("us", "Asia/Seoul")),
            "item": pa.array(range(ROWS), pa.decimal128(20, 0)),
            "score": pa.array([True] * ROWS),
        }
    )


def files() -> Iterator[bytes]:
    for table in tables():
        for compression in (None, "lz4", "zstd"):
            for writer in (ipc.new_file, ipc.new_stream):
                file = io.BytesIO()
                with writer(file, table.schema, options=ipc.IpcWriteOptions(compression=compression)) as out:
                    out.write_table(table, max_chunksize=25)
                yield file.getvalue()


def mutated(good: bytes, rng: random.Random) -> bytes:
    """The same file with a few bytes changed, most of them to numbers that are extreme as lengths."""
    data = bytearray(good)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        place = rng.randrange(len(data))
        kind = rng.random()
        if kind < 0.4:
            data[place] = rng.choice([0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF])
        elif kind < 0.7:
            data[place] = rng.randrange(256)
        elif kind < 0.85:
            number = rng.choice([-1, 0, 1 << rng.randrange(63), -1 - (1 << rng.randrange(62))])
            data[place : place + 8] = number.to_bytes(8, "little", signed=True)
        elif kind < 0.93:
            data[place : place + 4] = (1 << rng.randrange(32)).to_bytes(4, "little")
        elif kind < 0.97:
            del data[place : min(place + rng.randrange(1, 20), len(data) - 1)]
        else:
            data[place:place] = rng.randbytes(rng.randrange(1, 9))
    return bytes(data)


READERS: list[Callable[[Path], Any]] = [
    lambda path: rg.read_ranking(path, format="arrow"),
    lambda path: rg.read_judgments(path, format="arrow", columns={"grade": "score"}),
    lambda path: duckdb_tables.whole(InputFile(str(path), path.name, None), "arrow", {}).fetchall(),  # as graders do
]


def outcome(read: Callable[[Path], Any], path: Path) -> str:
    try:
        read(path)
    except RankgaugeError as error:
        return error.code
    except Exception as error:
        if "duckdb" not in type(error).__module__:
            raise
        return "duckdb"  # which graders word when they ask for the rows
    return "read"


def read_changed(good: list[bytes], name: str, readers: list[Callable[[Path], Any]]) -> None:
    """Read so many changed files, as the command line says, and print what became of them."""
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    rng, path = random.Random(seed), folder / name
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        path.write_bytes(mutated(rng.choice(good), rng))
        outcomes[outcome(rng.choice(readers), path)] += 1
    print(*(f"{outcome}={times}" for outcome, times in sorted(outcomes.items())))


if __name__ == "__main__":
    read_changed(list(files()), "changed.arrow", READERS)
