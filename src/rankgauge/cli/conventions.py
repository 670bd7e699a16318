"""`rankgauge conventions`: what there is, and one in full."""

from __future__ import annotations

import click

from rankgauge import conventions
from rankgauge.cli import options, terminal
from rankgauge.conventions import QUESTIONS, Convention
from rankgauge.tables import Part, Table, parts_to_text

EXAMPLES = """
\b
Examples:
  rankgauge conventions
  rankgauge conventions trec_eval
  rankgauge conventions 'trec_eval(ties=average)' --format json
"""


@click.command(short_help="List the conventions, or show one in full.", epilog=EXAMPLES)
@click.argument("name", required=False, shell_complete=options.complete_conventions)
@options.format_option("table", "json", "csv", "markdown")
@options.output_option
def command(name: str | None, format_: str, output: str | None) -> None:
    """List the conventions, or show the one called NAME in full: every open question and its answer."""
    one = name is not None
    chosen = [conventions.get(name)] if name is not None else list(conventions.NAMED.values())
    table = full_table(chosen[0]) if one else list_table(chosen)
    parts: list[Part] = [table, "", *about(chosen[0])] if one else [table]
    if format_ == "table" and output is None:
        terminal.show(parts)
    elif format_ == "json":
        options.write(to_json(chosen, one=one), output)
    else:
        renderers = {"table": lambda: parts_to_text(parts), "csv": table.to_csv, "markdown": table.to_markdown}
        options.write(renderers[format_](), output)


def list_table(known: list[Convention]) -> Table:
    """Return a row per convention."""
    return Table(["convention", "reproduces", "summary"], [[str(c), c.reproduces, c.summary] for c in known])


def full_table(convention: Convention) -> Table:
    """Return a row per question."""
    rows = [
        [field, question.text, str(convention[field]), meaning(field, str(convention[field]))]
        for field, question in QUESTIONS.items()
    ]
    return Table(["field", "question", "answer", "meaning"], rows)


def meaning(field: str, answer: str) -> str:
    """Return what an answer means; `binary(2)` is explained as `binary`.

    >>> meaning("gain", "binary(2)")
    '1 for a positive grade that reaches the threshold t of binary(t), else 0'
    """
    key = "a number" if answer.isdecimal() else answer.partition("(")[0]
    return QUESTIONS[field].answers[key]


def about(convention: Convention) -> list[str]:
    """Return where a convention comes from."""
    return [
        f"reproduces: {convention.reproduces}",
        f"source: {convention.source}",
        f"cite: {convention.cite}",
        f"summary: {convention.summary}",
    ]


def to_json(chosen: list[Convention], *, one: bool) -> str:
    """Write conventions as JSON: every answer, and where it comes from."""
    import json

    notes = ("summary", "reproduces", "source", "cite")
    values = [
        {"name": str(c)} | {f: _plain(c[f]) for f in QUESTIONS} | {note: c[note] for note in notes} for c in chosen
    ]
    return json.dumps(values[0] if one else values, indent=2, ensure_ascii=False)


def _plain(answer: object) -> object:
    return answer if answer is None or isinstance(answer, str | int) else str(answer)
