"""The SQL that computes measures inside a database or a warehouse: `rankgauge sql`.

sqlglot, of the extra `sql`, is imported only when a query is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rankgauge.conventions import Convention, Missing, Unjudged
from rankgauge.errors import RankgaugeError
from rankgauge.request import RequestSettings
from rankgauge.sql.dialects import DIALECTS

if TYPE_CHECKING:
    from rankgauge.measures.parsing import MeasuresInput

__all__ = ["DIALECTS", "query_of"]


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)


def query_of(
    measures: MeasuresInput = "ndcg@10",
    convention: str | Convention = "trec_eval",
    *,
    dialect: str,
    judgments: str = "judgments",
    ranking: str = "ranking",
    columns_judgments: Mapping[str, str] | None = None,
    columns_ranking: Mapping[str, str] | None = None,
    per_query: bool = False,
    missing: Missing | None = None,
    unjudged: Unjudged | None = None,
    depth: int | None = None,
    relevance_level: float | None = None,
) -> str:
    """Return the SQL that computes the means of measures, or their values per query.

    What SQL cannot say exactly is refused by name.

    Parameters:
        measures: as for `rg.evaluate`: sums of gain × discount and their ratio, and `precision`, `recall`,
            `relative_precision`, `hits`, `success`, `mrr`, `map` and `capped_map`.
        convention: its name, or an `rg.Convention`; equal scores must not go by the order of rows.
        dialect: one of `DIALECTS`.
        judgments: the name of the table of judgments, as the dialect writes it: `schema.table`.
        ranking: the name of the table of the ranking.
        columns_judgments: the columns by role, by default `query`, `item` and `grade`.
        columns_ranking: the columns by role, by default `query`, `item` and `score`; a `rank` replaces the score.
        per_query: whether the values of the queries are returned instead of their means.
        missing: what a judged query is worth that the ranking lacks; default: as the convention says.
        unjudged: what a ranked item without a judgment is; default: as the convention says.
        depth: how many of the first ranked items count; default: all.
        relevance_level: the lowest grade that counts as relevant; default: any positive grade.

    >>> import duckdb
    >>> database = duckdb.connect()
    >>> _ = database.execute("CREATE TABLE qrels AS FROM (VALUES ('q', 'a', 3), ('q', 'b', 1)) t(query, item, grade)")
    >>> _ = database.execute("CREATE TABLE run AS FROM (VALUES ('q', 'b', 9), ('q', 'a', 4)) t(query, item, score)")
    >>> sql = query_of("ndcg@10,mrr", dialect="duckdb", judgments="qrels", ranking="run")
    >>> database.execute(sql).fetchall()
    [(0.796..., 1.0, 1, None)]

    """
    request = RequestSettings(missing, unjudged, depth, relevance_level).request(measures, convention)
    try:
        from rankgauge.sql.query import write
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "sqlglot":
            raise
        raise RankgaugeError("no-package", package="sqlglot", extra="sql") from None
    sources = (judgments, columns_judgments or {}), (ranking, columns_ranking or {})
    return write(request, dialect, sources, per_query=per_query)
