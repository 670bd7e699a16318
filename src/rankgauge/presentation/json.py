"""Plain values as JSON, which has no NaN and no infinities."""

from __future__ import annotations

import math
from typing import Any


def json_text(values: Any) -> str:  # noqa: ANN401 - any plain values
    """Write plain values as indented JSON; NaN and infinities become null.

    >>> print(json_text({"mean": float("nan")}))
    {
      "mean": null
    }
    """
    import json  # evaluating does without

    return json.dumps(nan_to_none(values), indent=2, ensure_ascii=False)


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
