"""Write to standard output, or to a file that is either complete or left as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from rankgauge.errors import RankgaugeError

if TYPE_CHECKING:
    from pathlib import Path


def write(text: str, path: str | None) -> None:
    """Write a text that ends with a newline to a file; None and `-` are standard output."""
    text = text if text.endswith("\n") or not text else text + "\n"
    if path is None or path == "-":
        click.echo(text, nl=False)
        return
    write_with(lambda draft: draft.write_text(text, encoding="utf-8", newline=""), path)


def write_with(write_draft: Callable[[Path], object], path: str) -> None:
    """Let `write_draft` write a draft, which then replaces the file; after a failure the old file is unchanged."""
    from pathlib import Path

    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            write_draft(target)
        else:
            _replace(target, write_draft)
    except OSError as error:
        raise RankgaugeError("unwritable-file", place=path, got=error.strerror or str(error)) from None


def _replace(path: Path, write_draft: Callable[[Path], object]) -> None:
    from tempfile import mkstemp

    target = path.resolve()
    handle, name = mkstemp(dir=target.parent, prefix=".rankgauge-", suffix=".draft")
    os.close(handle)
    draft = target.with_name(os.path.basename(name))  # noqa: PTH119 - mkstemp returns a text
    try:
        write_draft(draft)
        draft.chmod(_mode(target))
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
