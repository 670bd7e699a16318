"""ReadingOptions: what the caller says about how both sides are to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from rankgauge.inputs.formats import Format

ColumnsInput: TypeAlias = "Mapping[str, str] | Sequence[str] | None"

_OF_JUDGMENTS: Final = ("grade", "subtopic", "propensity", "position")
_OF_RANKING: Final = ("score", "rank")
# Of the roles in a group, a side has one.
_ONE_OF: Final = (("grade", "score", "rank"), ("propensity", "position"))


class ReadingOptions(NamedTuple):
    """Columns by role, and formats of files; `columns` holds for both sides, where a side does not say another.

    >>> reading = ReadingOptions(columns={"query": "user", "score": "prediction"}, columns_judgments={"grade": "liked"})
    >>> reading.for_judgments, reading.for_ranking
    ({'query': 'user', 'grade': 'liked'}, {'query': 'user', 'score': 'prediction'})
    """

    columns: ColumnsInput = None
    columns_judgments: ColumnsInput = None
    columns_ranking: ColumnsInput = None
    format_judgments: Format | None = None
    format_ranking: Format | None = None

    @property
    def for_judgments(self) -> ColumnsInput:
        """The columns of the judgments."""
        return _merged(_without(self.columns, _OF_RANKING), self.columns_judgments)

    @property
    def for_ranking(self) -> ColumnsInput:
        """The columns of the ranking."""
        return _merged(_without(self.columns, _OF_JUDGMENTS), self.columns_ranking)

    @property
    def says_rows(self) -> bool:
        """Whether a list of dicts or a JSON file is a table: its columns are named, or its format is another."""
        formats = (self.format_judgments, self.format_ranking)
        return any(self[:3]) or any(format_ not in (None, "jsonl") for format_ in formats)


def _merged(common: ColumnsInput, own: ColumnsInput) -> ColumnsInput:
    """The columns of a side: its own before the common ones; a list names all columns of a text."""
    if not (isinstance(common, Mapping) and isinstance(own, Mapping)):
        return own or common
    replaced = {role for roles in _ONE_OF for role in roles if not own.keys().isdisjoint(roles)}
    return {**{role: name for role, name in common.items() if role not in replaced}, **own}


def _without(columns: ColumnsInput, others: Sequence[str]) -> ColumnsInput:
    """The columns less the other side's own; an unknown role stays, to be refused."""
    if not isinstance(columns, Mapping):
        return columns
    return {role: name for role, name in columns.items() if role not in others}
