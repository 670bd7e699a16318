"""Files of every format: texts as they occur in the wild, and writers of binary files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
from pyarrow import feather, parquet

from rankgauge.inputs.formats import Format

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
