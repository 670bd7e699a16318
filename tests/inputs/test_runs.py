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
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.runs import name_of, named_runs, names_of, runs_by_name

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


def write_pieces(folder: Path, rows: pl.DataFrame, name: str = "part-{}.parquet") -> None:
    folder.mkdir(parents=True)
    for number, piece in enumerate(rows.iter_slices(40)):
        piece.write_parquet(folder / name.format(number))


def rows_of(run: str) -> pl.DataFrame:
    return long_table().filter(pl.col("run") == run).drop("run")


def test_patterns_beside_each_other_are_a_run_each_with_the_name_of_their_folder(tmp_path: Path) -> None:
    for name in RUNS:
        write_pieces(tmp_path / name, rows_of(name))
    patterns = [str(tmp_path / name / "part-*.parquet") for name in RUNS]
    assert named_runs(patterns, ReadingOptions()) == dict(zip(RUNS, patterns, strict=True))
    assert difference(patterns) == EXPECTED.difference
    assert difference([patterns[0], tmp_path / "new"]) == EXPECTED.difference


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["a/*.parquet", "b/*.parquet"], ["a", "b"]),
        (["a-*.parquet", "b_*.csv.gz"], ["a", "b"]),
        (["a/part-0*", "s3://bucket/b/date=*/part-*.parquet"], ["a", "b"]),
        (["x/1/run.*", "[ab]/**/*.tsv"], ["1", "[ab]/**/*.tsv"]),
        (["a/c/*", "b/c/*"], ["a/c/*", "b/c/*"]),
        (["/*", "bm25.run"], ["/*", "bm25"]),
    ],
)
def test_names_of_patterns_are_what_all_of_their_files_share(patterns: list[str], names: list[str]) -> None:
    assert names_of(patterns) == names


def test_pattern_of_one_file_beside_others_is_that_file(folder: Path) -> None:
    patterns = [str(folder / "base*.txt"), folder / "new.run.txt"]
    assert difference(patterns) == pytest.approx(EXPECTED.difference, abs=1e-12)


def test_patterns_of_files_that_are_no_table_are_refused_with_the_way_to_compare_them(folder: Path) -> None:
    with pytest.raises(RankgaugeError, match="takes several runs, with a file for each") as refused:
        rg.compare(JUDGMENTS, [folder / "*.run.txt", folder / "new.run.txt"])
    assert refused.value.code == "mixed-pieces"


def test_files_that_begin_with_a_dot_or_an_underscore_are_no_runs(folder: Path) -> None:
    for name in ("_SUCCESS", "_metadata", ".base.run.txt.crc"):
        (folder / name).write_text("no run", encoding="utf-8")
    for runs in (folder, str(folder / "*")):
        assert list(named_runs(runs, ReadingOptions())) == ["base", "new"]
    (folder / "_new.run.txt").write_text("no run", encoding="utf-8")
    assert list(runs_by_name(str(folder / "_*.txt"))) == ["_new"]


@pytest.mark.parametrize("name", ["part-{}.parquet", "{:06}_0.parquet", "data_{}.parquet"])
def test_pieces_of_one_table_are_split_by_its_column_of_runs(tmp_path: Path, name: str) -> None:
    write_pieces(tmp_path / "all", long_table(), name)
    (tmp_path / "all" / "_SUCCESS").touch()
    assert difference(tmp_path / "all") == EXPECTED.difference
    if name.startswith("part"):
        for pattern in ("*", "*.parquet", "part-*"):
            assert difference(str(tmp_path / "all" / pattern)) == EXPECTED.difference


def test_pieces_of_one_table_without_a_column_of_runs_are_one_run(tmp_path: Path) -> None:
    write_pieces(tmp_path / "new", rows_of("new"))
    for runs in (tmp_path / "new", [tmp_path / "new"], str(tmp_path / "new" / "*")):
        with pytest.raises(RankgaugeError, match=r"got 'new'.*pieces of one table, of which a column \(run, "):
            rg.compare(JUDGMENTS, runs)


@pytest.mark.parametrize("key", ["run", "model"])
@pytest.mark.parametrize("write", ["write_parquet", "write_csv"])
def test_hive_partitions_by_run_are_split_by_it(tmp_path: Path, key: str, write: str) -> None:
    for name in RUNS:
        (tmp_path / "all" / f"{key}={name}").mkdir(parents=True)
        getattr(rows_of(name), write)(tmp_path / "all" / f"{key}={name}" / "0.data")
    assert difference(tmp_path / "all") == EXPECTED.difference
    assert difference(str(tmp_path / "all" / "*" / "*")) == EXPECTED.difference


def test_rows_without_a_run_are_refused(tmp_path: Path) -> None:
    table = long_table().with_columns(run=pl.when(pl.col("item") != "d3").then("run"))
    table.write_csv(tmp_path / "all.csv")
    for runs in (table, table.to_pandas(), tmp_path / "all.csv"):
        with pytest.raises(RankgaugeError, match="column 'run': expected a value in every row, got none"):
            rg.compare(JUDGMENTS, runs)


def test_column_with_another_role_names_no_runs(tmp_path: Path) -> None:
    table = long_table("tag").rename({"item": "model"})
    table.write_parquet(tmp_path / "all.parquet")
    for runs in (table, tmp_path / "all.parquet"):
        compared = rg.compare(JUDGMENTS, runs, "ndcg@5", columns_ranking={"item": "model"})
        assert compared.pair("ndcg@5", "new", "base").difference == EXPECTED.difference
