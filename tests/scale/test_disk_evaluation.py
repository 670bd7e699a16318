"""What does not fit into memory has the bits of what does: any source, any batches, any budget."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale.parts_on_disk import watched

import rankgauge as rg
from rankgauge._core import progress
from rankgauge.data.rows_on_disk import parts
from rankgauge.errors import RankgaugeError
from rankgauge.scale import disk_evaluation

MEASURES = ["ndcg@3", "map", "p@2", "mrr"]
TINY = 3_000

# These tests are about many parts of few rows.
pytestmark = pytest.mark.usefixtures("tiny_parts")

# trec_eval breaks ties by id; the others by row, by average, and as the worst case.
CONVENTIONS = ["trec_eval", "textbook", "sklearn", "lightgbm"]

queries = {
    "text": st.sampled_from([f"q{number}" for number in range(12)]),
    "whole": st.sampled_from([-5, *range(10), 10**6]),
    "date": st.dates(dt.date(2024, 1, 1), dt.date(2024, 1, 12)),
}


def sides(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[pa.Table, pa.Table, int]]:
    keys = st.tuples(ids, st.integers(0, 8))
    judged = st.dictionaries(keys, st.integers(0, 3), min_size=4, max_size=40)
    ranked = st.dictionaries(keys, st.integers(0, 4), min_size=8, max_size=60)
    return st.tuples(
        judged.map(lambda rows: _table(rows, "grade")),
        ranked.map(lambda rows: _table(rows, "score")),
        st.integers(1, 50),
    )


def _table(rows: dict[tuple[Any, int], int], name: str) -> pa.Table:
    columns = {
        "query": [q for q, _ in rows],
        "item": [f"d{i}" for _, i in rows],
        name: [float(v) for v in rows.values()],
    }
    return pa.table(columns)


def outcome(judgments: Any, ranking: Any, **keywords: Any) -> Any:
    """Everything that an evaluation says, to the bit; or its error."""
    try:
        result = rg.evaluate(judgments, ranking, MEASURES, **keywords)
    except RankgaugeError as error:
        return error.code, str(error)
    values = {
        measure: {query: value.hex() for query, value in column.items()} for measure, column in result.per_query.items()
    }
    intervals = [result.interval(measure) for measure in MEASURES]
    remarks = [remark for remark in result.remarks if remark.code != "columns"]
    return [value.hex() for value in result.values()], values, result.counts, repr(intervals), str(remarks)


@pytest.mark.parametrize("kind", queries)
@pytest.mark.parametrize("convention", CONVENTIONS)
@given(data=st.data())
@settings(max_examples=6)
def test_batches_on_disk_have_the_bits_of_memory(kind: str, convention: str, data: st.DataObject) -> None:
    judged, ranked, size = data.draw(sides(queries[kind]))
    expected = outcome(judged, ranked, convention=convention)

    def on_disk(judgments: Any, ranking: Any) -> list[type]:
        with watched() as seen:
            actual = outcome(judgments, ranking, convention=convention, memory=1)
        # A ranking in memory has forgotten which query came first, which a remark may show.
        parts_of_outcome = 4 if isinstance(ranking, rg.Ranking) else None
        assert actual[:parts_of_outcome] == expected[:parts_of_outcome]
        assert seen.parts >= len(set(judged["query"].to_pylist()) & set(ranked["query"].to_pylist()))
        return seen.written

    batches = judged.to_batches(max_chunksize=size), iter(ranked.to_batches(max_chunksize=size))
    assert on_disk(*batches) == [rg.Judgments, rg.Ranking]
    assert on_disk(rg.read_judgments(judged), ranked.to_batches(max_chunksize=size)) == [rg.Ranking]
    assert on_disk(judged, rg.read_ranking(ranked)) == [rg.Judgments]


JUDGED = pa.table(
    {
        "query": [f"q{n % 30}" for n in range(90)],
        "item": [f"d{n}" for n in range(90)],
        "grade": [float(n % 3) for n in range(90)],
    }
)
RANKED = pa.table(
    {
        "query": [f"q{n % 31}" for n in range(400)],
        "item": [f"d{n % 97}-{n // 97}" if n % 2 else f"d{n % 90}" for n in range(400)],
        "score": [float(n % 13) for n in range(400)],
    }
)
RANKED = RANKED.group_by(["query", "item"]).aggregate([("score", "max")]).rename_columns(["query", "item", "score"])


def pieces(folder: Path, write: Callable[[pl.DataFrame, Path], object], suffix: str) -> Path:
    folder.mkdir()
    frame = pl.DataFrame(RANKED)
    for number, start in enumerate(range(0, len(frame), 100)):
        write(frame.slice(start, 100), folder / f"part-{number}{suffix}")
    return folder


def arrow(path: Path, writer: Callable[..., Any]) -> Path:
    with writer(path, RANKED.schema) as file:
        file.write_table(RANKED, max_chunksize=50)
    return path


def hive(folder: Path, write: Callable[..., Any], suffix: str) -> Path:
    frame = pl.DataFrame(RANKED)
    for query, rows in frame.group_by("query", maintain_order=True):
        (folder / f"query={query[0]}").mkdir(parents=True)
        write(rows.drop("query"), folder / f"query={query[0]}" / f"part-0{suffix}")
    (folder / "_SUCCESS").touch()
    return folder


SOURCES: dict[str, Callable[[Path], Any]] = {
    "folder": lambda path: pieces(path / "r", pl.DataFrame.write_parquet, ".parquet"),
    "pattern": lambda path: str(pieces(path / "r", pl.DataFrame.write_parquet, ".parquet") / "*.parquet"),
    "csv pieces": lambda path: pieces(path / "r", pl.DataFrame.write_csv, ".csv"),
    "arrow pieces": lambda path: pieces(path / "r", pl.DataFrame.write_ipc, ".arrow"),
    "arrow file": lambda path: arrow(path / "r.arrow", pa.ipc.new_file),
    "arrow stream": lambda path: arrow(path / "r.arrow", pa.ipc.new_stream),
    "hive": lambda path: hive(path / "r", pl.DataFrame.write_parquet, ".parquet"),
    "hive csv": lambda path: hive(path / "r", pl.DataFrame.write_csv, ".csv"),
    "dataset": lambda path: ds.dataset(pieces(path / "r", pl.DataFrame.write_parquet, ".parquet")),
    "scanner": lambda path: ds.dataset(pieces(path / "r", pl.DataFrame.write_parquet, ".parquet")).scanner(),
    "reader": lambda _: RANKED.to_reader(50),
    "list": lambda _: RANKED.to_batches(50),
    "tuple": lambda _: tuple(RANKED.to_batches(50)),
    "generator": lambda _: (batch for batch in RANKED.to_batches(50)),
    "frames": lambda _: iter([pl.DataFrame(RANKED)[:200], pl.DataFrame(RANKED)[200:]]),
    "relation": lambda _: duckdb.from_arrow(RANKED),
    "lazy": lambda _: pl.DataFrame(RANKED).lazy(),
    "categorical": lambda _: RANKED.set_column(0, "query", RANKED["query"].dictionary_encode()),
    "lists": lambda _: pl.DataFrame(RANKED).group_by("query", maintain_order=True).agg("item", "score"),
}


@pytest.mark.parametrize("memory", [None, 2_000])
@pytest.mark.parametrize("source", SOURCES)
def test_batches_of_every_source_have_the_bits_of_memory(source: str, memory: int | None, tmp_path: Path) -> None:
    expected = outcome(JUDGED, RANKED)
    with watched() as on_disk:
        assert outcome(JUDGED, SOURCES[source](tmp_path), memory=memory) == expected
    assert (rg.Ranking in on_disk.written, on_disk.parts > 1) == (memory is not None, memory is not None)


@pytest.mark.parametrize("memory", [None, TINY])
def test_dataset_in_pieces_keeps_its_filter_its_partitions_and_the_order_of_rows(
    memory: int | None, tmp_path: Path
) -> None:
    pq.write_to_dataset(RANKED, tmp_path / "hive", partition_cols=["query"], row_group_size=7)
    hive = ds.dataset(tmp_path / "hive", partitioning="hive")
    rows = hive.to_table()
    assert outcome(JUDGED, hive, convention="textbook", memory=memory) == outcome(JUDGED, rows, convention="textbook")
    filtered = hive.filter(pc.field("score") > 2)
    assert outcome(JUDGED, filtered, memory=memory) == outcome(JUDGED, filtered.to_table())


def test_hive_partitions_of_csv_keep_the_text_of_ids(tmp_path: Path) -> None:
    for query in ("07", "7", "2026-01-02"):
        (tmp_path / f"query={query}").mkdir()
        (tmp_path / f"query={query}" / "part.csv").write_text("item,score\na,1\nb,2\n")
    judged = {query: {"a": 1} for query in ("07", "7", "2026-01-02")}
    values = rg.evaluate(judged, tmp_path, "mrr").per_query["mrr"]
    assert dict(values) == {"07": 0.5, "7": 0.5, "2026-01-02": 0.5}


def test_subtopics_and_propensities_stay_with_their_rows() -> None:
    subtopics = JUDGED.append_column("subtopic", pa.array([f"s{n % 4}" for n in range(90)]))
    propensities = JUDGED.append_column("propensity", pa.array([0.1 + n % 9 / 10 for n in range(90)]))
    for judged, measure in ((subtopics, "alpha_ndcg@5"), (propensities, "ips_dcg@5")):
        plain, parted = (rg.evaluate(judged, RANKED, measure, memory=memory) for memory in (None, 500))
        assert parted.values() == plain.values()
        assert parted.per_query.to_dict() == plain.per_query.to_dict()
        assert (parted.inputs, plain.inputs is None) == (None, False)


@pytest.mark.parametrize(("column", "place"), [("query", 200), ("item", 300), ("score", 399)])
def test_null_is_reported_with_its_row(column: str, place: int) -> None:
    broken = (
        pl.DataFrame(RANKED)
        .with_row_index()
        .with_columns(pl.when(pl.col("index") == place).then(None).otherwise(pl.col(column)).alias(column))
        .drop("index")
    )
    expected = outcome(JUDGED, broken)
    assert expected[0] == "null-value"
    assert outcome(JUDGED, broken, memory=500) == expected


def test_duplicate_of_the_first_query_is_reported() -> None:
    doubled = pa.concat_tables([RANKED, RANKED.slice(100, 50)])
    expected = outcome(JUDGED, doubled)
    assert expected[0] == "duplicate-item"
    assert outcome(JUDGED, doubled, memory=500) == expected


def test_disjoint_sides_in_parts_have_the_outcome_of_memory() -> None:
    other = RANKED.set_column(0, "query", pa.array([f"Q{n % 9}" for n in range(len(RANKED))]))
    assert outcome(JUDGED, other, memory=500) == outcome(JUDGED, other)
    apart = RANKED.set_column(1, "item", pa.array([f"x{n}" for n in range(len(RANKED))]))
    assert outcome(JUDGED, apart, memory=500) == outcome(JUDGED, apart)


def apart(queries: int, judged: str, ranked: str) -> tuple[pa.Table, pa.Table]:
    """Both sides of queries whose items are written in two ways."""
    rows = [(f"q{number:03}", item) for number in range(queries) for item in range(4)]
    return (
        pa.table(
            {"query": [q for q, _ in rows], "item": [judged.format(i) for _, i in rows], "grade": [1.0] * len(rows)}
        ),
        pa.table(
            {"query": [q for q, _ in rows], "item": [ranked.format(i) for _, i in rows], "score": [1.0] * len(rows)}
        ),
    )


@pytest.mark.parametrize("most_rows", [10_000, 1], ids=["few rows", "many rows"])
@pytest.mark.parametrize("ids", [("d{}", "d{}"), ("{}", "00{}"), ("a{}", "b{}")], ids=["alike", "near", "other"])
def test_items_that_never_meet_are_the_same_remark_on_disk(
    ids: tuple[str, str], most_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_evaluation, "_MOST_ROWS", most_rows)
    judged, ranked = apart(200, *ids)
    expected = outcome(judged, ranked)
    assert ("that were looked at" in str(expected)) == (ids[0] != ids[1])
    for sides_ in ((iter(judged.to_batches(7)), iter(ranked.to_batches(7))), (iter(judged.to_batches(7)), ranked)):
        assert outcome(*sides_, memory=TINY) == expected


@pytest.mark.parametrize(("ids", "passes"), [(("d{}", "d{}"), 1), (("a{}", "b{}"), 2)], ids=["met", "apart"])
def test_parts_are_read_again_only_for_items_that_no_query_knows(
    ids: tuple[str, str], passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def counted(*sides_: Any) -> Any:
        read.append(1)
        return parts(*sides_)

    monkeypatch.setattr("rankgauge.scale.disk_evaluation.parts", counted)
    judged, ranked = apart(200, *ids)
    rg.evaluate(iter(judged.to_batches(7)), iter(ranked.to_batches(7)), memory=TINY)
    assert len(read) == passes


@pytest.mark.parametrize("ranked_on_disk", [True, False], ids=["both on disk", "judgments on disk"])
def test_sides_with_common_items_never_list_the_queries_of_a_part(
    ranked_on_disk: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(ranking: rg.Ranking) -> list[str]:
        raise AssertionError(f"the queries of {ranking!r} were listed")

    judged, ranked = apart(200, "d{}", "d{}")
    monkeypatch.setattr(rg.Ranking, "text_queries", listed)
    ranking = iter(ranked.to_batches(7)) if ranked_on_disk else ranked
    assert rg.evaluate(iter(judged.to_batches(7)), ranking, memory=TINY)["ndcg@10"] == 1.0


def test_compare_of_runs_on_disk_has_the_same_pairs() -> None:
    other = RANKED.slice(0, 300).set_column(2, "score", pa.array([float(n % 5) for n in range(300)]))
    plain = rg.compare(JUDGED, {"one": RANKED, "two": other}, MEASURES)
    parted = rg.compare(
        JUDGED.to_batches(20), {"one": RANKED.to_batches(9), "two": iter(other.to_batches(9))}, MEASURES, memory=500
    )
    mixed = rg.compare(
        JUDGED.to_batches(20), {"one": RANKED.to_batches(9), "two": rg.read_ranking(other)}, MEASURES, memory=500
    )
    assert str(parted) == str(plain) == str(mixed)


def test_compare_of_values_that_do_not_fit_says_to_give_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_evaluation, "_LEAST", 0)
    with pytest.raises(RankgaugeError, match="give more memory=") as caught:
        rg.compare(JUDGED, {"one": RANKED.to_batches(9), "two": RANKED.to_batches(20)}, MEASURES, memory=500)
    assert caught.value.code == "no-queries"


@given(data=st.data())
@settings(max_examples=10)
def test_evaluate_in_parts_with_ids_of_two_types_has_the_bits_of_memory(data: st.DataObject) -> None:
    judged, ranked, size = data.draw(sides(st.integers(-5, 40)))
    texts = ranked.set_column(0, "query", ranked["query"].cast(pa.string()))
    for left, right in ((judged, texts), (texts.rename_columns(["query", "item", "grade"]), ranked)):
        batches = left.to_batches(max_chunksize=size), right.to_batches(max_chunksize=size)
        with watched() as on_disk:
            assert outcome(*batches, memory=1) == outcome(left, right)
        assert on_disk.written == [rg.Judgments, rg.Ranking]


@pytest.mark.parametrize(("judged", "ranked"), [(JUDGED[:0], RANKED), (JUDGED, RANKED[:0]), (JUDGED[:0], RANKED[:0])])
def test_side_without_rows_in_parts_has_the_outcome_of_memory(judged: pa.Table, ranked: pa.Table) -> None:
    assert outcome(judged, ranked, memory=500) == outcome(judged, ranked)


def test_human_labels_correct_what_is_on_disk_as_what_is_in_memory() -> None:
    human = JUDGED.filter(pc.not_equal(JUDGED["query"], "q7"))
    plain = rg.evaluate(JUDGED, RANKED, "map", human=human)
    for labels in (human, human.to_batches(5)):
        parted = rg.evaluate(JUDGED.to_batches(9), RANKED.to_batches(9), "map", human=labels, memory=500)
        assert str(parted) == str(plain)


def test_human_labels_of_values_that_do_not_fit_say_to_give_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_evaluation, "_LEAST", 0)
    with pytest.raises(RankgaugeError, match="give more memory="):
        rg.evaluate(JUDGED.to_batches(9), RANKED.to_batches(9), "map", human=JUDGED, memory=500)


def test_evaluation_counts_the_bytes_of_its_parts() -> None:
    rg.evaluate(JUDGED, RANKED.to_batches(50), MEASURES, memory=500)
    done, total, unit = progress()
    assert unit == "bytes"
    assert done >= total > 0


_WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import duckdb, polars as pl, rankgauge as rg
judged, ranked = sys.argv[1:]
sources = [ranked, duckdb.sql(f"select * from '{ranked}'"), pl.scan_parquet(ranked), pl.read_parquet(ranked)]
for source in sources:
    print(rg.evaluate(judged, source, "ndcg@3", memory=500)["ndcg@3"].hex())
"""


