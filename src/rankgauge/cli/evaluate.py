"""`rankgauge evaluate`: the means of measures over the queries of a ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rankgauge.cli import options
from rankgauge.cli.engine_options import EngineSwitches, compute, engine_options
from rankgauge.cli.gate_options import Gate, fail_under_option, gate_option
from rankgauge.cli.options import RunSwitches
from rankgauge.cli.output import Output, output_options, present
from rankgauge.conventions import get
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate_request
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs import both_sides
from rankgauge.inputs.input_pair import InputPair
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.measures import NAMED, Measure
from rankgauge.measures.parsing import for_documents, parse_labelled
from rankgauge.presentation.formats import FORMATS
from rankgauge.remarks import Remark
from rankgauge.request import Request, RequestSettings
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge.measures.trec import Line
    from rankgauge.presentation.charts import Chart
    from rankgauge.presentation.parts import Part
    from rankgauge.presentation.table import Table
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
  rankgauge evaluate qrels.txt run.txt --plot
  rankgauge evaluate s3a://logs/judgments s3a://logs/run.parquet --engine spark --master yarn
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
@options.request_options
@click.option(
    "-N",
    "--documents",
    type=click.IntRange(0, 10**15),
    metavar="N",
    help="Number of items in the collection (trec_eval -N).",
)
@options.run_options("Accepted for scripts; intervals need none.")
@fail_under_option
@gate_option
@options.plot_option
@engine_options
@options.reading_options
def command(
    judgments: str,
    ranking: str | None,
    measure: tuple[str, ...],
    convention: str | None,
    per_query: bool,
    no_summary: bool,
    documents: int | None,
    switches: RunSwitches,
    by: str | None,
    human: str | None,
    fail_under: list[tuple[str, float]],
    gate: Gate,
    plot: bool,
    engine_switches: EngineSwitches,
    settings: RequestSettings,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Measure how good the ranking in the file RANKING is, by the grades in the file JUDGMENTS.

    Each is a TREC file, CSV, TSV, JSON lines, Parquet, Arrow, LETOR labels with a file of scores, or a table of a
    database, as in runs.duckdb::bm25; text files may be gzipped, and - is standard input. Items are ordered by score;
    by rank, if there is no score. A JSON file of cases, each with a truth and recommendations, needs no RANKING.
    """
    if plot:
        _plotting().require_text(output)
    as_trec = output.format_ == "trec"
    _require_values(engine_switches, as_trec=as_trec, per_query=per_query, by=by, human=human)
    measure += tuple(name for name, _ in fail_under if name not in measure)  # what has a threshold is computed
    labelled = parse_labelled(measure) if measure and not as_trec else {}
    if convention is not None:
        get(convention)  # refuse an unknown name before anything is read
    session = engine_switches.open_session()
    running = ExecutionOptions(**switches._asdict(), engine=engine_switches.engine, order=engine_switches.order)

    def evaluated() -> tuple[Result, list[Line]]:
        inputs, by_role = _sides(session, judgments, ranking, reading)
        named = inputs.convention if convention is None else convention
        lines = _trec_lines(measure or (inputs.measure,), named, documents, settings) if as_trec else []
        request = _request(labelled or parse_labelled(inputs.measure), lines, named, documents, settings)
        return evaluate_request(inputs, request, by_role, running, human), lines

    result, lines = compute(evaluated, "reading", session, quick=engine_switches.is_quick(judgments, ranking, human))
    if as_trec:
        _require_no_query_called_all(result)
    run = result.evaluation.run or ranking or judgments
    segments = None if by is None else result.by(by)
    charts = _plotting().charts_of_result(result) if plot else []
    present(EvaluateOutput(result, lines, run, segments, charts, per_query=per_query, summary=not no_summary), output)
    if fail_under:
        from rankgauge.cli.gate_verdicts import enforce, verdicts_under

        enforce(verdicts_under(result, fail_under, gate), gate)


def _plotting() -> ModuleType:
    """Return what draws charts; imported late, since most evaluations draw none."""
    from rankgauge.cli import plotting

    return plotting


