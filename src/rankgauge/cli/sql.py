"""`rankgauge sql`: the query that computes measures inside a database or a warehouse."""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.choices import Choice
from rankgauge.cli.output import OutputPath, require_suffix, write
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.roles import by_role
from rankgauge.presentation.formats import SUFFIXES
from rankgauge.request import RequestSettings
from rankgauge.sql import DIALECTS, query_of

# What no query is written to: the formats of results, and files of tables.
OTHERS = (*SUFFIXES, ".pdf", ".jsonl", ".tsv", ".parquet", ".arrow", ".xlsx", ".db", ".duckdb", ".sqlite")
EXAMPLES = """
\b
Examples:
  rankgauge sql --dialect duckdb --judgments qrels --ranking run | duckdb search.duckdb
  rankgauge sql --dialect bigquery -m ndcg@10 -m map --judgments shop.truth --ranking shop.run
  rankgauge sql --dialect snowflake -m mrr --columns-judgments query=user,item=sku,grade=stars
  rankgauge sql --dialect postgres --columns-ranking rank=position --per-query -o ndcg.sql
"""


@click.command(short_help="Write the SQL that computes measures in a database.", epilog=EXAMPLES)
@options.measure_option(several=True, default="ndcg@10")
@options.convention_option
@click.option(
    "--dialect",
    type=Choice(
        list(DIALECTS),
        also={"postgresql": "postgres", "sqlite3": "sqlite"},
        said=dict.fromkeys(
            ("spark", "spark2", "sparksql", "spark-sql", "pyspark"), "spark.sql runs that of databricks"
        ),
    ),
    required=True,
    help="The SQL of which database is written.",
)
@click.option("--judgments", default="judgments", show_default=True, metavar="TABLE", help="The table of judgments.")
@click.option("--ranking", default="ranking", show_default=True, metavar="TABLE", help="The table of the ranking.")
@options.columns_option("judgments", "query=user,grade=stars", "if they are not query, item and grade")
@options.columns_option("ranking", "query=user,rank=position", "if they are not query, item and score")
@click.option("-q", "--per-query", is_flag=True, help="The value of each query instead of the means.")
@options.request_options
@click.option(
    "-o", "--output", "path", type=OutputPath(), metavar="FILE", help="Write to a file, completely or not at all."
)
def command(
    measure: tuple[str, ...],
    convention: str,
    dialect: str,
    judgments: str,
    ranking: str,
    columns_judgments: ColumnsInput,
    columns_ranking: ColumnsInput,
    per_query: bool,
    settings: RequestSettings,
    path: str | None,
) -> None:
    """Write the query that computes measures where the data is: one statement, readable, with a comment.

    The tables have a row per judged item (query, item, grade) and per ranked item (query, item, score or rank). Names
    are written as in the dialect: lake.qrels, "My Table". Equal scores must not go by the order of rows, which tables
    have not, so some conventions are refused. Needs sqlglot: pip install 'rankgauge[sql]'.
    """
    require_suffix(path, "SQL (.sql)", "`rankgauge evaluate … -o x.json` writes numbers", is_other=OTHERS.__contains__)
    sql = query_of(
        list(measure) or "ndcg@10",
        convention,
        dialect=dialect,
        judgments=judgments,
        ranking=ranking,
        columns_judgments=by_role(columns_judgments or {}),
        columns_ranking=by_role(columns_ranking or {}),
        per_query=per_query,
        **settings._asdict(),
    )
    write(sql, path)
