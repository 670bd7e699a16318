"""The native engine: the same answers as the reference, from Rust, on all cores."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from rankgauge._core import evaluate as native_evaluate
from rankgauge._core import evaluate_arrays as native_evaluate_arrays
from rankgauge.conventions import Convention
from rankgauge.engines.evaluation import Counts, Evaluation, cutoff_names
from rankgauge.judgments import Judgments
from rankgauge.measures import Measure
from rankgauge.ranking import Ranking

if TYPE_CHECKING:
    from rankgauge._core import Queries
    from rankgauge._core import _Plain as Plain
    from rankgauge.inputs.arrays import Arrays


class Written(Sequence[str]):
    """The ids of queries, written when the first is asked for: most results are never looked at query by query."""

    def __init__(self, handle: Queries) -> None:
        self._handle = handle
        self._ids: list[str] | None = None

    def __len__(self) -> int:
        return len(self._handle)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._written()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._written())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._written() == list(other)

    __hash__ = None  # type: ignore[assignment]  # it is equal to lists, which have none

    def __reduce__(self) -> tuple[object, ...]:
        return list, (self._written(),)

    def _written(self) -> list[str]:
        if self._ids is None:
            self._ids = self._handle.to_list()
        return self._ids


def evaluate(
    judgments: Judgments,
    ranking: Ranking,
    measures: Sequence[Measure],
    convention: Convention,
    depth: int | None = None,
    level: float | None = None,
    threads: int | None = None,
) -> Evaluation:
    """Evaluate every judged query, in the order of its id, in one pass for all measures."""
    full = [measure.under(convention, level) for measure in measures]
    queries, plain, run = native_evaluate(judgments.handle, ranking.handle, full, convention, depth, threads)
    return _evaluation(Written(queries), plain, measures, run)


def evaluate_arrays(
    arrays: Arrays,
    measures: Sequence[Measure],
    convention: Convention,
    depth: int | None = None,
    level: float | None = None,
    threads: int | None = None,
) -> tuple[Evaluation, int]:
    """Evaluate the queries of arrays, in the order in which they come, and count the places without an item."""
    full = [measure.under(convention, level) for measure in measures]
    plain, absent = native_evaluate_arrays(arrays, full, convention, depth, threads)
    return _evaluation(arrays.queries, plain, measures), absent


def _evaluation(
    queries: Sequence[str], plain: Plain, measures: Sequence[Measure], run: str | None = None
) -> Evaluation:
    columns, met, unjudged, letters = plain
    values = {
        measure: array("d", column) for measure, column in zip(measures, columns, strict=True) if not measure.letters
    }
    judged, ranked, missing, ignored, empty, blank, short, tied, dropped = met
    by_cutoff = list(zip(cutoff_names(measures), unjudged, strict=True))
    counts = Counts(
        judged=judged,
        ranked=ranked,
        evaluated=len(queries),
        missing=missing,
        ignored=ignored,
        empty=empty,
        blank=blank,
        short=short,
        tied=tied,
        dropped=dropped,
        unjudged={name: items for (name, _), (items, _) in by_cutoff},
        positions={name: ranks for (name, _), (_, ranks) in by_cutoff},
    )
    return Evaluation(queries, values, counts, _texts(letters, measures), run=run)


def _texts(letters: bytes, measures: Sequence[Measure]) -> dict[Measure, list[str]]:
    """Cut the texts of all queries, which come end to end, filled up with zeros, into those of each measure."""
    widths = [(measure, measure.letters) for measure in measures if measure.letters]
    stride, start = sum(width for _, width in widths), 0
    texts = {}
    for measure, width in widths:
        places = range(start, len(letters), stride)
        texts[measure] = [letters[place : place + width].rstrip(b"\0").decode() for place in places]
        start += width
    return texts
