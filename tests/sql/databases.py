"""Databases that run a query on rows: DuckDB, Python's SQLite, and a PostgreSQL that the tests start."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import duckdb
import psycopg
import pytest
from tests.required_programs import require_program

Rows = Sequence[tuple[Any, Any, Any]]
Line = tuple[Any, ...]
TABLES: Mapping[str, str] = {"judgments": "grade", "ranking": "score"}


_INSERT = {table: f"INSERT INTO {table} VALUES (?, ?, ?)" for table in TABLES}  # noqa: S608 - names from above


class Database(Protocol):
    """A dialect, and a connection that runs queries."""

    dialect: str

    def ask(self, sql: str, judged: Rows, ranked: Rows) -> list[Line]:
        """Return the answer to a query about tables with these rows."""
        ...


class DuckDB:
    dialect = "duckdb"

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 1")

    def ask(self, sql: str, judged: Rows, ranked: Rows) -> list[Line]:
        for (table, value), rows in zip(TABLES.items(), (judged, ranked), strict=True):
            self.connection.execute(
                f"CREATE OR REPLACE TABLE {table} (query {_type(rows)}, item {_type(rows)}, {value} DOUBLE)"
            )
            if rows:
                self.connection.executemany(_INSERT[table], list(rows))
        return self.connection.execute(sql).fetchall()


class SQLite:
    dialect = "sqlite"

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")

    def ask(self, sql: str, judged: Rows, ranked: Rows) -> list[Line]:
        for (table, value), rows in zip(TABLES.items(), (judged, ranked), strict=True):
            self.connection.execute(f"DROP TABLE IF EXISTS {table}")
            # The collation of the columns must not decide anything.
            self.connection.execute(f"CREATE TABLE {table} (query, item COLLATE NOCASE, {value})")
            self.connection.executemany(_INSERT[table], rows)
        return self.connection.execute(sql).fetchall()


class PostgreSQL:
    dialect = "postgres"

    def __init__(self, connection: psycopg.Connection[Line]) -> None:
        self.connection = connection

    def ask(self, sql: str, judged: Rows, ranked: Rows) -> list[Line]:
        with self.connection.cursor() as cursor:
            for (table, value), rows in zip(TABLES.items(), (judged, ranked), strict=True):
                cursor.execute(f"DROP TABLE IF EXISTS {table}")
                kind = _type(rows)
                cursor.execute(f"CREATE TEMP TABLE {table} (query {kind}, item {kind}, {value} DOUBLE PRECISION)")
                with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
            cursor.execute(sql.encode())
            return cursor.fetchall()


def _type(rows: Rows) -> str:
    return "BIGINT" if rows and isinstance(rows[0][0], int) else "VARCHAR"


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """Start a server of its own in a temporary folder, which only its socket reaches; root cannot run one."""
    folder = Path(tempfile.mkdtemp(prefix="rankgauge-postgres-"))
    try:
        _control(
            folder,
            "initdb",
            "-o",
            "--auth=trust --username=tests --no-sync --encoding=UTF8 "
            "--locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US",
        )
        # Its log is in the folder too; `pg_ctl` would wait for a server that holds the pipe of its output.
        settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c jit=off"
        _control(folder, "start", "--wait", "-l", str(folder / "log"), "-o", settings)
        try:
            with psycopg.connect(host=str(folder), user="tests", dbname="postgres", autocommit=True) as connection:
                yield PostgreSQL(connection)
        finally:
            _control(folder, "stop", "--mode=immediate")
    finally:
        shutil.rmtree(folder)


def _control(folder: Path, *arguments: str) -> None:
    command = [_program("pg_ctl"), "-D", str(folder / "data"), *arguments]
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        command = [require_program("runuser", "util-linux"), "-u", "postgres", "--", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr


def _program(name: str) -> str:
    """The path of a program of PostgreSQL, which Debian keeps in a folder per version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    path = shutil.which(name, path=os.pathsep.join([*map(str, reversed(folders)), os.environ.get("PATH", "")]))
    if path is None:
        pytest.fail("this test starts PostgreSQL: install it with `apt-get install postgresql`", pytrace=False)
    return path
