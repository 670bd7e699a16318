"""The whole query: its tables one after the other, below a comment that says what it computes and assumes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rankgauge.checks import require_choice
from rankgauge.conventions import QUESTIONS
from rankgauge.errors import RankgaugeError
from rankgauge.languages.escapes import printable
from rankgauge.request import Request
from rankgauge.sql import rows, sums, values
from rankgauge.sql.dialects import DIALECTS
from rankgauge.sql.names import source_of
from rankgauge.sql.refusals import require_sayable
from rankgauge.sql.request import SqlRequest
from rankgauge.sql.select import Select

_SIDES: Final = ("judgments", "ranking")
_WIDTH: Final = 100
TableColumns = tuple[str, Mapping[str, str]]


def write(request: Request, dialect: str, sources: tuple[TableColumns, TableColumns], *, per_query: bool) -> str:
    """Return the query for the tables of judgments and ranking, each with its columns by role."""
    require_choice("dialect", dialect, DIALECTS, "which SQL is to be written? Spark runs that of databricks")
    known = DIALECTS[dialect]
    judgments, ranking = (source_of(side, *given, known) for side, given in zip(_SIDES, sources, strict=True))
    require_sayable(request, known, per_query=per_query, by_rank=ranking.role == "rank")
    asked = SqlRequest(request, known, judgments, ranking)
    statement = (values.lines if per_query else values.means)(asked).parsed(dialect)
    tables = _tables(asked)
    _require_other_names(asked, tables)
    for name, table in tables.items():
        statement = statement.with_(name, as_=table.parsed(dialect), dialect=dialect, copy=False)
    comment = "\n".join(_comment(asked, per_query=per_query))
    return f"{comment}\n{statement.sql(dialect, pretty=True, max_text_width=_WIDTH)};\n"


def _tables(asked: SqlRequest) -> dict[str, Select]:
    """Return the tables of the query, each made from those before it."""
    tables = {"judged": rows.judged(asked), "graded": rows.graded(asked), "scored": rows.scored(asked)}
    tables["matched"] = rows.matched(asked)
    if rows.needs_places(asked):
        tables["placed"] = rows.placed(asked)
    tables["ranked"] = rows.ranked(asked)
    if rows.averaged(asked):
        tables["counted"] = rows.relevant_so_far(asked)
    tables |= {"queries": sums.queries(asked), "answers": sums.answers(asked), "found": sums.ranked_sums(asked)}
    ideals: dict[str, str] = {}
    for number, (source, wanted) in enumerate(sums.ideal_sources(asked).items(), start=1):
        suffix = f"_{number}" if number > 1 else ""
        tables[f"ideal{suffix}"] = rows.ideal(*source, asked)
        tables[f"best{suffix}"] = sums.best(f"ideal{suffix}", source, wanted, asked)
        ideals |= {each.column: f"best{suffix}" for each in wanted}
    return {**tables, "per_query": values.per_query(asked, ideals)}


def _require_other_names(asked: SqlRequest, tables: Iterable[str]) -> None:
    """Raise if a table of the user has the name of one in the query, which would hide it."""
    for source in (asked.judgments, asked.ranking):
        if source.table.strip('"`').lower() in tables:
            raise RankgaugeError("taken-name", got=source.table, known=", ".join(tables))


def _comment(asked: SqlRequest, *, per_query: bool) -> Iterator[str]:
    """Yield the lines of the comment; what was typed by a user cannot end it."""
    for paragraph in _paragraphs(asked, per_query=per_query):
        indent = "--   " if paragraph.startswith("- ") else "-- "
        yield from textwrap.wrap(printable(paragraph), _WIDTH, initial_indent="-- ", subsequent_indent=indent)


def _paragraphs(asked: SqlRequest, *, per_query: bool) -> Iterator[str]:
    request, convention = asked.request, asked.convention
    kind = "the value of each query" if per_query else "the mean over the queries"
    yield f"{', '.join(request.labels)}: {kind}, as rankgauge computes it under the convention {request.convention}."
    answers = "; ".join(f"{field}={convention[field]}" for field in QUESTIONS)
    yield f"The convention: {answers}."
    for remark in request.remarks:
        yield f"{remark}."
    yield "The query assumes:"
    yield from _assumptions(asked)
    yield (
        "The column problem is NULL, or the code of the error by which rankgauge refuses the rows, such as "
        "duplicate-item; the values are NULL then. Any other NULL is a query that the mean leaves out."
    )


def _assumptions(asked: SqlRequest) -> Iterator[str]:
    yield "- the ids of queries and items are compared as texts, so 7 and '7' are one id, and 7.0 is another"
    if asked.dialect.typed:
        yield "- a column of ids is of one type on both sides: the text of a date is not that of a point in time"
    if asked.dialect.collation is None:
        yield "- the columns of ids have no collation of their own: they are ordered bytewise, as UTF-8"
    if asked.convention.precision == "float64":
        yield "- scores are compared as 64-bit floats, so whole numbers beyond 2^53 may be equal"
    yield "- rows of the ranking whose query has no judgments, or is NULL, do not count"
    if asked.dialect.needs:
        yield f"- {asked.dialect.needs}"
