"""The reference of the command line: every command with its switches, from the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from rankgauge.cli.app import app

PATH: Final = "docs/api/commands.md"
WIDTH: Final = 88


def pages() -> dict[str, str]:
    """Return the page by its path."""
    return {PATH: "\n\n".join(_parts()) + "\n"}


def _parts() -> Iterator[str]:
    yield "# Commands"
    yield (
        "Every command with its switches, as `--help` prints them. [The command line](../guides/command-line.md) has\n"
        "what all commands share."
    )
    yield from _described(app, _context(app, "rankgauge"))


def _context(command: click.Command, name: str, above: click.Context | None = None) -> click.Context:
    return command.make_context(name, [], above, resilient_parsing=True, terminal_width=WIDTH)


def _described(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the help of a command, then of the commands below it."""
    yield f"## {context.command_path}"
    yield f"```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _described(below, _context(below, name, context))
