"""Values per query that stay on a cluster, as a result shows them."""

from __future__ import annotations

from typing import Any

from rankgauge.errors import RankgaugeError


class PerQueryFrameMixin:
    """Adds `per_query_frame` to a result."""

    __slots__ = ()
    evaluation: Any

    @property
    def per_query_frame(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """The value of each measure for each query, of a result of a cluster: a DataFrame of Spark, not yet computed.

        A query that is left out of a mean has null, and measures of all queries together, such as coverage, have no
        column. Write it with `frame.write`; for a result of this machine the values are in `per_query`.
        """
        values = getattr(self.evaluation, "values_frame", None)  # only that of a cluster has it
        if values is None:
            raise RankgaugeError("no-frame")
        return values.frame
