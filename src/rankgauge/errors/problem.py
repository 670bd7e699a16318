"""Problem: the wording of an error and its hint."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """What went wrong (`expected …, got …`) and what to do about it."""

    text: str
    hint: str
