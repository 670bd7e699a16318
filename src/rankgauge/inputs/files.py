"""Files: where one is, and a mapping in JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

from rankgauge._core import require_unpacked
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats
from rankgauge.inputs.input_pair import InputFile
from rankgauge.inputs.temporary_folder import folder

STANDARD_INPUT = "standard input"
# Python reads at least so many digits of a whole number, whatever its settings.
_MOST_DIGITS: Final = 640
# No text has a longer line; the core says the same of files.
LONGEST_LINE: Final = 1 << 28


def locate(source: str | os.PathLike[str] | InputFile) -> InputFile:
    """Return the file; `-` is standard input, and what a pipe holds is kept in a file for as long as Python runs.

    >>> locate("runs.duckdb::bm25")
    InputFile(path='runs.duckdb', label='runs.duckdb', table='bm25', pieces=(), memory=None, run=None)
    """
    from stat import S_ISREG

    if isinstance(source, InputFile):
        return source
    path, table = formats.split_table(os.fspath(source))
    if path == "-":
        import sys

        if sys.stdin is None:
            raise RankgaugeError("unreadable-file", STANDARD_INPUT, got="it is closed")
        return InputFile(spool(_unshared(sys.stdin.buffer), STANDARD_INPUT), STANDARD_INPUT, table)
    try:
        kept = S_ISREG(os.stat(path).st_mode) or os.path.isdir(path)  # noqa: PTH116, PTH112 - quicker to start
    except (OSError, ValueError):
        kept = True  # its reader says what is wrong
    label = os.fsencode(path).decode("utf-8", "replace")  # a name need not be UTF-8
    if kept:
        return InputFile(path, label, table)
    try:
        with open(path, "rb") as pipe:  # noqa: PTH123
            return InputFile(spool(pipe, label), label, table)
    except OSError as error:
        raise RankgaugeError("unreadable-file", label, got=error.strerror or str(error)) from None


def _unshared(stream: Any) -> Any:  # noqa: ANN401 - a binary file
    """Standard input without Python's lock on it, which a thread that is interrupted would never give back."""
    try:
        return open(stream.fileno(), "rb", buffering=0, closefd=False)
    except (AttributeError, OSError):
        return stream  # not a real file: a test, or a notebook


def spool(pipe: Any, label: str = "") -> str:  # noqa: ANN401 - a binary file
    """Copy a pipe to a temporary file, which is kept until Python ends, and return its path.

    What has no end is refused: a device that is no terminal, and a first line that goes on and on.
    """
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(dir=folder(), delete=False) as file:
            for block in _blocks(pipe, label):
                file.write(block)
    except OSError as error:
        raise RankgaugeError("no-room-on-disk", tempfile.tempdir or "", got=error.strerror or str(error)) from None
    return file.name


def _blocks(pipe: Any, label: str) -> Iterator[bytes]:  # noqa: ANN401 - a binary file
    """Yield what a pipe holds, after a check of each block that it may have an end."""
    size, has_lines = 0, False
    while block := _read(pipe, label):
        if not size and _is_device(pipe):
            raise RankgaugeError("endless-file", label, got="a device that is no terminal")
        size, has_lines = size + len(block), has_lines or b"\n" in block
        if size > LONGEST_LINE and not has_lines:
            raise RankgaugeError("endless-file", label, got=f"a line of more than {LONGEST_LINE >> 20} MB")
        yield block


def _read(pipe: Any, label: str) -> bytes:  # noqa: ANN401 - a binary file
    try:
        return bytes(pipe.read(1 << 20))
    except OSError as error:
        raise RankgaugeError("unreadable-file", label, got=error.strerror or str(error)) from None


def _is_device(pipe: Any) -> bool:  # noqa: ANN401 - a binary file
    """Whether bytes come from a device such as /dev/zero; a terminal has an end."""
    from stat import S_ISCHR

    try:
        return S_ISCHR(os.fstat(pipe.fileno()).st_mode) and not pipe.isatty()
    except (AttributeError, OSError):
        return False  # not a real file


def is_address(path: str) -> bool:
    """Whether a path names a place on another machine.

    >>> is_address("s3://bucket/run.parquet"), is_address("runs/bm25.run")
    (True, False)
    """
    return "://" in path


def require_file(file: InputFile) -> None:
    """Raise unless there is a file of that name; its reader reports what else is wrong with it."""
    from stat import S_ISDIR

    try:
        mode = os.stat(file.path).st_mode  # noqa: PTH116 - quicker to start
    except FileNotFoundError:
        code = "remote-file" if is_address(file.path) else "file-not-found"
        raise RankgaugeError(code, file.label or "the empty path ''") from None
    except (OSError, ValueError):
        return
    if S_ISDIR(mode):
        raise RankgaugeError("is-directory", file.label)


def json_mapping(file: InputFile) -> dict[str, Any] | None:
    """Return the mapping of queries in a JSON file, as ranx and others write it; None if it holds anything else."""
    from rankgauge.inputs import roles

    first = formats.first_json_key(file.path)
    if first is None or roles.known_role(first) is not None:
        return None
    try:
        whole = json_value(json_text(file), file.label)
    except RankgaugeError:
        raise
    except (ValueError, OSError, EOFError):
        return None  # an object per line, or no JSON: DuckDB says
    return whole if isinstance(whole, dict) else None


def json_text(file: InputFile) -> str:
    """Return the text of a JSON file."""
    import gzip

    require_unpacked(file.path, file.label)
    opener = gzip.open if formats.is_gzip(file.path) else open
    with opener(file.path, "rt", encoding="utf-8-sig") as text:
        return text.read()


def json_value(text: str, label: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a JSON text holds; an object with a key twice is refused.

    >>> json_value('{"q1": ["d1"]}', "run.json")
    {'q1': ['d1']}
    """
    import json

    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _distinct(pairs, label))
    except (RankgaugeError, json.JSONDecodeError):
        raise
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:  # a whole number of more digits than Python reads
        return json.loads(text, object_pairs_hook=lambda pairs: _distinct(pairs, label), parse_int=whole_number)


def whole_number(digits: str) -> int | str:
    """A whole number; one of very many digits can only be an id, which is a text."""
    return int(digits) if len(digits) <= _MOST_DIGITS else digits


def _distinct(pairs: list[tuple[str, Any]], label: str) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        from collections import Counter

        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise RankgaugeError("duplicate-key", label, got=twice)
    return mapping
