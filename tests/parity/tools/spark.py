"""Spark MLlib: `RankingMetrics.ndcgAt`, with binary relevance and with grades.

It says only a mean. It is given the judged queries, as its users join the test set with the predictions: one without
a prediction has an empty list. What order the items are in is for the caller to say, so that ties are as given.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

# `ndcgAt` has to be told a k. The largest one that it takes cuts nothing.
UNCUT: Final = 2**31 - 1

_handed_over: dict[tuple[str, str], Any] = {}


@cache
def _session() -> SparkSession:
    """Start one small Spark for all questions."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder: Any = SparkSession.builder
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session: SparkSession = builder.master("local[1]").config(map=settings).getOrCreate()
    return session


def _judged(case: Case) -> list[tuple[list[str], dict[str, float]]]:
    return [(case.ranked(query) if query in case.ranking else [], items) for query, items in case.judgments.items()]


def _java_list(values: Iterable[object]) -> Any:
    listed = _session().sparkContext._jvm.java.util.ArrayList()
    for value in values:
        listed.add(value)
    return listed


def _binary(case: Case) -> Any:
    rows = [(ranked, [item for item, grade in items.items() if grade > 0]) for ranked, items in _judged(case)]
    return RankingMetrics(_session().sparkContext.parallelize(rows, 1))


def _graded(case: Case) -> Any:
    """Make the Scala object by its Java door, since the Python class takes the grades and does not pass them on."""
    context = _session().sparkContext
    rows = []
    for ranked, items in _judged(case):
        # The ideal is walked as the labels come, so they have to come best first.
        best_first = sorted(items, key=items.__getitem__, reverse=True)
        grades = [float(items[item]) for item in best_first]
        rows.append(context._jvm.scala.Tuple3(_java_list(ranked), _java_list(best_first), _java_list(grades)))
    in_java = context._jsc.parallelize(_java_list(rows), 1)
    return context._jvm.org.apache.spark.mllib.evaluation.RankingMetrics.of(in_java)


def _ask(case: Case, k: int | None, hand_over: Callable[[Case], Any]) -> Printed:
    """Hand the queries over once for all cutoffs, since most of the time goes into that."""
    key = (case.name, hand_over.__name__)
    if key not in _handed_over:
        _handed_over[key] = hand_over(case)
    return Printed(None, float(_handed_over[key].ndcgAt(k or UNCUT)))


def ask(case: Case, k: int | None) -> Printed:
    """Ask about the items above grade 0."""
    return _ask(case, k, _binary)


def ask_graded(case: Case, k: int | None) -> Printed:
    """Ask about all judged items with their grades."""
    return _ask(case, k, _graded)


ADAPTERS = [
    Adapter(convention="spark-mllib", package="pyspark", ask=ask),
    Adapter(convention="spark-mllib-graded", package="pyspark", ask=ask_graded),
]
