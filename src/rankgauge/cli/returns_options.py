"""The switches that say how prices or returns become grades: of `grade returns` and of `stocks`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]


def numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> list[float] | None:  # noqa: ARG001 - click's signature
    """Read `-0.02,0,0.02`."""
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"expected numbers with commas between them, as in -0.02,0,0.02, got {text!r}"
        ) from None


def _levels(ctx: click.Context, param: click.Parameter, text: str) -> object:  # noqa: ARG001 - click's signature
    if text == "rank" or text.lstrip("-").isdecimal():
        return text if text == "rank" else int(text)
    raise click.BadParameter(f"expected a whole number or rank, got {text!r}")


def _stopped(ctx: click.Context, param: click.Parameter, text: str) -> object:  # noqa: ARG001 - click's signature
    try:
        return text if text in ("drop", "last") else float(text)
    except ValueError:
        raise click.BadParameter(f"expected drop, last or a number such as -0.3, got {text!r}") from None


_OPTIONS = (
    click.option(
        "--horizon", type=int, default=5, show_default=True, help="Over how many rows of a stock its return goes."
    ),
    click.option(
        "--levels",
        callback=_levels,
        default="5",
        show_default=True,
        metavar="N|rank",
        help="Into how many parts of equal size a date is cut, the worst with grade 0; rank grades by dense rank.",
    ),
    click.option(
        "--cut",
        type=click.Choice(["equal", "qcut"]),
        default="equal",
        show_default=True,
        help="How: into parts of equal size by rank, or at the edges of pandas.qcut.",
    ),
    click.option(
        "--thresholds", callback=numbers, metavar="NUMBERS", help="Grade by how many of these a return reaches."
    ),
    click.option("--lag", type=int, default=0, show_default=True, help="Trade so many rows after the date."),
    click.option(
        "--excess", metavar="mean|COLUMN", help="Less the mean of the date, or less the return of a benchmark."
    ),
    click.option("--group", metavar="COLUMN", help="Grade within the groups of this column, such as the sector."),
    click.option(
        "--least", type=int, metavar="N", help="Refuse a date with fewer stocks; as many as levels unless said."
    ),
    click.option(
        "--ties",
        type=click.Choice(["average", "min", "max"]),
        default="average",
        show_default=True,
        help="The rank of equal returns.",
    ),
    click.option(
        "--stopped",
        callback=_stopped,
        default="drop",
        show_default=True,
        metavar="drop|last|RETURN",
        help="A stock that stops trading within the horizon: drop it, sell it at its last price, or lose this on top.",
    ),
    click.option(
        "--gaps",
        type=click.Choice(["skip", "drop"]),
        default="skip",
        show_default=True,
        help="A stock without a price on some dates: go on with its next row, or give it no return there.",
    ),
)


def returns_options(command: Command) -> Command:
    """Add the switches."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
