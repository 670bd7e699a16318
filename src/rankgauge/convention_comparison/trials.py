"""Evaluate the same data under one convention after another: read once, each set of answers evaluated once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankgauge.conventions.convention import UNCLAIMED, Convention
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import Running, Settings, evaluate_nouns
from rankgauge.inputs import JudgmentsInput, RankingInput, both_sides, read_both
from rankgauge.inputs.reading import Reading
from rankgauge.measures import Measure, parse
from rankgauge.measures.tools import is_proven, meant
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, slots=True)
class Trial:
    """What a convention makes of the data: a result, or why it refuses."""

    convention: Convention
    measure: Measure
    result: Result | None
    refusal: str | None

    @property
    def value(self) -> float | None:
        """The mean, rounded as the convention says; None if the data is refused, or nothing is left to average."""
        value = None if self.result is None else self.result[self.measure]
        return None if value is None or math.isnan(value) else value

    @property
    def per_query(self) -> Mapping[str, float]:
        """The values of the queries that count."""
        return {} if self.result is None else self.result.per_query[self.measure]


class Trials:
    """Data and a measure, to be tried under conventions.

    >>> trials = Trials({"q": {"a": 1, "b": 3}}, {"q": ["a", "b"]}, "ndcg@2")
    >>> [trials.under(Convention(name="mine", ties=ties)).value for ties in ("given", "best")]
    [0.7967075809905066, 0.7967075809905066]
    """

    def __init__(
        self,
        judgments: JudgmentsInput,
        ranking: RankingInput | None,
        measure: str | Measure | None,
        **settings: Unpack[Settings],
    ) -> None:
        unknown = settings.keys() - Settings.__annotations__
        if unknown:
            raise TypeError(f"unexpected keyword argument {min(unknown)!r}; expected those of rg.evaluate")
        asked = None if measure is None else parse(measure)
        reading = Reading.of(settings)
        given = both_sides(judgments, ranking, reading)
        self.judgments, self.ranking = read_both(given, reading)
        # The one that is yours where you name none.
        self.convention = given.convention
        self._level = settings.get("relevance_level")
        names = ("missing", "unjudged", "depth", "relevance_level")
        self._settings: dict[str, Any] = {name: settings.get(name) for name in names}
        self.measure = parse(given.measure) if asked is None else asked
        Request.of([self.measure], self.convention, **self._settings)  # what makes no sense is refused at once
        engine = settings.get("engine", "native")
        self._running = Running(settings.get("seed", 0), settings.get("threads"), engine).checked()
        self._known: dict[tuple[object, ...], tuple[Result | None, str | None]] = {}

    def under(self, convention: Convention) -> Trial:
        """Return what a convention makes of the data."""
        key = (convention.answers, self.meant(convention))
        if key not in self._known:
            self._known[key] = self._evaluate(convention)
        result, refusal = self._known[key]
        return Trial(convention, self.measure, result, refusal)

    def meant(self, convention: Convention) -> Measure:
        """Return the measure that the tool of a convention means by the name of this one."""
        return meant(self.measure, convention, self._level)

    @cached_property
    def traits(self) -> frozenset[str]:
        """Which of `UNCLAIMED` the data has."""
        ties = self.under(Convention(name="looked at", ties="average", missing="skip")).result
        grades = [grade for rows in self.judgments.to_dict().values() for _, grade in rows]
        found = {
            "ties": ties is not None and ties.counts["tied"] > 0,
            "fractional grades": any(grade != int(grade) for grade in grades),
            "negative grades": any(grade < 0 for grade in grades),
            "missing queries": ties is not None and ties.counts["missing"] > 0,
            "unjudged queries": ties is not None and ties.counts["ignored"] > 0,
        }
        return frozenset(trait for trait, has in found.items() if has)

    def unclaimed(self, convention: Convention) -> tuple[str, ...]:
        """Return the traits of the data for which the tool of a convention has no defined answer."""
        return tuple(trait for trait in convention.undefined if trait in self.traits)

    def idle(self, *trials: Trial) -> frozenset[str]:
        """Return the questions whose answer cannot matter: the data does not ask them."""
        near_ties = self.under(Convention(name="looked at", ties="average", precision="float32", missing="skip"))
        own_ids = self.under(Convention(name="looked at", missing="skip", own_id="drop"))
        traits = self.traits
        met = {
            "default_cutoff": self.measure.k is None,
            "ties": _count("tied", near_ties),
            "precision": _count("tied", near_ties),
            "missing": "missing queries" in traits,
            "negative": "negative grades" in traits,
            "nothing_relevant": any(map(_lacks_ideal, trials)),
            "duplicates": near_ties.result is None,
            "own_id": _count("dropped", own_ids),
        }
        return frozenset(field for field, asked in met.items() if not asked)

    def _evaluate(self, convention: Convention) -> tuple[Result | None, str | None]:
        try:
            request = Request.of([self.measure], convention, **self._settings)
            return evaluate_nouns(self.judgments, self.ranking, request, self._running), None
        except RankgaugeError as error:
            return None, str(error)


def measure_remarks(measure: Measure, compared: Iterable[Convention]) -> list[Remark]:
    """Return what is to be known where some of the tools were not asked about the measure.

    >>> from rankgauge.conventions import get
    >>> [str(remark) for remark in measure_remarks(parse("map"), map(get, ("textbook", "lightgbm", "sklearn")))]
    ['not proven: of these tools, those of lightgbm were asked about map; for the others it is ours, by their answers']
    """
    tools = [convention for convention in compared if convention.proven]
    proven = [convention.name for convention in tools if is_proven(meant(measure, convention), convention)]
    if len(proven) == len(tools):
        return []
    asked = f"those of {', '.join(proven)} were" if proven else "none was"
    text = f"of these tools, {asked} asked about {measure}; for the others it is ours, by their answers"
    return [Remark.of("not-proven", text)]


def unclaimed_remark(traits: Iterable[str]) -> Remark:
    """Return what the asterisk behind a convention means."""
    met = ", ".join(UNCLAIMED[trait] for trait in sorted(traits))
    text = f"(*) the data has {met}: for that the tool has no defined answer, or another one than is shown"
    return Remark.of("undefined", text)


def _lacks_ideal(trial: Trial) -> bool:
    """Return whether a query had no ideal to divide by; one that is made or cut by the ranking needs ranked items."""
    by_ranking = trial.convention.ideal.kind in ("ranked", "top", "list-length")
    return any(_count(name, trial) for name in (("empty", "blank", "missing") if by_ranking else ("empty", "blank")))


def _count(name: str, *trials: Trial) -> bool:
    """Return whether any of the trials met such a thing; one that was refused may have."""
    return any(trial.result is None or trial.result.counts[name] > 0 for trial in trials)
