"""The reference engine: slow, pure Python that reads like the formula; the native engine must equal it.

>>> from rankgauge.conventions.textbook import TEXTBOOK
>>> from rankgauge.measures import NDCG
>>> judged = {"candy": [("a", 2), ("b", 3), ("c", 0), ("d", 0), ("e", 1)]}
>>> ranked = {"candy": [("a", 5), ("b", 4), ("c", 3), ("d", 2), ("e", 1)]}
>>> evaluate(judged, ranked, Request((NDCG(gain="exp2"),), TEXTBOOK)).values
{ndcg(gain=exp2): [0.8307820888596468]}
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rankgauge.conventions import Convention
from rankgauge.engines.reference import clicks, counted, coverage, diversity, graded, letters
from rankgauge.engines.reference.annotations import Annotations
from rankgauge.engines.reference.gains import (
    depth_of,
    gain_within,
    gains_by_item,
    ideal_gains,
    is_hollow,
    item_gain,
    require_gain,
    sum_or_ratio,
    total,
)
from rankgauge.engines.reference.long_sum import sum_in_order
from rankgauge.engines.reference.order import Ranked, Rows, effective_grade, grades_of, is_worthless, order
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Clicks, Counted, Coverage, Diversity, Gains, Graded, Letters, Measure
from rankgauge.measures.at_level import AtLevel
from rankgauge.request import Request
from rankgauge.results.evaluation import Counts, Evaluation, cutoff_names

NO_ANNOTATIONS: Final = Annotations()
NO_MARKS: Final[Mapping[str, Sequence[int]]] = {}


class Facts(NamedTuple):
    """What an evaluation reports about the data of one query."""

    empty: bool
    blank: bool
    short: bool
    tied: bool
    merged: bool
    dropped: int
    unjudged: dict[str, int]
    positions: dict[str, int]


def evaluate(
    judged: Mapping[str, Rows],
    ranked: Mapping[str, Rows],
    request: Request,
    annotations: Annotations = NO_ANNOTATIONS,
    marks: Mapping[str, Sequence[int]] = NO_MARKS,
) -> Evaluation:
    """Evaluate every judged query, in the order of its id; `marks` tell apart scores with more digits than a float."""
    convention, measures = request.effective, request.computed
    queries: list[str] = []
    values: dict[Measure, list[float]] = {measure: [] for measure in measures if not isinstance(measure, Letters)}
    texts: dict[Measure, list[str]] = {measure: [] for measure in measures if isinstance(measure, Letters)}
    full = dict(zip(measures, request.declared, strict=True))
    seen: list[Facts] = []
    tops: list[list[str]] = []
    for query in sorted(judged):
        grades = grades_of(judged[query], query, convention)
        if query not in ranked and convention.missing == "error":
            raise RankgaugeError("missing-query", place=f"query {query!r}")
        if query not in ranked and convention.missing == "skip":
            continue
        ranking = order(ranked.get(query), grades, query, convention, request.depth, marks.get(query, ()))
        queries.append(query)
        for measure, column in values.items():
            column.append(evaluate_query(grades, ranking, full[measure], query, convention, annotations))
        for measure, words in texts.items():
            words.append(letters.value(map(grades.get, ranking.items[: ranking.length][: measure.k]), convention))
        tops.append(ranking.items[: ranking.length])
        seen.append(facts_of(grades, ranking, list(full.values()), convention))
    judged_items = {item for rows in judged.values() for item, _ in rows}
    unions: dict[Measure, float] = {}
    for measure in values:
        if isinstance(measure, Coverage):
            values[measure], unions[measure] = coverage.value(tops, measure, judged_items)
    return Evaluation(
        queries=queries,
        values={measure: column for measure, column in values.items() if measure in request.measures},
        counts=_count(judged, ranked, queries, measures, seen),
        texts=texts,
        weights=() if request.weights is None else values[measures[request.weights]],
        unions=unions,
    )


def evaluate_query(
    grades: Mapping[str, float],
    ranking: Ranked,
    measure: Measure,
    query: str,
    convention: Convention,
    annotations: Annotations = NO_ANNOTATIONS,
) -> float:
    """Compute one measure of one query."""
    value = value_or_nothing(grades, ranking, measure, query, convention, annotations)
    return value_of_query(value, ranking, measure, query, convention)


def value_of_query(value: float | None, ranking: Ranked, measure: Measure, query: str, convention: Convention) -> float:
    """Return the value, or what the query is worth where it has none."""
    if value is not None and not math.isnan(value):
        return value
    nothing = getattr(measure, "nothing", None)
    if nothing is not None:
        return 0.0 if ranking.missing else float(nothing)
    if measure.skips:
        return math.nan
    if convention.nothing_relevant == "error":
        raise RankgaugeError("nothing-relevant", place=f"query {query!r}")
    if ranking.missing and convention.nothing_relevant != "skip":
        return 0.0
    return {"zero": 0.0, "one": 1.0, "nan": math.nan, "skip": math.nan}[convention.nothing_relevant]


def value_or_nothing(
    grades: Mapping[str, float],
    ranking: Ranked,
    measure: Measure,
    query: str,
    convention: Convention,
    annotations: Annotations,
) -> float | None:
    """Return the value; None or NaN if the divisor is 0."""
    depth = depth_of(measure, ranking, convention)
    if isinstance(measure, Counted):
        return counted.value(query_grades_of(grades, ranking, convention), measure, depth)
    if isinstance(measure, Graded):
        return graded_value(grades, ranking, measure, query, convention)
    if isinstance(measure, Gains):
        return sum_or_ratio(grades, ranking, measure, query, convention)
    items, rows = ranking.items[: ranking.length], annotations.rows.get(query, {})
    if isinstance(measure, Diversity):
        return diversity.value(diversity.aspects_of(items, rows, measure.rel or 0.0), measure, depth)
    if isinstance(measure, Clicks):
        effective = {item: 0.0 if is_worthless(grade, convention) else grade for item, grade in grades.items()}
        return clicks.value(clicks.ClickedQuery(effective, rows, annotations.kind), items, measure, depth)
    return 0.0  # coverage is known when all queries are


def graded_value(
    grades: Mapping[str, float], ranking: Ranked, measure: Graded, query: str, convention: Convention
) -> float | None:
    """Return a measure of gains by rank that is not a linear sum."""
    require_gain(grades, measure, query, convention)
    gained = gained_of(grades, ranking, measure, convention)
    if not (math.isfinite(sum_in_order(gained.gains)) and math.isfinite(sum_in_order(gained.best))):
        raise RankgaugeError("overflow", place=f"query {query!r}", got=max(grades.values(), default=0.0))
    if measure.rel is not None and not any(grade > 0 and grade >= measure.rel for grade in grades.values()):
        return None
    return graded.value(gained, measure, depth_of(measure, ranking, convention))


def query_grades_of(grades: Mapping[str, float], ranking: Ranked, convention: Convention) -> counted.QueryGrades:
    """Return the grades and ties of a query that the counted measures need."""
    items = ranking.items[: ranking.length]
    ties = [(start, min(end, ranking.length)) for start, end in ranking.ties]
    places = {item: place for place, item in enumerate(ranking.given)}
    by_grade = sorted(
        range(len(items)),
        key=lambda index: (-effective_grade(items[index], grades, convention), places[items[index]]),
    )
    return counted.QueryGrades([grades.get(item) for item in items], list(grades.values()), ties, by_grade)


def gained_of(grades: Mapping[str, float], ranking: Ranked, measure: Graded, convention: Convention) -> graded.Gained:
    """Return the gains of a query; where ties are averaged, tied items are in the order of their ids."""
    gain = gain_within(measure.gain or convention.gain, grades)
    best = sorted((item_gain(grade, gain, convention) for grade in grades.values()), reverse=True)
    gains = [item_gain(grades.get(item), gain, convention) for item in ranking.items[: ranking.length]]
    return graded.Gained(gains, best)


# Facts about the data


def facts_of(
    grades: Mapping[str, float], ranking: Ranked, measures: Sequence[Measure], convention: Convention
) -> Facts:
    """Return whether anything is relevant, whether ties touch the ranks that count, and what is unjudged.

    The measures are those under the convention.
    """
    relevant = any(grade > 0 for grade in grades.values())
    tops = {cutoff: ranking.items[: ranking.length][:k] for cutoff, k in cutoff_names(measures)}
    deepest = max(depth_of(measure, ranking, convention) for measure in measures)
    return Facts(
        # An ideal that depends on the ranking is 0 for an empty ranking, even if items are relevant.
        empty=is_empty(grades, ranking, measures, convention) and not (ranking.length == 0 and relevant),
        blank=ranking.length == 0 and not ranking.missing,
        short=any(is_short(grades, ranking, measure, convention) for measure in measures),
        tied=any(start < min(deepest, ranking.length) for start, _ in ranking.ties),
        merged=any(start < min(deepest, ranking.length) for start, _ in ranking.merged),
        dropped=ranking.dropped,
        unjudged={cutoff: sum(item not in grades for item in top) for cutoff, top in tops.items()},
        positions={cutoff: len(top) for cutoff, top in tops.items()},
    )


def is_short(grades: Mapping[str, float], ranking: Ranked, measure: Measure, convention: Convention) -> bool:
    """Return whether an ideal cut at k differs from one cut at the length of the ranking."""
    if not isinstance(measure, Gains) or not measure.normalised or measure.residual or measure.k is None:
        return False
    at_k = (measure.ideal or convention.ideal).kind in ("judged", "list-length")
    worthy = sum(item_gain(grade, measure.gain or convention.gain, convention) > 0 for grade in grades.values())
    return at_k and 0 < ranking.length < min(measure.k, worthy)


def is_empty(grades: Mapping[str, float], ranking: Ranked, measures: Sequence[Measure], convention: Convention) -> bool:
    """Return whether the divisor of any measure is 0; if no measure is divided, whether no item is relevant."""
    lacking = [lacks_divisor(grades, ranking, measure, convention) for measure in measures]
    if any(lacks is not None for lacks in lacking):
        return any(lacking)
    return lacks_relevant(grades, measures[0], convention)


def lacks_divisor(
    grades: Mapping[str, float], ranking: Ranked, measure: Measure, convention: Convention
) -> bool | None:
    """Return whether the divisor of a measure is 0; None if it is not divided."""
    if isinstance(measure, Gains):
        if not measure.normalised:
            return None
        known = gains_by_item(grades, measure, convention)
        ideal = total(ideal_gains(known, ranking, measure, convention), measure)
        return is_hollow(grades, measure, convention) or not ideal > 0
    divided = measure.self_normalised if isinstance(measure, Clicks) else getattr(measure, "of_relevant", False)
    if isinstance(measure, Counted) and measure.of_ranked:
        ranked = set(ranking.items[: ranking.length])
        grades = {item: grade for item, grade in grades.items() if item in ranked}
    return lacks_relevant(grades, measure, convention) if divided else None


def lacks_relevant(grades: Mapping[str, float], measure: Measure, convention: Convention) -> bool:
    """Return whether no judged item is relevant to a measure, or has a positive gain."""
    if isinstance(measure, AtLevel):
        return not any(grade > 0 and grade >= (measure.rel or 0.0) for grade in grades.values())
    if isinstance(measure, Gains | Graded):
        return not any(item_gain(grade, measure.gain, convention) > 0 for grade in grades.values())
    return not any(grade > 0 for grade in grades.values())


def _count(
    judged: Mapping[str, Rows],
    ranked: Mapping[str, Rows],
    queries: Sequence[str],
    measures: Sequence[Measure],
    seen: Sequence[Facts],
) -> Counts:
    names = [cutoff for cutoff, _ in cutoff_names(measures)]
    return Counts(
        judged=len(judged),
        ranked=len(ranked),
        evaluated=len(queries),
        missing=sum(query not in ranked for query in judged),
        ignored=sum(query not in judged for query in ranked),
        empty=sum(facts.empty for facts in seen),
        blank=sum(facts.blank for facts in seen),
        short=sum(facts.short for facts in seen),
        tied=sum(facts.tied for facts in seen),
        merged=sum(facts.merged for facts in seen),
        dropped=sum(facts.dropped for facts in seen),
        unjudged={cutoff: sum(facts.unjudged[cutoff] for facts in seen) for cutoff in names},
        positions={cutoff: sum(facts.positions[cutoff] for facts in seen) for cutoff in names},
    )
