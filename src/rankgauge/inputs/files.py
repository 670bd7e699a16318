"""Files → the nouns: texts and Arrow in the core, Parquet, JSON and databases through DuckDB and sqlite3."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankgauge._core import Stream, has_quotes
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import formats, frames, roles
from rankgauge.inputs.formats import Format
from rankgauge.inputs.roles import Roles, Side

if TYPE_CHECKING:
    from rankgauge._core import Columns

STANDARD_INPUT = "standard input"

# Roles by column name; or, for a text without a header, the names of all its columns in their order.
Given: TypeAlias = Mapping[str, str] | Sequence[str]


class Input(NamedTuple):
    """A file that can be read more than once: where it is, what messages call it, and a table in it."""

    path: str
    label: str
    table: str | None


class Separated(NamedTuple):
    """Which columns of a delimited text matter, counted from 0."""

    delimiter: str
    header: bool
    columns: int
    query: int
    item: int
    value: int | None
    descending: bool


def locate(source: str | os.PathLike[str]) -> Input:
    """Return the file; `-` is standard input, and what a pipe holds is kept in a file for as long as Python runs.

    >>> locate("runs.duckdb::bm25")
    Input(path='runs.duckdb', label='runs.duckdb', table='bm25')
    """
    from stat import S_ISREG

    path, table = formats.split_table(os.fspath(source))
    if path == "-":
        import sys

        return Input(_spool(sys.stdin.buffer), STANDARD_INPUT, table)
    try:
        kept = S_ISREG(os.stat(path).st_mode) or os.path.isdir(path)  # noqa: PTH116, PTH112 - quicker to start
    except (OSError, ValueError):
        kept = True  # its reader says what is wrong
    if kept:
        return Input(path, path, table)
    with open(path, "rb") as pipe:  # noqa: PTH123
        return Input(_spool(pipe), path, table)


def _spool(pipe: Any) -> str:  # noqa: ANN401 - a binary file
    import shutil
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(dir=_folder(), delete=False) as file:
        shutil.copyfileobj(pipe, file, 1 << 20)
    return file.name


_FOLDERS: list[Any] = []


def _folder() -> str:
    """A folder that is removed when Python ends."""
    from tempfile import TemporaryDirectory

    if not _FOLDERS:
        _FOLDERS.append(TemporaryDirectory(prefix="rankgauge-"))
    return str(_FOLDERS[0].name)


def separated(file: Input, format_: Format, side: Side, given: Given) -> Separated | None:
    """Return how a delimited text is laid out; None where it has quotes, which the core does not read."""
    style = _style(file, format_)
    names: Sequence[str] | None = style.header
    if not isinstance(given, Mapping):
        names, given = given, {}
    found = roles.find(names, side, given, file.label)
    if has_quotes(file.path):
        return None
    places = {name: place for place, name in enumerate(names or ())}
    return Separated(
        delimiter=style.delimiter,
        header=style.header is not None,
        columns=len(names or ()),
        query=places[found.query],
        item=places[found.item],
        value=None if found.value is None else places[found.value],
        descending=found.descending,
    )


def _style(file: Input, format_: Format) -> formats.Dialect:
    return formats.dialect(formats.first_lines(file.path), "\t" if format_ == "tsv" else ",")


def table(file: Input, format_: Format, side: Side, given: Given) -> tuple[Columns, Roles]:
    """Return the columns of a file that a side needs, as the core takes them, and what each is."""
    columns = given if isinstance(given, Mapping) else {}
    if format_ == "sqlite":
        return _sqlite(file, side, columns)
    if format_ == "arrow":
        stream = Stream.open_ipc(file.path)
        return stream, roles.find(stream.names, side, columns, file.label)
    return frames.read(_relation(file, format_, given), side, columns, file.label)


def _relation(file: Input, format_: Format, given: Given) -> Any:  # noqa: ANN401 - a DuckDB relation
    import duckdb

    try:
        connection = duckdb.connect(file.path, read_only=True) if format_ == "duckdb" else _reader_of_files().cursor()
        _prefer_views(connection)
        if format_ == "duckdb":
            shown = connection.sql("select table_name from information_schema.tables").fetchall()
            return connection.table(frames.quoted(_choose(file, [name for (name,) in shown])))
        query = f"select * from {_reader(file, format_, given)}"  # noqa: S608 - its texts are quoted
        return connection.sql(query)
    except duckdb.Error as error:
        raise _unreadable(file, error) from None


@cache
def _reader_of_files() -> Any:  # noqa: ANN401 - a DuckDB connection
    """A database of our own in memory, opened once: that takes longer than reading a small file."""
    import duckdb

    return duckdb.connect()


def _prefer_views(connection: Any) -> None:  # noqa: ANN401 - a DuckDB connection
    """Texts that DuckDB lends as they lie in its memory spare it a copy."""
    connection.execute("set produce_arrow_string_view = true")
    connection.execute("set arrow_output_version = '1.4'")


def _reader(file: Input, format_: Format, given: Given) -> str:
    """The function of DuckDB that reads the file."""
    path = _text(file.path)
    if format_ == "parquet":
        return f"read_parquet({path})"
    gzip = "'gzip'" if formats.is_gzip(file.path) else "'none'"
    if format_ == "jsonl":
        return f"read_json({path}, compression = {gzip})"
    style = _style(file, format_)
    names = style.header if isinstance(given, Mapping) else tuple(given)
    listed = ", ".join(map(_text, names or ()))
    header = str(style.header is not None).lower()
    return (
        f"read_csv({path}, delim = {_text(style.delimiter)}, header = {header}, names = [{listed}], quote = '\"', "
        f"escape = '\"', all_varchar = true, strict_mode = true, compression = {gzip})"
    )


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _choose(file: Input, known: Sequence[str]) -> str:
    """The table that was asked for, or the only one."""
    if file.table is not None and file.table in known:
        return file.table
    if file.table is None and len(known) == 1:
        return known[0]
    near = nearest(file.table, known) if file.table else ""
    got = repr(file.table) if file.table else "none"
    listed = ", ".join(known) or "none"
    raise RankgaugeError("unknown-table", file.label, known=listed, got=got, nearest=near, file=file.label)


def _sqlite(file: Input, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    import sqlite3
    from pathlib import Path

    try:
        connection = sqlite3.connect(f"{Path(file.path).resolve().as_uri()}?mode=ro", uri=True)
        shown = connection.execute("select name from sqlite_master where type in ('table', 'view')").fetchall()
        name = frames.quoted(_choose(file, [name for (name,) in shown]))
        names = [row[1] for row in connection.execute(f"pragma table_info({name})")]
        found = roles.find(names, side, given, file.label)
        wanted = [column for column in (found.query, found.item, found.value) if column is not None]
        listed = ", ".join(map(frames.quoted, wanted))
        rows = connection.execute(f"select {listed} from {name}").fetchall()  # noqa: S608 - the names are quoted
    except sqlite3.Error as error:
        raise _unreadable(file, error) from None
    columns = list(zip(*rows, strict=True)) or [() for _ in wanted]
    return {name: list(column) for name, column in zip(wanted, columns, strict=True)}, found


def _unreadable(file: Input, error: Exception) -> RankgaugeError:
    return RankgaugeError("unreadable-table", file.label, got=" ".join(str(error).split()))


def json_mapping(file: Input) -> dict[str, Any] | None:
    """Return what a JSON file holds if it is one mapping of queries, as ranx and others write it."""
    first = formats.first_json_key(file.path)
    if first is None or roles.known(first) is not None:
        return None
    import gzip
    import json

    opener = gzip.open if formats.is_gzip(file.path) else open
    try:
        with opener(file.path, "rt", encoding="utf-8-sig") as text:
            whole = json.load(text)
    except ValueError:
        return None  # an object per line, or no JSON: DuckDB says
    return whole if isinstance(whole, dict) else None
