"""What a result says below its table: the convention, and everything about the data that may matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from rankgauge.conventions import NAMED, QUESTIONS, Convention
from rankgauge.conventions.terms import JUDGED, LIST_LENGTH
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.evaluation import Counts

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate


def describe(convention: Convention, measure: Measure | None = None) -> str:
    """Return a convention's name and the terms of its formula, or those of a measure that has its own.

    >>> from rankgauge.conventions import get
    >>> from rankgauge.measures import parse
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


def count_remarks(counts: Counts, convention: Convention) -> Iterator[Remark]:
    """Say what was missing, dropped, ignored, empty, tied, short or unjudged, and how the convention treats it."""

    def answer(question: str) -> str:
        return f"{QUESTIONS[question].answers[convention[question]]} ({question}={convention[question]})"

    evaluated = f"{counts.evaluated:,} evaluated of {counts.judged:,} judged and {counts.ranked:,} ranked"
    yield Remark.of("queries", evaluated)
    if counts.missing:
        yield Remark.of("missing", f"{_queries(counts.missing)} judged but not in the ranking; {answer('missing')}")
    if counts.dropped:
        yield Remark.of("dropped", f"{counted(counts.dropped, 'ranked item')} {_why_dropped(convention)}")
    if counts.ignored:
        yield Remark.of("ignored", f"{_queries(counts.ignored)} in the ranking without judgments")
    if counts.blank:
        yield Remark.of("nothing-ranked", f"{_queries(counts.blank)} with an empty ranking")
    if counts.empty:
        yield Remark.of("nothing-relevant", f"{_queries(counts.empty)}; {answer('nothing_relevant')}")
    if counts.tied:
        tied = f"{_queries(counts.tied)} with equal scores in the ranks that count"
        yield Remark.of("ties", f"{tied}; {answer('ties')}")
    yield from score_remarks(counts, convention)
    if counts.short:
        short = f"{_queries(counts.short)} with fewer ranked items than k and than are relevant"
        yield Remark.of("short-lists", f"{short}; {two_readings(convention)}")
    if any(counts.unjudged.values()):
        yield Remark.of("unjudged", f"{', '.join(_unjudged(counts))}; {answer('unjudged')}")


def _unjudged(counts: Counts) -> Iterator[str]:
    """Yield how many items have no judgment; cutoffs with the same numbers are named together."""
    cutoffs: dict[tuple[int, int], list[str]] = {}
    for cutoff, items in counts.unjudged.items():
        if items:
            cutoffs.setdefault((items, counts.positions[cutoff]), []).append(cutoff.removeprefix("@"))
    for (items, positions), names in cutoffs.items():
        tops = ", ".join(name for name in names if name)
        whole = " and the whole ranking" if "" in names else ""
        yield f"{items:,} of {positions:,} items in the {f'top {tops}{whole}' if tops else 'ranking'}"


def score_remarks(counts: Counts, convention: Convention) -> Iterator[Remark]:
    """Say which scores are no plain numbers: too long, missing, or the lowest of all."""
    if counts.merged and convention.precision == "float32":
        text = "whose distinct scores are equal as 32-bit floats, which the tool compares (precision=float32)"
        yield Remark.of("rounded-scores", f"{_queries(counts.merged)} {text}")
    elif counts.merged:
        text = "whose distinct scores are equal as 64-bit floats, so that their order is lost"
        yield Remark.of("merged-scores", f"{_queries(counts.merged)} {text}")
    if counts.unscored:
        places = counted(counts.unscored, "place", "places")
        yield Remark.of("unscored", f"{places} with the label 0 and the score NaN, taken for padding")
    if counts.lowest:
        items = counted(counts.lowest, "item", "items")
        yield Remark.of("lowest-scores", f"{items} with the score -inf, ranked last")


AGGREGATES: Final[Mapping[Aggregate, str]] = {
    "sum": "added up over the queries",
    "geometric": "geometric means, of at least 0.00001 a query",
    "weighted": "means weighted by the number of ranked items",
    "union": "of all queries together, without an interval",
}


def aggregate_remarks(request: Request) -> Iterator[Remark]:
    """Say of which measures the number of all queries is no plain mean."""
    for how, meaning in AGGREGATES.items():
        labels = [request.label(measure) for measure in request.measures if measure.aggregate == how]
        if labels:
            yield Remark.of("no-plain-means", f"{', '.join(labels)} ({meaning})")


def _why_dropped(convention: Convention) -> str:
    """Return which items a convention drops, and the answers that say so."""
    reasons = {
        "unjudged": "without a grade",
        "negative": "with a negative grade",
        "own_id": "with the id of their query",
    }
    asked = [field for field in reasons if convention[field] == "drop"]
    answers = ", ".join(f"{field}=drop" for field in asked)
    return f"{' or '.join(reasons[field] for field in asked)}, removed before ranking ({answers})"


def _queries(count: int) -> str:
    return counted(count, "query", "queries")
