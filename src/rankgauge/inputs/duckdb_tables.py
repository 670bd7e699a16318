"""Files as tables: texts with quotes, JSON and databases through DuckDB and sqlite3, Parquet and Arrow in the core."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rankgauge._core import Stream, longest_line, require_unpacked
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import arrow_files, connections, formats, limits, missing_header, roles, run_column
from rankgauge.inputs.column_choice import HEAD_ROWS, Head, choose
from rankgauge.inputs.delimited import ColumnNames, Header, first_rows, header, named_columns, text_roles
from rankgauge.inputs.duckdb_failures import unreadable, worded
from rankgauge.inputs.files import spool
from rankgauge.inputs.formats import Format
from rankgauge.inputs.input_pair import InputFile
from rankgauge.inputs.roles import Roles, Side
from rankgauge.inputs.temporary_folder import folder

if TYPE_CHECKING:
    from rankgauge._core import _Columns as Columns

# DuckDB refuses longer lines of a CSV, or leaves the last out without a word where it does not fit into a buffer.
_LONGEST_LINE: Final = 2_000_000


def table(file: InputFile, format_: Format, side: Side, given: ColumnNames) -> tuple[Columns, Roles]:
    """Return the columns of a file that a side needs, as the core takes them, and what each is."""
    with worded(file):
        return _table(file, format_, side, given)


def _table(file: InputFile, format_: Format, side: Side, given: ColumnNames) -> tuple[Columns, Roles]:
    if file.run is not None:
        from rankgauge.inputs import run_tables  # imported late: most tables have one run

        return run_tables.read(file, format_, side, given)
    if format_ in ("csv", "tsv"):
        return _quoted(file, format_, side, given)
    columns = roles.by_role(given)
    readers = {"sqlite": _sqlite, "arrow": _arrow, "jsonl": _json, "parquet": _parquet}
    return readers.get(format_, _database)(file, side, columns)


def _database(file: InputFile, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    from rankgauge.inputs import frames

    return frames.read(_relation(file, "duckdb"), side, given, file.label, most_bytes=limits.unpacked(file.path))


def _arrow(file: InputFile, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    from rankgauge.inputs import frames

    return frames.from_stream(
        arrow_files.open_stream(file), side, given, file.label, partial(arrow_files.distinct, file)
    )


def _parquet(file: InputFile, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    from rankgauge.inputs import frames
    from rankgauge.inputs.file_sets import has_partitions

    paths = file.pieces or (file.path,)
    most_bytes = sum(map(limits.unpacked, paths))
    if has_partitions(file):
        return frames.read(_relation(file, "parquet"), side, given, file.label, most_bytes=most_bytes)
    return frames.from_parquet(paths, lambda: _relation(file, "parquet"), side, given, file.label, most_bytes)


def whole(file: InputFile, format_: Format, given: ColumnNames, *, has_lists: bool = False) -> Any:  # noqa: ANN401
    """Return every column of a file as a DuckDB relation; a text holds texts, so that no id is taken for a number.

    Lists in JSON are lists of texts if `has_lists`, otherwise texts.
    """
    with worded(file):
        return _whole(file, format_, given, has_lists=has_lists)


def _whole(file: InputFile, format_: Format, given: ColumnNames, *, has_lists: bool) -> Any:  # noqa: ANN401
    if format_ in ("parquet", "duckdb"):
        return _relation(file, format_)
    if format_ == "jsonl":
        file = _complete_json(file)
        loose = _read_json(file)
        lists = {name for name, kind in zip(loose.columns, loose.types, strict=True) if str(kind).endswith("[]")}
        kinds = {name: "VARCHAR[]" if has_lists and name in lists else "VARCHAR" for name in loose.columns}
        return _read_json(file, kinds)
    if format_ in ("csv", "tsv"):
        style = _with_partitions(file, _whole_header(file, format_, given))
        return _read_csv(file, style, [*style.columns, *style.partitions])
    if format_ == "sqlite":
        return from_columns(_sqlite_columns(file, *_sqlite_table(file)))
    if format_ == "arrow":
        return arrow_files.relation(file)
    raise RankgaugeError("not-a-table", file.label, got=formats.FORMATS[format_])


def _whole_header(file: InputFile, format_: Format, given: ColumnNames) -> Header:
    """The header of a text whose columns all count: each has a name, and no two have the same."""
    style = header(file, format_, given, remarked=False)
    known = None if style.columns else missing_header.names_of(first_rows(file, style), "judgments")
    if known:
        return style._replace(columns=known)
    if not style.columns:  # tickers may be numbers: the first line of a table is its header all the same
        lines = formats.first_lines(file.path)
        if not lines:
            raise RankgaugeError("bad-format", file.label, suffix=f".{format_}", got="bytes that are no text in UTF-8")
        style = style._replace(named=True, columns=formats.cells(lines[0], style.delimiter))
    names = [name or f"unnamed_{number}" for number, name in enumerate(style.columns)]
    seen: dict[str, str] = {}
    for name in names:  # DuckDB takes aa and AA for one name
        if name.casefold() in seen:
            got = f"{seen[name.casefold()]!r} and {name!r}"
            raise RankgaugeError("same-columns", file.label, got=got)
        seen[name.casefold()] = name
    return style._replace(columns=names)


def from_columns(columns: Mapping[str, Sequence[Any]]) -> Any:  # noqa: ANN401 - a DuckDB relation
    """Return columns of Python as a DuckDB relation."""
    import numpy as np

    connection = connections.reader()
    connection.register("brought", {name: np.array(column, dtype=object) for name, column in columns.items()})
    return connection.table("brought")


def _relation(file: InputFile, format_: Format) -> Any:  # noqa: ANN401 - a DuckDB relation
    if format_ == "parquet":
        # A column has the type that holds those of all pieces: the type of the first could cut decimals off the next.
        options = f"{_partitions(file)}, union_by_name = {str(bool(file.pieces)).lower()}"
        return _query(file, f"select * from read_parquet({_paths(file)}, {options})")  # noqa: S608
    connection = connections.database(file.path, file.memory)
    ours = "table_catalog = current_database() and table_schema = current_schema()"
    shown = connection.sql(f"select table_name from information_schema.tables where {ours}").fetchall()  # noqa: S608
    return connection.table(roles.quoted(_choose(file, [name for (name,) in shown])))


def _json(file: InputFile, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    """Read JSON with ids as text: DuckDB's own detection would take "007" for 7 and guess at dates."""
    from rankgauge.inputs import frames

    file = _complete_json(file)
    loose = _read_json(file)
    column_roles = frames.choose_columns(loose, side, given, file.label)
    types = {name: str(kind) for name, kind in zip(loose.columns, loose.types, strict=True)}
    lists = {name for name, kind in types.items() if kind.endswith("[]")}
    kinds = {column_roles.query: "VARCHAR", column_roles.item: "VARCHAR"}
    if column_roles.value:
        # A whole score may have more digits than a DOUBLE.
        whole = side == "ranking" and types[column_roles.value].startswith(("BIGINT", "UBIGINT", "HUGEINT"))
        kinds[column_roles.value] = "VARCHAR" if whole else "DOUBLE"
    if column_roles.annotation:
        kinds[column_roles.annotation] = "VARCHAR" if column_roles.annotation_role == "subtopic" else "DOUBLE"
    names = [name for name, kind in types.items() if not kind.endswith(("[]", ")"))]
    values = lambda name: run_column.distinct(_read_json(file, {name: "VARCHAR"}), name)  # noqa: E731
    run_column.require_one(side, names, column_roles, values, file.label)
    typed = _read_json(file, {name: f"{kind}{'[]' * (name in lists)}" for name, kind in kinds.items()})
    return Stream(typed, limits.unpacked(file.path)), column_roles


