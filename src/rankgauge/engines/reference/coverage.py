"""The share of a catalogue that all queries together show, as its formula reads: part of the reference engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankgauge.measures.coverage import Coverage


def value(tops: Sequence[Sequence[str]], measure: Coverage, judged: Iterable[str]) -> tuple[list[float], float]:
    """Return the share of the catalogue that each query adds to those before it, and the share of all together.

    >>> from rankgauge.measures import COVERAGE
    >>> value([["a", "b"], ["b", "c"]], COVERAGE(items=10), ["a"])
    ([0.2, 0.1], 0.3)
    """
    shown: set[str] = set()
    added = []
    for items in tops:
        new = set(items[: measure.k]) - shown
        added.append(len(new))
        shown |= new
    # A catalogue has at least as many items as are shown.
    whole = max(measure.catalogue, len(shown)) if measure.catalogue else len(shown | set(judged))
    return [count / whole if whole else 0.0 for count in added], len(shown) / whole if whole else 0.0
