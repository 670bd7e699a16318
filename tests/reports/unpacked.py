"""What the script of a report reads: the packed block, taken apart in Python."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The JSON of the block, and its arrays by name."""

    values: dict[str, Any]
    arrays: dict[str, Any]

    @classmethod
    def of(cls, page: str) -> Unpacked:
        actual = re.search(r'<script type="application/json" id="packed">"([^"]*)"</script>', page)
        assert actual
        raw = gzip.decompress(base64.b64decode(actual[1]))
        length = int.from_bytes(raw[:4], "little")
        values = json.loads(raw[4 : 4 + length])
        start = -(-(4 + length) // 8) * 8
        arrays = {
            name: np.frombuffer(raw, f"<{kind}", count, start + offset)
            for name, (kind, offset, count) in values["arrays"].items()
        }
        return cls(values, arrays)

    @property
    def explorer(self) -> dict[str, Any]:
        explorer: dict[str, Any] = self.values["explorer"]
        return explorer

    def pieces(self, counts: str, *names: str) -> list[list[tuple[Any, ...]]]:
        """Cut arrays that hold what belongs to many cells, one after another, into the rows of each cell."""
        ends = np.cumsum(self.arrays[counts])
        starts = [0, *ends[:-1]]
        columns = [self.arrays[name].tolist() for name in names]
        return [
            list(zip(*(column[start:end] for column in columns), strict=True))
            for start, end in zip(starts, ends, strict=True)
        ]

    def item(self, query: int, ref: int) -> str:
        start = int(self.arrays["itemCounts"][:query].sum())
        item: str = self.explorer["items"][start + ref]
        return item

    def grade(self, query: int, ref: int) -> float | None:
        grade = float(self.arrays["grades"][int(self.arrays["itemCounts"][:query].sum()) + ref])
        return None if np.isnan(grade) else grade
