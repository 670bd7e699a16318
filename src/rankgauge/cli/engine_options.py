"""The switches --engine, --master and --order: what evaluates, and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar, get_args

import click

from rankgauge.cli.choices import Choice
from rankgauge.cli.options import Command, add_as_value
from rankgauge.cli.progress import are_small, with_progress
from rankgauge.execution_options import Engine

Answer = TypeVar("Answer")


class EngineSwitches(NamedTuple):
    """Which engine evaluates, on which cluster, and the column of the order of rows there."""

    engine: Engine | None = None
    master: str | None = None
    order: str | None = None

    @property
    def on_spark(self) -> bool:
        """Whether Spark reads the files; its other switches are refused without it."""
        if self.engine != "spark":
            for switch, given in (("--master", self.master), ("--order", self.order)):
                if given is not None:
                    raise click.UsageError(f"expected {switch} with --engine spark, got it without")
        return self.engine == "spark"

    def is_quick(self, *paths: str | None) -> bool:
        """Whether evaluating these files takes a moment."""
        return self.engine in (None, "native") and are_small(paths)

    def open_session(self) -> Any:  # noqa: ANN401 - of Spark
        """Return a session of Spark if that evaluates, else None."""
        if not self.on_spark:
            return None
        from rankgauge.cli.spark import open_session  # imported late: only Spark needs it

        return open_session(self.master)


_OPTIONS: Final = (
    click.option(
        "--engine",
        type=Choice(get_args(Engine)),
        default=None,
        show_default="native",
        help="What computes: native, reference (slow, reads like the formula), or spark, which reads the files too.",
    ),
    click.option(
        "--master",
        metavar="URL",
        show_default="local[*]",
        help="With --engine spark: the cluster, as in local[4], spark://host:7077, yarn, or sc://host for Connect.",
    ),
    click.option("--order", metavar="COLUMN", help="With --engine spark: the column that gives the order of the rows."),
)


def engine_options(command: Command) -> Command:
    """Add --engine, --master and --order; the command receives them as `engine_switches`."""
    return add_as_value(command, "engine_switches", EngineSwitches, EngineSwitches._fields, _OPTIONS)


def compute(
    work: Callable[[], Answer],
    label: str,
    session: Any,  # noqa: ANN401 - of Spark
    *,
    quick: bool = False,
) -> Answer:
    """Return the result of the work, and show its progress unless it is quick; on Spark, the progress of Spark."""
    if session is None:
        return work() if quick else with_progress(work, label)
    from rankgauge.cli.spark import on_spark

    return on_spark(work, session)
