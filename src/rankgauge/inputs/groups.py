"""Which rows of flat arrays make a query: sizes, boundaries, or the query id of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from rankgauge._core import group_rows
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import frames
from rankgauge.languages import Text
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

GroupsAre: TypeAlias = Literal["sizes", "boundaries", "ids"]


class Groups(NamedTuple):
    """Where each query starts among the rows, the rows by query if they lie apart, and the names of the queries."""

    starts: npt.NDArray[np.int64]
    order: npt.NDArray[np.uint32] | None
    # The names; how many queries there are, if they are numbered.
    queries: list[str] | int
    remarks: tuple[Remark, ...] = ()


def of_matrix(rows: int, columns: int) -> Groups:
    """Return the groups of arrays in two dimensions: a row is a query."""
    import numpy as np

    remarks = (
        [Remark.of("one-item-queries", Text("each of the {:,} rows has one column", rows))]
        if columns == 1 < rows
        else []
    )
    return Groups(np.arange(rows + 1, dtype=np.int64) * columns, None, rows, tuple(remarks))


def of_lengths(lengths: list[int]) -> Groups:
    """Return the groups of queries that lie end to end.

    >>> of_lengths([3, 2]).starts.tolist()
    [0, 3, 5]
    """
    import numpy as np

    return Groups(np.cumsum([0, *lengths], dtype=np.int64), None, len(lengths))


def one_query(rows: int) -> Groups:
    """Return the groups of flat arrays that come without: one query, if there are rows."""
    remarks = [Remark.of("one-query", Text("all {:,} rows, since there are no groups", rows))] if rows > 1 else []
    return of_lengths([rows] if rows else [])._replace(remarks=tuple(remarks))


def read(groups: Any, kind: GroupsAre | None, rows: int) -> Groups:  # noqa: ANN401 - an array of any library
    """Read groups of flat arrays with `rows` rows; without a `kind`, guess it and remark on it."""
    import numpy as np

    ids = groups if frames.is_series(groups) else np.asarray(groups)
    dimensions = getattr(ids, "ndim", 1)  # a column of Arrow has one and does not say so
    if dimensions != 1:
        raise bad_groups(rows, f"{dimensions} dimensions")
    kind = kind or _kind_of(ids, rows)
    if kind == "ids":
        if len(ids) != rows:
            raise bad_groups(rows, f"{len(ids)} ids")
        return Groups(*group_rows(frames.values(ids, "groups")), (Remark.of("groups", Text("read as query ids")),))
    numbers = _whole_numbers(ids, rows)
    starts = numbers if kind == "boundaries" else np.concatenate([np.zeros(1, np.int64), np.cumsum(numbers)])
    if not _are_boundaries(starts, rows):
        raise bad_groups(rows, f"{kind} that reach {starts[-1] if len(starts) else 0}")
    empty = int((np.diff(starts) == 0).sum())
    text = Text("read as boundaries") if kind == "boundaries" else Text("read as sizes")
    if empty:
        text = Text("{}; {}", text, Text.counted(empty, "{n:,} query has no rows", "{n:,} queries have no rows"))
    return Groups(starts, None, len(starts) - 1, (Remark.of("groups", text),))


def _kind_of(groups: Any, rows: int) -> GroupsAre:  # noqa: ANN401 - an array of any type
    """Ids are as many as the rows; boundaries go from 0 to the number of rows; sizes add up to it."""
    if len(groups) == rows:
        return "ids"
    numbers = _whole_numbers(groups, rows)
    if _are_boundaries(numbers, rows):
        return "boundaries"
    if numbers.sum() == rows:
        return "sizes"
    raise bad_groups(rows, f"{len(numbers):,} numbers that add up to {int(numbers.sum()):,}")


def _whole_numbers(groups: Any, rows: int) -> npt.NDArray[np.int64]:  # noqa: ANN401 - an array of any type
    """Sizes or boundaries, each of which is at most the number of rows: no sum of them can overflow."""
    import numpy as np

    numbers = np.asarray(groups)
    if numbers.dtype.kind not in "iu":
        raise bad_groups(rows, f"{len(numbers):,} values of {numbers.dtype}")
    wrong = (numbers < 0) | (numbers > rows)
    if wrong.any():
        raise bad_groups(rows, f"the number {int(numbers[wrong.argmax()])} among them")
    return numbers.astype(np.int64)


def _are_boundaries(numbers: npt.NDArray[np.int64], rows: int) -> bool:
    in_order = bool((numbers[1:] >= numbers[:-1]).all())
    return len(numbers) > 0 and bool(numbers[0] == 0) and bool(numbers[-1] == rows) and in_order


def bad_groups(rows: int, got: str) -> RankgaugeError:
    """Return the error of groups that do not fit."""
    return RankgaugeError("bad-groups", rows=rows, got=got)