def _read_json(file: InputFile, kinds: Mapping[str, str] | None = None) -> Any:  # noqa: ANN401 - a DuckDB relation
    columns = ", ".join(f"{_text(name)}: '{kind}'" for name, kind in (kinds or {}).items())
    options = f"compression = {_compression(file)}, hive_partitioning = false"
    options += f", columns = {{{columns}}}" if kinds else ""
    return _query(file, f"select * from read_json({_path(file)}, {options})")  # noqa: S608 - its texts are quoted


def _complete_json(file: InputFile) -> InputFile:
    """The file without a byte order mark, which DuckDB does not know; an array that is cut is refused."""
    import gzip
    from io import BytesIO

    require_unpacked(file.path, file.label)
    with gzip.open(file.path) if formats.is_gzip(file.path) else open(file.path, "rb") as source:  # noqa: PTH123
        first = source.read(3)
        if first != b"\xef\xbb\xbf" and not first.lstrip().startswith(b"["):
            return file
        try:
            whole = (first + source.read()).removeprefix(b"\xef\xbb\xbf").strip()
        except (OSError, EOFError) as error:
            raise unreadable(error, file) from None
    if whole.startswith(b"[") and not whole.endswith(b"]"):
        raise RankgaugeError("unreadable-table", file.label, got="an array without its end")
    return file if first.lstrip().startswith(b"[") else file._replace(path=spool(BytesIO(whole)))


