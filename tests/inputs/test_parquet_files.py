"""Parquet files: what the core reads is what DuckDB reads, and files that are not what they say are refused."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inputs.files import refusal
from tests.inputs.test_arrow import ROOT, read_mutations

import rankgauge as rg
from rankgauge._core import Stream, parquet_names
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import duckdb_tables
from rankgauge.inputs.roles import Roles

LIMIT = 1 << 30
NAMES = ["query", "item", "score"]
WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DAY = dt.date(2024, 1, 31)
MOMENT = dt.datetime(2024, 1, 31, 9, 30, 0, 250_000)

# What is read in the core, and what is left to DuckDB: ids and numbers of each type, made of a small number.
CORE_IDS: dict[str, Any] = {
    "text": (pa.string(), lambda number: f"d\u00e4{number}"),
    "large text": (pa.large_string(), lambda number: f"{number:03}"),
    "category": (pa.dictionary(pa.int32(), pa.string()), lambda number: f"c{number % 3}"),
    "date": (pa.date32(), lambda number: DAY + dt.timedelta(days=number)),
    **{kind: (pa.type_for_alias(kind), lambda number: number) for kind in WHOLE},
    "whole float": (pa.float64(), float),
}
OTHER_IDS: dict[str, Any] = {
    "bytes": (pa.binary(), lambda number: b"%d" % number),
    "fixed bytes": (pa.binary(2), lambda number: b"%02d" % number),
    "decimal": (pa.decimal128(20, 0), Decimal),
    "moment": (pa.timestamp("us"), lambda number: MOMENT + dt.timedelta(hours=number)),
    "zoned": (pa.timestamp("ns", "Asia/Seoul"), lambda number: MOMENT + dt.timedelta(hours=number)),
    "time": (pa.time32("s"), lambda number: dt.time(number % 24)),
}
CORE_NUMBERS: dict[str, Any] = {
    **{kind: (pa.type_for_alias(kind), lambda number: number) for kind in WHOLE},
    "long": (pa.int64(), lambda number: 2**60 + number),
    "float": (pa.float32(), lambda number: number / 7),
    "double": (pa.float64(), lambda number: number / 7),
    "flag": (pa.bool_(), lambda number: number % 2 == 0),
    "written": (pa.string(), lambda number: f" {number / 7}"),
    "date": (pa.date32(), lambda number: DAY + dt.timedelta(days=number)),
}
OTHER_NUMBERS: dict[str, Any] = {
    "half": (pa.float16(), lambda number: np.float16(number / 8)),
    "decimal": (pa.decimal128(30, 20), lambda number: Decimal(number) / 8),
}


def column(kind: tuple[Any, Any], numbers: list[int | None]) -> pa.Array:
    data_type, value = kind
    return pa.array([None if number is None else value(number) for number in numbers], data_type)


def read(source: Any) -> Any:
    """The rows and the ids of queries with their types, or the code of what is wrong and where."""
    try:
        ranking = rg.read_ranking(source)
    except RankgaugeError as error:
        return error.code, error.place.partition("column")[2]
    return ranking.to_dict(), ranking.queries


def by_duckdb(path: Path) -> Any:
    with duckdb.connect() as database:
        return read(database.sql(f"from read_parquet('{path}')"))


numbers = st.lists(st.integers(0, 99), min_size=12, max_size=12)
CODECS = ["none", "snappy", "zstd", "lz4", "gzip", "brotli"]


@given(
    query=st.sampled_from([*CORE_IDS.values(), *OTHER_IDS.values()]),
    item=st.sampled_from([*CORE_IDS.values(), *OTHER_IDS.values()]),
    score=st.sampled_from([*CORE_NUMBERS.values(), *OTHER_NUMBERS.values()]),
    rows=st.tuples(numbers, numbers, numbers),
    missing=st.sampled_from([None, None, None, (0, 3), (1, 7), (2, 11)]),
    compression=st.sampled_from(CODECS),
    coded=st.sampled_from([True, False, ["query"], ["item"]]),
    version=st.sampled_from(["1.0", "2.0"]),
    group=st.sampled_from([1, 5, 100]),
)
def test_any_table_is_read_as_by_duckdb(
    tmp_path_factory: pytest.TempPathFactory,
    query: Any,
    item: Any,
    score: Any,
    rows: Any,
    missing: tuple[int, int] | None,
    compression: str,
    coded: Any,
    version: str,
    group: int,
) -> None:
    cells: list[list[int | None]] = [list(part) for part in rows]
    if missing:
        cells[missing[0]][missing[1]] = None
    columns = [column(kind, part) for kind, part in zip((query, item, score), cells, strict=True)]
    path = tmp_path_factory.mktemp("parquet") / "run.parquet"
    how: dict[str, Any] = {"compression": compression, "use_dictionary": coded, "data_page_version": version}
    pq.write_table(pa.table(columns, NAMES), path, row_group_size=group, **how)
    assert read(path) == by_duckdb(path)


def written(path: Path, query: Any = CORE_IDS["text"], item: Any = CORE_IDS["text"], **how: Any) -> Path:
    part: list[int | None] = list(range(40))
    columns = [column(query, part), column(item, part), column(CORE_NUMBERS["double"], part)]
    pq.write_table(pa.table(columns, NAMES), path, **how)
    return path


@pytest.mark.parametrize("kind", CORE_IDS)
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "lz4"])
def test_flat_columns_need_no_duckdb(
    kind: str, compression: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "run.parquet", CORE_IDS[kind], compression=compression)
    monkeypatch.delattr(duckdb_tables, "_relation")
    assert len(rg.read_ranking(path)) > 0


@pytest.mark.parametrize("kind", OTHER_IDS)
def test_other_types_are_left_to_duckdb(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path / "run.parquet", OTHER_IDS[kind])
    assert Stream.open_parquet([path], NAMES, LIMIT) is None
    assert Stream.open_parquet([path], ["item", "score"], LIMIT) is not None


@pytest.mark.parametrize(
    "how",
    [
        {"compression": "brotli"},
        {"use_dictionary": False, "column_encoding": {"item": "DELTA_BYTE_ARRAY"}},
    ],
    ids=["brotli", "prefixes"],
)
def test_other_codecs_and_encodings_are_left_to_duckdb(how: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "run.parquet", **how)
    assert Stream.open_parquet([path], NAMES, LIMIT) is None
    assert read(path) == by_duckdb(path)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_gzip_is_read_in_the_core(version: str, tmp_path: Path) -> None:
    path = written(tmp_path / "run.parquet", compression="gzip", data_page_version=version)
    assert Stream.open_parquet([path], NAMES, LIMIT) is not None
    assert read(path) == by_duckdb(path)


@pytest.mark.parametrize("encoding", ["DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT", "PLAIN"])
def test_encodings_of_numbers_are_read_in_the_core(encoding: str, tmp_path: Path) -> None:
    score = "PLAIN" if encoding == "DELTA_BINARY_PACKED" else encoding
    how = {"use_dictionary": False, "column_encoding": {"query": encoding, "score": score}}
    path = written(tmp_path / "run.parquet", CORE_IDS["int64"], **how)
    assert Stream.open_parquet([path], NAMES, LIMIT) is not None
    assert read(path) == by_duckdb(path)


def test_lists_are_left_to_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    pl.DataFrame({"query": [1, 2], "item": [["a", "b"], []], "score": [[0.5, 0.25], []]}).write_parquet(path)
    assert Stream.open_parquet([path], NAMES, LIMIT) is None
    assert read(path) == by_duckdb(path)


def test_dictionary_that_is_given_up_within_a_column_is_read(tmp_path: Path) -> None:
    rows = 3000
    table = pa.table({"query": ["q"] * rows, "item": [f"d{row}" for row in range(rows)], "score": [0.5] * rows})
    pq.write_table(table, tmp_path / "run.parquet", dictionary_pagesize_limit=2000, data_page_size=1000)
    assert read(tmp_path / "run.parquet") == by_duckdb(tmp_path / "run.parquet")


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "lz4"])
@pytest.mark.parametrize("coded", [True, False, ["query"], ["item"]])
@pytest.mark.parametrize("ids", ["text", "int32", "int64"])
def test_pages_of_many_rows_are_read_as_by_duckdb(ids: str, coded: Any, compression: str, tmp_path: Path) -> None:
    draw = np.random.default_rng(7)
    rows = 3000
    # Runs of a query, then queries row by row: dictionaries of up to twelve bits, in pages that end within a run.
    queries = np.concatenate([np.repeat(draw.integers(0, 99, 10), rows // 20), draw.integers(0, 4000, rows // 2)])
    columns = [
        column(CORE_IDS[ids], queries.tolist()),
        column(CORE_IDS[ids], draw.integers(0, 4000, rows).tolist()),
        column(CORE_NUMBERS["double" if ids == "text" else "int32"], draw.integers(0, 99, rows).tolist()),
    ]
    path = tmp_path / "run.parquet"
    how: dict[str, Any] = {"compression": compression, "use_dictionary": coded, "data_page_size": 700}
    pq.write_table(pa.table(columns, NAMES), path, row_group_size=1300, write_batch_size=100, **how)
    assert read(path) == by_duckdb(path)


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("coded", [True, False])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_rows_of_ids_and_numbers_take_no_batches(compression: str, coded: bool, required: bool, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    table = pa.table([["q", "q", "r"], ["d1", "d2", "d30"], [0.5, 0.25, 2]], NAMES)
    fields = [pa.field(name, kind, nullable=not required) for name, kind in zip(NAMES, table.schema.types, strict=True)]
    pq.write_table(table.cast(pa.schema(fields)), path, compression=compression, use_dictionary=coded)
    stream = Stream.open_parquet([path], NAMES, LIMIT)
    assert stream is not None
    column_roles = Roles("query", "item", "score", True)
    # What they take in the table: eight bytes a column, and the texts of the items.
    assert stream.fits(column_roles, LIMIT) == 3 * 24 + len("d1d2d30")
    assert rg.Ranking.from_table(stream, column_roles).to_dict() == {
        "q": [("d1", 0.5), ("d2", 0.25)],
        "r": [("d30", 2.0)],
    }


def test_rows_that_do_not_fit_are_still_in_the_stream(tmp_path: Path) -> None:
    path = written(tmp_path / "run.parquet")
    stream = Stream.open_parquet([path], NAMES, LIMIT)
    assert stream is not None
    column_roles = Roles("query", "item", "score", True)
    assert stream.fits(column_roles, 10) is None
    assert len(rg.Ranking.from_table(stream, column_roles)) == 40


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf")])
def test_fault_in_a_late_row_group_names_its_row(bad: float | None, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    scores = [0.5] * 30 + [bad] + [0.5] * 9
    pl.DataFrame({"query": ["q"] * 40, "item": [f"d{row}" for row in range(40)], "score": scores}).write_parquet(
        path, row_group_size=7
    )
    assert "row 30" in refusal(path).place
    assert read(path) == by_duckdb(path)


def test_long_texts_of_a_dictionary_are_read(tmp_path: Path) -> None:
    rows = 40_000
    table = pa.table({"query": ["q"] * rows, "item": ["d" * 200] * rows, "score": np.arange(rows) / 7})
    pq.write_table(table, tmp_path / "run.parquet")
    assert len(rg.read_ranking(tmp_path / "run.parquet").to_dict()["q"]) == rows


def test_columns_in_another_case_are_renamed_by_duckdb(tmp_path: Path) -> None:
    table = pa.table([["q1"], ["q2"], ["d1"], [0.5]], ["query", "QUERY", "item", "score"])
    pq.write_table(table, tmp_path / "run.parquet")
    assert parquet_names(tmp_path / "run.parquet") is None
    assert read(tmp_path / "run.parquet") == by_duckdb(tmp_path / "run.parquet")


def test_several_files_are_one_stream_in_their_order(tmp_path: Path) -> None:
    paths = [written(tmp_path / name, row_group_size=7) for name in ("b.parquet", "a.parquet")]
    one, both = (Stream.open_parquet(some, NAMES, LIMIT) for some in (paths[:1], paths))
    assert one is not None
    assert both is not None
    column_roles = Roles("query", "item", "score", True)
    once, twice = (rg.Ranking.from_table(stream, column_roles).to_dict() for stream in (one, both))
    assert twice == {query: rows * 2 for query, rows in once.items()}


def test_files_of_different_types_are_no_stream(tmp_path: Path) -> None:
    paths = [written(tmp_path / "a.parquet"), written(tmp_path / "b.parquet", CORE_IDS["int64"])]
    assert Stream.open_parquet(paths, NAMES, LIMIT) is None


def test_first_rows_are_read_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "run.parquet", CORE_IDS["int64"], row_group_size=7)
    stream = Stream.open_parquet([path], NAMES, LIMIT, 10)
    assert stream is not None
    column_roles = Roles("query", "item", "score", True)
    assert rg.Ranking.from_table(stream, column_roles).queries == list(range(10))


def test_texts_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    for coded in (True, False):
        path = written(tmp_path / "run.parquet", compression="none", use_dictionary=coded)
        path.write_bytes(path.read_bytes().replace(b"\xc3\xa47", b"\xff\xff7"))
        assert refusal(path).code == "unreadable-table"


def test_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    whole = written(tmp_path / "run.parquet", row_group_size=10).read_bytes()
    path = tmp_path / "cut.parquet"
    for length in range(4, len(whole), 97):
        path.write_bytes(whole[:length])
        assert refusal(path).code in {"unreadable-table", "bad-format"}


def test_few_bytes_that_claim_many_rows_are_refused(tmp_path: Path) -> None:
    rows = 300_000
    long = "d" * 10_000
    pl.DataFrame({"query": ["q"] * rows, "item": [long] * rows, "score": [0.5] * rows}).write_parquet(
        tmp_path / "run.parquet"
    )
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30));"
    program = f"{limited} import rankgauge as rg; rg.read_ranking(sys.argv[1])"
    command = [sys.executable, "-c", program, str(tmp_path / "run.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "at most 1073741824 bytes" in done.stderr


def test_changed_parquet_files_are_read_or_refused(tmp_path: Path) -> None:
    read_mutations(20_261_118, 300, tmp_path, "parquet_mutations")


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_many_changed_parquet_files_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    read_mutations(seed, 1500, tmp_path, "parquet_mutations")
