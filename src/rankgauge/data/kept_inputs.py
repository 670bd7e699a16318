"""KeptInputs: the judgments and the ranking that a result was computed from, kept by reference."""

from __future__ import annotations

from typing import NamedTuple

from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking


class KeptInputs(NamedTuple):
    """What a report reads again to show the ranks behind a number.

    A result holds it as long as it lives, without a copy. It is not pickled: a result that comes from another process
    has None in its place. `sources` are the paths of both sides, where they came from files.

    >>> import pickle
    >>> kept = KeptInputs(Judgments.from_mapping({"q": ["a"]}), Ranking.from_mapping({"q": ["a"]}))
    >>> pickle.loads(pickle.dumps(kept)) is None
    True
    """

    judgments: Judgments
    ranking: Ranking
    sources: tuple[str | None, str | None] = (None, None)

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return (type(None), ())

    def __copy__(self) -> KeptInputs:
        return self

    def __deepcopy__(self, memo: object) -> KeptInputs:
        return self
