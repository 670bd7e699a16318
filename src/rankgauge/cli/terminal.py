"""Tables in colour on a terminal, and as plain text in a pipe."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rankgauge.tables import Part, Table, parts_to_text

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

Answer = TypeVar("Answer")

PATIENCE: Final = 1.0  # seconds before a person wonders
FRAMES: Final = 10  # a second


def show(parts: Sequence[Part]) -> None:
    """Print texts and tables one below the other."""
    if is_terminal():
        _show_rich(parts)
    else:
        sys.stdout.write(parts_to_text(parts) + "\n")


def is_terminal() -> bool:
    """Whether a person reads the output, on a terminal that can show tables."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def watched(work: Callable[[], Answer], doing: str = "reading") -> Answer:
    """Do the work; on a terminal, show how far it is when it takes longer than a second, if that is known."""
    if not (sys.stderr and sys.stderr.isatty()) or os.environ.get("TERM") == "dumb":
        return work()
    from concurrent.futures import Future, wait
    from threading import Thread

    answer: Future[Answer] = Future()
    Thread(target=_answer, args=(answer, work), daemon=True).start()  # so that Ctrl-C need not wait for it
    if wait([answer], timeout=PATIENCE).not_done:
        _show_progress(answer, doing)
    return answer.result()


def _answer(answer: Future[Answer], work: Callable[[], Answer]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # it is raised where the answer is asked for
        answer.set_exception(error)


def _show_progress(answer: Future[Any], doing: str) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from rankgauge._core import progress

    parts = (TextColumn(doing), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        while not answer.done():
            done, total = progress()
            bar.update(task, completed=done, total=total or None)
            time.sleep(1 / FRAMES)


def _show_rich(parts: Sequence[Part]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        if isinstance(part, Table):
            _print_table(console, part)
        else:
            console.print(_heading(part))


def _print_table(console: Console, table: Table) -> None:
    numbers = any(table.is_numeric(column) for column in range(1, len(table.headers)))
    if numbers and _width(table) > console.width:
        console.print(table.to_text(), soft_wrap=True)  # squeezed, a table of numbers would lose some
    else:
        console.print(_rich_table(table))


def _rich_table(table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    rich_table = RichTable(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for column, header in enumerate(table.headers):
        numeric = table.is_numeric(column)
        style = "cyan" if column == 0 else ""
        rich_table.add_column(
            Text(header), justify="right" if numeric else "left", style=style, no_wrap=numeric, overflow="fold"
        )
    for row in table.cells():
        rich_table.add_row(*map(Text, row))
    return rich_table


def _width(table: Table) -> int:
    padding = 2 * (len(table.headers) - 1)
    return padding + max(len(line) for line in table.to_text().splitlines())


def _heading(text: str) -> Text:
    """Dim the name before the first colon, as in `convention: trec_eval`."""
    from rich.text import Text

    name, colon, _ = text.partition(": ")
    heading = Text(text)
    if colon and " = " not in name:
        heading.stylize("dim", 0, len(name) + 1)
    return heading
