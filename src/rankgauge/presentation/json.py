"""Plain values as JSON, which has no NaN and no infinities."""

from __future__ import annotations

import math
from typing import Any


def json_text(values: Any) -> str:  # noqa: ANN401 - any plain values
    r"""Write plain values as indented JSON; NaN and infinities become null, what is not printable is escaped.

    >>> print(json_text({"mean": float("nan")}))
    {
      "mean": null
    }
    >>> json_text("d1\x9b\u202e")
    '"d1\\u009b\\u202e"'
    """
    import json  # evaluating does without

    text = json.dumps(nan_to_none(values), indent=2, ensure_ascii=False)
    return "".join(map(_escaped, text)) if _has_unprintable(text) else text


def _has_unprintable(text: str) -> bool:
    return not text.replace("\n", "").isprintable()


def _escaped(character: str) -> str:
    """Return a character as JSON writes it in ASCII if a terminal would obey it or UTF-8 lacks it."""
    if character == "\n" or character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[start]:02x}{units[start + 1]:02x}" for start in range(0, len(units), 2))


def nan_to_none(value: Any) -> Any:  # noqa: ANN401 - any plain value
    """Return plain values with None in place of NaN and infinities.

    >>> nan_to_none({"mean": float("nan"), "days": [1.5, 2]})
    {'mean': None, 'days': [1.5, 2]}
    """
    if isinstance(value, dict):
        return {key: nan_to_none(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [nan_to_none(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
