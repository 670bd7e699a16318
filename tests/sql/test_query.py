"""Queries give the numbers of the native engine, in every database that is here."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlglot
from hypothesis import example, given
from hypothesis import strategies as st
from tests.grids import examples, grid
from tests.properties.strategies import GRADES, SCORES, Case, conventions, mapping, measures, rows
from tests.sql.databases import Database, DuckDB, Rows

import rankgauge as rg
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines import native
from rankgauge.errors import RankgaugeError
from rankgauge.errors.catalogue import PROBLEMS
from rankgauge.measures import NAMED
from rankgauge.sql import DIALECTS, query_of
from rankgauge.sql.query import TableColumns, write
from rankgauge.sql.refusals import is_sayable, refusals

Databases = Mapping[str, Database]
DATABASES = ("duckdb", "sqlite", "postgres")
SAYABLE = [measure for measure in NAMED.values() if is_sayable(measure)]
TABLES: tuple[TableColumns, TableColumns] = (("judgments", {}), ("ranking", {}))
MEASURES = [
    *("ndcg", "ndcg@3", "ndcg(gain=exp2)@5", "ndcg(ideal=perfect(3))@4", "dcg@5", "idcg", "cg@2", "rbp", "sdcg@3"),
    *(
        "P@5",
        "precision",
        "precision(rel=2)@3",
        "recall@4",
        "success@1",
        "mrr",
        "mrr@2",
        "map",
        "map@3",
        "capped_map@3",
    ),
]
TEXTBOOK_BY_ID = rg.conventions.get("textbook(ties=id-ascending)")
CONVENTIONS = [name for name, each in rg.conventions.NAMED.items() if not any(refusals(each, DIALECTS["duckdb"]))]


@st.composite
def sayable_cases(draw: st.DrawFn) -> Case:
    """Rows in any order, and a request that SQL can answer per query."""
    ties = draw(st.sampled_from(["id-descending", "id-ascending", "average", "worst", "best"]))
    nothing = draw(st.sampled_from(["zero", "one", "skip"]))
    return Case(
        judged=draw(rows(GRADES * 2, unique=True)),
        ranked=draw(rows(SCORES, unique=True)),
        measures=draw(st.lists(measures(SAYABLE).filter(is_sayable), min_size=1, max_size=4, unique=True)),
        convention=draw(conventions(ties=ties, nothing_relevant=nothing, duplicates="error")),
        depth=draw(st.none() | st.sampled_from([1, 2, 4, 50])),
    )


def values_of(case: Case) -> dict[str, list[float]] | None:
    """The values of each query by the native engine, NaN for those left out of the mean; nothing if it refuses."""
    judgments, ranking = Judgments.from_mapping(mapping(case.judged)), Ranking.from_mapping(mapping(case.ranked))
    try:
        evaluation = native.evaluate(judgments, ranking, case.request)
    except RankgaugeError:
        return None
    columns = [evaluation.values[measure] for measure in case.request.measures]
    return {query: values for query, *values in zip(evaluation.queries, *columns, strict=True)}


def assert_near(actual: Sequence[float | None], expected: Sequence[float], context: object) -> None:
    """Numbers are equal within 1e-12, and NULL is what is NaN in Python."""
    numbers = [math.nan if value is None else value for value in actual]
    assert numbers == pytest.approx(list(expected), rel=1e-12, abs=1e-12, nan_ok=True), context


# The product of the ideal once stood behind the division without parentheses.
PERFECT = Case(
    [("q", "a", 1.0)], [("q", "a", 1.0)], [NAMED["sdcg"](discount="log(2.5)", ideal="perfect(3)")], TEXTBOOK_BY_ID, None
)


@examples(250)
@example(case=PERFECT)
@given(case=sayable_cases())
def test_values_of_any_rows_equal_the_native_engine(databases: Databases, case: Case) -> None:
    expected = values_of(case)
    for dialect, database in databases.items():
        if any(refusals(case.convention, DIALECTS[dialect], per_query=True)):
            continue
        lines = database.ask(write(case.request, dialect, TABLES, per_query=True), case.judged, case.ranked)
        problems = [problem for *_, problem in lines if problem is not None]
        if expected is None:
            assert problems, dialect
            continue
        assert problems == [], dialect
        assert [query for query, *_ in lines] == list(expected), dialect
        for query, *values, _ in lines:
            assert_near(values, expected[query], (dialect, query))


def random_rows(numbered: bool) -> tuple[Rows, Rows]:
    """Forty queries with ties, unjudged items, and some missing on either side; ids are numbers or texts."""
    rng = random.Random(11)
    ids = (lambda number: number) if numbered else "é{}".format
    judged = [
        (ids(query), ids(item), float(rng.choice([0, 0, 1, 2, 3])))
        for query in range(40)
        for item in rng.sample(range(30), 12)
    ]
    ranked = [
        (ids(query), ids(item), rng.choice([0.1, 0.5, 0.25, 1.0]) if query % 3 else rng.random())
        for query in range(3, 43)
        for item in rng.sample(range(30), rng.randrange(1, 25))
    ]
    return judged, ranked


def as_mapping(rows_: Rows) -> dict[Any, dict[Any, float]]:
    return mapping(list(rows_))


@pytest.mark.parametrize("numbered", [False, True], ids=["texts", "numbers"])
@pytest.mark.parametrize("name", grid(CONVENTIONS, 4))
@pytest.mark.parametrize("dialect", DATABASES)
def test_means_of_a_convention_equal_the_native_engine(
    databases: Databases, dialect: str, name: str, numbered: bool
) -> None:
    judged, ranked = random_rows(numbered)
    if any(refusals(rg.conventions.get(name), DIALECTS[dialect])):
        name = f"{name}(precision=float64)"
    settings: dict[str, Any] = {"missing": "zero", "depth": 9} if numbered else {}
    result = rg.evaluate(as_mapping(judged), as_mapping(ranked), MEASURES, convention=name, **settings)
    ((*means, queries, problem),) = databases[dialect].ask(
        query_of(MEASURES, name, dialect=dialect, **settings), judged, ranked
    )
    assert problem is None
    assert queries == result.counts["evaluated"]
    assert_near(means, list(result.means.values()), name)


@pytest.mark.parametrize("name", grid(rg.conventions.NAMED, 8))
def test_ranks_that_differ_serve_every_convention(databases: Databases, name: str) -> None:
    judged, ranked = random_rows(numbered=False)
    ranks = [(query, item, position) for position, (query, item, _) in enumerate(ranked, start=1)]
    if rg.conventions.get(name).duplicates != "error":
        name = f"{name}(duplicates=error)"
    sql = query_of("ndcg@5,ndcg,map,mrr", name, dialect="duckdb", columns_ranking={"rank": "score"}, per_query=True)
    lines = databases["duckdb"].ask(sql, judged, ranks)
    frame = pl.DataFrame(ranks, schema=["query", "item", "rank"], orient="row")
    result = rg.evaluate(as_mapping(judged), frame, "ndcg@5,ndcg,map,mrr", convention=name)
    for query, *values, problem in lines:
        assert problem is None
        assert_near(values, [result.per_query[measure].get(query, math.nan) for measure in result.means], query)
    assert len(lines) == result.counts["evaluated"]


@pytest.mark.parametrize("dialect", DATABASES)
def test_ranks_that_tie_under_a_convention_of_row_order_are_a_problem(databases: Databases, dialect: str) -> None:
    sql = query_of("ndcg", "textbook", dialect=dialect, columns_ranking={"rank": "score"})
    ranked = [("q", "a", 1), ("q", "b", 1)]
    assert databases[dialect].ask(sql, [("q", "a", 1)], ranked) == [(None, 1, "no-row-order")]


JUDGED: Rows = [("q", "a", 2.0), ("q", "b", 1.0)]
RANKED: Rows = [("q", "a", 0.5), ("q", "b", 0.4)]
WRONG: dict[str, tuple[str, Rows, Rows]] = {
    "duplicate-item": ("trec_eval", [*JUDGED, ("q", "a", 2.0)], RANKED),
    "negative-grade": ("sklearn", [("q", "a", -1.0)], RANKED),
    "bad-value": ("trec_eval", [("q", "a", math.inf)], RANKED),
    "null-value": ("trec_eval", [*JUDGED, ("q", None, 1.0), ("q", None, 1.0)], RANKED),
    "no-common-query": ("trec_eval(missing=zero)", JUDGED, [("r", "a", 1.0)]),
    "missing-query": ("trec_eval(missing=error)", [*JUDGED, ("r", "a", 1.0)], RANKED),
    "unjudged-item": ("trec_eval(unjudged=error)", JUDGED, [*RANKED, ("q", "c", 0.1)]),
    "grade-not-in-table": ("trec_eval(gain=table(0=0,1=3))", JUDGED, RANKED),
    "overflow": ("trec_eval(gain=exp2)", [("q", "a", 1015.0)], RANKED),
}


@pytest.mark.parametrize("dialect", DATABASES)
@pytest.mark.parametrize("code", WRONG)
def test_rows_that_rankgauge_refuses_have_a_problem_and_no_value(databases: Databases, dialect: str, code: str) -> None:
    convention, judged, ranked = WRONG[code]
    assert code in PROBLEMS
    ((value, _, problem),) = databases[dialect].ask(query_of("ndcg", convention, dialect=dialect), judged, ranked)
    assert (value, problem) == (None, code)


@pytest.mark.parametrize("dialect", DATABASES)
@pytest.mark.parametrize(
    ("code", "ranked"),
    [
        ("duplicate-item", [*RANKED, ("q", "a", 0.1)]),
        ("null-value", [("q", "a", None)]),
        ("null-value", [*RANKED, ("q", None, 0.1)]),
        ("bad-value", [("q", "a", math.inf)]),
        ("bad-value", [("q", "a", -math.inf), ("q", "a", 0.5)]),
    ],
)
def test_rows_of_a_ranking_that_are_wrong_have_a_problem(
    databases: Databases, dialect: str, code: str, ranked: Rows
) -> None:
    sql = query_of("ndcg", dialect=dialect, per_query=True)
    assert databases[dialect].ask(sql, JUDGED, ranked) == [("q", None, code)]


@pytest.mark.parametrize("dialect", DATABASES)
@pytest.mark.parametrize(
    ("judged", "ranked"),
    [
        ([*JUDGED, (None, "c", 1.0)], RANKED),
        ([*JUDGED, ("q", None, 1.0)], RANKED),
        ([*JUDGED, ("q", "c", None)], RANKED),
        (JUDGED, [*RANKED, ("q", None, 0.1)]),
        (JUDGED, [*RANKED, ("q", "c", None)]),
    ],
    ids=["judged query", "judged item", "grade", "ranked item", "score"],
)
def test_problem_of_a_null_is_the_code_of_evaluate(
    databases: Databases, dialect: str, judged: Rows, ranked: Rows
) -> None:
    frames = {
        value: pl.DataFrame(list(rows_), schema=["query", "item", value], orient="row")
        for value, rows_ in (("grade", judged), ("score", ranked))
    }
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(frames["grade"], frames["score"], "ndcg")
    ((_, _, problem),) = databases[dialect].ask(query_of("ndcg", dialect=dialect), judged, ranked)
    assert problem == caught.value.code


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_nan_as_a_score_is_no_null(databases: Databases, dialect: str) -> None:
    sql = query_of("ndcg", dialect=dialect, per_query=True)
    assert databases[dialect].ask(sql, JUDGED, [("q", "a", math.nan)]) == [("q", None, "bad-value")]


@pytest.mark.parametrize("ties", ["id-ascending", "worst", "best", "average"])
def test_settings_of_duckdb_for_orders_and_texts_change_no_number(ties: str) -> None:
    judged, ranked = random_rows(numbered=False)
    judged = [(query, item.upper() if grade else item, grade) for query, item, grade in judged]
    ranked = [*ranked, *((query, item.upper(), score) for query, item, score in ranked)]
    database = DuckDB()
    database.connection.execute("SET default_order = 'desc'; SET default_null_order = 'nulls_first'")
    database.connection.execute("SET default_collation = 'nocase'")
    name = f"trec_eval(ties={ties})"
    lines = database.ask(query_of(MEASURES, name, dialect="duckdb", per_query=True, depth=9), judged, ranked)
    result = rg.evaluate(as_mapping(judged), as_mapping(ranked), MEASURES, convention=name, depth=9)
    assert [query for query, *_ in lines] == list(result.per_query["ndcg"])
    for query, *values, problem in lines:
        assert problem is None
        assert_near(values, [result.per_query[measure][query] for measure in result.means], query)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_dates_beside_points_in_time_are_a_problem_until_they_are_cast(databases: Databases, dialect: str) -> None:
    database: Any = databases[dialect]
    day, midnight = "CAST('2026-01-02' AS DATE)", "CAST('2026-01-02' AS TIMESTAMP)"
    sql = query_of("ndcg", dialect=dialect, missing="zero", judgments="days", ranking="times")
    views = "DROP VIEW IF EXISTS days; DROP VIEW IF EXISTS times; CREATE TEMP VIEW days AS SELECT {} AS query, "
    views += "'a' AS item, 1 AS grade; CREATE TEMP VIEW times AS SELECT {} AS query, 'a' AS item, 1 AS score"
    database.connection.execute(views.format(day, midnight))
    assert database.connection.execute(sql).fetchall() == [(None, 1, "no-common-query")]
    database.connection.execute(views.format(day, f"CAST({midnight} AS DATE)"))
    assert database.connection.execute(sql).fetchall() == [(1.0, 1, None)]


def test_texts_in_columns_of_sqlite_are_no_numbers(databases: Databases) -> None:
    sql = query_of("ndcg", dialect="sqlite")
    assert databases["sqlite"].ask(sql, JUDGED, [("q", "a", "0.5"), ("q", "b", "x")]) == [(None, 1, "bad-value")]
    assert databases["sqlite"].ask(sql, [("q", "a", "high")], RANKED) == [(None, 1, "bad-value")]


@pytest.mark.parametrize("dialect", DATABASES)
def test_tables_without_rows_have_no_value(databases: Databases, dialect: str) -> None:
    nothing = databases[dialect].ask(query_of("ndcg,map", dialect=dialect), [], [])
    assert nothing == [(None, None, 0, "no-common-query")]
    unanswered = databases[dialect].ask(query_of("ndcg", dialect=dialect, missing="zero"), JUDGED, [])
    assert unanswered == [(None, 1, "no-common-query")]
    assert databases[dialect].ask(query_of("ndcg", dialect=dialect, per_query=True), [], RANKED) == []


@pytest.mark.parametrize("convention", ["trec_eval", "sklearn", "catboost-exp"])
@pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect not in DATABASES])
def test_query_for_a_warehouse_is_read_back_and_gives_the_same_numbers(
    databases: Databases, dialect: str, convention: str
) -> None:
    judged, ranked = random_rows(numbered=False)
    sql = query_of(MEASURES, convention, dialect=dialect, depth=7)
    partitions = set(re.findall(r"PARTITION BY ([\w, ]+?)(?= ORDER|\))", sql))
    assert partitions <= {"query", "query, first_place"}  # BigQuery does not partition by floats
    (in_duckdb,) = sqlglot.transpile(sql, dialect, "duckdb")
    ((*means, _, problem),) = databases["duckdb"].ask(in_duckdb, judged, ranked)
    result = rg.evaluate(as_mapping(judged), as_mapping(ranked), MEASURES, convention=convention, depth=7)
    assert problem is None
    assert_near(means, list(result.means.values()), dialect)


def test_comment_says_what_is_computed_and_assumed() -> None:
    sql = query_of("P@5", "trec_eval(missing=zero)", dialect="sqlite", relevance_level=2, depth=100)
    comment = " ".join(line.removeprefix("-- ") for line in sql.splitlines() if line.startswith("--"))
    assert "P@5: the mean over the queries" in comment
    assert "under the convention trec_eval(missing=zero)" in comment
    assert "ties=id-descending" in comment
    assert "only the first 100 ranked items" in comment
    assert "SQLITE_ENABLE_MATH_FUNCTIONS" in comment
    assert all(line.startswith("--") for line in sql.partition("WITH ")[0].splitlines())


def test_names_with_quotes_and_schemas_are_found() -> None:
    database = duckdb.connect()
    database.execute('CREATE SCHEMA lake; CREATE TABLE lake."my ""qrels" ("the user" INT, "order" TEXT, Grade INT)')
    database.execute("CREATE TABLE lake.run (query TEXT, item TEXT, place INT)")
    database.execute("""INSERT INTO lake."my ""qrels" VALUES (7, 'a', 1)""")
    database.execute("INSERT INTO lake.run VALUES ('7', 'b', 1), ('7', 'a', 2)")
    sql = query_of(
        "mrr",
        dialect="duckdb",
        judgments='lake."my ""qrels"',
        ranking="lake.run",
        columns_judgments={"query": '"the user"', "item": '"order"'},
        columns_ranking={"rank": "place"},
    )
    assert database.execute(sql).fetchall() == [(0.5, 1, None)]


def test_measures_with_one_name_have_columns_of_their_own() -> None:
    sql = query_of(["precision(rel=0.5)@5", "hits@5", "precision(rel=0_5)@5"], dialect="duckdb")
    assert "AS precision_rel_0_5_at_5_2,\n  COUNT(*) AS queries" in sql
