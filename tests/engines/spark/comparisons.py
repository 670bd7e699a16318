"""Comparisons on a real Spark: the very numbers, words and remarks of this machine."""

from __future__ import annotations

import random
from functools import partial
from typing import Any, Final
from unittest import mock

from tests.engines.spark.data import JUDGED, RANKED, Rows, frame, refused, rows
from tests.engines.spark.parts import USUAL, merged, shuffles, watched

import rankgauge as rg
from rankgauge.scale import spark_comparison

MEASURES: Final = "ndcg@10,map,num_rel_ret"


def other_run(ranked: Rows, *, seed: int = 3, without: tuple[str, ...] = ()) -> Rows:
    """The same items with other scores; queries may be left out."""
    rng = random.Random(seed)
    return [(query, item, rng.random(), place) for query, item, _, place in ranked if query not in without]


class Runs:
    """Judgments and three runs, in Spark and on this machine; the third run lacks two queries."""

    def __init__(self, spark: Any, queries: int = 60) -> None:
        self.spark = spark
        self.judged, ranked = rows(queries)
        self.rows = {
            "base": ranked,
            "dense": other_run(ranked),
            "it's \\ 'odd'": other_run(ranked, seed=4, without=("q1", "q12")),
        }
        self.judgments = frame(self.judged, JUDGED)
        self.runs = {name: frame(each, RANKED) for name, each in self.rows.items()}
        self.spark_judgments = spark.createDataFrame(self.judged, JUDGED)
        self.spark_runs = {name: spark.createDataFrame(each, RANKED) for name, each in self.rows.items()}

    def check(self, measures: str = MEASURES, *, names: int = 3, cluster: Any = None, **settings: Any) -> rg.Comparison:
        here = dict(list(self.runs.items())[:names])
        there = dict(list(self.spark_runs.items())[:names])
        expected = rg.compare(self.judgments, here, measures, **settings)
        with watched() as received:
            actual = rg.compare(self.spark_judgments, there, measures, **settings, **(cluster or {}))
        assert [merged(received[0], run) for run in range(names)] == [USUAL] * names
        assert actual.to_dict() == expected.to_dict()
        assert str(actual) == str(expected)
        return actual


def comparisons(spark: Any) -> None:
    """Up to a million queries a comparison is that of one machine, in every digit and word."""
    setting = Runs(spark)
    setting.check()
    segments = {f"q{number}": "even" if number % 2 == 0 else "odd" for number in range(60)}
    setting.check("ndcg@10", names=2, by=segments, margin=0.05)
    setting.check(missing="skip", baseline="dense", test="bootstrap")
    setting.check("map", names=2, missing="zero", test="wilcoxon", depth=5)
    actual = setting.check("map,mrr", names=2, convention="lightgbm", cluster={"order": "place", "persist": True})
    values = actual.per_query_frame
    assert values.columns == ["run", "query", "map", "mrr"]
    assert shuffles(actual.per_query_frame) == 2  # the second brings the rows of a partition into their order
    here = rg.evaluate(setting.judgments, setting.runs["dense"], "map,mrr", convention="lightgbm").per_query["map"]
    assert {row["query"]: row["map"] for row in values.where("run = 'dense'").collect()} == here


def runs_of_every_kind(spark: Any) -> None:
    """Runs in one table, runs and judgments of this machine, runs whose scores have different types."""
    setting = Runs(spark, 20)
    expected = rg.compare(setting.judgments, setting.runs).to_dict()
    table = spark.createDataFrame(
        [(name, *row) for name, each in setting.rows.items() for row in each], f"run string, {RANKED}"
    )
    actual = rg.compare(setting.spark_judgments, table).to_dict()
    assert actual["pairs"] == rg.compare(setting.judgments, dict(sorted(setting.runs.items()))).to_dict()["pairs"]
    assert "expected one run, got the runs" in refused(lambda: rg.evaluate(setting.spark_judgments, table))
    by_query: dict[str, dict[str, int]] = {}
    for query, item, grade in setting.judged:
        by_query.setdefault(query, {})[item] = grade
    mixed = {name: setting.runs[name] if name == "dense" else run for name, run in setting.spark_runs.items()}
    assert rg.compare(by_query, mixed).to_dict() == rg.compare(by_query, setting.runs).to_dict()
    assert rg.compare(setting.spark_judgments, setting.spark_runs, engine="native").to_dict() == expected
    wide = {
        name: run.selectExpr("query", "item", f"CAST(place AS {kind}) AS score")
        for (name, run), kind in zip(setting.spark_runs.items(), ("bigint", "double", "decimal(20,3)"), strict=True)
    }
    assert (
        rg.compare(setting.spark_judgments, wide).to_dict()
        == rg.compare(setting.spark_judgments, wide, engine="native").to_dict()
    )
    assert "none on either side" in refused(lambda: rg.compare(setting.judgments, setting.runs, engine="spark"))
    assert "order='place'" in refused(lambda: rg.compare(setting.judgments, setting.runs, order="place"))
    assert "human labels" in refused(
        lambda: rg.compare(setting.spark_judgments, setting.spark_runs, engine="spark", human=by_query)
    )


