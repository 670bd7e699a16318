"""Evaluate the same data under one convention after another: read once, each set of answers evaluated once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rankgauge.conventions.convention import UNCLAIMED, Convention
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate_nouns, split_settings
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs import both_sides, read_both
from rankgauge.inputs.input_pair import InputPair
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.types import JudgmentsInput, RankingInput
from rankgauge.languages import Text
from rankgauge.measures import Measure, parse
from rankgauge.measures.tool_meanings import is_proven, meant
from rankgauge.remarks import Remark, require_none_severe
from rankgauge.request import Request, RequestSettings
from rankgauge.results.result import Result
from rankgauge.shared_keywords import Settings

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
    """Data and a measure, to be tried under conventions; the data is read at the first trial.

    >>> trials = Trials.of({"q": {"a": 1, "b": 3}}, {"q": ["a", "b"]}, "ndcg@2")
    >>> [trials.under(Convention(name="mine", ties=ties)).value for ties in ("given", "best")]
    [0.7967075809905066, 0.7967075809905066]
    """

    def __init__(
        self,
        judgments: JudgmentsInput,
        ranking: RankingInput | None,
        measure: str | Measure | None,
        settings: RequestSettings,
        reading: ReadingOptions,
        running: ExecutionOptions,
    ) -> None:
        if measure is not None:
            parse(measure)  # an unknown measure is refused before anything is read
        self._given, self._asked = (judgments, ranking), measure
        self._settings, self._reading, self._strict = settings, reading, running.strict
        # A severe remark under one convention must not refuse it: `data_remarks` raises it for all.
        self._running = running._replace(strict=False).checked()
        self._known: dict[tuple[object, ...], tuple[Result | None, str | None]] = {}

    @classmethod
    def of(
        cls,
        judgments: JudgmentsInput,
        ranking: RankingInput | None,
        measure: str | Measure | None,
        **settings: Unpack[Settings],
    ) -> Trials:
        """Make them from the keywords of `rg.evaluate`."""
        unknown = settings.keys() - Settings.__annotations__
        if unknown:
            raise TypeError(f"unexpected keyword argument {min(unknown)!r}; expected those of rg.evaluate")
        return cls(judgments, ranking, measure, *split_settings(settings))

    @cached_property
    def _sides(self) -> InputPair:
        return both_sides(*self._given, self._reading)

    @cached_property
    def _data(self) -> tuple[Judgments, Ranking]:
        return read_both(self._sides, self._reading)

    @property
    def convention(self) -> str:
        """The convention of a caller who names none."""
        return self._sides.convention

    @cached_property
    def measure(self) -> Measure:
        """The measure that is compared, as it was asked for."""
        return parse(self._sides.measure if self._asked is None else self._asked)

    def _request(self, convention: str | Convention) -> Request:
        return self._settings.request([self.measure], convention)

    def under(self, convention: Convention) -> Trial:
        """Return what a convention makes of the data."""
        key = (convention.answers, self.meant(convention))
        if key not in self._known:
            self._known[key] = self._evaluate(convention)
        result, refusal = self._known[key]
        return Trial(convention, self.measure, result, refusal)

    def data_remarks(self, trial: Trial) -> tuple[Remark, ...]:
        """Return what was remarked on while the data was read, and what is severe about the result of a trial.

        Where the caller is strict, a severe remark is raised as an error.
        """
        of_result = () if trial.result is None else trial.result.remarks
        severe = (remark for remark in of_result if remark.severity == "severe")
        read = (remark for side in (self._sides, *self._data) for remark in side.remarks)
        remarks = tuple(dict.fromkeys((*read, *severe)))
        require_none_severe(remarks, strict=self._strict)
        return remarks

    def meant(self, convention: Convention) -> Measure:
        """Return the measure that the tool of a convention means by the name of this one."""
        return meant(self.measure, convention, self._settings.relevance_level)

    @cached_property
    def traits(self) -> frozenset[str]:
        """Which of `UNCLAIMED` the data has."""
        ties = self.under(Convention(name="looked at", ties="average", missing="skip")).result
        grades = [grade for rows in self._data[0].to_dict().values() for _, grade in rows]
        has_trait = {
            "ties": ties is not None and ties.counts["tied"] > 0,
            "fractional grades": any(grade != int(grade) for grade in grades),
            "negative grades": any(grade < 0 for grade in grades),
            "missing queries": ties is not None and ties.counts["missing"] > 0,
            "unjudged queries": ties is not None and ties.counts["ignored"] > 0,
        }
        return frozenset(trait for trait, has in has_trait.items() if has)

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
        judgments, ranking = self._data
        try:
            return evaluate_nouns(judgments, ranking, self._request(convention), self._running), None
        except RankgaugeError as error:
            return None, str(error)


def measure_remarks(measure: Measure, compared: Iterable[Convention]) -> list[Remark]:
    """Return a remark where some of the tools were not asked about the measure.

    >>> from rankgauge.conventions import get
    >>> [str(remark) for remark in measure_remarks(parse("map"), map(get, ("textbook", "lightgbm", "sklearn")))]
    ['not proven: of these tools, those of lightgbm were asked about map; for the others it is ours, by their answers']
    """
    tools = [convention for convention in compared if convention.proven]
    proven = [convention.name for convention in tools if is_proven(meant(measure, convention), convention)]
    if len(proven) == len(tools):
        return []
    text = Text("of these tools, none was asked about {}; for the others it is ours, by their answers", str(measure))
    if proven:
        text = Text(
            "of these tools, those of {} were asked about {}; for the others it is ours, by their answers",
            ", ".join(proven),
            str(measure),
        )
    return [Remark.of("not-proven", text)]


def unclaimed_remark(traits: Iterable[str]) -> Remark:
    """Return what the asterisk behind a convention means."""
    met = Text.joined(", ", (Text(UNCLAIMED[trait]) for trait in sorted(traits)))
    text = Text("(*) the data has {}: for that the tool has no defined answer, or another one than is shown", met)
    return Remark.of("undefined", text)


def _lacks_ideal(trial: Trial) -> bool:
    """Return whether a query had no ideal to divide by; one that is made or cut by the ranking needs ranked items."""
    by_ranking = trial.convention.ideal.kind in ("ranked", "top", "list-length")
    return any(_count(name, trial) for name in (("empty", "blank", "missing") if by_ranking else ("empty", "blank")))


def _count(name: str, *trials: Trial) -> bool:
    """Return whether any of the trials met such a thing; one that was refused may have."""
    return any(trial.result is None or trial.result.counts[name] > 0 for trial in trials)
