"""The rows that measures are computed from: judgments with gains, the ranking with ranks, the ideal ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rankgauge.measures import Counted
from rankgauge.sql.dialects import Dialect
from rankgauge.sql.names import GIVEN, Source
from rankgauge.sql.request import SqlRequest
from rankgauge.sql.select import Select, when
from rankgauge.sql.terms import gain_sql, number

# A finite 64-bit float is at most this.
LARGEST: Final = "1.7976931348623157e308"
_INFINITE: Final = "9e999"
# Numbers from here on are infinite as 32-bit floats, and those up to the other are 0.
_INFINITE_32: Final = "3.4028235677973366e38"
_ZERO_32: Final = "7.006492321624085e-46"
_MERIT: Final = "CASE WHEN grade > 0 THEN grade ELSE 0 END"


def judged(asked: SqlRequest) -> Select:
    """Return the judgments: ids as texts, grades as 64-bit floats."""
    return _read(asked.judgments, "grade", _number(asked.judgments.value, asked.dialect), asked.dialect)


def graded(asked: SqlRequest) -> Select:
    """Return the judgments with the gain of each grade."""
    gains = [
        f"{gain_sql(gain, zero_negatives=asked.zeroes_negatives)} AS {column}" for gain, column in asked.worths.items()
    ]
    return Select(["query", "item", "grade", *gains], "judged")


def scored(asked: SqlRequest) -> Select:
    """Return the ranking: ids as texts, scores as floats of the convention's precision; the lower rank is better."""
    value = _number(asked.ranking.value, asked.dialect)
    score = f"-{value}" if asked.ranking.role == "rank" else value
    if asked.convention.precision == "float32":
        score = _rounded_to_32(score)
    return _read(asked.ranking, "score", score, asked.dialect)


def matched(asked: SqlRequest) -> Select:
    """Return the ranked items with their gains, 0 where they are unjudged."""
    columns = ["scored.query", "scored.item", "scored.score", "graded.grade"]
    columns += [f"COALESCE(graded.{worth}, 0) AS {worth}" for worth in asked.worths.values()]
    joins = [("graded", "graded.query = scored.query AND graded.item = scored.item")]
    return Select(columns, "scored", joins, where=["scored.item <> scored.query"] if asked.drops_own_id else [])


def placed(asked: SqlRequest) -> Select:
    """Return the ranked items with their places: a depth counts before anything is dropped; equal scores share one."""
    places = [] if asked.request.depth is None else [f"{_row_number(_order(asked))} AS place"]
    if asked.averages_ties:  # a whole number: BigQuery does not partition by floats
        places.append("RANK() OVER (PARTITION BY query ORDER BY score DESC) AS first_place")
    return Select(["*", *places], "matched")


def needs_places(asked: SqlRequest) -> bool:
    """Return whether places are needed beside ranks."""
    return asked.request.depth is not None or asked.averages_ties


def ranked(asked: SqlRequest) -> Select:
    """Return the items that count, with their ranks; where ties are averaged, items that share a score share gains."""
    columns = ["query", "grade", *asked.worths.values()]
    if asked.averages_ties:
        share = "OVER (PARTITION BY query, first_place)"
        columns += [f"AVG({worth}) {share} AS {shared(worth)}" for worth in _summed(asked)]
    columns += ["place"] if cuts_ties(asked) else []
    columns.append(f"CAST({_row_number(_order(asked))} AS DOUBLE) AS rank")
    source = "placed" if needs_places(asked) else "matched"
    return Select(columns, source, where=[*_within_depth(asked), *_admitted(asked)])


def relevant_so_far(asked: SqlRequest) -> Select:
    """Return the ranked items with the number of relevant ones down to each."""
    over = "OVER (PARTITION BY query ORDER BY rank ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    return Select(["*", *(f"SUM({worth}) {over} AS {worth}_so_far" for worth in averaged(asked))], "ranked")


