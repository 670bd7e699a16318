"""Work with a progress bar on stderr, if it takes longer than a moment."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from stat import S_ISREG
from threading import Event, Thread
from typing import Final, Generic, TypeVar

Answer = TypeVar("Answer")

PROGRESS_DELAY: Final = 1.0  # seconds of work before a progress bar is shown
FRAMES_PER_SECOND: Final = 10


# Returns how much is done, the total, and the unit.
Progress = Callable[[], tuple[int, int, str]]


# Files of up to this many bytes are evaluated at once: no progress is shown, and a signal waits for the end.
_SMALL: Final = 16_000_000


def are_small(paths: Iterable[str | None]) -> bool:
    """Whether paths are files that are read in a moment; what is no regular file, such as a pipe, may take long.

    >>> are_small([__file__, None]), are_small(["-"])
    (True, False)
    """
    try:
        files = [os.stat(path) for path in paths if path is not None]  # noqa: PTH116 - quicker to start
    except (OSError, ValueError):
        return False
    return all(S_ISREG(about.st_mode) for about in files) and sum(about.st_size for about in files) <= _SMALL


def with_progress(work: Callable[[], Answer], label: str = "reading", progress: Progress | None = None) -> Answer:
    """Return what the work returns; if it takes longer than a second on a terminal, show a progress bar on stderr.

    What the core is doing is shown, unless something else says what is done.
    """
    running = _Running(work)
    # A daemon, so that signals, which Python handles in this thread, need not wait for it.
    Thread(target=running.run, daemon=True).start()
    visible = sys.stderr and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if visible and not running.done.wait(PROGRESS_DELAY):
        _show_progress(running.done, label, progress or _core_progress)
    running.done.wait()
    return running.answer()


class _Running(Generic[Answer]):
    """Work in another thread: what it returned or raised."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self.work = work
        self.done = Event()
        self.returned: list[Answer] = []
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.returned.append(self.work())
        except BaseException as error:  # raised again by `answer`
            self.raised = error
        finally:
            self.done.set()

    def answer(self) -> Answer:
        if self.raised is not None:
            raise self.raised
        return self.returned[0]


def _core_progress() -> tuple[int, int, str]:
    from rankgauge._core import progress

    return progress()


def _show_progress(done: Event, label: str, progress: Progress) -> None:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(label),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, rate="")
        begun = None
        while not done.wait(1 / FRAMES_PER_SECOND):
            read, total, unit = progress()
            if (total, unit) != begun:  # the next file, or the next test
                begun = (total, unit)
                bar.reset(task, total=total or None)
            bar.update(task, completed=read, rate=done_text(read, bar.tasks[0].speed, unit))


def done_text(done: int, speed: float | None, unit: str) -> str:
    """Return how much is done in a second; of rows, which nobody has counted, also how many were read.

    >>> done_text(1_250_000, 500_000.0, "rows"), done_text(1_250_000, 52_300_000.0, "bytes")
    ('1,250,000 rows, 500,000 rows/s', '52.3 MB/s')
    """
    rate = rate_text(speed, unit)
    return ", ".join(filter(None, (f"{done:,} rows", rate))) if unit == "rows" else rate


def rate_text(speed: float | None, unit: str) -> str:
    """Return how much is done in a second.

    >>> rate_text(52_300_000.0, "bytes"), rate_text(1234.5, "draws"), rate_text(None, "bytes")
    ('52.3 MB/s', '1,234 draws/s', '')
    """
    if not speed:
        return ""
    return f"{speed / 1e6:,.1f} MB/s" if unit == "bytes" else f"{speed:,.0f} {unit}/s"
