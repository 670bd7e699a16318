"""MemoryBudget: how much memory the rows of both sides may take; what does not fit goes to disk."""

from __future__ import annotations

import os
from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from rankgauge._core import Stream
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import within

if TYPE_CHECKING:
    from rankgauge._core import _Columns as Columns
    from rankgauge.data.rows_on_disk import RowsOnDisk
    from rankgauge.inputs.roles import Roles

Noun = TypeVar("Noun", Judgments, Ranking)

# Rows are held three times: as columns, as a table, and as the input of the measures.
_COPIES: Final = 3
# The budget where the system does not tell how much memory is free.
_UNKNOWN: Final = 4 << 30
_UNLIMITED: Final = 1 << 62
# About how many times larger than a packed text it is, at most, of the kinds that are usual here.
_UNPACKED: Final = 10
# Where Linux says how much memory is free, which control group the process is in, and what the groups may use.
_MEMORY_OF_MACHINE: Final = "/proc/meminfo"
_OWN_GROUP: Final = "/proc/self/cgroup"
_GROUPS: Final = "/sys/fs/cgroup"
# Parquet files with fewer rows are read into memory: what is saved of a table is little then.
LEAST_ROWS: Final = 1 << 18


class MemoryBudget:
    """What is left of the memory that may be used, as `memory=` says; default: three quarters of what is free.

    >>> budget = MemoryBudget(3_000_000)
    >>> budget.left
    1000000
    """

    def __init__(self, memory: int | None = None) -> None:
        self._given = memory
        self._taken = 0
        self._is_on_disk = False
        self._has_large_judgments = False

    @cached_property
    def memory(self) -> int:
        """How many bytes may be used. The system is asked only when a table comes."""
        return free() * 3 // 4 if self._given is None else self._given

    @property
    def left(self) -> int:
        """How many bytes more rows may take."""
        return self.memory // _COPIES - self._taken

    def read(self, noun: type[Noun], table: Columns, roles: Roles, label: str | None = None) -> Noun | RowsOnDisk[Noun]:
        """Read the columns of a table; one that comes in batches and does not fit is written to disk."""
        if not isinstance(table, Stream) or roles.has_subtopics:  # these may have to be read again
            return noun.from_table(table, roles, label)
        opened = self._opened(table, roles, label) if noun is Ranking else None
        if opened is not None:
            return cast("Noun", opened)
        # Many large rankings need little of it: they are evaluated as their pages are decoded. Beside one that goes to
        # disk, the judgments of a file that take more than half are read again, to disk.
        most = self.left if noun is Ranking else self.left // 2 if label is None else self.left * 7 // 8
        with nullcontext() if label is None else within(label):
            size = table.fits(roles, most)
        if size is not None:
            self._has_large_judgments = noun is Judgments and size > self.left // 2
            self._taken += size
            return noun.from_table(table, roles, label)
        from rankgauge.data.rows_on_disk import RowsOnDisk  # most data fit

        self._is_on_disk = True
        return RowsOnDisk.write(noun, table, roles, label, self.memory)

    @property
    def is_crowded(self) -> bool:
        """Whether judgments that were read from a file leave too little to the parts of a ranking on disk."""
        return self._is_on_disk and self._has_large_judgments

    def spent(self) -> MemoryBudget:
        """Return the same budget with nothing left, so that rows go to disk."""
        spent = MemoryBudget(self.memory)
        spent._taken = spent.left
        return spent

    def _opened(self, table: Stream, roles: Roles, label: str | None) -> Any:  # noqa: ANN401 - the noun is a ranking
        """Open Parquet files that need not be in memory, unless the judgments are on disk: these go part by part."""
        opened = None if self._is_on_disk else Ranking.open_parquet(table, roles, label, self.left, LEAST_ROWS)
        if opened is not None:
            self._taken += opened.handle.size
        return opened

    def holds(self, path: str) -> bool:
        """Whether a text would fit."""
        return _unpacked(path) <= self.left

    def take(self, path: str) -> None:
        """Count a text that is held in memory."""
        self._taken += _unpacked(path)


def _unpacked(path: str) -> int:
    """Return how many bytes a text has, about so many if it is packed; 0 if its reader has to say what is wrong."""
    from rankgauge.inputs import formats  # imported late: DataFrames do not need it

    try:
        size = os.stat(path).st_size  # noqa: PTH116 - quicker to start
    except (OSError, ValueError):
        return 0
    return size * _UNPACKED if formats.is_gzip(path) else size


def free() -> int:
    """Return how many bytes are free: of the machine, or of the control group that the process runs in."""
    return max(0, min(_of_machine(), _of_group()))


def _of_machine() -> int:
    try:
        with open(_MEMORY_OF_MACHINE) as lines:  # noqa: PTH123 - quicker to start
            available = next((line for line in lines if line.startswith("MemAvailable:")), "")
        return int(available.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):
        return _UNKNOWN


def _of_group() -> int:
    """Return what the control groups of the process leave: the limit of each holds for all below it."""
    try:
        with open(_OWN_GROUP) as lines:  # noqa: PTH123
            group = next((line[3:].strip() for line in lines if line.startswith("0::")), "/")
    except OSError:
        return _UNLIMITED
    left = _left_in(group)
    while group not in ("", "/"):
        group = group.rpartition("/")[0]
        left = min(left, _left_in(group))
    return left


def _left_in(group: str) -> int:
    folder = f"{_GROUPS}{group.rstrip('/')}"
    limit, used = _number(f"{folder}/memory.max"), _number(f"{folder}/memory.current")
    return _UNLIMITED if limit is None else limit - (used or 0) + _idle_in(folder)


def _idle_in(folder: str) -> int:
    """Return the bytes of files that the system keeps in memory and gives up when asked; they count as used."""
    try:
        with open(f"{folder}/memory.stat") as lines:  # noqa: PTH123
            line = next((line for line in lines if line.startswith("inactive_file ")), "0 0")
    except OSError:
        return 0
    return int(line.split()[1])


def _number(path: str) -> int | None:
    """Return the number in a file; None where there is no file, or no limit."""
    try:
        with open(path) as file:  # noqa: PTH123
            text = file.read().strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None
