from __future__ import annotations

import sys

import pytest

from rankgauge.errors import RankgaugeError
from rankgauge.sql import query_of


def test_query_without_sqlglot_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("rankgauge.sql.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(RankgaugeError, match=r"pip install 'rankgauge\[sql\]'") as error:
        query_of("ndcg", dialect="duckdb")
    assert error.value.code == "no-package"


def test_query_in_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="bigquery, snowflake, databricks, duckdb, postgres, sqlite, got 'oracle'"):
        query_of("ndcg", dialect="oracle")
