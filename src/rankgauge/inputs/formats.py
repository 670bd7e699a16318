"""Which format a file has. Its content decides; its name only where the content leaves a doubt."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError

if TYPE_CHECKING:
    from rankgauge.inputs.roles import Side

Format: TypeAlias = Literal["trec", "csv", "tsv", "jsonl", "parquet", "arrow", "letor", "scores", "duckdb", "sqlite"]

FORMATS: Final[Mapping[Format, str]] = {
    "trec": "TREC: query, iteration, item, grade; or query, Q0, item, rank, score, tag",
    "csv": "columns separated by commas, semicolons or bars, with a header",
    "tsv": "columns separated by tabs, with a header",
    "jsonl": "JSON: an object per line, or an array of objects",
    "parquet": "Apache Parquet",
    "arrow": "Apache Arrow IPC, a file or a stream, also known as Feather",
    "letor": "LETOR, also known as SVMlight: grade, qid:query, features",
    "scores": "one score per line, in the order of the rows that are judged",
    "duckdb": "a table of a DuckDB database, as in file.duckdb::table",
    "sqlite": "a table of an SQLite database, as in file.sqlite::table",
}
_BINARY: Final = {"parquet", "arrow", "duckdb", "sqlite"}
SUFFIXES: Final[Mapping[str, Format]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".letor": "letor",
    ".svmlight": "letor",
    ".duckdb": "duckdb",
    ".db": "sqlite",
    ".sqlite": "sqlite",
}
# A query of a text file may be called PAR1 or have DUCK in its name: what follows tells them apart.
_MAGIC: Final = re.compile(
    rb"(?P<parquet>PAR1(?![\t-\r -~]))|(?P<arrow>ARROW1\0\0|\xff{4})|(?P<sqlite>SQLite format 3\0)"
    rb"|(?P<duckdb>.{8}DUCK.{0,7}\0)",
    re.DOTALL,
)
# Not every brace is JSON: a query may be {3f2504e0-…} or [1].
_JSON: Final = re.compile(rb"\s*(?:\{\s*(?:[\"'}]|\Z)|\[\s*(?:[\[{\"\]]|\Z))")
# An object whose first value is an object or an array: queries, rather than the columns of a row.
_FIRST_KEY: Final = rb'\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*[\[{]'
# Nothing but an array of numbers: a query of a TREC file may be called [1].
_NUMBERS: Final = rb"\s*\[[-+0-9.,eE\s]*\]\s*"
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:nan|inf|infinity)", re.IGNORECASE
)
_DATE: Final = re.compile(r"(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?:[ T].*)?")
_COLUMN: Final = re.compile(r"[^ \t\v\f]+")  # as the TREC reader splits; str.split() knows more white space
_GZIP: Final = b"\x1f\x8b"
HEAD: Final = 1 << 16
_MOST_LINES: Final = 100


class Dialect(NamedTuple):
    """How a delimited text is written: what separates its columns, and their names if it has a header."""

    delimiter: str
    header: tuple[str, ...] | None


def require(format_: Format | None, path: str, label: str) -> Format | None:
    """Return the format that was asked for, after a check that there is one of that name."""
    if format_ is not None:
        require_choice("format", format_, FORMATS, "default: found from the content")
    if is_gzip(path) and (format_ or detect(path, "ranking", label)) in _BINARY:
        raise RankgaugeError("bad-format", label, suffix="gzip", got="a binary format: unpack it first")
    return format_


def is_number(cell: str) -> bool:
    """Whether a cell is a number, with a point or a comma for decimals.

    >>> is_number("-1.5e3"), is_number("score")
    (True, False)
    """
    return _NUMBER.fullmatch(cell) is not None


def begins_as_number(cell: str) -> bool:
    """Whether a cell may be a value: a number, perhaps with a unit, and no name of a column.

    >>> begins_as_number("1등"), begins_as_number("-5%"), begins_as_number("nan"), begins_as_number("rank")
    (True, True, True, False)
    """
    return is_number(cell) or cell.lstrip("#+-−.")[:1].isdecimal()


def is_time(cell: str) -> bool:
    """Whether a cell is a time in seconds or milliseconds since 1970, after 1973: larger than any grade or rank.

    >>> is_time("881250949"), is_time("1260759144000"), is_time("5")
    (True, True, False)
    """
    return 9 <= len(cell) <= 13 and cell.isascii() and cell.isdigit() and cell[0] != "0"


def is_date(cell: str) -> bool:
    """Whether a cell is a date in digits, perhaps with a time.

    >>> is_date("2026-01-02"), is_date("31.12.2025 09:30"), is_date("20260102")
    (True, True, False)
    """
    return _DATE.fullmatch(cell) is not None


def is_gzip(path: str | os.PathLike[str]) -> bool:
    """Whether a regular file is gzipped.

    >>> is_gzip("missing.gz")
    False
    """
    return _bytes(path, 2) == _GZIP


def head(path: str | os.PathLike[str]) -> bytes:
    """Return the first bytes, unpacked; nothing if there are none, or if reading them would take them from a pipe.

    >>> head("missing.json")
    b''
    """
    return _unpacked(_bytes(path, HEAD)).removeprefix(b"\xef\xbb\xbf")


def is_json(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as JSON does, or is an array of numbers.

    >>> is_json("missing.json")
    False
    """
    first = head(path)
    named = SUFFIXES.get(_suffix(path)) == "jsonl" and first.lstrip().startswith(b"[")
    return _JSON.match(first) is not None or named or re.fullmatch(_NUMBERS, first) is not None


