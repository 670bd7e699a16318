"""Rows of both sides: ties, grades of every kind, queries that one side lacks, a query much longer than others."""

from __future__ import annotations

import random
import struct
from typing import Any

import polars as pl

import rankgauge as rg

Rows = list[tuple[Any, ...]]
JUDGED = "query string, item string, grade int"
RANKED = "query string, item string, score double, place int"
MEASURES = "ndcg@10,map,mrr,precision@5,recall@5,gm_map,gauc,num_ret,coverage@10"


def rows(queries: int = 150, *, longest: int = 0) -> tuple[Rows, Rows]:
    rng = random.Random(7)
    judged: Rows = []
    ranked: Rows = []
    for number in range(queries):
        query = f"q{number}"
        if number % 10 != 3:
            judged += [(query, f"d{item}", rng.choice([0, 0, 1, 2, 3])) for item in rng.sample(range(40), 12)]
        if number % 10 != 5:
            items = enumerate(rng.sample(range(40), 15))
            ranked += [(query, f"d{item}", rng.choice([0.25, 0.5, 0.75, 1 / 3]), place) for place, item in items]
    judged += [("longest", f"d{item}", item % 3) for item in range(longest)]
    ranked += [("longest", f"d{item}", item % 1000 / 7, item) for item in range(longest)]
    return judged, ranked


def frame(rows: Rows, names: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=[column.split()[0] for column in names.split(", ")], orient="row")


def bits(values: dict[str, float]) -> dict[str, bytes]:
    return {name: struct.pack("<d", value) for name, value in values.items()}


def assert_same(actual: rg.Result, expected: rg.Result) -> None:
    """Means, intervals, counts and remarks are the same, to the last bit."""
    assert bits(actual.means) == bits(expected.means)
    assert actual.counts == expected.counts
    for measure in expected:
        ends = [dict(zip(("low", "high"), result.interval(measure), strict=True)) for result in (actual, expected)]
        assert bits(ends[0]) == bits(ends[1]), measure
    said = [list(map(str, result.remarks)) for result in (actual, expected)]
    assert said[0] == said[1], said


def refused(call: Any) -> str:
    """The words in which a call is refused."""
    try:
        call()
    except rg.RankgaugeError as error:
        return str(error)
    raise AssertionError("it was not refused")
