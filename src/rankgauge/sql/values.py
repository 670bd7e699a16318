"""The value of each measure for a query, from its sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rankgauge.engines.reference.gains import total
from rankgauge.measures import Counted, Gains
from rankgauge.sql.request import MeasureColumn, SqlRequest
from rankgauge.sql.select import Select, when
from rankgauge.sql.sums import cutoff_of, is_perfect
from rankgauge.sql.terms import number

_MISSING: Final = "answers.query IS NULL"


def per_query(asked: SqlRequest, ideals: Mapping[str, str]) -> Select:
    """Return the value of each measure for each query; `ideals` has the table with the ideal sum of each column."""
    values = [f"{_value(wanted, asked, ideals)} AS {wanted.column}" for wanted in asked.wanted]
    tables = ["answers", "found", *dict.fromkeys(ideals.values())]
    problem = f"COALESCE({', '.join(_problems(asked))}) AS problem"
    return Select(
        ["queries.query AS query", *values, problem, f"{when(('answers.query IS NOT NULL', '1'))} AS met"],
        "queries",
        [(table, f"{table}.query = queries.query") for table in tables],
        # A query whose judgments are wrong is refused even if it is left out.
        where=["answers.query IS NOT NULL OR queries.problem IS NOT NULL"] * (asked.convention.missing == "skip"),
    )


def means(asked: SqlRequest) -> Select:
    """Return the mean of each measure, the number of queries, and a problem, if there is any."""
    is_sound = "COUNT(problem) = 0 AND COUNT(met) > 0"
    values = [f"{when((is_sound, f'AVG(per_query.{each.column})'))} AS {each.column}" for each in asked.wanted]
    none_met = when(("COUNT(met) = 0", "'no-common-query'"))
    return Select([*values, "COUNT(*) AS queries", f"COALESCE(MIN(problem), {none_met}) AS problem"], "per_query")


def lines(asked: SqlRequest) -> Select:
    """Return the value of each measure for each query, in the order of their ids, and its problem, if it has any."""
    values = [f"{when(('problem IS NULL', f'per_query.{each.column}'))} AS {each.column}" for each in asked.wanted]
    return Select(["query", *values, "problem"], "per_query", ordered=True)


def _problems(asked: SqlRequest) -> Iterator[str]:
    yield "queries.problem"
    yield "answers.problem"
    if asked.convention.missing == "error":
        yield when((_MISSING, "'missing-query'"))
    if asked.convention.unjudged == "error":
        yield "found.problem"


def _value(wanted: MeasureColumn, asked: SqlRequest, ideals: Mapping[str, str]) -> str:
    measure = wanted.measure
    if isinstance(measure, Counted):
        return _counted_value(wanted, measure, asked)
    actual = f"COALESCE(found.{wanted.column}_sum, 0)"
    if not measure.normalised and measure.sums == "ranked":
        return actual
    ideal = _ideal(wanted, measure, asked, ideals)
    if not measure.normalised:
        return f"COALESCE({ideal}, 0)"
    divisible = [f"{ideal} > 0", *([f"queries.highest_{wanted.worth} > 0"] if is_perfect(measure) else [])]
    return when((" AND ".join(divisible), f"{actual} / {ideal}"), otherwise=_nothing(None, asked))


def _ideal(wanted: MeasureColumn, measure: Gains, asked: SqlRequest, ideals: Mapping[str, str]) -> str:
    if wanted.column in ideals:
        return f"{ideals[wanted.column]}.{wanted.column}_ideal"
    k = cutoff_of(measure, asked)
    if not isinstance(k, int) or measure.ideal is None:
        return f"found.{wanted.column}_ideal"
    return f"CAST({number(total([measure.ideal.top] * k, measure))} AS DOUBLE)"


def _counted_value(wanted: MeasureColumn, measure: Counted, asked: SqlRequest) -> str:
    relevant = f"queries.{wanted.worth}_items"
    if measure.of_ranked:
        relevant = f"COALESCE(found.{wanted.column}_items, 0)"
    value = _counted_formula(wanted, measure, relevant, asked)
    if not measure.of_relevant:
        return value
    return when((f"{relevant} > 0", value), otherwise=_nothing(measure.nothing, asked))


def _counted_formula(wanted: MeasureColumn, measure: Counted, relevant: str, asked: SqlRequest) -> str:
    k = cutoff_of(measure, asked)
    ranks = str(k) if isinstance(k, int) else "NULLIF(found.list_length, 0)"
    fewer = when((f"{relevant} < {ranks}", relevant), otherwise=ranks)
    hits, precisions = f"found.{wanted.column}_hits", f"found.{wanted.column}_precisions"
    return {
        "precision": f"COALESCE({hits} / {ranks}, 0)",
        "recall": f"COALESCE({hits}, 0) / {relevant}",
        "relative-precision": f"COALESCE({hits} / {fewer}, 0)",
        "hits": f"COALESCE({hits}, 0)",
        "success": when((f"{hits} > 0", "CAST(1 AS DOUBLE)"), otherwise="0"),
        "reciprocal-rank": f"COALESCE(1 / found.{wanted.column}_first_rank, 0)",
        "average-precision": f"COALESCE({precisions}, 0) / {relevant}",
        "capped-average-precision": f"COALESCE({precisions} / {fewer}, 0)",
    }[measure.counts]


def _nothing(fixed: float | None, asked: SqlRequest) -> str:
    """Return the value of a query with nothing to divide by: the measure's own, or the convention's; `` is NULL."""
    answer = (
        {"zero": "0", "one": "1", "skip": ""}[asked.convention.nothing_relevant] if fixed is None else number(fixed)
    )
    return when((_MISSING, "0"), otherwise="1") if answer == "1" and asked.convention.missing == "zero" else answer