def first_json_key(path: str | os.PathLike[str]) -> str | None:
    """Return the first key of the first object whose value is an object or array in its turn.

    >>> first_json_key("missing.json") is None
    True
    """
    match = re.match(_FIRST_KEY, head(path))
    return match[1].decode("utf-8", "replace") if match else None


def detect(path: str | os.PathLike[str], side: Side, label: str | None = None) -> Format:
    """Return the format of a file by its first bytes; what cannot be read is left to the TREC reader's errors.

    >>> detect("missing.parquet", "ranking")
    'trec'
    """
    beginning = head(path)
    if not beginning:
        if SUFFIXES.get(_suffix(path)) in _BINARY:  # the readers of texts refuse empty texts
            require_rows(path, label or os.fspath(path))
        return "trec"
    if magic := _MAGIC.match(beginning):
        return cast("Format", magic.lastgroup)
    suffix = _suffix(path)
    by_name = SUFFIXES.get(suffix, "trec")
    if by_name in _BINARY:
        raise RankgaugeError("bad-format", label or os.fspath(path), suffix=suffix, got=repr(beginning[:20])[1:])
    return _text_format(beginning, side) or by_name


def require_rows(path: str | os.PathLike[str], label: str) -> None:
    """Raise for an empty file whose suffix says its format; the reader of TREC files refuses others."""
    by_name = SUFFIXES.get(_suffix(path))
    if by_name is not None and os.path.isfile(path) and not os.path.getsize(path):  # noqa: PTH113, PTH202 - quicker
        raise RankgaugeError("empty-file", label, columns=FORMATS[by_name])


def require_utf8(path: str | os.PathLike[str], format_: Format, label: str, *, whole: bool = False) -> None:
    """Raise for a text whose beginning is not UTF-8.

    Of one with quotes the header counts: columns that are not used may hold anything, unless the `whole` table is read.
    """
    if format_ in _BINARY or format_ in ("letor", "scores"):
        return
    beginning = head(path)
    if format_ in ("csv", "tsv") and not whole and b'"' in beginning and b"\0" not in beginning:
        beginning = beginning.partition(b"\n")[0]
    if beginning.isascii() and b"\0" not in beginning:
        return
    from rankgauge.inputs import encodings  # imported late: most texts are ASCII

    encodings.require_utf8(beginning, label)


def first_lines(path: str | os.PathLike[str], most: int | None = _MOST_LINES) -> list[str]:
    """Return the first lines of a text file, unpacked, without comments and blank lines, for `dialect`.

    >>> first_lines("missing.csv")
    []
    """
    return _lines(head(path), most)


def columns_of(path: str | os.PathLike[str], most: int = _MOST_LINES) -> list[list[bytes]]:
    """Return the columns of the first lines, split at white space as in TREC files, without comments and blank lines.

    >>> columns_of("missing.txt")
    []
    """
    beginning = head(path)
    if _MAGIC.match(beginning) or _JSON.match(beginning):
        return []
    lines = beginning.split(b"\n", most)
    if len(lines) > most or len(beginning) >= HEAD:
        lines.pop()  # the rest, or cut in the middle
    rows = map(bytes.split, lines)
    return [row for row in rows if row and not row[0].startswith(b"#")]


def lines_before(path: str | os.PathLike[str]) -> int:
    """Return how many lines come before the first that is neither blank nor a comment.

    >>> lines_before("missing.csv")
    0
    """
    lines = head(path).split(b"\n")
    kept = (number for number, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(b"#"))
    return next(kept, 0)


def dialect(lines: list[str], default: str = ",") -> Dialect:
    r"""Return how the lines are delimited; `default` is the delimiter if nothing tells.

    >>> dialect(["query-id\tcorpus-id\tscore", "q1\td1\t2"])
    Dialect(delimiter='\t', header=('query-id', 'corpus-id', 'score'))
    >>> dialect(["q1;d1;0,5", "q1;d2;0,4"])
    Dialect(delimiter=';', header=None)
    """
    delimiter = _delimiter(lines) or default
    first = cells(lines[0], delimiter) if lines else []
    is_header = first and (_roles(first) > 1 or not any(map(_NUMBER.fullmatch, first)))
    return Dialect(delimiter, tuple(first) if is_header else None)


def cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line.

    >>> cells('a,"b, c", d', ",")
    ['a', 'b, c', 'd']
    """
    import csv

    if len(delimiter) > 1:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        row = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:  # a line that no reader can split, such as one with a NUL
        return [line]
    return [cell.strip() for cell in row]


def split_table(path: str) -> tuple[str, str | None]:
    """Split `file::table` into the file and the table; a file that is really called so has no table.

    >>> split_table("data/runs.duckdb::bm25")
    ('data/runs.duckdb', 'bm25')
    >>> split_table("run.txt")
    ('run.txt', None)
    """
    file, _, table = path.rpartition("::")
    if not file or not table or os.path.exists(path):  # noqa: PTH110 - Path.exists raises for some names
        return path, None
    return file, table


def _bytes(path: str | os.PathLike[str], count: int) -> bytes:
    from stat import S_ISREG

    try:
        if not S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - pathlib takes long to load
            return b""
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read(count)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return b""


def _unpacked(data: bytes) -> bytes:
    """The beginning of what is inside, if it is gzipped; members may be empty, and the last be cut."""
    if not data.startswith(_GZIP):
        return data
    import zlib

    plain = b""
    try:
        while data.startswith(_GZIP) and len(plain) < HEAD:
            unpacker = zlib.decompressobj(wbits=31)
            plain += unpacker.decompress(data, HEAD - len(plain))
            data = unpacker.unused_data
    except zlib.error:
        pass  # the reader says what is wrong with it
    return plain


def _suffix(path: str | os.PathLike[str]) -> str:
    return os.path.splitext(os.fspath(path).lower().removesuffix(".gz"))[1]  # noqa: PTH122 - pathlib takes long to load


def _lines(beginning: bytes, most: int | None = _MOST_LINES) -> list[str]:
    if b"\0" in beginning:  # no text, or UTF-16
        return []
    lines = beginning.replace(b"\r", b"\n").split(b"\n")
    if len(beginning) >= HEAD and len(lines) > 1:
        lines.pop()  # cut in the middle
    kept = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return [line.decode("utf-8", "replace") for line in kept[:most]]


def _text_format(beginning: bytes, side: Side) -> Format | None:
    if _JSON.match(beginning):
        return "jsonl"
    lines = _lines(beginning)
    if not lines:
        return None
    rows = [_COLUMN.findall(line) for line in lines]
    if _is_letor(rows[0]):
        return "letor"
    if all(len(row) == 1 and _NUMBER.fullmatch(row[0]) for row in rows):
        return "scores"
    if _is_trec(rows, lines, side):
        return "trec"
    delimiter = _delimiter(lines)
    return None if delimiter is None else "tsv" if delimiter == "\t" else "csv"


def _is_letor(row: list[str]) -> bool:
    return len(row) > 1 and _NUMBER.fullmatch(row[0]) is not None and row[1].startswith("qid:")


def _is_trec(rows: list[list[str]], lines: list[str], side: Side) -> bool:
    """Whether most rows have the columns of TREC, and the first row is no header, which would make it a table."""
    fits = [_fits_trec(row, side) for row in rows]
    most = 2 * sum(fits) > len(fits)
    return most and (fits[0] or _delimiter(lines) is None or dialect(lines).header is None)


def _fits_trec(row: list[str], side: Side) -> bool:
    if row[0].endswith((",", ";", "|")):  # `q1, 0, d1, 2` is CSV with blanks
        return False
    if side != "ranking":
        return len(row) == 4 and _NUMBER.fullmatch(row[3]) is not None and not is_time(row[3])
    # A tag may have blanks if the rank is a number; the TREC reader rejects `q1 | d1 | 3 | 0.5` by the same test.
    return len(row) >= 6 and all(map(_NUMBER.fullmatch, row[4:5] if len(row) == 6 else row[3:5]))


def _delimiter(lines: list[str]) -> str | None:
    """Return what splits all lines alike, or the first into names of roles; most names win, then a tab."""
    ranked = []
    for delimiter in ("\t", ",", ";", "|", "::"):
        counts = [len(cells(line, delimiter)) for line in lines]
        named = _roles(cells(lines[0], delimiter)) if lines else 0
        if named > 1 or (len(set(counts)) == 1 and counts[0] > 1):
            ranked.append((named, delimiter == "\t", counts[0], delimiter))
    return max(ranked, key=lambda each: each[:3])[3] if ranked else None


def _roles(names: list[str]) -> int:
    from rankgauge.inputs import roles  # imported late: TREC files do not need it

    return len({roles.known_role(cell) for cell in names} - {None})
