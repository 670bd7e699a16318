"""DuckDB with the least rights: it reads the file that was named, spills to a folder of its own, and nothing else."""

from __future__ import annotations

import os
from typing import Any, Final, TypeAlias
from weakref import WeakSet

from rankgauge.inputs import limits
from rankgauge.inputs.temporary_folder import folder

Connection: TypeAlias = Any
Relation: TypeAlias = Any

# Opening a database in memory takes longer than reading a small file, so the connections of the last files are kept.
_MOST_KEPT: Final = 4
_KEPT: dict[str, Connection] = {}
_OPEN: WeakSet[Connection] = WeakSet()
# The least memory that DuckDB needs to read any text, and what each of its threads adds.
_LEAST: Final = 128 << 20
_THREAD: Final = 64 << 20


def reader(*paths: str, memory: int | None = None) -> Connection:
    """Return a connection that may read these files, or none.

    One with a share of the memory that may be used is for rows that stream through it: it has nowhere to spill to.
    """
    paths = tuple(os.path.realpath(path) for path in paths if path)
    limit = None if memory is None else share(memory)
    key = "\0".join([str(limit), *paths])
    kept = _KEPT.pop(key, None)
    cursor = None if kept is None else _cursor(kept)
    if cursor is None:
        spills = limit is None
        kept = _connect(limit, spills=spills)
        cursor = _cursor(_confined(kept, *paths, spills=spills))
    _KEPT[key] = kept
    while len(_KEPT) > _MOST_KEPT:
        del _KEPT[next(iter(_KEPT))]
    return cursor


def share(memory: int) -> int:
    """Return how many bytes of the memory DuckDB may use: up to half, a power of two, so that connections are kept.

    >>> share(4_000_000_000), share(1_000_000)
    (1073741824, 134217728)
    """
    return 1 << (max(memory // 2, _LEAST).bit_length() - 1)


def database(path: str, memory: int | None = None) -> Connection:
    """Return a connection whose tables and views are those of a database file, which is not locked once it is closed.

    A view may read the tables of its file: other files and addresses are refused, and so are rows without end.
    """
    limit = None if memory is None else share(memory)
    connection = _connect(limit, python_enable_replacements=False, max_temp_directory_size=f"{limits.unpacked(path)}B")
    quoted = _quoted(os.path.realpath(path))
    try:
        connection.execute(f"attach {quoted} (read_only)")
    except Exception as error:  # its name is that of the file, which may be one that DuckDB needs itself
        if "already exists" not in str(error):
            raise
        connection.execute(f"attach {quoted} as rankgauge_file (read_only)")
    names = "select database_name from duckdb_databases() where not internal and path is not null"
    ((name,),) = connection.execute(names).fetchall()
    connection.execute('use "{}"'.format(name.replace('"', '""')))
    if _knows(connection, "max_execution_time"):
        connection.execute(f"set max_execution_time = {1000 * limits.seconds()}")
    return _confined(connection)


def is_ours(relation: Relation) -> bool:
    """Whether a relation belongs to a connection of this module: others are left as they are."""
    return _folder_of(relation).startswith(folder() + os.sep)


def write(relation: Relation, options: str) -> str:
    """Write a relation of ours where its connection may write, and return the path; the options are those of COPY."""
    from secrets import token_hex

    folder_ = _folder_of(relation)
    os.makedirs(folder_, mode=0o700, exist_ok=True)  # noqa: PTH103 - quicker to start
    path = os.path.join(folder_, token_hex(8))  # noqa: PTH118
    relation.query("written", f"copy (from written) to {_quoted(path)} ({options})").fetchall()
    return path


def bring(relation: Relation, to: Relation) -> Relation:
    """Return a relation of ours in the connection of another, which is ours too: a join needs a single one."""
    written = write(relation, "format parquet")
    folder_ = _folder_of(to)
    os.makedirs(folder_, mode=0o700, exist_ok=True)  # noqa: PTH103
    path = os.path.join(folder_, os.path.basename(written))  # noqa: PTH118, PTH119
    os.replace(written, path)  # noqa: PTH105
    return to.query("other", f"from read_parquet({_quoted(path)})")


def _folder_of(relation: Relation) -> str:
    """Where the connection of a relation spills to."""
    return str(relation.query("relation", "select current_setting('temp_directory')").fetchall()[0][0])


def _connect(limit: int | None, *, spills: bool = True, **settings: str | bool) -> Connection:
    from secrets import token_hex

    import duckdb

    connection = duckdb.connect(
        config={
            "autoload_known_extensions": False,
            "autoinstall_known_extensions": False,
            "allow_community_extensions": False,
            # Created on first use; its path reveals no other folder to SQL views.
            "temp_directory": os.path.join(folder(), token_hex(8)) if spills else "",  # noqa: PTH118 - quicker to start
            # Texts as views, which DuckDB hands over without a copy.
            "produce_arrow_string_view": True,
            "arrow_output_version": "1.4",
            **settings,
        }
    )
    _OPEN.add(connection)
    if limit is not None:
        connection.execute(f"set memory_limit = '{limit}B'")
        connection.execute(f"set threads = least({max(1, limit // _THREAD)}, current_setting('threads')::int)")
    return connection


def _confined(connection: Connection, *paths: str, spills: bool = True) -> Connection:
    """Take away every right but to read these files and to spill."""
    allowed = ", ".join(map(_quoted, filter(None, paths)))
    connection.execute("set enable_progress_bar = false")
    # Files keep points in time as UTC; the zone of the machine would change ids from one to the next.
    connection.execute("set global TimeZone = 'UTC'")
    connection.execute(f"set allowed_paths = [{allowed}]")
    spill_folder = "current_setting('temp_directory')" if spills else ""
    connection.execute(f"set allowed_directories = [{spill_folder}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


def _cursor(connection: Connection) -> Connection | None:
    """A connection to the same database; None if a corrupt file has made the database useless."""
    import duckdb

    cursor = connection.cursor()
    try:
        cursor.execute("select 1").fetchall()
    except duckdb.Error:
        return None
    _OPEN.add(cursor)
    return cursor


def _knows(connection: Connection, setting: str) -> bool:
    settings = connection.execute("select count(*) from duckdb_settings() where name = ?", [setting])
    return bool(settings.fetchall()[0][0])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _forget_parent() -> None:
    """Leave the databases of the parent alone in a forked child: their threads are not here.

    To use one would wait for ever and to close one ends the process, so they are never freed.
    """
    import ctypes

    for connection in list(_OPEN):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
    _OPEN.clear()
    _KEPT.clear()


if hasattr(os, "register_at_fork"):  # where there is a fork
    os.register_at_fork(after_in_child=_forget_parent)
