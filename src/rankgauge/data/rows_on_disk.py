"""RowsOnDisk: judgments or a ranking larger than memory, kept on disk in buckets of queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from rankgauge._core import Buckets, Stream
from rankgauge.data.judgments import Judgments, grade_remarks
from rankgauge.data.ranking import Ranking, score_remarks
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge._core import Roles

Noun = TypeVar("Noun", Judgments, Ranking)

# Divisors of the memory budget: one share for rows that wait to be written to disk, one for the rows of a part, which
# are held three times: as columns, as a table, and as the input of the measures.
_WINDOW: Final = 8
_PART: Final = 8
# Smaller windows and parts save no memory that counts, and take a millisecond for each row.
LEAST = 1 << 17


@dataclass(frozen=True, slots=True)
class RowsOnDisk(Generic[Noun]):
    """Rows that are on disk until their part is evaluated. The file is gone once nothing refers to it."""

    noun: type[Noun]
    buckets: Buckets
    roles: Roles
    label: str | None
    memory: int
    remarks: tuple[Remark, ...] = ()
    value_column: str | None = None

    @classmethod
    def write(cls, noun: type[Noun], stream: Stream, roles: Roles, label: str | None, memory: int) -> RowsOnDisk[Noun]:
        """Write the rows of a stream to the folder for temporary files."""
        judged = noun is Judgments
        window = max(memory // _WINDOW, LEAST)
        buckets = Buckets(stream, roles, judged=judged, folder=gettempdir(), window=window, label=label)
        scored = roles.value is not None
        remarks = grade_remarks(graded=scored) if judged else score_remarks(scored=scored)
        return cls(noun, buckets, roles, label, memory, remarks)

    @property
    def annotation(self) -> str | None:
        """What the rows carry beside their grade."""
        return self.roles.annotation_role

    @property
    def query_kind(self) -> str:
        """What the ids of the queries were when they came: `whole` numbers, or `text`."""
        return self.buckets.kind

    def changed(self, **changes: Any) -> RowsOnDisk[Noun]:  # noqa: ANN401 - the types of the fields
        """Return the rows with other fields, as a noun does."""
        return replace(self, **changes)

    def read(self, first: int, last: int) -> Noun:
        """Return the rows of some buckets."""
        return self.noun.from_table(self.buckets.stream(first, last), self.roles, self.label)

    def split(self, bucket: int) -> RowsOnDisk[Noun]:
        """Return the rows of one bucket in buckets of their own."""
        return replace(self, buckets=self.buckets.split(bucket, gettempdir(), max(self.memory // _WINDOW, LEAST)))


JudgedSide: TypeAlias = Judgments | RowsOnDisk[Judgments]
RankedSide: TypeAlias = Ranking | RowsOnDisk[Ranking]


def parts(judged: JudgedSide, ranked: RankedSide) -> Iterator[tuple[Judgments, Ranking]]:
    """Return both sides in parts that fit into memory, each with whole queries; one of the sides is on disk.

    A query that is larger than a part by itself is a part all the same.
    """
    on_disk: list[RowsOnDisk[Judgments] | RowsOnDisk[Ranking]] = [
        side for side in (judged, ranked) if isinstance(side, RowsOnDisk)
    ]
    most = max(on_disk[0].memory // _PART, LEAST)
    sizes = list(map(sum, zip(*(side.buckets.sizes() for side in on_disk), strict=True)))
    for first, last in _ranges(sizes, most):
        if sizes[first] > most and _has_several(on_disk, first):
            yield from parts(_split(judged, first), _split(ranked, first))
            continue
        hashes = on_disk[0].buckets.hashes(first, last)
        yield _read(judged, first, last, hashes), _read(ranked, first, last, hashes)


def parts_alone(side: RowsOnDisk[Noun]) -> Iterator[Noun]:
    """Return a side that is on disk in parts that fit into memory."""
    most = max(side.memory // _PART, LEAST)
    sizes = side.buckets.sizes()
    for first, last in _ranges(sizes, most):
        if sizes[first] > most and _has_several([side], first):
            yield from parts_alone(side.split(first))
        else:
            yield side.read(first, last)


def _ranges(sizes: Iterable[int], most: int) -> Iterator[tuple[int, int]]:
    """Return the first and the last of buckets that follow each other and have at most that size together.

    >>> list(_ranges([1, 1, 5, 9, 0, 1], 6))
    [(0, 1), (2, 2), (3, 3), (4, 5)]
    """
    first = total = last = 0
    for last, size in enumerate(sizes):
        if (total and total + size > most) or (size > most and last > first):
            yield first, last - 1
            first, total = last, 0
        total += size
    yield first, last


def _has_several(on_disk: Iterable[RowsOnDisk[Judgments] | RowsOnDisk[Ranking]], bucket: int) -> bool:
    """Whether a bucket has several queries that can be told apart."""
    sides = list(on_disk)
    bounds = [bound for side in sides for bound in side.buckets.hashes_of(bucket) or ()]
    return min(bounds) < max(bounds) and all(side.buckets.can_split() for side in sides)


def _split(side: Noun | RowsOnDisk[Noun], bucket: int) -> Noun | RowsOnDisk[Noun]:
    return side.split(bucket) if isinstance(side, RowsOnDisk) else side


def _read(side: Noun | RowsOnDisk[Noun], first: int, last: int, hashes: tuple[int, int]) -> Noun:
    if isinstance(side, RowsOnDisk):
        return side.read(first, last)
    return side.changed(handle=side.handle.part(*hashes))
