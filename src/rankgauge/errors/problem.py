"""Problem: the wording of an error and its hint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple


class Problem(NamedTuple):
    """What went wrong (`expected …, got …`) and what to do about it."""

    text: str
    hint: str
    # A better hint for some errors, and the test of the context that selects them.
    other_hint: str = ""
    is_other: Callable[[Mapping[str, object]], bool] | None = None

    def hint_for(self, context: Mapping[str, object]) -> str:
        """Return the hint for an error with this context.

        >>> problem = Problem("got {got}", "give a number", "write a point", lambda context: "," in str(context["got"]))
        >>> problem.hint_for({"got": "x"}), problem.hint_for({"got": "0,5"})
        ('give a number', 'write a point')
        """
        return self.other_hint if self.is_other is not None and self.is_other(context) else self.hint
