"""The folder for temporary files of a process: removed when Python ends, or by the next process if it was killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

_PREFIX: Final = "rankgauge-own-"
# A younger folder is left alone: its process may be about to lock it.
_SECONDS: Final = 60
_FOLDERS: dict[int, str] = {}


def folder() -> str:
    """Return the folder of this process; a forked child has its own."""
    import atexit
    import sys
    from tempfile import gettempdir, mkdtemp

    process = os.getpid()
    if process not in _FOLDERS:
        for left in _abandoned(gettempdir()):
            _remove(left)
        _FOLDERS[process] = os.path.realpath(mkdtemp(prefix=_PREFIX))
        _lock(_FOLDERS[process])
        atexit.register(_remove_own)
        if "multiprocessing.util" in sys.modules:  # whose processes end without atexit
            sys.modules["multiprocessing.util"].Finalize(None, _remove_own, exitpriority=0)
    return _FOLDERS[process]


def _remove_own() -> None:
    if path := _FOLDERS.pop(os.getpid(), None):
        _remove(path)


def _remove(path: str) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def _lock(path: str) -> int | None:
    """Lock a folder for as long as this process lives; None if another process has, or where there are no locks."""
    try:
        import fcntl

        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _abandoned(parent: str) -> Iterator[str]:
    """Yield folders of this user whose process was killed: nobody holds their lock."""
    import time

    if not hasattr(os, "geteuid"):  # where nothing can be locked either
        return
    try:
        entries = [entry for entry in os.scandir(parent) if entry.name.startswith(_PREFIX)]
    except OSError:
        return
    for entry in entries:
        try:
            about = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if about.st_uid == os.geteuid() and time.time() - about.st_mtime > _SECONDS:
            handle = _lock(entry.path)
            if handle is not None:
                yield entry.path
                os.close(handle)
