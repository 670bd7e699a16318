"""Texts: what queries and items are, since ids alone tell a reader nothing."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final, TypeAlias

from rankgauge.errors import RankgaugeError

OneSide: TypeAlias = "Mapping[Any, str] | str | os.PathLike[str] | None"
TextsInput: TypeAlias = "tuple[OneSide, OneSide] | None"

IDS: Final = ("_id", "id", "docid", "doc_id", "docno", "query_id", "qid", "item_id", "pid")
TEXTS: Final = ("text", "title", "contents", "content", "body", "query", "name", "description")
# Longer texts are cut: a reader wants to know what an item is about.
LONGEST: Final = 240
# What may be the id of a line: a text in quotes, or a number.
_ID: Final = re.compile(r'"(?:' + "|".join(IDS) + r')"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",}]+))')


def read_texts(source: OneSide, wanted: AbstractSet[str]) -> dict[str, str]:
    """Return the texts of the wanted ids, from a mapping or from a file of tab-separated values or JSON lines.

    >>> read_texts({1: "shoes", 2: "hats"}, {"1"})
    {'1': 'shoes'}
    """
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return {str(id_): _cut(str(text)) for id_, text in source.items() if str(id_) in wanted}
    if not isinstance(source, str | os.PathLike):
        raise RankgaugeError("bad-texts-type", got=type(source).__name__)
    path = os.fspath(source)
    try:
        with _opened(path) as lines:
            texts = dict(_rows(lines, path, wanted))
    except FileNotFoundError:
        raise RankgaugeError("file-not-found", path) from None
    except (OSError, EOFError, zlib.error) as error:  # the last two: a compressed file that is cut or damaged
        raise RankgaugeError("unreadable-file", path, got=getattr(error, "strerror", None) or str(error)) from None
    return texts


def both_sides(texts: TextsInput) -> tuple[OneSide, OneSide]:
    """Return the sources of the texts of queries and of items.

    >>> both_sides(None), both_sides(({"q1": "shoes"}, None))
    ((None, None), ({'q1': 'shoes'}, None))
    """
    if texts is None:
        return None, None
    if not isinstance(texts, tuple | list) or len(texts) != 2:
        raise RankgaugeError("bad-texts-type", got=type(texts).__name__)
    return texts[0], texts[1]


def _opened(path: str) -> Any:  # noqa: ANN401 - a text stream
    import gzip

    opener = gzip.open if path.endswith(".gz") else open
    try:
        return opener(Path(path), "rt", encoding="utf-8-sig", errors="replace")
    except ValueError as error:  # a path with a NUL
        raise OSError(str(error)) from None


def _rows(lines: Iterator[str], path: str, wanted: AbstractSet[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        if line.startswith("{"):
            # Most items of a collection are in no ranking: their lines are not parsed.
            quick = [text or number for text, number in _ID.findall(line)]
            if quick and not any(id_ in wanted or "\\" in id_ for id_ in quick):
                continue
            id_, text = _from_json(line, f"{path}:{number}")
        else:
            id_, _, text = line.rstrip("\r\n").partition("\t")
        if id_ in wanted:
            yield id_, _cut(text)


def _from_json(line: str, place: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):  # the latter: thousands of brackets
        row = None
    id_ = next((row[name] for name in IDS if name in row), None) if isinstance(row, dict) else None
    if id_ is None:
        raise RankgaugeError("bad-texts", place, known=", ".join(IDS), got=line.strip()[:60])
    words = [str(row[name]) for name in ("title", *TEXTS) if row.get(name)]
    return str(id_), ". ".join(dict.fromkeys(words[:2]))


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
