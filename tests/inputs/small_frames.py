"""The cells of a small ranking, what is read from them, and how a table is read or refused."""

from __future__ import annotations

from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

QUERIES = [1, 1, 1, 2, 2]
ITEMS = [10, 9, 8, 7, 6]
SCORES = [2.0, 2.0, 1.0, 1.0, 3.0]
ROWS = {"1": [("10", 2.0), ("9", 2.0), ("8", 1.0)], "2": [("7", 1.0), ("6", 3.0)]}
JUDGED = {"1": {"10": 2, "9": 1}, "2": {"7": 1}}
TEXTS = list(map(str, ITEMS))


def rows(frame: Any, columns: dict[str, str] | None = None) -> dict[str, list[tuple[str, float]]]:
    return rg.read_ranking(frame, columns=columns).text_groups()


def failure(frame: Any, columns: dict[str, str] | None = None) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(JUDGED, rg.read_ranking(frame, columns=columns))
    return caught.value
