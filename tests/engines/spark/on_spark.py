"""Evaluations on a real Spark, compared with this machine: `python -m tests.engines.spark.on_spark CASE…`."""

from __future__ import annotations

import datetime as dt
import pickle
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest import mock

import polars as pl
import pytest
from tests.engines.spark.comparisons import comparisons, faults_of_runs, many_queries, runs_of_every_kind
from tests.engines.spark.data import JUDGED, MEASURES, RANKED, Rows, assert_same, bits, frame, refused
from tests.engines.spark.orders import orders
from tests.engines.spark.parts import failed, shuffles, watched
from tests.engines.spark.sessions import session
from tests.engines.spark.setting import Setting
from tests.engines.spark.skew import longest, skewed

import rankgauge as rg
from rankgauge.engines.batch_limit import BYTES, SETTINGS
from rankgauge.scale import spark_comparison

SCORED: Final = "query string, item string, s double"
CONVENTIONS: Final = ("trec_eval", "sklearn", "trec_eval(missing=zero,nothing_relevant=skip)", "textbook", "lightgbm")


def partitions(spark: Any) -> None:
    """Every number of partitions gives the same bits, of coverage too, also where Spark merges those of few rows."""
    setting = Setting(spark)
    for count in (1, 7):
        spark.conf.set("spark.sql.shuffle.partitions", str(count))
        setting.check(parts=count)
    spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "true")
    setting.check(parts=1)
    spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    for convention in CONVENTIONS[1:]:
        setting.check(convention=convention)
    setting.check("ndcg@3,dcg", depth=5, relevance_level=2)


def many_partitions(spark: Any) -> None:
    """Of 200 partitions, Spark's hash gives 105 a query of the 150: the others send nothing."""
    setting = Setting(spark)
    spark.conf.set("spark.sql.shuffle.partitions", "200")
    for convention in CONVENTIONS:
        setting.check(convention=convention, parts=105)
    spark.conf.set("spark.sql.shuffle.partitions", "2")


def first_faults(spark: Any) -> None:
    """Of the errors of several partitions, that of the first step and of the first query by id is raised."""
    spark.conf.set("spark.sql.shuffle.partitions", "7")
    setting = Setting(spark)

    def found(judgments: Any, ranking: Any, parts: int) -> str:
        with watched() as received:
            words = refused(lambda: rg.evaluate(judgments, ranking, "ndcg@10,coverage@10"))
        assert failed(received[0]) == parts
        return words

    again = [row for row in setting.ranked if row[0] in ("q71", "q2", "q110")]  # in three of the partitions
    twice = spark.createDataFrame([*setting.ranked, *again], RANKED)
    expected = refused(lambda: rg.evaluate(setting.spark_judgments, twice, engine="native"))
    assert found(setting.spark_judgments, twice, 3) == expected
    assert "query 'q110'" in expected
    nulls = [(query, "d99", None) for query in ("q8", "q31", "q80")]  # in three others
    judgments = spark.createDataFrame([*setting.judged, *nulls], JUDGED)
    assert "column 'grade', query 'q31'" in found(judgments, twice, 6)
    spark.conf.set("spark.sql.shuffle.partitions", "2")


