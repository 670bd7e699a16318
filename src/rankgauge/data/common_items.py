"""Whether rankings and judgments speak of the same items: ids that never meet make every value 0."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors.abridged import abridged
from rankgauge.languages import Text
from rankgauge.notation import counted, quoted_list
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge.data.nearly_equal_ids import IdDifference

# Queries that are looked at, and ids of a query that a message shows.
MOST_QUERIES: Final = 50
_MOST_SHOWN: Final = 2
# From this share of queries without a common item on, ids are probably written differently.
_NEARLY_ALL: Final = 0.9


class DisjointQueries(NamedTuple):
    """The checked queries that have no common item, with their ranked items."""

    looked_at: int
    queries: Sequence[tuple[str, Sequence[str]]]

    @property
    def share(self) -> float:
        """Their share."""
        return len(self.queries) / self.looked_at if self.looked_at else 1.0


def remarks(
    judgments: Judgments,
    ranking: Ranking,
    *,
    none_met: bool,
    known_items: Callable[[list[str]], Collection[str]] | None = None,
) -> Iterator[Remark]:
    """Say if most queries have no item that is both ranked and judged, at whatever rank.

    `none_met` says that no judged item stands in the ranks that were evaluated, of any query; `known_items` returns
    those of some items that are judged, where these judgments are not all.
    """
    # Check the head of the file first; read the whole file again only if queries there share no item.
    if ranking.handle.shares_items(judgments.handle, MOST_QUERIES):
        return
    apart = DisjointQueries(*ranking.handle.apart(judgments.handle, MOST_QUERIES))
    known = known_items or judgments.handle.known_items
    yield from remarks_of(apart, partial(_judged, judgments), known, none_met=none_met)


def remarks_of(
    apart: DisjointQueries,
    judged: Callable[[str], Sequence[str]],
    known_items: Callable[[list[str]], Collection[str]],
    *,
    none_met: bool,
) -> Iterator[Remark]:
    """Return the remark on queries without a common item; `judged` returns the judged items of a query."""
    if not apart.looked_at or apart.share <= 0.5:
        return
    differences = [_difference(judged(query), items) for query, items in apart.queries]
    difference, known = next(filter(None, differences), None), _are_known(known_items, apart)
    severe = (
        (none_met and apart.share == 1.0)
        or 2 * sum(each is not None for each in differences) > len(differences)
        or (apart.share >= _NEARLY_ALL and not known)
    )
    # Recommendations that miss have items that others like: there is nothing to say.
    if severe or difference or not known:
        yield Remark.of("no-common-item" if severe else "few-common-items", _text(judged, apart, difference))


def _difference(judged: Sequence[str], ranked: Sequence[str]) -> IdDifference | None:
    from rankgauge.data.nearly_equal_ids import find  # most data have items in common

    return find(judged, ranked)


def _judged(judgments: Judgments, query: str) -> list[str]:
    return [item for item, _ in judgments.text_rows(query) or ()]


def _are_known(known_items: Callable[[list[str]], Collection[str]], apart: DisjointQueries) -> bool:
    """Whether most of the ranked items are judged for some query: then ids are written alike on both sides."""
    items = {item for _, items in apart.queries for item in items}
    return 2 * len(known_items(list(items))) > len(items)


def _text(judged: Callable[[str], Sequence[str]], apart: DisjointQueries, difference: IdDifference | None) -> Text:
    query, items = apart.queries[0]
    text = Text.counted(
        apart.looked_at,
        "no ranked item is judged in the only query that was looked at; "
        "query {query!r} has {ranked} ranked and {judged} judged",
        "no ranked item is judged in {apart:,} of {queries} that were looked at; "
        "query {query!r} has {ranked} ranked and {judged} judged",
        apart=len(apart.queries),
        queries=counted(apart.looked_at, "query", "queries"),
        query=abridged(query),
        ranked=_shown(items),
        judged=_shown(judged(query)),
    )
    return Text("{}; {}", text, difference.text()) if difference else text


def _shown(items: Sequence[str]) -> str:
    return quoted_list([abridged(item) for item in items[: _MOST_SHOWN + 1]], _MOST_SHOWN)
