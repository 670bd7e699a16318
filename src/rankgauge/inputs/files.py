"""Files: where one is, how a delimited text is laid out, and a mapping in JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from rankgauge._core import has_quotes, require_unpacked
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats, roles
from rankgauge.inputs.formats import Format
from rankgauge.inputs.roles import Roles, Side
from rankgauge.remarks import Remark

STANDARD_INPUT = "standard input"

# Roles by column name; or, for a text without a header, the names of all its columns in their order.
ColumnNames: TypeAlias = Mapping[str, str] | Sequence[str]


class Input(NamedTuple):
    """A file that can be read more than once: where it is, what messages call it, and a table in it.

    Of several files that are read as one, `pieces` has all, and `path` is the first.
    """

    path: str
    label: str
    table: str | None
    pieces: tuple[str, ...] = ()


class Separated(NamedTuple):
    """Which columns of a delimited text matter, counted from 0."""

    delimiter: str
    header: bool
    columns: int
    query: int
    item: int
    value: int | None
    descending: bool
    # The column of annotations, and what they are.
    annotation: int | None = None
    annotation_role: str | None = None
    # Whether there is a column of subtopics that was not asked for.
    has_subtopics: bool = False
    # The remarks on how they were chosen.
    remarks: tuple[Remark, ...] = ()


def locate(source: str | os.PathLike[str] | Input) -> Input:
    """Return the file; `-` is standard input, and what a pipe holds is kept in a file for as long as Python runs.

    >>> locate("runs.duckdb::bm25")
    Input(path='runs.duckdb', label='runs.duckdb', table='bm25', pieces=())
    """
    from stat import S_ISREG

    if isinstance(source, Input):
        return source
    path, table = formats.split_table(os.fspath(source))
    if path == "-":
        import sys

        if sys.stdin is None:
            raise RankgaugeError("unreadable-file", STANDARD_INPUT, got="it is closed")
        return Input(spool(_unshared(sys.stdin.buffer)), STANDARD_INPUT, table)
    try:
        kept = S_ISREG(os.stat(path).st_mode) or os.path.isdir(path)  # noqa: PTH116, PTH112 - quicker to start
    except (OSError, ValueError):
        kept = True  # its reader says what is wrong
    label = os.fsencode(path).decode("utf-8", "replace")  # a name need not be UTF-8
    if kept:
        return Input(path, label, table)
    with open(path, "rb") as pipe:  # noqa: PTH123
        return Input(spool(pipe), label, table)


def _unshared(stream: Any) -> Any:  # noqa: ANN401 - a binary file
    """Standard input without Python's lock on it, which a thread that is interrupted would never give back."""
    try:
        return open(stream.fileno(), "rb", buffering=0, closefd=False)
    except (AttributeError, OSError):
        return stream  # not a real file: a test, or a notebook


def spool(pipe: Any) -> str:  # noqa: ANN401 - a binary file
    """Return the path of a file that holds what a pipe held, for as long as Python runs."""
    import shutil
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(dir=folder(), delete=False) as file:
        shutil.copyfileobj(pipe, file, 1 << 20)
    return file.name


_FOLDERS: dict[int, str] = {}


def folder() -> str:
    """A folder of this process, which is removed when Python ends; a forked child has its own."""
    import atexit
    import sys
    from tempfile import mkdtemp

    process = os.getpid()
    if process not in _FOLDERS:
        _FOLDERS[process] = os.path.realpath(mkdtemp(prefix="rankgauge-"))
        atexit.register(_remove_folder)
        if "multiprocessing.util" in sys.modules:  # its child processes skip atexit
            sys.modules["multiprocessing.util"].Finalize(None, _remove_folder, exitpriority=0)
    return _FOLDERS[process]


def _remove_folder() -> None:
    import shutil

    if path := _FOLDERS.pop(os.getpid(), None):
        shutil.rmtree(path, ignore_errors=True)


class Header(NamedTuple):
    """How a delimited text is written: what separates its columns, whether it names them, and their names."""

    delimiter: str
    named: bool
    columns: Sequence[str]
    # The names are those of a data set that is known by its values.
    guessed: bool = False
    # Columns that the folders of the first piece say, as `date=2026-01-02` does, and their values there.
    partitions: Mapping[str, str] = MappingProxyType({})


