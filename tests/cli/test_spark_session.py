"""`--engine spark` without Spark: which format a path has, and what is said of a session that does not start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession

from rankgauge.cli import spark
from rankgauge.errors import RankgaugeError

if TYPE_CHECKING:
    from tests.cli.conftest import Run


class Reader:
    """The reader of a session: it says which format it was asked for."""

    def format(self, name: str) -> Reader:
        self.name = name
        return self

    def load(self, path: str) -> tuple[str, str]:
        return self.name, path


class Session:
    """A session of which only the reader is looked at."""

    read = Reader()


class Unreachable:
    """A builder of sessions whose cluster does not answer."""

    def master(self, _: str) -> Unreachable:
        return self

    def remote(self, _: str) -> Unreachable:
        return self

    def config(self, **_: Any) -> Unreachable:
        return self

    def getOrCreate(self) -> None:  # noqa: N802 - Spark's name
        raise IllegalArgumentException("Cannot call methods on a stopped SparkContext.\nThis is where it was started")


def refused(path: Path) -> str:
    with pytest.raises(RankgaugeError) as caught:
        spark.read(Session, str(path), None, None)
    return str(caught.value)


def test_file_of_parquet_without_a_suffix_is_read_as_parquet(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    pl.DataFrame({"query": ["q1"], "item": ["d1"]}).write_parquet(path)
    assert spark.read(Session, str(path), None, None) == ("parquet", str(path))


@pytest.mark.parametrize("path", ["s3a://logs/judgments", "hdfs://logs/judgments/", "logs/*"])
def test_address_or_pattern_without_a_suffix_is_read_as_parquet(path: str) -> None:
    assert spark.read(Session, path, None, None) == ("parquet", path)


@pytest.mark.parametrize(
    ("name", "got"), [("qrels", "a file without a suffix that is no Parquet"), ("qrels.txt", "got .txt")]
)
def test_file_that_spark_does_not_read_is_refused(name: str, got: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("q1 0 d1 1\n")
    assert got in refused(tmp_path / name)


@pytest.mark.parametrize("name", ["nothing", "nothing.txt", "nothing.parquet"])
def test_path_that_does_not_exist_is_said_to_be_missing(name: str, tmp_path: Path) -> None:
    assert (
        refused(tmp_path / name)
        == f"{tmp_path / name}: expected a file, got nothing of that name. Hint: check the path."
    )


@pytest.mark.parametrize("master", ["spark://nohost:7077", "sc://nohost"])
def test_cluster_that_does_not_answer_is_named(master: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkSession, "builder", Unreachable())
    monkeypatch.setattr(spark, "require_java", lambda: None)
    line = run("evaluate", "qrels.parquet", "run.parquet", "--engine", "spark", "--master", master).refusal()
    assert f"expected Spark at {master}, got Cannot call methods on a stopped SparkContext. Hint: check" in line


def test_address_that_cannot_be_read_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkSession, "builder", SparkSession.Builder())  # which keeps what it was asked for
    master = "sc://localhost:1;use_ssl=perhaps"
    line = run("evaluate", "qrels.parquet", "run.parquet", "--engine", "spark", "--master", master).refusal()
    assert f"expected Spark at {master}, got Port could not be cast to integer value" in line
