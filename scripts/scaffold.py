"""What `new_measure.py` and `new_convention.py` share: names, and text that is put into files of the tree."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final, NoReturn

ROOT: Final = Path(__file__).resolve().parents[1]
LINE_LENGTH: Final = 120


def stop(message: str) -> NoReturn:
    """End with a message and exit code 2, before anything is written."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


def require_name(name: str, pattern: str, example: str) -> None:
    """Stop if a name does not have the form that a text must have to be parsed."""
    if not re.fullmatch(pattern, name):
        stop(f"expected a name such as {example}, got {name!r}")


def constant_of(name: str) -> str:
    """Return the name of the literal: `first_rank` is declared as `FIRST_RANK`."""
    return re.sub(r"[^A-Z0-9]+", "_", name.upper())


def append(path: Path, text: str) -> None:
    """Add text at the end of a file."""
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" + text, encoding="utf-8")


def insert_before(path: Path, marker: str, text: str, *, after: str = "") -> None:
    """Put text before the first line that begins with `marker`, below the line that contains `after`."""
    content = path.read_text(encoding="utf-8")
    start = content.find(after)
    position = content.find(f"\n{marker}", start)
    if start < 0 or position < 0:
        stop(f"{path.relative_to(ROOT)} has no line {marker!r} below {after!r}")
    path.write_text(content[: position + 1] + text + content[position + 1 :], encoding="utf-8")


def report(written: dict[Path, str]) -> None:
    """Print each file with what is left to fill in there."""
    for path, rest in written.items():
        print(f"{path.relative_to(ROOT)}: {rest}")