def values(spark: Any) -> None:
    """Values per query stay on the cluster, computed when they are asked for, or kept."""
    setting = Setting(spark)
    settings: dict[str, Any] = {"convention": "trec_eval(nothing_relevant=skip)"}
    expected = rg.evaluate(setting.judgments, setting.ranking, "ndcg@10,map", **settings)
    table = {row[0]: tuple(row)[1:] for row in expected.per_query}
    for persist in (False, True):
        actual = rg.evaluate(setting.spark_judgments, setting.spark_ranking, "ndcg@10,map", **settings, persist=persist)
        values = actual.per_query_frame
        assert values.columns == ["query", "ndcg@10", "map"]
        assert {row[0]: tuple(row)[1:] for row in values.collect()} == table
        assert shuffles(values) == 1
        assert bool(spark.sparkContext._jsc.getPersistentRDDs()) is persist
    copy = pickle.loads(pickle.dumps(actual))  # noqa: S301 - our own
    assert bits(copy.means) == bits(actual.means)
    assert "got one of this machine" in refused(lambda: copy.per_query_frame)
    assert "stayed on the cluster" in refused(lambda: actual.per_query)
    assert "stayed on the cluster" in refused(lambda: actual.report("report.html"))
    with TemporaryDirectory() as folder:
        actual.per_query_frame.write.parquet(f"{folder}/values")
        assert {row[0]: row[1:] for row in pl.read_parquet(f"{folder}/values/*.parquet").iter_rows()} == table
    assert actual.per_query_frame.join(setting.spark_judgments, "query", "leftanti").count() == 0
    numbered = [
        side.selectExpr("CAST(substr(query, 2) AS int) AS query", "item", value) for side, value in setting.scored
    ]
    assert dict(rg.evaluate(*numbered).per_query_frame.dtypes)["query"] == "bigint"
    covered = rg.evaluate(setting.spark_judgments, setting.spark_ranking, "mrr,coverage@10")
    assert covered.per_query_frame.columns == ["query", "mrr"]


def local_sides(spark: Any) -> None:
    """A side that is here is sent to the cluster; `native` brings the other here."""
    setting = Setting(spark)
    expected = rg.evaluate(setting.judgments, setting.ranking, MEASURES)
    by_query: dict[str, dict[str, int]] = {}
    for query, item, grade in setting.judged:
        by_query.setdefault(query, {})[item] = grade
    for judgments, ranking in (
        (by_query, setting.spark_ranking),
        (setting.judgments, setting.spark_ranking),
        (setting.spark_judgments, setting.ranking),
    ):
        actual = rg.evaluate(judgments, ranking, MEASURES)
        assert bits(actual.means) == bits(expected.means)
        assert actual.counts == expected.counts
        assert actual.per_query_frame.columns[0] == "query"
    _empty_queries(setting, by_query)
    ordered = {query: [item for other, item, *_ in setting.ranked if other == query] for query in ("q0", "q1", "q2")}
    here = rg.evaluate(by_query, ordered, convention="textbook")
    assert rg.evaluate(setting.spark_judgments, ordered, convention="textbook").means == here.means
    native = rg.evaluate(setting.spark_judgments, setting.spark_ranking, MEASURES, engine="native")
    assert native.per_query["map"] == expected.per_query["map"]
    _brought_here(setting)
    _ids_of_time(spark)
    assert "none on either side" in refused(lambda: rg.evaluate(by_query, ordered, engine="spark"))
    for settings, words in (({"human": by_query}, "human labels"), ({"memory": "1GB"}, "got memory=")):
        more: dict[str, Any] = dict(settings)
        assert words in refused(lambda more=more: rg.evaluate(setting.spark_judgments, ordered, **more))
        assert words in refused(lambda more=more: rg.evaluate(setting.spark_judgments, ordered, engine="spark", **more))
    collected = rg.evaluate(setting.spark_judgments, setting.ranking, engine="native", human=setting.judgments)
    assert collected["ndcg@10"] == pytest.approx(expected["ndcg@10"])


