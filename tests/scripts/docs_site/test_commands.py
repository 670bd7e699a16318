"""The reference of the command line has every command and every switch."""

from __future__ import annotations

import click
import pytest

from docs_site.commands import PATH, pages
from rankgauge.cli.app import COMMANDS, app

PAGE = pages()[PATH]


@pytest.mark.parametrize("name", COMMANDS)
def test_command_has_its_switches(name: str) -> None:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    help_of_it = PAGE[PAGE.index(f"\n## rankgauge {name}\n") :].split("\n## rankgauge ", 2)[1]
    switches = [parameter.opts[-1] for parameter in command.params if isinstance(parameter, click.Option)]
    assert [switch for switch in switches if switch not in help_of_it] == []


def test_commands_below_commands_are_there() -> None:
    assert "\n## rankgauge grade returns\n" in PAGE
