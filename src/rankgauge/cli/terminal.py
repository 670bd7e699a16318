"""Print parts in colour on a terminal and as plain text in a pipe; show the progress of long work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rankgauge.presentation.parts import Part, part_text, parts_to_text
from rankgauge.presentation.table import PLACES, Table
from rankgauge.presentation.text import display_width
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from concurrent.futures import Future

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
        sys.stdout.write(parts_to_text(parts, places) + "\n")


def is_terminal() -> bool:
    """Whether standard output is a terminal that can move its cursor and show colours."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def with_progress(work: Callable[[], Answer], label: str = "reading") -> Answer:
    """Return what the work returns; if it takes longer than a second on a terminal, show a progress bar on stderr."""
    if not (sys.stderr and sys.stderr.isatty()) or os.environ.get("TERM") == "dumb":
        return work()
    from concurrent.futures import Future, wait
    from threading import Thread

    answer: Future[Answer] = Future()
    Thread(target=_run, args=(work, answer), daemon=True).start()  # a daemon, so that Ctrl-C need not wait for it
    if wait([answer], timeout=PROGRESS_DELAY).not_done:
        _show_progress(answer, label)
    return answer.result()


def _run(work: Callable[[], Answer], answer: Future[Answer]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # raised again by `answer.result()`
        answer.set_exception(error)


def _show_progress(answer: Future[Any], label: str) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from rankgauge._core import progress

    columns = (TextColumn(label), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        while not answer.done():
            done, total = progress()
            bar.update(task, completed=done, total=total or None)
            time.sleep(1 / FRAMES_PER_SECOND)


def _show_rich(parts: Sequence[Part], places: int) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        if isinstance(part, Table):
            _print_table(console, part, places)
        else:
            console.print(_styled_text(part, places))


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
