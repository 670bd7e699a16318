"""What the tests of files share: the error of a bad file, and the order of a good one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

Put = Callable[..., Path]
Rows = dict[str, list[tuple[str, float]]]
TWO: Rows = {"q1": [("d1", 0.5), ("d2", 0.25)]}


def refusal(path: str | Path, **how: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(path, **how).to_dict()  # some are read only when they are needed
    assert "Hint: " in str(caught.value)
    assert "this is a bug" not in str(caught.value)
    return caught.value


def order(path: str | Path, **how: Any) -> list[str]:
    """The items of the first query, the best first."""
    (rows,) = rg.read_ranking(path, **how).to_dict().values()
    return [item for item, _ in sorted(rows, key=lambda row: -row[1])]
