"""Files that hold several runs: tables with a column of runs, which are split by it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import duckdb_failures, duckdb_tables, limits, located, roles, run_column
from rankgauge.inputs.input_pair import InputFile, RunOfTable
from rankgauge.inputs.reading_options import ReadingOptions

if TYPE_CHECKING:
    from rankgauge._core import _Columns as Columns
    from rankgauge.inputs.delimited import ColumnNames
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.roles import Roles, Side

# Formats without columns that have names.
_NO_TABLES: Final = ("trec", "letor", "scores")


def split(path: str | os.PathLike[str], reading: ReadingOptions) -> dict[str, InputFile]:
    """Return the runs of a table by name; none where it is no table, or has no column of runs."""
    given = reading.for_ranking or {}
    file, format_ = located(path, "ranking", reading.format_ranking, given)
    if format_ in _NO_TABLES or _is_no_table(file, format_, reading):
        return {}
    relation = duckdb_tables.whole(file, format_, given, has_lists=True)
    column = run_column.column_of(relation.columns, given.values() if isinstance(given, Mapping) else ())
    if column is None:
        return {}
    with duckdb_failures.worded(file):
        texts = relation.project(f"{roles.quoted(column)}::varchar as run_name").distinct().order("run_name")
        names = [name for (name,) in texts.fetchall()]
    if None in names:
        raise RankgaugeError("null-value", f"{file.label}: column {column!r}")
    return {name: file._replace(run=RunOfTable(column, name)) for name in names}


def _is_no_table(file: InputFile, format_: Format, reading: ReadingOptions) -> bool:
    """Whether a JSON file holds cases, or queries and their items."""
    from rankgauge.inputs import cases, files, formats

    if format_ != "jsonl":
        return False
    is_mapping = formats.first_json_key(file.path) is not None and files.json_mapping(file) is not None
    return is_mapping or not isinstance(cases.side(file, "ranking", rows=reading.says_rows), InputFile)


def read(file: InputFile, format_: Format, side: Side, given: ColumnNames) -> tuple[Columns, Roles]:
    """Return the columns that a side needs of the rows of one run, as the core takes them, and what each is."""
    from rankgauge.inputs import frames

    relation = duckdb_tables.whole(file, format_, given, has_lists=True)
    by_role = given if isinstance(given, Mapping) else {}
    most_bytes = sum(map(limits.unpacked, file.pieces or (file.path,)))
    return frames.read(_rows(relation, file.run), side, by_role, file.label, most_bytes=most_bytes)


def _rows(relation: Any, run: RunOfTable | None) -> Any:  # noqa: ANN401 - a DuckDB relation
    if run is None:
        return relation
    others = ", ".join(roles.quoted(name) for name in relation.columns if name != run.column)
    name = run.name.replace("'", "''")
    return relation.filter(f"{roles.quoted(run.column)}::varchar = '{name}'").project(others)
