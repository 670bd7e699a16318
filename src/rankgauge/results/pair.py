"""Pair: two runs compared on one measure; Pairs: all of a comparison as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.table import Cell, Probability, Table
from rankgauge.results.equality import have_equal_fields
from rankgauge.statistics.intervals import Interval


class Moved(NamedTuple):
    """A query whose value differs between two runs."""

    query: Any
    first: float
    second: float
    difference: float


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The difference of two runs (first less second), how sure it is, and the queries behind it.

    `p` is of the test alone, `p_adjusted` corrected for the number of comparisons. `effect` is the mean difference
    divided by `deviation`, the standard deviation of the differences. `detectable` is the smallest true difference
    that so many queries show 80 % of the time. `p_equivalence` is that of equivalence within the margin, if one was
    given. `moved` are the queries that moved most.
    """

    measure: str
    first: str
    second: str
    means: tuple[float, float]
    difference: float
    interval: Interval
    p: float
    p_adjusted: float
    statistic: float
    effect: float
    deviation: float
    n: int
    wins: int
    ties: int
    losses: int
    detectable: float
    moved: tuple[Moved, ...]
    p_equivalence: float | None = None
    # What is compared, one and several: queries, or the dates of a study.
    noun: tuple[str, str] = ("query", "queries")

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal; NaN, as of too few queries, equals NaN."""
        return have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.measure, self.first, self.second, self.n))

    def flipped(self) -> Pair:
        """Return the pair seen from the other run."""
        low, high = self.interval
        # Subtracted from 0, so that 0 does not become -0.
        return replace(
            self,
            first=self.second,
            second=self.first,
            means=(self.means[1], self.means[0]),
            difference=0.0 - self.difference,
            interval=Interval(0.0 - high, 0.0 - low),
            statistic=0.0 - self.statistic,
            effect=0.0 - self.effect,
            wins=self.losses,
            losses=self.wins,
            moved=tuple(
                Moved(query, second, first, 0.0 - difference) for query, first, second, difference in self.moved
            ),
        )

    def is_significant(self, alpha: float) -> bool:
        """Whether the corrected p-value is below alpha.

        Parameters:
            alpha: the level of the test, such as 0.05.

        """
        return self.p_adjusted < alpha

    def headline(self, level: float, *, adjusted: bool = False) -> str:
        """Return the finding in one sentence; `adjusted` says that p is corrected for several comparisons.

        Parameters:
            level: the level of the interval.
            adjusted: whether p is said to be corrected for several comparisons; default: no.

        """
        if not self.n:
            one = Text(self.noun[0])
            return Text("{} and {} cannot be compared: no {} counts for both", self.first, self.second, one)
        low, high = self.interval
        counts = Text(
            "{wins} better, {losses:,} worse, {ties:,} equal",
            wins=counted(self.wins, *self.noun),
            losses=self.losses,
            ties=self.ties,
        )
        p = written_p(self.p_adjusted)
        shown = Text("adjusted p {}", p) if adjusted else Text("p {}", p)
        names = {"first": self.first, "second": self.second}
        if not self.is_significant(1.0 - level):
            facts = {"difference": self.difference, "ends": _ends(level, low, high), "p": shown, "counts": counts}
            none = Text(
                "no difference shown between {first} and {second}: {difference} ({ends}), {p}; {counts}",
                **names,
                **facts,
            )
            # With too few queries, or with equal differences, the detectable difference is undefined.
            if math.isnan(low) or not self.detectable > 0:
                return none
            would = Text("these {} would show a difference of {} 80% of the time", Text(self.noun[1]), self.detectable)
            return Text("{}; {}", none, would)
        if self.difference > 0:
            facts = {"difference": self.difference, "ends": _ends(level, low, high), "p": shown, "counts": counts}
            return Text("{first} is better than {second} by {difference} ({ends}), {p}; {counts}", **names, **facts)
        # The size of the difference, and the ends of its interval.
        facts = {
            "difference": abs(self.difference),
            "ends": _ends(level, 0.0 - high, 0.0 - low),
            "p": shown,
            "counts": counts,
        }
        return Text("{first} is worse than {second} by {difference} ({ends}), {p}; {counts}", **names, **facts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with all digits."""
        names = ("measure", "first", "second", "difference", "p", "p_adjusted", "statistic", "effect", "deviation", "n")
        values: dict[str, Any] = {name: getattr(self, name) for name in names}
        values |= {"means": list(self.means), "interval": list(self.interval)}
        values |= {"wins": self.wins, "ties": self.ties, "losses": self.losses, "detectable": self.detectable}
        values |= {} if self.p_equivalence is None else {"p_equivalence": self.p_equivalence}
        return values | {"moved": [moved._asdict() for moved in self.moved]}


def _ends(level: float, low: float, high: float) -> Text:
    if math.isnan(low):
        return Text("no interval")
    return Text("{level:.0%} {low} to {high}", level=level, low=low, high=high)


def written_p(p: float) -> str:
    """Return a p-value as people write it.

    >>> written_p(0.0312), written_p(0.00001), written_p(1.0)
    ('= 0.031', '< 0.0001', '= 1.000')
    """
    if math.isnan(p):
        return Text("unknown")
    if p < 0.0001:
        return "< 0.0001"
    return f"= {p:.4f}" if p < 0.001 else f"= {p:.3f}"


@dataclass(frozen=True, slots=True, repr=False)
class Pairs(DataFrameMixin):
    """A row per measure and pair of runs, as a table of any library."""

    rows: tuple[Pair, ...]

    def __iter__(self) -> Any:  # noqa: ANN401 - an iterator of pairs, of which pandas makes a table
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> Pair:
        return self.rows[number]

    def table(self) -> Table:
        """Return a row per measure and pair."""
        headers = ["measure", "first", "second", "first_mean", "second_mean", "difference", "low", "high"]
        headers += ["p", "p_adjusted", "statistic", "effect", "n", "wins", "ties", "losses"]
        equivalence = any(pair.p_equivalence is not None for pair in self.rows)
        rows = [[*cells_of(pair), *([pair.p_equivalence] if equivalence else [])] for pair in self.rows]
        return Table([*headers, *(["p_equivalence"] if equivalence else [])], rows)


def cells_of(pair: Pair) -> list[Cell]:
    """Return the columns of the table of pairs, without that of equivalence."""
    numbers = [*pair.means, pair.difference, *pair.interval, pair.p, pair.p_adjusted, pair.statistic, pair.effect]
    numbers[5:7] = [Probability(p) for p in numbers[5:7]]
    shown: list[Cell] = [None if math.isnan(number) else number for number in numbers]
    return [pair.measure, pair.first, pair.second, *shown, pair.n, pair.wins, pair.ties, pair.losses]
