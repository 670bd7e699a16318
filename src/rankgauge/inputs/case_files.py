"""JSON files of cases: a list or an object per case, in an array or one per line."""

from __future__ import annotations

import json
from numbers import Number
from typing import Any, NamedTuple

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import cases, files, formats, roles
from rankgauge.inputs.input_pair import InputFile


class FirstValue(NamedTuple):
    """The first value of a JSON file, or the first of the array that it is."""

    value: Any
    in_array: bool


def has_cases(file: InputFile) -> bool:
    """Whether the first entry is a case: no row of a table, and no mapping of queries."""
    first = _first(file)
    if first is None or not isinstance(first.value, dict):
        return first is not None
    if cases.parts_of(first.value):
        return True
    graded = all(isinstance(value, Number) for value in first.value.values())
    return graded and (first.in_array or bool(first.value)) and not any(map(roles.known_role, first.value))


def values(file: InputFile) -> Any:  # noqa: ANN401 - any JSON value
    """Return what the file holds: one value, or a list of one per line."""
    try:
        text = files.json_text(file)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise RankgaugeError("unreadable-table", file.label, got=str(error)) from None
    try:
        return files.json_value(text, file.label)
    except RankgaugeError:
        raise
    except ValueError:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        return [_line(file, number, line) for number, line in lines]


def _line(file: InputFile, number: int, line: str) -> Any:  # noqa: ANN401 - any JSON value
    place = f"{file.label}:{number}"
    try:
        return files.json_value(line, place)
    except RankgaugeError:
        raise
    except ValueError as error:
        raise RankgaugeError("unreadable-table", place, got=f"no JSON: {error}") from None


def _first(file: InputFile) -> FirstValue | None:
    """The first entry; None where it cannot be read, which the reader of tables then reports."""
    head = formats.head(file.path)
    text = _without_empty_cases(head.decode("utf-8", "replace").lstrip())
    in_array = text.startswith("[")
    try:
        decoder = json.JSONDecoder(parse_int=files.whole_number)
        return FirstValue(decoder.raw_decode(text.removeprefix("[").lstrip())[0], in_array)
    except RecursionError:
        return None
    except ValueError:
        return _long_first(file, in_array=in_array) if len(head) >= formats.HEAD else None


def _without_empty_cases(text: str) -> str:
    """The text without the empty cases that it begins with, unless it has no others."""
    rest = text
    while rest.startswith(("[]", "{}")):
        rest = rest[2:].lstrip()
    return rest or text


def _long_first(file: InputFile, *, in_array: bool) -> FirstValue | None:
    """The first entry where it is longer than the head of the file; None for a mapping of queries, which often is."""
    key = formats.first_json_key(file.path)
    if not in_array and key is not None and not cases.is_part(key):
        return None
    whole = values(file)
    return FirstValue(whole[0] if isinstance(whole, list) and whole else whole, in_array)