def _quoted(file: InputFile, format_: Format, side: Side, given: ColumnNames) -> tuple[Columns, Roles]:
    style = _with_partitions(file, named_columns(file, header(file, format_, given), side, given))
    column_roles = text_roles(file, style, side, given)
    known = (*style.columns, *style.partitions)
    run_column.require_one(side, known, column_roles, partial(text_values, file, style), file.label)
    return Stream(_read_csv(file, style, column_roles.columns)), column_roles


def _with_partitions(file: InputFile, style: Header) -> Header:
    """The columns of a text with those that the folders of its pieces say."""
    from rankgauge.inputs.file_sets import partitions

    return style._replace(partitions={k: v for k, v in partitions(file).items() if k not in style.columns})


def text_values(file: InputFile, style: Header, column: str) -> list[str]:
    """Return the distinct values of a column of a text; lines that its reader refuses are left out."""
    import duckdb

    try:
        return run_column.distinct(_csv_cells(file, style, [column], strict=False), column)
    except duckdb.Error:
        return []


def _read_csv(file: InputFile, style: Header, wanted: Sequence[str]) -> Any:  # noqa: ANN401 - a DuckDB relation
    longest = max(longest_line(path, path if file.pieces else file.label) for path in file.pieces or (file.path,))
    if longest > _LONGEST_LINE:
        raise RankgaugeError("line-too-long", file.label, most=_LONGEST_LINE, got=longest)
    return _csv_cells(file, style, wanted, strict=True)


def _csv_cells(file: InputFile, style: Header, wanted: Sequence[str], *, strict: bool) -> Any:  # noqa: ANN401
    """Cells as text without the blanks around them, as the core reads those of a text without quotes."""
    numbered = {name: f"c{number}" for number, name in enumerate(style.columns)}
    texts = {name: numbered.get(name) or roles.quoted(name) for name in wanted}
    cells = (f"trim({text}, ' ' || chr(9)) as {roles.quoted(name)}" for name, text in texts.items())
    columns = ", ".join(f"c{number}: 'VARCHAR'" for number in range(len(style.columns)))
    skip = formats.lines_before(file.path) + style.named
    options = (
        f"delim = {_text(style.delimiter)}, header = false, skip = {skip}, quote = '\"', escape = '\"', comment = '', "
        f"auto_detect = false, strict_mode = {strict}, ignore_errors = {not strict}, columns = {{{columns}}}, "
        f"compression = {_compression(file)}, "
        f"{_partitions(file)}, hive_types_autocast = false, nullstr = ''"
    )
    return _query(file, f"select {', '.join(cells)} from read_csv({_paths(file)}, {options})")  # noqa: S608


def _query(file: InputFile, query: str) -> Any:  # noqa: ANN401 - a DuckDB relation
    return connections.reader(*(file.pieces or (file.path,)), memory=file.memory).sql(query)


def _partitions(file: InputFile) -> str:
    from rankgauge.inputs.file_sets import has_partitions

    return f"hive_partitioning = {str(has_partitions(file)).lower()}"


