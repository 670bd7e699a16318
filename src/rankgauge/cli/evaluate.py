"""`rankgauge evaluate`: judgments and a ranking in, the means out."""

from __future__ import annotations

import math

import click

from rankgauge.cli import options, terminal
from rankgauge.conventions import Convention
from rankgauge.conventions.search import TREC_EVAL
from rankgauge.evaluate import evaluate
from rankgauge.measures import NAMED, Measure
from rankgauge.results import Result
from rankgauge.tables import Table, parts_to_text

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
"""


@click.command(short_help="Measure how good a ranking is.", epilog=EXAMPLES)
@options.judgments_argument
@options.ranking_argument
@options.measure_option(several=True)
@options.convention_option
@click.option("-q", "--per-query", is_flag=True, help="Show the value of each query too.")
@options.format_option("table", "trec", "json", "csv", "markdown", "latex")
@options.output_option
@options.missing_option
@options.unjudged_option
@options.depth_option
@options.relevance_level_option
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the intervals.")
@click.option("--threads", type=int, metavar="N", help="How many cores to use; all unless said.")
@options.reading_options
def command(
    judgments: str,
    ranking: str,
    measure: tuple[str, ...],
    convention: str,
    per_query: bool,
    format_: str,
    output: str | None,
    **switches: object,
) -> None:
    """Measure how good the ranking in the file RANKING is, by the grades in the file JUDGMENTS.

    Each is a TREC file, CSV, TSV, JSON lines, Parquet, Arrow, LETOR labels with a file of scores, or a table of a
    database, as in runs.duckdb::bm25; texts may be gzipped, and - is standard input. The order is by score; a rank
    counts where there is no score.
    """
    result = terminal.watched(
        lambda: evaluate(judgments, ranking, measure, convention=convention, **switches)  # type: ignore[arg-type]
    )
    if format_ == "table" and output is None:
        terminal.show(result.parts(per_query=per_query))
    else:
        options.write(render(result, format_, per_query=per_query), output)


def render(result: Result, format_: str, *, per_query: bool) -> str:
    """Return the result as text in one of the formats."""
    if format_ == "table":
        return parts_to_text(result.parts(per_query=per_query))
    if format_ == "json":
        return result.to_json(per_query=per_query)
    if format_ == "trec":
        return "".join(trec_lines(result, per_query=per_query))
    table = _with_means(result) if per_query else result.table()
    return {"csv": table.to_csv, "markdown": table.to_markdown, "latex": table.to_latex}[format_]()


def trec_lines(result: Result, *, per_query: bool) -> list[str]:
    """Return the lines that trec_eval prints: name, query, value; then the means as query `all`."""
    lines = []
    names = {measure: trec_name(measure, result.convention) for measure in result.measures}
    if per_query:
        columns = {measure: result.per_query[measure] for measure in result.measures}
        for query in result.evaluation.queries:
            lines += [
                _trec_line(names[measure], query, column[query])
                for measure, column in columns.items()
                if query in column
            ]
    return lines + [_trec_line(names[measure], "all", result[measure]) for measure in result.measures]


def trec_name(measure: Measure, convention: Convention) -> str:
    """Return the name that trec_eval has for a measure, where it has one and the formula is its own.

    >>> from rankgauge.conventions.textbook import BURGES
    >>> from rankgauge.measures import parse
    >>> [trec_name(parse(text), TREC_EVAL) for text in ("ndcg", "ndcg@10", "dcg@5", "ndcg(gain=exp2)@10")]
    ['ndcg', 'ndcg_cut_10', 'dcg@5', 'ndcg(gain=exp2)@10']
    >>> [trec_name(parse(text), TREC_EVAL) for text in ("map", "map@100", "mrr", "precision@5", "success@5")]
    ['map', 'map_cut_100', 'recip_rank', 'P_5', 'success_5']
    >>> trec_name(parse("ndcg@10"), BURGES)
    'ndcg@10'
    """
    declared = NAMED[measure.name]
    theirs = declared if measure.k is None else declared @ measure.k
    same = measure.under(convention) == theirs.under(TREC_EVAL)
    name = measure.trec_name if measure.k is None else measure.trec_cut_name
    if not (same and name):
        return str(measure)
    return name if measure.k is None else f"{name}_{measure.k}"


def _trec_line(name: str, query: str, value: float) -> str:
    shown = "nan" if math.isnan(value) else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{shown}\n"


def _with_means(result: Result) -> Table:
    table = result.per_query.table()
    return Table(table.headers, [*table.rows, ["all", *result.means.values()]])
