"""An evaluation of a cluster: merged sums, and values per query that stay there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from rankgauge.results.light_evaluation import LightEvaluation
from rankgauge.results.values_frame import NO_FRAME, ValuesFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterEvaluation(LightEvaluation):
    """The merged sums of a cluster, and its values per query."""

    lacks_values: ClassVar[str] = "values-on-cluster"

    values_frame: ValuesFrame = field(default=NO_FRAME, compare=False, repr=False)
