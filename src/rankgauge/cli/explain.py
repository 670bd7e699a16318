"""`rankgauge explain`: the value of one query, rank by rank."""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.output import GENERAL, Output, output_options, present
from rankgauge.cli.progress import with_progress
from rankgauge.explain import explain_request
from rankgauge.inputs import both_sides
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.measures import parse
from rankgauge.request import RequestSettings

EXAMPLES = """
\b
Examples:
  rankgauge explain qrels.txt run.txt --query q7
  rankgauge explain qrels.txt run.txt --query q7 -m 'ndcg(gain=exp2)@5'
  rankgauge explain qrels.txt run.txt --query q7 --html -o q7.html
"""


@click.command(short_help="Show why a query has its value.", epilog=EXAMPLES)
@options.judgments_argument
@options.ranking_argument
@click.option("--query", metavar="Q", help="The id of the query; not needed when there is only one.")
@options.measure_option(several=False)
@options.convention_or_default_option
@click.option(
    "--html",
    is_flag=True,
    help="Write a page on which items can be moved and the value follows; that is --format html.",
)
@output_options(*GENERAL)
@options.request_options
@options.strict_option
@options.reading_options
def command(
    judgments: str,
    ranking: str | None,
    query: str | None,
    measure: str | None,
    convention: str | None,
    html: bool,
    strict: bool,
    settings: RequestSettings,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Show why a query has its value: grade, gain and discount of each rank beside the ideal, and what costs most.

    JUDGMENTS and RANKING are files as `rankgauge evaluate` takes them; a JSON file of cases needs no RANKING.
    """
    if html and click.get_current_context().params["format_"] not in (None, "html"):
        raise click.UsageError("--html is --format html; leave out the other format")
    if measure is not None:
        parse(measure)  # an unknown measure is refused before anything is read
    sides = with_progress(lambda: both_sides(judgments, ranking, reading))
    asked = (sides.measure if measure is None else measure, sides.convention if convention is None else convention)
    request = settings.request(*asked)
    why = with_progress(lambda: explain_request(sides, request, reading, query, strict=strict))
    present(why, output._replace(format_="html") if html else output)
