"""`rankgauge evaluate`: the means of measures over the queries of a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.gates import Gate, enforce, fail_under_option, gate_option, verdicts_under
from rankgauge.cli.output import Output, output_options, present
from rankgauge.cli.terminal import with_progress
from rankgauge.conventions import get
from rankgauge.evaluate import Running, evaluate_request
from rankgauge.inputs import both_sides
from rankgauge.inputs.reading import Reading
from rankgauge.measures import NAMED
from rankgauge.measures.parsing import for_documents, parse_labelled
from rankgauge.presentation.formats import FORMATS
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge.measures.trec import Line
    from rankgauge.results.segments import Segments

EXAMPLES = """
\b
Examples:
  rankgauge evaluate qrels.txt run.txt
  rankgauge evaluate qrels.txt run.txt.gz -m ndcg@5 -m ndcg@10 --per-query
  rankgauge evaluate qrels.txt run.txt -m 'ndcg(gain=exp2)@10' --convention burges
  rankgauge evaluate qrels.txt run.txt -m ndcg --format trec      (as trec_eval prints it)
  rankgauge evaluate ratings.csv recommendations.parquet --columns-judgments query=userId,item=movieId
  zcat run.gz | rankgauge evaluate qrels.txt -
  rankgauge evaluate qrels.txt run.txt --missing zero -o result.json
  rankgauge evaluate qrels.txt run.txt --by segments.csv:device
  rankgauge evaluate llm.qrels new.run --human people.qrels
  rankgauge evaluate cases.json -m ndcg@5                         (truth and recommendations in each case)
"""


@click.command(short_help="Measure how good a ranking is.", epilog=EXAMPLES)
@options.judgments_argument
@options.ranking_argument
@options.measure_option(several=True)
@options.convention_or_default_option
@click.option("-q", "--per-query", is_flag=True, help="Show the value of each query too.")
@click.option("-n", "--no-summary", is_flag=True, help="With -q and --format trec: only the queries (trec_eval -n).")
@output_options(*FORMATS)
@options.by_option
@options.human_option
@options.missing_option
@options.unjudged_option
@options.depth_option
@options.relevance_level_option
@click.option("-c", "missing_is_zero", is_flag=True, help="The same as --missing zero (trec_eval -c).")
@click.option("-J", "judged_only", is_flag=True, help="The same as --unjudged drop (trec_eval -J).")
@click.option(
    "-N",
    "--documents",
    type=click.IntRange(0, 10**15),
    metavar="N",
    help="Number of items in the collection (trec_eval -N).",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap intervals.")
@click.option("--threads", type=int, metavar="N", show_default="all cores", help="Number of threads.")
@fail_under_option
@gate_option
@options.strict_option
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
    by: str | None,
    human: str | None,
    fail_under: list[tuple[str, float]],
    gate: Gate,
    output: Output,
    **switches: Any,  # noqa: ANN401 - of several types, each checked by click
) -> None:
    """Measure how good the ranking in the file RANKING is, by the grades in the file JUDGMENTS.

    Each is a TREC file, CSV, TSV, JSON lines, Parquet, Arrow, LETOR labels with a file of scores, or a table of a
    database, as in runs.duckdb::bm25; text files may be gzipped, and - is standard input. Items are ordered by score;
    by rank, if there is no score. A JSON file of cases, each with a truth and recommendations, needs no RANKING.
    """
    switches["missing"] = _shortened(switches["missing"], "zero", is_set=missing_is_zero, short="-c", long="--missing")
    switches["unjudged"] = _shortened(switches["unjudged"], "drop", is_set=judged_only, short="-J", long="--unjudged")
    as_trec = output.format_ == "trec"
    if as_trec and (by is not None or human is not None):
        switch = "--human" if by is None else "--by"
        raise click.UsageError(f"expected another format for {switch}, got --format trec, which trec_eval has not")
    labelled = parse_labelled(measure) if measure and not as_trec else {}
    if convention is not None:
        get(convention)  # refuse an unknown name before anything is read
    reading = Reading.of(switches)
    inputs = with_progress(lambda: both_sides(judgments, ranking, reading))
    convention = inputs.convention if convention is None else convention
    lines = _trec_lines(measure or [inputs.measure], convention, documents) if as_trec else []
    measured = [line.measure for line in lines if line.measure]
    labelled = labelled or parse_labelled(inputs.measure)
    # A request for the name of the run alone has no measure to evaluate.
    asked = measured or ([NAMED["num_q"]] if lines else for_documents(labelled, documents))
    settings = {name: switches[name] for name in ("missing", "unjudged", "depth", "relevance_level")}
    request = Request.of(asked, convention, **settings)
    if not lines:
        request = replace(request, labels=tuple(labelled.values()))
    running = Running(switches["seed"], switches["threads"], strict=switches["strict"])
    result = with_progress(lambda: evaluate_request(inputs, request, reading, running, human))
    run = result.evaluation.run or ranking or judgments
    segments = None if by is None else result.by(by)
    present(EvaluateOutput(result, lines, run, segments, per_query=per_query, summary=not no_summary), output)
    enforce(verdicts_under(result, fail_under, gate), gate)


@dataclass(frozen=True, slots=True)
class EvaluateOutput:
    """A result as this command presents it: with or without the values per query, and as trec_eval prints it."""

    result: Result
    lines: Sequence[Line]
    run: str
    segments: Segments | None
    per_query: bool
    summary: bool

    def parts(self) -> list[Part]:
        """Return the tables and remarks of the result."""
        parts = self.result.parts(per_query=self.per_query)
        if not self.segments:
            return parts
        tables = parts[: len(parts) - len(self.result.remarks)]
        return [*tables, *self.segments.tables(), *self.remarks]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What is to be known about the result."""
        return self.result.remarks + (self.segments.remarks if self.segments else ())

    def table(self) -> Table:
        """Return a row per measure; one per segment; or one per query, and one with the means."""
        if self.segments:
            return self.segments.table()
        if not self.per_query:
            return self.result.table()
        table = self.result.per_query.table()
        without_means: list[float | None] = [None] * len(self.result.evaluation.texts)
        return Table(table.headers, [*table.rows, ["all", *self.result.means.values(), *without_means]])

    def to_csv(self) -> str:
        """Return the table with all digits."""
        return self.segments.to_csv() if self.segments else self.table().to_csv()

    def to_json(self) -> str:
        """Return the result as JSON."""
        if not self.segments:
            return self.result.to_json(per_query=self.per_query)
        from rankgauge.presentation.json import json_text

        values = self.result.to_dict(per_query=self.per_query) | {"segments": self.segments.to_dict()}
        return json_text(values | {"remarks": [remark.to_dict() for remark in self.remarks]})

    def to_trec(self) -> str:
        """Return the lines that trec_eval prints."""
        from rankgauge.cli import trec  # other formats do without

        return trec.render(self.result, self.lines, self.run, per_query=self.per_query, summary=self.summary)


def _trec_lines(measures: Sequence[str], convention: str, documents: int | None) -> list[Line]:
    from rankgauge.cli import trec

    lines = trec.request(measures, get(convention))
    measured = [(line, line.measure) for line in lines]
    return [
        line if measure is None else line._replace(measure=for_documents([measure], documents)[0])
        for line, measure in measured
    ]


def _shortened(asked: str | None, meant: str, *, is_set: bool, short: str, long: str) -> str | None:
    """Return the value of a long switch, or the one that a short switch of trec_eval stands for; they must agree."""
    if is_set and asked not in (None, meant):
        raise click.UsageError(f"expected {short} or {long} {asked}, got both: {short} means {long} {meant}")
    return meant if is_set else asked
