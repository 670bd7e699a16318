"""Command lines that newcomers type, and what they are told to type instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run


@pytest.mark.parametrize(
    ("switches", "hint"),
    [
        (["-k", "5"], "-m ndcg@5"),
        (["--top", "20"], "-m ndcg@20"),
        (["-k"], "-m ndcg@10"),
        (["-k", "five"], "-m ndcg@10"),
        (["-m", "ndcg10"], "did you mean 'ndcg@10'?"),
        (["-m", "map-5"], "did you mean 'map@5'?"),
        (["-m", "ndcg@5 recall@5"], "separate measures by commas, as in ndcg@5,recall@5, or by another -m"),
        (["-m", "ndcg;map"], "separate measures by commas"),
        (["-m", "novelty"], "Hint: a measure is a name"),
        (["-m", "diversity"], "Hint: a measure is a name"),
        (["-m", "ndcg(gain=exponential)"], "did you mean 'exp2', which is 2^grade - 1?"),
        (["ndcg@5"], "measures stand behind -m: -m ndcg@5;"),
        (["ndcg@5", "map"], "measures stand behind -m: -m ndcg@5,map;"),
        (["second.run"], "give pieces of one run as their folder"),
        (["other.run"], "compare several runs with `rankgauge compare JUDGMENTS RANKING RANKING`"),
        (["b.parquet", "c.parquet"], "as a quoted pattern, such as 'parts/*.parquet'"),
    ],
)
def test_evaluate_with_what_other_tools_take_says_what_to_type(
    run: Run, files: Files, switches: list[str], hint: str
) -> None:
    assert hint in run("evaluate", *files, *switches).refusal()


@pytest.mark.parametrize(
    ("switch", "hint"),
    [("-q", "rg.evaluate(…).per_query_frame"), ("--by=segments.csv:device", "without --engine spark")],
)
def test_values_per_query_on_spark_are_refused_with_what_to_do_instead(run: Run, switch: str, hint: str) -> None:
    assert hint in run("evaluate", "qrels.parquet", "run.parquet", "--engine", "spark", switch).refusal()


def test_evaluate_without_a_ranking_names_the_command(run: Run, files: Files) -> None:
    assert "rankgauge evaluate JUDGMENTS RANKING" in run("evaluate", files.judgments).refusal()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["compare", "qrels.txt"], "type rankgauge compare [OPTIONS] JUDGMENTS RANKING…"),
        (["evaluate"], "type rankgauge evaluate [OPTIONS] JUDGMENTS [RANKING]"),
        (["report", "qrels.txt", "run.txt", "--texts", "queries.tsv"], "--texts queries.tsv -"),
        (["compare", "--colour"], "`rankgauge compare --help` shows what it takes"),
    ],
)
def test_incomplete_command_line_shows_its_usage(run: Run, arguments: list[str], hint: str) -> None:
    assert hint in run(*arguments).refusal()


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        (["--format", "JSON"], ["--format", "json"]),
        (["--format", "md"], ["--format", "markdown"]),
        (["--format", "TeX"], ["--format", "latex"]),
        (["--convention", "LightGBM"], ["--convention", "lightgbm"]),
        (["--convention", "implicit_feedback"], ["--convention", "implicit-feedback"]),
        (["--engine", "Reference"], ["--engine", "reference"]),
        (["--missing", "Zero"], ["--missing", "zero"]),
    ],
)
def test_choice_in_another_case_or_form_is_the_known_one(
    run: Run, files: Files, typed: list[str], plain: list[str]
) -> None:
    assert run("evaluate", *files, *typed).text() == run("evaluate", *files, *plain).text()


@pytest.mark.parametrize(("typed", "plain"), [("DuckDB", "duckdb"), ("postgresql", "postgres")])
def test_dialect_in_another_case_or_form_is_the_known_one(run: Run, typed: str, plain: str) -> None:
    assert run("sql", "--dialect", typed).text() == run("sql", "--dialect", plain).text()


@pytest.mark.parametrize("typed", ["spark", "Spark-SQL", "spark_sql"])
def test_dialect_of_spark_names_that_of_databricks(run: Run, typed: str) -> None:
    assert "spark.sql runs that of databricks" in run("sql", "--dialect", typed).refusal()


def test_unknown_choice_suggests_the_nearest(run: Run, files: Files) -> None:
    line = run("evaluate", *files, "--format", "markdwn").refusal()
    assert "'markdwn' is not one of 'table'" in line
    assert "did you mean 'markdown'?" in line
