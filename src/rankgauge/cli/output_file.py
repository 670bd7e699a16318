"""Write a file that is either complete or left as it was."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from rankgauge.errors import RankgaugeError

if TYPE_CHECKING:
    from pathlib import Path

# Names of what is already open, by their numbers; a shell writes /dev/fd/63 for >(…).
_OPEN: Final = {"/dev/stdout": 1, "/dev/stderr": 2}
_OPEN_FOLDERS: Final = ("/dev/fd", "/proc/self/fd")


def write_with(write_draft: Callable[[Path], object], path: str) -> None:
    """Let `write_draft` write a draft, which then replaces the file; after a failure the old file is unchanged."""
    from pathlib import Path

    from rankgauge.presentation.whole_file import replace_file

    target = Path(os.path.realpath(path))
    descriptor = _descriptor(path)
    try:
        if descriptor is not None:
            _copy_to_descriptor(write_draft, descriptor)
        elif target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            write_draft(target)
        else:
            replace_file(target, write_draft)
    except BrokenPipeError:  # the reader has had enough
        raise
    except OSError as error:
        raise RankgaugeError("unwritable-file", place=path, got=error.strerror or str(error)) from None


def require_no_input(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Raise if a file would be written over one that is read.

    >>> require_no_input(["result.csv", None], ["qrels.txt", "-"])
    """
    read = {identity: path for path in inputs if path for identity in _identities_of_input(path)}
    for output in outputs:
        for identity in _identities(output) if output and output != "-" else ():
            if identity in read:
                raise RankgaugeError("output-is-input", place=output or "", got=read[identity])


def _identities_of_input(path: str) -> list[tuple[int, int]]:
    """Return the identities of the files of an input, which may be a folder or a pattern."""
    if path == "-" or os.path.isfile(path):  # noqa: PTH113 - importing pathlib slows the start
        return _identities(path)
    from rankgauge.inputs.runs import files_of

    try:
        files = files_of(path)
    except (OSError, ValueError):
        return []
    # A table of a database and a column of a file are named behind the file.
    places = [path.partition("::")[0], path.rpartition(":")[0]]
    return [identity for file in (*files, *places) if file for identity in _identities(file)]


def _identities(path: str) -> list[tuple[int, int]]:
    """Return what tells a regular file from all others; standard input may be one."""
    try:
        about = os.fstat(0) if path == "-" else os.stat(path)  # noqa: PTH116 - importing pathlib slows the start
    except (OSError, ValueError):  # there is none, or its reader says what is wrong with it
        return []
    return [(about.st_dev, about.st_ino)] if stat.S_ISREG(about.st_mode) else []


def _descriptor(path: str) -> int | None:
    """Return the number of a stream that is already open, which is written to, not replaced."""
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - importing pathlib slows the start
    number = int(name) if folder in _OPEN_FOLDERS and name.isascii() and name.isdigit() else None
    return _OPEN.get(path, number)


def _copy_to_descriptor(write_draft: Callable[[Path], object], number: int) -> None:
    import shutil
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="rankgauge-") as folder:
        draft = Path(folder) / "draft"
        write_draft(draft)
        with draft.open("rb") as text, open(os.dup(number), "wb") as stream:  # noqa: PTH123 - not a path
            shutil.copyfileobj(text, stream)