def _ids_of_time(spark: Any) -> None:
    """Points in time of this machine are sent as the text that they have here; those of Spark are of UTC."""
    midnight, morning = dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 1, 9, 30)
    ranking = [("2026-01-01", "2026-01-01", 0.5), ("2026-01-01", "2026-01-01T09:30:00", 0.6)]
    for judgments in ({midnight: {midnight: 3, morning: 1}}, {dt.date(2026, 1, 1): {midnight: 3, morning: 1}}):
        actual = rg.evaluate(judgments, spark.createDataFrame(ranking, SCORED))
        expected = rg.evaluate(judgments, frame(ranking, SCORED))
        assert_same(actual, expected)
        assert actual.query_kind == expected.query_kind
    # Of two equal scores the later text comes first: in New York the clocks go back between these.
    moments = [
        dt.datetime(2026, 11, 1, 5, 30, tzinfo=dt.timezone.utc),
        dt.datetime(2026, 11, 1, 6, 15, tzinfo=dt.timezone.utc),
    ]
    types = "query timestamp, item timestamp"
    judged = spark.createDataFrame(
        [(moments[0], moment, 1 - place) for place, moment in enumerate(moments)], f"{types}, grade int"
    )
    ranked = spark.createDataFrame([(moments[0], moment, 0.5) for moment in moments], f"{types}, score double")
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    actual = rg.evaluate(judged, ranked, "mrr")
    expected = rg.evaluate(judged, ranked, "mrr", engine="native")
    assert actual["mrr"] == expected["mrr"] == 0.5
    assert [row[0] for row in actual.per_query_frame.collect()] == list(expected.per_query["mrr"])
    spark.conf.set("spark.sql.session.timeZone", zone)


def _brought_here(setting: Setting) -> None:
    """What looks at rows brings them here, and says what it says of local frames."""
    here = setting.judgments, setting.ranking
    there = setting.spark_judgments, setting.spark_ranking
    for convention in ("trec_eval", "lightgbm"):  # without and with the order of rows
        look = partial(rg.explain, query="q1", measure="ndcg@10", convention=convention)
        assert look(*there).to_dict() == look(*here).to_dict()
        assert str(look(*there)) == str(look(*here))
    expected = rg.conventions.compare(*here, measure="ndcg@10")
    actual = rg.conventions.compare(*there, measure="ndcg@10")
    assert actual.to_dict() == expected.to_dict()
    assert str(actual) == str(expected)


def _empty_queries(setting: Setting, judged: dict[str, dict[str, int]]) -> None:
    """Queries without rows, which only mappings have, count as they do here."""
    ranked: dict[str, dict[str, float]] = {}
    for query, item, score, _ in setting.ranked:
        ranked.setdefault(query, {})[item] = score
    for convention in ("trec_eval", "sklearn"):
        settings: dict[str, Any] = {"convention": convention}
        unjudged = {**judged, "q1": {}, "neither": {}}
        actual = rg.evaluate(unjudged, setting.spark_ranking, MEASURES, order="place", **settings)
        assert_same(actual, rg.evaluate(unjudged, setting.ranking, MEASURES, **settings))
        unranked = {**ranked, "q1": {}, "q12": {}}
        actual = rg.evaluate(setting.spark_judgments, unranked, MEASURES, **settings)
        assert_same(actual, rg.evaluate(setting.judgments, unranked, MEASURES, **settings))
    assert actual.counts["blank"] == 2


def batch_limit(spark: Any) -> None:
    """The limit on the bytes of a batch is lifted while partitions are evaluated, and one of the user holds."""
    setting = Setting(spark)
    kind = type(setting.spark_ranking)
    collect = kind.collect
    limits = []

    def noted(frame: Any) -> Any:
        limits.append([spark.conf.get(name, None) for name in SETTINGS])
        return collect(frame)

    with mock.patch.object(kind, "collect", noted):
        setting.check()
        spark.conf.set(BYTES, "1")  # batches of a row
        setting.check()
        assert spark.conf.get(BYTES) == "1"
        spark.conf.unset(BYTES)
        twice = setting.spark_ranking.union(setting.spark_ranking)
        refused(lambda: rg.evaluate(setting.spark_judgments, twice))
    lifted = list(SETTINGS.values())
    assert limits == [lifted, ["1", None], lifted]
    assert [spark.conf.get(name, None) for name in SETTINGS] == [None, None]


