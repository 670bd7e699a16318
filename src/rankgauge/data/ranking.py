"""Ranking: query, item, score. One of the two nouns that every input becomes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgauge._core import Ranking as Handle
from rankgauge.data.rows import RowsByQuery
from rankgauge.languages import Text
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge._core import DelimitedColumns, Judgments, Roles, Stream
    from rankgauge._core import _Columns as Columns


class Ranking(RowsByQuery):
    """The score of each ranked item of each query; an ordered list has its order for scores.

    It can be pickled, iterated (over the ids of the queries) and compared, as judgments can.

    >>> ranking = Ranking.from_mapping({"q1": {"d1": 0.5, "d2": 0.7}, "q2": ["d3", "d1"]})
    >>> ranking
    Ranking from a mapping
    >>> ranking.rows("q1")
    [('d1', 0.5), ('d2', 0.7)]
    >>> len(ranking), list(ranking), "q2" in ranking
    (2, ['q1', 'q2'], True)
    """

    __slots__ = ("handle", "origin", "remarks", "value_column")

    handle: Handle
    origin: str
    remarks: tuple[Remark, ...]
    value_column: str | None

    def __init__(
        self, handle: Handle, origin: str, remarks: tuple[Remark, ...] = (), value_column: str | None = None
    ) -> None:
        """Take the rows, their origin, the remarks on them, and the name of the column of the scores."""
        self._keep(handle, origin, remarks, value_column)

    @classmethod
    def from_mapping(cls, mapping: Mapping[Any, Any]) -> Ranking:
        """Take query → {item: score}, or query → items in order.

        Parameters:
            mapping: query → {item: score}, or query → items in order.

        """
        return cls(Handle.from_mapping(mapping), "a mapping")

    @classmethod
    def borrow_mapping(cls, mapping: Mapping[Any, Any]) -> Ranking:
        """Borrow a mapping for immediate use: it is walked only as far as the measures look.

        Parameters:
            mapping: query → {item: score}, or query → items in order.

        """
        return cls(Handle.borrow_mapping(mapping), "a mapping")

    @classmethod
    def from_table(cls, table: Columns, roles: Roles, label: str | None = None) -> Ranking:
        """Take the columns of a table: query, item and score or rank; without either, the order of the rows counts.

        Parameters:
            table: the columns by name.
            roles: which column has which role.
            label: what messages call the table; default: nothing.

        """
        remarks = score_remarks(scored=roles.value is not None)
        return cls(Handle.from_table(table, roles, label), label or "a table", remarks)

    @classmethod
    def open_parquet(
        cls, stream: Stream, roles: Roles, label: str | None, most: int, least_rows: int
    ) -> Ranking | None:
        """Open Parquet files to be evaluated as their pages are decoded; None if they must be read before.

        The rows of a query must lie together.

        Parameters:
            stream: the rows of the files.
            roles: which column has which role.
            label: what messages call the files; default: a table.
            most: how many bytes what is held of the rows may take.
            least_rows: fewer rows than these are read before, since opening them is not worth it.

        """
        handle = Handle.open_parquet(stream, roles, label, most, least_rows)
        return None if handle is None else cls(handle, label or "a table")

    @classmethod
    def from_trec(cls, path: str | os.PathLike[str], label: str | None = None, *, lazy: bool = False) -> Ranking:
        """Read a TREC file: query, Q0, item, rank, score, tag; or only open it, to be streamed at each evaluation.

        Parameters:
            path: the file.
            label: what messages call the file; default: its path.
            lazy: whether the file is only opened, and read at each evaluation; default: it is read now.

        """
        read = Handle.open_text if lazy else Handle.read_text
        return cls(read(path, None, label), label or os.fspath(path))

    @classmethod
    def from_delimited(
        cls, path: str, columns: DelimitedColumns, label: str | None = None, *, lazy: bool = False
    ) -> Ranking:
        """Read a text whose columns are separated by a delimiter; or only open it, to be streamed.

        Parameters:
            path: the file.
            columns: the delimiter, and the number of the column of each role.
            label: what messages call the file; default: its path.
            lazy: whether the file is only opened, and read at each evaluation; default: it is read now.

        """
        read = Handle.open_text if lazy else Handle.read_text
        return cls(read(path, columns, label), label or path, score_remarks(scored=columns.value is not None))

    @classmethod
    def from_scores(cls, path: str | os.PathLike[str], judgments: Judgments, label: str | None = None) -> Ranking:
        """Read a score per line, in the order of the judged rows.

        Parameters:
            path: the file.
            judgments: the judged rows, in whose order the scores are.
            label: what messages call the file; default: its path.

        """
        return cls(Handle.read_scores(path, judgments, label), label or os.fspath(path))

    def in_memory(self) -> Ranking:
        """Return the ranking with its rows read; a file that is only opened, or a mapping, is read at each evaluation.

        >>> Ranking.borrow_mapping({"q": ["a"]}).in_memory() == Ranking.from_mapping({"q": ["a"]})
        True
        """
        return self.changed(handle=Handle(self.handle.to_bytes()))

    def __eq__(self, other: object) -> bool:
        return self.handle.same_rows(other.handle) if isinstance(other, Ranking) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # equality is that of the content

    def __repr__(self) -> str:
        return f"Ranking from {self.origin}"


def score_remarks(*, scored: bool, order: str | None = None) -> tuple[Remark, ...]:
    """Say of a table without scores how its items are ranked; `order` is the column that gives their order."""
    text = Text("no column of scores or ranks, so items are ranked in the order of the rows")
    if order is not None:
        text = Text("no column of scores or ranks, so items are ranked in the order of {!r}", order)
    return () if scored else (Remark.of("order", text),)
