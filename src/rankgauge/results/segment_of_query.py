"""Which segment each query belongs to: a mapping, a column of a table, or a column of a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from rankgauge.data.judgments import Judgments
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import roles
from rankgauge.inputs.formats import split_table
from rankgauge.inputs.types import TableInput

if TYPE_CHECKING:
    from rankgauge.grading.source import SourceTable

SegmentsInput: TypeAlias = "Mapping[Any, Any] | TableInput | tuple[TableInput, str]"

# file.csv:device, but not C:\file.csv and not runs.duckdb::segments.
_FILE_AND_COLUMN: Final = re.compile(r"(?P<file>.*[^:]):(?P<column>[^:/\\]+)", re.DOTALL)
_COLON: Final = re.compile("(?<!:):(?!:|$)")
Role: TypeAlias = Literal["query", "item"]
_PLURAL: Final[Mapping[Role, str]] = {"query": "queries", "item": "items"}
_EMPTY: Final = frozenset({"None", "nan", "NaN", "<NA>", "NaT"})


class SegmentOfQuery(NamedTuple):
    """What the segments are called, such as `device`; all of them, sorted; and query → segment, ids as text."""

    name: str
    segments: tuple[str, ...]
    of_query: Mapping[str, str]


def read_segments(source: SegmentsInput, role: Role = "query") -> SegmentOfQuery:
    """Read which segment each query, or each item, belongs to; one without a value has none.

    >>> read_segments({7: "mobile", 8: "desktop", 9: None})
    SegmentOfQuery(name='segment', segments=('desktop', 'mobile'), of_query={'7': 'mobile', '8': 'desktop'})
    """
    name, pairs = _named_pairs(source, role)
    grouped: dict[Any, str] = {}
    for query, value in pairs:
        segment = _text(value)
        if segment is None:
            continue
        if grouped.setdefault(query, segment) != segment:
            raise RankgaugeError(
                "two-segments", f"{role} {query!r}", got=f"{grouped[query]!r} and {segment!r}", noun=role
            )
    # The core writes ids as text, as it does those of judgments: dates, numbers of any library.
    read = Judgments.from_mapping({query: [segment] for query, segment in grouped.items()}).text_groups()
    segments = sorted(set(grouped.values()), key=_as_number)
    return SegmentOfQuery(name, tuple(segments), {query: rows[0][0] for query, rows in read.items()})


def _named_pairs(source: Any, role: Role) -> tuple[str, Iterable[tuple[Any, Any]]]:  # noqa: ANN401 - of any library
    if isinstance(source, Mapping):
        return "segment", source.items()
    if type(source).__name__ == "Series" and hasattr(source, "index"):  # pandas: the index holds the queries
        return str(source.name or "segment"), source.items()
    column = None
    if isinstance(source, tuple) and len(source) == 2:
        source, column = source
        if not isinstance(column, str):
            got = f"{type(column).__name__} behind the comma, where the name of the column belongs"
            raise RankgaugeError("no-segment-column", got=got, nearest="")
    elif isinstance(source, str | os.PathLike):
        source, column = _split(os.fspath(source))
        if column is None and re.fullmatch(r"\w+", source) and not os.path.exists(source):  # noqa: PTH110 - a text
            raise RankgaugeError("no-segment-column", got=f"{source!r}, which is no file", nearest="")
    from rankgauge.grading.source import open_table

    return _pairs_of_table(open_table(source, "segments"), column, role)


def _split(text: str) -> tuple[str, str | None]:
    r"""Return a file and the column that is named behind it, if one is.

    >>> _split("segments.csv:device"), _split("segments.csv"), _split("data.duckdb::queries")
    (('segments.csv', 'device'), ('segments.csv', None), ('data.duckdb::queries', None))
    """
    if os.path.exists(text):  # noqa: PTH110 - a text, not a path
        return text, None
    for colon in _COLON.finditer(text):  # the column of a file that is there may be called anything, such as a/b
        file, column = text[: colon.start()], text[colon.end() :]
        if os.path.isfile(split_table(file)[0]):  # noqa: PTH113
            return file, column
    match = _FILE_AND_COLUMN.fullmatch(text)
    return (match["file"], match["column"]) if match else (text, None)


def _pairs_of_table(table: SourceTable, column: str | None, role: Role) -> tuple[str, list[tuple[Any, Any]]]:
    from rankgauge.grading.source import rows

    names = table.names
    if column is not None and column not in names:
        shown, near = roles.column_list(names), nearest(column, names)
        raise RankgaugeError("no-segment-column", got=f"{column!r}, and the columns {shown}", nearest=near)
    finder = roles.ColumnFinder(names, "segments", {})
    queries = finder.matches(role, {column} if column else ())
    if len(queries) != 1:
        known = ", ".join(roles.NAMES[role][:6])
        raise RankgaugeError(
            "no-query-column", known=known, got=roles.column_list(names), noun=_PLURAL[role], role=role
        )
    query = queries[0]
    others = [name for name in finder.findable if name != query]
    if column is None and len(others) != 1:
        raise RankgaugeError("no-segment-column", got=f"the columns {roles.column_list(names)}", nearest="")
    chosen = column or others[0]
    return chosen, [(row[query], row[chosen]) for row in rows(table.frame.select(query, chosen))]


def _text(value: object) -> str | None:
    """Return the name of a segment; None for an empty value of any library.

    >>> _text("mobile"), _text(3.0), _text(True), _text(float("nan")), _text("")
    ('mobile', '3', 'True', None, None)
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    is_empty = not text if isinstance(value, str) else text in _EMPTY
    return None if is_empty else text


def _as_number(segment: str) -> tuple[bool, float, str]:
    """Sort whole numbers by value, and before texts."""
    is_number = segment.lstrip("-").isdecimal() and len(segment) < 40
    return (not is_number, int(segment) if is_number else 0, segment)
