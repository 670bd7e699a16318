"""The switches that say how runs are compared, which `compare` and `report` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import click

from rankgauge.cli.choices import Choice
from rankgauge.cli.options import Command, add_as_value
from rankgauge.statistics import LEVEL

if TYPE_CHECKING:
    from rankgauge.statistics.corrections import Correction
    from rankgauge.statistics.paired import Test


class ComparisonSwitches(NamedTuple):
    """How runs are compared: keywords of `rg.compare`."""

    baseline: str | None = None
    test: Test = "randomisation"
    correction: Correction | None = None
    margin: float | None = None
    permutations: int | None = None
    level: float = LEVEL


_OPTIONS: Final = (
    click.option(
        "--baseline", metavar="NAME", help="The run that all others are compared with; a file without its suffix."
    ),
    click.option(
        "--test",
        type=Choice(
            ["randomisation", "t", "bootstrap", "wilcoxon", "sign"],
            also={"randomization": "randomisation", "t-test": "t", "ttest": "t"},
        ),
        default="randomisation",
        show_default=True,
        help="The paired test; the last two do not test means.",
    ),
    click.option(
        "--correction",
        type=Choice(["holm", "tukey", "bh", "none"]),
        default=None,
        show_default="holm with a baseline, tukey for all pairs",
        help="How p-values are corrected for the number of comparisons.",
    ),
    click.option("--margin", type=float, metavar="X", help="Test whether runs are equivalent within X, too."),
    click.option(
        "--permutations", type=int, metavar="N", show_default="9999 to 99999", help="Permutations of the test."
    ),
    click.option("--level", type=float, default=LEVEL, show_default=True, help="Level of the intervals."),
)


def comparison_options(command: Command) -> Command:
    """Add --baseline, --test, …, --level; the command receives them as `comparison_switches`."""
    return add_as_value(command, "comparison_switches", ComparisonSwitches, ComparisonSwitches._fields, _OPTIONS)
