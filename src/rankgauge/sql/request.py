"""SqlRequest: a request for SQL, with the names of the columns that the query gives its numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from rankgauge.conventions import Convention
from rankgauge.conventions.terms import Gain, binary
from rankgauge.measures import Counted, Gains
from rankgauge.request import Request
from rankgauge.sql.dialects import Dialect
from rankgauge.sql.names import Source

# PostgreSQL cuts names at 63 bytes; behind a name stands at most `_precisions` or a number.
_LONGEST: Final = 48


class MeasureColumn(NamedTuple):
    """A measure with all terms set, its column in the result, and the column of the gains that it sums."""

    measure: Gains | Counted
    column: str
    worth: str


@dataclass(frozen=True)
class SqlRequest:
    """What is asked, of which tables, in which dialect."""

    request: Request
    dialect: Dialect
    judgments: Source
    ranking: Source

    @property
    def convention(self) -> Convention:
        """The convention with the relevance level."""
        return self.request.effective

    @property
    def averages_ties(self) -> bool:
        """Whether equal scores share the mean of their gains."""
        return self.convention.ties == "average"

    @property
    def zeroes_negatives(self) -> bool:
        """Whether a negative grade has no gain."""
        return self.convention.negative in ("zero", "drop")

    @property
    def drops_own_id(self) -> bool:
        """Whether an item with the id of its query is removed."""
        return self.convention.own_id == "drop"

    @cached_property
    def worths(self) -> Mapping[Gain, str]:
        """The column of each gain: relevance is one, 1 for a relevant item and 0 for others."""
        gains = dict.fromkeys(_gain_of(measure) for measure in self._measures)
        columns = _unique(["relevant" if gain.kind == "binary" else "gain" for gain in gains])
        return dict(zip(gains, columns, strict=True))

    @cached_property
    def wanted(self) -> tuple[MeasureColumn, ...]:
        """The measures with their columns."""
        columns = _unique([_identifier(label) for label in self.request.labels])
        worths = [self.worths[_gain_of(measure)] for measure in self._measures]
        return tuple(map(MeasureColumn, self._measures, columns, worths))

    @cached_property
    def _measures(self) -> tuple[Gains | Counted, ...]:
        return tuple(measure for measure in self.request.declared if isinstance(measure, Gains | Counted))


def _gain_of(measure: Gains | Counted) -> Gain:
    if isinstance(measure, Gains) and measure.gain is not None:
        return measure.gain
    return binary(max(getattr(measure, "rel", None) or 0.0, 0.0))


def _identifier(label: str) -> str:
    """Return a label as a name that every dialect takes without quotes.

    >>> _identifier("ndcg(gain=exp2)@10"), _identifier("P@5")
    ('ndcg_gain_exp2_at_10', 'p_at_5')
    """
    return re.sub(r"[^a-z0-9]+", "_", label.lower().replace("@", "_at_")).strip("_")[:_LONGEST]


def _unique(names: Sequence[str]) -> list[str]:
    """Return the names; those that came before get a number.

    >>> _unique(["gain", "relevant", "gain"])
    ['gain', 'relevant', 'gain_2']
    """
    taken: dict[str, None] = {}
    for name in names:
        count, chosen = 1, name
        while chosen in taken:
            count += 1
            chosen = f"{name}_{count}"
        taken[chosen] = None
    return list(taken)
