"""Random conventions, measures and ragged data: ties, zeros, negatives, floats, empty and missing queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from rankgauge.conventions import QUESTIONS, Convention
from rankgauge.conventions.terms import Discount, Gain, Ideal
from rankgauge.conventions.textbook import TEXTBOOK
from rankgauge.measures import NAMED, Clicks, Diversity, Measure, Number
from rankgauge.request import Request

Rows = list[tuple[str, str, float]]

QUERIES = ["q", "q1", "q10", "q2", "é", "日本"]
ITEMS = ["q", "d", "d1", "d10", "d1é", "d2", "D", "ß", "日本語", "🙂", "zz"]
GRADES = [-2.0, -0.5, 0.0, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0]
HUGE = 1e308  # two of them are more than a float holds
# Scores that tie, that differ only beyond float32, and that no float32 holds.
SCORES = [-1.0, 0.0, -0.0, 0.5, 0.1, 0.1 + 1e-10, 1.0, 1.0 + 1e-9, 3.0, 1e-45, 1e300, -1e300]


class Case(NamedTuple):
    judged: Rows
    ranked: Rows
    measures: list[Measure]
    convention: Convention
    depth: int | None

    @property
    def request(self) -> Request:
        return Request(tuple(self.measures), self.convention, self.depth)


gains = st.one_of(
    st.sampled_from([Gain("linear"), Gain("exp2"), Gain("exp2", shift=1.0), Gain("binary")]),
    st.sampled_from([Gain("linear", table=((1.0, 7.0), (3.0, 0.0))), Gain("share"), Gain("chance", top=4.0)]),
    st.sampled_from([0.5, 1.0, 2.0]).map(lambda threshold: Gain("binary", threshold=threshold)),
    st.lists(st.sampled_from([0.0, 0.3, 1.0, 7.0]), min_size=len(GRADES) + 1, max_size=len(GRADES) + 1).map(
        lambda values: Gain("table", table=tuple(zip([*GRADES, HUGE], values, strict=True)))
    ),
)
discounts = st.one_of(
    st.sampled_from([Discount("log"), Discount("clipped"), Discount("reciprocal"), Discount("geometric", base=0.7)]),
    st.sampled_from([2.0, 2.5, 3.0, 10.0]).flatmap(
        lambda base: st.sampled_from([Discount("log", base=base), Discount("jarvelin", base=base)])
    ),
    st.lists(st.sampled_from([1.0, 0.5, 0.25, 0.0]), min_size=1, max_size=6).map(
        lambda weights: Discount("table", table=tuple(sorted(weights, reverse=True)))
    ),
)
ideals = st.sampled_from(
    [*map(Ideal.parse, ("judged", "uncut", "ranked", "top", "list-length", "perfect", "perfect(3)"))]
)
cutoffs = st.one_of(st.none(), st.sampled_from([1, 2, 3, 5, 10, 100]))


def _mostly_lenient(field: str) -> list[str]:
    """The answers, `error` rarely: an example that both engines refuse shows little."""
    answers = list(QUESTIONS[field].answers)
    lenient = [answer for answer in answers if answer != "error"]
    return lenient * 5 + answers


@st.composite
def conventions(draw: st.DrawFn, /, **fixed: object) -> Convention:
    words = ("ties", "precision", "nothing_relevant", "missing", "unjudged", "negative", "duplicates", "own_id")
    answers: dict[str, Any] = {field: draw(st.sampled_from(_mostly_lenient(field))) for field in words}
    answers |= {"gain": draw(gains), "discount": draw(discounts), "ideal": draw(ideals)}
    answers["default_cutoff"] = draw(st.sampled_from(["list", "all", 1, 4]))
    answers["decimals"] = draw(st.sampled_from([None, None, 0, 4]))
    return TEXTBOOK.replace(**(answers | fixed))


bounded_gains = st.sampled_from([Gain("share"), Gain("share", top=4.0), Gain("chance", top=4.0), Gain("binary")])


def numbers(number: Number) -> st.SearchStrategy[Any]:
    """A value or, of a parameter with several, some values, in its range."""
    inside = [value for value in (0.1, 0.25, 0.5, 0.8, 1, 2, 5) if number.low < value < number.high]
    values = st.sampled_from(inside)
    return st.lists(values, min_size=1, max_size=3) if isinstance(number.default, tuple) else values


ALONE = [measure for measure in NAMED.values() if not isinstance(measure, Diversity | Clicks)]
PLACED = [measure for measure in ALONE if measure.annotation is None and not measure.needs_ids]
ANNOTATED = {kind: [measure for measure in NAMED.values() if isinstance(measure, kind)] for kind in (Diversity, Clicks)}


@st.composite
def measures(draw: st.DrawFn, known: Sequence[Measure] = ALONE) -> Measure:
    """A measure with parameters and a cutoff; those that need more of judgments than grades are known separately."""
    measure = draw(st.sampled_from(known))
    strategies: dict[str, st.SearchStrategy[Any]] = {
        "gain": bounded_gains if getattr(measure, "declared_gain", None) else gains,
        "discount": discounts,
        "ideal": ideals,
        "propensity": discounts,
        "residual": st.sampled_from(["low", "high"]),
        "rel": st.sampled_from([-1, 0, 0.5, 1, 2]),
        "relevant": st.sampled_from(["judged", "ranked"]),
        "nothing_relevant": st.sampled_from(["zero", "one"]),
    } | {number.name: numbers(number) for number in measure.parameters}
    terms = {name: draw(st.none() | strategies[name]) for name in measure.takes}
    if terms.get("rel") is not None and "gain" in terms:
        terms["gain"] = None  # a level is a gain already
    if "ranks" in terms:
        terms["ranks"] = draw(st.sampled_from([1, 7, 40]))  # the reference takes its time over more
    measure = measure(**{name: term for name, term in terms.items() if term is not None})
    k = draw(cutoffs) if measure.takes_cutoff else None
    return measure if k is None else measure @ k


def rows(values: list[float], *, unique: bool = False) -> st.SearchStrategy[Rows]:
    row = st.tuples(st.sampled_from(QUERIES), st.sampled_from(ITEMS), st.sampled_from(values))
    return st.lists(row, min_size=1, max_size=40, unique_by=(lambda row: row[:2]) if unique else None)


@st.composite
def cases(draw: st.DrawFn, /, *, unique: bool = False, huge: bool = False, **fixed: object) -> Case:
    """Rows in any order; unless `unique`, an item may come twice in a query."""
    return Case(
        judged=draw(rows(GRADES * 2 + [HUGE] * huge, unique=unique)),
        ranked=draw(rows(SCORES, unique=unique)),
        measures=draw(st.lists(measures(), min_size=1, max_size=4, unique=True)),
        convention=draw(conventions(**fixed)),
        depth=draw(st.none() | st.sampled_from([1, 2, 4, 50])),
    )


def group(rows: Rows) -> dict[str, list[tuple[str, float]]]:
    """Query → rows of (item, value), in the order given."""
    groups: dict[str, list[tuple[str, float]]] = {}
    for query, item, value in rows:
        groups.setdefault(query, []).append((item, value))
    return groups


def mapping(rows: Rows) -> dict[str, dict[str, float]]:
    return {query: dict(items) for query, items in group(rows).items()}


def judgments_file(rows: Rows) -> str:
    return "".join(f"{query} 0 {item} {grade!r}\n" for query, item, grade in rows)


def ranking_file(rows: Rows) -> str:
    return "".join(f"{query} Q0 {item} 1 {score!r} tag\n" for query, item, score in rows)
