"""Print parts in colour on a terminal and as plain text in a pipe; show the progress of long work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from rankgauge.cli.plotting import in_ascii, print_chart
from rankgauge.presentation.parts import Part, part_text, parts_to_text
from rankgauge.presentation.table import PLACES, Table
from rankgauge.presentation.text import display_width
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

Answer = TypeVar("Answer")

PROGRESS_DELAY: Final = 1.0  # seconds of work before a progress bar is shown
FRAMES_PER_SECOND: Final = 10


def show(parts: Sequence[Part], places: int = PLACES) -> None:
    """Print texts and tables one below the other."""
    if is_terminal():
        _show_rich(parts, places)
    else:
        sys.stdout.write(parts_to_text(in_ascii(parts), places) + "\n")


def is_terminal() -> bool:
    """Whether standard output is a terminal that can move its cursor and show colours."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


# What says how much is done, of how much, and in which unit.
Progress = Callable[[], tuple[int, int, str]]


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


def _show_rich(parts: Sequence[Part], places: int) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        if isinstance(part, Table):
            _print_table(console, part, places)
        elif isinstance(part, str | Remark):
            console.print(_styled_text(part, places))
        elif not print_chart(console, part):
            console.print(parts_to_text([part], places))


def _print_table(console: Console, table: Table, places: int) -> None:
    if any(table.numeric_columns()[1:]) and _rich_width(table, places) > console.width:
        console.print(table.to_text(places=places), soft_wrap=True)  # rich would cut numbers off
    else:
        console.print(_rich_table(table, places))


def _rich_table(table: Table, places: int) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    numeric_columns = table.numeric_columns()
    for column, header in enumerate(table.header_cells()):
        numeric = numeric_columns[column]
        style = "cyan" if column == 0 else ""
        rich_table.add_column(
            Text(header), justify="right" if numeric else "left", style=style, no_wrap=numeric, overflow="fold"
        )
    for row in table.cells(places):
        rich_table.add_row(*map(Text, row))
    return rich_table


def _rich_width(table: Table, places: int) -> int:
    padding = 2 * (len(table.headers) - 1)
    return padding + max(map(display_width, table.to_text(places=places).splitlines()))


def _styled_text(part: str | Remark, places: int) -> Text:
    """Dim the name before the first colon, as in `convention: trec_eval`; show a severe remark in bold red."""
    from rich.text import Text

    text = part_text(part, places)
    name, colon, _ = text.partition(": ")
    styled = Text(text)
    if isinstance(part, Remark) and part.severity == "severe":
        styled.stylize("bold red", 0, len(name) + 1)
    elif colon and " = " not in name:
        styled.stylize("dim", 0, len(name) + 1)
    return styled
