"""`--engine spark`: the numbers of the native command, and one line for whatever goes wrong."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from pyarrow import orc
from tests.cli.conftest import Run
from tests.engines.spark.comparisons import other_run
from tests.engines.spark.data import JUDGED, RANKED, frame, rows
from tests.program import run_with_java
from tests.required_programs import require_program


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    judged, ranked = rows(30)
    frame(judged, JUDGED).write_csv(tmp_path / "judgments.csv")
    (tmp_path / "runs").mkdir()
    table = frame(ranked, RANKED)
    table[:200].write_parquet(tmp_path / "runs" / "part-0.parquet")
    table[200:].write_parquet(tmp_path / "runs" / "part-1.parquet")
    table.write_csv(tmp_path / "run.csv")
    return tmp_path


@pytest.fixture
def formats(tmp_path: Path) -> Path:
    """A run in each format that Spark reads, and the same runs as CSV, which native reads, under the same names."""
    judged, ranked = rows(30)
    frame(judged, JUDGED).write_csv(tmp_path / "judgments.tsv", separator="\t")
    (tmp_path / "native").mkdir()
    for seed, suffix in enumerate(("csv", "parquet", "tsv", "jsonl", "orc")):
        run = frame(other_run(ranked, seed=seed), RANKED)
        run.write_csv(tmp_path / "native" / f"run_{suffix}.csv")
        write(run, tmp_path / f"run_{suffix}.{suffix}")
    return tmp_path


def write(run: pl.DataFrame, path: Path) -> None:
    """Write a run in the format that its suffix says."""
    if path.suffix == ".orc":
        orc.write_table(run.to_arrow(), path)
    elif path.suffix == ".jsonl":
        run.write_ndjson(path)
    elif path.suffix == ".parquet":
        run.write_parquet(path)
    else:
        run.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")


def test_spark_of_files_prints_what_native_prints(folder: Path) -> None:
    require_program("java", "openjdk-17-jre-headless")
    asked = ("-m", "ndcg@10", "-m", "map", "--format", "json")
    native = run_with_java("evaluate", folder / "judgments.csv", folder / "run.csv", *asked)
    switches = ("--engine", "spark", "--master", "local[2]")
    actual = run_with_java("evaluate", folder / "judgments.csv", folder / "runs", *asked, *switches)
    assert (actual.code, actual.stdout, actual.stderr) == (0, native.stdout, native.stderr)
    assert sorted(path.name for path in folder.iterdir()) == ["judgments.csv", "run.csv", "runs"]


@pytest.mark.full
def test_spark_compares_runs_of_all_formats_as_native_does(formats: Path) -> None:
    require_program("java", "openjdk-17-jre-headless")
    asked = ("compare", formats / "judgments.tsv", "--format", "json")
    native = run_with_java(*asked, *sorted(formats.glob("native/run_*")))
    actual = run_with_java(*asked, *sorted(formats.glob("run_*")), "--engine", "spark", "--master", "local[2]")
    assert "run_orc" in actual.stdout
    assert (actual.code, actual.stdout, actual.stderr) == (0, native.stdout, native.stderr)


@pytest.mark.full
def test_spark_of_what_is_not_there_is_refused_in_one_line(folder: Path) -> None:
    require_program("java", "openjdk-17-jre-headless")
    actual = run_with_java("evaluate", folder / "judgments.csv", "file:///nowhere.parquet", "--engine", "spark")
    assert "PATH_NOT_FOUND" in actual.refusal()


def test_spark_without_java_is_refused(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(folder))
    assert (
        "expected Java" in run("evaluate", folder / "judgments.csv", folder / "run.csv", "--engine", "spark").refusal()
    )


@pytest.mark.parametrize("switch", [("--master", "local[2]"), ("--order", "place")])
def test_switches_of_spark_without_it_are_refused(run: Run, folder: Path, switch: tuple[str, str]) -> None:
    refusal = run("evaluate", folder / "judgments.csv", folder / "run.csv", *switch).refusal()
    assert f"expected {switch[0]} with --engine spark" in refusal


def test_reference_engine_prints_what_native_prints(run: Run, folder: Path) -> None:
    asked = ("evaluate", folder / "judgments.csv", folder / "run.csv", "--format", "json")
    assert run(*asked, "--engine", "reference").text() == run(*asked).text()


@pytest.mark.parametrize("switch", [["-q"], ["--by", "segments.csv:device"]])
def test_values_per_query_on_spark_are_refused_before_it_starts(switch: list[str], run: Run) -> None:
    refusal = run("evaluate", "qrels.parquet", "run.parquet", "--engine", "spark", *switch).refusal()
    assert "stay on the cluster" in refusal
