"""What is asked of an evaluation: measures, a convention, a depth and a relevance level, checked once.

How it is run (seed, threads, engine) and how the data is read (columns, formats) are no part of it.

>>> request = Request.of(["ndcg@10", "P@5"], "trec_eval", missing="zero", depth=100)
>>> request
ndcg@10,P@5 [trec_eval(missing=zero)] depth=100
>>> Request.parse(str(request)) == request
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rankgauge import conventions
from rankgauge.checks import require_finite, whole_number
from rankgauge.conventions import NAMED, Convention, Missing, Unjudged
from rankgauge.conventions.terms import binary
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.measures import NAMED as MEASURES
from rankgauge.measures import Measure, parse
from rankgauge.measures.measure import Annotation
from rankgauge.measures.parsing import MeasuresInput, listed, parse_labelled

# `from rankgauge.measures import tool_meanings` would first look for a measure of that name in every family.
from rankgauge.measures.tool_meanings import is_proven, meant
from rankgauge.notation import format_number
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge._core import Plan

# More measures than these are counted, not named.
MOST_NAMED: Final = 6
_FORM: Final = "measure,measure [convention] depth=N"
_TEXT: Final = r"(?P<measures>.*?) \[(?P<convention>.*)\](?P<settings>( \w+=\S+)*)"


class RequestSettings(NamedTuple):
    """What a caller sets beside measures and a convention; None leaves it as the convention says, or counts all.

    >>> RequestSettings(missing="zero").request("map", "trec_eval")
    map [trec_eval(missing=zero)]
    """

    missing: Missing | None = None
    unjudged: Unjudged | None = None
    depth: int | None = None
    relevance_level: float | None = None

    def request(self, measures: MeasuresInput, convention: str | Convention) -> Request:
        """Return the request for measures under a convention with these settings."""
        return Request.of(measures, convention, **self._asdict())


@dataclass(frozen=True, repr=False)
class Request:
    """Measures, the convention that answers what they leave open, and which ranks and grades count.

    `labels` are the measures as they were typed, which is how results show them; `measures` are those that the tool of
    the convention means by these names. Requests are hashable, pickle, and have a text form that `Request.parse` reads.
    Make one with `Request.of`.

    >>> request = Request.of("P@10,ndcg")
    >>> request.measures, request.labels
    ((precision@10, ndcg), ('P@10', 'ndcg'))
    >>> Request.of("rbp", "trec_eval").measures
    (rbp(gain=share,p=0.9),)
    """

    measures: tuple[Measure, ...]
    convention: Convention
    depth: int | None = None
    relevance_level: float | None = None
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.measures, str) or isinstance(self.convention, str):
            raise RankgaugeError("request-of-text", got=f"Request({self.measures!r}, {self.convention!r})")
        if not self.labels:
            object.__setattr__(self, "labels", tuple(map(str, self.measures)))

    @classmethod
    def of(
        cls,
        measures: MeasuresInput = "ndcg@10",
        convention: str | Convention = "trec_eval",
        *,
        missing: Missing | None = None,
        unjudged: Unjudged | None = None,
        depth: int | None = None,
        relevance_level: float | None = None,
    ) -> Request:
        """Check what is asked, and return it.

        Parameters:
            measures: one or several, as text or as `rg.measures`; a text may list several with commas, and a mapping
                has the cutoffs of each: `{"ndcg": [5, 10]}`.
            convention: its name, or an `rg.Convention`.
            missing: what a judged query is worth that the ranking lacks; default: as the convention says.
            unjudged: what a ranked item without a judgment is; default: as the convention says.
            depth: how many of the first ranked items count; default: all.
            relevance_level: the lowest grade that counts as relevant; default: any positive grade.

        """
        several = listed(measures)
        try:
            return _checked(several, convention, missing, unjudged, depth, relevance_level)
        except TypeError:  # what cannot be hashed is no request, and is to be refused in words
            return _checked.__wrapped__(several, convention, missing, unjudged, depth, relevance_level)

    @classmethod
    def parse(cls, text: str) -> Request:
        """Read the text form: measures, the convention in brackets, and settings.

        Parameters:
            text: what `str(request)` gives, such as `map,ndcg@10 [trec_eval] depth=100`.

        >>> Request.parse("map,ndcg@10 [trec_eval] relevance_level=2").relevance_level
        2.0

        """
        match = re.fullmatch(_TEXT, str(text).strip())
        if match is None:
            raise RankgaugeError("bad-notation", form=_FORM, got=text)
        settings: dict[str, Any] = dict(setting.split("=", 1) for setting in match["settings"].split())
        for name, read in (("depth", int), ("relevance_level", float)):
            if name in settings:
                settings[name] = _read_setting(name, settings[name], read)
        unknown = settings.keys() - {"depth", "relevance_level"}
        if unknown:
            raise RankgaugeError("bad-notation", form=_FORM, got=text)
        return cls.of(match["measures"], match["convention"], **settings)

    def __str__(self) -> str:
        return self._written(self.labels)

    __repr__ = __str__

    @cached_property
    def text(self) -> str:
        """The text form with one name for each measure: equal for requests that compute the same."""
        return self._written(map(self._name, self.measures, self.labels))

    def _name(self, measure: Measure, label: str) -> str:
        """Return the name of a measure that means it under this convention, or the measure itself."""
        named = replace(parse(label), judged_only=False)
        is_known = self.convention.name in NAMED and self.meant(named) == measure
        return str(named if is_known else measure)

    def _written(self, measures: Iterable[str]) -> str:
        settings = f" depth={self.depth}" if self.depth is not None else ""
        if self.relevance_level is not None:
            settings += f" relevance_level={format_number(self.relevance_level)}"
        return f"{','.join(measures)} [{_named(self.convention)}]{settings}"

    def labelled(self, labels: Mapping[Measure, str]) -> Request:
        """Return the request with other labels of its measures; of names that mean the same the first counts.

        Parameters:
            labels: measure → what results are to call it; every measure of the request must be there.

        >>> Request.of([parse("P@10")]).labelled({parse("P@10"): "P@10"})
        P@10 [trec_eval]

        """
        known: dict[Measure, str] = {}
        for measure, label in labels.items():
            known.setdefault(self.meant(measure), label)
        return replace(self, labels=tuple(known[measure] for measure in self.measures))

    def label(self, measure: str | Measure) -> str:
        """Return a measure as it was asked for.

        Parameters:
            measure: one of the measures, by any of its names.

        >>> Request.of("P@10").label("precision@10")
        'P@10'

        """
        meant_by_it = self.meant(measure)
        return self._label_of.get(meant_by_it) or str(meant_by_it)

    def meant(self, measure: str | Measure) -> Measure:
        """Return the measure that was asked for by a name: as the convention's tool means it, else as it is named.

        Parameters:
            measure: a measure, by any of its names.

        >>> Request.of("rbp", "trec_eval").meant("rbp")
        rbp(gain=share,p=0.9)

        """
        parsed = parse(measure)
        return parsed if parsed in self._label_of else meant(parsed, self.convention, self.relevance_level)

    @cached_property
    def _label_of(self) -> dict[Measure, str]:
        return dict(zip(self.measures, self.labels, strict=True))

    @cached_property
    def effective(self) -> Convention:
        """The convention, with the relevance level in its binary gain if it has one."""
        if self.relevance_level is None or self.convention.gain.kind != "binary":
            return self.convention
        return self.convention.replace(gain=binary(self.relevance_level))

    @cached_property
    def computed(self) -> tuple[Measure, ...]:
        """The measures, and the number of ranked items where one is weighted by it."""
        if all(measure.aggregate != "weighted" for measure in self.measures):
            return self.measures
        return tuple(dict.fromkeys((*self.measures, MEASURES["num_ret"])))

    @cached_property
    def weights(self) -> int | None:
        """Which of the computed measures is the weight of a query, if there are weights."""
        is_weighted = any(measure.aggregate == "weighted" for measure in self.measures)
        return self.computed.index(MEASURES["num_ret"]) if is_weighted else None

    @cached_property
    def declared(self) -> tuple[Measure, ...]:
        """The computed measures with every term that they leave to the convention or to the relevance level."""
        effective = self.effective
        return tuple(measure.under(effective, self.relevance_level) for measure in self.computed)

    @cached_property
    def annotation(self) -> Annotation | None:
        """The annotation that the measures need of judgments.

        >>> Request.of("ndcg@10,alpha_ndcg@10").annotation
        'subtopic'
        """
        needed = {measure.annotation for measure in self.measures} - {None}
        if len(needed) > 1:
            raise RankgaugeError("two-annotations")
        return needed.pop() if needed else None

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """What to know of the settings: what is not proven for the tool, what the relevance level and the depth do."""
        remarks = list(self._unproven())
        level, effective = self.relevance_level, self.effective
        others = ", ".join(self.label(measure) for measure in self.measures if not measure.takes_level(effective))
        if level is not None and others:
            text = Text(
                "{level:g} does not apply to {measures}; write ndcg(gain=binary({level:g}))@10",
                level=level,
                measures=others,
            )
            remarks.append(Remark.of("relevance-level", text))
        if self.depth is not None:
            depth = Text("only the first {depth:,} ranked items of a query count", depth=self.depth)
            remarks.append(Remark.of("depth", depth))
        return tuple(remarks)

    def _unproven(self) -> Iterator[Remark]:
        """Say which measures the tool of the convention was not asked for, where there is a tool."""
        convention = self.convention
        proven = NAMED[convention.name].proven if convention.name in NAMED else ()
        ours = [self.label(measure) for measure in self.measures if not is_proven(measure, convention)]
        if proven and ours:
            listed = Text("{}", ", ".join(proven))
            if len(proven) > MOST_NAMED:
                listed = Text("{} measures (`rankgauge conventions {}`)", len(proven), convention.name)
            text = Text.counted(
                len(ours),
                "{convention}: proven for {proven}; {measures} is ours",
                "{convention}: proven for {proven}; {measures} are ours",
                convention=convention.name,
                proven=listed,
                measures=", ".join(ours),
            )
            yield Remark.of("not-proven", text)

    def of_ranked_queries(self) -> Request:
        """Return a request that evaluates the judged queries that a ranking has, whatever this one does with others.

        >>> Request.of("map", missing="zero").of_ranked_queries().text
        'num_ret [trec_eval]'
        """
        return replace(Request.of("num_ret", self.effective, missing="skip"), depth=self.depth)

    def plan(self) -> Plan:
        """Compile the request: the plan evaluates data again and again without looking at the request.

        >>> import numpy as np
        >>> plan = Request.of("ndcg@3", "sklearn").plan()
        >>> labels, scores = np.array([[3, 2, 0, 1]]), np.array([[0.9, 0.2, 0.5, 0.4]])
        >>> plan.evaluate_arrays(labels, scores).aggregates()
        [0.7350069851388743]
        """
        return self._plan

    @cached_property
    def _plan(self) -> Plan:
        from rankgauge._core import Plan

        return Plan(self)

    def __reduce__(self) -> tuple[object, ...]:
        return Request, (self.measures, self.convention, self.depth, self.relevance_level, self.labels)


# Training loops ask the same thing thousands of times; the plan is kept with the request.
@lru_cache(maxsize=256, typed=True)
def _checked(
    measures: tuple[str | Measure, ...],
    convention: str | Convention,
    missing: Missing | None,
    unjudged: Unjudged | None,
    depth: int | None,
    relevance_level: float | None,
) -> Request:
    labelled = parse_labelled(measures)
    chosen = _of_judged(labelled, conventions.get(convention, missing=missing, unjudged=unjudged), unjudged)
    if relevance_level is not None:
        require_finite("relevance_level", relevance_level)
    depth = None if depth is None else whole_number("depth", depth, 1)
    of_tool: dict[Measure, str] = {}
    for measure, label in labelled.items():
        of_tool.setdefault(meant(measure, chosen, relevance_level), label)
    return Request(tuple(of_tool), chosen, depth, relevance_level, tuple(of_tool.values()))


def _of_judged(measures: Iterable[Measure], convention: Convention, asked: Unjudged | None) -> Convention:
    """Return the convention without unjudged items, if the measures are of judged items only: all of them, or none."""
    only = {measure.judged_only for measure in measures}
    if True not in only:
        return convention
    if False in only or asked not in (None, "drop"):
        others = "measures without it" if False in only else f"unjudged={asked}"
        raise RankgaugeError("judged-only", got=others)
    return convention.replace(unjudged="drop")


def _named(convention: Convention) -> Convention:
    """Return the convention, or one with the same answers by a name that is known."""
    if convention.name in NAMED:
        return convention
    textbook = NAMED["textbook"]
    return textbook.replace(**{field: convention[field] for field in convention.changes_from(textbook)})


def _read_setting(name: str, text: str, read: type[int | float]) -> int | float:
    try:
        return read(text)
    except ValueError:
        expected = "a whole number" if read is int else "a number"
        raise RankgaugeError("bad-number", field=name, expected=expected, got=text, hint="such as 10") from None
