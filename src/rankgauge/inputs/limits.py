"""How much a file may unpack to, and how long a view of a database may take; both are adjustable."""

from __future__ import annotations

import os

from rankgauge._core import most_unpacked
from rankgauge.errors import RankgaugeError


def unpacked(path: str) -> int:
    """Return how many bytes a file may unpack to: RANKGAUGE_MAX_UNPACKED, or else a gigabyte or 100 times its size.

    >>> unpacked("missing.gz")
    1073741824
    """
    try:
        size = os.stat(path).st_size  # noqa: PTH116 - quicker to start
    except (OSError, ValueError):
        size = 0
    return most_unpacked(size)


def seconds() -> int:
    """Return how long a view of a database may take: RANKGAUGE_MAX_SECONDS, or else 600.

    >>> seconds()
    600
    """
    text = os.environ.get("RANKGAUGE_MAX_SECONDS", "600")
    if not text.isdecimal() or not 0 < int(text) < 1 << 31:
        expected, hint = "a whole number of seconds", "for example RANKGAUGE_MAX_SECONDS=600"
        raise RankgaugeError("bad-number", field="RANKGAUGE_MAX_SECONDS", expected=expected, got=text, hint=hint)
    return int(text)
