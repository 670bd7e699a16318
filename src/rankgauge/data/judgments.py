"""Judgments: query, item, grade. One of the two nouns that every input becomes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgauge._core import Judgments as Handle
from rankgauge.errors import RankgaugeError

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
        notes = _notes(graded=separated.value is not None)
        handle = Handle.read_text(path, separated, label)
        return cls(handle, notes)

    @classmethod
    def from_letor(cls, path: str | os.PathLike[str], label: str | None = None) -> Judgments:
        """Read a LETOR file: grade, qid:query, features. The number of a row, counted from 1, is its item."""
        return cls(Handle.read_letor(path, label))

    @classmethod
    def from_subtopics(cls, mapping: Mapping[Any, Any]) -> Judgments:
        """Take query → {item: {subtopic: grade}}, or query → {item: the subtopics that it is relevant to}.

        >>> Judgments.from_subtopics({"q1": {"d1": {"price": 1, "speed": 0}, "d2": ["speed"]}}).rows("q1")
        [('d1', 1.0), ('d2', 1.0)]
        """
        rows = {query: _subtopic_rows(query, items) for query, items in mapping.items()}
        items = {query: [(item, grade) for item, _, grade in own] for query, own in rows.items()}
        subtopics = {query: [(subtopic, grade) for _, subtopic, grade in own] for query, own in rows.items()}
        return cls(Handle.from_mapping(items).with_subtopics(Handle.from_mapping(subtopics)))

    @classmethod
    def from_trec_subtopics(cls, path: str | os.PathLike[str], label: str | None = None) -> Judgments:
        """Read a TREC file whose second column is the subtopic: query, subtopic, item, grade."""
        items, subtopics = Handle.read_text(path, None, label), Handle.read_iterations(path, label)
        return cls(items.with_subtopics(subtopics))

    def with_subtopics(self, subtopics: Judgments) -> Judgments:
        """Return judgments with each item of a query once; the items of `subtopics`, row by row, are its subtopics."""
        return replace(self, handle=self.handle.with_subtopics(subtopics.handle))

    def with_propensities(self, numbers: Judgments, *, positions: bool) -> Judgments:
        """Return judgments whose clicks have a propensity, or a position: the grades of `numbers`, row by row."""
        return replace(self, handle=self.handle.with_propensities(numbers.handle, positions))

    @property
    def extra(self) -> str | None:
        """What the rows say beside their grade: `subtopic`, `propensity`, `position`, or nothing."""
        return self.handle.extra()

    @property
    def queries(self) -> Sequence[str]:
        """The ids of the queries, in bytewise order."""
        return self.handle.queries()

    def rows(self, query: str) -> list[tuple[str, float]] | None:
        """Return the judged items of a query with their grades, as they came; None for an unknown query."""
        return self.handle.rows(query)

    def beside(self, query: str) -> dict[str, Any]:
        """Return item → what its row says beside the grade: a number, or its subtopics, numbered, with grades."""
        rows = self.rows(query) or []
        return {item: extra for (item, _), extra in zip(rows, self.handle.beside(query), strict=True)}

    def to_dict(self) -> dict[str, list[tuple[str, float]]]:
        """Return query → rows of (item, grade)."""
        return self.handle.groups()

    def __len__(self) -> int:
        return len(self.handle)

    def __repr__(self) -> str:
        return f"Judgments of {len(self):,} {'query' if len(self) == 1 else 'queries'}"


def _subtopic_rows(query: object, items: object) -> list[tuple[Any, Any, Any]]:
    if not isinstance(items, Mapping):
        raise _bad_rows(query, items)
    return [(item, *graded) for item, subtopics in items.items() for graded in _graded(query, subtopics)]


def _graded(query: object, subtopics: object) -> list[tuple[Any, Any]]:
    if isinstance(subtopics, Mapping):
        return list(subtopics.items())
    if isinstance(subtopics, str | bytes) or not isinstance(subtopics, Iterable):
        raise _bad_rows(query, subtopics)
    return [(subtopic, 1) for subtopic in subtopics]


def _bad_rows(query: object, got: object) -> RankgaugeError:
    return RankgaugeError("bad-subtopics", place=f"query {query!r}", got=type(got).__name__)


def _notes(*, graded: bool) -> tuple[str, ...]:
    return () if graded else ("grades: no column of grades, so every listed item has grade 1",)
