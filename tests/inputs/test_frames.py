from __future__ import annotations

import decimal
from copy import deepcopy
from functools import reduce
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.inputs.small_frames import ITEMS, JUDGED, QUERIES, ROWS, SCORES, TEXTS, failure, rows
from tests.remarks import lines, without_columns

import rankgauge as rg
from rankgauge.errors import RankgaugeError


def pandas(query: Any = QUERIES, item: Any = ITEMS, score: Any = SCORES) -> pd.DataFrame:
    return pd.DataFrame({"query": query, "item": item, "score": score})


def arrow(query: Any = QUERIES, item: Any = ITEMS, score: Any = SCORES) -> pa.Table:
    return pa.table({"query": query, "item": item, "score": score})


class OnlyStream:
    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


# Libraries and types


@pytest.mark.parametrize(
    "dtype", ["object", "string[python]", "string[pyarrow]", "category", pd.ArrowDtype(pa.large_string())]
)
def test_pandas_ids_of_any_text_type_are_read(dtype: Any) -> None:
    texts = [pd.Series(list(map(str, ids)), dtype=dtype) for ids in (QUERIES, ITEMS)]
    assert rows(pandas(*texts)) == ROWS


@pytest.mark.parametrize(
    "dtype",
    [
        "int64",
        "Int64",
        "int8",
        "uint16",
        "float64",
        "Float64",
        "float32",
        "float16",
        "object",
        "category",
        ">i4",
        pd.ArrowDtype(pa.int16()),
        pd.ArrowDtype(pa.float64()),
        pd.SparseDtype(int),
    ],
)
def test_pandas_ids_of_any_number_type_are_read(dtype: Any) -> None:
    assert rows(pandas(*(pd.Series(column).astype(dtype) for column in (QUERIES, ITEMS, SCORES)))) == ROWS


@pytest.mark.parametrize("dtype", ["object", "string", "string[pyarrow]", "category", pd.ArrowDtype(pa.string())])
def test_pandas_scores_as_texts_are_read(dtype: Any) -> None:
    assert rows(pandas(score=pd.Series(list(map(str, SCORES)), dtype=dtype))) == ROWS
    error = failure(pandas(score=pd.Series(["1", "high", "1", "1", "1"], dtype=dtype)))
    assert (error.code, error.place) == ("bad-value", "column 'score', row 1")


@pytest.mark.parametrize("levels", [["query"], ["query", "item"], ["item", "query", "score"]])
def test_pandas_index_levels_are_columns(levels: list[str]) -> None:
    frame = pandas().set_index(levels)
    assert rows(frame if frame.columns.size else frame.assign(other=1)) == ROWS


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt64, pl.Float32, pl.String, pl.Categorical, pl.Int128])
@pytest.mark.parametrize("lazy", [False, True])
def test_polars_frame_of_any_type_is_read(dtype: Any, lazy: bool) -> None:
    frame = pl.DataFrame({"query": QUERIES, "item": ITEMS, "score": SCORES})
    as_text = dtype in (pl.String, pl.Categorical)
    frame = frame.with_columns(pl.col("query", "item").cast(pl.String if as_text else dtype).cast(dtype))
    assert rows(frame.lazy() if lazy else frame) == ROWS


def test_polars_objects_are_refused_by_name() -> None:
    error = failure(pl.DataFrame({"query": QUERIES, "item": pl.Series(TEXTS, dtype=pl.Object), "score": SCORES}))
    assert (error.code, error.place) == ("bad-column", "column 'item'")
    assert "Object" in str(error)


@pytest.mark.parametrize("wrap", [pl.DataFrame, pl.LazyFrame, pa.table], ids=["eager", "lazy", "arrow"])
def test_read_judgments_of_borrowed_memory_keep_what_was_read(wrap: Any) -> None:
    grades = np.array([3.0, 0.0, 1.0, 1.0])
    items = np.arange(4)
    judgments = rg.read_judgments(wrap({"query": np.array([1, 1, 1, 2]), "item": items, "grade": grades}))
    scores = np.array([0.1, 0.2, 0.3, 0.4])
    ranking = rg.read_ranking(wrap({"query": np.array([1, 1, 1, 2]), "item": np.arange(4), "score": scores}))
    before = rg.evaluate(judgments, ranking, "ndcg")["ndcg"]
    grades[:], items[:], scores[:] = np.nan, 7, [4, 3, 2, 1]
    assert rg.evaluate(judgments, ranking, "ndcg")["ndcg"] == before


