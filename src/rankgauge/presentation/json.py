"""Plain values as JSON, which has no NaN and no infinities."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

from rankgauge.notation import date_text


def json_text(values: Any) -> str:  # noqa: ANN401 - any plain values
    r"""Write plain values as indented JSON; NaN and infinities become null, dates become text.

    What is not printable is escaped.

    >>> print(json_text({"mean": float("nan")}))
    {
      "mean": null
    }
    >>> json_text("d1\x9b\u202e")
    '"d1\\u009b\\u202e"'
    """
    import json  # imported late: evaluating starts faster

    text = json.dumps(plain_value(values), indent=2, ensure_ascii=False)
    return "".join(map(_escaped, text)) if _has_unprintable(text) else text


def _has_unprintable(text: str) -> bool:
    return not text.replace("\n", "").isprintable()


def _escaped(character: str) -> str:
    """Escape a character as JSON does, if a terminal would obey it or UTF-8 cannot encode it."""
    if character == "\n" or character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[start]:02x}{units[start + 1]:02x}" for start in range(0, len(units), 2))


def plain_value(value: Any) -> Any:  # noqa: ANN401 - any plain value
    """Return what JSON can write: None in place of NaN and infinities, text in place of dates.

    >>> plain_value({"mean": float("nan"), "days": [1.5, date(2026, 1, 2)]})
    {'mean': None, 'days': [1.5, '2026-01-02']}
    """
    if isinstance(value, dict):
        return {plain_value(key): plain_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(inner) for inner in value]
    if isinstance(value, date):
        return date_text(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
