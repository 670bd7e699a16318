"""Tables with a list of items per query."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.inputs.small_frames import ROWS, SCORES, TEXTS, failure, rows

import rankgauge as rg

LISTS: dict[str, list[Any]] = {"query": [1, 2], "item": [TEXTS[:3], TEXTS[3:]], "score": [SCORES[:3], SCORES[3:]]}


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, lambda lists: pl.DataFrame(lists).lazy()])
def test_list_per_query_is_read(make: Any) -> None:
    assert rows(make(LISTS)) == ROWS
    order = rows(make({"query": [1, 2], "item": LISTS["item"]}))
    assert {query: [item for item, _ in sorted(items, key=lambda row: -row[1])] for query, items in order.items()} == {
        "1": TEXTS[:3],
        "2": TEXTS[3:],
    }


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list, pa.list_view, lambda kind: pa.list_(kind, 2)])
def test_lists_of_any_kind_are_read(kind: Any) -> None:
    lists = pa.array([["z", "z"], ["a", "b"], ["c", "d"]], kind(pa.string()))[1:]
    assert rows(pa.table({"query": ["x", "y"], "item": lists, "score": [[1, 2], [3, 4]]})) == {
        "x": [("a", 1.0), ("b", 2.0)],
        "y": [("c", 3.0), ("d", 4.0)],
    }


def test_lists_in_chunks_are_read() -> None:
    kind = pa.list_(pa.string())
    chunks = pa.chunked_array([[items] for items in LISTS["item"]], kind)
    items: Any = pd.Series(pd.arrays.ArrowExtensionArray(chunks))
    scores = pd.Series(LISTS["score"], dtype=pd.ArrowDtype(pa.list_(pa.float64())))
    assert rows(pd.DataFrame({"query": [1, 2], "item": items, "score": scores})) == ROWS


def test_empty_list_is_an_empty_ranking() -> None:
    mapping = {"a": ["y", "x"], "b": []}
    judged = {"a": ["x"], "b": ["z"], "c": []}
    lists = pl.DataFrame({"query": list(mapping), "item": list(mapping.values())})
    known = pl.DataFrame({"query": list(judged), "item": list(judged.values())})
    expected = rg.evaluate(judged, mapping, "ndcg@3").per_query["ndcg@3"]
    assert rg.evaluate(judged, lists, "ndcg@3").per_query["ndcg@3"] == expected
    assert len(rg.read_judgments(known)) == 3


def test_lists_of_different_lengths_are_refused() -> None:
    error = failure(pl.DataFrame(LISTS | {"score": [SCORES[:3], SCORES[2:]]}))
    assert (error.code, error.place) == ("bad-lists", "column 'score', row 1")
    assert failure(pl.DataFrame(LISTS | {"score": [1.0, 2.0]})).code == "bad-column"
    error = failure(pl.DataFrame(LISTS | {"score": [SCORES[:3], [1.0, None]]}))
    assert (error.code, error.place) == ("null-value", "column 'score', row 1")
