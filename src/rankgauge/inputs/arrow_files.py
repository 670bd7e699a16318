"""Arrow files: opened by the core, read by pyarrow where DuckDB takes them, and the values of one column."""

from __future__ import annotations

from typing import Any

from rankgauge._core import Stream
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import connections, run_column
from rankgauge.inputs.duckdb_failures import unreadable
from rankgauge.inputs.input_pair import InputFile


def open_stream(file: InputFile) -> Stream:
    """Open an Arrow file, after a check that it claims no more memory than it may; pieces one after the other."""
    if file.pieces:
        each = (open_stream(InputFile(piece, piece, None)) for piece in file.pieces)
        return Stream.from_batches(each)
    try:
        return Stream.open_ipc(file.path)
    except RankgaugeError as error:
        raise RankgaugeError(error.code, file.label, **error.context) from None
    except OSError as error:
        raise unreadable(error, file) from None


def relation(file: InputFile) -> Any:  # noqa: ANN401 - a DuckDB relation
    """Read Arrow files through pyarrow, as DuckDB needs them, with the checks that pyarrow leaves out."""
    try:
        import pyarrow as pa
    except ImportError:
        raise RankgaugeError("unreadable-table", file.label, got="an Arrow file, and pyarrow is not there") from None
    open_stream(file)
    try:
        tables = []
        for path in file.pieces or (file.path,):
            with open(path, "rb") as source:  # noqa: PTH123 - not text
                tables.append(_reader(source).read_all())
                tables[-1].validate(full=True)
        return connections.reader().from_arrow(pa.concat_tables(tables))
    except (pa.ArrowException, MemoryError, OSError, UnicodeDecodeError) as error:
        raise unreadable(error, file) from None


def distinct(file: InputFile, column: str) -> set[object]:
    """Return the distinct values of a column of Arrow files that were opened; none without pyarrow."""
    try:
        from pyarrow import ipc
    except ImportError:
        return set()
    found: set[object] = set()
    for path in file.pieces or (file.path,):
        with open(path, "rb") as source:  # noqa: PTH123 - not text
            place = _reader(source).schema.get_field_index(column)
            reader = _reader(source, options=ipc.IpcReadOptions(included_fields=[place]))
            counts = getattr(reader, "num_record_batches", None)
            for batch in reader if counts is None else map(reader.get_batch, range(counts)):
                batch.validate(full=True)
                found.update(run_column.distinct_of_arrow(batch, column))
    return found


def _reader(source: Any, **options: Any) -> Any:  # noqa: ANN401 - of pyarrow
    """A reader of an open Arrow file, or of a stream in it."""
    from pyarrow import ipc

    source.seek(0)
    is_file = source.read(6) == b"ARROW1"
    source.seek(0)
    return (ipc.open_file if is_file else ipc.open_stream)(source, **options)
