"""DataFrames → the nouns: pandas, Polars, DuckDB relations, and anything with the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgauge._core import Stream
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import roles
from rankgauge.inputs.roles import Roles, Side

if TYPE_CHECKING:
    import pandas as pd

    from rankgauge._core import Columns

# Any of many libraries: what matters is what a frame can do.
Frame = Any


def is_frame(source: object) -> bool:
    """Whether this is a table of some library.

    >>> import polars as pl
    >>> is_frame(pl.LazyFrame({"query": [1]})), is_frame({"q1": ["d1"]})
    (True, False)
    """
    return _is_pandas(source) or _is_lazy(source) or hasattr(source, "__arrow_c_stream__")


def read(frame: Frame, side: Side, given: Mapping[str, str], place: str = "") -> tuple[Columns, Roles]:
    """Return the columns of a frame that a side needs, as the core takes them, and what each is."""
    if _is_pandas(frame):
        found = roles.find(_pandas_names(frame), side, given, place)
        return {name: _pandas_column(frame, name) for name in _wanted(found)}, found
    if _is_lazy(frame):
        found = roles.find(frame.collect_schema().names(), side, given, place)
        return Stream(frame.select(_wanted(found)).collect()), found
    if _library(frame) == "duckdb":  # a relation computes only what is asked for
        found = roles.find(frame.columns, side, given, place)
        return Stream(frame.project(", ".join(map(quoted, _wanted(found))))), found
    if _library(frame) == "polars":
        found = roles.find(frame.columns, side, given, place)
        return Stream(frame.select(_wanted(found))), found
    stream = Stream(frame)
    return stream, roles.find(stream.names, side, given, place)


def is_series(source: object) -> bool:
    """Whether this is one column of some library, with types that NumPy may lack."""
    return type(source).__name__ == "Series" or hasattr(source, "__arrow_c_array__")


def values(column: Any) -> object:  # noqa: ANN401 - a column of any library, or an array
    """Return a column without nulls as the core takes it."""
    if hasattr(column, "isna"):
        return pandas_values(column)
    return column if is_series(column) else numpy_values(column)


def quoted(name: str) -> str:
    """Return a name as SQL writes it.

    >>> print(quoted('a"b'))
    "a""b"
    """
    return '"' + name.replace('"', '""') + '"'


def _wanted(found: Roles) -> list[str]:
    return [name for name in (found.query, found.item, found.value) if name is not None]


def _is_lazy(source: object) -> bool:
    return hasattr(source, "collect_schema") and hasattr(source, "collect")


def _is_pandas(source: object) -> bool:
    return type(source).__name__ == "DataFrame" and _library(source) == "pandas"


def _library(source: object) -> str:
    return type(source).__module__.partition(".")[0].lstrip("_")


def _pandas_names(frame: pd.DataFrame) -> list[str]:
    """The columns and the named levels of the index: prices by (date, ticker) are a table too."""
    return [name for name in (*frame.columns, *frame.index.names) if isinstance(name, str)]


def _pandas_column(frame: pd.DataFrame, name: str) -> object:
    series = frame[name] if name in frame.columns else frame.index.get_level_values(name).to_series()
    missing = series.isna().to_numpy()
    if missing.any():
        raise RankgaugeError("null-value", place=f"column {name!r}, row {int(missing.argmax())}")
    return pandas_values(series)


def pandas_values(series: pd.Series[Any]) -> object:
    """Return the values of a Series without nulls as the core takes them, without a copy where that is possible."""
    import numpy as np

    dtype = series.dtype
    if hasattr(dtype, "categories"):
        return np.ascontiguousarray(series.cat.codes.to_numpy()), pandas_values(series.cat.categories.to_series())
    if getattr(dtype, "tz", None) is not None:
        return pandas_values(series.dt.tz_localize(None))  # ids show the time on the clock of the zone
    if isinstance(dtype, np.dtype):
        return numpy_values(series.to_numpy())
    if hasattr(dtype, "numpy_dtype"):  # nullable, though nothing is null
        return numpy_values(series.to_numpy(dtype=dtype.numpy_dtype)) if _is_masked(series) else _arrow(series)
    return _arrow(series)


def numpy_values(values: Any) -> object:  # noqa: ANN401 - numpy is imported only where it is used
    """Return an array as the core takes it: (unit, numbers) for dates, a list for Python's own objects."""
    import numpy as np

    if values.dtype.kind == "M":
        unit, _ = np.datetime_data(values.dtype)
        if unit not in ("s", "ms", "us", "ns"):
            values, unit = values.astype("datetime64[s]"), "s"
        return unit, np.ascontiguousarray(values).view(np.int64)
    if values.dtype.kind in "iufb" and values.dtype.itemsize <= 8 and values.dtype != np.float16:
        return np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="), copy=False))
    return values.tolist()


def _is_masked(series: pd.Series[Any]) -> bool:
    return type(series.array).__module__.endswith(("integer", "floating", "boolean"))


def _arrow(series: pd.Series[Any]) -> object:
    """Values that pandas holds in Arrow are handed over as they are."""
    try:
        return series.array.__arrow_array__()
    except (AttributeError, ImportError):
        return series.tolist()
