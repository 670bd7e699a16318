"""`rankgauge sql`: the query, where it is written, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankgauge.sql import query_of

if TYPE_CHECKING:
    from tests.cli.conftest import Run


def test_sql_writes_what_python_returns(run: Run) -> None:
    switches = ["-m", "map", "-m", "P@5", "--judgments", "lake.qrels", "--ranking", "run", "--per-query"]
    settings = ["--missing", "zero", "--unjudged", "drop", "--depth", "9", "--relevance-level", "2"]
    columns = ["--columns-judgments", "query=user,grade=stars", "--columns-ranking", "rank=place"]
    written = run("sql", "--dialect", "sqlite", "--convention", "replay", *switches, *settings, *columns).text()
    assert written == query_of(
        ["map", "P@5"],
        "replay",
        dialect="sqlite",
        judgments="lake.qrels",
        ranking="run",
        columns_judgments={"query": "user", "grade": "stars"},
        columns_ranking={"rank": "place"},
        per_query=True,
        missing="zero",
        unjudged="drop",
        depth=9,
        relevance_level=2,
    )


def test_sql_without_switches_is_ndcg_at_10_by_trec_eval(run: Run) -> None:
    assert run("sql", "--dialect", "duckdb").text() == query_of("ndcg@10", "trec_eval", dialect="duckdb")


def test_sql_to_a_file_writes_it_and_prints_nothing(run: Run, tmp_path: Path) -> None:
    assert run("sql", "--dialect", "postgres", "-o", tmp_path / "ndcg.sql").text() == ""
    assert (tmp_path / "ndcg.sql").read_text(encoding="utf-8") == query_of(dialect="postgres")


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ([], "Missing option '--dialect'"),
        (["--dialect", "oracle"], "'oracle' is not one of"),
        (["--dialect", "duckdb", "-m", "bpref"], "got bpref"),
        (["--dialect", "duckdb", "--convention", "textbook"], "ties=given"),
        (["--dialect", "duckdb", "--judgments", "t; DROP TABLE x"], "got 't; DROP TABLE x'"),
        (["--dialect", "duckdb", "--columns-ranking", "a,b,c"], "expected columns by role"),
        (["--dialect", "duckdb", "--columns-ranking", "a,query=b"], "expected a role for each column"),
        (["--dialect", "duckdb", "--depth", "0"], "depth"),
        (["--dialect", "duckdb", "-o", "no/such/folder/x.sql"], "no/such/folder"),
    ],
)
def test_sql_that_cannot_be_written_is_refused(run: Run, switches: list[str], expected: str) -> None:
    assert expected in run("sql", *switches).refusal()


@pytest.mark.parametrize("name", ["q.json", "q.CSV", "q.parquet"])
def test_sql_to_a_file_of_another_format_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    outcome = run("sql", "--dialect", "duckdb", "-o", str(tmp_path / name))
    assert (outcome.code, list(tmp_path.iterdir())) == (2, [])
    assert "expected a name for SQL (.sql), got" in outcome.stderr
