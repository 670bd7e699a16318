"""`rankgauge evaluate`: judgments and a ranking in, the means out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options, terminal
from rankgauge.conventions import get
from rankgauge.evaluate import evaluate
from rankgauge.inputs import both_sides
from rankgauge.inputs.reading import Reading
from rankgauge.measures import NAMED, parse_all
from rankgauge.measures.request import for_documents
from rankgauge.results import Result
from rankgauge.tables import Table, parts_to_text

if TYPE_CHECKING:
    from rankgauge.measures.trec import Line

EXAMPLES = """
\b
Examples:
  rankgauge evaluate qrels.txt run.txt
  rankgauge evaluate qrels.txt run.txt.gz -m ndcg@5 -m ndcg@10 --per-query
  rankgauge evaluate qrels.txt run.txt -m 'ndcg(gain=exp2)@10' --convention burges
  rankgauge evaluate qrels.txt run.txt -m ndcg --format trec      (as trec_eval prints it)
  rankgauge evaluate ratings.csv recommendations.parquet --columns-judgments query=userId,item=movieId
  zcat run.gz | rankgauge evaluate qrels.txt -
  rankgauge evaluate qrels.txt run.txt --missing zero --format json -o result.json
  rankgauge evaluate cases.json -m ndcg@5                         (truth and recommendations in each case)
"""


@click.command(short_help="Measure how good a ranking is.", epilog=EXAMPLES)
@options.judgments_argument
@options.ranking_argument
@options.measure_option(several=True)
@options.convention_or_default_option
@click.option("-q", "--per-query", is_flag=True, help="Show the value of each query too.")
@click.option("-n", "--no-summary", is_flag=True, help="With -q and --format trec: only the queries (trec_eval -n).")
@options.format_option("table", "trec", "json", "csv", "markdown", "latex")
@options.output_option
@options.missing_option
@options.unjudged_option
@options.depth_option
@options.relevance_level_option
@click.option("-c", "missing_is_zero", is_flag=True, help="The same as --missing zero (trec_eval -c).")
@click.option("-J", "judged_only", is_flag=True, help="The same as --unjudged drop (trec_eval -J).")
@click.option(
    "-N", "--documents", type=click.IntRange(0, 10**15), metavar="N", help="The items of the collection (trec_eval -N)."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the intervals.")
@click.option("--threads", type=int, metavar="N", help="How many cores to use; all unless said.")
@options.reading_options
def command(
    judgments: str,
    ranking: str | None,
    measure: tuple[str, ...],
    convention: str | None,
    per_query: bool,
    no_summary: bool,
    missing_is_zero: bool,
    judged_only: bool,
    documents: int | None,
    format_: str,
    output: str | None,
    **switches: Any,  # noqa: ANN401 - of several types, each checked by click
) -> None:
    """Measure how good the ranking in the file RANKING is, by the grades in the file JUDGMENTS.

    Each is a TREC file, CSV, TSV, JSON lines, Parquet, Arrow, LETOR labels with a file of scores, or a table of a
    database, as in runs.duckdb::bm25; texts may be gzipped, and - is standard input. The order is by score; a rank
    counts where there is no score. A JSON file of cases, each with a truth and recommendations, needs no RANKING.
    """
    switches["missing"] = _shortened(switches["missing"], "zero", given=missing_is_zero, short="-c", long="--missing")
    switches["unjudged"] = _shortened(switches["unjudged"], "drop", given=judged_only, short="-J", long="--unjudged")
    requested = parse_all(measure) if measure and format_ != "trec" else ()
    if convention is not None:
        get(convention)  # what is not known is refused before anything is read
    reading = Reading(**{name: switches.pop(name) for name in Reading._fields if name in switches})
    given = terminal.watched(lambda: both_sides(judgments, ranking, reading))
    convention = given.convention if convention is None else convention
    lines = _trec_lines(measure or [given.measure], convention, documents) if format_ == "trec" else []
    measured = [line.measure for line in lines if line.measure]
    # The name of the run is no measure.
    asked = measured or ([NAMED["num_q"]] if lines else for_documents(requested or parse_all(given.measure), documents))
    result = terminal.watched(
        lambda: evaluate(given, None, asked, convention=convention, **reading._asdict(), **switches)
    )
    if format_ == "trec":
        from rankgauge.cli import trec

        run = result.evaluation.run or ranking or judgments
        options.write(trec.render(result, lines, run, per_query=per_query, summary=not no_summary), output)
    elif format_ == "table" and output is None:
        terminal.show(result.parts(per_query=per_query))
    else:
        options.write(render(result, format_, per_query=per_query), output)


def _trec_lines(measures: Sequence[str], convention: str, documents: int | None) -> list[Line]:
    from rankgauge.cli import trec  # other formats do without

    lines = trec.request(measures, get(convention))
    measured = [(line, line.measure) for line in lines]
    return [
        line if measure is None else line._replace(measure=for_documents([measure], documents)[0])
        for line, measure in measured
    ]


def _shortened(asked: str | None, meant: str, *, given: bool, short: str, long: str) -> str | None:
    """Return what a short switch of trec_eval means, or what the long one says; they must not differ."""
    if given and asked not in (None, meant):
        raise click.UsageError(f"expected {short} or {long} {asked}, got both: {short} means {long} {meant}")
    return meant if given else asked


def render(result: Result, format_: str, *, per_query: bool) -> str:
    """Return the result as text in one of the formats."""
    if format_ == "table":
        return parts_to_text(result.parts(per_query=per_query))
    if format_ == "json":
        return result.to_json(per_query=per_query)
    table = _with_means(result) if per_query else result.table()
    return {"csv": table.to_csv, "markdown": table.to_markdown, "latex": table.to_latex}[format_]()


def _with_means(result: Result) -> Table:
    table = result.per_query.table()
    without_means: list[float | None] = [None] * len(result.evaluation.texts)
    return Table(table.headers, [*table.rows, ["all", *result.means.values(), *without_means]])