def ranks(spark: Any) -> None:
    """A column of ranks says the order, as long as no two items share a rank that counts."""
    rows = [("q", "a", 1), ("q", "b", 2), ("q", "c", 2)]
    judgments = spark.createDataFrame([("q", "b", 1)], "query string, item string, grade int")
    ranking = spark.createDataFrame(rows, "query string, item string, rank int")
    here = {"q": ["a", "b", "c"]}
    expected = rg.evaluate({"q": {"b": 1}}, here, "ndcg@1", convention="lightgbm")
    assert rg.evaluate(judgments, ranking, "ndcg@1", convention="lightgbm").means == expected.means
    assert "share a rank" in refused(lambda: rg.evaluate(judgments, ranking, "ndcg@2", convention="lightgbm"))
    assert "share a rank" in refused(
        lambda: rg.compare(judgments, {"a": ranking, "b": here}, "ndcg@2", convention="lightgbm")
    )


def id_types(spark: Any) -> None:
    """Ids have the text that they have on this machine, whatever their types are."""
    days = [dt.date(2026, 1, day) for day in (1, 2, 3)]
    moments = [dt.datetime(2026, 1, day, 9, tzinfo=dt.timezone.utc) for day in (1, 2, 3)]
    columns: Mapping[str, list[Any]] = {
        "int": [9, 10, -11],
        "bigint": [9, 10, 2**40],
        "string": ["9", "10", "é, 'x'"],
        "date": days,
        "timestamp": moments,
        "timestamp_ntz": [moment.replace(tzinfo=None) for moment in moments],
        "decimal(20,0)": [Decimal(9), Decimal(10), Decimal(2**60)],
        "double": [9.0, 10.0, 11.0],
    }
    pairs = [(kind, kind) for kind in columns] + [("int", "bigint"), ("int", "string"), ("date", "string")]
    for judged, ranked in pairs:
        texts = [*map(str, columns[judged])] if ranked == "string" != judged else columns[ranked]
        texts = columns[judged] if ranked == "bigint" else texts
        tables = (
            spark.createDataFrame([(query, query, 1) for query in columns[judged]], f"q {judged}, i {judged}, g int"),
            spark.createDataFrame([(q, i, 0.5) for q in texts for i in texts], f"q {ranked}, i {ranked}, s double"),
        )
        names = {"query": "q", "item": "i", "grade": "g", "score": "s"}
        here = rg.evaluate(*tables, "mrr", columns=names, engine="native")
        actual = rg.evaluate(*tables, "mrr", columns=names)
        assert (actual.means, actual.counts, actual.query_kind) == (here.means, here.counts, here.query_kind), judged
        assert {str(row[0]) for row in actual.per_query_frame.collect()} == set(map(str, here.per_query["mrr"])), judged
    odd = spark.createDataFrame([("9", "9", 0.5)], "query string, item string, score double")
    timed = spark.createDataFrame([(moments[0], "9", 1)], "query timestamp, item string, grade int")
    assert "timestamp in the judgments and string in the ranking" in refused(lambda: rg.evaluate(timed, odd))
    lists = spark.createDataFrame([("9", ["9"])], "query string, item array<string>")
    assert "got lists" in refused(lambda: rg.evaluate(lists, odd))


