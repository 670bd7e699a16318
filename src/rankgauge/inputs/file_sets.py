"""Several files that are one table: a folder, a pattern such as `data/*.parquet`, hive partitions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import files, formats
from rankgauge.inputs.input_pair import InputFile

if TYPE_CHECKING:
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.roles import Side

_PATTERN: Final = frozenset("*?[")
# What can be read in pieces.
_FORMATS: Final = ("parquet", "csv", "tsv", "arrow")


def locate(source: str | os.PathLike[str] | InputFile) -> InputFile:
    """Return a file as `files.locate`; a folder and a pattern have several.

    >>> locate("bm25.run").pieces
    ()
    """
    if isinstance(source, InputFile):
        return source
    text = os.fspath(source)
    if not isinstance(text, str) or text == "-":
        return files.locate(source)
    paths = _paths(text)
    if paths is None:
        return files.locate(source)
    if not paths:
        raise RankgaugeError("remote-file" if files.is_address(text) else "no-pieces", text)
    return InputFile(paths[0], text, None, tuple(paths))


def is_pattern(path: str) -> bool:
    """Whether a path is a pattern, and not the name of a file that is there.

    >>> is_pattern("runs/*.run"), is_pattern("runs/bm25.run")
    (True, False)
    """
    return not _PATTERN.isdisjoint(path) and not os.path.exists(path)  # noqa: PTH110 - quicker to start


def is_passed_over(path: str) -> bool:
    """Whether a file is none of the data: its name begins with a dot or `_`, as `_SUCCESS` does.

    >>> is_passed_over("runs/_SUCCESS"), is_passed_over("runs/bm25.run")
    (True, False)
    """
    return os.path.basename(path).startswith((".", "_"))  # noqa: PTH119 - quicker to start


def matches(pattern: str) -> list[str]:
    """Return the files and folders of a pattern, without those that are passed over unless it asks for them.

    >>> matches("nothing-here-*.txt")
    []
    """
    from glob import glob

    found = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - patterns with a folder
    return found if is_passed_over(pattern) else [path for path in found if not is_passed_over(path)]


def _paths(text: str) -> list[str] | None:
    """Return the files of a folder or of a pattern in the order of their names; None for anything else."""
    if os.path.isdir(text):  # noqa: PTH112 - quicker to start
        folders = [text]
    elif not is_pattern(text):
        return None
    else:
        folders = matches(text)
    return sorted({file for path in folders for file in _files(path)})


def _files(path: str) -> list[str]:
    """Return a file, or those of a folder and its folders; what begins with a dot or `_` is none of the data."""
    if not os.path.isdir(path):  # noqa: PTH112
        return [path]
    paths = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name[0] not in "._"]
        paths += [os.path.join(folder, name) for name in names if name[0] not in "._"]  # noqa: PTH118
    return paths


def require_alike(file: InputFile, format_: Format, side: Side) -> None:
    """Raise unless all pieces have one format that can be read in pieces."""
    others = {formats.detect(piece, side, piece) for piece in file.pieces} | {format_}
    if others != {format_} or format_ not in _FORMATS:
        raise RankgaugeError("mixed-pieces", file.label, got=", ".join(sorted(others)))
    if format_ in ("csv", "tsv"):
        from rankgauge.inputs import delimited  # imported late: only CSV and TSV need it

        first = formats.first_lines(file.path)[:1]
        odd = next((piece for piece in file.pieces if formats.first_lines(piece)[:1] != first), None)
        style = delimited.header(file, format_, {})
        if odd is not None and style.named:
            expected = f"the columns {', '.join(style.columns)} as in {file.path}"
            hint = "all files need one header"
            raise RankgaugeError(
                "bad-columns", odd, columns=expected, got=repr("".join(formats.first_lines(odd)[:1])), hint=hint
            )


def has_partitions(file: InputFile) -> bool:
    """Whether folders of the pieces say what a column is: `date=2026-01-02/part-0.parquet`."""
    return any("=" in os.path.dirname(piece) for piece in file.pieces)  # noqa: PTH120 - quicker to start


def partitions(file: InputFile) -> dict[str, str]:
    """Return the columns that the folders of the first piece say, and what they are there.

    >>> partitions(InputFile("d/date=2026-01-02/a.csv", "d", None, ("d/date=2026-01-02/a.csv",)))
    {'date': '2026-01-02'}
    """
    folders = os.path.dirname(file.path).split(os.sep) if file.pieces else []  # noqa: PTH120, PTH206 - quicker to start
    return {name: value for name, equals, value in (folder.partition("=") for folder in folders) if equals}
