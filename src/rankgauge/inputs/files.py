"""Files → the nouns: texts and Arrow in the core, Parquet, JSON and databases through DuckDB and sqlite3."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankgauge._core import Stream, has_quotes
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import formats, roles
from rankgauge.inputs.formats import Format
from rankgauge.inputs.roles import Roles, Side

if TYPE_CHECKING:
    from rankgauge._core import _Columns as Columns

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
    # What more is needed of a judgment than its grade, and in which role.
    extra: int | None = None
    extra_role: str | None = None


def locate(source: str | os.PathLike[str]) -> Input:
    """Return the file; `-` is standard input, and what a pipe holds is kept in a file for as long as Python runs.

    >>> locate("runs.duckdb::bm25")
    Input(path='runs.duckdb', label='runs.duckdb', table='bm25')
    """
    from stat import S_ISREG

    path, table = formats.split_table(os.fspath(source))
    if path == "-":
        import sys

        if sys.stdin is None:
            raise RankgaugeError("unreadable-file", STANDARD_INPUT, got="it is closed")
        return Input(_spool(_unshared(sys.stdin.buffer)), STANDARD_INPUT, table)
    try:
        kept = S_ISREG(os.stat(path).st_mode) or os.path.isdir(path)  # noqa: PTH116, PTH112 - quicker to start
    except (OSError, ValueError):
        kept = True  # its reader says what is wrong
    label = os.fsencode(path).decode("utf-8", "replace")  # a name need not be UTF-8
    if kept:
        return Input(path, label, table)
    with open(path, "rb") as pipe:  # noqa: PTH123
        return Input(_spool(pipe), label, table)


def _unshared(stream: Any) -> Any:  # noqa: ANN401 - a binary file
    """Standard input without Python's lock on it, which a thread that is interrupted would never give back."""
    try:
        return open(stream.fileno(), "rb", buffering=0, closefd=False)
    except (AttributeError, OSError):
        return stream  # not a real file: a test, or a notebook


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


class Header(NamedTuple):
    """How a delimited text is written: what separates its columns, whether it names them, and their names."""

    delimiter: str
    named: bool
    columns: Sequence[str]


def header(file: Input, format_: Format, given: Given) -> Header:
    """Return the columns of a delimited text; names that are given as a list replace a header, if there is one."""
    style = formats.dialect(formats.first_lines(file.path), "\t" if format_ == "tsv" else ",")
    if not isinstance(given, Mapping):
        return Header(style.delimiter, named=_is_header(style.header or (), given), columns=given)
    return Header(style.delimiter, named=style.header is not None, columns=style.header or ())


