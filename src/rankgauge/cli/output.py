"""The switches --format, --places, -o and --lang, and the one function that presents any result as they say."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from rankgauge.cli import language
from rankgauge.cli.choices import Choice
from rankgauge.cli.streams_and_signals import say
from rankgauge.errors import RankgaugeError
from rankgauge.languages import ENGLISH, Text
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import DEFAULT_PLACES, MOST_PLACES
from rankgauge.notation import counted
from rankgauge.presentation.formats import DEFAULT, FORMATS, SUFFIXES, Presentable, format_of_path, render, rows_table
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge.presentation.table import Table

Command = Callable[..., Any]

# Every format that any result can be presented in; `trec` is for evaluations alone.
GENERAL: Final = tuple(name for name in FORMATS if name != "trec")
_SUFFIXES: Final = ", ".join(SUFFIXES)


class Output(NamedTuple):
    """How and where a result is presented; `path` None is standard output, `places` None the default."""

    format_: str
    places: int | None
    path: str | None
    spreadsheet_safe: bool = False
    lang: str = ENGLISH


class OutputPath(click.Path):
    """The path of a file that a command writes; all other paths are inputs."""


def require_suffix(path: str | None, written: str, hint: str, *, is_other: Callable[[str], bool]) -> None:
    """Raise if the suffix of a file promises another format than the only one that a command writes."""
    suffix = os.path.splitext(path or "")[1].lower()  # noqa: PTH122 - importing pathlib slows the start
    if suffix and is_other(suffix):
        raise RankgaugeError("usage", got=f"expected a name for {written}, got {path!r}", hint=hint)


def present(result: Presentable, output: Output) -> None:
    """Show a result on a terminal, or write it in its format to a pipe or a file.

    Formats for programs have no room for remarks, so these go to stderr, once the output is written.
    """
    places = DEFAULT_PLACES if output.places is None else output.places
    # An audit also holds plain sentences among its remarks.
    remarks = [remark for remark in getattr(result, "remarks", ()) if isinstance(remark, Remark)]
    if output.format_ == DEFAULT:
        _show(result, output, places)
    elif output.format_ == "csv":
        table = rows_table(result)
        write(_csv(table, output), output.path)
        remarks += _formula_remarks(table, output)
    else:
        write(render(result, output.format_, places=places, lang=output.lang), output.path)
    if not FORMATS[output.format_].has_remarks:
        sys.stdout.flush()
        for remark in remarks:
            say(_line(remark.in_language(output.lang)))


def _show(result: Presentable, output: Output, places: int) -> None:
    """Show texts and tables to a person."""
    from rankgauge.cli.terminal import show, text_in_pipe  # programs read other formats
    from rankgauge.presentation.parts import parts_in_language

    parts = parts_in_language(result.parts(), output.lang)
    if output.path is None:
        show(parts, places)
    else:
        write(text_in_pipe(parts, places), output.path)


def write(text: str, path: str | None) -> None:
    """Write a text that ends with a newline to a file; None and `-` are standard output."""
    text = text if text.endswith("\n") or not text else text + "\n"
    if path is None or path == "-":
        click.echo(text, nl=False)
        return
    from rankgauge.cli.output_file import write_with  # most output goes to a terminal or a pipe

    write_with(lambda draft: draft.write_text(text, encoding="utf-8", newline=""), path)


def _line(remark: Remark) -> str:
    """Return a remark as a line of stderr, where a severe one stands out on a terminal."""
    line, name = str(remark), f"{remark.name}:"
    if remark.severity != "severe" or "NO_COLOR" in os.environ:
        return line
    return click.style(name, fg="red", bold=True) + line.removeprefix(name)  # click drops the style in a pipe


def _csv(table: Table, output: Output) -> str:
    """Write the cells as they are; only on a terminal, which would obey control characters, these are escaped."""
    from rankgauge.cli.terminal import is_terminal

    shown = table.with_texts(printable) if output.path is None and is_terminal() else table
    return shown.to_csv(spreadsheet_safe=output.spreadsheet_safe)


def _formula_remarks(table: Table, output: Output) -> list[Remark]:
    from rankgauge.presentation.csv import is_formula  # imported late: only CSV needs it

    formulas = [text for text in table.texts() if is_formula(text)]
    if output.spreadsheet_safe or not formulas:
        return []
    cells = counted(len(formulas), "cell")
    text = Text("a spreadsheet would run {cells}, such as {example!r}", cells=cells, example=formulas[0])
    return [Remark.of("formulas", text)]


def output_options(
    *formats: str, to_file: bool = True, default_places: int | None = DEFAULT_PLACES
) -> Callable[[Command], Command]:
    """Add --format with these formats, --places, --spreadsheet-safe, -o and --lang; the command receives an `output`.

    `to_file` False leaves out -o, for commands that write data rather than the result to a file. `default_places` None
    tells the command that no number of digits was asked for.
    """

    def add(command: Command) -> Command:
        @functools.wraps(command)
        def with_output(
            *arguments: object,
            format_: str | None,
            places: int | None,
            spreadsheet_safe: bool,
            path: str | None = None,
            **switches: object,
        ) -> object:
            _require_no_input(click.get_current_context())
            output = Output(
                format_ or format_of_path(path), places, path, spreadsheet_safe, language.of_output(to_file=path)
            )
            return command(*arguments, output=output, **switches)

        options: list[Callable[[Command], Command]] = [
            _format_option(formats, by_suffix=to_file),
            places_option(default_places),
            _spreadsheet_option,
            *([_path_option] if to_file else []),
            language.option,
        ]
        decorated: Command = with_output
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return add


def _require_no_input(context: click.Context) -> None:
    """Raise if the command would write over a file that it reads."""
    outputs: list[str | None] = []
    inputs: list[str | None] = []
    for parameter in context.command.params:
        if isinstance(parameter.type, click.Path):
            value = context.params.get(parameter.name or "")
            paths = outputs if isinstance(parameter.type, OutputPath) else inputs
            paths += value if isinstance(value, tuple) else [value]
    if any(outputs):
        from rankgauge.cli.output_file import require_no_input

        require_no_input(outputs, inputs)


def _format_option(formats: tuple[str, ...], *, by_suffix: bool) -> Callable[[Command], Command]:
    return click.option(
        "--format",
        "format_",
        type=Choice(formats, also={"md": "markdown", "tex": "latex", "htm": "html", "text": "table"}),
        default=None,
        show_default=f"by the suffix of -o, else {DEFAULT}" if by_suffix else DEFAULT,
        help="The format of the output.",
    )


def places_option(default: int | None = DEFAULT_PLACES) -> Callable[[Command], Command]:
    """Return the switch --places."""
    return click.option(
        "--places",
        type=click.IntRange(0, MOST_PLACES),
        default=default,
        show_default=True if default is not None else f"{DEFAULT_PLACES}; all digits for a single value",
        metavar="N",
        help=f"Digits after the point, 0 to {MOST_PLACES}; json and csv have all digits.",
    )


_spreadsheet_option: Final = click.option(
    "--spreadsheet-safe",
    is_flag=True,
    help="In csv, put an apostrophe before ids that a spreadsheet would run as formulas.",
)
_path_option: Final = click.option(
    "-o",
    "--output",
    "path",
    type=OutputPath(),
    metavar="FILE",
    help=f"Write to a file, completely or not at all. Without --format, the suffix picks the format: {_SUFFIXES}; any "
    f"other writes a {DEFAULT}.",
)
