"""The sums of each query: over its ranked items, its judged items, and its ideal ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rankgauge.measures import Counted, Gains
from rankgauge.sql.refusals import goes_by_rows
from rankgauge.sql.request import MeasureColumn, SqlRequest
from rankgauge.sql.rows import LARGEST, averaged, cuts_ties, is_map, shared
from rankgauge.sql.select import Select, when
from rankgauge.sql.terms import discount_sql, number

# Sums of larger gains may be more than a float holds.
_LARGEST_GAIN: Final = "1e300"


class IdealSource(NamedTuple):
    """What the ideal of some measures is made from: judged or ranked items, or the top k of them, by one gain."""

    items: str
    worth: str
    top: int | None = None


def queries(asked: SqlRequest) -> Select:
    """Return the judged queries: relevant items, highest gains, and what is wrong with their judgments."""
    items = [f"SUM({worth}) AS {worth}_items" for worth in _counted_worths(asked)]
    highest = [f"MAX({worth}) AS highest_{worth}" for worth in _perfect_worths(asked)]
    problem = when(*_wrong_judgments(asked))
    return Select(["query", *items, *highest, f"{problem} AS problem"], "graded", grouped=True)


def answers(asked: SqlRequest) -> Select:
    """Return the ranked queries, and what is wrong with their rows: also equal ranks, if rows would order them."""
    wrong = list(_wrong_rows("score"))
    if goes_by_rows(asked.convention):
        wrong.append(("COUNT(DISTINCT score) < COUNT(*)", _word("no-row-order")))
    return Select(["query", f"{when(*wrong)} AS problem"], "scored", grouped=True)


def ranked_sums(asked: SqlRequest) -> Select:
    """Return the sums over the ranked items of each query."""
    length = f"SUM(CASE WHEN place <= {asked.request.depth} THEN 1 ELSE 0 END)" if cuts_ties(asked) else "COUNT(*)"
    sums = dict.fromkeys(column for wanted in asked.wanted for column in _ranked_sums_of(wanted, asked))
    unjudged = [f"{when(('COUNT(grade) < COUNT(*)', _word('unjudged-item')))} AS problem"]
    columns = ["query", f"{length} AS list_length", *sums, *unjudged * (asked.convention.unjudged == "error")]
    return Select(columns, "counted" if averaged(asked) else "ranked", grouped=True)


def ideal_sources(asked: SqlRequest) -> dict[IdealSource, list[MeasureColumn]]:
    """Return the measures by what their ideal is made from; perfect positions are made from nothing."""
    sources: dict[IdealSource, list[MeasureColumn]] = {}
    for wanted in asked.wanted:
        if (source := _ideal_source(wanted)) is not None:
            sources.setdefault(source, []).append(wanted)
    return sources


def best(table: str, source: IdealSource, wanted: Sequence[MeasureColumn], asked: SqlRequest) -> Select:
    """Return the sums over an ideal ranking of each query."""
    rank, worth = f"{table}.rank", f"{table}.{source.worth}"
    sums = []
    joined = False
    for each in wanted:
        cuts = _ideal_cuts(each.measure, rank, asked) if isinstance(each.measure, Gains) else []
        joined = joined or any("found." in cut for cut in cuts)
        sums.append(f"{_sum(_product(each.measure, worth, rank), cuts)} AS {each.column}_ideal")
    joins = [("found", f"found.query = {table}.query")] if joined else []
    return Select([f"{table}.query", *sums], table, joins, grouped=True)


def cutoff_of(measure: Gains | Counted, asked: SqlRequest) -> int | str:
    """Return k: a number, `list` for the length of the ranking, or `all`."""
    return measure.k if measure.k is not None else asked.convention.default_cutoff


def _ranked_sums_of(wanted: MeasureColumn, asked: SqlRequest) -> Iterator[str]:
    measure, column, worth = wanted
    depth = [f"place <= {asked.request.depth}"] if cuts_ties(asked) else []
    k = cutoff_of(measure, asked)
    cuts = [*([f"rank <= {k}"] if isinstance(k, int) else []), *depth]
    if isinstance(measure, Gains):
        if measure.sums == "ranked":
            gain = shared(worth) if asked.averages_ties else worth
            yield f"{_sum(_product(measure, gain, 'rank'), cuts)} AS {column}_sum"
        if is_perfect(measure) and not isinstance(k, int):
            top = number(measure.ideal.top if measure.ideal else 1.0)
            yield f"{_sum(_product(measure, top, 'rank'), depth)} AS {column}_ideal"
        return
    if measure.of_ranked:
        yield f"{_sum(worth, depth)} AS {column}_items"
    if measure.counts == "reciprocal-rank":
        yield f"MIN({when((' AND '.join([f'{worth} > 0', *cuts]), 'rank'))}) AS {column}_first_rank"
    elif is_map(measure):
        yield f"{_sum(f'{worth} * {worth}_so_far / rank', cuts)} AS {column}_precisions"
    else:
        yield f"{_sum(worth, cuts)} AS {column}_hits"


def _sum(term: str, cuts: Sequence[str]) -> str:
    return f"SUM({when((' AND '.join(cuts), term)) if cuts else term})"


def _product(measure: Gains | Counted, gain: str, rank: str) -> str:
    """Return gain × discount; the gain alone, where ranks are not discounted."""
    if not isinstance(measure, Gains) or not measure.discounted or measure.discount is None:
        return gain
    discount = discount_sql(measure.discount, rank)
    return discount if gain == "1" else f"{gain} * {discount}"


def _ideal_source(wanted: MeasureColumn) -> IdealSource | None:
    measure = wanted.measure
    if not isinstance(measure, Gains) or measure.ideal is None or is_perfect(measure):
        return None
    if not measure.normalised and measure.sums != "ideal":
        return None
    if measure.ideal.kind == "top":
        return IdealSource("top", wanted.worth, measure.k)
    return IdealSource("ranked" if measure.ideal.kind == "ranked" else "judged", wanted.worth)


def _ideal_cuts(measure: Gains, rank: str, asked: SqlRequest) -> list[str]:
    """Return the conditions on the ranks of the ideal; the top is cut where it is taken."""
    kind = measure.ideal.kind if measure.ideal else ""
    k = cutoff_of(measure, asked)
    by_length = kind == "list-length" or (kind == "judged" and k == "list") or (kind == "ranked" and cuts_ties(asked))
    by_k = isinstance(k, int) and kind not in ("uncut", "top")
    return [*([f"{rank} <= {k}"] if by_k else []), *([f"{rank} <= found.list_length"] if by_length else [])]


def is_perfect(measure: Gains | Counted) -> bool:
    """Return whether a measure is divided by perfect positions."""
    if not isinstance(measure, Gains) or measure.ideal is None:
        return False
    return measure.ideal.kind == "perfect" and (measure.normalised or measure.sums == "ideal")


def _counted_worths(asked: SqlRequest) -> list[str]:
    """Return the columns of relevance whose judged items are counted."""
    of_judged = [
        worth
        for measure, _, worth in asked.wanted
        if isinstance(measure, Counted) and measure.of_relevant and not measure.of_ranked
    ]
    return list(dict.fromkeys(of_judged))


def _perfect_worths(asked: SqlRequest) -> list[str]:
    return list(dict.fromkeys(each.worth for each in asked.wanted if is_perfect(each.measure)))


def _wrong_judgments(asked: SqlRequest) -> Iterator[tuple[str, str]]:
    """Yield what rankgauge refuses of the judgments of a query, with the code of its error."""
    yield from _wrong_rows("grade")
    if asked.convention.negative == "error":
        yield "MIN(grade) < 0", _word("negative-grade")
    for gain, worth in asked.worths.items():
        if gain.kind == "table" or gain.top is not None:
            yield f"COUNT({worth}) < COUNT(*)", _word("grade-not-in-table")
        if gain.kind != "binary":
            yield f"MAX(ABS({worth})) > {_LARGEST_GAIN}", _word("overflow")


def _wrong_rows(value: str) -> Iterator[tuple[str, str]]:
    nulls = (f"COUNT({column}) < COUNT(*)" for column in ("query", "item", value))
    yield " OR ".join(nulls), _word("null-value")
    finite = when((f"ABS({value}) <= {LARGEST}", "1"), otherwise="0")
    yield f"MIN({finite}) = 0", _word("bad-value")
    yield "COUNT(DISTINCT item) < COUNT(*)", _word("duplicate-item")


def _word(code: str) -> str:
    return f"'{code}'"
