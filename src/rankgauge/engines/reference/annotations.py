"""What judgments carry beside grades, as the reference engine reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Annotations:
    """Query → item → what its judgment carries beside the grade: {subtopic: grade}, a propensity or a position."""

    rows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    kind: str | None = None
