"""Mixin: a result as programs and papers take it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from rankgauge.presentation.parts_mixin import TableMixin

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from rankgauge.results.mean_rows import MeanRows


class ResultFormatsMixin(TableMixin):
    """Mixin: writes `to_dict()` as JSON, and `table()` as CSV, Markdown, LaTeX and DataFrames; `per_query_frame`."""

    __slots__ = ()
    evaluation: Any

    @abstractmethod
    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Return everything as plain values."""

    def to_json(self, *, per_query: bool = False) -> str:
        """Write `to_dict` as JSON; NaN and infinities, which JSON lacks, become null.

        Parameters:
            per_query: whether the values per query are in it, under `per_query`; default: no.

        """
        from rankgauge.presentation.json import json_text

        return json_text(self.to_dict(per_query=per_query))

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row per measure."""
        return self._mean_rows().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars DataFrame with a row per measure."""
        return self._mean_rows().to_polars()

    def to_csv(self) -> str:
        """Write a row per measure as comma-separated values, with all digits."""
        return self.table().to_csv()

    def _mean_rows(self) -> MeanRows:
        from rankgauge.results.mean_rows import MeanRows  # only DataFrames need it

        return MeanRows(self.table().rows)

    @property
    def per_query_frame(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """The value of each measure for each query, of a result of a cluster: a DataFrame of Spark, not yet computed.

        A query that is left out of a mean has null, and measures of all queries together, such as coverage, have no
        column. Write it with `frame.write`; for a result of this machine the values are in `per_query`.
        """
        from rankgauge.results.values_frame import NO_FRAME  # imported late: only clusters have a frame

        return getattr(self.evaluation, "values_frame", NO_FRAME).frame
