"""AtLevel: what measures of relevant items share, whose grade reaches a level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rankgauge.conventions import Convention
from rankgauge.measures.measure import Measure, read_level
from rankgauge.notation import format_number


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AtLevel(Measure):
    """A measure of relevant items: those whose grade is positive and reaches the level `rel`."""

    rel: float | None = None
    # Whether the value is undefined for a query without relevant items; the convention decides what it counts as.
    of_relevant: bool = False

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """The relevance level."""
        return {"rel": read_level}

    def shown(self, parameter: str) -> object:
        """Return a parameter in its text form, or None if it has the default of the declaration."""
        if parameter != "rel":
            return super(AtLevel, self).shown(parameter)
        return None if self.rel is None else format_number(self.rel)

    def under(self, convention: Convention, level: float | None = None) -> AtLevel:
        """Return the measure with the relevance level given: its own, that asked for, or that of a binary gain."""
        asked = convention.gain.threshold if level is None else level
        return self if self.rel is not None else replace(self, rel=asked)
