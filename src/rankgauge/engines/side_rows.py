"""The rows of a partition of a cluster, apart by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyarrow as pa

# The column that says whose a row is: 0 for judgments, 1 and so on for rankings.
SIDE: Final = "side"


def by_side(batches: Iterator[pa.RecordBatch], count: int) -> list[pa.Table] | None:
    """Return the rows of each side, nothing if there are none.

    A batch whose rows are all of one side, as most are, is not copied: a partition may hold one very long query.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    apart: list[list[pa.RecordBatch]] = [[] for _ in range(count)]
    schema = None
    for batch in map(_in_utc, batches):
        schema, sides = batch.schema, batch.column(SIDE)
        first, last = pc.min_max(sides).as_py().values()
        for side in range(first, last + 1):
            apart[side].append(batch if first == last else batch.filter(pc.equal(sides, side)))
    return None if schema is None else [pa.Table.from_batches(each, schema) for each in apart]


def _in_utc(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch whose points in time are of UTC, as on one machine, instead of the zone of the session."""
    import pyarrow as pa

    for index, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and field.type.tz not in (None, "UTC"):
            moments = batch.column(index).cast(pa.timestamp(field.type.unit, "UTC"))
            batch = batch.set_column(index, field.name, moments)
    return batch
