"""Rules: the answers of a convention that matter to one list without ties, and which conventions share them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.measures import Gains

# Ideals for which a list that is cut at its own length is the same as one that is not cut.
_ENDS_WITH_THE_LIST = ("uncut", "ranked", "top", "list-length", "perfect")


@dataclass(frozen=True, slots=True)
class Rules:
    """How one list is computed, in the words of the page's script; texts are those of the terms.

    `cutoff` holds where there is no `k`. `nothing` is the value of a list whose ideal is 0: zero, one, none or error.
    """

    gain: str
    discount: str
    ideal: str
    cutoff: int | str
    nothing: str
    unjudged: str
    negative: str
    k: int | None = None

    @classmethod
    def of(cls, convention: Convention, measure: Gains | None = None) -> Rules:
        """Return the rules of a convention, or of a measure under it with every term set.

        >>> from rankgauge.conventions import get
        >>> Rules.of(get("lightgbm")).gain, Rules.of(get("lightgbm")).nothing
        ('exp2', 'one')
        """
        ideal = (measure and measure.ideal) or convention.ideal
        discount = (measure and measure.discount) or convention.discount
        # The ideal ends with the list, so the cutoffs `all` and `list` give the same value.
        whole = ideal.kind in _ENDS_WITH_THE_LIST and convention.default_cutoff == "all"
        nothing = convention.nothing_relevant
        return cls(
            gain=str((measure and measure.gain) or convention.gain),
            discount="none" if measure and not measure.discounted else str(discount),
            ideal=str(ideal),
            cutoff="list" if whole else convention.default_cutoff,
            # Only a mean over queries tells them apart.
            nothing="none" if nothing in ("nan", "skip") else nothing,
            unjudged=convention.unjudged,
            negative=convention.negative,
            k=measure.k if measure else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain values."""
        return asdict(self)


def conventions_by_rules(conventions: Iterable[Convention]) -> dict[Rules, list[str]]:
    """Return the names of the conventions that one list without ties cannot tell apart, under the rules they share.

    >>> from rankgauge.conventions import get
    >>> list(conventions_by_rules([get("trec_eval"), get("burges"), get("ranx")]).values())
    [['trec_eval', 'ranx'], ['burges']]
    """
    groups: dict[Rules, list[str]] = {}
    for convention in conventions:
        groups.setdefault(Rules.of(convention), []).append(convention.name)
    return groups
