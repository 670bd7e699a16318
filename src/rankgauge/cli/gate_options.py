"""The switches of thresholds: --fail-under of `evaluate`, --fail-if-worse of `compare`, and --gate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import click

from rankgauge.cli.choices import Choice

Gate: TypeAlias = Literal["lenient", "strict", "point"]

gate_option = click.option(
    "--gate",
    type=Choice(["lenient", "strict", "point"]),
    default="lenient",
    show_default=True,
    help="What a threshold looks at: lenient fails where the whole interval lies beyond it, strict where any does, "
    "point looks at the number alone.",
)


def read_thresholds(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> list[tuple[str, float]]:  # noqa: ARG001
    """Read `ndcg@10=0.35` as a measure and the value that it must reach."""
    thresholds = []
    for text in texts:
        measure, equals, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not measure or not math.isfinite(number):
            raise click.BadParameter(f"expected MEASURE=VALUE, as in ndcg@10=0.35, got {text!r}")
        thresholds.append((measure, number))
    return thresholds


def read_finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001
    """Refuse NaN and infinities, which every run would meet."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"expected a finite number, as in 0.005, got {value}")
    return value


fail_under_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--fail-under",
    multiple=True,
    callback=read_thresholds,
    metavar="MEASURE=VALUE",
    help="Exit with 1 if the measure lies below the value, as in ndcg@10=0.35, by --gate. Repeatable.",
)