def test_sources_are_read_without_pyarrow(tmp_path: Path) -> None:
    paths = [tmp_path / "judged.parquet", tmp_path / "ranked.parquet"]
    for table, path in zip((JUDGED, RANKED), paths, strict=True):
        pl.DataFrame(table).write_parquet(path)
    program = [sys.executable, "-c", _WITHOUT_PYARROW, *map(str, paths)]
    ended = subprocess.run(program, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert ended.stdout.split() == [rg.evaluate(JUDGED, RANKED, "ndcg@3")["ndcg@3"].hex()] * 4


def test_values_that_do_not_fit_leave_sums_and_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_evaluation, "_LEAST", 0)
    plain = rg.evaluate(JUDGED, RANKED, MEASURES)
    light = rg.evaluate(JUDGED, RANKED, MEASURES, memory=500)
    assert light.values() == plain.values()
    assert [light.interval(m) for m in MEASURES] == [plain.interval(m) for m in MEASURES]
    assert any(remark.code == "no-values" for remark in light.remarks)
    with pytest.raises(RankgaugeError, match="values per query"):
        _ = light.per_query


@pytest.mark.parametrize("memory", ["2 parsecs", -1, 0, True, 1.5, "GB", "1e9"])
def test_memory_that_is_no_size_is_refused(memory: Any) -> None:
    with pytest.raises(RankgaugeError, match="a whole number of bytes"):
        rg.evaluate(JUDGED, RANKED, memory=memory)


def test_batches_with_other_columns_are_refused() -> None:
    odd = [RANKED.to_batches()[0], JUDGED.to_batches()[0]]
    with pytest.raises(RankgaugeError, match="a batch with the columns"):
        rg.evaluate(JUDGED, odd)


def test_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RankgaugeError, match="expected files with rows, got none"):
        rg.evaluate(JUDGED, tmp_path)


def test_iterator_that_is_given_twice_is_refused() -> None:
    def batches() -> Any:
        yield pa.record_batch({"query": ["q"], "item": ["a"], "score": [1.0]})

    once = batches()
    with pytest.raises(RankgaugeError, match="got the iterator that has the judgments"):
        rg.evaluate(once, once)
    with pytest.raises(RankgaugeError, match="got 'the iterator of b' twice"):
        rg.compare({"q": {"a": 1}}, {"a": once, "b": once})
