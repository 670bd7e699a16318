"""The column of a table that says which run a row belongs to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from rankgauge.errors import RankgaugeError
from rankgauge.inputs.batches import Batches
from rankgauge.inputs.spark_frames import is_spark, selected
from rankgauge.notation import quoted_list

if TYPE_CHECKING:
    from rankgauge.inputs.roles import Roles, Side

# What the column is called; the first name that a table has is taken.
NAMES: Final = ("run", "run_id", "run_name", "system", "system_id", "model", "method", "algorithm", "tag")
# How many runs a message names, and how many are read where that costs less.
_MOST_SHOWN: Final = 5
_MOST_READ: Final = 100
# Types of DuckDB and of Spark that name no run.
_NESTED: Final = ("STRUCT", "MAP", "UNION")
_NESTED_ON_SPARK: Final = ("array", "map", "struct")


def column_of(names: Sequence[str], taken: Collection[str] = ()) -> str | None:
    """Return the column of runs, None if there is none; `taken` columns have another role.

    >>> column_of(["query", "item", "Model", "score"]), column_of(["query", "model"], ["model"])
    ('Model', None)
    """
    free = [name for name in names if name not in taken]
    return next((name for wanted in NAMES for name in free if name.lower() == wanted), None)


def require_one(
    side: Side, names: Sequence[str], roles: Roles, values: Callable[[str], Iterable[object]], place: str = ""
) -> None:
    """Raise if a ranking has several runs by a column without another role: their rows would count as one run's.

    `values` returns the distinct values of a column; it is called only where there is a column of runs.
    """
    column = column_of(names, roles.columns) if side == "ranking" else None
    if column is None:
        return
    runs = sorted({str(value) for value in values(column)})
    if len(runs) > 1:
        shown = quoted_list(runs, _MOST_SHOWN)
        raise RankgaugeError("several-runs", place, runs=shown, column=column, first=runs[0])


def distinct(relation: Any, column: str) -> list[str]:  # noqa: ANN401 - a DuckDB relation
    """Return the first distinct values of a column of a relation as text; none where it holds lists."""
    from rankgauge.inputs.roles import quoted

    kind = str(dict(zip(relation.columns, relation.types, strict=True))[column])
    if kind.endswith("]") or kind.startswith(_NESTED):
        return []
    texts = relation.project(f"{quoted(column)}::varchar as run_name").filter("run_name is not null")
    return [text for (text,) in texts.distinct().order("run_name").limit(_MOST_READ).fetchall()]


def distinct_of_frame(frame: Any, column: str) -> Iterable[object]:  # noqa: ANN401 - of any library
    """Return the distinct values of a column; none of rows that can be read once only, or where it holds lists.

    >>> import polars as pl
    >>> list(distinct_of_frame(pl.DataFrame({"run": ["a", "a", None]}), "run"))
    ['a']
    """
    library = type(frame).__module__.partition(".")[0].lstrip("_")
    if is_spark(frame):
        is_nested = dict(frame.dtypes)[column].startswith(_NESTED_ON_SPARK)
        rows = [] if is_nested else selected(frame, [column]).distinct().limit(_MOST_READ).collect()
        return [value for (value,) in rows if value is not None]
    if library == "pandas":
        return _of_pandas(frame, column)
    if library == "duckdb":
        return distinct(frame, column)
    if isinstance(frame, Batches):  # those of a generator come once
        again = frame.objects if isinstance(frame.objects, list | tuple) else ()
        return [value for each in again for value in distinct_of_frame(each, column)]
    return _of_pyarrow(frame, column) if library == "pyarrow" else _of_narwhals(frame, column)


def _of_pandas(frame: Any, column: str) -> Iterable[object]:  # noqa: ANN401 - a DataFrame of pandas
    named = (frame.iloc[:, place] for place, name in enumerate(frame.columns) if str(name) == column)
    levels = (
        frame.index.get_level_values(level) for level, name in enumerate(frame.index.names) if str(name) == column
    )
    values = next(named, None)
    values = (next(levels) if values is None else values).dropna()
    try:
        return list(values.unique())
    except TypeError:  # lists
        return []


def _of_pyarrow(source: Any, column: str) -> Iterable[object]:  # noqa: ANN401 - a table, a dataset, a reader
    if hasattr(source, "scanner"):
        scanner = source.scanner(columns=[column], batch_readahead=2, fragment_readahead=1)
        return {value for batch in scanner.to_batches() for value in distinct_of_arrow(batch, column)}
    return distinct_of_arrow(source, column) if hasattr(source, "column") else []


def distinct_of_arrow(table: Any, column: str) -> list[object]:  # noqa: ANN401 - a table or a batch of pyarrow
    """Return the distinct values of a column of pyarrow; none where it holds lists."""
    import pyarrow as pa

    values = table.column(column)
    if pa.types.is_nested(values.type):
        return []
    return [value for value in values.unique().to_pylist() if value is not None]


def _of_narwhals(frame: Any, column: str) -> Iterable[object]:  # noqa: ANN401 - of any library
    import narwhals as nw

    try:
        table = nw.from_native(frame).lazy()
    except TypeError:  # a reader, whose rows come once
        return []
    kind = table.collect_schema()[column]
    if kind.is_nested() or kind in (nw.Object, nw.Unknown):
        return []
    values = table.select(column).unique().collect().get_column(column)
    return [value for value in values.to_list() if value is not None]
