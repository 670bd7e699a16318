"""`rankgauge grade`: raw signals in a file → grades in a file, and an audit of what was dropped."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Final

import click

from rankgauge import grading
from rankgauge.cli import options
from rankgauge.cli.choices import Choice
from rankgauge.cli.output import GENERAL, Output, OutputPath, output_options, present, write
from rankgauge.cli.output_file import write_with
from rankgauge.cli.progress import with_progress
from rankgauge.cli.returns_options import numbers, returns_options
from rankgauge.cli.streams_and_signals import say
from rankgauge.cli.terminal import is_terminal
from rankgauge.errors import RankgaugeError
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.grading.returns import grade_by_rules
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.roles import quoted
from rankgauge.languages.escapes import printable
from rankgauge.presentation.table import Table
from rankgauge.remarks import require_none_severe

if TYPE_CHECKING:
    from pathlib import Path

    from rankgauge.grading import Audit, Audited
    from rankgauge.grading.actions import Combine
    from rankgauge.grading.ratings import Below
    from rankgauge.grading.split import Split

EXAMPLES = """
\b
Examples:
  rankgauge grade returns prices.parquet --horizon 5 --levels 5 -o grades.parquet
  rankgauge grade actions log.csv --grade click=1 --grade purchase=3 -o grades.csv
  rankgauge grade ratings ratings.csv --thresholds 3,4,5 -o grades.csv
  rankgauge grade holdout ratings.csv --method last -o truth.csv --train train.csv
  rankgauge evaluate grades.parquet scores.csv -m ndcg@10
