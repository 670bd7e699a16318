"""LightEvaluation: an evaluation without values per query, as a result reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rankgauge.measures import Measure
from rankgauge.request import Request
from rankgauge.results.evaluation import Counts, Evaluation
from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import Interval, interval_of_moments
from rankgauge.statistics.moments import moments_of_sums

if TYPE_CHECKING:
    from rankgauge._core import LightEvaluation as Compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class LightEvaluation(Evaluation):
    """Exact sums of each measure, and what the data looked like; it has no queries and no values."""

    has_queries: ClassVar[bool] = False

    request: Request
    sums: Compiled

    @classmethod
    def of(cls, sums: Compiled, request: Request, counts: Counts) -> LightEvaluation:
        """Take the sums that the core computed for a request."""
        return cls(queries=(), values={}, counts=counts, run=sums.run, request=request, sums=sums)

    def aggregate(self, measure: Measure) -> float:
        """Return one number for all queries."""
        return self.sums.aggregates()[self._column(measure)]

    def queries_of(self, measure: Measure) -> int:
        """Return how many queries count."""
        return self.sums.counted()[self._column(measure)]

    def interval(self, measure: Measure, level: float = LEVEL) -> Interval:
        """Return the interval from the exact sums."""
        sums = self.sums.sums(self._column(measure))
        moments = moments_of_sums(measure.aggregate, self.queries_of(measure), sums)
        bounded = measure.is_bounded(self.request.effective)
        return interval_of_moments(moments, measure.aggregate, bounded=bounded, level=level)

    def _column(self, measure: Measure) -> int:
        return self.request.computed.index(measure)
