"""Replace a file completely or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_file(target: Path, write_draft: Callable[[Path], object]) -> None:
    """Let `write_draft` write a draft beside the file, which then replaces it; a failure leaves the file unchanged."""
    from tempfile import mkstemp

    if target.is_symlink():  # `realpath` follows all others
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    handle, name = mkstemp(dir=target.parent, prefix=".rankgauge-", suffix=".draft")
    os.close(handle)
    draft = target.with_name(os.path.basename(name))  # noqa: PTH119 - mkstemp returns a text
    try:
        write_draft(draft)
        _to_disk(draft)  # else a power failure after the rename could leave an empty file
        draft.chmod(_mode(target))
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _folder_to_disk(target.parent)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _folder_to_disk(folder: Path) -> None:
    """Make the rename last; the file is already complete, so a system that cannot do this is no failure."""
    from contextlib import suppress

    with suppress(OSError):
        _to_disk(folder)


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
