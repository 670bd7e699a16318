"""What the learner's page starts with: items in their order, and the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rankgauge.conventions import NAMED
from rankgauge.languages.escapes import printable
from rankgauge.presentation.learner.rules import Rules

Graded = tuple[str, float | None]


@dataclass(frozen=True, slots=True)
class InitialState:
    """The list that the page starts with.

    Parameters:
        ranked: the items of the list in its order, each with its grade; None is unjudged.
        unranked: judged items that the list lacks.
        rules: how it is computed.
        printed: the line in which the value was printed.
        story: which story the page tells of it, if any.
        tied: whether items with equal scores were averaged, where the page has one order.

    """

    ranked: Sequence[Graded]
    unranked: Sequence[Graded]
    rules: Rules
    printed: str = ""
    story: str = ""
    tied: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what the script reads; grades are numbers that JSON has."""
        return {
            "ranked": [[printable(item), grade] for item, grade in self.ranked],
            "unranked": [[printable(item), grade] for item, grade in self.unranked],
            "rules": self.rules.to_dict(),
            "printed": self.printed,
            "story": self.story,
            "tied": self.tied,
        }


def _example(story: str, ranked: Mapping[str, float], unranked: Mapping[str, float], convention: str) -> InitialState:
    return InitialState(list(ranked.items()), list(unranked.items()), Rules.of(NAMED[convention]), story=story)


# The examples of the guides: a friend's guess of the candies that one likes, and three of five items recommended.
CANDIES: Final = _example(
    "candies", {"chocolate": 2.0, "strawberry": 3.0, "grape": 0.0, "mint": 0.0, "lemon": 1.0}, {}, "burges"
)
SHORT_LIST: Final = _example("short", {"A": 0.1, "B": 0.5, "C": 0.7}, {"D": 0.5, "E": 0.1}, "textbook")
EXAMPLES: Final[Mapping[str, InitialState]] = {example.story: example for example in (CANDIES, SHORT_LIST)}
