"""`rankgauge report`: one HTML file that shows an evaluation or a comparison down to the ranks of a query."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import language, options
from rankgauge.cli.comparison_options import ComparisonSwitches, comparison_options
from rankgauge.cli.options import RunSwitches
from rankgauge.cli.output import OutputPath, require_suffix, write
from rankgauge.cli.output_file import require_no_input
from rankgauge.cli.progress import with_progress
from rankgauge.cli.streams_and_signals import say
from rankgauge.compare import compare
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.runs import runs_by_name
from rankgauge.languages import ENGLISH, Text
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import in_language
from rankgauge.presentation.formats import SUFFIXES
from rankgauge.request import RequestSettings

if TYPE_CHECKING:
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.result import Result

EXAMPLES = """
\b
Examples:
  rankgauge report qrels.txt run.txt
  rankgauge report qrels.txt bm25.run dense.run splade.run --baseline bm25 -m ndcg@10 -m map -o report.html
  rankgauge report qrels.txt runs/ --by segments.csv:device
  rankgauge report qrels.txt bm25.run dense.run --texts queries.tsv docs.jsonl
"""
# How to get formats that `report` does not write.
TABLES = "a browser prints the page as PDF; `rankgauge compare … -o table.json`, .csv, .md or .tex writes tables"


def _two_files(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    texts: tuple[str, str] | None,
) -> tuple[str, str] | None:
    """Refuse a switch as the second file, which click takes where only one was given."""
    for text in texts or ():
        if text.startswith("-") and text != "-":
            hint = f"- leaves one out: --texts queries.tsv - {text}"
            raise RankgaugeError("usage", got=f"expected two files after --texts, got the switch {text}", hint=hint)
    return texts


@click.command(short_help="Write a report: one HTML file.", epilog=EXAMPLES)
@options.judgments_argument
@click.argument("runs", type=click.Path(), nargs=-1, required=True, metavar="RANKING…")
@click.option(
    "-o",
    "--output",
    "path",
    type=OutputPath(),
    metavar="FILE",
    default="report.html",
    show_default=True,
    help="The file, written completely or not at all; - is standard output.",
)
@click.option(
    "--texts",
    nargs=2,
    callback=_two_files,
    type=click.Path(),
    metavar="QUERIES ITEMS",
    help="Files that say what queries and items are: lines of id, tab and text, or JSON lines; - leaves one out.",
)
@options.measure_option(several=True)
@options.convention_or_default_option
@comparison_options
@options.by_option
@options.human_option
@options.request_options
@options.run_options("Seed of the permutations.")
@options.reading_options
@click.pass_context
def command(
    context: click.Context,
    judgments: str,
    runs: tuple[str, ...],
    path: str,
    texts: tuple[str, str] | None,
    measure: tuple[str, ...],
    convention: str | None,
    comparison_switches: ComparisonSwitches,
    by: str | None,
    human: str | None,
    switches: RunSwitches,
    settings: RequestSettings,
    reading: ReadingOptions,
) -> None:
    """Write a report about the ranking in the file RANKING, or about several, by the grades in the file JUDGMENTS.

    The report is one HTML file that needs no network: the finding, means and differences with their intervals, charts
    by query, cutoff and rank, what other conventions would have said, and an explorer of all queries.
    """
    others = [None if side == "-" else side for side in texts or (None, None)]
    require_no_input([path], [judgments, *runs, *others, by, human])
    require_suffix(path, "a page of HTML (.html)", TABLES, is_other=lambda suffix: SUFFIXES.get(suffix) != "html")
    asked: dict[str, Any] = {
        "convention": convention,
        "human": human,
        **switches._asdict(),
        **settings._asdict(),
        **reading._asdict(),
    }

    def compute() -> Result | Comparison:
        named = runs_by_name(list(runs), reading)
        if len(named) == 1:
            return evaluate(judgments, next(iter(named.values())), list(measure) or None, **asked)
        given = named or list(runs)
        return compare(judgments, given, list(measure) or None, **comparison_switches._asdict(), **asked)

    made = shlex.join(["rankgauge", *context.find_root().obj])
    pair = None if texts is None else (others[0], others[1])
    report = with_progress(lambda: compute().report(by=by, texts=pair, command=made), "reporting")
    page = report.to_html()
    write(page, path)
    lang = language.asked_language() or ENGLISH
    if lang != ENGLISH:
        say(in_language(Text("--lang has no effect: reports are in English"), lang))
    if path != "-":
        say(printable(f"{path}: {len(page.encode()) / 1000:,.0f} kB; {report.headline}"))
