"""What is an id and what is none, whichever way it comes in."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections.abc import Callable, Hashable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError


class Number(enum.IntEnum):
    SEVEN = 7


class Name(str, enum.Enum):
    SEVEN = "seven"


GOOD: list[tuple[Hashable, Any]] = [
    (7, 7),
    (np.int8(7), 7),
    (np.uint64(7), 7),
    (Number.SEVEN, 7),
    ("seven", "seven"),
    (np.str_("seven"), "seven"),
    (Name.SEVEN, "seven"),
    (b"seven", "seven"),
    (np.bytes_(b"seven"), "seven"),
    (dt.date(2024, 1, 2), dt.date(2024, 1, 2)),
    (dt.datetime(2024, 1, 2, 3), dt.datetime(2024, 1, 2, 3)),
    (pd.Timestamp("2024-01-02"), dt.datetime(2024, 1, 2)),
    (np.datetime64("2024-01-02"), dt.date(2024, 1, 2)),
    (np.datetime64("2024-01-02T03:00:00", "ns"), dt.datetime(2024, 1, 2, 3)),
    (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
]
BAD: list[Any] = [
    True,
    False,
    np.bool_(True),
    None,
    float("nan"),
    7.0,
    7.5,
    float("inf"),
    np.float64(7.0),
    np.float64(7.5),
    np.float32(7.0),
    np.float64("nan"),
    np.longdouble(7),
    np.complex64(7),
    7j,
    pd.NaT,
    pd.NA,
    np.datetime64("NaT"),
    np.timedelta64(7, "D"),
    np.timedelta64("NaT"),
    dt.timedelta(7),
    Decimal(7),
    Decimal("NaN"),
    Fraction(7),
    frozenset({7}),
    (7, 8, 9),
    b"\xff",
    "\ud800",
    object(),
    object,
]
WAYS: dict[str, Callable[[Any], Any]] = {
    "the item of a dict": lambda value: {"q": {value: 1.0}},
    "the item of a list": lambda value: {"q": [value]},
    "the item of a pair": lambda value: {"q": [(value, 1.0)]},
    "the query": lambda value: {value: {"d": 1.0}},
    "a row": lambda value: [{"query": "q", "item": value, "score": 1.0}],
    "a column of objects": lambda value: pd.DataFrame(
        {"query": ["q"], "item": pd.Series([value], dtype=object), "score": [1.0]}
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("value", "expected"), GOOD, ids=repr)
def test_read_id_of_any_kind_is_one_id(way: Callable[[Any], Any], value: Any, expected: Any) -> None:
    ((query, ((item, _),)),) = rg.read_ranking(way(value)).to_dict().items()
    assert [query, item].count(expected) == 1
    assert {query, item} <= {"q", "d", expected}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("value", BAD, ids=lambda value: type(value).__name__)
def test_read_what_is_no_id_is_refused(way: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(RankgaugeError) as caught:
        rg.read_ranking(way(value))
    assert caught.value.code in ("bad-id", "null-value", "bad-column")


@pytest.mark.parametrize("value", [True, np.bool_(False), pd.NaT, np.float64(7.0)], ids=repr)
def test_read_judgments_with_what_is_no_id_is_refused_by_its_type(value: Any) -> None:
    with pytest.raises(RankgaugeError, match=rf"expected item ids to be .*, got .* \({type(value).__name__}\)"):
        rg.read_judgments({"q": {value: 1}})


def test_read_column_of_time_spans_as_ids_is_refused() -> None:
    frame = pd.DataFrame({"query": ["q"], "item": pd.to_timedelta(["7D"]), "score": [1.0]})
    with pytest.raises(RankgaugeError, match=r"got values of type timedelta64\[ns\]"):
        rg.read_ranking(frame)


def test_contains_of_what_is_no_id_is_false() -> None:
    judgments = rg.read_judgments({1: {"d": 1}})
    assert [id_ in judgments for id_ in (1, True)] == [True, False]
