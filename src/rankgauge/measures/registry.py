"""All measures, in the order in which they are listed, and every name by which they are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rankgauge.conventions.literals_by_name import LiteralsByName
from rankgauge.measures.measure import Measure

# The families: each is the name of a file here and in the reference engine, and of a module in the core.
FAMILIES: Final = ("gains", "counted", "graded", "diversity", "clicks", "coverage", "letters")


def _by(names: Callable[[Measure], list[str]]) -> LiteralsByName[Measure]:
    return LiteralsByName("rankgauge.measures", FAMILIES, Measure, names)  # type: ignore[type-abstract] # no instance


NAMED: Final = _by(lambda measure: [measure.name])
# Every name in lower case, those of other tools too.
KNOWN: Final = _by(lambda measure: [measure.name, *measure.aliases])
