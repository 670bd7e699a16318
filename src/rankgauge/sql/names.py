"""Names of tables and columns from a user, as identifiers: nothing else gets into a query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlglot import exp, tokenize
from sqlglot.errors import SqlglotError

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import by_role
from rankgauge.sql.dialects import Dialect

_PLAIN: Final = re.compile(r"[^\W\d]\w*")
# What a table of the user is called in the query. A column without its table could be a function, such as current_date;
# in SQLite it is a text where there is no such column.
GIVEN: Final = "given"
_ROLES: Final[Mapping[str, Sequence[str]]] = {
    "judgments": ("query", "item", "grade"),
    "ranking": ("query", "item", "score", "rank"),
}


class Source(NamedTuple):
    """A table and its columns, as SQL writes them; `role` says what the value is: grade, score or rank."""

    table: str
    query: str
    item: str
    value: str
    role: str


def source_of(side: str, table: str, columns: Mapping[str, str], dialect: Dialect) -> Source:
    """Return the table of a side with its columns.

    >>> from rankgauge.sql.dialects import DIALECTS
    >>> source_of("ranking", "lake.run", {"item": '"Movie Id"', "rank": "place"}, DIALECTS["postgres"])
    Source(table='lake.run', query='given.query', item='given."Movie Id"', value='given.place', role='rank')
    """
    given = by_role(columns)
    for role in given:
        require_choice(f"a role in columns of {side}", role, _ROLES[side], "a role is given the name of its column")
    if {"score", "rank"} <= given.keys():
        raise RankgaugeError("score-and-rank", got=f"score={given['score']}, rank={given['rank']}")
    role = "grade" if side == "judgments" else "rank" if "rank" in given else "score"
    query, item, value = (_column(given.get(each, each), dialect) for each in ("query", "item", role))
    return Source(_table(table, dialect), query, item, value, role)


def _table(name: str, dialect: Dialect) -> str:
    table = _parts(name, dialect).sql(dialect.name)
    try:
        exp.select("1").from_(f"{table} AS {GIVEN}", dialect=dialect.name)
    except SqlglotError:  # a word of the language, such as values
        raise _refused(name, dialect) from None
    return str(table)


def _column(name: str, dialect: Dialect) -> str:
    parts = _parts(name, dialect).parts
    if len(parts) > 1:
        raise _refused(name, dialect)
    return f"{GIVEN}.{parts[0].sql(dialect.name)}"


def _parts(name: str, dialect: Dialect) -> exp.Table:
    """Parse a name of up to three identifiers with points between them; quoted ones have what quotes they need."""
    if name.encode("utf-8", "replace").decode() != name:  # bytes of a command line that are no UTF-8
        raise _refused(name, dialect)
    try:
        table = exp.maybe_parse(name, into=exp.Table, dialect=dialect.name)
    except SqlglotError:
        raise _refused(name, dialect) from None
    if not isinstance(table, exp.Table):  # several statements
        raise _refused(name, dialect)
    if any(token.comments for token in tokenize(name, read=dialect.name)):  # which a parsed name may have lost
        raise _refused(name, dialect)
    others = [value for key, value in table.args.items() if key not in ("this", "db", "catalog") and value]
    parts = table.parts
    is_name = isinstance(table.this, exp.Identifier) and all(isinstance(part, exp.Identifier) for part in parts)
    if others or not is_name:
        raise _refused(name, dialect)
    for part in parts:
        part.set("quoted", part.args.get("quoted") or not _PLAIN.fullmatch(part.name))
    return table


def _refused(name: str, dialect: Dialect) -> RankgaugeError:
    example = exp.to_identifier("my table", quoted=True).sql(dialect.name)
    return RankgaugeError("bad-name", dialect=dialect.name, got=name, example=example)
