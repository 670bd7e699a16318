"""A SELECT from fragments of SQL, which sqlglot parses in the dialect and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp


@dataclass(frozen=True)
class Select:
    """Columns of a source with left joins (table, condition), filtered; grouped or ordered by the first column."""

    columns: Sequence[str]
    source: str
    joins: Sequence[tuple[str, str]] = ()
    where: Sequence[str] = field(default=())
    grouped: bool = False
    ordered: bool = False

    def parsed(self, dialect: str) -> exp.Select:
        """Return the statement of sqlglot."""
        select = exp.select(*self.columns, dialect=dialect).from_(self.source, dialect=dialect)
        for table, condition in self.joins:
            select = select.join(table, on=condition, join_type="left", dialect=dialect)
        select = select.where(*self.where, dialect=dialect)
        select = select.group_by(self.columns[0], dialect=dialect) if self.grouped else select
        return select.order_by(f"{self.columns[0]} ASC", dialect=dialect) if self.ordered else select


def when(*cases: tuple[str, str], otherwise: str = "") -> str:
    """Return a CASE of conditions and values.

    >>> when(("grade > 0", "1"), otherwise="0")
    'CASE WHEN grade > 0 THEN 1 ELSE 0 END'
    """
    branches = [f"WHEN {condition} THEN {value}" for condition, value in cases]
    return " ".join(["CASE", *branches, *([f"ELSE {otherwise}"] if otherwise else []), "END"])
