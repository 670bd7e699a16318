"""The native engine: the same answers as the reference, from Rust, on all cores."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from rankgauge._core import ranked_rows as native_ranked_rows
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.measures import Measure
from rankgauge.request import Request
from rankgauge.results.evaluation import Counts, Evaluation, cutoff_names

if TYPE_CHECKING:
    from rankgauge._core import Evaluation as Compiled
    from rankgauge._core import LightEvaluation
    from rankgauge.inputs.arrays import Arrays


class LazyIds(Sequence[str]):
    """The ids of evaluated queries, copied from the core on first use: most results are never read query by query."""

    def __init__(self, evaluation: Compiled) -> None:
        self._evaluation = evaluation
        self._ids: list[str] | None = None

    def __len__(self) -> int:
        return len(self._evaluation)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._copied()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._copied())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._copied() == list(other)

    __hash__ = None  # type: ignore[assignment]  # it is equal to lists, which have none

    def _copied(self) -> list[str]:
        if self._ids is None:
            self._ids = self._evaluation.queries()
        return self._ids


def evaluate(judgments: Judgments, ranking: Ranking, request: Request, threads: int | None = None) -> Evaluation:
    """Evaluate every judged query, in the order of its id, in one pass for all measures."""
    return view(request.plan().evaluate(judgments.handle, ranking.handle, threads=threads), request)


def evaluate_arrays(arrays: Arrays, request: Request, threads: int | None = None) -> Evaluation:
    """Evaluate the queries of arrays, in the order in which they come."""
    return view(request.plan().evaluate_flat(arrays, threads=threads), request)


def ranked_rows(judgments: Judgments, ranking: Ranking, request: Request) -> array[int]:
    """Return the numbers of the ranking's rows in rank order, query by query, as `evaluate` ranks them.

    Rows are numbered as they came, from 0. Those of queries without judgments, and those that the convention drops,
    are left out.
    """
    return array("I", native_ranked_rows(request.plan(), judgments.handle, ranking.handle))


def view(compiled: Compiled, request: Request) -> Evaluation:
    """Return what the core computed for a request, with its values by measure."""
    numbers = [(column, measure) for column, measure in enumerate(request.computed) if not measure.letters]
    columns = {measure: array("d", compiled.column(column)) for column, measure in numbers}
    shares = compiled.shares()
    asked = frozenset(request.measures)
    return Evaluation(
        queries=LazyIds(compiled),
        values={measure: column for measure, column in columns.items() if measure in asked},
        counts=counts_of(compiled, request),
        texts=_texts(compiled.letters(), request.measures),
        weights=() if request.weights is None else columns[request.computed[request.weights]],
        unions={measure: share for measure, share in zip(request.computed, shares, strict=False) if share is not None},
        run=compiled.run,
        compiled=compiled,
    )


def counts_of(compiled: Compiled | LightEvaluation, request: Request) -> Counts:
    """Return what the data looked like, by name and by cutoff."""
    flat, by_cutoff = compiled.counts()
    judged, ranked, missing, ignored, empty, blank, short, tied, merged, dropped, absent, unscored, lowest = flat
    names = [name for name, _ in cutoff_names(request.computed)]
    return Counts(
        judged=judged,
        ranked=ranked,
        evaluated=len(compiled),
        missing=missing,
        ignored=ignored,
        empty=empty,
        blank=blank,
        short=short,
        tied=tied,
        dropped=dropped,
        merged=merged,
        absent=absent,
        unscored=unscored,
        lowest=lowest,
        unjudged={name: items for name, (items, _) in zip(names, by_cutoff, strict=True)},
        positions={name: ranks for name, (_, ranks) in zip(names, by_cutoff, strict=True)},
    )


def _texts(letters: bytes, measures: Sequence[Measure]) -> dict[Measure, list[str]]:
    """Cut the texts of all queries, which come end to end, filled up with zeros, into those of each measure."""
    widths = [(measure, measure.letters) for measure in measures if measure.letters]
    stride, start = sum(width for _, width in widths), 0
    texts = {}
    for measure, width in widths:
        starts = range(start, len(letters), stride)
        texts[measure] = [letters[first : first + width].rstrip(b"\0").decode() for first in starts]
        start += width
    return texts
