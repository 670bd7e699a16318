"""All measures, in the order in which they are listed, and every name by which they are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.measures import averaged, counted, diversity, gains, graded, letters, logged, totals
from rankgauge.measures.measure import Measure

ALL: Final[tuple[Measure, ...]] = tuple(
    value
    for family in (gains, counted, averaged, graded, diversity, logged, totals, letters)
    for value in vars(family).values()
    if isinstance(value, Measure)
)
NAMED: Final[Mapping[str, Measure]] = {measure.name: measure for measure in ALL}
# Every name in lower case, those of other tools too.
KNOWN: Final[Mapping[str, Measure]] = {name: measure for measure in ALL for name in (measure.name, *measure.aliases)}
