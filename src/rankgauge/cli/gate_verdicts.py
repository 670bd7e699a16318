"""Whether thresholds for continuous integration are met: --fail-under of `evaluate`, --fail-if-worse of `compare`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from rankgauge.cli.gate_options import Gate
from rankgauge.errors import RankgaugeError, ThresholdNotMetError
from rankgauge.languages.escapes import printable

if TYPE_CHECKING:
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.pair import Pair
    from rankgauge.results.result import Result


class Verdict(NamedTuple):
    """Whether a threshold was met (None: the interval spans it), and why."""

    met: bool | None
    reason: str


def enforce(verdicts: Iterable[Verdict], gate: Gate) -> None:
    """Say what is undecided on stderr; raise if a threshold was not met, or is undecided and the gate strict."""
    failed = []
    for verdict in verdicts:
        if verdict.met is False:
            failed.append(verdict.reason)
        elif verdict.met is None and gate == "strict":
            failed.append(f"undecided, and the gate is strict: {verdict.reason}")
        elif verdict.met is None:
            click.echo(f"rankgauge: undecided: {printable(verdict.reason)}", err=True)
    if failed:
        raise ThresholdNotMetError("; ".join(failed))


def verdicts_under(result: Result, thresholds: Iterable[tuple[str, float]], gate: Gate) -> Iterator[Verdict]:
    """Judge whether measures reach their values."""
    for measure, least in thresholds:
        mean, (low, high) = result[measure], result.interval(measure)
        shown = f"{measure} is {mean:.4f}"
        if gate == "point":
            _require_number(mean, measure)
            yield Verdict(mean >= least, f"{shown}, below {least:g}")
            continue
        _require_interval(low, measure)
        if high < least:
            yield Verdict(False, f"{shown} ({low:.4f} to {high:.4f}), below {least:g}")
        elif gate == "strict" and low < least:
            yield Verdict(False, f"{shown} ({low:.4f} to {high:.4f}), not surely {least:g}")
        else:
            yield Verdict(True, "")


def verdicts_worse(comparison: Comparison, most: float, gate: Gate) -> Iterator[Verdict]:
    """Judge whether runs are worse than the baseline by more than `most`."""
    for pair in comparison.pairs.rows:
        named = f"{pair.first} is worse than {pair.second} on {pair.measure}"
        if gate == "point":
            _require_number(pair.difference, f"{pair.first} − {pair.second}")
            by = f"by {-pair.difference:.4f}, more than {most:g}"
            yield Verdict(pair.difference >= -most, f"{named} {by}")
            continue
        low, high = pair.interval
        _require_interval(low, f"{pair.first} − {pair.second}")
        ends = f"{pair.difference:.4f} ({low:.4f} to {high:.4f})"
        if high < -most:
            yield Verdict(False, f"{named} by more than {most:g}: {ends}")
        elif low < -most:
            question = f"whether {pair.first} is worse than {pair.second} on {pair.measure} by more than {most:g}"
            yield Verdict(None, f"{question}: {ends}; {_queries_that_decide(pair, most)}")
        else:
            yield Verdict(True, "")


def _require_interval(low: float, of: str) -> None:
    if math.isnan(low):
        hint = "evaluate more queries, or look at the number alone with --gate point"
        raise RankgaugeError("no-interval", what="an interval", got=of, reason="fewer than 5 queries count", hint=hint)


def _require_number(number: float, of: str) -> None:
    if math.isnan(number):
        hint = "look at the remarks: they say which queries were left out"
        raise RankgaugeError("no-interval", what="a number", got=of, reason="no query counts", hint=hint)


def _queries_that_decide(pair: Pair, most: float) -> str:
    """Say how many queries would decide, if the difference stayed what it is."""
    distance = abs(pair.difference + most)
    half = (pair.interval.high - pair.interval.low) / 2.0
    needed = math.ceil(pair.n * (half / distance) ** 2) if distance > 0 else math.inf
    return f"{needed:,} queries would decide" if needed < 10**9 else "no number of queries would decide"
