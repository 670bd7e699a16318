"""Result: the means, the values behind them, how sure they are, and what the data looked like."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rankgauge.conventions import NAMED, QUESTIONS, Convention
from rankgauge.engines.evaluation import Counts, Evaluation
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures import Measure, parse, parse_all
from rankgauge.statistics import LEVEL, Interval, aggregate, aggregate_interval
from rankgauge.tables import Exported, Part, Shown, Table, json_text
from rankgauge.terms import JUDGED, LIST_LENGTH

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PerQuery(Exported):
    """The value of each measure for each query; a query that is left out of a mean is left out here too.

    >>> import rankgauge as rg
    >>> result = rg.evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": ["d1"], "q2": ["d1", "d2"]}, "ndcg@10")
    >>> result.per_query["ndcg@10"]
    {'q1': 1.0, 'q2': 0.6309297535714575}
    >>> import polars as pl
    >>> pl.DataFrame(result.per_query).rows()  # any library that takes Arrow
    [('q1', 1.0), ('q2', 0.6309297535714575)]
    """

    evaluation: Evaluation
    skip_nan: bool

    def __getitem__(self, measure: str | Measure) -> dict[str, Any]:
        found = _find(measure, self.evaluation, texts=True)
        if found in self.evaluation.texts:
            return dict(zip(self.evaluation.queries, self.evaluation.texts[found], strict=True))
        pairs = zip(self.evaluation.queries, self.evaluation.values[found], strict=True)
        skip_nan = self.skip_nan or found.skips
        return {query: value for query, value in pairs if not (skip_nan and math.isnan(value))}

    def __iter__(self) -> Iterator[str]:
        return map(str, (*self.evaluation.values, *self.evaluation.texts))

    def __len__(self) -> int:
        return len(self.evaluation.values) + len(self.evaluation.texts)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return measure → query → value."""
        return {measure: self[measure] for measure in self}

    def table(self) -> Table:
        """Return a row per query and a column per measure."""
        columns = [self[measure] for measure in self]
        rows = [[query, *(column.get(query) for column in columns)] for query in self.evaluation.queries]
        return Table(["query", *self], rows)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Result(Shown):
    """What an evaluation found; print it, index it by measure, ask for an interval or for the values per query.

    >>> import rankgauge as rg
    >>> judgments = {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}, "q3": {"d4": 1}}
    >>> result = rg.evaluate(judgments, {"q1": ["d2", "d1", "d9"], "q2": ["d3"]}, ["ndcg@10"])
    >>> result["ndcg@10"]
    0.9298593499260985
    >>> result.counts["missing"]
    1
    """

    evaluation: Evaluation
    convention: Convention
    seed: int = 0
    threads: int | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order in which they were asked for."""
        return tuple(self.evaluation.values)

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over the queries that count; of numbers of items, the sum."""
        return {str(measure): self[measure] for measure in self.measures}

    @property
    def counts(self) -> dict[str, int]:
        """How many queries were judged, ranked, missing, empty and tied, and how many items unjudged."""
        return self.evaluation.counts.to_dict()

    @property
    def per_query(self) -> PerQuery:
        """The value of each measure for each query."""
        return PerQuery(self.evaluation, self.convention.nothing_relevant == "skip")

    def __getitem__(self, measure: str | Measure) -> float:
        found = _find(measure, self.evaluation)
        values, weights = self._counted(found)
        try:
            value = aggregate(values, found.aggregate, weights)
        except OverflowError:
            raise RankgaugeError("overflow", got=max(values)) from None
        decimals = self.convention.decimals
        return value if decimals is None or math.isnan(value) else round(value, decimals)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.measures)

    def interval(
        self, measure: str | Measure, *, level: float = LEVEL, resamples: int | None = None, seed: int | None = None
    ) -> Interval:
        """Return the bootstrap interval of a mean; see `rankgauge.statistics.bootstrap_interval`."""
        found = _find(measure, self.evaluation)
        values, weights = self._counted(found)
        used_seed = self.seed if seed is None else seed
        return aggregate_interval(
            values, found.aggregate, weights, level=level, resamples=resamples, seed=used_seed, threads=self.threads
        )

    def residual(self, measure: str | Measure) -> Interval:
        """Return the lowest and the highest mean that unjudged items allow; `residual(…)` must have been asked for.

        >>> import rankgauge as rg
        >>> result = rg.evaluate({"q": {"a": 1}}, {"q": ["x", "a"]}, ["ndcg@10", "residual(ndcg@10)"])
        >>> result["ndcg@10"], result.residual("ndcg@10")
        (0.6309297535714575, Interval(low=0.6309297535714575, high=1.0))
        """
        low, high = parse_all(f"residual({parse(measure)})")
        return Interval(self[low], self[high])

    def table(self) -> Table:
        """Return a row per measure: mean, interval and number of queries."""
        rows = []
        for measure in self.measures:
            low, high = self.interval(measure)
            ends = [None, None] if math.isnan(low) else [low, high]
            rows.append([str(measure), self[measure], *ends, len(self._counted(measure)[0])])
        return Table(["measure", "mean", f"{LEVEL:.0%} from", "to", "queries"], rows)

    def remarks(self) -> list[str]:
        """Say under which convention the numbers stand, and everything about the data that may matter."""
        return [
            f"convention: {describe(self.convention, *self.measures[:1] if len(self.measures) == 1 else ())}",
            *_aggregates(self.measures),
            *_remarks(self.evaluation.counts, self.convention),
            *self.notes,
        ]

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Return the convention, means, intervals and counts as plain values, with all digits."""
        intervals = {str(measure): list(self.interval(measure)) for measure in self.measures}
        values: dict[str, Any] = {
            "convention": str(self.convention),
            "means": self.means,
            "intervals": intervals,
            "counts": self.counts,
        }
        others = {str(measure): measure.aggregate for measure in self.measures if measure.aggregate != "mean"}
        values |= {"aggregates": others} if others else {}
        values |= {"notes": list(self.notes)} if self.notes else {}
        return values | ({"per_query": self.per_query.to_dict()} if per_query else {})

    def to_json(self, *, per_query: bool = False) -> str:
        """Write `to_dict` as JSON; NaN and infinities, which JSON lacks, become null."""
        return json_text(self.to_dict(per_query=per_query))

    def parts(self, *, per_query: bool = False) -> list[Part]:
        """Return what is shown to a person: tables and remarks, one below the other."""
        values: list[Part] = [self.per_query.table(), ""] if per_query else []
        return [*values, self.table(), "", *self.remarks()]

    def _counted(self, measure: Measure) -> tuple[Sequence[float], Sequence[float]]:
        """Return the values of the queries that count, and their weights, if there are any."""
        values, weights = self.evaluation.values[measure], self.evaluation.weights
        counts = self.evaluation.counts
        skips = self.convention.nothing_relevant == "skip" and (counts.empty or counts.blank or counts.missing)
        if not (skips or measure.skips):
            return values, weights
        kept = [place for place, value in enumerate(values) if not math.isnan(value)]
        return [values[place] for place in kept], [weights[place] for place in kept] if weights else ()


def describe(convention: Convention, measure: Measure | None = None) -> str:
    """Return a convention's name and the terms of its formula, or those of a measure that has its own.

    >>> from rankgauge.conventions import get
    >>> describe(get("burges"))
    'burges (gain exp2, discount log2, ideal judged)'
    >>> describe(get("textbook"), parse("ndcg(gain=exp2)@5"))
    'textbook (gain exp2, discount log2, ideal judged)'
    """
    terms = [(name, getattr(measure, name, None) or convention[name]) for name in ("gain", "discount", "ideal")]
    return f"{convention} ({', '.join(f'{name} {term}' for name, term in terms)})"


def two_readings(convention: Convention) -> str:
    """Say where the ideal of a list that is shorter than k ends, and how to have it end elsewhere.

    >>> from rankgauge.conventions import get
    >>> two_readings(get("textbook"))
    'the ideal goes on to k (ideal=judged); to end it with the list, use textbook-clipped'
    """
    other = other_reading(convention)
    name = next((name for name, known in NAMED.items() if known.answers == other.answers), str(other))
    if convention.ideal == LIST_LENGTH:
        return f"the ideal ends with the list (ideal=list-length); to let it go on to k, use {name}"
    return f"the ideal goes on to k (ideal=judged); to end it with the list, use {name}"


def other_reading(convention: Convention) -> Convention:
    """Return the convention with the other ideal for lists that are shorter than k."""
    return convention.replace(ideal=JUDGED if convention.ideal == LIST_LENGTH else LIST_LENGTH)


def _find(measure: str | Measure, evaluation: Evaluation, *, texts: bool = False) -> Measure:
    found = parse(measure)
    evaluated = {**evaluation.values, **(evaluation.texts if texts else {})}
    if found in evaluation.texts and not texts:
        raise RankgaugeError("no-mean", got=str(found))
    if found not in evaluated:
        known = [str(other) for other in evaluated]
        raise RankgaugeError(
            "unknown-measure",
            known="evaluated: " + ", ".join(known),
            got=str(found),
            nearest=nearest(str(found), known),
        )
    return found


def _remarks(counts: Counts, convention: Convention) -> Iterator[str]:
    def answer(question: str) -> str:
        return f"{QUESTIONS[question].answers[convention[question]]} ({question}={convention[question]})"

    yield f"queries: {counts.evaluated:,} evaluated of {counts.judged:,} judged and {counts.ranked:,} ranked"
    if counts.missing:
        yield f"missing: {_queries(counts.missing)} judged but not in the ranking; {answer('missing')}"
    if counts.dropped:
        yield f"dropped: {counts.dropped:,} ranked items {_why_dropped(convention)}"
    if counts.ignored:
        yield f"ignored: {_queries(counts.ignored)} in the ranking without judgments"
    if counts.blank:
        yield f"nothing ranked: {_queries(counts.blank)} with an empty ranking"
    if counts.empty:
        yield f"nothing relevant: {_queries(counts.empty)}; {answer('nothing_relevant')}"
    if counts.tied:
        yield f"ties: {_queries(counts.tied)} with equal scores in the ranks that count; {answer('ties')}"
    if counts.short:
        short = f"{_queries(counts.short)} with fewer ranked items than k and than are relevant"
        yield f"short lists: {short}; {two_readings(convention)}"
    unjudged = [
        f"{items:,} of {counts.positions[at]:,} items in the {f'top {at[1:]}' if at else 'ranking'}"
        for at, items in counts.unjudged.items()
        if items
    ]
    if unjudged:
        yield f"unjudged: {', '.join(unjudged)}; {answer('unjudged')}"


AGGREGATES: Final[Mapping[Aggregate, str]] = {
    "sum": "added up over the queries",
    "geometric": "geometric means, of at least 0.00001 a query",
    "weighted": "means weighted by the number of ranked items",
    "union": "of all queries together, without an interval",
}


def _aggregates(measures: Sequence[Measure]) -> Iterator[str]:
    """Say of which measures the number of all queries is no plain mean."""
    for how, meaning in AGGREGATES.items():
        own = [str(measure) for measure in measures if measure.aggregate == how]
        if own:
            yield f"no plain means: {', '.join(own)} ({meaning})"


def _why_dropped(convention: Convention) -> str:
    """Return which items a convention drops, and the answers that say so."""
    reasons = {
        "unjudged": "without a grade",
        "negative": "with a negative grade",
        "own_id": "with the id of their query",
    }
    asked = [field for field in reasons if convention[field] == "drop"]
    answers = ", ".join(f"{field}=drop" for field in asked)
    return f"{' or '.join(reasons[field] for field in asked)} were removed before ranking ({answers})"


def _queries(count: int) -> str:
    return f"{count:,} query" if count == 1 else f"{count:,} queries"
