"""The same data as mappings, DataFrames, files and arrays of every kind: each way in by its name."""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
import scipy.sparse

import rankgauge as rg

Groups: TypeAlias = dict[str, dict[str, Any]]

MEASURES = ["ndcg@10", "ndcg", "dcg@5"]
QUERIES, MOST = 40, 30


def made() -> tuple[Groups, Groups]:
    """Queries and items are called by their numbers, and scores are exact in text and in float32."""
    rng = np.random.default_rng(20_260_105)
    judged: Groups = {}
    ranked: Groups = {}
    for query in range(QUERIES):
        length = int(rng.integers(1, MOST + 1)) if query else MOST
        grades = rng.integers(0, 4, length).tolist()
        scores = (rng.permutation(4096)[:length] / 1024 - 2).tolist()
        judged[str(query)] = {str(item): grade for item, grade in enumerate(grades)}
        ranked[str(query)] = {str(item): score for item, score in enumerate(scores)}
    return judged, ranked


def rows(groups: Groups, value: str) -> pl.DataFrame:
    """A table whose rows are in no order."""
    listed = [(query, item, number) for query, items in groups.items() for item, number in items.items()]
    places = np.random.default_rng(len(value)).permutation(len(listed))
    return pl.DataFrame([listed[place] for place in places], schema=["query", "item", value], orient="row")


JUDGED, RANKED = made()
JUDGED_ROWS, RANKED_ROWS = rows(JUDGED, "grade"), rows(RANKED, "score")
REFERENCE = rg.evaluate(JUDGED, RANKED, MEASURES, engine="reference")


def assert_same(result: rg.Result) -> None:
    assert {measure: result[measure] for measure in MEASURES} == {measure: REFERENCE[measure] for measure in MEASURES}
    for measure in MEASURES:
        by_text = {str(query): value for query, value in result.per_query[measure].items()}
        assert by_text == REFERENCE.per_query[measure]
    assert result.counts == REFERENCE.counts


# Python's own types


def converted(query: Any = str, item: Any = str, number: Any = float, outer: Any = dict, inner: Any = dict) -> Any:
    def convert(groups: Groups) -> Any:
        return outer(
            (query(q), inner((item(i), number(value)) for i, value in items.items())) for q, items in groups.items()
        )

    return convert


def numbers_by_label(pairs: Iterator[tuple[Any, Any]]) -> Any:
    return pd.Series(dict(pairs))


MAPPINGS: dict[str, Callable[[Groups], Any]] = {
    "dicts": converted(),
    "dicts of int ids": converted(int, int),
    "dicts of bytes ids": converted(str.encode, str.encode),
    "dicts of NumPy ids": converted(np.str_, np.int32),
    "dicts of float64": converted(number=np.float64),
    "dicts of float32": converted(number=np.float32),
    "defaultdicts": converted(outer=partial(defaultdict, dict), inner=partial(defaultdict, float)),
    "OrderedDicts": converted(int, outer=OrderedDict, inner=OrderedDict),
    "lists of pairs": converted(inner=list),
    "lists of pairs of int ids": converted(int, int, inner=list),
    "Series by label": converted(inner=numbers_by_label),
    "Series by number": converted(int, int, inner=numbers_by_label),
}


# DataFrames


