"""`rankgauge completion`: the script that completes commands, switches, measures and conventions in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from rankgauge.cli import options
from rankgauge.errors import RankgaugeError

EXAMPLES = """
\b
Examples:
  eval "$(rankgauge completion bash)"      in ~/.bashrc
  eval "$(rankgauge completion zsh)"       in ~/.zshrc
  rankgauge completion fish | source       in ~/.config/fish/config.fish
"""


@click.command(short_help="Print the completion script of a shell.", epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that makes SHELL complete what you type."""
    from rankgauge.cli.app import app

    maker = get_completion_class(shell)
    if maker is None:
        raise RankgaugeError("usage", got=f"no completion for {shell}", hint="use bash, zsh or fish")
    options.write(maker(app, {}, "rankgauge", "_RANKGAUGE_COMPLETE").source(), None)
