"""The program `rankgauge`: its commands, its exit codes, and errors as one line on stderr.

Exit codes: 0 done, 1 a requested threshold not met, 2 bad input with one line on stderr, 130 interrupted, 143 and 129
stopped by SIGTERM and SIGHUP.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from rankgauge import _core
from rankgauge.cli import language, streams_and_signals
from rankgauge.errors import RankgaugeError, ThresholdNotMetError, nearest
from rankgauge.languages.escapes import printable

CALCULATOR = ("ndcg", "dcg", "idcg", "cg")
COMMANDS = (
    *(
        "evaluate",
        "compare",
        "report",
        "trec_eval",
        "explain",
        *CALCULATOR,
        "conventions",
        "measures",
        "grade",
        "stocks",
        "sql",
        "demo",
    ),
    "completion",
)


class LazyGroup(click.Group):
    """Loads a command's file only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the help: the most used first."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, or raise an error that lists the commands."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            raise RankgaugeError("unknown-command", known=known, got=args[0], nearest=nearest(args[0], COMMANDS))
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the module of a command; the calculator module has several commands."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in CALCULATOR:
            from rankgauge.cli import calculator

            return calculator.COMMANDS[cmd_name]
        command: click.Command = import_module(f"rankgauge.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; report an interrupt here, because click would print an empty line first."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `rankgauge demo`, or `rankgauge evaluate JUDGMENTS RANKING`.",
)
@click.version_option(_core.VERSION, message="rankgauge %(version)s")
@language.option
def app() -> None:
    """Measure how good a ranking is, under a named convention."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit."""
    streams_and_signals.stop_by_exception()
    gc.freeze()  # the imported modules live until exit: collections need not search them
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; an error prints one line on stderr."""
    streams_and_signals.prepare()
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        app.main(given, prog_name="rankgauge", standalone_mode=False, obj=given)
        sys.stdout.flush()
    except BaseException as error:
        return _code_of(error)
    return 0


def _code_of(error: BaseException) -> int:
    """Print an error and return its exit code."""
    if isinstance(error, SystemExit | BrokenPipeError):  # the reader closed the pipe, as `head` does
        streams_and_signals.discard(1)
        return 0
    if isinstance(error, streams_and_signals.Stopped):
        return 128 + error.number
    if isinstance(error, click.Abort | KeyboardInterrupt):
        streams_and_signals.say("rankgauge: interrupted")
        return 130
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message())
        return 0
    if isinstance(error, ThresholdNotMetError):
        click.echo(f"rankgauge: {printable(str(error))}", err=True)
        return 1
    if os.environ.get("RANKGAUGE_DEBUG"):
        raise error
    return _fail(_worded(error))


def _worded(error: BaseException) -> RankgaugeError:
    if isinstance(error, RankgaugeError):
        return error
    if isinstance(error, click.UsageError):
        from rankgauge.cli.usage_hints import hint_of  # only needed when something went wrong

        return RankgaugeError("usage", got=error.format_message(), hint=hint_of(error))
    if isinstance(error, OSError):  # input files are read by the core, so the output failed
        streams_and_signals.discard(1)
        return RankgaugeError("unwritable-file", place="standard output", got=error.strerror or str(error))
    return RankgaugeError("internal", got=f"{type(error).__name__}: {error}")


def _fail(error: RankgaugeError) -> int:
    from rankgauge.cli.keywords import as_switches  # only needed when something went wrong

    streams_and_signals.say(f"rankgauge: {printable(as_switches(' '.join(str(error).split())))}")
    return 2
