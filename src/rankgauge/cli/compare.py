"""`rankgauge compare`: which of several runs is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.comparison_options import ComparisonSwitches, comparison_options
from rankgauge.cli.engine_options import EngineSwitches, compute, engine_options
from rankgauge.cli.gate_options import Gate, gate_option, read_finite
from rankgauge.cli.gate_verdicts import enforce, verdicts_worse
from rankgauge.cli.options import RunSwitches
from rankgauge.cli.output import GENERAL, Output, output_options, present
from rankgauge.cli.plotting import above_remarks, charts_of_comparison, require_text
from rankgauge.compare import compare
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.runs import named_runs, names_of
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark
from rankgauge.request import RequestSettings

if TYPE_CHECKING:
    from rankgauge.presentation.charts import Chart
    from rankgauge.results.comparison import Comparison

EXAMPLES = """
\b
Examples:
  rankgauge compare qrels.txt bm25.run dense.run -m ndcg@10 -m map
  rankgauge compare qrels.txt bm25.run dense.run splade.run --baseline bm25
  rankgauge compare qrels.txt runs/ --format latex -o table.tex
  rankgauge compare qrels.txt bm25.run dense.run --by segments.csv:device
  rankgauge compare qrels.txt bm25.run dense.run --plot
  rankgauge compare llm.qrels bm25.run dense.run --human people.qrels
  rankgauge compare qrels.txt base.run new.run --fail-if-worse 0.005      (for continuous integration)
  rankgauge compare qrels.txt base.run new.run --sample-size 0.02         (how many queries show 0.02)
"""


@click.command(short_help="Compare two or more rankings.", epilog=EXAMPLES)
@options.judgments_argument
@click.argument("runs", type=click.Path(), nargs=-1, required=True, metavar="RANKING…")
@options.measure_option(several=True)
@options.convention_or_default_option
@comparison_options
@click.option(
    "--fail-if-worse",
    type=float,
    callback=read_finite,
    metavar="X",
    help="Exit with 1 if a run is worse than the baseline by more than X.",
)
@gate_option
@options.plot_option
@options.by_option
@options.human_option
@click.option("--sample-size", type=float, metavar="X", help="Show how many queries find a difference of X.")
@output_options(*GENERAL)
@options.request_options
@options.run_options("Seed of the permutations.")
@engine_options
@options.reading_options
def command(
    judgments: str,
    runs: tuple[str, ...],
    measure: tuple[str, ...],
    comparison_switches: ComparisonSwitches,
    fail_if_worse: float | None,
    gate: Gate,
    plot: bool,
    sample_size: float | None,
    convention: str | None,
    by: str | None,
    human: str | None,
    switches: RunSwitches,
    engine_switches: EngineSwitches,
    settings: RequestSettings,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Compare the runs in the files RANKING, by the grades in the file JUDGMENTS.

    One folder or quoted pattern stands for the files in it, one file with a column 'run' for the runs that it names;
    beside others, a folder or a quoted pattern is one run, in pieces. A query that one run has and another lacks counts
    0 for the latter; --missing skip compares the queries that all runs have.
    """
    if plot:
        require_text(output)
    session = engine_switches.open_session()
    judged: Any = judgments
    if session is None:
        named = named_runs(list(runs), reading)
    else:
        judged, named, reading = _runs_on_spark(session, judgments, runs, reading)
    if comparison_switches.baseline is None and fail_if_worse is not None:
        comparison_switches = comparison_switches._replace(baseline=next(iter(named)))
    work = partial(
        compare,
        judged,
        named,
        list(measure) or None,
        **comparison_switches._asdict(),
        convention=convention,
        by=by,
        human=human,
        engine=engine_switches.engine,
        order=engine_switches.order,
        **switches._asdict(),
        **settings._asdict(),
        **reading._asdict(),
    )
    comparison = compute(work, "comparing", session)
    present(ComparisonOutput(comparison, sample_size, charts_of_comparison(comparison) if plot else ()), output)
    if fail_if_worse is not None:
        enforce(verdicts_worse(comparison, fail_if_worse, gate), gate)


def _runs_on_spark(
    session: Any,  # noqa: ANN401 - of Spark
    judgments: str,
    paths: tuple[str, ...],
    reading: ReadingOptions,
) -> tuple[Any, dict[str, Any], ReadingOptions]:
    """Return the judgments, and the runs by the names of their files; one file has a column of runs."""
    from rankgauge.cli.spark import read_sides

    judged, frames, by_role = read_sides(session, judgments, paths, reading)
    runs = dict(zip(names_of(paths), frames, strict=True)) if len(paths) > 1 else frames[0]
    return judged, named_runs(runs, by_role), by_role


@dataclass(frozen=True, slots=True)
class ComparisonOutput:
    """A comparison as this command presents it, with or without the number of queries that a difference takes."""

    comparison: Comparison
    sample_size: float | None
    charts: Sequence[Chart] = ()

    def parts(self) -> list[Part]:
        """Return the tables, charts and remarks of the comparison."""
        parts = above_remarks(self.comparison.parts(), len(self.remarks), self.charts)
        return parts if self.sample_size is None else [self.comparison.power(self.sample_size), "", *parts]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks on the comparison."""
        return self.comparison.remarks

    def table(self) -> Table:
        """Return a row per run, one per pair with the number of queries, or one per pair and segment."""
        if self.sample_size is not None:
            return self.comparison.power(self.sample_size)
        return self.comparison.segments.table() if self.comparison.segments else self.comparison.table()

    def rows_table(self) -> Table:
        """Return a row per measure and pair."""
        if self.sample_size is not None:
            return self.table()
        return (self.comparison.segments or self.comparison).rows_table()

    def to_json(self) -> str:
        """Return the comparison as JSON."""
        from rankgauge.presentation.json import json_text

        values = self.comparison.to_dict()
        if self.sample_size is not None:
            table = self.comparison.power(self.sample_size)
            values["power"] = [dict(zip(table.headers, row, strict=True)) for row in table.rows]
        return json_text(values)
