"""Text forms: `name(parameter=value, …)` of measures, conventions and their terms; numbers, dates, and counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from rankgauge.checks import bad_number, is_finite
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text

_MIDNIGHT: Final = r"(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0*)?)?(?:Z|[+-]\d{2}:?\d{2})?$"
_DATE: Final = r"([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})(?![0-9])"
_BLANK: Final = r"(?<=^\d{4}-\d{2}-\d{2}) (?=\d)"


def plain_name(name: str) -> str:
    """Return a name as it is compared where case and the sign between words do not matter.

    >>> plain_name("Implicit_Feedback")
    'implicit-feedback'
    """
    return name.strip().casefold().replace("_", "-")


def split_call(text: str, form: str) -> tuple[str, list[str]]:
    """Split `name(a,b=c)` into the name and its arguments; commas inside inner parentheses or braces do not split.

    >>> split_call("ndcg(gain=table(0=0,1=3),discount=log2)", "name(…)")
    ('ndcg', ['gain=table(0=0,1=3)', 'discount=log2'])
    >>> split_call("linear", "name")
    ('linear', [])
    """
    name, opening, rest = text.strip().partition("(")
    if not opening:
        return name.strip(), []
    if not rest.endswith(")"):
        raise RankgaugeError("bad-notation", form=form, got=text)
    return name.strip(), split_list(rest[:-1], form)


def split_list(text: str, form: str) -> list[str]:
    """Split at the commas outside parentheses and braces.

    >>> split_list("ndcg@5, ndcg(gain=table(0=0,1=3))@10", "a,b")
    ['ndcg@5', 'ndcg(gain=table(0=0,1=3))@10']
    """
    parts = [""]
    depth = 0
    for character in text:
        depth += (character in "({") - (character in ")}")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    parts = [part.strip() for part in parts]
    if depth != 0 or not all(parts):
        raise RankgaugeError("bad-notation", form=form, got=text)
    return parts


def split_pair(text: str, form: str) -> tuple[str, str]:
    """Split `name=value` at its first equals sign.

    >>> split_pair("gain=table(0=1)", "name=value")
    ('gain', 'table(0=1)')
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise RankgaugeError("bad-notation", form=form, got=text)
    return name.strip(), value.strip()


def split_parameters(arguments: list[str]) -> dict[str, str]:
    """Split each `name=value`; a name may come once.

    >>> split_parameters(["gain=exp2", "discount=log2"])
    {'gain': 'exp2', 'discount': 'log2'}
    """
    parameters: dict[str, str] = {}
    for argument in arguments:
        name, value = split_pair(argument, "name=value")
        if name in parameters:
            raise RankgaugeError("repeated-parameter", got=name)
        parameters[name] = value
    return parameters


def parse_number(text: str, field: str) -> float:
    """Read a finite number or say which field wanted one.

    >>> parse_number("2.5", "base")
    2.5
    """
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not is_finite(number):
        raise bad_number(field, "a finite number", text, "such as 2 or 0.5")
    return number


def format_number(number: float) -> str:
    """Print a number as it is typed: no trailing `.0`, all digits otherwise.

    >>> format_number(2.0), format_number(0.1)
    ('2', '0.1')
    """
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))


def quoted_list(names: Sequence[str], most: int) -> str:
    """Return names in quotes, `most` of them at most, with … for the others.

    >>> quoted_list(["a", "b", "c"], 2)
    "'a', 'b', …"
    """
    return ", ".join([*map(repr, names[:most]), *["…"] * (len(names) > most)])


def counted(count: int, one: str, many: str = "") -> Text:
    """Return a number with its noun, in the singular or the plural (default: the singular with an s).

    >>> counted(1, "query", "queries"), counted(1200, "query", "queries"), counted(0, "date")
    ('1 query', '1,200 queries', '0 dates')
    """
    return Text.counted(count, f"{{n:,}} {one}", f"{{n:,}} {many or one + 's'}")


def date_text(moment: object, separator: str = "T") -> str:
    """Return a date or a time in ISO 8601, midnight as the date alone; with "T", this is how the core writes ids.

    >>> date_text(datetime(2026, 1, 2)), date_text(datetime(2026, 1, 2, 16, 30)), date_text(20260102)
    ('2026-01-02', '2026-01-02T16:30:00', '20260102')
    """
    text = moment.isoformat(separator) if isinstance(moment, datetime) else str(moment)
    midnight = re.match(_MIDNIGHT, text)
    return midnight[1] if midnight else re.sub(_BLANK, separator, text, count=1)


def date_of(text: str) -> date | None:
    """Return the date with which a text begins, with or without signs between its parts; None where it has none.

    >>> date_of("2026-01-02T16:30:00"), date_of("20260102"), date_of("20261302"), date_of("1767312000")
    (datetime.date(2026, 1, 2), datetime.date(2026, 1, 2), None, None)
    """
    parts = re.match(_DATE, text)
    try:
        return date(int(parts[1]), int(parts[3]), int(parts[4])) if parts else None
    except ValueError:
        return None
