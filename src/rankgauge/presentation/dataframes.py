"""Tables of ids and values as DataFrames and Arrow streams."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.data.id_kinds import kind_of
from rankgauge.presentation.ids import id_text
from rankgauge.presentation.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class DataFrameMixin(ABC):
    """Mixin: converts `table()`, whose first column holds ids, to pandas, Polars and Arrow."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Table:
        """Return the rows."""

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns by name."""
        table = self.table()
        return {str(name): [row[column] for row in table.rows] for column, name in enumerate(table.headers)}

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame."""
        import pandas as pd

        columns = self.columns()
        return pd.DataFrame(columns).astype(dict.fromkeys(_empty(columns), float))

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars DataFrame."""
        import polars as pl

        columns = self.columns()
        return pl.DataFrame(columns, schema_overrides=dict.fromkeys(_empty(columns), pl.Float64))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream for any library with the Arrow PyCapsule interface."""
        from rankgauge._core import export_table

        columns = self.columns()
        ids, *names = columns
        whole = all(isinstance(id_, int) and abs(id_) < 2**63 for id_ in columns[ids])
        id_column = columns[ids] if whole else list(map(id_text, columns[ids]))
        texts = [name for name in names if any(isinstance(value, str) for value in columns[name])]
        numbers = [name for name in names if name not in texts]
        number_columns, text_columns = ([columns[name] for name in chosen] for chosen in (numbers, texts))
        return export_table([ids, *numbers, *texts], id_column, kind_of(columns[ids]), number_columns, text_columns)

    def __repr__(self) -> str:
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()


def _empty(columns: Mapping[str, Sequence[object]]) -> list[str]:
    """Return the columns without any value: their type cannot be inferred, so they are made float columns."""
    return [name for name, column in columns.items() if all(value is None for value in column)]