def odd_rows(spark: Any) -> None:
    """Nulls, duplicates, empty and disjoint tables, long scores: the words of this machine."""
    setting = Setting(spark)
    judgments, ranking = setting.spark_judgments, setting.spark_ranking

    def ranked(*more: tuple[Any, ...]) -> Any:
        return spark.createDataFrame([*setting.ranked, *more], RANKED)

    def both(judgments: Any, ranking: Any, measures: str = "ndcg@10", **settings: Any) -> list[str]:
        evaluate = partial(rg.evaluate, judgments, ranking, measures, **settings)
        return [refused(partial(evaluate, engine=engine)) for engine in ("spark", "native")]

    twice = [row for row in setting.ranked if row[0] in ("q71", "q9", "q110")]
    actual, expected = both(judgments, ranked(*twice))
    assert actual == expected
    assert "query 'q110'" in actual  # the first by id
    strict: dict[str, Any] = {"convention": "trec_eval(missing=error)"}
    actual, expected = both(judgments, ranking, **strict)
    assert actual == expected
    no_rows = spark.createDataFrame([], JUDGED), spark.createDataFrame([], RANKED)
    for empty in ((no_rows[0], no_rows[1]), (no_rows[0], ranking), (judgments, no_rows[1])):
        actual, expected = both(*empty)
        assert actual == expected
    apart = ranking.selectExpr("concat('x', query) AS query", "item", "score")
    actual, expected = both(judgments, apart)
    assert actual == expected
    nulls = ranked(("q8", "d99", None, 1), ("q12", "d99", None, 1), ("q2", None, 0.5, 1))
    assert "column 'score', query 'q12': expected a value in every row" in both(judgments, nulls)[0]
    assert "column 'query': expected a value" in both(judgments, ranked((None, "d99", 0.5, 1)))[0]
    assert "column 'score', query 'q4': expected" in both(judgments, ranked(("q4", "d", float("nan"), 1)))[0]
    long = ranking.selectExpr("query", "item", "9007199254740992 + place % 2 AS score")
    assert rg.evaluate(judgments, long).counts == rg.evaluate(judgments, long, engine="native").counts
    written = judgments.selectExpr("query", "item", "CAST(grade AS string) AS grade")
    assert rg.evaluate(written, ranking).means == rg.evaluate(judgments, ranking).means
    assert "has ties=given" in refused(lambda: rg.evaluate(judgments, ranking, convention="textbook"))
    unscored = ranking.select("query", "item")
    assert "no column of scores" in refused(lambda: rg.evaluate(judgments, unscored))
    assert "a mean over queries, got relstring@5" in refused(lambda: rg.evaluate(judgments, ranking, "map,relstring@5"))


ANNOTATED: Final = "query string, item string, subtopic string, grade int, propensity double"


def annotated_rows() -> tuple[Rows, Rows]:
    """Judgments with subtopics and propensities, one item of which has two subtopics; and a ranking."""
    judged: Rows = [(f"q{query}", f"d{item}", f"t{item % 3}", item % 2, 0.5) for query in range(9) for item in range(8)]
    ranked: Rows = [(f"q{query}", f"d{item}", item * 7 % 5 / 3) for query in range(9) for item in range(8)]
    return [*judged, ("q0", "d1", "t2", 2, 0.25)], ranked


def subtopics(spark: Any) -> None:
    """Evaluations of partitions with annotated judgments merge to that of the whole."""
    judged, ranked = annotated_rows()
    judgments, ranking = frame(judged, ANNOTATED), frame(ranked, SCORED)
    actual = rg.evaluate(
        spark.createDataFrame(judged, ANNOTATED), spark.createDataFrame(ranked, SCORED), "alpha_ndcg@5,ndcg@5"
    )
    assert_same(actual, rg.evaluate(judgments, ranking, "alpha_ndcg@5,ndcg@5"))


def annotated(spark: Any) -> None:
    """Subtopics and propensities travel with the judgments, where a measure asks for them."""
    judged, ranked = annotated_rows()
    judgments, ranking = spark.createDataFrame(judged, ANNOTATED), spark.createDataFrame(ranked, SCORED)
    clicks = judgments.where("NOT (item = 'd1' AND grade = 2)").drop("subtopic")
    for measure, among in (("ndcg@5", judgments), ("ips_dcg@5", clicks)):
        assert_same(rg.evaluate(among, ranking, measure), rg.evaluate(among, ranking, measure, engine="native"))
    here = frame(ranked, SCORED)
    for local, measure in (
        (rg.read_judgments(frame(judged, ANNOTATED), annotation="subtopic"), "alpha_ndcg@5,ndcg@5"),
        (rg.Judgments.from_subtopics({"q0": {"d1": ["a", "b"], "d2": {"a": 2}}, "q1": {}}), "alpha_ndcg,map"),
        (clicks.toPandas(), "ips_dcg@5"),
    ):
        assert_same(rg.evaluate(local, ranking, measure), rg.evaluate(local, here, measure))


