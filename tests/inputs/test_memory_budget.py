"""The default of `memory=`: what the machine and its control groups leave, as the files of Linux say it."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import polars as pl
import pyarrow as pa
import pytest
from tests.scale.parts_on_disk import watched

import rankgauge as rg
from rankgauge.data.rows_on_disk import RowsOnDisk
from rankgauge.inputs import memory_budget
from rankgauge.inputs.memory_budget import MemoryBudget, free

GIGABYTE = 1 << 30
# Writes a file of the system, below a root of its own.
Put: TypeAlias = Callable[[str, str], None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """A system without files that say anything about memory."""
    monkeypatch.setattr(memory_budget, "_MEMORY_OF_MACHINE", str(tmp_path / "meminfo"))
    monkeypatch.setattr(memory_budget, "_OWN_GROUP", str(tmp_path / "own_group"))
    monkeypatch.setattr(memory_budget, "_GROUPS", str(tmp_path / "groups"))

    def put(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return put


def limit(put: Put, group: str, most: int | str, used: int | None = None) -> None:
    """Give a control group a limit in gigabytes, or as text, and say how much of it is used."""
    put(f"groups{group}/memory.max", f"{most * GIGABYTE if isinstance(most, int) else most}\n")
    if used is not None:
        put(f"groups{group}/memory.current", f"{used * GIGABYTE}\n")


def test_free_of_a_machine_without_groups_is_what_meminfo_says_is_available(put: Put) -> None:
    put("meminfo", "MemTotal:       16384000 kB\nMemFree:          100000 kB\nMemAvailable:    8000000 kB\n")
    assert free() == 8_000_000 * 1024
    assert MemoryBudget().memory == 6_000_000 * 1024


@pytest.mark.parametrize("text", [None, "", "MemTotal: 16384000 kB\n", "MemAvailable:\n", "MemAvailable: much kB\n"])
def test_free_where_meminfo_does_not_say_is_half_of_the_memory(text: str | None, put: Put) -> None:
    if text is not None:
        put("meminfo", text)
    assert free() == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def test_free_where_no_system_call_says_either_is_four_gigabytes(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> NoReturn:
        raise ValueError(f"unrecognized configuration name: {name}")

    monkeypatch.setattr(os, "sysconf", unknown)
    assert free() == 4 * GIGABYTE


@pytest.fixture
def machine(put: Put) -> int:
    """How many bytes a machine has that limits no process: more than any limit of these tests."""
    put("meminfo", f"MemAvailable: {64 * GIGABYTE // 1024} kB\n")
    return 64 * GIGABYTE


@pytest.mark.parametrize(
    ("group", "limits", "expected"),
    [
        pytest.param("/job", {"/job": (5, 2)}, 3, id="limit less what is used"),
        pytest.param("/job", {"/job": (5, None)}, 5, id="nothing says what is used"),
        pytest.param("/job", {"/job": (2, 5)}, 0, id="more is used than the limit"),
        pytest.param("/", {"": (5, 2)}, 3, id="container, whose group is the root"),
        pytest.param("/a/b/c", {"/a/b/c": (9, 0), "/a": (4, 1), "": ("max", 30)}, 3, id="parent has the lower limit"),
        pytest.param("/a/b/c", {"/a/b/c": (4, 3), "/a": (9, 5)}, 1, id="group has the lower limit"),
        pytest.param("/a/b/c", {"/a/b/c": ("max", 2), "/a/b": (7, 2), "/a": ("max", 9)}, 5, id="group between"),
        pytest.param("/a/b", {"": (6, 1)}, 5, id="groups that are not shown, below one that is"),
        pytest.param("/a/b", {"/other": (1, 0), "/a/b/c": (1, 0)}, 64, id="groups of other processes"),
        pytest.param("/job", {"/job": ("max", 2)}, 64, id="no limit"),
        pytest.param("/job", {"/job": ("many", 2)}, 64, id="limit that is no number"),
        pytest.param("/job", {}, 64, id="no files"),
    ],
)
def test_free_within_control_groups_is_the_least_that_one_of_them_leaves(
    group: str, limits: dict[str, tuple[int | str, int | None]], expected: int, put: Put, machine: int
) -> None:
    put("own_group", f"0::{group}\n")
    for name, (most, used) in limits.items():
        limit(put, name, most, used)
    assert free() == expected * GIGABYTE
    assert MemoryBudget().memory == expected * GIGABYTE * 3 // 4


def test_free_of_a_machine_below_the_limit_of_its_group_is_that_of_the_machine(put: Put) -> None:
    put("meminfo", f"MemAvailable: {GIGABYTE // 1024} kB\n")
    put("own_group", "0::/job\n")
    limit(put, "/job", 5, 0)
    assert free() == GIGABYTE


@pytest.mark.parametrize("text", ["4:memory:/job\n1:name=systemd:/job\n", ""])
def test_free_within_groups_of_version_1_has_the_limit_of_the_root_alone(text: str, put: Put, machine: int) -> None:
    put("own_group", text)
    limit(put, "/job", 1, 0)
    assert free() == machine
    limit(put, "", 3, 0)
    assert free() == 3 * GIGABYTE


def test_budget_with_given_memory_does_not_ask_the_system(put: Put) -> None:
    put("meminfo", "MemAvailable: 1 kB\n")
    assert MemoryBudget(3_000_000).memory == 3_000_000


def test_free_in_a_group_counts_files_that_the_system_gives_up_when_asked(put: Put) -> None:
    put("meminfo", "MemAvailable: 16000000 kB\n")
    put("own_group", "0::/box\n")
    limit(put, "/box", 4, used=4)
    put("groups/box/memory.stat", f"anon 5\nfile {3 * GIGABYTE}\ninactive_file {2 * GIGABYTE}\nactive_file 7\n")
    assert free() == 2 * GIGABYTE
    put("groups/box/memory.stat", "anon 5\n")
    assert free() == 0


def test_text_that_is_held_takes_its_share_and_a_packed_one_more(tmp_path: Path) -> None:
    text = b"q,d,1\n" * 500
    (tmp_path / "judgments.csv").write_bytes(text)
    (tmp_path / "judgments.csv.gz").write_bytes(gzip.compress(text))
    packed = 10 * (tmp_path / "judgments.csv.gz").stat().st_size
    budget = MemoryBudget(9_000)
    assert budget.holds(str(tmp_path / "judgments.csv"))
    budget.take(str(tmp_path / "judgments.csv"))
    assert budget.left == 0
    assert not budget.holds(str(tmp_path / "judgments.csv.gz"))
    assert MemoryBudget(3 * packed).holds(str(tmp_path / "judgments.csv.gz"))
    assert not MemoryBudget(3 * packed - 3).holds(str(tmp_path / "judgments.csv.gz"))
    assert budget.holds(str(tmp_path / "missing.csv"))


@pytest.mark.parametrize("suffix", ["csv", "csv.gz"])
def test_ranking_beside_judgments_in_a_text_has_what_these_leave(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    write = RowsOnDisk.write

    def noted(noun: Any, *asked: Any) -> Any:
        written.append(noun)
        return write(noun, *asked)

    monkeypatch.setattr(RowsOnDisk, "write", noted)
    rows = [(f"q{row % 90}", f"d{row}", row % 4) for row in range(20_000)]
    text = "query,item,grade\n" + "".join(f"{query},{item},{grade}\n" for query, item, grade in rows)
    path = tmp_path / f"judgments.{suffix}"
    path.write_bytes(gzip.compress(text.encode()) if suffix == "csv.gz" else text.encode())
    ranking = pa.table({"query": [row[0] for row in rows], "item": [row[1] for row in rows], "score": range(20_000)})
    batches = ranking.to_batches(1_000)
    expected = rg.evaluate(path, iter(batches))
    assert not written
    assert rg.evaluate(path, iter(batches), memory=3 * (ranking.nbytes + len(text) // 2)) == expected
    assert len(written) == 1


def test_frame_in_memory_counts_what_is_made_of_it_and_not_its_texts() -> None:
    rows = [(f"q{row % 90}", f"d{row:01000}", float(row % 7)) for row in range(900)]
    ranking = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    judgments = ranking.rename({"score": "grade"})
    expected = rg.evaluate(judgments, ranking)
    with watched() as on_disk:
        assert rg.evaluate(judgments, ranking, memory=200_000) == expected
    assert on_disk.written == []
    lists = ranking.group_by("query", maintain_order=True).agg("item", "score")
    with watched() as on_disk:
        assert rg.evaluate(judgments, lists, memory=200_000).values() == expected.values()
    assert on_disk.written == [rg.Ranking]


def test_large_judgments_of_a_file_go_to_disk_beside_a_ranking_that_does(tmp_path: Path) -> None:
    rows = [(f"q{row % 90:04}", f"d{row:09}", float(row % 7)) for row in range(40_000)]
    ranking = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    judgments = ranking.rename({"score": "grade"})
    judgments.write_parquet(tmp_path / "judgments.parquet")
    ranking.sample(fraction=1, shuffle=True, seed=1).write_parquet(tmp_path / "ranking.parquet")
    paths = tmp_path / "judgments.parquet", tmp_path / "ranking.parquet"
    expected = rg.evaluate(*paths)
    size = judgments.to_arrow().nbytes
    # The budget has room for the judgments once: they take all but an eighth of it, or less than half.
    for memory, written in ((3 * size * 3 // 2, [rg.Ranking, rg.Judgments]), (3 * size * 5 // 2, [])):
        with watched() as on_disk:
            assert rg.evaluate(*paths, memory=memory) == expected
        assert on_disk.written == written
    # Batches come once: their judgments take half of the budget at most, and the ranking has room beside them.
    batches = judgments.to_arrow().to_batches()
    with watched() as on_disk:
        assert rg.evaluate(batches, paths[1], memory=3 * size * 3 // 2).values() == expected.values()
    assert on_disk.written == [rg.Judgments]