@pytest.mark.parametrize(("dtype", "most"), [(np.float16, 2**11), (np.float32, 2**24), (np.float64, 2**53)])
def test_float_ids_beyond_whole_numbers_are_refused(dtype: Any, most: int) -> None:
    def frame(item: int) -> pa.Table:
        return pa.table({"query": ["q"], "item": pa.array(np.array([item], dtype=dtype)), "score": [1.0]})

    assert rows(frame(most)) == {"q": [(str(most), 1.0)]}
    assert failure(frame(most + 2)).code == "bad-id"


def test_polars_frame_of_rare_types_is_read() -> None:
    score = pl.Series([decimal.Decimal(str(score)) for score in SCORES])
    enum = pl.Series(TEXTS, dtype=pl.Enum(sorted(TEXTS)))
    assert rows(pl.DataFrame({"query": QUERIES, "item": enum, "score": score})) == ROWS
    far = pl.DataFrame({"query": [1, 1], "item": pl.Series([2**64 - 1, 2**63], dtype=pl.UInt64), "score": [2, 1]})
    assert rows(far) == {"1": [(str(2**64 - 1), 2.0), (str(2**63), 1.0)]}


def in_chunks(column: pl.Series, *ends: int) -> pl.Series:
    """Return the column in chunks that end at these rows, and at its end."""
    starts = [0, *ends]
    pieces = [column[start:end].rechunk() for start, end in zip(starts, [*ends, len(column)], strict=True)]
    return reduce(lambda whole, piece: whole.append(piece), pieces[1:], pieces[0].clone())


@pytest.mark.parametrize("kind", ["whole", "short", "long", "mixed"])
@pytest.mark.parametrize("grouped", [True, False])
def test_polars_chunks_that_end_anywhere_change_no_value(kind: str, grouped: bool) -> None:
    prefix = {"whole": "", "short": "d", "long": "a document with a long id ", "mixed": ""}[kind]
    ids = [f"{'more than twelve bytes ' if kind == 'mixed' and item % 3 else prefix}{item}" for item in range(60)]
    queries = [row // 6 if grouped else row % 10 for row in range(60)]
    item = pl.Series("item", ids).cast(pl.Int64) if kind == "whole" else pl.Series("item", ids)
    number = pl.Series("number", [(7 * row) % 11 for row in range(60)])
    frame = pl.DataFrame([pl.Series("query", queries), item, number])
    chunks = pl.DataFrame([in_chunks(frame["query"], 0, 3, 40), in_chunks(item, 1, 6, 6, 31), in_chunks(number, 59)])
    assert chunks["item"].n_chunks() > 3
    assert chunks["number"].n_chunks() == 2
    judgments, chunked_judgments = (each.rename({"number": "grade"}) for each in (frame, chunks))
    ranking, chunked_ranking = (each.rename({"number": "score"}) for each in (frame, chunks))
    measures = ["ndcg@3", "map", "coverage@2"]
    expected = rg.evaluate(judgments, ranking, measures, engine="reference")
    assert rg.evaluate(chunked_judgments, chunked_ranking, measures).evaluation == expected.evaluation
    assert rg.evaluate(chunked_judgments, ranking.to_pandas(), measures).evaluation == expected.evaluation
    assert deepcopy(rg.read_ranking(chunked_ranking)) == rg.read_ranking(ranking)


@pytest.mark.parametrize(
    "kind",
    [
        *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()),
        *(pa.int8(), pa.uint64(), pa.float32(), pa.dictionary(pa.int8(), pa.string())),
        pa.dictionary(pa.uint32(), pa.int64()),
    ],
)
def test_arrow_ids_of_any_type_are_read(kind: Any) -> None:
    type_ = kind.value_type if pa.types.is_dictionary(kind) else kind
    as_text = any(word in str(type_) for word in ("string", "binary"))
    column = pa.array(TEXTS if as_text else ITEMS, type_)
    assert rows(arrow(item=column.dictionary_encode() if type_ != kind else column)) == ROWS


