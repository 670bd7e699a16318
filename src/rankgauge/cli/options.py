"""Switches that commands share, and where their output goes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from rankgauge import conventions, measures
from rankgauge.cli import terminal
from rankgauge.conventions import QUESTIONS
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.formats import FORMATS
from rankgauge.tables import Part, Table, parts_to_text

if TYPE_CHECKING:
    from pathlib import Path

Command = Callable[..., Any]


def _complete(known: Callable[[], dict[str, str]]) -> Callable[..., list[CompletionItem]]:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
        return [CompletionItem(name, help=text) for name, text in known().items() if name.startswith(incomplete)]

    return complete


def _conventions() -> dict[str, str]:
    return {name: convention.summary for name, convention in conventions.NAMED.items()}


def _measures() -> dict[str, str]:
    return {
        f"{name}{at}": measure.title
        for name, measure in measures.NAMED.items()
        for at in (("", "@10") if measure.takes_cutoff else ("",))
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
        help="How open questions are answered; `rankgauge conventions` lists the names, and 'trec_eval(ties=average)' "
        "changes an answer.",
    )


convention_option = _convention_option("trec_eval", "trec_eval")
# For what may be cases, which have another default.
convention_or_default_option = _convention_option(None, "trec_eval; of cases, textbook")
missing_option = _switch("--missing", "missing", "A judged query that is not in the ranking (trec_eval -c is zero).")
unjudged_option = _switch("--unjudged", "unjudged", "A ranked item without a judgment (trec_eval -J is drop).")
depth_option = click.option(
    "-M", "--depth", type=int, metavar="N", help="Only the first N ranked items count (trec_eval -M)."
)
relevance_level_option = click.option(
    "-l", "--relevance-level", type=float, metavar="N", help="The lowest grade that counts as relevant (trec_eval -l)."
)
output_option = click.option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Write to a file, whole or not at all."
)


def _columns(ctx: click.Context, param: click.Parameter, text: str | None) -> object:  # noqa: ARG001 - click's signature
    """`query=user,item=movie` are roles and names; `query,item,score` are the columns of a text without a header."""
    parts = [part.strip() for part in text.split(",")] if text else []
    named = ["=" in part for part in parts]
    if any(named) and not all(named):
        raise click.BadParameter(f"expected a role for each column, as in query=user,item=movie, got {text!r}")
    return dict(part.split("=", 1) for part in parts) if any(named) else parts or None


def columns_option(table: str, example: str) -> Callable[[Command], Command]:
    """Return the switch that says which column of a table is what."""
    return click.option(
        f"--columns-{table}",
        callback=_columns,
        metavar="COLUMNS",
        help=f"Its columns by role, as in {example}, where their names do not tell; or, where a text has no header, "
        "the names of all of them.",
    )


def reading_options(command: Command) -> Command:
    """Add the switches that say how the two files are to be read."""
    for side in ("ranking", "judgments"):
        value = "grade" if side == "judgments" else "score"
        form = click.option(
            f"--format-{side}",
            type=click.Choice(FORMATS),
            default=None,
            metavar="FORMAT",
            help=f"What the file {side.upper()} is: {', '.join(FORMATS)}; found from its content unless said.",
        )
        columns = click.option(
            f"--columns-{side}",
            callback=_columns,
            metavar="COLUMNS",
            help=f"Its columns by role, as in query=user,item=movie,{value}=stars; or, where the file has no header, "
            f"the names of all of them: query,item,{value}.",
        )
        command = form(columns(command))
    return command


def measure_option(*, several: bool) -> Callable[[Command], Command]:
    """Return the switch -m; `several` allows it more than once."""
    return click.option(
        "-m",
        "--measure",
        "measure",
        multiple=several,
        default=None,
        show_default="ndcg@10; of cases, ndcg",
        metavar="MEASURE",
        shell_complete=_complete(_measures),
        help="What to compute: ndcg, map, mrr, precision, recall, … with @k and terms, as in 'ndcg(gain=exp2)@10'; "
        f"`rankgauge measures` lists them all.{' Repeatable.' * several}",
    )


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Return the switch --format."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to print it.",
    )


def present(parts: Sequence[Part], table: Table, json: Callable[[], str], format_: str, output: str | None) -> None:
    """Show texts and tables to a person, or write them, the table or the JSON in the format that is asked for."""
    if format_ == "table" and output is None:
        terminal.show(parts)
        return
    renderers = {
        "table": lambda: parts_to_text(parts),
        "json": json,
        "csv": table.to_csv,
        "markdown": table.to_markdown,
        "latex": table.to_latex,
    }
    write(renderers[format_](), output)


def write(text: str, output: str | None) -> None:
    """Print the text, or put it into a file that is complete or untouched, even if this is interrupted."""
    text = text if text.endswith("\n") or not text else text + "\n"
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    write_with(lambda path: path.write_text(text, encoding="utf-8", newline=""), output)


def write_with(fill: Callable[[Path], object], output: str) -> None:
    """Let `fill` write a file that is complete or untouched, even if this is interrupted."""
    from pathlib import Path

    path = Path(output)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            fill(path)
        else:
            _replace(path, fill)
    except OSError as error:
        raise RankgaugeError("unwritable-file", place=output, got=error.strerror or str(error)) from None


def _replace(path: Path, fill: Callable[[Path], object]) -> None:
    from tempfile import mkstemp

    target = path.resolve()
    handle, name = mkstemp(dir=target.parent, prefix=".rankgauge-", suffix=".draft")
    os.close(handle)
    draft = target.with_name(os.path.basename(name))  # noqa: PTH119 - mkstemp returns a text
    try:
        fill(draft)
        draft.chmod(_mode(target))
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The mode of the file that is replaced, or that of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
