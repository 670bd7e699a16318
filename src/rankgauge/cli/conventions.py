"""`rankgauge conventions`: list the conventions, show one, or compare what they compute from your data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rankgauge import conventions
from rankgauge.cli import options
from rankgauge.cli.output import GENERAL, Output, output_options, present
from rankgauge.cli.progress import with_progress
from rankgauge.conventions import QUESTIONS, Convention
from rankgauge.errors import RankgaugeError
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.request import RequestSettings

if TYPE_CHECKING:
    from rankgauge.convention_comparison.compare import ConventionComparison
    from rankgauge.convention_comparison.identify import Identified
    from rankgauge.convention_comparison.trials import Trials
    from rankgauge.convention_comparison.why import Walk

EXAMPLES = """
\b
Examples:
  rankgauge conventions
  rankgauge conventions trec_eval
  rankgauge conventions 'trec_eval(ties=average)' --format json
  rankgauge conventions qrels.txt run.txt -m ndcg@10              (what each tool would print)
  rankgauge conventions qrels.txt run.txt --why lightgbm sklearn  (step by step from one to the other)
  rankgauge conventions qrels.txt run.txt --identify 0.4512       (which convention gives it?)
"""
NOTES = ("summary", "reproduces", "source", "cite")


@click.command(short_help="List the conventions, show one, or compare them on your data.", epilog=EXAMPLES)
@click.argument(
    "what",
    nargs=-1,
    type=click.Path(),
    metavar="[NAME | JUDGMENTS [RANKING]]",
    shell_complete=options.complete_conventions,
)
@options.measure_option(several=False)
@options.convention_or_default_option
@click.option("--only", metavar="NAMES", help="Compare only these conventions, as in sklearn,lightgbm.")
@click.option("--why", nargs=2, metavar="FROM TO", help="Go from one convention to another, one answer at a time.")
@click.option("--identify", metavar="VALUE", help="Find the conventions that give this number, to its last digit.")
@output_options(*GENERAL)
@options.request_options
@options.strict_option
@options.reading_options
def command(
    what: tuple[str, ...],
    measure: str | None,
    convention: str | None,
    only: str | None,
    why: tuple[str, str] | None,
    identify: str | None,
    strict: bool,
    settings: RequestSettings,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """List the conventions; show the one called NAME; or compare what they compute from JUDGMENTS and RANKING.

    With files, there is a row per convention: its value, the difference from --convention, and the answers that differ
    and can matter for this data. Equal values are grouped. A JSON file of cases needs no RANKING.
    """
    if len(what) == 2 or _is_file(*what):
        from rankgauge.convention_comparison.trials import Trials  # listing conventions evaluates nothing

        trials = Trials(
            what[0], what[1] if len(what) == 2 else None, measure, settings, reading, ExecutionOptions(strict=strict)
        )
        present(with_progress(lambda: _compare(trials, convention, only, why, identify)), output)
    elif len(what) > 2:
        raise RankgaugeError("too-many-arguments", expected="NAME, or JUDGMENTS RANKING", got=" ".join(what))
    elif why or identify or only:
        raise RankgaugeError("no-data", switch="--why" if why else "--identify" if identify else "--only")
    else:
        present(ConventionDetails(conventions.get(what[0])) if what else ConventionList(), output)


def _is_file(*what: str) -> bool:
    """Whether there is one argument, and it is a file of cases rather than the name of a convention."""
    return len(what) == 1 and what[0] not in conventions.NAMED and os.path.isfile(what[0])  # noqa: PTH113 - quicker


def _compare(
    trials: Trials, convention: str | None, only: str | None, why: tuple[str, str] | None, identify: str | None
) -> ConventionComparison | Walk | Identified:
    if why:
        from rankgauge.convention_comparison.why import walk

        return walk(trials, *why)
    if identify is not None:
        from rankgauge.convention_comparison.identify import identify_value

        return identify_value(trials, identify)
    from rankgauge.convention_comparison.compare import compare_trials

    return compare_trials(trials, convention, only.split(",") if only else None)


class ConventionList:
    """All named conventions."""

    def parts(self) -> list[Part]:
        """Return the table."""
        return [self.table()]

    def table(self) -> Table:
        """Return a row per convention."""
        rows = [[str(c), c.reproduces, c.summary] for c in conventions.NAMED.values()]
        return Table(["convention", "reproduces", "summary"], rows)

    def to_json(self) -> str:
        """Return a list with an object per convention."""
        return json_text([_plain_values(convention) for convention in conventions.NAMED.values()])


@dataclass(frozen=True, slots=True)
class ConventionDetails:
    """One convention: its answer to every question, and where it comes from."""

    convention: Convention

    def parts(self) -> list[Part]:
        """Return the answers, the source, the measures, the quirks, and the data for which equality is not claimed."""
        convention = self.convention
        proven = ", ".join(convention.proven)
        return [
            self.table(),
            "",
            f"reproduces: {convention.reproduces}",
            f"source: {convention.source}",
            f"cite: {convention.cite}",
            f"summary: {convention.summary}",
            *([f"proven for: {proven}"] if proven else []),
            *(f"by {name} it means: {text}" for name, text in convention.measures.items()),
            *(f"quirk: {quirk}" for quirk in convention.quirks),
            *(f"not claimed for {data}: {reason}" for data, reason in convention.undefined.items()),
        ]

    def table(self) -> Table:
        """Return a row per question."""
        rows = [
            [field, question.text, str(self.convention[field]), self.convention.meaning(field)]
            for field, question in QUESTIONS.items()
        ]
        return Table(["field", "question", "answer", "meaning"], rows)

    def to_json(self) -> str:
        """Return one object."""
        return json_text(_plain_values(self.convention))


def _plain_values(convention: Convention) -> dict[str, object]:
    return (
        {"name": str(convention)}
        | {field: _plain(convention[field]) for field in QUESTIONS}
        | {note: convention[note] for note in NOTES}
        | {"quirks": list(convention.quirks), "undefined": dict(convention.undefined)}
        | {"measures": dict(convention.measures), "proven": list(convention.proven)}
    )


def _plain(answer: object) -> object:
    return answer if answer is None or isinstance(answer, str | int) else str(answer)
