from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from tests.sql.databases import Database, DuckDB, SQLite, postgresql


@pytest.fixture(scope="session")
def databases() -> Iterator[Mapping[str, Database]]:
    """The databases by dialect; PostgreSQL starts with the first test of a process that asks."""
    with postgresql() as server:
        yield {database.dialect: database for database in (DuckDB(), SQLite(), server)}
