"""Where data is kept, and how it gets there whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

FOLDER = Path(__file__).parents[1] / "data"

Made = TypeVar("Made")


def kept(name: str, write: Callable[[Path], None]) -> Path:
    """Return the folder of that name, written first if it is not there."""
    folder = FOLDER / name
    if not folder.exists():
        draft = FOLDER / f"{name}.draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        write(draft)
        draft.rename(folder)
    return folder


def made(maker: Callable[..., Made], *arguments: object) -> Made:
    """Make data in another process: Linux counts the peak memory of a parent as that of its children."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(maker, arguments)
