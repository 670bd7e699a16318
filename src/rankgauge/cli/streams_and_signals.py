"""Standard streams that are closed, full or without a reader, and signals that ask the program to stop."""

from __future__ import annotations

import io
import os
import signal
import sys
from typing import Final, NoReturn

import click

_STOPPING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_STREAMS: Final = range(3)


class Stopped(BaseException):
    """A signal asked the program to stop; like an interrupt, it is caught by no `except Exception`."""

    def __init__(self, number: int) -> None:
        """Take the number of the signal."""
        super().__init__(number)
        self.number: Final = number


def stop_by_exception() -> None:
    """Raise `Stopped` for signals that end a program, so that temporary files are removed on the way out.

    One that is ignored stays so, as `nohup` wants it.
    """
    for number in _STOPPING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _: object) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)  # a second signal ends the program at once
    raise Stopped(number)


def prepare() -> None:
    """Give closed streams to the null device, so that no file that is opened later takes their numbers."""
    for number in _STREAMS:
        if not _is_open(number):
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number, which is this one
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - open until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # print ? for a character that the encoding of the output lacks


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def say(line: str) -> None:
    """Print a line on stderr; what cannot be said there changes no exit code."""
    try:
        click.echo(line, err=True)
    except (OSError, ValueError):
        discard(2)


def discard(number: int) -> None:
    """Send what is still to be written to a standard stream to the null device, so that Python's last flush works."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, number)
    os.close(null)
