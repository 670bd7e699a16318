"""`rankgauge explain`: one query, rank by rank."""

from __future__ import annotations

import click

from rankgauge.cli import options, terminal
from rankgauge.explain import explain

EXAMPLES = """
\b
Examples:
  rankgauge explain qrels.txt run.txt --query q7
  rankgauge explain qrels.txt run.txt --query q7 -m 'ndcg(gain=exp2)@5'
  rankgauge explain qrels.txt run.txt --query q7 --format json
"""


@click.command(short_help="Show why a query has its value.", epilog=EXAMPLES)
@options.judgments_argument
@options.ranking_argument
@click.option("--query", metavar="Q", help="The id of the query; not needed when there is only one.")
@options.measure_option(several=False)
@options.convention_or_default_option
@options.format_option("table", "json", "csv", "markdown")
@options.output_option
@options.missing_option
@options.unjudged_option
@options.depth_option
@options.relevance_level_option
@options.reading_options
def command(
    judgments: str,
    ranking: str | None,
    query: str | None,
    measure: str | None,
    convention: str | None,
    format_: str,
    output: str | None,
    **switches: object,
) -> None:
    """Show why a query has its value: each rank's grade, gain and discount beside the ideal, and what costs most.

    JUDGMENTS and RANKING are files as `rankgauge evaluate` takes them; a JSON file of cases needs no RANKING.
    """
    why = terminal.watched(
        lambda: explain(judgments, ranking, query, measure, convention=convention, **switches)  # type: ignore[arg-type]
    )
    if format_ == "table" and output is None:
        terminal.show(why.parts())
    else:
        table = why.table()
        renderers = {"table": why.__str__, "json": why.to_json, "csv": table.to_csv, "markdown": table.to_markdown}
        options.write(renderers[format_](), output)
