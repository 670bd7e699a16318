"""Keywords of Python in the words of errors, as the switches of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# What hints say in Python → what is typed. A hint that says both forms itself has other words for them.
SWITCHES: Final[Mapping[str, str]] = {
    "order='column'": "--order COLUMN",
    "order=": "--order",
    "memory=": "--memory",
    "engine='native'": "--engine native",
}
_KEYWORD: Final = re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, SWITCHES))})(?=[\s.,;]|$)")


def as_switches(message: str) -> str:
    """Return an error as it is said on the command line.

    >>> as_switches("evaluate on this machine with engine='native'.")
    'evaluate on this machine with --engine native.'
    >>> as_switches("give more: memory='8GB' in Python, --memory 8GB on the command line")
    "give more: memory='8GB' in Python, --memory 8GB on the command line"
    """
    return _KEYWORD.sub(lambda keyword: SWITCHES[keyword[0]], message)
