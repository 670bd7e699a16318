"""Spark's limit on the bytes of an Arrow batch: to check it costs more than all else that a row needs to reach Python.

Since Spark 4.1 it is 64 MB if no one sets it. Spark adds up the sizes of all columns after each row, to see whether the
batch is as large: half of the CPU time of an evaluation. Batches end after `maxRecordsPerBatch` rows in any case.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

SETTING: Final = "spark.sql.execution.arrow.maxBytesPerBatch"
_NO_LIMIT: Final = str(2**31 - 1)  # the only value that is not checked


@contextmanager
def lifted(session: Any) -> Iterator[None]:  # noqa: ANN401 - of Spark
    """Lift the limit for the jobs that start inside, unless the user set one; none is left behind."""
    is_lifted = _lift(session)
    try:
        yield
    finally:
        if is_lifted:
            _restore(session)


def _lift(session: Any) -> bool:  # noqa: ANN401 - of Spark
    # Platforms may refuse settings, in errors of their own. The evaluation takes longer there, and is the same.
    with suppress(Exception):
        if session.conf.get(SETTING, None) is None:
            session.conf.set(SETTING, _NO_LIMIT)
            return True
    return False


def _restore(session: Any) -> None:  # noqa: ANN401 - of Spark
    # A session that was stopped meanwhile has no settings; the error of the evaluation is the one to see.
    with suppress(Exception):
        if session.conf.get(SETTING, None) == _NO_LIMIT:
            session.conf.unset(SETTING)