@pytest.mark.parametrize(
    "score",
    [
        pa.array([decimal.Decimal(2), 2, 1, 1, 3], pa.decimal128(5, 2)),
        pa.array([decimal.Decimal(2), 2, 1, 1, 3], pa.decimal256(50, 2)),
        pa.array(np.array(SCORES, dtype=np.float16)),
        pa.array([2, 2, 1, 1, 3], pa.uint8()),
        pa.array(["2", "2.0", "1e0", " 1", "3"]),
        pa.array(SCORES).dictionary_encode(),
        pa.chunked_array([[], SCORES[:2], [], SCORES[2:]], pa.float64()),
        pa.array([9.0, *SCORES, 9.0])[1:-1],
    ],
)
def test_arrow_scores_of_any_type_are_read(score: Any) -> None:
    assert rows(arrow(score=score)) == ROWS


def test_decimals_of_arrow_round_once() -> None:
    digits = ["0.1", "1234567890123456789012345678.9012345678", "-0.0000000001", "9007199254740993", "1e20"]
    column = pa.array([decimal.Decimal(text) for text in digits], pa.decimal256(60, 10))
    read = rg.read_ranking(arrow(score=column)).to_dict()
    assert [score for ranked in read.values() for _, score in ranked] == [float(text) for text in digits]


def test_dictionary_values_that_no_row_has_are_not_read() -> None:
    values = pa.array(["2.0", None, "no number", "1.0", "3.0"])
    score = pa.DictionaryArray.from_arrays(pa.array([0, 0, 3, 3, 4]), values)
    assert rows(arrow(score=score)) == ROWS


def test_bytes_of_one_length_are_ids() -> None:
    item = pa.array([b"10", b"09", b"08", b"07", b"06"], pa.binary(2))
    assert [ranked[0][0] for ranked in rows(arrow(item=item)).values()] == ["10", "07"]


def test_list_views_in_any_order_are_lists() -> None:
    item = pa.ListViewArray.from_arrays(pa.array([2, 0], pa.int32()), pa.array([1, 3], pa.int32()), pa.array(TEXTS[:3]))
    read = rows(pa.table({"query": [1, 2], "item": item}))
    assert {query: [name for name, _ in ranked] for query, ranked in read.items()} == {"1": ["8"], "2": TEXTS[:3]}


@pytest.mark.parametrize("kind", [pa.string(), pa.int64(), pa.dictionary(pa.int32(), pa.string())])
def test_arrow_chunks_and_slices_are_read(kind: Any) -> None:
    columns = [pa.array(list(map(str, ids))) for ids in (QUERIES, ITEMS)]
    coded = pa.types.is_dictionary(kind)
    queries, items = (column.dictionary_encode() if coded else column.cast(kind) for column in columns)
    empty = pa.array([], kind)
    chunked = pa.chunked_array([empty, items[:1], empty, items[1:4], items[4:]])
    assert rows(arrow(pa.chunked_array([queries[:2], empty, queries[2:]]), chunked)) == ROWS
    longer = pa.concat_tables([arrow(queries, items)] * 3)
    assert rows(longer.slice(5, 5)) == ROWS


@pytest.mark.parametrize(
    "wrap",
    [
        OnlyStream,
        lambda table: table.to_batches()[0],
        lambda table: pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=2)),
        lambda table: OnlyStream(pl.from_arrow(table)),
        duckdb.from_arrow,
        lambda table: duckdb.from_arrow(table).project("score, item::utinyint as item, query::varchar as query"),
    ],
)
def test_tables_of_other_libraries_are_read(wrap: Any) -> None:
    assert rows(wrap(arrow())) == ROWS


def test_duckdb_relation_with_awkward_names_is_read() -> None:
    relation = duckdb.sql('select 1 as "the ""user""", 7 as "select", 2::decimal(4, 1) as score')
    assert rows(relation, {"query": 'the "user"', "item": "select"}) == {"1": [("7", 2.0)]}


