"""An evaluation of a cluster: merged sums, and values per query that stay there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from rankgauge.results.light_evaluation import LightEvaluation


class ValuesFrame:
    """A DataFrame of Spark, which is not pickled: a result from another process has None in its place."""

    def __init__(self, frame: Any) -> None:  # noqa: ANN401 - a DataFrame of Spark
        self.frame = frame

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return (type(None), ())

    def __copy__(self) -> ValuesFrame:
        return self

    def __deepcopy__(self, memo: object) -> ValuesFrame:
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterEvaluation(LightEvaluation):
    """The merged sums of a cluster, and its values per query."""

    lacks_values: ClassVar[str] = "values-on-cluster"

    values_frame: ValuesFrame | None = field(default=None, compare=False, repr=False)
