"""Executors are killed before and after the shuffle, and the bits stay: `python -m tests.engines.spark.on_cluster`.

The cluster is Spark's own, with two executors that are processes. Two tasks end the Java process that runs them: one
that sends rows into the shuffle, and one that has evaluated its partition, when others have sent their results. What it
held of the shuffle is lost with it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from tests.engines.spark.data import JUDGED, MEASURES, RANKED, frame, rows
from tests.engines.spark.parts import merged
from tests.engines.spark.sessions import session

import rankgauge as rg
from rankgauge.engines.native import counts_of
from rankgauge.engines.spark import PartitionResults, Side, Task, evaluate
from rankgauge.inputs.roles import Roles

PARTS = 7
# Both executors have begun by the third partition, and one has sent the results of its first.
THIRD = 2


def executor_of(process: int) -> int:
    """The Java process above a Python worker."""
    while True:
        name = Path(f"/proc/{process}/comm").read_text().strip()
        if name == "java":
            return process
        status = Path(f"/proc/{process}/status").read_text()
        process = int(next(line for line in status.splitlines() if line.startswith("PPid")).split()[1])


def killed_once(marker: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pass rows on; the first task to come here ends its executor after its first batch."""
    for batch in batches:
        yield batch
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        os.kill(executor_of(os.getpid()), signal.SIGKILL)


def killed_at_third(folder: str, *_: Sequence[object]) -> str:
    """Note that a partition was evaluated; at the third, end its executor, with what the shuffle left there."""
    for number in count():
        try:
            os.close(os.open(Path(folder, str(number)), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        if number == THIRD:
            os.kill(executor_of(os.getpid()), signal.SIGKILL)
        return str(number)
    raise AssertionError


def check(found: PartitionResults, expected: rg.Result) -> None:
    """Every partition counts once: the sums and the counts are those of this machine."""
    assert expected.evaluation.compiled is not None
    assert merged(found) == PARTS
    assert found.of(0).light == expected.evaluation.compiled.light()
    assert counts_of(found.of(0).evaluation, expected.request) == expected.evaluation.counts


def main() -> None:
    judged, ranked = rows(60)
    expected = rg.evaluate(frame(judged, JUDGED), frame(ranked, RANKED), MEASURES)
    more: dict[str, Any] = {"spark_sql_execution_arrow_maxRecordsPerBatch": "100", "spark_executor_memory": "1g"}
    more["spark_sql_shuffle_partitions"] = str(PARTS)
    with TemporaryDirectory() as folder, session("local-cluster[2,1,1024]", **more) as spark:
        marker, late = Path(folder, "killed"), Path(folder, "late")
        late.mkdir()
        ranking = spark.createDataFrame(ranked, RANKED).repartition(6)
        ranking = ranking.mapInArrow(partial(killed_once, str(marker)), RANKED)
        # The engine itself: `rg.evaluate` may look at the first rows before, and executors are to die in its stages.
        actual = evaluate(
            Side(spark.createDataFrame(judged, JUDGED), Roles("query", "item", "grade", descending=True)),
            [Side(ranking, Roles("query", "item", "score", descending=True))],
            expected.request,
            Task(digest=partial(killed_at_third, str(late))),
        )
        assert marker.exists()
        check(actual, expected)
        assert len(actual.digests) == PARTS < len(list(late.iterdir()))
    sys.stdout.write("the same bits\n")


if __name__ == "__main__":
    main()
