"""`rankgauge stocks`: how well the scores of a model order stocks by their returns."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rankgauge.cli import options
from rankgauge.cli.choices import Choice
from rankgauge.cli.output import GENERAL, Output, OutputPath, output_options, present, write
from rankgauge.cli.progress import with_progress
from rankgauge.cli.returns_options import returns_options
from rankgauge.cli.streams_and_signals import say
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.languages.escapes import printable
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark, require_none_severe
from rankgauge.stocks.compare import compare_by_rules
from rankgauge.stocks.study import DEFAULT_MAX_LOSS, Question, Study, StudyReading, study_by_rules

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import Report
    from rankgauge.statistics.corrections import Correction

EXAMPLES = """
\b
Examples:
  rankgauge stocks prices.parquet scores.csv
  rankgauge stocks prices.csv scores.csv -k 20 --horizon 10 --lag 1 --per-date -o days.csv
  rankgauge stocks prices.csv scores.csv --horizons 1,10,20 --by sectors.csv:sector --report tear.html
  rankgauge stocks prices.csv momentum.csv reversal.csv          (is one better than the other?)
  rankgauge stocks prices.csv models/*.csv --baseline momentum --tried 40
  rankgauge stocks returns.csv ranks.csv -k 5                     (known returns, and predicted ranks)
  rankgauge stocks table.csv -k 5                                 (both in one table)
"""


def _whole_numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[int, ...]:  # noqa: ARG001 - click's signature
    """Read `1,5,10`."""
    parts = text.split(",") if text else []
    if not all(part.strip().isdecimal() for part in parts):
        raise click.BadParameter(f"expected whole numbers with commas between them, as in 1,10,20, got {text!r}")
    return tuple(int(part) for part in parts)


@click.command(short_help="Study how well a model orders stocks, date by date.", epilog=EXAMPLES)
@click.argument("prices", type=click.Path())
@click.argument("scores", type=click.Path(), nargs=-1, metavar="[SCORES]…")
@click.option("-k", type=int, default=10, show_default=True, help="Number of top-ranked stocks to measure.")
@click.option("--gain", metavar="GAIN", show_default="that of the convention", help="Gain of a grade: linear, exp2, …")
@returns_options
@options.stocks_convention_option
@click.option("--per-date", is_flag=True, help="Show the values of each date too.")
@click.option(
    "--close",
    metavar="TIME",
    help="When prices that have dates alone were made: 16:00, or with a time zone '16:00 America/New_York'.",
)
@click.option(
    "--max-loss",
    type=float,
    default=DEFAULT_MAX_LOSS,
    show_default="a third",
    metavar="SHARE",
    help="The largest share of scores that may have no price of their date and stock.",
)
@click.option("--baseline", metavar="NAME", help="Of several models, the one that all others are compared with.")
@click.option(
    "--correction",
    type=Choice(["holm", "bh", "none"]),
    default=None,
    show_default="holm",
    help="How p-values of several models are corrected for the number of comparisons.",
)
@click.option("--margin", type=float, metavar="X", help="Test whether models are equivalent within X, too.")
@click.option(
    "--tried",
    type=int,
    metavar="N",
    show_default="the models given",
    help="Number of models that were tried: p is corrected for it, and t deflated.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Accepted for scripts; intervals need none.")
@options.columns_option("prices", "date=day,ticker=symbol,close=price or return=r5")
@options.columns_option("scores", "date=day,ticker=symbol,score=signal or rank=place")
@click.option(
    "--horizons",
    callback=_whole_numbers,
    metavar="NUMBERS",
    help="Other horizons, too, as in 1,10,20: how skill decays with time.",
)
@click.option("--report", type=OutputPath(), metavar="FILE", help="Write the tear sheet, one HTML file, too.")
@click.option(
    "--by",
    metavar="FILE:COLUMN",
    help="In the tear sheet, show groups of stocks, as in sectors.csv:sector; the file has a column of tickers.",
)
@output_options(*GENERAL)
@options.strict_option
@click.pass_context
def command(
    context: click.Context,
    prices: str,
    scores: tuple[str, ...],
    k: int,
    gain: str | None,
    rules: ReturnRules,
    convention: str,
    per_date: bool,
    close: str | None,
    max_loss: float,
    baseline: str | None,
    correction: Correction | None,
    margin: float | None,
    tried: int | None,
    horizons: tuple[int, ...],
    report: str | None,
    by: str | None,
    seed: int,
    columns_prices: ColumnsInput,
    columns_scores: ColumnsInput,
    strict: bool,
    output: Output,
) -> None:
    """Study how well the scores in the file SCORES order the stocks whose prices are in the file PRICES.

    Prices have a date, a ticker and a close per row, or a date and a column per ticker; scores have a date, a ticker
    and a score, or a column per ticker. With the scores of several models, these are compared on the same dates.

    Instead of a close there may be a return, as in 0.12 or +12%, and instead of a score a rank, where 1 is the best.
    Then dates are optional in both. Without SCORES, the file PRICES has both columns.
    """
    reading = StudyReading(columns_prices, columns_scores, close, max_loss)
    question = Question(k, gain, convention, seed=seed)
    made = shlex.join(["rankgauge", *context.find_root().obj])
    if len(scores) > 1 or (scores and os.path.isdir(scores[0])):  # noqa: PTH112 - importing pathlib slows the start
        comparison = with_progress(
            lambda: compare_by_rules(
                prices,
                list(scores),
                rules,
                question,
                reading,
                baseline=baseline,
                correction=correction,
                margin=margin,
                tried=tried,
            ),
            "studying",
        )
        require_none_severe(comparison.remarks, strict=strict)
        present(comparison, output)
        _save(comparison.report(command=made) if report else None, report)
        return
    question = question._replace(tried=1 if tried is None else tried).checked()
    only = scores[0] if scores else None
    study = with_progress(lambda: study_by_rules(prices, only, rules, question, reading, horizons), "studying")
    require_none_severe(study.remarks, strict=strict)
    present(StudyOutput(study, per_date=per_date), output)
    _save(with_progress(lambda: study.report(group=by, command=made), "reporting") if report else None, report)


def _save(report: Report | None, path: str | None) -> None:
    if report is None:
        return
    page = report.to_html()
    write(page, path)
    if path != "-":
        say(printable(f"{path}: {len(page.encode()) / 1000:,.0f} kB; {report.headline}"))


@dataclass(frozen=True, slots=True)
class StudyOutput:
    """A study as this command presents it, with or without the values per date."""

    study: Study
    per_date: bool

    def parts(self) -> list[Part]:
        """Return the tables and remarks of the study."""
        return self.study.parts(per_date=self.per_date)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks on the study."""
        return self.study.remarks

    def table(self) -> Table:
        """Return a row per date, or one per measure."""
        return self.study.per_date.table() if self.per_date else self.study.table()

    def rows_table(self) -> Table:
        """Return a row per date, or one per measure with every column."""
        return self.study.per_date.table() if self.per_date else self.study.rows_table()

    def to_json(self) -> str:
        """Return the study as JSON."""
        return self.study.to_json(per_date=self.per_date)
