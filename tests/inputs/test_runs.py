"""Several runs by name, from everything that may hold them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from tests.small_runs import run_with_noise, small_judgments, write_run

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.runs import name_of, named_runs

JUDGMENTS = small_judgments(8)
RUNS = {
    name: run_with_noise(JUDGMENTS, noise, seed) for seed, (name, noise) in enumerate([("base", 2.0), ("new", 0.5)])
}
EXPECTED = rg.compare(JUDGMENTS, RUNS, "ndcg@5").pair("ndcg@5", "new", "base")


def difference(runs: Any) -> float:
    return rg.compare(JUDGMENTS, runs, "ndcg@5").pair("ndcg@5", "new", "base").difference


def long_table(column: str = "run") -> pl.DataFrame:
    rows = [
        (name, query, item, score)
        for name, run in RUNS.items()
        for query, scores in run.items()
        for item, score in scores.items()
    ]
    return pl.DataFrame(rows, schema=[column, "query", "item", "score"], orient="row")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, run in RUNS.items():
        write_run(tmp_path / f"{name}.run.txt", run)
    (tmp_path / ".hidden").write_text("not a run", encoding="utf-8")
    return tmp_path


def test_runs_in_files_a_folder_and_a_pattern_are_named_by_the_files(folder: Path) -> None:
    paths = sorted(folder.glob("*.txt"))
    for runs in (paths, [str(path) for path in paths], folder, str(folder), str(folder / "*.run.txt")):
        assert list(named_runs(runs)) == ["base", "new"]
        assert difference(runs) == pytest.approx(EXPECTED.difference, abs=1e-12)


def test_runs_of_the_same_name_in_two_folders_are_named_by_their_paths(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "run.txt" for folder in ("a", "b")]
    for path, run in zip(paths, RUNS.values(), strict=True):
        path.parent.mkdir()
        write_run(path, run)
    assert list(named_runs(paths)) == [str(path) for path in paths]


@pytest.mark.parametrize("column", ["run", "System", "model"])
def test_runs_in_a_table_are_named_by_the_column(column: str) -> None:
    table = long_table(column)
    relation = duckdb.from_arrow(table.to_arrow())
    for frame in (table, table.lazy(), table.to_pandas(), table.to_arrow(), relation):
        assert difference(frame) == EXPECTED.difference


def test_runs_as_rankings_frames_and_mappings_are_the_same() -> None:
    frame = long_table().filter(pl.col("run") == "new").drop("run").to_pandas()
    assert isinstance(frame, pd.DataFrame)
    runs = {"base": rg.read_ranking(RUNS["base"]), "new": frame}
    assert difference(runs) == EXPECTED.difference


def test_runs_of_cases_are_compared_by_position() -> None:
    truths = [set(grades) - {"d1"} for grades in JUDGMENTS.values()]
    first = [["d1", "d2"] for _ in truths]
    second = [["d2", "d1"] for _ in truths]
    pair = rg.compare(truths, {"a": first, "b": second}, "ndcg@2").pair("ndcg@2", "b", "a")
    assert (pair.wins, pair.n) == (8, 8)


@pytest.mark.parametrize(
    ("runs", "code"),
    [
        ({}, "few-runs"),
        ({"only": RUNS["base"]}, "few-runs"),
        (RUNS["base"], "unknown-runs"),
        ({"a": RUNS["base"], "b": 7}, "unknown-runs"),
        (42, "unknown-runs"),
        (long_table("other"), "no-run-column"),
        (["a.txt", "a.txt"], "same-run"),
        ({1: RUNS["base"], "1": RUNS["base"], "c": RUNS["base"]}, "same-run"),
        ("nothing-here-*.txt", "few-runs"),
    ],
)
def test_runs_that_are_none_are_refused(runs: Any, code: str) -> None:
    with pytest.raises(RankgaugeError) as refused:
        rg.compare(JUDGMENTS, runs)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("als_lr0.01.csv", "als_lr0.01"),
        ("a.v2.csv", "a.v2"),
        ("runs/bm25.k1=0.9", "bm25.k1=0.9"),
        ("bm25.run.txt.GZ", "bm25"),
        ("2026.01.02.parquet", "2026.01.02"),
        ("v1.2/bm25", "bm25"),
        (".hidden.csv", ".hidden"),
    ],
)
def test_name_of_a_file_with_dots_loses_known_suffixes_alone(file: str, name: str) -> None:
    assert name_of(file) == name


@pytest.mark.parametrize(("names", "got"), [([], "got no file of"), (["d1.run"], "got 'd1'")])
def test_runs_of_a_pattern_with_fewer_than_two_files_hint_at_the_pattern(
    names: list[str], got: str, tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).write_text("q Q0 d 1 1.0 t\n")
    for runs in (str(tmp_path / "d*.run"), tmp_path, [tmp_path / "d*.run"]):
        with pytest.raises(RankgaugeError, match=f"{got}.*check the folder or the pattern") as refused:
            rg.compare(JUDGMENTS, runs)
        assert refused.value.code == "few-runs"


def test_error_in_a_run_names_the_run() -> None:
    with pytest.raises(RankgaugeError, match="run 'new': expected at least one query"):
        rg.compare(JUDGMENTS, {"base": RUNS["base"], "new": {"other": ["d1"]}})


def test_folders_beside_each_other_are_a_run_each_in_pieces(tmp_path: Path) -> None:
    for name, run in RUNS.items():
        (tmp_path / name).mkdir()
        rows = [(query, item, score) for query, items in run.items() for item, score in items.items()]
        table = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
        for place, piece in enumerate(table.iter_slices(5)):
            piece.write_parquet(tmp_path / name / f"{place}.parquet")
    folders = [tmp_path / name for name in RUNS]
    assert list(named_runs(folders)) == ["base", "new"]
    assert difference(folders) == pytest.approx(EXPECTED.difference, abs=1e-12)
