"""The first ranks of every query, from the native engine: items, grades and gains, beside the ideal ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._core import top_ranks as native_top_ranks
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.request import Request

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks of many queries, one query after another: those of query i are from `starts[i]` to `starts[i + 1]`.

    The grade of an unjudged item is NaN, and so are the gains where the measure has none. A rank of an ideal that no
    item holds has an empty id.
    """

    starts: npt.NDArray[np.int64]
    items: Sequence[str]
    grades: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]

    def matrix(self, values: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.float64]:
        """Return values by query and rank, down to a rank; NaN where a query has fewer ranks."""
        lengths = np.diff(self.starts)
        by_rank = np.full((len(lengths), count), np.nan)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        columns = np.arange(len(values)) - np.repeat(self.starts[:-1], lengths)
        kept = columns < count
        by_rank[rows[kept], columns[kept]] = values[kept]
        return by_rank


@dataclass(frozen=True, slots=True)
class TopRanks:
    """The first ranks of the queries that both sides have, in the bytewise order of their ids.

    `lengths` is how many ranks of each count. For each rank of the ideal, `ideal_ranks` has the rank of its item in
    the ranking (0 where it is not ranked), and `gains_there` the gain at that rank.
    """

    queries: Sequence[str]
    lengths: npt.NDArray[np.uint32]
    ranked: Ranks
    ideal: Ranks
    ideal_ranks: npt.NDArray[np.uint32]
    gains_there: npt.NDArray[np.float64]


def top_ranks(
    judgments: Judgments, ranking: Ranking, request: Request, count: int, queries: Sequence[str] | None = None
) -> TopRanks:
    """Return the first `count` ranks of every query as `evaluate` ranks them, and of its ideal.

    Gains are those of the first measure of the request that adds gains up. `queries` restricts the queries.

    >>> judgments = Judgments.from_mapping({"q": {"a": 2, "b": 1}})
    >>> top = top_ranks(judgments, Ranking.from_mapping({"q": ["x", "b"]}), Request.of("ndcg@3"), 3)
    >>> top.ranked.items, top.ranked.gains.tolist(), top.ideal.items, top.ideal_ranks.tolist()
    (['x', 'b'], [0.0, 1.0], ['a', 'b'], [0, 2])
    """
    plan = request.plan()
    numbers, lengths, ranked, ideal, ideal_ranks, gains_there = native_top_ranks(
        plan, judgments.handle, ranking.handle, count, queries
    )
    known = judgments.text_queries()
    return TopRanks(
        [known[number] for number in np.frombuffer(numbers, np.uint32)],
        np.frombuffer(lengths, np.uint32),
        _ranks(*ranked),
        _ranks(*ideal),
        np.frombuffer(ideal_ranks, np.uint32),
        np.frombuffer(gains_there, np.float64),
    )


def _ranks(ends: bytes, items: list[str], grades: bytes, gains: bytes) -> Ranks:
    starts: Any = np.concatenate([[0], np.frombuffer(ends, np.uint32)]).astype(np.int64)
    return Ranks(starts, items, np.frombuffer(grades, np.float64), np.frombuffer(gains, np.float64))
