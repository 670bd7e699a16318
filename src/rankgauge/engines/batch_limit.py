"""Spark's limit on the bytes of an Arrow batch: to check it costs more than all else that a row needs to reach Python.

Since Spark 4.1 it is 64 MB if no one sets it. Spark adds up the sizes of all columns after each row, to see whether the
batch is as large: half of the CPU time of an evaluation. A batch of few rows is small without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

BYTES: Final = "spark.sql.execution.arrow.maxBytesPerBatch"
ROWS: Final = "spark.sql.execution.arrow.maxRecordsPerBatch"
# No limit of bytes, the only one that is not checked; so many rows stay below 64 MB with ids of up to 32 kB.
SETTINGS: Final[Mapping[str, str]] = {BYTES: str(2**31 - 1), ROWS: "2000"}


@contextmanager
def lifted(session: Any) -> Iterator[None]:  # noqa: ANN401 - of Spark
    """Limit batches by rows alone for the jobs that start inside, unless the user has limited them."""
    is_ours = False
    try:
        # Platforms may refuse settings, in errors of their own. The evaluation takes longer there, and is the same.
        with suppress(Exception):
            if all(session.conf.get(name, None) is None for name in SETTINGS):
                is_ours = True  # first, as an interrupt may come after the session has changed
                for name, value in SETTINGS.items():
                    session.conf.set(name, value)
        yield
    finally:
        if is_ours:
            _restore(session)


def _restore(session: Any) -> None:  # noqa: ANN401 - of Spark
    for name, value in SETTINGS.items():
        # A session that was stopped meanwhile has no settings; the error of the evaluation is the one to see.
        with suppress(Exception):
            if session.conf.get(name, None) == value:
                session.conf.unset(name)
