"""One table that holds prices or returns and the scores or ranks of a model."""

from __future__ import annotations

import os
from collections.abc import Mapping

from rankgauge.grading.source import Frame, Given

_KEYS = ("date", "ticker")


def read_twice(source: Frame) -> Frame:
    """Return the table, or the path of a file that can be read again: what a pipe holds is kept in one."""
    if not isinstance(source, str | os.PathLike):
        return source
    from rankgauge.inputs import files

    file = files.locate(source)
    return file.path if file.table is None else f"{file.path}::{file.table}"


def shared_columns(prices: Given, scores: Given) -> tuple[Given, Given]:
    """Return the columns of both sides: a date or a ticker that is given for one is that of the other too.

    >>> shared_columns({"ticker": "code", "return": "r"}, {"rank": "place"})
    ({'ticker': 'code', 'return': 'r'}, {'ticker': 'code', 'rank': 'place'})
    >>> shared_columns(["ticker", "return", "rank"], None)
    (['ticker', 'return', 'rank'], ['ticker', 'return', 'rank'])
    """
    if not all(isinstance(given, Mapping) for given in (prices or {}, scores or {})):
        return prices or scores, scores or prices
    sides = dict(prices or {}), dict(scores or {})
    keys = {role: side[role] for side in sides for role in _KEYS if role in side}
    own, others = ({**{role: keys[role] for role in keys if role not in side}, **side} for side in sides)
    return own or None, others or None
