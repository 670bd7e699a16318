"""What evaluations write to disk and merge: they are watched, so that a test knows that nothing stayed in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from rankgauge.data.rows_on_disk import RowsOnDisk
from rankgauge.scale.disk_evaluation import _Merging


@dataclass
class OnDisk:
    """What was written, `Judgments` or `Ranking`, side by side; and how many parts with queries were merged."""

    written: list[type] = field(default_factory=list)
    parts: int = 0


@contextmanager
def watched() -> Iterator[OnDisk]:
    """Note what is written and merged inside; both happen as always."""
    seen = OnDisk()
    write, add = RowsOnDisk.write, _Merging.add

    def noted_write(noun: type, *arguments: Any) -> Any:
        seen.written.append(noun)
        return write(noun, *arguments)

    def noted_add(merging: _Merging, part: Any) -> None:
        seen.parts += len(part) > 0
        add(merging, part)

    with mock.patch.object(RowsOnDisk, "write", noted_write), mock.patch.object(_Merging, "add", noted_add):
        yield seen
