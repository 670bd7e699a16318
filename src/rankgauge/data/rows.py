"""Rows by query: what judgments and rankings have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.data.id_kinds import Id, native_ids
from rankgauge.immutable_value import Value

if TYPE_CHECKING:
    from rankgauge import _core


class RowsByQuery(Value):
    """Rows of (item, number) by query. They do not change, so a copy is the same object."""

    __slots__ = ()
    handle: _core.Judgments | _core.Ranking

    @property
    def queries(self) -> list[Id]:
        """The ids of the queries: whole numbers and dates in their order, text bytewise."""
        native = self.native_queries(self.handle.queries())
        return sorted(native) if self.query_kind == "whole" else native

    @property
    def query_kind(self) -> str:
        """What the ids of the queries were when they came: `text`, `whole` numbers, `date` or `datetime`."""
        return self.handle.kinds()[0]

    @property
    def item_kind(self) -> str:
        """What the ids of the items were when they came: `text`, `whole` numbers, `date` or `datetime`."""
        return self.handle.kinds()[1]

    def native_queries(self, ids: Sequence[str]) -> list[Id]:
        """Return ids of queries in the type that they had before they became text.

        Parameters:
            ids: ids of queries as text.

        """
        return native_ids(ids, self.query_kind)

    def rows(self, query: Id) -> list[tuple[Any, float]] | None:
        """Return the rows of a query as (item, number), in the order in which they came; None for an unknown query.

        Parameters:
            query: the id of a query, as text or as it came.

        """
        return self.handle.rows(query, native=True)

    def to_dict(self) -> dict[Any, list[tuple[Any, float]]]:
        """Return query → rows of (item, number)."""
        groups = self.handle.groups(native=True)
        return dict(sorted(groups.items())) if self.query_kind == "whole" else groups

    def text_queries(self) -> list[str]:
        """Return the ids of the queries as text, in bytewise order."""
        return self.handle.queries()

    def text_rows(self, query: Id) -> list[tuple[str, float]] | None:
        """Return the rows of a query with the ids of the items as text: what engines compare.

        Parameters:
            query: the id of a query, as text or as it came.

        """
        return self.handle.rows(query, native=False)

    def text_groups(self) -> dict[str, list[tuple[str, float]]]:
        """Return query → rows of (item, number), with all ids as text: what engines compare."""
        return self.handle.groups(native=False)

    def __len__(self) -> int:
        return len(self.handle)

    def __iter__(self) -> Iterator[Id]:
        return iter(self.queries)

    def __contains__(self, query: object) -> bool:
        return query in self.handle

    def __copy__(self) -> RowsByQuery:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> RowsByQuery:
        return self
