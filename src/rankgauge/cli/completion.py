"""`rankgauge completion`: print the script that lets a shell complete commands, switches, measures and conventions."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from rankgauge.cli.choices import Choice
from rankgauge.cli.output import write
from rankgauge.errors import RankgaugeError

EXAMPLES = """
\b
Examples:
  eval "$(rankgauge completion bash)"      in ~/.bashrc
  eval "$(rankgauge completion zsh)"       in ~/.zshrc
  rankgauge completion fish | source       in ~/.config/fish/config.fish
"""


@click.command(short_help="Print the completion script of a shell.", epilog=EXAMPLES)
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that lets SHELL complete commands, switches, measures and conventions."""
    from rankgauge.cli.app import app

    completion_class = get_completion_class(shell)
    if completion_class is None:
        raise RankgaugeError("usage", got=f"no completion for {shell}", hint="use bash, zsh or fish")
    write(completion_class(app, {}, "rankgauge", "_RANKGAUGE_COMPLETE").source(), None)
