"""An executor is killed in the middle, and the bits stay: `python -m tests.engines.spark.on_cluster`.

The cluster is Spark's own, with two executors that are processes. A task of the first stage, which has the number of
a partition, ends the Java process that runs it, once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from tests.engines.spark.data import JUDGED, MEASURES, RANKED, frame, rows
from tests.engines.spark.sessions import session

import rankgauge as rg
from rankgauge.engines.spark import Side, Task, evaluate
from rankgauge.inputs.roles import Roles


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


def main() -> None:
    judged, ranked = rows(60)
    expected = rg.evaluate(frame(judged, JUDGED), frame(ranked, RANKED), MEASURES)
    assert expected.evaluation.compiled is not None
    more: dict[str, Any] = {"spark_sql_execution_arrow_maxRecordsPerBatch": "100", "spark_executor_memory": "1g"}
    with TemporaryDirectory() as folder, session("local-cluster[2,1,1024]", **more) as spark:
        marker = str(Path(folder, "killed"))
        ranking = spark.createDataFrame(ranked, RANKED).repartition(6).mapInArrow(partial(killed_once, marker), RANKED)
        # The engine itself: `rg.evaluate` may look at the first rows before, and the executor is to die in the shuffle.
        actual = evaluate(
            Side(spark.createDataFrame(judged, JUDGED), Roles("query", "item", "grade", descending=True)),
            [Side(ranking, Roles("query", "item", "score", descending=True))],
            expected.request,
            Task(),
        ).of(0)
        assert Path(marker).exists()
        assert actual.light == expected.evaluation.compiled.light()
    sys.stdout.write("the same bits\n")


if __name__ == "__main__":
    main()
