"""`rankgauge explain`: the value of one query, rank by rank."""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.output import GENERAL, Output, output_options, present
from rankgauge.cli.terminal import with_progress
from rankgauge.explain import explain

EXAMPLES = """
\b
Examples:
  rankgauge explain qrels.txt run.txt --query q7
  rankgauge explain qrels.txt run.txt --query q7 -m 'ndcg(gain=exp2)@5'
  rankgauge explain qrels.txt run.txt --query q7 -o q7.html
"""


@click.command(short_help="Show why a query has its value.", epilog=EXAMPLES)
@options.judgments_argument
@options.ranking_argument
@click.option("--query", metavar="Q", help="The id of the query; not needed when there is only one.")
@options.measure_option(several=False)
@options.convention_or_default_option
@output_options(*GENERAL)
@options.missing_option
@options.unjudged_option
@options.depth_option
@options.relevance_level_option
@options.strict_option
@options.reading_options
def command(
    judgments: str,
    ranking: str | None,
    query: str | None,
    measure: str | None,
    convention: str | None,
    output: Output,
    **switches: object,
) -> None:
    """Show why a query has its value: grade, gain and discount of each rank beside the ideal, and what costs most.

    JUDGMENTS and RANKING are files as `rankgauge evaluate` takes them; a JSON file of cases needs no RANKING.
    """
    explanation = with_progress(
        lambda: explain(judgments, ranking, query, measure, convention=convention, **switches)  # type: ignore[arg-type]
    )
    present(explanation, output)
