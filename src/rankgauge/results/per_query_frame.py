"""Values per query that stay on a cluster: an evaluation with them, and what a result says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rankgauge.errors import RankgaugeError
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

    values_frame: ValuesFrame | None = field(default=None, compare=False, repr=False)


class PerQueryFrameMixin:
    """Adds `per_query_frame` to a result."""

    __slots__ = ()
    evaluation: Any

    @property
    def per_query_frame(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """The value of each measure for each query, of a result of a cluster: a DataFrame of Spark, not yet computed.

        A query that is left out of a mean has null, and measures of all queries together, such as coverage, have no
        column. Write it with `frame.write`; for a result of this machine the
        values are in `per_query`.
        """
        values = self.evaluation.values_frame if isinstance(self.evaluation, ClusterEvaluation) else None
        if values is None:
            raise RankgaugeError("no-frame")
        return values.frame
