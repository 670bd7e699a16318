"""The program `rankgauge`: its commands, and the one way in which it fails.

Exit codes: 0 done, 1 a requested threshold not met, 2 bad input with one line on stderr.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

import click

from rankgauge.errors import RankgaugeError

COMMANDS = ("evaluate", "explain", "conventions", "demo", "completion")


class LazyGroup(click.Group):
    """Loads a command's file only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command from the file of its name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rankgauge.cli.{cmd_name}").command
        return command


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `rankgauge demo`, or `rankgauge evaluate JUDGMENTS RANKING`.",
)
@click.version_option(package_name="rankgauge", message="rankgauge %(version)s")
def app() -> None:
    """Measure how good a ranking is, and say under which convention."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; whatever goes wrong is one line on stderr."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an output that knows no × shows a ? rather than nothing
    try:
        code = _guarded(lambda: app.main(arguments, prog_name="rankgauge", standalone_mode=False))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _guarded(work: Callable[[], object]) -> int:
    try:
        code = work()
    except RankgaugeError as error:
        return _fail(error)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "rankgauge"
        message = error.format_message().rstrip(".")
        return _fail(RankgaugeError("usage", got=message, hint=f"`{command} --help` shows what it takes"))
    except (click.Abort, KeyboardInterrupt):
        click.echo("rankgauge: interrupted", err=True)
        return 130
    except BrokenPipeError:
        raise
    except Exception as error:
        if os.environ.get("RANKGAUGE_DEBUG"):
            raise
        return _fail(RankgaugeError("internal", got=f"{type(error).__name__}: {error}"))
    return code if isinstance(code, int) else 0


def _fail(error: RankgaugeError) -> int:
    click.echo(f"rankgauge: {' '.join(str(error).split())}", err=True)
    return 2
