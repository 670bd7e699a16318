"""Errors of DuckDB on files, worded as ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import encodings, formats
from rankgauge.inputs.input_pair import InputFile
from rankgauge.inputs.table_failures import shortened


@contextmanager
def worded(file: InputFile) -> Iterator[None]:
    """Word the errors of DuckDB on a file as ours."""
    try:
        yield
    except Exception as error:
        if not _is_of_duckdb(error):
            raise
        raise unreadable(error, file) from None


def _is_of_duckdb(error: Exception) -> bool:
    """Whether DuckDB failed, or its binding: on names of columns that are no UTF-8, for example."""
    return "duckdb" in type(error).__module__ or str(error).startswith("nanobind")


def unreadable(error: Exception, file: InputFile | None = None) -> RankgaugeError:
    """Return the error of a failed read, with the beginning of DuckDB's message: the rest is advice on its settings."""
    import re

    text = " ".join(str(error).split()).partition(" LINE ")[0] or type(error).__name__
    text = text.partition(" Possible solutions: ")[0].partition(" Possible fixes: ")[0]
    label = file.label if file else ""
    text = text.replace(os.path.realpath(file.path), label).replace(file.path, label) if file else text
    outside = re.match(r"Permission Error: Cannot access \w+ (\".*\") - file system", text)
    if outside:
        return RankgaugeError("reads-elsewhere", label, got=outside[1])
    line = re.search(r"CSV Error on Line: (\d+)", text)
    place = ":".join(filter(None, (label, line[1] if label else f"line {line[1]}"))) if line else label
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if columns:
        hint = "a cell that holds a delimiter needs double quotes"
        expected, got = f"{columns[1]} columns as in the header", f"{columns[2]} columns"
        return RankgaugeError("bad-columns", place, columns=expected, got=got, hint=hint)
    cell = re.search(r"Could not convert string ('.*') to \w+ when casting from source column (.+)", text)
    if cell:
        return RankgaugeError("bad-value", place=f"column {cell[2]!r}", noun="value", got=cell[1])
    if text.startswith("Out of Memory Error"):
        return RankgaugeError("too-little-memory", place, got=shortened(text))
    if "not utf-8" in text.lower() or "unicode" in text.lower():
        return _not_utf8(file, place)
    return RankgaugeError("unreadable-table", place, got=shortened(text))


def _not_utf8(file: InputFile | None, place: str) -> RankgaugeError:
    encoding = encodings.likely(formats.head(file.path)) if file else None
    if encoding is not None:
        return RankgaugeError("other-encoding", place, encoding=encoding)
    return RankgaugeError("bad-utf8", place, got="that DuckDB names no further")
