"""DataFrames → the nouns: pandas, Polars, DuckDB relations, and anything with the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rankgauge._core import Stream, parquet_names
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import polars_columns, roles, run_column
from rankgauge.inputs.batches import Batches
from rankgauge.inputs.column_choice import HEAD_ROWS, Head, choose
from rankgauge.inputs.roles import Roles, Side
from rankgauge.inputs.spark_frames import is_pandas_api, is_spark, selected

if TYPE_CHECKING:
    import pandas as pd

    from rankgauge._core import _Columns as Columns


# How far pyarrow reads ahead of what is asked for: by default, 16 batches of each of 4 files are held.
_READ_AHEAD: Final = {"batch_readahead": 2, "fragment_readahead": 1}


def is_frame(source: object) -> bool:
    """Whether this is a table of some library.

    >>> import polars as pl
    >>> is_frame(pl.LazyFrame({"query": [1]})), is_frame({"q1": ["d1"]})
    (True, False)
    """
    if type(source).__name__ in ("Series", "ChunkedArray"):
        return False
    return (
        is_spark(source)
        or is_pandas_api(source)
        or _is_pandas(source)
        or _is_lazy(source)
        or hasattr(source, "__arrow_c_stream__")
        or isinstance(source, Batches)
        or _is_scanned(source)
    )


class _OpenedTable(NamedTuple):
    """A table: the names of its columns, and how some of them are read, all rows or the first."""

    names: Sequence[str]
    columns: Callable[[Sequence[str]], Columns]
    head: Head
    # The distinct values of a column; none where the rows can be read once only.
    values: Callable[[str], Iterable[object]] = lambda _: ()


def from_rows(rows: Sequence[Mapping[Any, Any]], side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    """Return the columns of a list of dicts that a side needs, and what each is.

    >>> from_rows([{"user": 1, "item": 7, "rating": 3}, {"user": 1, "item": 8, "rating": 2}], "judgments", {})[0]
    {'user': [1, 1], 'item': [7, 8], 'rating': [3, 2]}
    """
    names = list(dict.fromkeys(str(key) for row in rows for key in row))
    by_name = [{str(key): value for key, value in row.items()} for row in rows]

    def columns(names: Sequence[str], most: int | None = None) -> Columns:
        return {name: [row.get(name) for row in by_name[:most]] for name in names}

    def values(name: str) -> set[str]:
        return {str(row[name]) for row in by_name if row.get(name) is not None}

    return _chosen(_OpenedTable(names, columns, lambda names: columns(names, HEAD_ROWS), values), side, given)


def read(
    frame: Any,  # noqa: ANN401 - of any library
    side: Side,
    given: Mapping[str, str],
    place: str = "",
    *,
    keep: bool = False,
    most_bytes: int | None = None,
) -> tuple[Columns, Roles]:
    """Return the columns of a frame that a side needs, as the core takes them, and what each is.

    What is to be kept is copied where the owner of the frame could change it. A relation of a file may have no end, so
    more than `most_bytes` are refused.
    """
    given = {role: str(name) for role, name in given.items()}
    opened = _opened(frame, keep=keep, most_bytes=most_bytes)
    opened = opened._replace(values=partial(run_column.distinct_of_frame, frame))
    columns, column_roles = _chosen(opened, side, given, place)
    if keep and isinstance(columns, Stream):
        columns.keep()
    return columns, column_roles


def choose_columns(frame: Any, side: Side, given: Mapping[str, str], place: str = "") -> Roles:  # noqa: ANN401
    """Return the columns of a frame that a side needs."""
    table = _opened(frame, keep=False)
    return choose(table.names, side, given, place, table.head)


def from_stream(
    stream: Stream, side: Side, given: Mapping[str, str], place: str, values: Callable[[str], Iterable[object]]
) -> tuple[Columns, Roles]:
    """Return a stream of Arrow, and which of its columns a side needs; `values` are those of a column."""
    return _chosen(_opened_stream(stream)._replace(values=values), side, given, place)


def from_parquet(
    paths: Sequence[str], relation: Callable[[], Any], side: Side, given: Mapping[str, str], place: str, most_bytes: int
) -> tuple[Columns, Roles]:
    """Return the columns of Parquet files that a side needs; a DuckDB relation reads what the core does not."""
    names = parquet_names(paths[0])
    if names is None:
        return read(relation(), side, given, place, most_bytes=most_bytes)

    def columns(names: Sequence[str], rows: int | None = None) -> Columns:
        stream = Stream.open_parquet(paths, names, most_bytes, rows)
        if stream is not None:
            return stream
        projected = _projected(relation(), names)
        return Stream(projected if rows is None else projected.limit(rows), most_bytes)

    def values(name: str) -> list[str]:
        return run_column.distinct(relation(), name)

    return _chosen(_OpenedTable(names, columns, lambda names: columns(names, HEAD_ROWS), values), side, given, place)


def _chosen(table: _OpenedTable, side: Side, given: Mapping[str, str], place: str = "") -> tuple[Columns, Roles]:
    column_roles = choose(table.names, side, given, place, table.head)
    run_column.require_one(side, table.names, column_roles, table.values, place)
    return table.columns(column_roles.columns), column_roles


def _opened(frame: Any, *, keep: bool, most_bytes: int | None = None) -> _OpenedTable:  # noqa: ANN401 - of any library
    if _is_pandas(frame):
        return _opened_pandas(frame, keep=keep)
    if is_spark(frame):  # what Spark hands out as a stream has no points in time
        return _OpenedTable(
            frame.columns,
            lambda names: Stream(selected(frame, names).toArrow()),
            lambda names: Stream(selected(frame, names).limit(HEAD_ROWS).toArrow()),
        )
    library = _library(frame)
    if _is_lazy(frame):
        names = frame.collect_schema().names()
        return _OpenedTable(
            names,
            lambda names: _streamed(frame.select(names)),
            lambda names: polars_columns.stream(frame.select(names).head(HEAD_ROWS).collect(), names),
        )
    if library == "duckdb":  # a relation computes only what is asked for
        return _OpenedTable(
            frame.columns,
            lambda names: Stream(_projected(frame, names), most_bytes),
            lambda names: Stream(_projected(frame, names).limit(HEAD_ROWS)),
        )
    if library == "polars":
        return _OpenedTable(
            frame.columns,
            lambda names: polars_columns.stream(frame, names),
            lambda names: polars_columns.stream(frame.select(names).head(HEAD_ROWS), names),
        )
    return _opened_scan(frame) if _is_scanned(frame) else _opened_stream(_stream(frame))


def _stream(frame: Any) -> Stream:  # noqa: ANN401 - of any library
    return Stream.from_batches(frame.objects) if isinstance(frame, Batches) else Stream(frame)


def _streamed(frame: Any) -> Stream:  # noqa: ANN401 - a Polars LazyFrame
    """The rows of a lazy frame as its streaming engine makes them; of other libraries all at once."""
    if not hasattr(frame, "collect_batches"):
        return polars_columns.stream(frame.collect(), frame.collect_schema().names())
    # A frame without rows has no batches, but columns.
    return Stream.from_batches(
        map(polars_columns.with_plain_columns, chain([frame.clear().collect()], frame.collect_batches()))
    )


def _is_scanned(source: object) -> bool:
    """Whether this is a Dataset of pyarrow, or a Scanner of one."""
    return _library(source) == "pyarrow" and (hasattr(source, "scanner") or hasattr(source, "projected_schema"))


def _opened_scan(source: Any) -> _OpenedTable:  # noqa: ANN401 - a Dataset or a Scanner of pyarrow
    if not hasattr(source, "scanner"):
        return _opened_stream(Stream(source.to_reader()))
    return _OpenedTable(
        source.schema.names,
        lambda names: Stream.from_batches(_scanned(source, names)),
        lambda names: Stream(source.head(HEAD_ROWS, columns=list(names))),
    )


def _scanned(source: Any, names: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401 - a Dataset of pyarrow
    """Yield the rows of a dataset piece by piece: as a whole, pyarrow would read up to a gigabyte ahead."""
    yield source.schema.empty_table().select(list(names))  # there may be no piece
    try:
        fragments = source.get_fragments()
    except ValueError:  # rows that are filtered have no pieces
        fragments = [source]
    for fragment in fragments:
        pieces = fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]
        schema = {} if fragment is source else {"schema": source.schema}
        for piece in pieces:
            yield piece.scanner(**schema, columns=list(names), **_READ_AHEAD).to_reader()


def _opened_stream(stream: Stream) -> _OpenedTable:
    return _OpenedTable(stream.names, lambda _: stream, lambda _: stream.head(HEAD_ROWS))


def _opened_pandas(frame: pd.DataFrame, *, keep: bool) -> _OpenedTable:
    series = _pandas_series(frame)
    first = [(name, column.head(HEAD_ROWS)) for name, column in series]

    def columns(of_frame: list[tuple[str, pd.Series[Any]]], names: Sequence[str], *, keep: bool) -> Columns:
        return {name: _pandas_column(of_frame, name, keep=keep) for name in names}

    return _OpenedTable(
        [name for name, _ in series],
        lambda names: columns(series, names, keep=keep),
        lambda names: columns(first, names, keep=False),
    )


def _projected(relation: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - a DuckDB relation
    return relation.project(", ".join(map(roles.quoted, names)))


def is_series(source: object) -> bool:
    """Whether this is one column of some library, with types that NumPy may lack."""
    return type(source).__name__ == "Series" or hasattr(source, "__arrow_c_array__")


def values(column: Any, name: str) -> object:  # noqa: ANN401 - a column of any library, or an array
    """Return a column as the core takes it, after a check that nothing is null."""
    if hasattr(column, "isna"):
        _refuse_nulls(column.isna().to_numpy(), name)
        return pandas_values(column)
    return column if is_series(column) else numpy_values(column, name)


def _refuse_nulls(missing: Any, name: str) -> None:  # noqa: ANN401 - an array
    if missing.any():
        raise RankgaugeError("null-value", place=f"column {name!r}, row {int(missing.argmax())}")


def _is_lazy(source: object) -> bool:
    return hasattr(source, "collect_schema") and hasattr(source, "collect")


def _is_pandas(source: object) -> bool:
    return type(source).__name__ == "DataFrame" and _library(source) == "pandas"


def _library(source: object) -> str:
    return type(source).__module__.partition(".")[0].lstrip("_")


def _pandas_series(frame: pd.DataFrame) -> list[tuple[str, pd.Series[Any]]]:
    """The columns and the named levels of the index: prices by (date, ticker) are a table too."""
    columns = [(str(name), frame.iloc[:, position]) for position, name in enumerate(frame.columns)]
    levels = enumerate(frame.index.names)
    named = [(str(name), frame.index.get_level_values(level).to_series()) for level, name in levels if name is not None]
    return columns + [(name, series) for name, series in named if name not in {column for column, _ in columns}]


def _pandas_column(columns: list[tuple[str, pd.Series[Any]]], name: str, *, keep: bool) -> object:
    of_that_name = [series for other, series in columns if other == name]
    if len(of_that_name) > 1:
        got = f"{len(of_that_name)} columns {name!r}"
        raise RankgaugeError("ambiguous-column", role="each name", got=got, example=name, side="ranking", of_table="")
    series = of_that_name[0]
    if not (_holds_whole_numbers(series) or _holds_texts(series)):
        _refuse_nulls(_nulls(series), name)
    return pandas_values(series.copy() if keep else series)


def _nulls(series: pd.Series[Any]) -> Any:  # noqa: ANN401 - numpy is imported only where it is used
    try:
        return series.isna().to_numpy()
    except ArithmeticError:  # a Decimal("sNaN"), which equals nothing: the core refuses it and names its row
        import numpy as np

        return np.array([value is None for value in series])


def _holds_whole_numbers(series: pd.Series[Any]) -> bool:
    """Whether these are whole numbers of NumPy, which has no null among them."""
    return getattr(series.dtype, "kind", "O") in "iu" and not hasattr(series.dtype, "na_value")


def _holds_texts(series: pd.Series[Any]) -> bool:
    """Whether the first value is a Python text; the core refuses nulls among the others."""
    return series.dtype == object and len(series) > 0 and isinstance(series.iloc[0], str)


def pandas_values(series: pd.Series[Any]) -> object:
    """Return the values of a Series without nulls as the core takes them, without a copy where that is possible."""
    import numpy as np

    dtype = series.dtype
    if hasattr(dtype, "categories"):
        categories = pandas_values(series.cat.categories.to_series())
        return "codes", np.ascontiguousarray(series.cat.codes.to_numpy()), categories
    if hasattr(dtype, "tz") or hasattr(dtype, "freq"):  # points in a time zone, and periods: few are distinct
        codes, distinct = series.factorize()
        written = distinct.astype(str) if hasattr(dtype, "freq") else distinct
        return "codes", np.ascontiguousarray(codes), written.tolist()
    if isinstance(dtype, np.dtype):
        return _lists(series) if _holds_lists(series) else numpy_values(series.to_numpy())
    if _is_masked(series):  # nullable, though nothing is null
        return numpy_values(series.to_numpy(dtype=dtype.numpy_dtype))  # type: ignore[attr-defined]
    return _arrow(series)


def _holds_lists(series: pd.Series[Any]) -> bool:
    return series.dtype == object and len(series) > 0 and all(map(_is_list, series))


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple) or getattr(value, "ndim", 0) == 1


def _lists(series: pd.Series[Any]) -> object:
    """A list per query: where each ends, and all elements end to end."""
    from itertools import chain

    import numpy as np
    import pandas as pd

    ends = np.concatenate([[0], np.cumsum(series.map(len).to_numpy(dtype=np.int64))]).astype(np.int64)
    elements = pd.Series(list(chain.from_iterable(series)))
    _refuse_nulls(_nulls(elements), str(series.name))
    return "lists", ends, pandas_values(elements)


def numpy_values(values: Any, name: str = "") -> object:  # noqa: ANN401 - numpy is imported only where it is used
    """Return an array as the core takes it: (unit, numbers) for dates, a list for Python's own objects."""
    import numpy as np

    if values.dtype.kind == "M":
        _refuse_nulls(np.isnat(values), name)
        unit, _ = np.datetime_data(values.dtype)
        if unit not in ("s", "ms", "us", "ns"):
            values, unit = values.astype("datetime64[s]"), "s"
        return unit, np.require(values, requirements=["C", "A"]).view(np.int64)
    if values.dtype.kind == "m":  # as a list it would be whole numbers
        place = f"column {name!r}" if name else ""
        raise RankgaugeError("bad-column", place, expected="text, numbers or dates", got=str(values.dtype))
    if values.dtype.kind == "f" and values.dtype.itemsize == 2:
        values = values.astype(np.float32)
    if values.dtype.kind in "iufb" and values.dtype.itemsize <= 8:
        return np.require(values.astype(values.dtype.newbyteorder("="), copy=False), requirements=["C", "A"])
    return values.tolist()


def _is_masked(series: pd.Series[Any]) -> bool:
    return type(series.array).__module__.endswith(("integer", "floating", "boolean"))


def _arrow(series: pd.Series[Any]) -> object:
    """Values that pandas holds in Arrow are handed over as they are."""
    try:
        return series.array.__arrow_array__()
    except (AttributeError, ImportError):
        return series.tolist()
