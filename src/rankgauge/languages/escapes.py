r"""Texts from users' data, written so that no id can break a line, move a cursor or turn the direction of a text.

>>> printable("d1\n\x1b]0;title\x07")
'd1\\n\\x1b]0;title\\x07'
"""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Escape what is not printable: control and format characters, line ends, blanks other than the space.

    >>> printable("a\u202eb"), printable("映画 1")
    ('a\\u202eb', '映画 1')
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
