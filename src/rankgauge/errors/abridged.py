"""Values from users' data in messages: ids of a megabyte, and numbers with more digits than Python writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# A longer word is an id, and no path; a longer sentence holds a text that is used as an id.
_WORD, _SENTENCE = 1000, 3000
_LONG_WORD: Final = re.compile(rf"\S{{{_WORD + 1},}}")


class _Words(str):
    """A text that stands in for a value, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def abridged(sentence: str) -> str:
    """Return a text in which the middle of very long words, or its own, is left out.

    >>> abridged("query 'q1', item '" + "x" * 1_000_000 + "'")[-25:], len(abridged("ab " * 1_000_000))
    ("xxxxxxxxxxxxxxxxxxxxxxxx'", 3000)
    """
    if len(sentence) <= _WORD:
        return sentence
    sentence = _LONG_WORD.sub(lambda word: _ends(word[0], _WORD), sentence)
    return _ends(sentence, _SENTENCE)


def _ends(text: str, most: int) -> str:
    """The beginning and the end of a text, three quarters and a quarter of what is kept."""
    if len(text) <= most:
        return text
    first = most * 3 // 4
    return f"{text[:first]}…{text[first + 1 - most :]}"


def filled(template: str, context: Mapping[str, object]) -> str:
    """Return a template with its values, also where one has more digits than Python writes.

    >>> filled("expected a number, got {got!r}", {"got": 7}), filled("got {got!r}", {"got": 10**5000})
    ('expected a number, got 7', 'got a whole number of too many digits')
    """
    try:
        return template.format(**context)
    except ValueError:
        return template.format(**{name: _written(value) for name, value in context.items()})


def _written(value: object) -> object:
    try:
        repr(value)
    except ValueError:
        return _Words("a whole number of too many digits")
    return value
