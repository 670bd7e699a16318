"""Judgments: query, item, grade. One of the two nouns that every input becomes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge._core import Judgments as Handle

if TYPE_CHECKING:
    from rankgauge._core import Roles, Separated
    from rankgauge._core import _Columns as Columns


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Judgments:
    """The grade of each judged item of each query, read once and used as often as wanted.

    >>> judgments = Judgments.from_mapping({"q1": {"d1": 2, "d2": 0}, "q2": ["d3"]})
    >>> judgments
    Judgments of 2 queries
    >>> judgments.rows("q2")
    [('d3', 1.0)]
    """

    handle: Handle
    notes: tuple[str, ...] = ()

    @classmethod
    def from_mapping(cls, mapping: Mapping[Any, Any]) -> Judgments:
        """Take query → {item: grade}, or query → the relevant items, which get grade 1."""
        return cls(Handle.from_mapping(mapping))

    @classmethod
    def from_table(cls, table: Columns, roles: Roles, label: str | None = None) -> Judgments:
        """Take the columns of a table: query, item and, unless every listed item is relevant, grade."""
        return cls(Handle.from_table(table, roles, label), _notes(graded=roles.value is not None))

    @classmethod
    def from_trec(cls, path: str | os.PathLike[str], label: str | None = None) -> Judgments:
        """Read a TREC file: query, iteration, item, grade. Messages call it `label`, or by its path."""
        return cls(Handle.read_text(path, None, label))

    @classmethod
    def from_delimited(cls, path: str, separated: Separated, label: str | None = None) -> Judgments:
        """Read a text whose columns are separated by a delimiter."""
        return cls(Handle.read_text(path, separated, label), _notes(graded=separated.value is not None))

    @classmethod
    def from_letor(cls, path: str | os.PathLike[str], label: str | None = None) -> Judgments:
        """Read a LETOR file: grade, qid:query, features. The number of a row, counted from 1, is its item."""
        return cls(Handle.read_letor(path, label))

    @property
    def queries(self) -> Sequence[str]:
        """The ids of the queries, in bytewise order."""
        return self.handle.queries()

    def rows(self, query: str) -> list[tuple[str, float]] | None:
        """Return the judged items of a query with their grades, as they came; None for an unknown query."""
        return self.handle.rows(query)

    def to_dict(self) -> dict[str, list[tuple[str, float]]]:
        """Return query → rows of (item, grade)."""
        return self.handle.groups()

    def __len__(self) -> int:
        return len(self.handle)

    def __repr__(self) -> str:
        return f"Judgments of {len(self):,} {'query' if len(self) == 1 else 'queries'}"


def _notes(*, graded: bool) -> tuple[str, ...]:
    return () if graded else ("grades: no column of grades, so every listed item has grade 1",)
