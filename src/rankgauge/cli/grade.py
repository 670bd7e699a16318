"""`rankgauge grade`: raw signals in a file → grades in a file, and the audit of how they were made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from rankgauge import grading
from rankgauge.cli import options, terminal
from rankgauge.cli.returns_options import numbers, returns_options
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from rankgauge.grading import Audit, Audited

EXAMPLES = """
\b
Examples:
  rankgauge grade returns prices.parquet --horizon 5 --levels 5 -o grades.parquet
  rankgauge grade actions log.csv --grade click=1 --grade purchase=3 -o grades.csv
  rankgauge grade ratings ratings.csv --thresholds 3,4,5 -o grades.csv
  rankgauge grade holdout ratings.csv --method last -o truth.csv --train train.csv
  rankgauge evaluate grades.parquet scores.csv -m ndcg@10
"""
# How a table is written, by the end of its name; a TREC file has no header and a column of zeros.
_FORMS: Final[Mapping[str, str]] = {
    ".parquet": "format parquet",
    ".csv": "format csv, header",
    ".tsv": "format csv, header, delimiter '\\t'",
    ".jsonl": "format json",
    ".json": "format json, array true",
}


def _checked(ctx: click.Context, param: click.Parameter, output: str | None) -> str | None:  # noqa: ARG001 - click's signature
    """Refuse a file that cannot be written before any work is done."""
    if output is not None:
        _form(output)
    return output


_output = click.option(
    "-o",
    "--output",
    type=click.Path(),
    callback=_checked,
    metavar="FILE",
    help="Where the grades go: .parquet, .csv, .tsv, .json, .jsonl; - prints them as CSV, and the audit on stderr.",
)
_format = options.format_option("table", "json", "csv", "markdown", "latex")


@click.group(short_help="Make grades of prices, actions, ratings or held-out items.", epilog=EXAMPLES)
def command() -> None:
    """Make grades of raw signals, and print what was dropped and why."""


@command.command(short_help="Prices or returns → grades by the return of the next days.")
@click.argument("prices", type=click.Path())
@returns_options
@options.columns_option("prices", "date=day,ticker=symbol,close=price")
@_output
@_format
def returns(prices: str, columns_prices: Any, output: str | None, format_: str, **switches: Any) -> None:  # noqa: ANN401 - each checked by click
    """Grade each stock of each date by its return over the next rows of the file PRICES.

    It has a date, a ticker and a close per row, or a date and a column of prices per ticker: CSV, TSV, JSON, Parquet,
    Arrow, or a table of a database, as in market.duckdb::closes. A file with a ticker and a return per row, as in 0.12
    or +12%, is graded by that return; it needs no date.
    """
    finish(
        terminal.watched(lambda: grading.returns(prices, columns=columns_prices, **switches), "grading"),
        output,
        format_,
    )


def _grades(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, float] | None:  # noqa: ARG001 - click's signature
    pairs = [text.rpartition("=") for text in texts]
    try:
        return {action: float(grade) for action, _, grade in pairs} or None
    except ValueError:
        raise click.BadParameter(f"expected ACTION=GRADE, as in click=1, got {', '.join(texts)!r}") from None


@command.command(short_help="A log of actions → grades.")
@click.argument("log", type=click.Path())
@click.option(
    "--grade",
    "grades",
    multiple=True,
    callback=_grades,
    metavar="ACTION=GRADE",
    help="What an action is worth; replaces all of impression=0, click=1, cart=2, purchase=3. Repeatable.",
)
@click.option(
    "--combine",
    type=click.Choice(["max", "sum", "last"]),
    default="max",
    show_default=True,
    help="Several actions on one item: the highest grade, the sum up to --cap, or the last.",
)
@click.option("--cap", type=float, metavar="GRADE", help="The most that a sum can be; the highest grade unless said.")
@click.option(
    "--half-life",
    type=float,
    metavar="SPAN",
    help="Halve the grade of an action for each such span before --now: days, or what times that are numbers count.",
)
@click.option("--now", metavar="TIME", help="When grades are made; the last time of the log unless said.")
@options.columns_option("log", "query=user,item=product,action=event,time=ts")
@_output
@_format
def actions(log: str, columns_log: Any, output: str | None, format_: str, **switches: Any) -> None:  # noqa: ANN401
    """Grade each item of each query or user by the actions in the file LOG."""
    finish(terminal.watched(lambda: grading.actions(log, columns=columns_log, **switches), "grading"), output, format_)


@command.command(short_help="Ratings → grades.")
@click.argument("ratings", type=click.Path())
@click.option("--thresholds", callback=numbers, metavar="NUMBERS", help="Grade by how many of these a rating reaches.")
@click.option("--centred", is_flag=True, help="Grade by the difference from the mean rating of the user.")
@click.option("--least", type=float, metavar="RATING", help="The lowest rating that counts as liked.")
@click.option(
    "--below",
    type=click.Choice(["zero", "negative"]),
    default="zero",
    show_default=True,
    help="What is below the thresholds, the mean or --least: grade 0, or a negative grade.",
)
@options.columns_option("ratings", "query=userId,item=movieId,rating=stars")
@_output
@_format
def ratings(ratings: str, columns_ratings: Any, output: str | None, format_: str, **switches: Any) -> None:  # noqa: ANN401
    """Grade each item of each user by the ratings in the file RATINGS."""
    finish(
        terminal.watched(lambda: grading.ratings(ratings, columns=columns_ratings, **switches), "grading"),
        output,
        format_,
    )


@command.command(short_help="Interactions → training and held-out truth.")
@click.argument("interactions", type=click.Path())
@click.option(
    "--method",
    type=click.Choice(["last", "fraction", "time", "random"]),
    default="last",
    show_default=True,
    help="Hold out the last of each user, the last share of each, all from a moment on, or a random share of each.",
)
@click.option("--count", type=int, default=1, show_default=True, help="How many are held out by last.")
@click.option("--fraction", type=float, default=0.2, show_default=True, help="The share for fraction and random.")
@click.option("--at", metavar="TIME", help="The moment for time: what is then or later is held out.")
@click.option(
    "--repeats",
    type=click.Choice(["error", "first", "last"]),
    default="error",
    show_default=True,
    help="The same user and item more than once: refuse it, or keep the first or the last.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of random.")
@click.option(
    "--train", type=click.Path(), callback=_checked, metavar="FILE", help="Where the rest goes, to learn from."
)
@click.option(
    "--ranking", type=click.Path(), metavar="FILE", help="A ranking to take the items out that are in training."
)
@click.option(
    "--unseen", type=click.Path(), callback=_checked, metavar="FILE", help="Where that ranking goes without them."
)
@options.columns_option("interactions", "query=user,item=movie,time=ts")
@options.columns_option("ranking", "query=user,item=movie,score=prediction")
@_output
@_format
def holdout(
    interactions: str,
    columns_interactions: Any,  # noqa: ANN401 - each checked by click
    columns_ranking: Any,  # noqa: ANN401
    train: str | None,
    ranking: str | None,
    unseen: str | None,
    output: str | None,
    format_: str,
    **switches: Any,  # noqa: ANN401
) -> None:
    """Split the interactions in the file INTERACTIONS into what to learn from and what to be judged by."""
    if (ranking is None) != (unseen is None):
        raise click.UsageError("expected --ranking and --unseen together, got one of them")
    _require_apart(output, train, unseen)
    split = terminal.watched(lambda: grading.holdout(interactions, columns=columns_interactions, **switches), "grading")
    if train is not None:
        write_table(split.train, train)
    if output is not None:
        write_table(split.truth.frame, output)
    _show(split.audit, output, format_)
    if ranking is not None and unseen is not None:
        rest = split.unseen(ranking, columns=columns_ranking)
        write_table(_as_relation(rest.frame), unseen)
        _show(rest.audit, output, format_)


def _as_relation(ranking: Any) -> Any:  # noqa: ANN401 - a mapping, or a DuckDB relation
    """A ranking that is a mapping as a table: that of a TREC run has scores, one by the order of its rows has ranks."""
    if not isinstance(ranking, Mapping):
        return ranking
    from rankgauge.inputs import relations

    ordered = all(isinstance(items, list) for items in ranking.values())
    valued = (lambda items: zip(items, range(1, len(items) + 1), strict=True)) if ordered else dict.items
    rows = [(query, item, value) for query, items in ranking.items() for item, value in valued(items)]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    names = ("query", "item", "rank" if ordered else "score")
    return relations.from_columns(dict(zip(names, map(list, columns), strict=True)))


def _require_apart(*outputs: str | None) -> None:
    """Raise if two tables would go to one place."""
    given = [output for output in outputs if output is not None]
    places = [os.path.realpath(output) if output != "-" else output for output in given]
    if len(set(places)) < len(places):
        raise click.UsageError(f"expected a file for each table, got {', '.join(given)}")


def finish(graded: Audited, output: str | None, format_: str) -> None:
    """Write the table, if that was asked for, and show the audit."""
    if output is not None:
        write_table(graded.frame, output)
    _show(graded.audit, output, format_)


def _show(audit: Audit, output: str | None, format_: str) -> None:
    if output == "-":
        click.echo(str(audit), err=True)
    else:
        options.present(audit.parts(), audit.table(), audit.to_json, format_, None)


def write_table(relation: Any, output: str) -> None:  # noqa: ANN401 - a DuckDB relation
    """Write a table in the format that the name of the file asks for, in the order of its ids; - is standard output."""
    ordered = relation.order(", ".join(map(quoted, relation.columns[:2])))
    if output == "-":
        _print_table(ordered)
        return
    form = _form(output)
    try:
        options.write_with(lambda path: _copy(ordered, path, form), output)
    except RankgaugeError:
        raise
    except Exception as error:
        if "duckdb" not in type(error).__module__:
            raise
        got = " ".join(str(error).split())[:160]
        raise RankgaugeError("unwritable-file", place=output, got=got) from None


def _form(output: str) -> str:
    """How a table is written to a file of that name."""
    suffix = os.path.splitext(output)[1].lower() if output != "-" else ".csv"  # noqa: PTH122 - quicker to start
    if suffix not in _FORMS:
        got = f"expected a file that ends in {', '.join(_FORMS)}, got {output!r}"
        raise RankgaugeError("usage", got=got, hint="such as -o grades.parquet")
    return _FORMS[suffix]


def _print_table(relation: Any) -> None:  # noqa: ANN401 - a DuckDB relation
    import shutil
    import sys
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="rankgauge-") as folder:
        path = Path(folder) / "grades.csv"
        _copy(relation, path, _FORMS[".csv"])
        with path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)


def _copy(relation: Any, path: Path, form: str) -> None:  # noqa: ANN401 - a DuckDB relation
    if "parquet" not in form:
        relation = _with_plain_dates(relation)
    text = "'" + str(path).replace("'", "''") + "'"
    relation.query("graded", f"copy (from graded) to {text} ({form})").fetchall()


def _with_plain_dates(relation: Any) -> Any:  # noqa: ANN401 - DuckDB relations
    """Texts are compared letter by letter, and a date at midnight is the date alone everywhere else."""
    times = [
        name for name, kind in zip(relation.columns, relation.types, strict=True) if str(kind).startswith("TIMESTAMP")
    ]
    plain = [
        name for name in times if not relation.filter(f"{quoted(name)} <> {quoted(name)}::date").limit(1).fetchall()
    ]
    cells = (f"{quoted(name)}::date as {quoted(name)}" if name in plain else quoted(name) for name in relation.columns)
    return relation.project(", ".join(cells)) if plain else relation
