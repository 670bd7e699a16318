"""A table of any library, or a file → a narwhals frame; and back.

Graders are written once, in narwhals expressions that pandas, Polars, DuckDB and Spark all support.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import narwhals as nw

from rankgauge.checks import is_number
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import connections, duckdb_failures, duckdb_tables, roles, table_failures
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.spark_frames import is_spark, without_pandas_api
from rankgauge.inputs.types import TableInput
from rankgauge.notation import date_text

if TYPE_CHECKING:
    import numpy.typing as npt

# A narwhals DataFrame or LazyFrame, whose methods differ by little.
NwFrame: TypeAlias = Any

_TABLES = count()
# Formats that DuckDB would parse again for each query.
_SCANNED = ("csv", "tsv", "jsonl")


class SourceTable(NamedTuple):
    """A table as a narwhals frame, the types of its columns, and whether it is a file, whose texts may be numbers."""

    frame: NwFrame
    schema: Mapping[str, nw.dtypes.DType]
    is_file: bool
    # Column of Python objects that have no common order → which types they have.
    unordered: Mapping[str, str] = {}

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.schema)

    def by_role(self, given: ColumnsInput) -> Mapping[str, str]:
        """Return columns by role; a list of names replaced the header when the file was opened."""
        return {} if self.is_file and not isinstance(given, Mapping) else roles.by_role(given or {})

    def require_ordered(self, columns: Collection[str], table: str) -> None:
        """Raise if one of the columns holds objects that cannot be sorted, such as lists, or dates beside numbers."""
        for name in columns:
            if name in self.unordered:
                expected = f"texts, numbers or dates in the column {name!r}"
                raise RankgaugeError("bad-column", place=table, expected=expected, got=self.unordered[name])

    def number(self, column: str, table: str) -> nw.Expr:
        """Return a column as 64-bit floats, NaN as null."""
        dtype = self.schema[column]
        untyped = dtype == nw.Unknown  # such as an empty Polars column
        if not (dtype.is_numeric() or dtype == nw.Boolean or untyped or self.is_file):
            raise RankgaugeError(
                "bad-column", place=table, expected=f"numbers in the column {column!r}", got=str(dtype)
            )
        return without_nan(nw.col(column).cast(nw.Float64))


def without_nan(value: nw.Expr) -> nw.Expr:
    """Return numbers with null for NaN."""
    return nw.when(~value.is_nan()).then(value)


def open_table(source: TableInput, table: str, columns: ColumnsInput = None) -> SourceTable:
    """Return a table, or the table in a file, as a narwhals frame; `table` is what messages call it."""
    is_file = isinstance(source, str | os.PathLike)
    native = _file(source, columns) if isinstance(source, str | os.PathLike) else _with_index(source)
    with table_failures.worded_failures(native, table):
        frame, schema = _opened(native, table, type(source).__name__)
    strange = [name for name, dtype in schema.items() if dtype == nw.Object and frame.implementation.is_polars()]
    if strange:  # Polars panics on operations on objects
        expected = f"texts, numbers or dates in the column {strange[0]!r}"
        raise RankgaugeError("bad-column", place=table, expected=expected, got="Object")
    return SourceTable(frame, schema, is_file, {} if is_file else _unordered(native))


def _opened(native: Any, table: str, kind: str) -> tuple[NwFrame, dict[str, nw.dtypes.DType]]:  # noqa: ANN401
    """Return a table of any library as a narwhals frame, and the types of its columns."""
    try:
        frame = nw.from_native(native)
        return frame, dict(frame.collect_schema())
    except TypeError:
        raise RankgaugeError("unknown-table-kind", table=table, got=kind) from None
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in native.columns]
        twice = next(name for name in names if names.count(name) > 1)
        got = f"{names.count(twice)} columns {twice!r}"
        raise RankgaugeError(
            "ambiguous-column", role="each name", got=got, example=twice, side=table, of_table=""
        ) from None


def _file(source: str | os.PathLike[str], columns: ColumnsInput) -> NwFrame:
    from rankgauge.inputs import files, formats

    file = files.locate(source)
    files.require_file(file)
    format_ = formats.detect(file.path, "judgments", file.label)
    if format_ == "trec":  # a table of four number columns without a header
        if not formats.first_lines(file.path):
            raise RankgaugeError("empty-file", file.label, columns="a table with a header")
        format_ = "tsv"
    formats.require_utf8(file.path, format_, file.label, whole=True)
    relation = duckdb_tables.whole(file, format_, columns or {})
    if format_ not in _SCANNED:
        return relation
    try:
        return _computed(relation)
    except Exception as error:
        raise duckdb_failures.unreadable(error, file) from None


def _computed(relation: NwFrame) -> NwFrame:
    """Return a relation of DuckDB whose rows are computed once, in a table that goes with the connection."""
    name = f"rankgauge_{next(_TABLES)}"
    relation.query("graded", f"create temp table {name} as from graded").fetchall()
    return relation.query("graded", f"from {name}")


def _with_index(source: NwFrame) -> NwFrame:
    """A pandas DataFrame with its index levels as columns and texts as names; an Arrow table as a DuckDB relation."""
    if not is_spark(source) and hasattr(source, "to_native"):  # narwhals, or what a grader made
        source = source.to_native()
    source = without_pandas_api(source)
    if is_spark(source):  # whose DataFrames behind Connect say that they have an index
        return source
    if type(source).__module__.startswith("pyarrow"):  # narwhals has no window functions for Arrow
        return connections.reader().from_arrow(source)
    index = getattr(source, "index", None)
    if index is None or not (hasattr(source, "reset_index") and hasattr(source, "columns")):
        return source
    if getattr(source.columns, "nlevels", 1) > 1:
        hint = f"choose one, such as table[{source.columns[0][0]!r}]"
        got = f"{source.columns.nlevels} levels"
        raise RankgaugeError("bad-shape", expected="names of columns with one level", got=got, hint=hint)
    twice = [name for name in index.names if name is not None and name in source.columns]
    if twice:  # a level that is a column too
        source = source.reset_index(level=twice, drop=True)
    if any(name is not None for name in source.index.names):
        source = source.reset_index()
    elif index.names == [None] and _holds_dates(index):
        source = source.rename_axis("date").reset_index()
    if not all(isinstance(name, str) for name in source.columns):
        source = source.rename(columns=str)
    return _unmixed(source) if source.columns.is_unique else source


def _unmixed(frame: Any) -> Any:  # noqa: ANN401 - pandas DataFrames
    """Write columns that mix texts, numbers and dates as texts, as ids are compared; such a column has no order."""
    from pandas.api.types import infer_dtype

    texts = {name: frame[name].map(_text, na_action="ignore") for name in _mixed(frame)}
    return frame.assign(**{name: column for name, column in texts.items() if infer_dtype(column) == "string"})


def _mixed(frame: Any) -> list[str]:  # noqa: ANN401 - pandas DataFrames
    """The columns of objects that are not all of one type, or of a type without an order."""
    from pandas.api.types import infer_dtype

    objects = [name for name, dtype in frame.dtypes.items() if str(dtype) == "object"]
    return [name for name in objects if infer_dtype(frame[name], skipna=True).startswith("mixed")]


def _unordered(native: Any) -> dict[str, str]:  # noqa: ANN401 - of any library
    """The columns of a pandas DataFrame that have no order, and the types of their values."""
    if type(native).__module__.partition(".")[0] != "pandas" or not native.columns.is_unique:
        return {}
    return {name: _types(native[name]) for name in _mixed(native)} | _signalling(native)


def _signalling(frame: Any) -> dict[str, str]:  # noqa: ANN401 - pandas DataFrames
    """The columns with a `Decimal("sNaN")`, which raises wherever it is compared."""
    decimals = (
        (name, value)
        for name, dtype in frame.dtypes.items()
        if str(dtype) == "object" and len(frame) and isinstance(frame[name].iloc[0], Decimal)
        for value in frame[name]
    )
    return {name: repr(value) for name, value in decimals if isinstance(value, Decimal) and value.is_snan()}


def _types(column: Iterable[object]) -> str:
    """The names of the types of objects.

    >>> _types(["A", date(2026, 1, 2), (1, 2)])
    'date, str, tuple'
    """
    return ", ".join(sorted({type(value).__name__ for value in column}))


def _text(value: object) -> object:
    """A number or a date as text, a whole number without a fraction; anything else unchanged."""
    if isinstance(value, date):
        return date_text(value)
    if not is_number(value):
        return value
    return str(int(value)) if float(value).is_integer() else str(value)


def _holds_dates(index: Any) -> bool:  # noqa: ANN401 - a pandas index
    """Whether an index without a name holds dates, or texts such as 2026-01-02, as pandas reads from CSV files."""
    texts = index.dtype == object and len(index) and isinstance(index[0], str)
    return bool(index.dtype.kind == "M" or (texts and re.match(r"\d{4}([-/.])\d{2}\1\d{2}", index[0])))


def rows(frame: NwFrame) -> list[dict[str, Any]]:
    """Return the rows of a small frame."""
    native = frame.to_native()
    try:
        if isinstance(frame, nw.DataFrame):
            return list(frame.iter_rows(named=True))
        if is_spark(native):
            return [each.asDict() for each in native.collect()]
        if hasattr(native, "fetchall"):  # DuckDB: narwhals would ask for pyarrow
            return [dict(zip(native.columns, row, strict=True)) for row in native.fetchall()]
        return rows(_collected(frame))
    except Exception as error:
        if "duckdb" not in type(error).__module__:
            raise
        raise duckdb_failures.unreadable(error) from None


def _collected(frame: NwFrame) -> NwFrame:
    """Compute a lazy frame, whose plan may fail by itself."""
    with table_failures.worded_failures(frame.to_native(), ""):
        return frame.collect()


def arrays(frame: NwFrame) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of a frame of numbers without nulls."""
    import numpy as np

    native = frame.to_native()
    if is_spark(native):
        frame = nw.from_native(native.toPandas())
    elif isinstance(frame, nw.LazyFrame) and hasattr(native, "fetchnumpy"):
        try:
            return {name: np.asarray(column) for name, column in native.fetchnumpy().items()}
        except Exception as error:
            raise duckdb_failures.unreadable(error) from None
    elif isinstance(frame, nw.LazyFrame):
        frame = _collected(frame)
    return {name: frame[name].to_numpy() for name in frame.columns}


def numbered(frame: NwFrame, key: str, number: str) -> NwFrame:
    """Return the distinct keys, sorted and numbered from 1: numbers are quicker to group by than texts and dates."""
    keys = frame.select(key).unique()
    return keys.with_columns(nw.col(key).cum_count().over(order_by=key).cast(nw.Int64).alias(number))


def materialise_file(frame: NwFrame, *, is_file: bool) -> NwFrame:
    """Compute a frame that came from a file once; lazy frames of the caller stay lazy."""
    if not is_file:
        return frame
    try:
        return nw.from_native(_computed(frame.to_native()))
    except Exception as error:
        raise duckdb_failures.unreadable(error) from None


def all_of(first: nw.Expr, *others: nw.Expr) -> nw.Expr:
    """Return whether all conditions hold."""
    for other in others:
        first = first & other
    return first


def flag(condition: nw.Expr) -> nw.Expr:
    """Return 1 where a condition holds, else 0, which every library can sum."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def any_null(columns: Iterable[str]) -> nw.Expr:
    """Return whether any of the columns is null."""
    return nw.any_horizontal(*(nw.col(column).is_null() for column in columns), ignore_nulls=True)
