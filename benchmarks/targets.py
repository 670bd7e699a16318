"""What is asked of a case, and whether it was met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from benchmarks.raw_rows import Summary

Column = Literal["cold", "warm", "peak", "beyond"]


class Target(NamedTuple):
    """`faster`: the rival takes at least so many times ours; `within`: ours at most so many times the rival's;
    `below`: ours, in megabytes; `seconds`: ours. Default: ours is the first contender of the case.
    """

    kind: Literal["faster", "within", "below", "seconds"]
    asked: float
    rival: str = ""
    column: Column = "cold"
    ours: str = ""


class Outcome(NamedTuple):
    ours: str
    rival: str
    column: str
    asked: str
    measured: str
    met: str


_WORDS: Final = {
    "faster": ("at least", "×"),
    "within": ("at most", "×"),
    "below": ("below", " MB"),
    "seconds": ("below", " s"),
}


def faster(asked: float, rival: str, *, columns: tuple[Column, ...] = ("cold",), ours: str = "") -> list[Target]:
    return [Target("faster", asked, rival, column, ours) for column in columns]


def within(asked: float, rival: str, *, columns: tuple[Column, ...] = ("cold",), ours: str = "") -> list[Target]:
    return [Target("within", asked, rival, column, ours) for column in columns]


def measured(target: Target, summaries: Mapping[str, Summary]) -> float | None:
    """The ratio or the megabytes; None if a contender was left out."""
    ours = summaries.get(target.ours or next(iter(summaries)))
    rival = summaries.get(target.rival)
    value = getattr(ours, target.column, None)
    if target.kind in ("below", "seconds") or value is None:
        return value
    other = getattr(rival, target.column, None)
    if other is None:
        return None
    return float(other / value if target.kind == "faster" else value / other)


def outcome(target: Target, summaries: Mapping[str, Summary]) -> Outcome:
    words, unit = _WORDS[target.kind]
    asked = f"{words} {target.asked:,g}{unit}"
    ours = target.ours or next(iter(summaries))
    value = measured(target, summaries)
    if value is None:
        return Outcome(ours, target.rival, target.column, asked, "–", "not run")
    met = value >= target.asked if target.kind == "faster" else value <= target.asked
    shown = f"{value:,.0f}" if target.kind == "below" else f"{value:,.2f}"
    return Outcome(ours, target.rival or "–", target.column, asked, shown + unit, "yes" if met else "no")
