"""Values per query: their ids have the type of the judgments' ids, and any library takes them as a table."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg

WHOLE = {10: {"a": 1}, 9: {"b": 1}, -1: {"c": 1}}
RANKED = {10: ["a"], 9: ["x", "b"], -1: ["x", "y", "c"]}


def table(ids: list[Any]) -> pl.DataFrame:
    return pl.DataFrame({"query": ids, "item": ["a"] * len(ids), "grade": [1] * len(ids)})


def test_per_query_of_whole_ids_has_whole_ids_in_the_order_of_numbers() -> None:
    per_query = rg.evaluate(WHOLE, RANKED, "mrr").per_query
    assert list(per_query["mrr"]) == [-1, 9, 10]
    assert list(per_query) == [(-1, 1 / 3), (9, 1 / 2), (10, 1.0)]
    assert [row[0] for row in per_query.table().rows] == [-1, 9, 10]


def test_per_query_of_mixed_ids_has_text_ids() -> None:
    judgments: dict[Any, Any] = {7: {"a": 1}, "x": {"a": 1}}
    per_query = rg.evaluate(judgments, {7: ["a"], "x": ["a"]}, "mrr").per_query
    assert set(per_query["mrr"]) == {"7", "x"}


@pytest.mark.parametrize("kind", [pl.Int64, pl.UInt32, pl.Int8])
def test_per_query_of_a_frame_with_whole_ids_has_whole_ids(kind: Any) -> None:
    ids = table([3, 20, 100]).with_columns(pl.col("query").cast(kind))
    assert list(rg.evaluate(ids, ids.rename({"grade": "score"}), "mrr").per_query["mrr"]) == [3, 20, 100]


def test_per_query_takes_an_id_as_number_or_text() -> None:
    result = rg.evaluate(WHOLE, RANKED, "mrr")
    values = result.per_query["mrr"]
    assert values["9"] == values[9] == values.get("9") == 0.5
    assert [query in values for query in ("10", 10, "11")] == [True, True, False]
    assert values.get("09") is None
    assert result.query("9") == result.query(9) == {"mrr": 0.5}


def test_per_query_in_json_has_text_keys() -> None:
    values = json.loads(rg.evaluate(WHOLE, RANKED, "mrr").to_json(per_query=True))
    assert list(values["per_query"]["mrr"]) == ["-1", "9", "10"]


def test_per_query_has_as_many_rows_as_it_iterates_over() -> None:
    per_query = rg.evaluate(WHOLE, RANKED, ["mrr", "P@1"]).per_query
    assert len(per_query) == len(list(per_query)) == 3
    assert dict(per_query.items()) == {measure: per_query[measure] for measure in ("mrr", "P@1")}
    assert "recip_rank" in per_query


def test_per_query_given_to_a_frame_constructor_is_a_row_per_query() -> None:
    per_query = rg.evaluate(WHOLE, RANKED, ["mrr", "P@1"]).per_query
    rows = [(-1, 1 / 3, 0.0), (9, 0.5, 0.0), (10, 1.0, 1.0)]
    frame = pd.DataFrame(per_query)
    assert list(frame.columns) == ["query", "mrr", "P@1"]
    assert list(frame.itertuples(index=False, name=None)) == rows
    assert pl.DataFrame(per_query).rows() == rows
    assert pa.table(per_query).column("query").type == pa.int64()
    assert per_query.to_pandas().equals(frame)
    assert per_query.to_polars().equals(pl.DataFrame(per_query))


def test_per_query_of_numbers_beyond_64_bits_is_exported_as_text() -> None:
    per_query = rg.evaluate({2**70: {"a": 1}}, {2**70: ["a"]}, "mrr").per_query
    assert pl.DataFrame(per_query)["query"].to_list() == [str(2**70)]


def test_per_query_with_a_measure_that_skips_queries_has_an_empty_cell() -> None:
    judgments = {1: {"a": 1}, 2: {"a": 0}}
    per_query = rg.evaluate(
        judgments, {1: ["a"], 2: ["a"]}, ["ndcg@1"], convention="xgboost(nothing_relevant=skip)"
    ).per_query
    assert per_query["ndcg@1"] == {1: 1.0}
    assert list(per_query) == [(1, 1.0), (2, None)]


def test_per_query_of_many_queries_shows_the_first_and_the_last() -> None:
    judgments = {number: {"a": 1} for number in range(5000)}
    per_query = rg.evaluate(judgments, {number: ["a"] for number in judgments}, "mrr").per_query
    shown = str(per_query).splitlines()
    assert [line.split()[0] for line in shown] == [
        "query",
        *map(str, range(10)),
        "…",
        *map(str, range(4995, 5000)),
        "5,000",
    ]
    assert shown[-1] == "5,000 queries"
    assert len({len(line) for line in shown[:-1]}) == 1
    assert repr(per_query) == str(per_query)
    html = per_query._repr_html_()
    assert (html.count("<tr>"), "5,000 queries" in html) == (17, True)
    assert len(per_query.table().rows) == len(per_query.table().to_text().splitlines()) - 1 == 5000


def test_per_query_of_sixty_queries_shows_all() -> None:
    judgments = {number: {"a": 1} for number in range(60)}
    per_query = rg.evaluate(judgments, {number: ["a"] for number in judgments}, "mrr").per_query
    assert str(per_query) == per_query.table().to_text()
    assert per_query._repr_html_() == per_query.table().to_html()
