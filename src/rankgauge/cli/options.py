"""Arguments and switches that several commands share: data, measures, conventions, how files are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from rankgauge import conventions, measures
from rankgauge.conventions import QUESTIONS
from rankgauge.inputs.formats import FORMATS

Command = Callable[..., Any]


def _complete(known: Callable[[], dict[str, str]]) -> Callable[..., list[CompletionItem]]:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
        return [CompletionItem(name, help=text) for name, text in known().items() if name.startswith(incomplete)]

    return complete


def _conventions() -> dict[str, str]:
    return {name: convention.summary for name, convention in conventions.NAMED.items()}


def _measures() -> dict[str, str]:
    return {
        f"{name}{cutoff}": measure.title
        for name, measure in measures.NAMED.items()
        for cutoff in (("", "@10") if measure.takes_cutoff else ("",))
    }


complete_conventions = _complete(_conventions)


def _switch(name: str, field: str, text: str) -> Callable[[Command], Command]:
    return click.option(name, type=click.Choice(list(QUESTIONS[field].answers)), default=None, help=text)


judgments_argument = click.argument("judgments", type=click.Path())
ranking_argument = click.argument("ranking", type=click.Path(), required=False)


def _convention_option(default: str | None, shown: str) -> Callable[[Command], Command]:
    return click.option(
        "--convention",
        default=default,
        show_default=shown,
        metavar="NAME",
        shell_complete=complete_conventions,
        help="Which convention the formula follows; `rankgauge conventions` lists them, and 'trec_eval(ties=average)' "
        "changes one of its answers.",
    )


convention_option = _convention_option("trec_eval", "trec_eval")
# Files of cases have another default than judgments with a ranking.
convention_or_default_option = _convention_option(None, "trec_eval; textbook for cases")
missing_option = _switch(
    "--missing", "missing", "How a judged query that is not in the ranking counts (trec_eval -c is zero)."
)
unjudged_option = _switch(
    "--unjudged", "unjudged", "How a ranked item without a judgment counts (trec_eval -J is drop)."
)
depth_option = click.option(
    "-M", "--depth", type=int, metavar="N", help="Only the first N ranked items count (trec_eval -M)."
)
relevance_level_option = click.option(
    "-l", "--relevance-level", type=float, metavar="N", help="The lowest grade that counts as relevant (trec_eval -l)."
)

by_option = click.option(
    "--by",
    metavar="FILE:COLUMN",
    help="Show each segment of the queries, too, as in segments.csv:device; the file has a column of queries.",
)
human_option = click.option(
    "--human",
    type=click.Path(),
    metavar="FILE",
    help="Judgments by people of a random sample of the queries, where JUDGMENTS are by a machine: corrects its bias.",
)
strict_option = click.option("--strict", is_flag=True, help="Make severe remarks errors (exit code 2).")


def _columns(ctx: click.Context, param: click.Parameter, text: str | None) -> object:  # noqa: ARG001 - click's signature
    """Read `query=user,item=movie` as roles and names, `query,item,score` as the columns of a file without a header."""
    parts = [part.strip() for part in text.split(",")] if text else []
    named = ["=" in part for part in parts]
    if any(named) and not all(named):
        raise click.BadParameter(f"expected a role for each column, as in query=user,item=movie, got {text!r}")
    return dict(part.split("=", 1) for part in parts) if any(named) else parts or None


def columns_option(table: str, example: str) -> Callable[[Command], Command]:
    """Return the switch that names the columns of a table by their roles."""
    return click.option(
        f"--columns-{table}",
        callback=_columns,
        metavar="COLUMNS",
        help=f"Columns of {table.upper()} by role, as in {example}, if their names are not recognised; or the names of "
        "all columns, if the file has no header.",
    )


def reading_options(command: Command) -> Command:
    """Add the switches for the format and the columns of the two input files."""
    for side in ("ranking", "judgments"):
        value = "grade" if side == "judgments" else "score"
        form = click.option(
            f"--format-{side}",
            type=click.Choice(FORMATS),
            default=None,
            metavar="FORMAT",
            show_default="recognised from the content",
            help=f"Format of the file {side.upper()}: {', '.join(FORMATS)}.",
        )
        columns = columns_option(side, f"query=user,item=movie,{value}=stars")
        command = form(columns(command))
    return command


def measure_option(*, several: bool) -> Callable[[Command], Command]:
    """Return the switch -m; with `several` it may be repeated."""
    return click.option(
        "-m",
        "--measure",
        "measure",
        multiple=several,
        default=None,
        show_default="ndcg@10; ndcg for cases",
        metavar="MEASURE",
        shell_complete=_complete(_measures),
        help="What to compute: ndcg, map, mrr, precision, recall, … with @k and terms, as in 'ndcg(gain=exp2)@10'; "
        f"`rankgauge measures` lists them all.{' Repeatable.' * several}",
    )
