"""Judgments: query, item, grade. One of the two nouns that every input becomes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgauge._core import Judgments as Handle
from rankgauge.data.id_kinds import Id
from rankgauge.data.rows import RowsByQuery
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge._core import DelimitedColumns, Roles
    from rankgauge._core import _Columns as Columns


class Judgments(RowsByQuery):
    """The grade of each judged item of each query, read once and used as often as wanted.

    They can be pickled, iterated (over the ids of the queries) and compared: judgments are equal if they have the same
    queries, each with the same rows in the same order.

    >>> judgments = Judgments.from_mapping({"q1": {"d1": 2, "d2": 0}, "q2": ["d3"]})
    >>> judgments
    Judgments of 2 queries
    >>> judgments.rows("q2")
    [('d3', 1.0)]
    >>> len(judgments), list(judgments), "q2" in judgments
    (2, ['q1', 'q2'], True)

    Ids are compared as text, and come back as whole numbers, dates or times where all of them came as such.

    >>> Judgments.from_mapping({7: {20: 3, 10: 1}, 8: [30]}).to_dict()
    {7: [(20, 3.0), (10, 1.0)], 8: [(30, 1.0)]}
    >>> import datetime
    >>> list(Judgments.from_mapping({datetime.date(2026, 1, 2): ["AAPL"]}))
    [datetime.date(2026, 1, 2)]
    """

    __slots__ = ("handle", "remarks", "value_column")

    handle: Handle
    remarks: tuple[Remark, ...]
    value_column: str | None

    def __init__(self, handle: Handle, remarks: tuple[Remark, ...] = (), value_column: str | None = None) -> None:
        """Take the rows, the remarks on them, and the name of the column of the grades."""
        self._keep(handle, remarks, value_column)

    @classmethod
    def from_mapping(cls, mapping: Mapping[Any, Any]) -> Judgments:
        """Take query → {item: grade}, or query → the relevant items, which get grade 1.

        Parameters:
            mapping: query → {item: grade}, or query → relevant items.

        """
        return cls(Handle.from_mapping(mapping))

    @classmethod
    def from_table(cls, table: Columns, roles: Roles, label: str | None = None) -> Judgments:
        """Take the columns of a table: query, item and, unless every listed item is relevant, grade.

        Parameters:
            table: the columns by name.
            roles: which column has which role.
            label: what messages call the table; default: nothing.

        """
        return cls(Handle.from_table(table, roles, label), grade_remarks(graded=roles.value is not None))

    @classmethod
    def from_trec(cls, path: str | os.PathLike[str], label: str | None = None, *, subtopics: bool = False) -> Judgments:
        """Read a TREC file: query, iteration or subtopic, item, grade. Messages call it `label`, or by its path.

        Parameters:
            path: the file.
            label: what messages call the file; default: its path.
            subtopics: whether the second column has subtopics; default: it is ignored.

        """
        return cls(Handle.read_trec(path, subtopics, label))

    @classmethod
    def from_delimited(cls, path: str, columns: DelimitedColumns, label: str | None = None) -> Judgments:
        """Read a text whose columns are separated by a delimiter.

        Parameters:
            path: the file.
            columns: the delimiter, and the number of the column of each role.
            label: what messages call the file; default: its path.

        """
        remarks = grade_remarks(graded=columns.value is not None)
        handle = Handle.read_delimited(path, columns, label)
        return cls(handle, remarks)

    @classmethod
    def from_letor(cls, path: str | os.PathLike[str], label: str | None = None) -> Judgments:
        """Read a LETOR file: grade, qid:query, features. The number of a row, counted from 1, is its item.

        Parameters:
            path: the file.
            label: what messages call the file; default: its path.

        """
        return cls(Handle.read_letor(path, label))

    @classmethod
    def from_subtopics(cls, mapping: Mapping[Any, Any]) -> Judgments:
        """Take query → {item: {subtopic: grade}}, or query → {item: the subtopics that it is relevant to}.

        Parameters:
            mapping: query → {item: {subtopic: grade}}, or query → {item: subtopics}.

        >>> Judgments.from_subtopics({"q1": {"d1": {"price": 1, "speed": 0}, "d2": ["speed"]}}).rows("q1")
        [('d1', 1.0), ('d2', 1.0)]

        """
        return cls(Handle.from_subtopics(mapping))

    @property
    def annotation(self) -> str | None:
        """What the rows carry beside their grade: `subtopic`, `propensity`, `position`, or nothing."""
        return self.handle.annotation()

    def annotations(self, query: Id) -> dict[Any, Any]:
        """Return item → what its row carries beside the grade: {subtopic: grade}, a propensity or a position.

        Parameters:
            query: the id of a query.

        >>> Judgments.from_subtopics({"q1": {"d1": {"price": 1, "speed": 0}, "d2": ["speed"]}}).annotations("q1")
        {'d1': {'price': 1.0, 'speed': 0.0}, 'd2': {'speed': 1.0}}

        """
        return self._with_annotations(query, self.rows(query))

    def text_annotations(self) -> dict[str, dict[str, Any]]:
        """Return query → item → annotation, with all ids as text; nothing where there are no annotations."""
        if self.annotation is None:
            return {}
        return {query: self._with_annotations(query, self.text_rows(query)) for query in self.text_queries()}

    def _with_annotations(self, query: Id, rows: list[tuple[Any, float]] | None) -> dict[Any, Any]:
        entries = self.handle.annotations(query)
        return {item: entry for (item, _), entry in zip(rows or (), entries, strict=False)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Judgments):
            return NotImplemented
        return (
            self.annotation == other.annotation
            and self.handle.same_rows(other.handle)
            and self.text_annotations() == other.text_annotations()
        )

    __hash__ = None  # type: ignore[assignment] # equality is that of the content

    def __repr__(self) -> str:
        return f"Judgments of {counted(len(self), 'query', 'queries')}"


def grade_remarks(*, graded: bool) -> tuple[Remark, ...]:
    """Say of a table without grades what they are."""
    return () if graded else (Remark.of("grades", Text("no column of grades, so every listed item has grade 1")),)
