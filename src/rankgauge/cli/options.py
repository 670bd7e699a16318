"""Arguments and switches that several commands share: data, measures, conventions, how files are read."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from rankgauge import conventions, measures
from rankgauge.cli.choices import Choice
from rankgauge.conventions import QUESTIONS, Missing, Unjudged
from rankgauge.inputs.formats import FORMATS
from rankgauge.inputs.reading_options import ColumnsInput, ReadingOptions
from rankgauge.request import RequestSettings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# `query:user`; RecBole writes the type of a column so, as in `user_id:token`.
_WITH_COLON: Final = re.compile(r"\w+:(?!(?:token|float)(?:_seq)?$)[^:]+")

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


plot_option: Final = click.option(
    "--plot", is_flag=True, help="Draw intervals and a histogram, too: block characters on a terminal, else ASCII."
)


def add_as_value(
    command: Command, name: str, make: Callable[..., object], parameters: Sequence[str], options: Iterable[Decorator]
) -> Command:
    """Add switches to a command; it receives `name=make(**parameters)` instead of the single parameters."""

    @functools.wraps(command)
    def with_value(*arguments: object, **switches: object) -> object:
        value = make(**{parameter: switches.pop(parameter) for parameter in parameters})
        return command(*arguments, **{name: value}, **switches)

    decorated: Command = with_value
    for option in reversed(list(options)):
        decorated = option(decorated)
    return decorated


def _complete(known: Callable[[], dict[str, str]]) -> Callable[..., list[CompletionItem]]:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
        from click.shell_completion import CompletionItem  # only a shell asks

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


def _switch(name: str, field: str, text: str) -> Decorator:
    return click.option(name, type=Choice(list(QUESTIONS[field].answers)), default=None, help=text)


judgments_argument = click.argument("judgments", type=click.Path())
ranking_argument = click.argument("ranking", type=click.Path(), required=False)


def _convention_option(default: str | None, shown: str) -> Decorator:
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
# Equal scores of stocks are averaged, so that their names decide nothing.
stocks_convention_option = _convention_option("trec_eval(ties=average)", "trec_eval(ties=average)")
# Files of cases have another default than judgments with a ranking.
convention_or_default_option = _convention_option(None, "trec_eval; textbook for cases")
_REQUEST_OPTIONS: Final = (
    _switch("--missing", "missing", "How a judged query that is not in the ranking counts (trec_eval -c is zero)."),
    _switch("--unjudged", "unjudged", "How a ranked item without a judgment counts (trec_eval -J is drop)."),
    click.option("-M", "--depth", type=int, metavar="N", help="Only the first N ranked items count (trec_eval -M)."),
    click.option(
        "-l",
        "--relevance-level",
        type=float,
        metavar="N",
        help="The lowest grade that counts as relevant (trec_eval -l).",
    ),
    click.option("-c", "missing_is_zero", is_flag=True, help="The same as --missing zero (trec_eval -c)."),
    click.option("-J", "judged_only", is_flag=True, help="The same as --unjudged drop (trec_eval -J)."),
)

by_option = click.option(
    "--by",
    type=click.Path(),
    metavar="FILE:COLUMN",
    help="Show each segment of the queries, too, as in segments.csv:device; the file has a column of queries.",
)
human_option = click.option(
    "--human",
    type=click.Path(),
    metavar="FILE",
    help="Judgments by people of a random sample of the queries, where JUDGMENTS are by a machine: corrects its bias.",
)
memory_option = click.option(
    "--memory",
    metavar="SIZE",
    show_default="three quarters of what is free",
    help="How much memory may be used, such as 2GB; rows of tables that do not fit go to a temporary file.",
)
strict_option = click.option("--strict", is_flag=True, help="Make severe remarks errors (exit code 2).")


def request_options(command: Command) -> Command:
    """Add --missing, --unjudged, --depth, --relevance-level, -c and -J; the command receives them as `settings`."""
    parameters = (*RequestSettings._fields, "missing_is_zero", "judged_only")
    return add_as_value(command, "settings", _settings, parameters, _REQUEST_OPTIONS)


def _settings(
    *,
    missing: Missing | None,
    unjudged: Unjudged | None,
    depth: int | None,
    relevance_level: float | None,
    missing_is_zero: bool,
    judged_only: bool,
) -> RequestSettings:
    """Return the settings with what -c and -J stand for; a long switch that says something else is refused."""
    settings = RequestSettings(missing, unjudged, depth, relevance_level)
    if missing_is_zero:
        _require_agreement(settings.missing, "zero", "-c", "--missing")
        settings = settings._replace(missing="zero")
    if judged_only:
        _require_agreement(settings.unjudged, "drop", "-J", "--unjudged")
        settings = settings._replace(unjudged="drop")
    return settings


def _require_agreement(asked: str | None, meant: str, short: str, long: str) -> None:
    if asked not in (None, meant):
        raise click.UsageError(f"expected {short} or {long} {asked}, got both: {short} means {long} {meant}")


class RunSwitches(NamedTuple):
    """How a request is run, by keywords of `rg.evaluate` and `rg.compare`."""

    seed: int
    threads: int | None
    memory: str | None
    strict: bool


def run_options(seed: str) -> Decorator:
    """Return --seed, --threads, --memory and --strict; the command receives them as `switches`. `seed` is its help."""
    added = (
        click.option("--seed", type=int, default=0, show_default=True, help=seed),
        click.option("--threads", type=int, metavar="N", show_default="all cores", help="Number of threads."),
        memory_option,
        strict_option,
    )
    return lambda command: add_as_value(command, "switches", RunSwitches, RunSwitches._fields, added)


def _columns(ctx: click.Context, param: click.Parameter, text: str | None) -> ColumnsInput:  # noqa: ARG001 - click's signature
    """Read `query=user,item=movie` as roles and names, `query,item,score` as the columns of a file without a header."""
    parts = [part.strip() for part in text.split(",")] if text else []
    named = ["=" in part for part in parts]
    if any(named) and not all(named):
        raise click.BadParameter(f"expected a role for each column, as in query=user,item=movie, got {text!r}")
    if parts and all(map(_WITH_COLON.fullmatch, parts)):
        meant = ",".join(part.replace(":", "=", 1) for part in parts)
        raise click.BadParameter(f"expected = between a role and its column, as in {meant}, got {text!r}")
    return dict(part.split("=", 1) for part in parts) if any(named) else parts or None


def columns_option(
    table: str,
    example: str,
    needed: str = "if their names are not recognised; or the names of all columns, if the file has no header",
) -> Decorator:
    """Return the switch that names the columns of a table by their roles; `needed` says in its help when it is."""
    return click.option(
        f"--columns-{table}",
        callback=_columns,
        metavar="COLUMNS",
        help=f"Columns of {table.upper()} by role, as in {example}, {needed}.",
    )


# Formats that Spark alone reads.
SPARK_FORMATS: Final = ("orc", "delta")


def _format_option(side: str) -> Decorator:
    return click.option(
        f"--format-{side}",
        type=Choice([*FORMATS, *SPARK_FORMATS]),
        default=None,
        metavar="FORMAT",
        show_default="recognised from the content",
        help=f"Format of the file {side.upper()}: {', '.join(FORMATS)}; with --engine spark orc and delta, too.",
    )


_READING_OPTIONS: Final = (
    _format_option("judgments"),
    columns_option("judgments", "query=user,item=movie,grade=stars"),
    _format_option("ranking"),
    columns_option("ranking", "query=user,item=movie,score=stars"),
)
_READING_PARAMETERS: Final = ("columns_judgments", "columns_ranking", "format_judgments", "format_ranking")


def reading_options(command: Command) -> Command:
    """Add the switches for formats and columns of the two input files; the command receives them as `reading`."""
    return add_as_value(command, "reading", ReadingOptions, _READING_PARAMETERS, _READING_OPTIONS)


def measure_option(*, several: bool, default: str = "ndcg@10; ndcg for cases") -> Decorator:
    """Return the switch -m; with `several` it may be repeated, and `default` is shown in its help."""
    return click.option(
        "-m",
        "--measure",
        "measure",
        multiple=several,
        default=None,
        show_default=default,
        metavar="MEASURE",
        shell_complete=_complete(_measures),
        help="What to compute: ndcg, map, mrr, precision, recall, … with @k and terms, as in 'ndcg(gain=exp2)@10'; "
        f"`rankgauge measures` lists them all.{' Repeatable.' * several}",
    )
