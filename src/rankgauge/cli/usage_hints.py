"""What to type instead of a command line that could not be read."""

from __future__ import annotations

from shlex import quote
from typing import Final

import click

# What other tools call the cutoff, which stands behind a measure here.
_CUTOFFS: Final = ("-k", "--k", "--top", "--topk", "--top-k", "--cutoff")


def hint_of(error: click.UsageError) -> str:
    """Return what to type instead, or where to look."""
    command = error.ctx.command_path if error.ctx else "rankgauge"
    look = f"`{command} --help` shows what it takes"
    if isinstance(error, click.NoSuchOption) and error.option_name in _CUTOFFS:
        return f"the cutoff stands behind the measure: -m ndcg@{_value_behind(error) or 10}; {look}"
    if isinstance(error, click.BadOptionUsage) and error.option_name == "--texts":
        return "- leaves one out: --texts queries.tsv -"
    if isinstance(error, click.MissingParameter) and error.ctx:
        usage = " ".join(error.ctx.get_usage().partition(": ")[2].split())
        return f"type {usage}; {look}"
    if command.endswith(" evaluate") and error.message.startswith("Got unexpected extra argument"):
        if measures := _extra_measures(error.message):
            return f"measures stand behind -m: -m {quote(measures)}; {look}"
        return (
            "give pieces of one run as their folder or as a quoted pattern, such as 'parts/*.parquet'; compare several "
            "runs with `rankgauge compare JUDGMENTS RANKING RANKING`"
        )
    return look


def _extra_measures(message: str) -> str:
    """Return the arguments that were too many with commas between them, if each is a measure."""
    from rankgauge.errors import RankgaugeError
    from rankgauge.measures.parsing import parse_all

    measures = ",".join(message.partition("(")[2].removesuffix(")").split())
    try:
        parse_all(measures)
    except RankgaugeError:
        return ""
    return measures


def _value_behind(error: click.NoSuchOption) -> str | None:
    """Return the whole number that was typed behind the switch."""
    typed = [*error.ctx.find_root().obj] if error.ctx else []
    if error.option_name not in typed[:-1]:
        return None
    value = str(typed[typed.index(error.option_name) + 1])
    return value if value.isdecimal() else None
