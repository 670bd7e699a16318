"""The switches --format, --places and -o, and the one function that presents any result as they say."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import click

from rankgauge.cli import terminal
from rankgauge.cli.writing import write
from rankgauge.presentation.formats import DEFAULT, FORMATS, SUFFIXES, Presentable, format_of_path, render
from rankgauge.presentation.table import MOST_PLACES, PLACES, printable
from rankgauge.remarks import Remark

Command = Callable[..., Any]

# Every format that any result can be presented in; `trec` is for evaluations alone.
GENERAL: Final = tuple(name for name in FORMATS if name != "trec")
_SUFFIXES: Final = ", ".join(SUFFIXES)


# Formats that have no room for remarks.
MACHINE_FORMATS: Final = ("trec", "json", "csv", "markdown", "latex")


class Output(NamedTuple):
    """How and where a result is presented; `path` None is standard output, `places` None the default."""

    format_: str
    places: int | None
    path: str | None


def present(result: Presentable, output: Output) -> None:
    """Show a result on a terminal, or write it in its format to a pipe or a file.

    Formats for programs have no room for remarks, so these go to stderr.
    """
    if output.format_ in MACHINE_FORMATS:
        _write_remarks(getattr(result, "remarks", ()))
    places = PLACES if output.places is None else output.places
    if output.format_ == DEFAULT and output.path is None:
        terminal.show(result.parts(), places)
    else:
        write(render(result, output.format_, places=places), output.path)


def _write_remarks(remarks: Iterable[Remark]) -> None:
    for remark in remarks:
        click.echo(printable(str(remark)), err=True)


def output_options(
    *formats: str, to_file: bool = True, default_places: int | None = PLACES
) -> Callable[[Command], Command]:
    """Add --format with these formats, --places and -o; the command receives them as `output`.

    `to_file` False leaves out -o, for commands that write data rather than the result to a file. `default_places` None
    tells the command that no number of digits was asked for.
    """

    def add(command: Command) -> Command:
        @functools.wraps(command)
        def with_output(
            *arguments: object, format_: str | None, places: int | None, path: str | None = None, **switches: object
        ) -> object:
            output = Output(format_ or format_of_path(path), places, path)
            return command(*arguments, output=output, **switches)

        options = [_format_option(formats, by_suffix=to_file), places_option(default_places)]
        options += [_path_option] if to_file else []
        decorated: Command = with_output
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return add


def _format_option(formats: tuple[str, ...], *, by_suffix: bool) -> Callable[[Command], Command]:
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=None,
        show_default=f"by the suffix of -o, else {DEFAULT}" if by_suffix else DEFAULT,
        help="The format of the output.",
    )


def places_option(default: int | None = PLACES) -> Callable[[Command], Command]:
    """Return the switch --places."""
    return click.option(
        "--places",
        type=click.IntRange(0, MOST_PLACES),
        default=default,
        show_default=True if default is not None else f"{PLACES}; all digits for a single value",
        metavar="N",
        help=f"Digits after the point, 0 to {MOST_PLACES}; json and csv have all digits.",
    )


_path_option: Final = click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(),
    metavar="FILE",
    help=f"Write to a file, completely or not at all. Without --format, the suffix picks the format: {_SUFFIXES}; any "
    f"other writes a {DEFAULT}.",
)