def common_items(spark: Any) -> None:
    """Items that never meet are remarked on in the words of this machine, also of runs that are compared."""
    queries, places = [f"q{number:02}" for number in range(12)], range(3)
    judged = [(query, f"{place}", 1) for query in queries for place in places]
    others = [("other", f"{place + 50}", 1) for place in places]
    written: Mapping[str, Callable[[str, int], str]] = {
        "never judged": lambda _, place: f"x{place}y",
        "written in another way": lambda _, place: f"00{place}",
        "judged for another query": lambda _, place: f"{place + 50}",
        "met by half": lambda query, place: f"{place}" if query < "q06" else f"z{place}",
    }
    judgments = spark.createDataFrame([*judged, *others], JUDGED)
    runs = {
        name: spark.createDataFrame([(q, item(q, p), 1 - p / 10, p) for q in queries for p in places], RANKED)
        for name, item in written.items()
    }
    codes = {}
    for name, run in runs.items():
        actual = rg.evaluate(judgments, run, "ndcg@10")
        assert_same(actual, rg.evaluate(judgments, run, "ndcg@10", engine="native"))
        codes[name] = {remark.code for remark in actual.remarks} & {"no-common-item", "few-common-items"}
    assert list(codes.values()) == [{"no-common-item"}] * 3 + [set()]
    expected = rg.compare(judgments, runs, engine="native")
    assert list(map(str, rg.compare(judgments, runs).remarks)) == list(map(str, expected.remarks))


def sizes(spark: Any) -> None:
    """What the driver receives of a partition grows with neither rows nor queries; an empty one sends nothing."""
    received: list[list[int]] = []
    spark_comparison.MOST_QUERIES = 1  # type: ignore[misc]
    try:
        for count in (2_000, 100_000):
            ids = (f"CONCAT('q', 1000000 + id % {count // 10}) AS query", "CONCAT('d', 1000000 + id) AS item")
            rows = spark.range(count)
            judgments = rows.selectExpr(*ids, "CAST(1 AS int) AS grade")
            ranking = rows.selectExpr(*ids, "CAST(id % 10007 AS double) AS score")
            with watched() as results:
                rg.evaluate(judgments, ranking, "ndcg@10")
                rg.compare(judgments, {"a": ranking, "b": ranking.where("id % 2 = 0")}, "ndcg@10")
            received += [[len(pickle.dumps(part.asDict())) for part in each.parts] for each in results]
    finally:
        spark_comparison.MOST_QUERIES = 1_000_000  # type: ignore[misc]
    few, few_compared, many, many_compared = received
    for less, more in ((few, many), (few_compared, many_compared)):
        assert len(less) == len(more)
        assert max(more) < max(less) + 500  # the digits of larger counts and sums
    spark.conf.set("spark.sql.shuffle.partitions", "20")
    one = spark.createDataFrame([("q", "a", 1)], JUDGED), spark.createDataFrame([("q", "a", 0.5, 1)], RANKED)
    assert_same(rg.evaluate(*one), rg.evaluate(*one, engine="native"))
    spark.conf.set("spark.sql.shuffle.partitions", "2")


CASES: Final[Mapping[str, Callable[[Any], None]]] = {
    case.__name__: case
    for case in (
        *(partitions, first_faults, values, local_sides, ranks, id_types, odd_rows, orders, subtopics, annotated),
        *(batch_limit, common_items, sizes, skewed, longest, many_partitions),
        *(comparisons, runs_of_every_kind, faults_of_runs, many_queries),
    )
}


def main(names: list[str]) -> None:
    with session(spark_driver_memory="3g") as spark:  # for the longest query
        for name in names:
            CASES[name](spark)
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