@pytest.mark.parametrize("wrap", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_narwhals_frames_are_unwrapped(wrap: Any) -> None:
    assert rows(nw.from_native(wrap({"query": QUERIES, "item": ITEMS, "score": SCORES}))) == ROWS


# Roles


def test_ranking_by_ranks_or_row_order_is_read() -> None:
    table = {"query": QUERIES, "item": ITEMS, "rank": [3, 1, 2, 2, 1]}
    by_rank = rg.evaluate(JUDGED, pd.DataFrame(table), "ndcg@3")
    by_order = rg.evaluate(JUDGED, pd.DataFrame({"query": [1, 1, 1, 2, 2], "item": [9, 8, 10, 6, 7]}), "ndcg@3")
    assert by_rank.per_query["ndcg@3"] == by_order.per_query["ndcg@3"]
    assert lines(by_rank.input_remarks) == ["columns: ranking query=query, item=item, rank=rank"]
    assert lines(by_order.input_remarks, "order") == [
        "order: no column of scores or ranks, so items are ranked in the order of the rows"
    ]
    assert rows(pd.DataFrame(table | {"score": SCORES})) == ROWS
    asked = rows(pd.DataFrame(table | {"score": SCORES}), {"rank": "rank"})
    assert asked == rows(pd.DataFrame(table))


def test_judgments_without_grades_have_grade_one() -> None:
    frame = pl.DataFrame({"user": [1, 1, 2], "movie": [10, 9, 7]})
    result = rg.evaluate(frame, pandas(), "ndcg@3")
    assert result["ndcg@3"] == rg.evaluate({"1": ["10", "9"], "2": ["7"]}, pandas(), "ndcg@3")["ndcg@3"]
    assert lines(result.input_remarks, "grades") == ["grades: no column of grades, so every listed item has grade 1"]


def test_columns_by_name_are_taken() -> None:
    frame = pandas().rename(columns={"query": "who", "item": "what", "score": "how"})
    names = {"query": "who", "item": "what", "score": "how"}
    assert rows(frame, names) == rows(pl.from_pandas(frame), names) == rows(frame.set_index("who"), names) == ROWS
    assert failure(frame).code == "missing-column"
    twins = pd.DataFrame([["a", "b", "c"]], columns=["query", "item", "item"])
    assert failure(twins).code == failure(twins, {"item": "item"}).code == "ambiguous-column"


@pytest.mark.parametrize("source", [pl.Series([1]), pa.chunked_array([[1]]), pa.array([1]), np.zeros((2, 2, 2)), [1]])
def test_object_that_is_no_table_is_refused(source: Any) -> None:
    assert failure(source).code == "unknown-ranking"


def test_ids_of_other_types_match_as_text(tmp_path: Path) -> None:
    (tmp_path / "judgments").write_text("1 0 10 2\n1 0 9 1\n2 0 7 1\n", encoding="utf-8")
    expected = without_columns(rg.evaluate(JUDGED, ROWS, "ndcg@3"))
    frames = [pandas(), pandas(item=TEXTS), pl.from_pandas(pandas(item=np.array(ITEMS, float))), arrow(item=TEXTS)]
    judged = pd.DataFrame({"query": [1, 1, 2], "item": [10, 9, 7], "grade": [2, 1, 1]})
    for judgments in (JUDGED, tmp_path / "judgments", judged, pl.from_pandas(judged.astype(str))):
        for frame in [*frames, ROWS]:
            assert without_columns(rg.evaluate(judgments, frame, "ndcg@3")) == expected


# What is refused


@pytest.mark.parametrize("column", ["query", "item", "score"])
def test_null_is_refused_by_its_row(column: str) -> None:
    for row, chunks in [(1, [[1, None], [2, 3]]), (3, [[1, 2], [3, None]]), (2, [[1, 2], [], [None, 4]])]:
        columns = {"query": [1] * 4, "item": [1, 2, 3, 4], "score": [1.0] * 4}
        table = pa.table(columns | {column: pa.chunked_array(chunks, pa.int64())})
        for frame in (table, pl.from_arrow(table), table.to_pandas(), duckdb.from_arrow(table)):
            error = failure(frame)
            assert (error.code, error.place) == ("null-value", f"column '{column}', row {row}")


@pytest.mark.parametrize("bad", [float("inf"), -float("inf"), float("nan")])
def test_scores_that_are_not_finite_are_refused(bad: float) -> None:
    score = [1.0, bad, 1.0, 1.0, 1.0]
    error = failure(arrow(score=pa.chunked_array([score[:1], score[1:]])))
    assert (error.code, error.place) == ("bad-value", "column 'score', row 1")
    assert failure(pandas(score=score)).place == "column 'score', row 1"


@pytest.mark.parametrize("item", [[1.5, 2, 3, 4, 5], [2.0**60, 2, 3, 4, 5], [[1], [2], [3], [4], 5]])
def test_ids_of_other_types_are_refused(item: Any) -> None:
    error = failure(pandas(item=item))
    assert (error.code, error.place) == ("bad-id", "column 'item', row 0")


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_bytes_that_are_no_utf8_are_refused(kind: Any) -> None:
    error = failure(arrow(item=pa.array([b"a", b"\xff", b"\xfe", b"b", b"c"], kind)))
    assert (error.code, error.place) == ("bad-id", "column 'item', row 1")


@pytest.mark.parametrize("frame", [pandas(item=[10, 10, 8, 7, 6]), arrow(item=["10", "10", "8", "7", "6"])])
def test_duplicate_items_are_refused(frame: Any) -> None:
    assert (failure(frame).code, failure(frame).place) == ("duplicate-item", "query '1', item '10'")


def test_stream_that_fails_is_refused() -> None:
    def batches() -> Any:
        yield arrow().to_batches()[0]
        raise OSError("the disk is gone")

    error = failure(pa.RecordBatchReader.from_batches(arrow().schema, batches()))
    assert (error.code, error.place) == ("failing-table", "ranking")
    assert "the disk is gone" in str(error)


EMPTY = [
    pandas([], [], []),
    pandas().iloc[:0],
    pandas(pd.Categorical([]), pd.Categorical([]), []),
    pl.DataFrame({"query": [], "item": [], "score": []}),
    pl.DataFrame(schema={"query": pl.Int64, "item": pl.String, "score": pl.Float64}),
    pl.DataFrame(schema={"query": pl.Categorical, "item": pl.Enum([]), "score": pl.Float64}).lazy(),
    arrow().slice(0, 0),
    pa.table({"query": pa.array([], pa.dictionary(pa.int8(), pa.string())), "item": [], "score": []}),
]


@pytest.mark.parametrize("frame", EMPTY)
def test_empty_tables_are_refused(frame: Any) -> None:
    assert failure(frame).code == "no-common-query"
    with pytest.raises(RankgaugeError, match="at least one judged query"):
        rg.evaluate(frame, ROWS)


# Many rows


def test_ranking_that_was_read_is_independent_of_its_frame() -> None:
    scores = np.array(SCORES)
    frame = pd.DataFrame({"query": QUERIES, "item": np.array(ITEMS), "score": scores}, copy=False)
    ranking = rg.read_ranking(frame)
    scores[:] = 0.0
    assert ranking.text_groups() == ROWS


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_many_rows_in_any_order_equal_mappings(make: Any) -> None:
    rng = np.random.default_rng(3)
    cells = rng.choice(500 * 400, 50_000, replace=False)
    query, item, score = cells // 400, cells % 400, rng.integers(0, 50, 50_000) / 8
    kept = rng.permutation(50_000)[:30_000]
    grade = rng.integers(0, 4, 30_000)
    ranked: dict[str, dict[str, float]] = {}
    judged: dict[str, dict[str, float]] = {}
    for mapping, values in (
        (ranked, zip(query, item, score, strict=True)),
        (judged, zip(query[kept], item[kept], grade, strict=True)),
    ):
        for query_id, item_id, number in values:
            mapping.setdefault(str(query_id), {})[str(item_id)] = float(number)
    frames = (
        make({"query": query[kept], "item": item[kept], "grade": grade}),
        make({"query": query, "item": item, "score": score}),
    )
    for convention in ("trec_eval", "sklearn", "textbook"):
        options: dict[str, Any] = {"measures": ["ndcg@10", "dcg", "ndcg@5"], "convention": convention}
        expected = without_columns(rg.evaluate(judged, ranked, **options))
        assert without_columns(rg.evaluate(*frames, **options)) == expected
