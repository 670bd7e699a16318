"""What goes wrong in the cases of `test_errors.py`, where it takes more than one line."""

from __future__ import annotations

import gzip
import os
import sys
import threading
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._core import Buckets, Stream
from rankgauge.cli import completion, output_file, spark, trec_eval_output
from rankgauge.cli.app import app
from rankgauge.conventions.search import TREC_EVAL
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles

JUDGMENTS = {"q1": {"d1": 2, "d2": 1}}
RANKING = {"q1": ["d1", "d2"]}


def file(folder: Path, content: bytes, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def written_over(path: Path) -> None:
    output_file.require_no_input([str(path)], [str(path)])


def printed_as_trec(judgments: dict[str, dict[str, int]]) -> str:
    result = rg.evaluate(judgments, {query: ["d1"] for query in judgments}, "ndcg")
    return trec_eval_output.render(
        result, trec_eval_output.request(["ndcg"], TREC_EVAL), "run", per_query=True, summary=True
    )


def under(answer: str, grade: float = 1) -> object:
    return rg.evaluate({"q1": {"d1": grade}}, RANKING, convention=f"trec_eval({answer})")


def table(**columns: list[Any]) -> object:
    return rg.evaluate(JUDGMENTS, pl.DataFrame(columns))


def scored(folder: Path, scores: bytes) -> object:
    labels = file(folder, b"2 qid:q1 1:0.5\n1 qid:q1 1:0.1\n", "labels.txt")
    return rg.evaluate(labels, file(folder, scores))


def evaluated(measure: str) -> Any:
    return rg.Request.of(measure).plan().evaluate(JUDGMENTS, RANKING)


def without_tables(folder: Path) -> Path:
    path = folder / "empty.duckdb"
    duckdb.connect(str(path)).close()
    return path


def with_view_of_a_file(folder: Path) -> Path:
    path, other = folder / "view.duckdb", file(folder, b"query,item\nq1,d1\n", "other.csv")
    with duckdb.connect(str(path)) as database:
        database.execute(f"create view rows as from read_csv('{other}')")
    return path


def beyond_the_limit(folder: Path) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKGAUGE_MAX_UNPACKED", "10")
        return rg.read_ranking(file(folder, gzip.compress(b"q1 Q0 d1 1 0.5 t\n")))


def beyond_32_bits(_: Path) -> object:
    """Give a table of more rows than can be numbered, which takes no memory: it has the same chunk many times."""
    import pyarrow as pa

    chunk = pa.array(np.zeros(1 << 26, dtype=np.int8))
    return rg.read_ranking(pa.table({name: pa.chunked_array([chunk] * 65) for name in ("query", "item", "score")}))


def shrinking(folder: Path) -> object:
    """Read a file again and again until another thread has made it shorter just then."""
    text = b"".join(b"q%d Q0 d%d 1 0.5 t\n" % (row // 1000, row) for row in range(60_000))
    path, done = file(folder, text), threading.Event()

    def shrink_and_grow() -> None:
        while not done.is_set():
            os.truncate(path, 5000)
            with path.open("r+b") as again:
                again.write(text)

    writer = threading.Thread(target=shrink_and_grow)
    writer.start()
    try:
        while True:
            try:
                rg.read_ranking(path)
            except RankgaugeError as error:  # noqa: PERF203 - that is what the loop waits for
                if error.code == "file-changed":
                    raise
    finally:
        done.set()
        writer.join()


def cli(*arguments: str) -> object:
    return app.main(list(arguments), standalone_mode=False)


def java_in(folder: Path) -> None:
    with patch.dict(os.environ, {"JAVA_HOME": str(folder)}):
        spark.require_java()


def failing_spark() -> None:
    from pyspark.errors import AnalysisException

    with spark.worded_errors():
        raise AnalysisException("[PATH_NOT_FOUND] Path does not exist: file:/nowhere. SQLSTATE: 42K03\nJVM stacktrace")


def unreachable_spark() -> None:
    from pyspark.errors import IllegalArgumentException

    with spark.worded_errors("spark://nohost:7077"):
        raise IllegalArgumentException("Cannot call methods on a stopped SparkContext.")


def files_of_all(folder: Path) -> tuple[str, str]:
    judgments, ranking = file(folder, b"all 0 d 1\n", "qrels"), file(folder, b"all Q0 d 1 1 tag\n", "run")
    return str(judgments), str(ranking)


def complete(shell: str) -> object:
    assert completion.command.callback is not None
    return completion.command.callback(shell)


def raise_internal() -> None:
    raise RankgaugeError("internal", got="RuntimeError: wrong")


DATES = ["2026-01-02"] * 3 + ["2026-01-05"] * 3
PRICES = pl.DataFrame({"date": DATES, "ticker": ["A", "B", "C"] * 2, "close": [10.0, 10.0, 10.0, 11.0, 9.0, 10.0]})
SCORES = pl.DataFrame({"date": DATES[:3], "ticker": ["A", "B", "C"], "score": [3.0, 2.0, 1.0]})


def returns(prices: Any = PRICES, **options: Any) -> object:
    return rg.grading.returns(prices, **options)


def study(scores: Any = SCORES, **options: Any) -> rg.stocks.Study:
    return rg.stocks.study(PRICES, scores, **{"k": 2, "horizon": 1, "levels": 3} | options)


def by(segments: Any) -> object:
    return rg.evaluate(JUDGMENTS, RANKING).by(segments)


def plotted_without_altair() -> object:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in sys.modules if name.startswith("rankgauge.presentation.charts.vega")]:
            patch.delitem(sys.modules, name)
        patch.setitem(sys.modules, "altair", None)
        return rg.evaluate(JUDGMENTS, RANKING).plot()


def combined_with_another() -> object:
    judgments = {f"q{number}": {"d1": 1} for number in range(25)}
    ranking = {query: ["d1"] for query in judgments}
    return rg.evaluate(judgments, ranking, human=judgments).compare(rg.evaluate(judgments, ranking))


def without_folder(folder: Path) -> None:
    roles = Roles("query", "item", None, descending=True)
    stream = Stream(pl.DataFrame({"query": [1], "item": [1]}))
    Buckets(stream, roles, judged=True, folder=folder / "missing", window=1)