def _require_values(
    engine_switches: EngineSwitches, *, as_trec: bool, per_query: bool, by: str | None, human: str | None
) -> None:
    """Refuse what a format or an engine has no values for, before anything is read."""
    if as_trec and (by is not None or human is not None):
        switch = "--human" if by is None else "--by"
        raise click.UsageError(f"expected another format for {switch}, got --format trec, which trec_eval has not")
    if engine_switches.on_spark and (per_query or by is not None):
        switch, hint = "--by", "leave it out, or evaluate on this machine without --engine spark"
        if by is None:
            switch, hint = "--per-query", "in Python, rg.evaluate(…).per_query_frame is a DataFrame of them"
        got = f"expected no {switch} with --engine spark, whose values per query stay on the cluster"
        raise RankgaugeError("usage", got=got, hint=hint)


def _request(
    labelled: Mapping[Measure, str],
    lines: Sequence[Line],
    convention: str,
    documents: int | None,
    settings: RequestSettings,
) -> Request:
    """Return what is asked: the measures of the lines of trec_eval, or those that were typed, with what was typed."""
    if lines:
        measures = [line.measure for line in lines if line.measure]
        # A request for the name of the run alone has no measure to evaluate.
        return settings.request(measures or [NAMED["num_q"]], convention)
    asked = for_documents(labelled, documents)
    return settings.request(asked, convention).labelled(dict(zip(asked, labelled.values(), strict=True)))


def _sides(
    session: Any,  # noqa: ANN401 - of Spark
    judgments: str,
    ranking: str | None,
    reading: ReadingOptions,
) -> tuple[InputPair, ReadingOptions]:
    """Return both sides, and how they are to be read: Spark reads files itself, where it evaluates."""
    if session is None:
        return both_sides(judgments, ranking, reading), reading
    if ranking is None:
        raise click.UsageError("expected JUDGMENTS and RANKING with --engine spark, got one file")
    from rankgauge.cli.spark import read_sides

    judged, (ranked,), by_role = read_sides(session, judgments, [ranking], reading)
    return both_sides(judged, ranked, by_role), by_role


class EvaluateOutput(NamedTuple):
    """A result as this command presents it: with or without the values per query, and as trec_eval prints it."""

    result: Result
    lines: Sequence[Line]
    run: str
    segments: Segments | None
    charts: Sequence[Chart]
    per_query: bool
    summary: bool

    def parts(self) -> list[Part]:
        """Return the tables and remarks of the result."""
        parts = self.result.parts(per_query=self.per_query)
        if self.segments:
            tables = parts[: len(parts) - len(self.result.remarks)]
            parts = [*tables, *self.segments.tables(), *self.remarks]
        return _plotting().above_remarks(parts, len(self.remarks), self.charts) if self.charts else parts

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks on the result."""
        return self.result.remarks + (self.segments.remarks if self.segments else ())

    def table(self) -> Table:
        """Return a row per measure; one per segment; or one per query, and one with the means."""
        if self.segments:
            return self.segments.table()
        if not self.per_query:
            return self.result.table()
        table = self.result.per_query.table()
        without_means: list[float | None] = [None] * len(self.result.evaluation.texts)
        return table._replace(rows=[*table.rows, ["all", *self.result.means.values(), *without_means]])

    def rows_table(self) -> Table:
        """Return a row per measure, per query, or per segment and measure: what programs read."""
        return self.segments.rows_table() if self.segments else self.table()

    def to_json(self) -> str:
        """Return the result as JSON."""
        if not self.segments:
            return self.result.to_json(per_query=self.per_query)
        from rankgauge.presentation.json import json_text

        values = self.result.to_dict(per_query=self.per_query) | {"segments": self.segments.to_dict()}
        return json_text(values | {"remarks": [remark.to_dict() for remark in self.remarks]})

    def to_trec(self) -> str:
        """Return the lines that trec_eval prints."""
        from rankgauge.cli import trec_eval_output  # imported late: only this format needs it

        return trec_eval_output.render(
            self.result, self.lines, self.run, per_query=self.per_query, summary=self.summary
        )


def _require_no_query_called_all(result: Result) -> None:
    from rankgauge.cli import trec_eval_output

    trec_eval_output.require_no_query_called_all(result)


def _trec_lines(
    measures: Sequence[str], convention: str, documents: int | None, settings: RequestSettings
) -> list[Line]:
    from rankgauge.cli import trec_eval_output

    lines = trec_eval_output.request(measures, get(convention), settings.relevance_level)
    return trec_eval_output.for_collection(lines, documents)