class OnlyCapsule:
    """A table of a library that nobody has heard of."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def cast(ids: Any) -> Callable[[pl.DataFrame], Any]:
    def convert(frame: pl.DataFrame) -> Any:
        table = frame.to_arrow()
        types = [ids, ids, *table.schema.types[2:]]
        return table.cast(pa.schema(list(zip(table.column_names, types, strict=True))))

    return convert


def views(frame: pl.DataFrame) -> Any:
    types = [
        pa.string_view(),
        pa.string_view(),
        *frame.to_arrow().schema.types[2:],
    ]  # a cast to views crashes pyarrow 20
    return pa.table(
        [pa.array(column.to_list(), type_) for column, type_ in zip(frame, types, strict=True)], frame.columns
    )


def encoded(frame: pl.DataFrame) -> Any:
    table = cast(pa.string())(frame)
    for place in (0, 1):
        table = table.set_column(place, table.column_names[place], table.column(place).dictionary_encode())
    return table


def lists(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.group_by("query").agg(frame.columns[1:])


FRAMES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "pandas": lambda frame: frame.to_pandas(),
    "pandas of int ids": lambda frame: frame.to_pandas().astype({"query": int, "item": int}),
    "pandas of categories": lambda frame: frame.to_pandas().astype({"query": "category", "item": "category"}),
    "pandas of Arrow": lambda frame: frame.to_pandas(use_pyarrow_extension_array=True),
    "pandas with an index": lambda frame: frame.to_pandas().set_index(["query", "item"]),
    "pandas of lists": lambda frame: lists(frame).to_pandas(),
    "Polars": lambda frame: frame,
    "Polars of int ids": lambda frame: frame.cast({"query": pl.Int16, "item": pl.UInt64}),
    "Polars of categories": lambda frame: frame.cast({"query": pl.Categorical, "item": pl.Categorical}),
    "Polars in chunks": lambda frame: pl.concat([frame[:7], frame[7:7], frame[7:]], rechunk=False),
    "Polars, lazy": lambda frame: frame.lazy(),
    "Polars of lists": lists,
    "Arrow of strings": cast(pa.string()),
    "Arrow of large strings": cast(pa.large_string()),
    "Arrow of views": views,
    "Arrow of bytes": cast(pa.binary()),
    "Arrow of int ids": cast(pa.int32()),
    "Arrow of dictionaries": encoded,
    "Arrow of lists": lambda frame: lists(frame).to_arrow(),
    "Arrow in batches": lambda frame: pa.RecordBatchReader.from_batches(
        cast(pa.string())(frame).schema, cast(pa.string())(frame).to_batches(max_chunksize=13)
    ),
    "DuckDB": lambda frame: duckdb.from_arrow(frame.to_arrow()),
    "DuckDB of int ids": lambda frame: duckdb.from_arrow(cast(pa.int64())(frame)),
    "DuckDB, filtered": lambda frame: duckdb.from_arrow(frame.to_arrow()).filter("item <> 'none'"),
    "a PyCapsule": OnlyCapsule,
    "a PyCapsule of int ids": lambda frame: OnlyCapsule(cast(pa.uint8())(frame)),
}


# Files


def trec(frame: pl.DataFrame, _: Path) -> bytes:
    judgments = frame.columns[-1] == "grade"
    line = "{} 0 {} {}\n" if judgments else "{} Q0 {} 1 {!r} tag\n"
    return "".join(line.format(*row) for row in frame.rows()).encode()


def separated(**style: Any) -> Callable[[pl.DataFrame, Path], bytes]:
    return lambda frame, _: frame.write_csv(**style).encode()


def packed(write: Callable[[pl.DataFrame, Path], bytes]) -> Callable[[pl.DataFrame, Path], bytes]:
    return lambda frame, folder: gzip.compress(write(frame, folder))


def binary(method: str, **options: Any) -> Callable[[pl.DataFrame, Path], bytes]:
    def write(frame: pl.DataFrame, _: Path) -> bytes:
        buffer = io.BytesIO()
        getattr(frame, method)(buffer, **options)
        return buffer.getvalue()

    return write


def feather(frame: pl.DataFrame, _: Path) -> bytes:
    buffer = io.BytesIO()
    pyarrow.feather.write_feather(cast(pa.string())(frame), buffer, compression="lz4")
    return buffer.getvalue()


def mapping(frame: pl.DataFrame, _: Path) -> bytes:
    return json.dumps(JUDGED if frame.columns[-1] == "grade" else RANKED).encode()


def letor(frame: pl.DataFrame, _: Path) -> bytes:
    if frame.columns[-1] == "grade":
        lines = (f"{grade} qid:{query} 1:{item} 2:0.5\n" for query, item, grade in listed(JUDGED))
    else:
        lines = (f"{score!r}\n" for _, _, score in listed(RANKED))
    return "".join(lines).encode()


def listed(groups: Groups) -> Iterator[tuple[str, str, Any]]:
    return ((query, item, value) for query, items in groups.items() for item, value in items.items())


def in_duckdb(frame: pl.DataFrame, folder: Path) -> bytes:
    path = folder / f"{frame.columns[-1]}.writing"
    with duckdb.connect(path) as database:
        database.from_arrow(frame.to_arrow()).create("rows")
        database.execute("create table others as select 1 as x")
    return path.read_bytes()


def in_sqlite(frame: pl.DataFrame, folder: Path) -> bytes:
    path = folder / f"{frame.columns[-1]}.writing"
    database = sqlite3.connect(path)
    database.execute(f"create table rows ({', '.join(frame.columns)})")
    database.executemany(f"insert into rows values ({', '.join('?' * frame.width)})", frame.rows())  # noqa: S608
    database.commit()
    database.close()
    return path.read_bytes()


FILES: dict[str, Callable[[pl.DataFrame, Path], bytes]] = {
    "file.txt": trec,
    "trec.gz": packed(trec),
    "comma.csv": separated(),
    "tab.tsv": separated(separator="\t"),
    "semicolon.csv": separated(separator=";"),
    "bar.csv": separated(separator="|"),
    "quoted.csv": separated(quote_style="always"),
    "windows.csv": separated(line_terminator="\r\n", include_bom=True),
    "comma.csv.gz": packed(separated()),
    "quoted.csv.gz": packed(separated(quote_style="always")),
    "lines.jsonl": binary("write_ndjson"),
    "lines.jsonl.gz": packed(binary("write_ndjson")),
    "array.json": binary("write_json"),
    "mapping.json": mapping,
    "mapping.json.gz": packed(mapping),
    "file.parquet": binary("write_parquet"),
    "file.arrow": binary("write_ipc"),
    "stream.arrow": binary("write_ipc_stream"),
    "zstd.arrow": binary("write_ipc", compression="zstd"),
    "lz4.feather": feather,
    "rows.letor": letor,
    "base.duckdb::rows": in_duckdb,
    "base.sqlite::rows": in_sqlite,
}


def written(name: str, frame: pl.DataFrame, folder: Path) -> str:
    file, _, table = name.partition("::")
    path = folder / f"{frame.columns[-1]}-{file}"
    path.write_bytes(FILES[name](frame, folder))
    return f"{path}::{table}" if table else str(path)


# Arrays


def padded(groups: Groups) -> Any:
    """A row per query; NaN marks the places without an item."""
    array = np.full((QUERIES, MOST), np.nan)
    for row, items in enumerate(groups.values()):
        array[row, : len(items)] = list(items.values())
    return array


masked: Any = np.ma.masked_array
LABELS, SCORES = padded(JUDGED), padded(RANKED)
ABSENT = np.isnan(SCORES)
SIZES = [len(items) for items in JUDGED.values()]
IDS = np.repeat(np.arange(QUERIES), SIZES)
FLAT = LABELS[~ABSENT], SCORES[~ABSENT]
SHUFFLE = np.random.default_rng(7).permutation(len(IDS))
SHUFFLED = FLAT[0][SHUFFLE], FLAT[1][SHUFFLE]

ARRAYS: dict[str, tuple[Any, ...]] = {
    "a row per query": (LABELS, SCORES),
    "a row per query of float32": (LABELS.astype("f4"), SCORES.astype("f4")),
    "a row per query of int labels": (np.nan_to_num(LABELS).astype(int), SCORES),
    "a row per query of CSR labels": (scipy.sparse.csr_array(np.nan_to_num(LABELS)), SCORES),
    "a row per query of CSC labels": (scipy.sparse.csc_matrix(np.nan_to_num(LABELS)), SCORES),
    "a row per query with a mask": (np.nan_to_num(LABELS), np.nan_to_num(SCORES, nan=9.0), None, ABSENT),
    "a row per query, masked": (np.nan_to_num(LABELS), masked(np.nan_to_num(SCORES), ABSENT)),
    "flat with sizes": (*FLAT, SIZES),
    "flat of int8 with sizes": (FLAT[0].astype("i1"), FLAT[1].astype("f4"), np.array(SIZES, dtype="u2")),
    "flat with boundaries": (*FLAT, np.concatenate([[0], np.cumsum(SIZES)])),
    "flat with ids in order": (*FLAT, IDS),
    "flat with ids in no order": (*SHUFFLED, IDS[SHUFFLE]),
    "flat with ids of text": (*SHUFFLED, IDS[SHUFFLE].astype(str)),
}


# Ranks, and mere order

RANKS = RANKED_ROWS.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("query")).drop("score")
ORDER = RANKED_ROWS.sort("score", descending=True).drop("score")
LISTS = {query: sorted(items, key=items.__getitem__, reverse=True) for query, items in RANKED.items()}
WITHOUT_SCORES = pytest.mark.parametrize("frame", [RANKS, ORDER], ids=["ranks", "order"])
TABLES = [
    name for name in FILES if FILES[name] not in (trec, mapping, letor) and name not in ("trec.gz", "mapping.json.gz")
]


# Pipes


PIPED = [name for name in FILES if "::" not in name and name != "rows.letor"]


def sent(path: Path, content: bytes) -> threading.Thread:
    os.mkfifo(path)
    sender = threading.Thread(target=path.write_bytes, args=(content,))
    sender.start()
    return sender
