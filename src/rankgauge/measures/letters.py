"""The grades of the first ranks as a text: what trec_eval calls relstring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rankgauge.checks import bad_number
from rankgauge.conventions import Convention
from rankgauge.measures.measure import Measure

MOST_LETTERS: Final = 1000


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Letters(Measure):
    """A text per query, which has no mean: `result.per_query["relstring@10"]`."""

    family: ClassVar[str] = "letters"

    def __post_init__(self) -> None:
        super(Letters, self).__post_init__()
        if self.letters > MOST_LETTERS:
            raise bad_number("k", f"at most {MOST_LETTERS} letters", self.k, "default: 10")

    @property
    def letters(self) -> int:
        """How many ranks are written."""
        return self.k or 0

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """None."""
        return {}

    def under(self, convention: Convention, level: float | None = None) -> Letters:  # noqa: ARG002 - of what is counted
        """Return the measure, which leaves nothing to the convention."""
        return self


RELSTRING: Final = Letters(
    name="relstring",
    k=10,
    is_share=False,
    title="The grades of the first 10 ranks, or of the first k, as a text",
    formula="a digit per rank; > above 9, - unjudged, . negative",
    cite="Buckley 2008, trec_eval 9, m_relstring",
)
