"""`rankgauge conventions`: what there is, one in full, or what each makes of your data and why."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rankgauge import conventions
from rankgauge.cli import options, terminal
from rankgauge.conventions import QUESTIONS, Convention
from rankgauge.errors import RankgaugeError
from rankgauge.tables import Part, Table

if TYPE_CHECKING:
    from rankgauge.disagreement.compare import Compared
    from rankgauge.disagreement.identify import Identified
    from rankgauge.disagreement.why import Walk

EXAMPLES = """
\b
Examples:
  rankgauge conventions
  rankgauge conventions trec_eval
  rankgauge conventions 'trec_eval(ties=average)' --format json
  rankgauge conventions qrels.txt run.txt -m ndcg@10              (what each tool would print)
  rankgauge conventions qrels.txt run.txt --why lightgbm sklearn  (step by step from one to the other)
  rankgauge conventions qrels.txt run.txt --identify 0.4512       (who printed that?)
"""
NOTES = ("summary", "reproduces", "source", "cite")


@click.command(short_help="List the conventions, show one, or compare them on your data.", epilog=EXAMPLES)
@click.argument("what", nargs=-1, metavar="[NAME | JUDGMENTS [RANKING]]", shell_complete=options.complete_conventions)
@options.measure_option(several=False)
@options.convention_or_default_option
@click.option("--only", metavar="NAMES", help="Compare only these conventions, as in sklearn,lightgbm.")
@click.option("--why", nargs=2, metavar="FROM TO", help="Walk from one convention to another, a step at a time.")
@click.option("--identify", metavar="VALUE", help="Find the conventions that give this number, to its digits.")
@options.format_option("table", "json", "csv", "markdown", "latex")
@options.output_option
@options.missing_option
@options.unjudged_option
@options.depth_option
@options.relevance_level_option
@options.reading_options
def command(
    what: tuple[str, ...],
    measure: str | None,
    convention: str | None,
    only: str | None,
    why: tuple[str, str] | None,
    identify: str | None,
    format_: str,
    output: str | None,
    **switches: object,
) -> None:
    """List the conventions; show the one called NAME in full; or say what each makes of JUDGMENTS and RANKING.

    With files, there is a row per convention: its value, the difference from --convention, and what differs in
    questions that the data asks. Equal values stand together. A JSON file of cases needs no RANKING.
    """
    if len(what) == 2 or _is_file(*what):
        given = {name: value for name, value in switches.items() if value is not None}
        ranking = what[1] if len(what) == 2 else None
        answer = terminal.watched(lambda: _answer(what[0], ranking, measure, convention, only, why, identify, given))
        options.present(answer.parts(), answer.table(), answer.to_json, format_, output)
    elif len(what) > 2:
        raise RankgaugeError("too-many-arguments", expected="NAME, or JUDGMENTS RANKING", got=" ".join(what))
    elif why or identify or only:
        raise RankgaugeError("no-data", switch="--why" if why else "--identify" if identify else "--only")
    else:
        _print_declared(what[0] if what else None, format_, output)


def _is_file(*what: str) -> bool:
    """Whether there is one argument, and it is a file of cases rather than the name of a convention."""
    return len(what) == 1 and what[0] not in conventions.NAMED and os.path.isfile(what[0])  # noqa: PTH113 - quicker


def _answer(
    judgments: str,
    ranking: str | None,
    measure: str | None,
    convention: str | None,
    only: str | None,
    why: tuple[str, str] | None,
    identify: str | None,
    switches: Mapping[str, Any],
) -> Compared | Walk | Identified:
    if why:
        return conventions.why(judgments, ranking, measure, *why, **switches)
    if identify is not None:
        return conventions.identify(judgments, ranking, measure, identify, **switches)
    names = only.split(",") if only else None
    return conventions.compare(judgments, ranking, measure, convention=convention, only=names, **switches)


def _print_declared(name: str | None, format_: str, output: str | None) -> None:
    chosen = list(conventions.NAMED.values()) if name is None else [conventions.get(name)]
    table = list_table(chosen) if name is None else full_table(chosen[0])
    parts: list[Part] = [table] if name is None else [table, "", *about(chosen[0])]
    options.present(parts, table, lambda: to_json(chosen, one=name is not None), format_, output)


def list_table(known: list[Convention]) -> Table:
    """Return a row per convention."""
    return Table(["convention", "reproduces", "summary"], [[str(c), c.reproduces, c.summary] for c in known])


def full_table(convention: Convention) -> Table:
    """Return a row per question."""
    rows = [
        [field, question.text, str(convention[field]), convention.meaning(field)]
        for field, question in QUESTIONS.items()
    ]
    return Table(["field", "question", "answer", "meaning"], rows)


def about(convention: Convention) -> list[str]:
    """Return where a convention comes from, what may surprise, and where equality is not claimed."""
    return [
        f"reproduces: {convention.reproduces}",
        f"source: {convention.source}",
        f"cite: {convention.cite}",
        f"summary: {convention.summary}",
        *(f"quirk: {quirk}" for quirk in convention.quirks),
        *(f"not claimed for {data}: {reason}" for data, reason in convention.undefined.items()),
    ]


def to_json(chosen: list[Convention], *, one: bool) -> str:
    """Write conventions as JSON: every answer, and where it comes from."""
    import json

    values = [
        {"name": str(c)}
        | {field: _plain(c[field]) for field in QUESTIONS}
        | {note: c[note] for note in NOTES}
        | {"quirks": list(c.quirks), "undefined": dict(c.undefined)}
        for c in chosen
    ]
    return json.dumps(values[0] if one else values, indent=2, ensure_ascii=False)


def _plain(answer: object) -> object:
    return answer if answer is None or isinstance(answer, str | int) else str(answer)
