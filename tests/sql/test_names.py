"""Names of tables and columns are identifiers; nothing else gets into a query."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

import pytest
import sqlglot
from sqlglot import exp

from rankgauge.errors import RankgaugeError
from rankgauge.sql import DIALECTS, query_of
from rankgauge.sql.names import source_of

HOSTILE = [
    *("t; DROP TABLE x", "t -- x", "t /* x */", "(SELECT 1)", "t AS x", "t, u", "t JOIN u", "f(x)", "a.b.c.d.e", ""),
    *("t WHERE 1 = 1", "'t'", "t UNION SELECT 1", "*", "$1", "@stage", "t\n", "1", "t PIVOT(SUM(x) FOR y IN (1))", '"'),
]


def tables_of(sql: str, dialect: str) -> set[str]:
    """The tables that a query reads, beside those inside it."""
    (statement,) = sqlglot.parse(sql, read=dialect)
    assert isinstance(statement, exp.Select)
    return {table.name for table in statement.find_all(exp.Table)} - {cte.alias for cte in statement.find_all(exp.CTE)}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("of_column", [False, True], ids=["table", "column"])
def test_names_that_are_more_than_names_are_refused_or_quoted(name: str, dialect: str, of_column: bool) -> None:
    table, columns = ("t", {"item": name}) if of_column else (name, {})
    with suppress(RankgaugeError):
        sql = query_of("ndcg", dialect=dialect, judgments=table, columns_judgments=columns)
        read = tables_of(sql, dialect) - {"ranking"}
        assert len(read) == 1
        assert not any(word in sql for word in ("DROP", "UNION", "PIVOT", "1 = 1", "f(x)", "F(x)"))


@pytest.mark.parametrize(
    "name",
    [
        "caf\udce9",
        "t; DROP TABLE x",
        "a;b",
        "(SELECT 1)",
        "t AS x",
        "t, u",
        "f(x)",
        "a.b.c.d",
        "",
        "*",
        "a--b",
        "a /* b */",
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_that_are_more_than_names_say_how_to_quote_them(name: str, dialect: str) -> None:
    with pytest.raises(RankgaugeError, match=r"need quotes: .my table.") as refusal:
        query_of("ndcg", dialect=dialect, ranking=name)
    assert refusal.value.code == "bad-name"


@pytest.mark.parametrize(
    ("dialect", "name", "written"),
    [
        ("postgres", "lake.qrels", "lake.qrels"),
        ("postgres", 'lake."My Table"', 'lake."My Table"'),
        ("snowflake", "db.lake.QRELS", "db.lake.QRELS"),
        ("bigquery", "my-project.lake.qrels", "`my-project`.lake.qrels"),
        ("databricks", "`the lake`.qrels", "`the lake`.qrels"),
        ("sqlite", "판정", "판정"),
    ],
)
def test_names_of_a_dialect_are_kept(dialect: str, name: str, written: str) -> None:
    assert source_of("judgments", name, {}, DIALECTS[dialect]).table == written


@pytest.mark.parametrize("column", ["a.b", "x + 1", "sum(x)"])
def test_columns_with_more_than_one_part_are_refused(column: str) -> None:
    with pytest.raises(RankgaugeError, match="as bigquery writes it"):
        query_of("ndcg", dialect="bigquery", columns_judgments={"grade": column})


@pytest.mark.parametrize("name", ["judged", '"ranked"', "Per_Query"])
def test_names_inside_the_query_are_refused_without_a_schema(name: str) -> None:
    with pytest.raises(RankgaugeError, match="another name than those inside the query") as refusal:
        query_of("ndcg", dialect="duckdb", ranking=name)
    assert refusal.value.code == "taken-name"
    assert f"main.{name}" in query_of("ndcg", dialect="duckdb", ranking=f"main.{name}")


def test_roles_of_the_other_side_are_refused() -> None:
    with pytest.raises(RankgaugeError, match="query, item, grade, got 'score'"):
        query_of("ndcg", dialect="duckdb", columns_judgments={"score": "x"})
    with pytest.raises(RankgaugeError, match="got both: score=a, rank=b"):
        query_of("ndcg", dialect="duckdb", columns_ranking={"score": "a", "rank": "b"})


def test_word_of_the_language_as_a_table_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="got 'values'"):
        query_of("ndcg", dialect="bigquery", judgments="values")


@pytest.mark.parametrize("name", ['"qid"', "current_date"])
def test_column_that_a_table_of_sqlite_lacks_is_an_error(name: str) -> None:
    """Without its table, SQLite would take the first for a text, and the second for today."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE qrels (query TEXT, item TEXT, grade REAL)")
    database.execute("CREATE TABLE run (query TEXT, item TEXT, score REAL)")
    sql = query_of("ndcg", dialect="sqlite", judgments="qrels", ranking="run", columns_judgments={"query": name})
    with pytest.raises(sqlite3.OperationalError):
        database.execute(sql)
