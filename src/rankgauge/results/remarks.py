"""What a result says below its table: the convention, and everything about the data that may matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge.conventions import NAMED, QUESTIONS, Convention
from rankgauge.conventions.terms import JUDGED, LIST_LENGTH
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.evaluation import Counts
from rankgauge.statistics.intervals import FEWEST

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate

# Of more runs than this, the lowest and the highest share of unjudged items are shown.
SHOWN_SHARES: Final = 5
# Shares of unjudged items that differ by more may decide which run looks better.
UNEVEN: Final = 0.1


def evaluation_remarks(
    request: Request, measures: Sequence[Measure], counts: Counts, queries: Sequence[int]
) -> Iterator[Remark]:
    """Say under which convention the numbers stand, and what was met in the data.

    `measures` are those with a mean, and `queries` how many those with an interval are of.
    """
    convention = request.convention
    yield Remark.of("convention", describe(convention, *measures if len(measures) == 1 else ()))
    yield from aggregate_remarks(request)
    yield from count_remarks(counts, convention)
    yield from few_queries(queries)


def describe(convention: Convention, measure: Measure | None = None) -> Text:
    """Return a convention's name and the terms of its formula, or those of a measure that has its own.

    >>> from rankgauge.conventions import get
    >>> from rankgauge.measures import parse
    >>> describe(get("burges"))
    'burges (gain exp2, discount log2, ideal judged)'
    >>> describe(get("textbook"), parse("ndcg(gain=exp2)@5"))
    'textbook (gain exp2, discount log2, ideal judged)'
    """
    terms = {name: str(getattr(measure, name, None) or convention[name]) for name in ("gain", "discount", "ideal")}
    return Text("{name} (gain {gain}, discount {discount}, ideal {ideal})", name=str(convention), **terms)


def few_queries(counts: Sequence[int]) -> Iterator[Remark]:
    """Say that there is no interval, of the measure that the fewest queries count for.

    >>> [remark.text for remark in few_queries([7, 3])]
    ['3 queries are too few for an interval, which takes at least 5']
    """
    if counts and min(counts) < FEWEST:
        few = Text.counted(
            min(counts),
            "{n:,} query is too few for an interval, which takes at least {fewest}",
            "{n:,} queries are too few for an interval, which takes at least {fewest}",
            fewest=FEWEST,
        )
        yield Remark.of("few-queries", few)


def answer(convention: Convention, question: str) -> Text:
    """Return what the answer of a convention to a question means, and how it is written.

    >>> from rankgauge.conventions import get
    >>> answer(get("trec_eval"), "missing")
    'left out of the mean (missing=skip)'
    """
    chosen = convention[question]
    return Text("{} ({}={})", Text(QUESTIONS[question].answers[chosen]), question, chosen)


def two_readings(convention: Convention) -> Text:
    """Say where the ideal of a list that is shorter than k ends, and how to have it end elsewhere.

    >>> from rankgauge.conventions import get
    >>> two_readings(get("textbook"))
    'the ideal goes on to k (ideal=judged); to end it with the list, use textbook-clipped'
    """
    other = other_reading(convention)
    name = next((name for name, known in NAMED.items() if known.answers == other.answers), str(other))
    if convention.ideal == LIST_LENGTH:
        return Text("the ideal ends with the list (ideal=list-length); to let it go on to k, use {name}", name=name)
    return Text("the ideal goes on to k (ideal=judged); to end it with the list, use {name}", name=name)


def other_reading(convention: Convention) -> Convention:
    """Return the convention with the other ideal for lists that are shorter than k."""
    return convention.replace(ideal=JUDGED if convention.ideal == LIST_LENGTH else LIST_LENGTH)


def count_remarks(counts: Counts, convention: Convention) -> Iterator[Remark]:
    """Say what was missing, dropped, ignored, empty, tied, short or unjudged, and how the convention treats it."""
    evaluated = Text(
        "{evaluated:,} evaluated of {judged:,} judged and {ranked:,} ranked",
        evaluated=counts.evaluated,
        judged=counts.judged,
        ranked=counts.ranked,
    )
    yield Remark.of("queries", evaluated)
    if counts.missing:
        missing = Text("{queries} judged but not in the ranking", queries=_queries(counts.missing))
        yield Remark.of("missing", Text("{}; {}", missing, answer(convention, "missing")))
    if counts.dropped:
        yield Remark.of("dropped", _dropped(counts.dropped, convention))
    if counts.ignored:
        yield Remark.of("ignored", Text("{queries} in the ranking without judgments", queries=_queries(counts.ignored)))
    if counts.blank:
        yield Remark.of("nothing-ranked", Text("{queries} with an empty ranking", queries=_queries(counts.blank)))
    if counts.empty:
        settled = answer(convention, "nothing_relevant")
        yield Remark.of("nothing-relevant", Text("{}; {}", _queries(counts.empty), settled))
    if counts.tied:
        tied = Text("{queries} with equal scores in the ranks that count", queries=_queries(counts.tied))
        yield Remark.of("ties", Text("{}; {}", tied, answer(convention, "ties")))
        yield from _unclaimed_ties(counts.tied, convention)
    yield from score_remarks(counts, convention)
    if counts.short:
        short = Text("{queries} with fewer ranked items than k and than are relevant", queries=_queries(counts.short))
        yield Remark.of("short-lists", Text("{}; {}", short, two_readings(convention)))
    if any(counts.unjudged.values()):
        unjudged = Text.joined(", ", _unjudged(counts))
        yield Remark.of("unjudged", Text("{}; {}", unjudged, answer(convention, "unjudged")))


def _unclaimed_ties(tied: int, convention: Convention) -> Iterator[Remark]:
    """Say that the tool may order equal scores otherwise, where its convention claims nothing for them."""
    if why := convention.undefined.get("ties"):
        text = Text(
            "{queries} with equal scores, for which equality with {name} is not claimed: {why}",
            queries=_queries(tied),
            name=convention.name,
            why=why,
        )
        yield Remark.of("undefined", text)


def _unjudged(counts: Counts) -> Iterator[Text]:
    """Yield how many items have no judgment; cutoffs with the same numbers are named together."""
    cutoffs: dict[tuple[int, int], list[str]] = {}
    for cutoff, items in counts.unjudged.items():
        if items:
            cutoffs.setdefault((items, counts.positions[cutoff]), []).append(cutoff.removeprefix("@"))
    for (items, positions), names in cutoffs.items():
        tops = ", ".join(name for name in names if name)
        numbers = {"items": items, "positions": positions, "tops": tops}
        if not tops:
            yield Text("{items:,} of {positions:,} items in the ranking", **numbers)
        elif "" in names:
            yield Text("{items:,} of {positions:,} items in the top {tops} and the whole ranking", **numbers)
        else:
            yield Text("{items:,} of {positions:,} items in the top {tops}", **numbers)


def missing_in_runs(queries: int, convention: Convention) -> Iterator[Remark]:
    """Say how many queries are judged, and in none of the runs."""
    if queries:
        missing = Text("{queries} judged but in no run", queries=_queries(queries))
        yield Remark.of("missing", Text("{}; {}", missing, answer(convention, "missing")))


def unjudged_in_runs(counts: Mapping[str, Counts], convention: Convention) -> list[Remark]:
    """Say how many items have no judgment in each run, and where one run has many more of them than another."""
    cutoffs = next(iter(counts.values())).positions
    shares = {cutoff: _unjudged_shares(counts, cutoff) for cutoff in cutoffs}
    shares = {cutoff: of_runs for cutoff, of_runs in shares.items() if any(share.value for share in of_runs)}
    if not shares:
        return []
    each = Text.joined("; ", (_shares_at(cutoff, of_runs) for cutoff, of_runs in shares.items()))
    return [
        Remark.of("unjudged", Text("{}; {}", each, answer(convention, "unjudged"))),
        *_uneven(max(shares.values(), key=_spread)),
    ]


class _Share(NamedTuple):
    """How many of the items of a run, down to a cutoff, have no judgment."""

    value: float
    run: str
    items: int
    positions: int

    def text(self) -> Text:
        return Text("{run} {items:,} of {positions:,} ({value:.0%})", **self._asdict())


def _unjudged_shares(counts: Mapping[str, Counts], cutoff: str) -> list[_Share]:
    """Return the share of each run, in their order."""
    items = ((run, each.unjudged.get(cutoff, 0), each.positions.get(cutoff, 0)) for run, each in counts.items())
    return [_Share(unjudged / all_ if all_ else 0.0, run, unjudged, all_) for run, unjudged, all_ in items]


def _shares_at(cutoff: str, shares: Sequence[_Share]) -> Text:
    """Return the shares at one cutoff; of many runs, the lowest and the highest."""
    shown = shares if len(shares) <= SHOWN_SHARES else (min(shares), max(shares))
    each = Text.joined(", " if len(shown) == len(shares) else " … ", (share.text() for share in shown))
    if not cutoff:
        return Text("in the ranking: {shares}", shares=each)
    return Text("in the top {top}: {shares}", top=cutoff.removeprefix("@"), shares=each)


def _spread(shares: Sequence[_Share]) -> float:
    values = [share.value for share in shares]
    return max(values) - min(values)


def _uneven(shares: Sequence[_Share]) -> Iterator[Remark]:
    if _spread(shares) > UNEVEN:
        low, high = min(shares), max(shares)
        text = Text(
            "{high:.0%} of the items of {more} have no judgment, {low:.0%} of those of {fewer}: {more} may be better "
            "than it looks",
            high=high.value,
            more=high.run,
            low=low.value,
            fewer=low.run,
        )
        yield Remark.of("uneven-judgments", text)


def score_remarks(counts: Counts, convention: Convention) -> Iterator[Remark]:
    """Say which scores are no plain numbers: too long, missing, or the lowest of all."""
    if counts.merged and convention.precision == "float32":
        rounded = Text(
            "{queries} whose distinct scores are equal as 32-bit floats, which the tool compares (precision=float32)",
            queries=_queries(counts.merged),
        )
        yield Remark.of("rounded-scores", rounded)
    elif counts.merged:
        merged = Text(
            "{queries} whose distinct scores are equal as 64-bit floats, so that their order is lost",
            queries=_queries(counts.merged),
        )
        yield Remark.of("merged-scores", merged)
    if counts.unscored:
        places = counted(counts.unscored, "place", "places")
        unscored = Text("{places} with the label 0 and the score NaN, taken for padding", places=places)
        yield Remark.of("unscored", unscored)
    if counts.lowest:
        items = counted(counts.lowest, "item", "items")
        yield Remark.of("lowest-scores", Text("{items} with the score -inf, ranked last", items=items))


AGGREGATES: Final[Mapping[Aggregate, Text]] = {
    "sum": Text("added up over the queries"),
    "geometric": Text("geometric means, of at least 0.00001 a query"),
    "weighted": Text("means weighted by the number of ranked items"),
    "union": Text("of all queries together, without an interval"),
}


def aggregate_remarks(request: Request) -> Iterator[Remark]:
    """Return a remark on measures whose number over all queries is not a plain mean."""
    for how, meaning in AGGREGATES.items():
        labels = [request.label(measure) for measure in request.measures if measure.aggregate == how]
        if labels:
            yield Remark.of("no-plain-means", Text("{} ({})", ", ".join(labels), meaning))


def _dropped(count: int, convention: Convention) -> Text:
    """Return how many items a convention drops, which these are, and the answers that say so."""
    reasons = {
        "unjudged": Text("without a grade"),
        "negative": Text("with a negative grade"),
        "own_id": Text("with the id of their query"),
    }
    asked = [field for field in reasons if convention[field] == "drop"]
    answers = ", ".join(f"{field}=drop" for field in asked)
    return Text(
        "{items} {reasons}, removed before ranking ({answers})",
        items=counted(count, "ranked item"),
        reasons=reduce(lambda one, other: Text("{} or {}", one, other), (reasons[field] for field in asked)),
        answers=answers,
    )


def _queries(count: int) -> Text:
    return counted(count, "query", "queries")
