"""CPU time of a process and of all below it: on Spark the work is done by Java and by Python workers (Linux)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    parent: int
    seconds: float


def cpu_seconds() -> float:
    """CPU seconds of this process and its descendants so far, including children that ended and were waited for."""
    processes = {int(path.name): found for path in Path("/proc").glob("[0-9]*") if (found := _read(path))}
    inside = {os.getpid()}
    while more := {number for number, process in processes.items() if process.parent in inside} - inside:
        inside |= more
    return sum(processes[number].seconds for number in inside)


def _read(path: Path) -> _Process | None:
    try:
        # The name, in brackets, may hold anything.
        fields = (path / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:  # it has ended
        return None
    return _Process(int(fields[1]), sum(map(int, fields[11:15])) / _TICKS)