def header(file: Input, format_: Format, given: ColumnNames) -> Header:
    """Return the columns of a delimited text; names that are given as a list replace a header, if there is one."""
    style = formats.dialect(formats.first_lines(file.path), "\t" if format_ == "tsv" else ",")
    if not isinstance(given, Mapping):
        return Header(style.delimiter, named=_is_header(style.header or (), given), columns=given)
    return Header(style.delimiter, named=style.header is not None, columns=style.header or ())


def first_rows(file: Input, style: Header) -> list[list[str]]:
    """Return the cells of the first lines below the header, without lines that are split differently."""
    lines = formats.first_lines(file.path, most=None)[style.named :]
    rows = [formats.cells(line, style.delimiter) for line in lines]
    width = len(style.columns) or len(rows[0] if rows else ())
    return [row for row in rows if len(row) == width]


def _is_header(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the first line names the columns: it has these names, or no value where one should be."""
    values = [cell for cell, name in zip(cells, names, strict=False) if roles.known(name) in ("grade", "score", "rank")]
    return list(cells) == list(names) or any(not formats.begins_as_number(cell) for cell in values)


def separated(file: Input, format_: Format, side: Side, given: ColumnNames) -> Separated | None:
    """Return how a delimited text is laid out; None where it has quotes, which the core does not read."""
    style = named_columns(file, header(file, format_, given), side, given)
    column_roles = text_roles(file, style, side, given)
    if len(style.delimiter) > 1 or has_quotes(file.path, file.label):
        return None
    places = {name: place for place, name in enumerate(style.columns)}
    return Separated(
        delimiter=style.delimiter,
        header=style.named,
        columns=len(style.columns),
        query=places[column_roles.query],
        item=places[column_roles.item],
        value=None if column_roles.value is None else places[column_roles.value],
        descending=column_roles.descending,
        annotation=None if column_roles.annotation is None else places[column_roles.annotation],
        annotation_role=column_roles.annotation_role,
        has_subtopics=column_roles.has_subtopics,
        remarks=column_roles.remarks,
    )


def named_columns(file: Input, style: Header, side: Side, given: ColumnNames) -> Header:
    """Return the columns of a text, with names for those of a well-known data set that has no header."""
    if style.columns:
        return style
    from rankgauge.inputs import headless  # imported late: TREC files do not need it

    roles.require_roles(given)
    rows = first_rows(file, style)
    names = None if given else headless.names_of(rows, side)
    if names is None:
        raise headless.missing_names(rows, side, file.label)
    return style._replace(columns=names, guessed=True)


def text_roles(file: Input, style: Header, side: Side, given: ColumnNames) -> Roles:
    """Return the columns of a delimited text that a side needs."""
    from rankgauge.inputs import headless  # imported late: TREC files do not need it
    from rankgauge.inputs.column_choice import choose

    places = {name: place for place, name in enumerate(style.columns)}

    def head(names: Sequence[str]) -> dict[str, list[str]]:
        rows = first_rows(file, style)
        cells = {name: [row[places[name]] for row in rows] for name in names if name in places}
        return {name: cells.get(name, [style.partitions.get(name, "")] * len(rows)) for name in names}

    known = (*style.columns, *style.partitions)
    chosen = choose(known, side, given if isinstance(given, Mapping) else {}, file.label, head)
    if not style.guessed:
        return chosen
    return chosen._replace(remarks=(headless.remark(style.columns), *chosen.remarks))


def require_file(file: Input) -> None:
    """Raise unless there is a file of that name; what else may be wrong with it, its reader says."""
    from stat import S_ISDIR

    try:
        mode = os.stat(file.path).st_mode  # noqa: PTH116 - quicker to start
    except FileNotFoundError:
        raise RankgaugeError("file-not-found", file.label) from None
    except (OSError, ValueError):
        return
    if S_ISDIR(mode):
        raise RankgaugeError("is-directory", file.label)


def json_mapping(file: Input) -> dict[str, Any] | None:
    """Return what a JSON file holds if it is one mapping of queries, as ranx and others write it."""
    first = formats.first_json_key(file.path)
    if first is None or roles.known(first) is not None:
        return None
    try:
        whole = json_value(json_text(file), file.label)
    except RankgaugeError:
        raise
    except (ValueError, OSError, EOFError):
        return None  # an object per line, or no JSON: DuckDB says
    return whole if isinstance(whole, dict) else None


def json_text(file: Input) -> str:
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
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _distinct(pairs: list[tuple[str, Any]], label: str) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        from collections import Counter

        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise RankgaugeError("duplicate-key", label, got=twice)
    return mapping
