"""Switches for grading prices or returns, shared by `grade returns` and `stocks`."""

from __future__ import annotations

from dataclasses import fields

import click

from rankgauge.cli.choices import Choice
from rankgauge.cli.options import Command, add_as_value
from rankgauge.grading.return_rules import ReturnRules


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


def _delisted_return(ctx: click.Context, param: click.Parameter, text: str) -> object:  # noqa: ARG001 - click's signature
    try:
        return text if text in ("drop", "last") else float(text)
    except ValueError:
        raise click.BadParameter(f"expected drop, last or a number such as -0.3, got {text!r}") from None


_OPTIONS = (
    click.option(
        "--horizon", type=int, default=5, show_default=True, help="Number of rows of a stock that its return spans."
    ),
    click.option(
        "--levels",
        callback=_levels,
        default="5",
        show_default=True,
        metavar="N|rank",
        help="Number of grades per date, from 0 for the lowest returns; rank grades by dense rank.",
    ),
    click.option(
        "--cut",
        type=Choice(["equal", "qcut"]),
        default="equal",
        show_default=True,
        help="How a date is cut into levels: parts of equal size by rank, or at the edges of pandas.qcut.",
    ),
    click.option(
        "--thresholds", callback=numbers, metavar="NUMBERS", help="Grade a return by how many of these it reaches."
    ),
    click.option(
        "--lag",
        type=int,
        default=0,
        show_default=True,
        help="Number of rows after the date at which the stock is traded.",
    ),
    click.option(
        "--excess", metavar="mean|COLUMN", help="Subtract the mean return of the date, or that of --benchmark."
    ),
    click.option(
        "--benchmark", metavar="COLUMN", help="Column of a benchmark's price, which is no stock; subtract its return."
    ),
    click.option("--group", metavar="COLUMN", help="Grade within the groups of this column, such as the sector."),
    click.option(
        "--least", type=int, metavar="N", show_default="as --levels", help="Refuse a date with fewer stocks than this."
    ),
    click.option(
        "--ties",
        type=Choice(["average", "min", "max"]),
        default="average",
        show_default=True,
        help="Which rank equal returns get.",
    ),
    click.option(
        "--stopped",
        callback=_delisted_return,
        default="drop",
        show_default=True,
        metavar="drop|last|RETURN",
        help="A stock that stops trading within the horizon: drop it, sell it at its last price, or add this return.",
    ),
    click.option(
        "--gaps",
        type=Choice(["holidays", "skip", "drop"]),
        default="holidays",
        show_default=True,
        help="A stock without a price on some dates: give it no return over more than 7 of them, use its next row "
        "whenever that is, or give it no return over any.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="NAME",
        help="Leave out this column of a wide table, or this ticker. Repeatable.",
    ),
)


def returns_options(command: Command) -> Command:
    """Add the switches to a command, which receives them as `rules`."""
    return add_as_value(command, "rules", ReturnRules.check, [field.name for field in fields(ReturnRules)], _OPTIONS)
