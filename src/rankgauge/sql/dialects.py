"""What the dialects of SQL differ in, beside what sqlglot writes for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Dialect(NamedTuple):
    """A dialect by the name that sqlglot has for it.

    `collation` makes ids compare bytewise, where a column may have another order. `has_float32` says whether a number
    can be rounded to 32 bits. `typed` says whether a column of numbers holds nothing else. `needs` is what a database
    must have been built with.
    """

    name: str
    collation: str | None = None
    has_float32: bool = False
    typed: bool = True
    needs: str = ""


DIALECTS: Final[Mapping[str, Dialect]] = {
    dialect.name: dialect
    for dialect in (
        Dialect("bigquery"),
        Dialect("snowflake"),
        Dialect("databricks", has_float32=True),
        Dialect("duckdb", collation='"C"', has_float32=True),
        Dialect("postgres", collation='"C"', has_float32=True),
        Dialect("sqlite", collation="BINARY", typed=False, needs="SQLite 3.35 with SQLITE_ENABLE_MATH_FUNCTIONS"),
    )
}