def _paths(file: InputFile) -> str:
    """The paths of a file, or of its pieces, as SQL."""
    if not file.pieces:
        return _path(file)
    return f"[{', '.join(_path(InputFile(piece, piece, None)) for piece in file.pieces)}]"


def _compression(file: InputFile) -> str:
    return "'gzip'" if formats.is_gzip(file.path) else "'none'"


def _path(file: InputFile) -> str:
    """The path as SQL; DuckDB takes some characters for patterns, so a file of such a name gets another."""
    path = os.path.realpath(file.path)
    if not set(path) & set("*?["):
        return _text(path)
    from pathlib import Path
    from tempfile import mkdtemp

    link = Path(mkdtemp(dir=folder())) / "file"
    link.symlink_to(path)
    return _text(str(link))


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _choose(file: InputFile, known: Sequence[str]) -> str:
    """The table that was asked for, or the only one."""
    if file.table is not None and file.table in known:
        return file.table
    if file.table is None and len(known) == 1:
        return known[0]
    near = nearest(file.table, known) if file.table else ""
    got = repr(file.table) if file.table else "none"
    listed = ", ".join(known) or "none"
    raise RankgaugeError("unknown-table", file.label, known=listed, got=got, nearest=near, file=file.label)


def _sqlite(file: InputFile, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    table, names = _sqlite_table(file)
    head: Head = lambda names: _sqlite_columns(file, table, names, most=HEAD_ROWS)  # noqa: E731
    column_roles = choose(names, side, given, file.label, head)
    run_column.require_one(side, names, column_roles, partial(_sqlite_values, file, table), file.label)
    return _sqlite_columns(file, table, column_roles.columns), column_roles


def _sqlite_values(file: InputFile, table: str, column: str) -> list[Any]:
    name = roles.quoted(column)
    query = f"select distinct {name} from {table} where {name} is not null order by 1 limit 100"  # noqa: S608
    return [value for (value,) in _sqlite_rows(file, query)]


def _sqlite_table(file: InputFile) -> tuple[str, list[str]]:
    """The name of the table that is meant, as SQL, and the names of its columns."""
    kinds = "type in ('table', 'view')"
    shown = _sqlite_rows(file, f"select name from sqlite_master where {kinds}")  # noqa: S608 - nobody's text
    table = roles.quoted(_choose(file, [name for (name,) in shown]))
    return table, [row[1] for row in _sqlite_rows(file, f"pragma table_info({table})")]


def _sqlite_columns(file: InputFile, table: str, names: Sequence[str], most: int = -1) -> dict[str, list[Any]]:
    listed = ", ".join(map(roles.quoted, names))
    rows = _sqlite_rows(file, f"select {listed} from {table} limit {most}")  # noqa: S608 - the names are quoted
    columns = list(zip(*rows, strict=True)) or [() for _ in names]
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def _sqlite_rows(file: InputFile, query: str) -> list[tuple[Any, ...]]:
    import sqlite3
    from contextlib import closing
    from pathlib import Path
    from time import monotonic

    end = monotonic() + limits.seconds()
    try:
        with closing(sqlite3.connect(f"{Path(file.path).resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("pragma trusted_schema = off")  # no view may call what writes or reads elsewhere
            connection.set_progress_handler(lambda: monotonic() > end, 100_000)
            return _bounded(connection.execute(query), file)
    except sqlite3.Error as error:
        raise unreadable(error, file) from None


def _bounded(cursor: Any, file: InputFile) -> list[tuple[Any, ...]]:  # noqa: ANN401 - a cursor of sqlite3
    """Return all rows; raise where they exceed the limit, since a view may be endless."""
    limit = limits.unpacked(file.path)
    rows: list[tuple[Any, ...]] = []
    size = 0
    while some := cursor.fetchmany(10_000):
        rows += some
        size += sum(len(cell) if isinstance(cell, str | bytes) else 8 for row in some for cell in row)
        if size > limit:
            raise RankgaugeError("too-much-unpacked", file.label, limit=limit)
    return rows