"""
# Suffix of a file of grades → options of the COPY statement of DuckDB that writes it.
_COPY_OPTIONS: Final[Mapping[str, str]] = {
    ".parquet": "format parquet",
    ".csv": "format csv, header",
    ".tsv": "format csv, header, delimiter '\\t'",
    ".jsonl": "format json",
    ".json": "format json, array true",
}


def _check_suffix(ctx: click.Context, param: click.Parameter, path: str | None) -> str | None:  # noqa: ARG001 - click's signature
    """Refuse a file with an unknown suffix before any work is done."""
    if path is not None:
        _copy_options(path)
    return path


_grades_option = click.option(
    "-o",
    "--output",
    "grades_path",
    type=OutputPath(),
    callback=_check_suffix,
    metavar="FILE",
    help="Write the grades to a .parquet, .csv, .tsv, .json or .jsonl file; - prints them as CSV, and the audit on "
    "stderr.",
)
# --format and --places are those of the audit.
_output_options = output_options(*GENERAL, to_file=False)


def _audit_options(command: options.Command) -> options.Command:
    return _output_options(options.strict_option(command))


@click.group(short_help="Make grades from prices, actions, ratings or held-out items.", epilog=EXAMPLES)
def command() -> None:
    """Make grades from raw signals, and print what was dropped and why."""


@command.command(short_help="Prices or returns → grades by the return of the next days.")
@click.argument("prices", type=click.Path())
@returns_options
@options.columns_option("prices", "date=day,ticker=symbol,close=price")
@_grades_option
@_audit_options
def returns(
    prices: str, rules: ReturnRules, columns_prices: ColumnsInput, grades_path: str | None, strict: bool, output: Output
) -> None:
    """Grade each stock of each date by its return over the next rows of the file PRICES.

    It has a date, a ticker and a close per row, or a date and a column of prices per ticker: CSV, TSV, JSON, Parquet,
    Arrow, or a table of a database, as in market.duckdb::closes. A file with a ticker and a return per row, as in 0.12
    or +12%, is graded by that return; it needs no date.
    """
    graded = with_progress(lambda: grade_by_rules(prices, rules, columns_prices), "grading")
    finish(graded, grades_path, output, strict=strict)


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
    help="Grade of an action; replaces all of impression=0, click=1, cart=2, purchase=3. Repeatable.",
)
@click.option(
    "--combine",
    type=Choice(["max", "sum", "last"]),
    default="max",
    show_default=True,
    help="Grade of several actions on one item: the highest, the sum up to --cap, or the last.",
)
@click.option("--cap", type=float, metavar="GRADE", show_default="the highest grade", help="Upper limit of a sum.")
@click.option(
    "--half-life",
    type=float,
    metavar="SPAN",
    help="Halve the grade of an action for each such span before --now; in days, or in the unit of numeric times.",
)
@click.option(
    "--now", metavar="TIME", show_default="the last time of the log", help="The time at which grades are made."
)
@options.columns_option("log", "query=user,item=product,action=event,time=ts")
@_grades_option
@_audit_options
def actions(
    log: str,
    grades: dict[str, float] | None,
    combine: Combine,
    cap: float | None,
    half_life: float | None,
    now: str | None,
    columns_log: ColumnsInput,
    grades_path: str | None,
    strict: bool,
    output: Output,
) -> None:
    """Grade each item of each query or user by the actions in the file LOG."""

    def graded() -> Audited:
        return grading.actions(
            log, grades=grades, combine=combine, cap=cap, half_life=half_life, now=now, columns=columns_log
        )

    finish(with_progress(graded, "grading"), grades_path, output, strict=strict)


@command.command(short_help="Ratings → grades.")
@click.argument("ratings", type=click.Path())
@click.option(
    "--thresholds", callback=numbers, metavar="NUMBERS", help="Grade a rating by how many of these it reaches."
)
@click.option("--centred", is_flag=True, help="Grade by the difference from the mean rating of the user.")
@click.option("--least", type=float, metavar="RATING", help="The lowest rating that counts as liked.")
@click.option(
    "--below",
    type=Choice(["zero", "negative"]),
    default="zero",
    show_default=True,
    help="Grade of ratings below the thresholds, the mean or --least: 0, or negative.",
)
@options.columns_option("ratings", "query=userId,item=movieId,rating=stars")
@_grades_option
@_audit_options
def ratings(
    ratings: str,
    thresholds: list[float] | None,
    centred: bool,
    least: float | None,
    below: Below,
    columns_ratings: ColumnsInput,
    grades_path: str | None,
    strict: bool,
    output: Output,
) -> None:
    """Grade each item of each user by the ratings in the file RATINGS."""

    def graded() -> Audited:
        return grading.ratings(
            ratings, thresholds=thresholds, centred=centred, least=least, below=below, columns=columns_ratings
        )

    finish(with_progress(graded, "grading"), grades_path, output, strict=strict)


@command.command(short_help="Interactions → training and held-out truth.")
@click.argument("interactions", type=click.Path())
@click.option(
    "--method",
    type=Choice(["last", "fraction", "time", "random"]),
    default="last",
    show_default=True,
    help="Hold out the last items of each user, the last share, everything since --at, or a random share.",
)
@click.option("--count", type=int, default=1, show_default=True, help="Number of items per user, for last.")
@click.option(
    "--fraction", type=float, default=0.2, show_default=True, help="Share of the items, for fraction and random."
)
@click.option("--at", metavar="TIME", help="Hold out what happened at this time or later, for time.")
@click.option(
    "--repeats",
    type=Choice(["error", "first", "last"]),
    default="error",
    show_default=True,
    help="The same user and item more than once: an error, or keep the first or the last.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of random.")
@click.option(
    "--train",
    type=OutputPath(),
    callback=_check_suffix,
    metavar="FILE",
    help="Write the training interactions to this file.",
)
@click.option(
    "--ranking", type=click.Path(), metavar="FILE", help="A ranking from which items in training are removed."
)
@click.option(
    "--unseen", type=OutputPath(), callback=_check_suffix, metavar="FILE", help="Write that ranking to this file."
)
@options.columns_option("interactions", "query=user,item=movie,time=ts")
@options.columns_option("ranking", "query=user,item=movie,score=prediction")
@_grades_option
@_audit_options
def holdout(
    interactions: str,
    method: str,
    count: int,
    fraction: float,
    at: str | None,
    repeats: str,
    seed: int,
    columns_interactions: ColumnsInput,
    columns_ranking: ColumnsInput,
    train: str | None,
    ranking: str | None,
    unseen: str | None,
    grades_path: str | None,
    strict: bool,
    output: Output,
) -> None:
    """Split the interactions in the file INTERACTIONS into training and held-out truth."""
    if (ranking is None) != (unseen is None):
        raise click.UsageError("expected --ranking and --unseen together, got one of them")
    _require_distinct(grades_path, train, unseen)

    def held_out() -> Split:
        return grading.holdout(
            interactions,
            method=method,
            count=count,
            fraction=fraction,
            at=at,
            repeats=repeats,
            seed=seed,
            columns=columns_interactions,
        )

    split = with_progress(held_out, "grading")
    require_none_severe(split.audit.remarks, strict=strict)
    if train is not None:
        write_table(split.train, train)
    if grades_path is not None:
        write_table(split.truth.frame, grades_path)
    _present_audit(split.audit, grades_path, output)
    if ranking is not None and unseen is not None:
        rest = split.unseen(ranking, columns=columns_ranking)
        require_none_severe(rest.audit.remarks, strict=strict)
        write_table(_as_relation(rest.frame), unseen)
        _present_audit(rest.audit, grades_path, output)


def _as_relation(ranking: Any) -> Any:  # noqa: ANN401 - a mapping, or a DuckDB relation
    """Turn a mapping into a table: with scores if it is query → {item: score}, with ranks if query → list of items."""
    if not isinstance(ranking, Mapping):
        return ranking
    from rankgauge.inputs import duckdb_tables

    ordered = all(isinstance(items, list) for items in ranking.values())
    valued = (lambda items: zip(items, range(1, len(items) + 1), strict=True)) if ordered else dict.items
    rows = [(query, item, value) for query, items in ranking.items() for item, value in valued(items)]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    names = ("query", "item", "rank" if ordered else "score")
    return duckdb_tables.from_columns(dict(zip(names, map(list, columns), strict=True)))


def _require_distinct(*outputs: str | None) -> None:
    """Raise if two tables would be written to one file."""
    paths = [path for path in outputs if path is not None]
    real_paths = [os.path.realpath(path) if path != "-" else path for path in paths]
    if len(set(real_paths)) < len(real_paths):
        raise click.UsageError(f"expected a file for each table, got {', '.join(paths)}")


def finish(graded: Audited, grades_path: str | None, output: Output, *, strict: bool) -> None:
    """Write the grades, if a file was named, and present the audit; `strict` makes a severe remark an error."""
    require_none_severe(graded.audit.remarks, strict=strict)
    if grades_path is not None:
        write_table(graded.frame, grades_path)
    _present_audit(graded.audit, grades_path, output)


def _present_audit(audit: Audit, grades_path: str | None, output: Output) -> None:
    if grades_path == "-":  # standard output has the grades
        say(audit.to_text(lang=output.lang))
    else:
        present(audit, output)


def write_table(relation: Any, output: str) -> None:  # noqa: ANN401 - a DuckDB relation
    """Write a table, sorted by its ids, in the format of the suffix of the file; - is standard output."""
    ordered = relation.order(", ".join(map(quoted, relation.columns[:2])))
    copy_options = _copy_options(output)
    if output == "-":
        import sys

        if is_terminal():
            _print_escaped(ordered)
        else:
            _copy(ordered, copy_options, sys.stdout.buffer)
        return

    def write_draft(draft: Path) -> None:
        with draft.open("wb") as file:
            _copy(ordered, copy_options, file)

    try:
        write_with(write_draft, output)
    except RankgaugeError:
        raise
    except Exception as error:
        if "duckdb" not in type(error).__module__:
            raise
        got = " ".join(str(error).split())[:160]
        raise RankgaugeError("unwritable-file", place=output, got=got) from None


def _copy_options(path: str) -> str:
    """Return the options of the COPY statement for a file of this name."""
    suffix = os.path.splitext(path)[1].lower() if path != "-" else ".csv"  # noqa: PTH122 - importing pathlib slows the start
    if suffix not in _COPY_OPTIONS:
        got = f"expected a file that ends in {', '.join(_COPY_OPTIONS)}, got {path!r}"
        raise RankgaugeError("usage", got=got, hint="such as -o grades.parquet")
    return _COPY_OPTIONS[suffix]


def _copy(relation: Any, options: str, to: IO[bytes]) -> None:  # noqa: ANN401 - a DuckDB relation
    """Write a table to an open file: DuckDB itself may write to a folder of its own alone."""
    import shutil

    from rankgauge.inputs import connections

    written = connections.write(relation if "parquet" in options else _with_plain_dates(relation), options)
    try:
        with open(written, "rb") as file:  # noqa: PTH123 - importing pathlib slows the start
            shutil.copyfileobj(file, to, 1 << 20)
    finally:
        os.unlink(written)  # noqa: PTH108


def _print_escaped(relation: Any) -> None:  # noqa: ANN401 - a DuckDB relation
    """Print a table with printable cells: a terminal would obey the control characters in ids."""
    import csv
    import io
    import sys

    content = io.BytesIO()
    _copy(relation, _COPY_OPTIONS[".csv"], content)
    csv.field_size_limit(sys.maxsize)
    headers, *rows = csv.reader(io.StringIO(content.getvalue().decode(), newline=""))
    write(Table(headers, rows).with_texts(printable).to_csv(), None)


def _with_plain_dates(relation: Any) -> Any:  # noqa: ANN401 - DuckDB relations
    """Cast columns of timestamps at midnight to dates, as all other output writes them; ids are compared as text."""
    times = [
        name for name, kind in zip(relation.columns, relation.types, strict=True) if str(kind).startswith("TIMESTAMP")
    ]
    plain = [
        name for name in times if not relation.filter(f"{quoted(name)} <> {quoted(name)}::date").limit(1).fetchall()
    ]
    cells = (f"{quoted(name)}::date as {quoted(name)}" if name in plain else quoted(name) for name in relation.columns)
    return relation.project(", ".join(cells)) if plain else relation
