"""`--engine spark`: a session, files and folders read by it, and its errors as one line."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args

import click

from rankgauge.cli.progress import with_progress
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.reading_options import ColumnsInput, ReadingOptions

Answer = TypeVar("Answer")
SparkFormat = Literal["csv", "tsv", "jsonl", "parquet", "orc", "delta"]

_SUFFIXES: Final[Mapping[str, SparkFormat]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".orc": "orc",
    ".delta": "delta",
}
_READERS: Final[Mapping[SparkFormat, str]] = {"csv": "csv", "tsv": "csv", "jsonl": "json"}
# How a file of Parquet begins.
_PARQUET: Final = b"PAR1"
_PACKED: Final = re.compile(r"\.(gz|bz2|zst|lz4|snappy|deflate)$")
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# What Spark prints before its log level is known, and what it draws over our progress.
_SETTINGS: Final = {
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.ui.enabled": "false",
}
# Ids that folders name, as in user=07, stay texts as on one machine.
_PARTITIONS_AS_TEXTS: Final = ("spark.sql.sources.partitionColumnTypeInference.enabled", "false")


def on_spark(work: Callable[[], Answer], session: Any) -> Answer:  # noqa: ANN401 - of Spark
    """Return the result of the work, and show a bar of Spark's tasks; word its errors."""
    with worded_errors():
        return with_progress(work, "Spark", _tasks(session))


def _tasks(session: Any) -> Callable[[], tuple[int, int, str]]:  # noqa: ANN401 - of Spark
    """Return what says how many tasks of the running stages are done, and of how many."""
    if type(session).__module__.startswith("pyspark.sql.connect"):
        seen = [(0, 0, "tasks")]

        def handle(stages: Any, **_: object) -> None:  # noqa: ANN401 - of Spark
            known = list(stages or ())
            seen[0] = (
                sum(stage.num_completed_tasks for stage in known),
                sum(stage.num_tasks for stage in known),
                "tasks",
            )

        session.registerProgressHandler(handle)
        return lambda: seen[0]
    tracker = session.sparkContext.statusTracker()

    def tasks() -> tuple[int, int, str]:
        known = [stage for each in tracker.getActiveStageIds() if (stage := tracker.getStageInfo(each))]
        return sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known), "tasks"

    return tasks


def open_session(master: str | None) -> Any:  # noqa: ANN401 - of Spark
    """Start Spark, or join a cluster; it ends with the command."""
    chosen = master or "local[*]"
    with worded_errors(chosen), _silent():
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise RankgaugeError("no-package", package="pyspark", extra="spark") from None
        builder: Any = SparkSession.builder
        if chosen.startswith("sc://"):
            session = builder.remote(chosen).getOrCreate()
        else:
            require_java()
            if chosen.startswith("local"):  # the workers are of this machine
                os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            session = builder.master(chosen).config(map=_SETTINGS).getOrCreate()
        session.conf.set(*_PARTITIONS_AS_TEXTS)
    click.get_current_context().call_on_close(session.stop)
    return session


def require_java() -> None:
    """Raise if there is no Java, which Spark would say in many lines."""
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java"):
        return
    raise RankgaugeError("no-java", got=f"none in JAVA_HOME={home}" if home else "none")


@contextmanager
def _silent() -> Iterator[None]:
    """Give what is started here no stdout and stderr of ours: what goes wrong is an exception, too."""
    if os.environ.get("RANKGAUGE_DEBUG"):
        yield
        return
    kept = [os.dup(number) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        sys.stdout.flush()
        for number in (1, 2):
            os.dup2(nowhere, number)
        yield
    finally:
        for number, descriptor in zip((1, 2), kept, strict=True):
            os.dup2(descriptor, number)
        for number in (*kept, nowhere):
            os.close(number)


@contextmanager
def worded_errors(master: str | None = None) -> Iterator[None]:
    """Word errors of Spark and Java in one line; those of starting a session name its `master`."""
    try:
        yield
    except RankgaugeError:
        raise
    except Exception as error:
        is_bad_address = master is not None and isinstance(error, ValueError)  # of urllib, which reads `sc://…`
        if not (is_bad_address or type(error).__module__.startswith(("pyspark", "py4j", "grpc"))):
            raise
        if master is not None:
            raise RankgaugeError("no-session", master=master, got=_reason(error)) from None
        raise RankgaugeError("spark-failed", got=_reason(error)) from None


def _reason(error: Exception) -> str:
    """Return the first line of an error that says something, without the codes of Spark around it."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = next((line for line in lines if line and "error occurred while calling" not in line), type(error).__name__)
    return re.sub(r" SQLSTATE: \w+$", "", said.removeprefix(": "))


def read(session: Any, path: str, format_: str | None, columns: ColumnsInput) -> Any:  # noqa: ANN401 - of Spark
    """Return a file, a folder or a table as a DataFrame; ids of texts stay texts."""
    if not _URL.match(path) and not Path(path).exists() and "*" not in path:
        raise RankgaugeError("file-not-found", path)
    kind = _format_of(path, format_)
    names = columns if isinstance(columns, Sequence) and not isinstance(columns, str) else None
    reader = session.read
    if kind in ("csv", "tsv"):
        separator = "\t" if kind == "tsv" else ","
        reader = reader.options(sep=separator, header=names is None, inferSchema=False, escape='"')
    with worded_errors():
        frame = reader.format(_READERS.get(kind, kind)).load(path)
        return frame.toDF(*names) if names else frame


def _format_of(path: str, format_: str | None) -> SparkFormat:
    """Return the format of a path: the one given, that of its suffix or of the files in a folder, else Parquet."""
    if format_ is not None:
        return _known(format_, path)
    inside = sorted(each.name for each in Path(path).iterdir()) if Path(path).is_dir() else []
    if "_delta_log" in inside:
        return "delta"
    for name in (path.rstrip("/"), *(each for each in inside if not each.startswith((".", "_")))):
        suffix = os.path.splitext(_PACKED.sub("", name))[1]  # noqa: PTH122 - of a URL, too
        if suffix in _SUFFIXES:
            return _SUFFIXES[suffix]
    if inside or not (suffix or _is_other_file(path)):
        return "parquet"
    return _known(suffix or "a file without a suffix that is no Parquet", path)


def _is_other_file(path: str) -> bool:
    """Whether this is a file of this machine that is no Parquet."""
    if _URL.match(path) or not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(len(_PARQUET)) != _PARQUET


def _known(format_: str, path: str) -> SparkFormat:
    for known in get_args(SparkFormat):
        if format_ == known:
            return known  # type: ignore[no-any-return]
    raise RankgaugeError("not-read-by-spark", path, known=", ".join(get_args(SparkFormat)), got=format_)


def read_sides(
    session: Any,  # noqa: ANN401 - of Spark
    judgments: str,
    rankings: Sequence[str],
    reading: ReadingOptions,
) -> tuple[Any, list[Any], ReadingOptions]:
    """Return the judgments and the rankings as DataFrames, and how their columns are to be read."""
    judged = read(session, judgments, reading.format_judgments, reading.columns_judgments)
    ranked = [read(session, path, reading.format_ranking, reading.columns_ranking) for path in rankings]
    return judged, ranked, ReadingOptions(None, _by_role(reading.columns_judgments), _by_role(reading.columns_ranking))


def _by_role(columns: ColumnsInput) -> ColumnsInput:
    """Return columns that have roles; the names of all columns have been given to the table."""
    return columns if isinstance(columns, Mapping) else None