def _is_header(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the first line names the columns: it has these names, or no number where a value should be."""
    values = [cell for cell, name in zip(cells, names, strict=False) if roles.known(name) in ("grade", "score", "rank")]
    return list(cells) == list(names) or any(not formats.is_number(cell) for cell in values)


def separated(file: Input, format_: Format, side: Side, given: Given) -> Separated | None:
    """Return how a delimited text is laid out; None where it has quotes, which the core does not read."""
    style = header(file, format_, given)
    found = _roles(style, side, given, file.label)
    if has_quotes(file.path):
        return None
    places = {name: place for place, name in enumerate(style.columns)}
    return Separated(
        delimiter=style.delimiter,
        header=style.named,
        columns=len(style.columns),
        query=places[found.query],
        item=places[found.item],
        value=None if found.value is None else places[found.value],
        descending=found.descending,
        extra=None if found.extra is None else places[found.extra],
        extra_role=found.extra_role,
    )


def _roles(style: Header, side: Side, given: Given, label: str) -> Roles:
    return roles.find(style.columns or None, side, given if isinstance(given, Mapping) else {}, label)


def require_file(file: Input) -> None:
    """Raise unless there is a file of that name; what else may be wrong with it, its reader says."""
    from stat import S_ISDIR

    try:
        mode = os.stat(file.path).st_mode  # noqa: PTH116 - quicker to start
    except FileNotFoundError:
        raise RankgaugeError("file-not-found", file.label) from None
    except (OSError, ValueError):
        return
    if S_ISDIR(mode):
        raise RankgaugeError("is-directory", file.label)


def table(file: Input, format_: Format, side: Side, given: Given) -> tuple[Columns, Roles]:
    """Return the columns of a file that a side needs, as the core takes them, and what each is."""
    try:
        return _table(file, format_, side, given)
    except Exception as error:
        if "duckdb" not in type(error).__module__:
            raise
        raise _unreadable(file, error) from None


def _table(file: Input, format_: Format, side: Side, given: Given) -> tuple[Columns, Roles]:
    if format_ in ("csv", "tsv"):
        return _quoted(file, format_, side, given)
    columns = roles.by_role(given)
    if format_ == "sqlite":
        return _sqlite(file, side, columns)
    if format_ == "arrow":
        return _arrow(file, side, columns)
    from rankgauge.inputs import frames

    relation = _json(file, side, columns) if format_ == "jsonl" else _relation(file, format_)
    return frames.read(relation, side, columns, file.label)


def _arrow(file: Input, side: Side, given: Mapping[str, str]) -> tuple[Columns, Roles]:
    try:
        stream = Stream.open_ipc(file.path)
    except RankgaugeError as error:
        raise RankgaugeError(error.code, file.label, **error.context) from None
    except OSError as error:
        raise _unreadable(file, error) from None
    return stream, roles.find(stream.names, side, given, file.label)


def whole(file: Input, format_: Format, given: Given) -> Any:  # noqa: ANN401 - a DuckDB relation
    """Return every column of a file as a DuckDB relation; a text holds texts, so that no id is taken for a number."""
    try:
        return _whole(file, format_, given)
    except Exception as error:
        if "duckdb" not in type(error).__module__:
            raise
        raise _unreadable(file, error) from None


def _whole(file: Input, format_: Format, given: Given) -> Any:  # noqa: ANN401 - a DuckDB relation
    if format_ in ("parquet", "duckdb"):
        return _relation(file, format_)
    if format_ == "jsonl":
        file = _complete_json(file)
        names = _read_json(file).columns
        return _read_json(file, dict.fromkeys(names, "VARCHAR"))
    if format_ in ("csv", "tsv"):
        style = header(file, format_, given)
        if not style.columns:  # tickers may be numbers: the first line of a table is its header all the same
            cells = formats.cells(formats.first_lines(file.path)[0], style.delimiter)
            style = style._replace(named=True, columns=cells)
        return _read_csv(file, style, style.columns)
    raise RankgaugeError("not-a-table", file.label, got=formats.FORMATS[format_])


def _relation(file: Input, format_: Format) -> Any:  # noqa: ANN401 - a DuckDB relation
    if format_ == "parquet":
        return _query(f"select * from read_parquet({_path(file)}, hive_partitioning = false)")  # noqa: S608
    import duckdb

    connection = duckdb.connect(file.path, read_only=True)
    _prefer_views(connection)
    tables = "select table_name from information_schema.tables where table_schema = current_schema()"
    shown = connection.sql(tables).fetchall()
    return connection.table(roles.quoted(_choose(file, [name for (name,) in shown])))


def _json(file: Input, side: Side, given: Mapping[str, str]) -> Any:  # noqa: ANN401 - a DuckDB relation
    """Ids as the text that they are: left to itself, DuckDB would take "007" for 7 and guess at dates."""
    file = _complete_json(file)
    loose = _read_json(file)
    found = roles.find(loose.columns, side, given, file.label)
    lists = {name for name, kind in zip(loose.columns, loose.types, strict=True) if str(kind).endswith("[]")}
    kinds = {found.query: "VARCHAR", found.item: "VARCHAR"} | ({found.value: "DOUBLE"} if found.value else {})
    kinds |= {found.extra: "VARCHAR" if found.extra_role == "subtopic" else "DOUBLE"} if found.extra else {}
    return _read_json(file, {name: f"{kind}{'[]' * (name in lists)}" for name, kind in kinds.items()})


def _read_json(file: Input, kinds: Mapping[str, str] | None = None) -> Any:  # noqa: ANN401 - a DuckDB relation
    columns = ", ".join(f"{_text(name)}: '{kind}'" for name, kind in (kinds or {}).items())
    options = f"compression = {_compression(file)}, hive_partitioning = false"
    options += f", columns = {{{columns}}}" if kinds else ""
    return _query(f"select * from read_json({_path(file)}, {options})")  # noqa: S608 - its texts are quoted


def _complete_json(file: Input) -> Input:
    """The file without a byte order mark, which DuckDB does not know; an array that is cut is refused."""
    import gzip
    from io import BytesIO

    with gzip.open(file.path) if formats.is_gzip(file.path) else open(file.path, "rb") as source:  # noqa: PTH123
        first = source.read(3)
        if first != b"\xef\xbb\xbf" and not first.lstrip().startswith(b"["):
            return file
        try:
            whole = (first + source.read()).removeprefix(b"\xef\xbb\xbf").strip()
        except (OSError, EOFError) as error:
            raise _unreadable(file, error) from None
    if whole.startswith(b"[") and not whole.endswith(b"]"):
        raise RankgaugeError("unreadable-table", file.label, got="an array without its end")
    return file if first.lstrip().startswith(b"[") else file._replace(path=_spool(BytesIO(whole)))


def _quoted(file: Input, format_: Format, side: Side, given: Given) -> tuple[Columns, Roles]:
    style = header(file, format_, given)
    found = _roles(style, side, given, file.label)
    return Stream(_read_csv(file, style, found.columns)), found


def _read_csv(file: Input, style: Header, wanted: Sequence[str]) -> Any:  # noqa: ANN401 - a DuckDB relation
    """Cells as text without the blanks around them, as the core reads those of a text without quotes."""
    places = list(style.columns).index
    cells = (f"trim(c{places(name)}, ' ' || chr(9)) as {roles.quoted(name)}" for name in wanted)
    columns = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(style.columns)))
    skip = formats.lines_before(file.path) + style.named
    options = (
        f"delim = {_text(style.delimiter)}, header = false, skip = {skip}, quote = '\"', escape = '\"', comment = '', "
        f"auto_detect = false, strict_mode = true, columns = {{{columns}}}, compression = {_compression(file)}, "
        "hive_partitioning = false, nullstr = ''"
    )
    return _query(f"select {', '.join(cells)} from read_csv({_path(file)}, {options})")  # noqa: S608 - texts are quoted


def _query(query: str) -> Any:  # noqa: ANN401 - a DuckDB relation
    connection = _reader_of_files().cursor()
    _prefer_views(connection)
    return connection.sql(query)


@cache
def _reader_of_files() -> Any:  # noqa: ANN401 - a DuckDB connection
    """A database of our own in memory, opened once: that takes longer than reading a small file."""
    import duckdb

    return duckdb.connect()


def _prefer_views(connection: Any) -> None:  # noqa: ANN401 - a DuckDB connection
    """Texts that DuckDB lends as they lie in its memory spare it a copy."""
    connection.execute("set produce_arrow_string_view = true")
    connection.execute("set arrow_output_version = '1.4'")


def _compression(file: Input) -> str:
    return "'gzip'" if formats.is_gzip(file.path) else "'none'"


def _path(file: Input) -> str:
    """The path as SQL; DuckDB takes some characters for patterns, so a file of such a name gets another."""
    if not set(file.path) & set("*?["):
        return _text(file.path)
    from pathlib import Path
    from tempfile import mkdtemp

    link = Path(mkdtemp(dir=_folder())) / "file"
    link.symlink_to(Path(file.path).resolve())
    return _text(str(link))


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
        name = roles.quoted(_choose(file, [name for (name,) in shown]))
        names = [row[1] for row in connection.execute(f"pragma table_info({name})")]
        found = roles.find(names, side, given, file.label)
        listed = ", ".join(map(roles.quoted, found.columns))
        rows = connection.execute(f"select {listed} from {name}").fetchall()  # noqa: S608 - the names are quoted
    except sqlite3.Error as error:
        raise _unreadable(file, error) from None
    columns = list(zip(*rows, strict=True)) or [() for _ in found.columns]
    return {name: list(column) for name, column in zip(found.columns, columns, strict=True)}, found


def _unreadable(file: Input, error: Exception) -> RankgaugeError:
    """What DuckDB says may go over many lines, with advice on its own options: the beginning tells what is wrong."""
    import re

    text = " ".join(str(error).split()).replace(file.path, file.label)
    line = re.search(r"CSV Error on Line: (\d+)", text)
    place = f"{file.label}:{line[1]}" if line else file.label
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if columns:
        hint = "a cell that holds a delimiter needs double quotes"
        expected, got = f"{columns[1]} columns as in the header", f"{columns[2]} columns"
        return RankgaugeError("bad-columns", place, columns=expected, got=got, hint=hint)
    return RankgaugeError("unreadable-table", place, got=text[:160])


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
            whole = json.load(text, object_pairs_hook=lambda pairs: _distinct(pairs, file.label))
    except RankgaugeError:
        raise
    except (ValueError, OSError, EOFError, RecursionError):
        return None  # an object per line, or no JSON: DuckDB says
    return whole if isinstance(whole, dict) else None


def _distinct(pairs: list[tuple[str, Any]], label: str) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RankgaugeError("duplicate-key", label, got=next(key for key in keys if keys.count(key) > 1))
    return mapping