def faults_of_runs(spark: Any) -> None:
    """An error names its run, in the words of one machine; that of the first run is raised."""
    setting = Runs(spark, 20)
    judgments, runs = setting.spark_judgments, setting.spark_runs

    def both(judgments: Any, runs: Any, **settings: Any) -> list[str]:
        compare = partial(rg.compare, judgments, runs, **settings)
        return [refused(partial(compare, engine=engine)) for engine in ("spark", "native")]

    twice = {**runs, "dense": runs["dense"].union(runs["dense"].where("query IN ('q9', 'q10')"))}
    actual, expected = both(judgments, twice)
    assert actual == expected
    assert actual.startswith("run 'dense': ")
    assert "q10" in actual
    apart = {
        **runs,
        "base": runs["base"].selectExpr("concat('x', query) AS query", "item", "score"),
        "dense": twice["dense"],
    }
    actual, expected = both(judgments, apart)
    assert actual == expected
    assert actual.startswith("run 'base': ")
    actual, expected = both(judgments, {**runs, "dense": runs["dense"].drop("item")})
    assert actual == expected
    actual, expected = both(judgments, runs, convention="trec_eval(missing=error)")
    assert actual == expected
    for measure in ("gm_map", "relstring@5"):
        actual, expected = both(judgments, runs, measures=measure)
        assert actual == expected
    disjoint = {"a": runs["base"].where("query = 'q1'"), "b": runs["base"].where("query = 'q2'")}
    actual, expected = both(judgments, disjoint, missing="skip")
    assert actual == expected
    assert "has ties=given" in refused(lambda: rg.compare(judgments, runs, convention="textbook"))


def many_queries(spark: Any) -> None:
    """As many judged queries as the limit are compared by their values, one more by exact sums, as a remark says."""
    setting = Runs(spark)
    queries = len({query for query, *_ in setting.judged})
    with mock.patch.object(spark_comparison, "MOST_QUERIES", queries):
        assert setting.check("map", names=2).design.test == "randomisation"
    with mock.patch.object(spark_comparison, "MOST_QUERIES", queries - 1):
        asked: tuple[dict[str, Any], ...] = ({}, {"missing": "skip"}, {"baseline": "base", "test": "sign"})
        for settings in asked:
            same: dict[str, Any] = {"test": "t", "correction": None if "baseline" in settings else "holm", **settings}
            expected = rg.compare(setting.judgments, setting.runs, MEASURES, **same)
            with watched() as received:
                actual = rg.compare(setting.spark_judgments, setting.spark_runs, MEASURES, **settings)
            assert len(received[0].digests) == USUAL
            assert_alike(actual, expected)
            assert "many-queries" in {remark.code for remark in actual.remarks}
        here = [rg.evaluate(setting.judgments, run).counts["evaluated"] for run in setting.runs.values()]
        assert actual.per_query_frame.count() == sum(here)
        compare = partial(rg.compare, setting.spark_judgments, setting.spark_runs)
        for test in ("wilcoxon", "bootstrap"):
            refusal = f"expected the test t or sign for more than {queries - 1} queries on a cluster, got {test}"
            assert refusal in refused(partial(compare, test=test))
        with watched() as received:
            for by in (partial(actual.by, {"q1": "one"}), partial(compare, by={"q1": "one"})):
                assert "stayed on the cluster" in refused(by)
        assert received == []


def assert_alike(actual: rg.Comparison, expected: rg.Comparison) -> None:
    """The numbers of both are the same bits; the remark on many queries is one more."""
    ours, theirs = actual.to_dict(), expected.to_dict()
    said = [remark for remark in ours.pop("remarks") if remark["code"] != "many-queries"]
    assert said == theirs.pop("remarks")
    assert ours == theirs