def ideal(source: str, worth: str, top: int | None, asked: SqlRequest) -> Select:
    """Return the gains of a source, best first; `top` takes only the first ranks of the ranking."""
    rank = f"CAST({_row_number(f'{worth} DESC')} AS DOUBLE) AS rank"
    where = [] if top is None else [f"rank <= {top}"]
    if source == "top" and cuts_ties(asked):
        where.append(f"place <= {asked.request.depth}")
    return Select(["query", worth, rank], "graded" if source == "judged" else "ranked", where=where)


def shared(worth: str) -> str:
    """Return the column of gains that are averaged over equal scores."""
    return f"shared_{worth}"


def cuts_ties(asked: SqlRequest) -> bool:
    """Return whether items below the depth are ranked too, because they share a score with one above it."""
    return asked.averages_ties and asked.request.depth is not None


def averaged(asked: SqlRequest) -> list[str]:
    """Return the columns of relevance of which an average precision is wanted."""
    precisions = [each.worth for each in asked.wanted if isinstance(each.measure, Counted) and is_map(each.measure)]
    return list(dict.fromkeys(precisions))


def is_map(measure: Counted) -> bool:
    """Return whether a measure sums precisions at the ranks of relevant items."""
    return measure.counts in ("average-precision", "capped-average-precision")


def _summed(asked: SqlRequest) -> list[str]:
    gains = [each.worth for each in asked.wanted if not isinstance(each.measure, Counted)]
    return list(dict.fromkeys(gains))


def _read(source: Source, role: str, value: str, dialect: Dialect) -> Select:
    columns = [f"{_text(source.query, dialect)} AS query", f"{_text(source.item, dialect)} AS item"]
    return Select([*columns, f"{value} AS {role}"], f"{source.table} AS {GIVEN}")


def _text(column: str, dialect: Dialect) -> str:
    collation = f" COLLATE {dialect.collation}" if dialect.collation else ""
    return f"CAST({column} AS TEXT){collation}"


def _number(column: str, dialect: Dialect) -> str:
    """Return a column as a 64-bit float; where it may hold anything, infinity for what is neither number nor NULL."""
    converted = f"CAST({column} AS DOUBLE)"
    if dialect.typed:
        return converted
    return when((f"TYPEOF({column}) IN ('integer', 'real')", converted), (f"{column} IS NOT NULL", _INFINITE))


def _rounded_to_32(score: str) -> str:
    """Return a score as a 32-bit float; databases refuse numbers that one cannot hold instead of rounding them."""
    return when(
        (f"{score} >= {_INFINITE_32}", _INFINITE_32),
        (f"{score} <= -{_INFINITE_32}", f"-{_INFINITE_32}"),
        (f"ABS({score}) <= {_ZERO_32}", "0"),
        otherwise=f"CAST(CAST({score} AS REAL) AS DOUBLE)",
    )


def _row_number(order: str) -> str:
    return f"ROW_NUMBER() OVER (PARTITION BY query ORDER BY {order})"


def _order(asked: SqlRequest) -> str:
    """Return the order of items; each direction is written out, since DuckDB has a setting for the default."""
    merit = _MERIT if asked.zeroes_negatives else "COALESCE(grade, 0)"
    ties = {"id-ascending": "item ASC", "worst": f"{merit} ASC, item DESC", "best": f"{merit} DESC, item DESC"}
    return f"score DESC, {ties.get(asked.convention.ties, 'item DESC')}"


def _within_depth(asked: SqlRequest) -> Iterator[str]:
    if asked.request.depth is not None:
        yield f"{'first_place' if asked.averages_ties else 'place'} <= {number(asked.request.depth)}"


def _admitted(asked: SqlRequest) -> Sequence[str]:
    """Return the condition of items that are not dropped."""
    convention = asked.convention
    if convention.unjudged == "drop":
        return ["grade >= 0" if asked.zeroes_negatives else "grade IS NOT NULL"]
    return ["(grade IS NULL OR grade >= 0)"] if convention.negative == "drop" else []
