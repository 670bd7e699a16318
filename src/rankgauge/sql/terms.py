"""Gain and discount as SQL; `grade` and `rank` are 64-bit floats, so that no division is one of whole numbers.

>>> from rankgauge.conventions.terms import EXP2, LOG2
>>> gain_sql(EXP2, zero_negatives=False), discount_sql(LOG2, "rank")
('POWER(2, grade) - 1', 'LN(2) / LN(rank + 1)')
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from rankgauge.conventions.terms import Discount, Gain

_HIGHEST: Final = "MAX(grade) OVER (PARTITION BY query)"
# The natural logarithm of a weight that is 0 beside any other; smaller ones make PostgreSQL stop with an underflow.
_NEGLIGIBLE: Final = -700.0


def gain_sql(gain: Gain, *, zero_negatives: bool) -> str:
    """Return the gain of `grade`; NULL where the gain is not defined for it.

    >>> gain_sql(Gain("binary", threshold=2), zero_negatives=True)
    'CASE WHEN grade >= 2 THEN CAST(1 AS DOUBLE) ELSE 0 END'
    """
    if gain.kind == "binary":
        condition = f"grade >= {number(gain.threshold)}" if gain.threshold > 0 else "grade > 0"
        return f"CASE WHEN {condition} THEN CAST(1 AS DOUBLE) ELSE 0 END"
    worth = _gain(gain)
    return f"CASE WHEN grade < 0 THEN 0 ELSE {worth} END" if zero_negatives else worth


def _gain(gain: Gain) -> str:
    cases = _cases("grade", gain.table)
    top = number(gain.top or 0.0)
    if gain.kind == "linear":
        return f"{cases} ELSE grade END" if gain.table else "grade"
    if gain.kind == "exp2":
        return f"POWER(2, grade{f' + {number(gain.shift)}' if gain.shift else ''}) - 1"
    if gain.kind == "share" and gain.top is None:
        return f"grade / CASE WHEN {_HIGHEST} > 0 THEN {_HIGHEST} ELSE 1 END"
    if gain.kind == "share":
        return f"CASE WHEN grade <= {top} THEN grade / {top} END"
    if gain.kind == "chance":
        return f"CASE WHEN grade <= {top} THEN (POWER(2, grade) - 1) / {number(2.0 ** (gain.top or 0.0))} END"
    return f"CAST({cases} END AS DOUBLE)"


def discount_sql(discount: Discount, rank: str) -> str:
    """Return the discount at a rank.

    >>> discount_sql(Discount("jarvelin", base=10), "rank")
    'CASE WHEN rank < 10 THEN 1 ELSE LN(10) / LN(rank) END'
    """
    base = number(discount.base)
    if discount.kind == "log":
        return f"LN({base}) / LN({rank} + 1)"
    if discount.kind in ("jarvelin", "clipped"):
        return f"CASE WHEN {rank} < {base} THEN 1 ELSE LN({base}) / LN({rank}) END"
    if discount.kind == "reciprocal":
        return f"1 / {rank}"
    if discount.kind == "geometric":
        last = math.floor(_NEGLIGIBLE / math.log(discount.base)) + 1
        weight = f"{number(1.0 - discount.base)} * POWER({base}, {rank} - 1)"
        return f"CASE WHEN {rank} <= {last} THEN {weight} ELSE 0 END"
    return f"CAST({_cases(rank, enumerate(discount.table, start=1))} ELSE 0 END AS DOUBLE)"


def _cases(tested: str, rows: Iterable[tuple[float, float]]) -> str:
    return " ".join([f"CASE {tested}", *(f"WHEN {number(each)} THEN {number(worth)}" for each, worth in rows)])


def number(value: float) -> str:
    """Return a number as SQL writes it, with all of its digits.

    >>> number(2.0), number(0.1), number(-1e-05)
    ('2', '0.1', '-1e-05')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
