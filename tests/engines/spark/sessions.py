"""Spark in a process of its own, for tests: on this machine, as a cluster of processes, or behind Connect."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    # Partitions of so few rows would become one, and nothing would be merged.
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    # To compile a plan takes longer than to interpret it for so few rows.
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
}

# Those that are no settings of the server.
OF_SESSIONS = (
    "spark.sql.session.timeZone",
    "spark.sql.shuffle.partitions",
    "spark.sql.adaptive.coalescePartitions.enabled",
)


@contextmanager
def session(master: str = "local[2]", *, remote: bool = False, **more: str) -> Iterator[Any]:
    """A session of Spark; `more` are settings with _ for the dots of their names."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # which has pyarrow
    if remote:
        os.environ["SPARK_TESTING"] = "1"  # a free port for each server, so that tests can run at the same time
    settings = SETTINGS | {name.replace("_", "."): value for name, value in more.items()}
    with TemporaryDirectory() as folder:
        settings["spark.sql.warehouse.dir"] = folder
        os.chdir(folder)  # a cluster writes its logs to where it is started
        builder: Any = SparkSession.builder
        if remote:  # the server behind Connect has the other settings of its own
            settings = {name: value for name, value in settings.items() if name in OF_SESSIONS}
        builder = builder.remote(master) if remote else builder.master(master)
        spark = _configured(builder, settings).getOrCreate()
        yield spark
        spark.stop()


def _configured(builder: Any, settings: Mapping[str, str]) -> Any:
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder
