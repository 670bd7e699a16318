"""Rankings in Parquet files that are evaluated as their pages are decoded: the same bits as from a table in memory."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples

import rankgauge as rg
from rankgauge._core import Plan, Stream
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import memory_budget
from rankgauge.inputs.roles import Roles
from rankgauge.request import Request

NAMES = ["query", "item", "score"]
LIMIT = 1 << 30
MEASURES = ["ndcg@3", "map", "recall@2", "num_ret", "coverage@2"]


def stream(*paths: Path, names: list[str] = NAMES) -> Stream:
    found = Stream.open_parquet(list(paths), names, LIMIT)
    assert found is not None
    return found


def opened(*paths: Path, ranks: bool = False, most: int = LIMIT, least: int = 0) -> rg.Ranking | None:
    roles = Roles("query", "item", "score", not ranks)
    return rg.Ranking.open_parquet(stream(*paths), roles, str(paths[0]), most, least)


def in_memory(*paths: Path, ranks: bool = False) -> rg.Ranking:
    return rg.Ranking.from_table(stream(*paths), Roles("query", "item", "score", not ranks), str(paths[0]))


def evaluated(plan: Plan, judgments: rg.Judgments, ranking: rg.Ranking) -> bytes | str:
    """The bytes of an evaluation, or what is refused."""
    try:
        return plan.evaluate(judgments.handle, ranking.handle).to_bytes()
    except RankgaugeError as error:
        return str(error)


def require_same(judgments: rg.Judgments, paths: list[Path], *, ranks: bool = False, **asked: Any) -> None:
    """Evaluate page by page and from a table, and compare all bits, or what is refused."""
    pages, table = opened(*paths, ranks=ranks), in_memory(*paths, ranks=ranks)
    assert pages is not None
    plan = Request.of(MEASURES, "trec_eval", **asked).plan()
    assert evaluated(plan, judgments, pages) == evaluated(plan, judgments, table)
    for most in (1, 3, 50):
        assert pages.handle.shares_items(judgments.handle, most) == table.handle.shares_items(judgments.handle, most)
        assert pages.handle.apart(judgments.handle, most) == table.handle.apart(judgments.handle, most)
    assert pages == table
    assert (len(pages), pages.queries) == (len(table), table.queries)


def of_kind(kind: str, numbers: list[int]) -> pa.Array:
    if kind == "text":
        return pa.array([f"\u00e4{number}" for number in numbers])
    if kind == "number as text":
        return pa.array([str(number) for number in numbers])
    return pa.array(numbers, pa.type_for_alias(kind))


KINDS = ["text", "number as text", "int32", "int64"]
lengths = st.lists(st.integers(1, 9), min_size=1, max_size=25)


@examples(300)
@given(
    lengths=lengths,
    queries=st.sampled_from(KINDS),
    items=st.sampled_from(KINDS),
    scores=st.sampled_from(["int32", "int64", "float", "double"]),
    how=st.fixed_dictionaries(
        {
            "row_group_size": st.integers(1, 60),
            "data_page_size": st.sampled_from([1, 64, 1 << 20]),
            "use_dictionary": st.booleans(),
            "compression": st.sampled_from(["none", "snappy", "zstd", "gzip"]),
        }
    ),
    ranks=st.booleans(),
    files=st.integers(1, 3),
    most=st.sampled_from([4, 400]),  # of four items, one is ranked twice in most queries
    data=st.data(),
)
def test_open_parquet_with_any_pages_evaluates_to_the_bits_of_a_table(
    lengths: list[int],
    queries: str,
    items: str,
    scores: str,
    how: dict[str, Any],
    ranks: bool,
    files: int,
    most: int,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    names = random.permutation(len(lengths))  # in no order
    rows = int(np.sum(lengths))
    table = pa.table(
        {
            "query": of_kind(queries, np.repeat(names, lengths).tolist()),
            "item": of_kind(items, random.integers(0, most, rows).tolist()),
            "score": of_kind(scores, random.integers(-3, 4, rows).tolist()),
        }
    )
    folder = tmp_path_factory.mktemp("run")
    ends = np.linspace(0, rows, min(files, rows) + 1).astype(int)
    paths = []
    for first, end in pairwise(ends):
        paths.append(folder / f"{first}.parquet")
        pq.write_table(table.slice(first, end - first), paths[-1], write_batch_size=2, **how)
    columns = {
        "query": of_kind(data.draw(st.sampled_from([queries, "number as text"])), random.integers(0, 30, 40).tolist()),
        "item": of_kind(data.draw(st.sampled_from([items, "text"])), random.integers(0, most, 40).tolist()),
    }
    judged: dict[Any, dict[Any, int]] = {}
    for grade, (query, item) in enumerate(zip(*columns.values(), strict=True)):
        judged.setdefault(query.as_py(), {})[item.as_py()] = grade % 3
    require_same(rg.read_judgments(judged), paths, ranks=ranks)


@pytest.fixture
def judgments() -> rg.Judgments:
    return rg.read_judgments(
        {f"q{query}": {f"d{item}": item % 3 for item in range(0, 40, 4)} for query in range(0, 90, 2)}
    )


def ranking(lengths: list[int], *, seed: int = 0) -> pa.Table:
    random = np.random.default_rng(seed)
    ids = np.repeat(np.arange(len(lengths)), lengths)
    items = np.concatenate([random.permutation(length) for length in lengths])
    return pa.table(
        {
            "query": pa.array([f"q{query}" for query in ids]),
            "item": pa.array([f"d{item}" for item in items]),
            "score": random.integers(0, 50, len(ids)) / 8,
        }
    )


@pytest.mark.parametrize("group", [1 << 20, 70_000, 999])
def test_open_parquet_with_queries_longer_than_windows_and_groups_evaluates_as_a_table(
    group: int, judgments: rg.Judgments, tmp_path: Path
) -> None:
    lengths = [30] * 40 + [150_000, 1, 66_000] + [70] * 900
    pq.write_table(ranking(lengths), tmp_path / "run.parquet", row_group_size=group, data_page_size=50_000)
    require_same(judgments, [tmp_path / "run.parquet"])


def test_open_parquet_with_texts_stored_in_different_ways_evaluates_as_a_table(
    judgments: rg.Judgments, tmp_path: Path
) -> None:
    rows = ranking([30] * 90)
    pq.write_table(rows.slice(0, 1_515), tmp_path / "a.parquet")
    pq.write_table(rows.slice(1_515), tmp_path / "b.parquet", use_dictionary=False)
    require_same(judgments, [tmp_path / "a.parquet", tmp_path / "b.parquet"])


def test_remarks_on_a_file_that_was_changed_are_refused(judgments: rg.Judgments, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(ranking([30] * 90), path)
    pages = opened(path)
    assert pages is not None
    pq.write_table(ranking([31] * 90), path)
    with pytest.raises(RankgaugeError, match="changed since it was opened"):
        pages.handle.shares_items(judgments.handle, 50)


def test_open_parquet_with_bytes_beyond_one_read_evaluates_as_a_table(judgments: rg.Judgments, tmp_path: Path) -> None:
    how: dict[str, Any] = {"compression": "none", "use_dictionary": False, "row_group_size": 1 << 20}
    pq.write_table(ranking([600] * 900), tmp_path / "run.parquet", **how)  # columns of 4 MB and more
    require_same(judgments, [tmp_path / "run.parquet"])


def test_open_parquet_with_empty_row_groups_evaluates_as_a_table(judgments: rg.Judgments, tmp_path: Path) -> None:
    rows = ranking([5] * 90)
    path = tmp_path / "run.parquet"
    with pq.ParquetWriter(path, rows.schema) as writer:
        for first, count in [(0, 0), (0, 200), (200, 0), (200, 13), (213, 1 << 20), (0, 0)]:
            writer.write_table(rows.slice(first, count))
    assert 0 in {pq.read_metadata(path).row_group(group).num_rows for group in range(6)}
    require_same(judgments, [path])


def test_open_parquet_with_a_query_that_lies_apart_opens_nothing(tmp_path: Path) -> None:
    rows = ranking([5, 5, 5])
    pq.write_table(pa.concat_tables([rows, rows.slice(0, 2)]), tmp_path / "apart.parquet", row_group_size=4)
    pq.write_table(rows, tmp_path / "together.parquet")
    assert opened(tmp_path / "apart.parquet") is None
    assert opened(tmp_path / "together.parquet") is not None
    assert opened(tmp_path / "together.parquet", least=16) is None
    assert opened(tmp_path / "together.parquet", most=100) is None


@pytest.mark.parametrize(("lengths", "is_opened"), [([400] * 50, True), ([20_000], False)])
def test_open_parquet_counts_the_rows_of_queries_in_several_row_groups(
    lengths: list[int], is_opened: bool, tmp_path: Path
) -> None:
    pq.write_table(ranking(lengths), tmp_path / "run.parquet", row_group_size=4_000)
    assert (opened(tmp_path / "run.parquet", most=400_000) is not None) == is_opened


@pytest.mark.parametrize(
    "how", [{"data_page_version": "2.0"}, {"compression": "lz4"}, {"column_encoding": {"score": "BYTE_STREAM_SPLIT"}}]
)
def test_open_parquet_with_other_pages_opens_nothing(how: dict[str, Any], tmp_path: Path) -> None:
    how = how | {"use_dictionary": False}
    pq.write_table(ranking([5, 5]), tmp_path / "run.parquet", **how)
    assert opened(tmp_path / "run.parquet") is None


def test_evaluate_with_an_item_ranked_twice_names_it_as_a_table_does(judgments: rg.Judgments, tmp_path: Path) -> None:
    rows = ranking([5] * 90)
    twice = pa.concat_tables([rows.slice(0, 335), rows.slice(330, 1), rows.slice(335)])
    pq.write_table(twice, tmp_path / "run.parquet", row_group_size=100)
    require_same(judgments, [tmp_path / "run.parquet"])


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf")])
def test_evaluate_with_a_late_bad_score_names_its_row(
    bad: float | None, judgments: rg.Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_budget, "LEAST_ROWS", 0)
    rows = ranking([5] * 90).to_pydict()
    rows["score"][333] = bad
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table(rows), path, row_group_size=50, write_statistics=False)
    with pytest.raises(RankgaugeError, match=r"row 333"):
        rg.evaluate(judgments, path, "ndcg@10")


def test_evaluate_of_large_files_says_what_it_says_of_small_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = {f"q{query}": {f"D{item}": 1 for item in range(5)} for query in range(90)}  # written in another case
    path = tmp_path / "run.parquet"
    pq.write_table(ranking([20] * 90), path, row_group_size=100)
    expected = rg.evaluate(judged, path)
    monkeypatch.setattr(memory_budget, "LEAST_ROWS", 0)
    result = rg.evaluate(judged, path)
    assert result == expected
    assert [str(remark) for remark in result.remarks] == [str(remark) for remark in expected.remarks]
    assert "no-common-item" in {remark.code for remark in result.remarks}
    unknown = {"nobody": {"a": 1}}
    with pytest.raises(RankgaugeError, match="q0"):
        rg.evaluate(unknown, path)


def refuse(*_: object) -> None:
    raise AssertionError("rows were written to disk")


def test_evaluate_within_little_memory_needs_no_disk(
    judgments: rg.Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rankgauge.data.rows_on_disk.RowsOnDisk.write", refuse)
    path = tmp_path / "run.parquet"
    pq.write_table(ranking([300] * 1_000), path, row_group_size=50_000)
    assert rg.evaluate(judgments, path, memory=2_000_000) == rg.evaluate(judgments, path)


def test_judgments_of_a_quarter_of_the_memory_need_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_budget, "LEAST_ROWS", 0)
    rows = ranking([400] * 60)
    pq.write_table(rows.rename_columns(["query", "item", "grade"]), tmp_path / "judgments.parquet")
    pq.write_table(rows, tmp_path / "run.parquet")
    paths = tmp_path / "judgments.parquet", tmp_path / "run.parquet"
    expected = rg.evaluate(*paths)
    monkeypatch.setattr("rankgauge.data.rows_on_disk.RowsOnDisk.write", refuse)
    assert rg.evaluate(*paths, memory=5 * rows.nbytes) == expected


def test_judgments_on_disk_evaluate_a_large_ranking_part_by_part(
    judgments: rg.Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_budget, "LEAST_ROWS", 0)
    rows = ranking([400] * 60)
    pq.write_table(rows.rename_columns(["query", "item", "grade"]), tmp_path / "judgments.parquet")
    pq.write_table(rows, tmp_path / "run.parquet")
    paths = tmp_path / "judgments.parquet", tmp_path / "run.parquet"
    assert rg.evaluate(*paths, memory=300_000) == rg.evaluate(*paths)


def test_evaluate_of_a_file_that_was_changed_reads_what_it_has_now(judgments: rg.Judgments, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(ranking([30] * 90), path)
    pages = opened(path)
    assert pages is not None
    pq.write_table(ranking([30] * 90, seed=1), path)
    os.utime(path, (1, 1))
    plan = Request.of(MEASURES, "trec_eval").plan()
    expected = plan.evaluate(judgments.handle, in_memory(path).handle).to_bytes()
    assert plan.evaluate(judgments.handle, pages.handle).to_bytes() == expected
    path.unlink()
    with pytest.raises(RankgaugeError, match="changed since it was opened"):
        plan.evaluate(judgments.handle, pages.handle)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_evaluate_on_any_number_of_threads_gives_the_same_bits(
    threads: int, judgments: rg.Judgments, tmp_path: Path
) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(ranking([30] * 3_000), path, row_group_size=7_001)
    pages = opened(path)
    assert pages is not None
    plan = Request.of(MEASURES, "trec_eval").plan()
    expected = plan.evaluate(judgments.handle, in_memory(path).handle).to_bytes()
    assert plan.evaluate(judgments.handle, pages.handle, threads=threads).to_bytes() == expected


def test_report_of_a_large_ranking_reads_it_again(
    judgments: rg.Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_budget, "LEAST_ROWS", 0)
    path = tmp_path / "run.parquet"
    pq.write_table(ranking([30] * 90), path)
    result = rg.evaluate(judgments, path)
    page = tmp_path / "report.html"
    result.report(page)
    assert "cannot be read again" not in page.read_text()
