"""Values that a library can hardly handle: signalling decimals, numbers of 5,000 digits, ids of a megabyte."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

# Python writes no more than 4,300 digits.
HUGE = 10**5000
LONG = "x" * 1_000_000


def refused(judgments: Any, ranking: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(judgments, ranking, **options)
    return caught.value


@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize(("column", "code"), [("score", "bad-value"), ("item", "bad-id")])
def test_frame_with_a_signalling_decimal_names_its_column(column: str, code: str, row: int) -> None:
    columns: dict[str, list[Any]] = {"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, 2.0]}
    columns[column] = [Decimal(1), Decimal(2)]
    columns[column][row] = Decimal("sNaN")
    error = refused({"q": {"a": 1}}, pd.DataFrame(columns))
    assert error.code == code
    # Any decimal is no id, so the first is named.
    assert error.place == f"column '{column}', row {row if column == 'score' else 0}"


@pytest.mark.parametrize(
    ("judgments", "ranking"),
    [
        ({"q": {HUGE: 1}}, {"q": ["a"]}),
        ({"q": {"a": 1}}, {"q": [HUGE]}),
        ({HUGE: {"a": 1}}, {HUGE: ["a"]}),
        ({"q": {"a": HUGE}}, {"q": ["a"]}),
        ({"q": {"a": 1}}, {"q": {"a": HUGE}}),
        ({"q": {"a": 1}}, pd.DataFrame({"query": ["q"], "item": pd.Series([HUGE], dtype=object), "score": [1.0]})),
        ({"q": {"a": 1}}, [{"query": "q", "item": "a", "score": HUGE}]),
    ],
)
def test_number_of_too_many_digits_is_an_ordinary_error(judgments: Any, ranking: Any) -> None:
    error = refused(judgments, ranking)
    assert error.code in ("bad-id", "bad-value")
    assert "got a whole number of too many digits" in str(error)


@pytest.mark.parametrize("option", ["memory", "seed", "threads", "depth", "relevance_level"])
def test_option_of_too_many_digits_is_an_ordinary_error(option: str) -> None:
    error = refused({"q": {"a": 1}}, {"q": ["a"]}, **{option: HUGE})
    assert (error.code, "got a whole number of too many digits" in str(error)) == ("bad-number", True)


def test_query_of_too_many_digits_is_not_explained() -> None:
    with pytest.raises(RankgaugeError, match="too many digits"):
        rg.explain({1: {1: 1}}, {1: [1]}, query=HUGE)


def test_json_with_a_number_of_too_many_digits_takes_it_as_a_text(tmp_path: Path) -> None:
    digits = "1" + "0" * 5000
    path = tmp_path / "run.json"
    path.write_text(f'{{"q": [{digits}, 7]}}')
    assert rg.evaluate({"q": {digits: 1, "7": 0}}, path, "ndcg").means == {"ndcg": 1.0}
    path.write_text(f'[{{"truth": [{digits}], "recommendations": [{digits}]}}]')
    assert rg.evaluate(path, measures="ndcg").means == {"ndcg": 1.0}
    path.write_text(f'{{"q": {{"a": {digits}}}}}')
    assert refused({"q": {"a": 1}}, path).code == "bad-value"


@pytest.mark.parametrize(
    ("judgments", "ranking", "options"),
    [
        ({LONG: {"a": 1}}, {"q": ["a"]}, {}),
        ({"q": {LONG: 1}}, {"q": {LONG: float("nan")}}, {}),
        ({"q": {LONG: -1}}, {"q": {LONG: 1.0}}, {"convention": "sklearn"}),
        ({"q": {LONG.replace("xxxxx", "x x x"): -1}}, {"q": {"a": 1.0}}, {"convention": "sklearn"}),
        ({LONG: {"a": 1}, "q": {"a": 1}}, {"q": ["a"]}, {"missing": "error"}),
        ({"q": {"a": 1}}, pd.DataFrame({LONG: ["q"], "item": ["a"]}), {}),
        ({"q": {"a": 1}}, LONG, {}),
        ({"q": {"a": 1}}, {"q": ["a"]}, {"measures": LONG}),
    ],
)
def test_error_with_an_id_of_a_megabyte_is_short_and_keeps_its_hint(judgments: Any, ranking: Any, options: Any) -> None:
    error = refused(judgments, ranking, **options)
    assert len(str(error)) < 5000
    assert " Hint: " in str(error)
    assert "…" in str(error)


def test_remark_with_ids_of_a_megabyte_is_short() -> None:
    result = rg.evaluate({"q": {LONG: 1}}, {"q": [LONG.upper()]})
    assert [remark.code for remark in result.remarks if "no ranked item" in remark.text] == ["no-common-item"]
    assert len(json.dumps(result.to_dict(per_query=False)["remarks"])) < 5000


# Numbers beyond 64 bits

BEYOND = 2**64
WAYS: dict[str, tuple[Any, type]] = {
    "dict": ({BEYOND: {BEYOND: 1}}, int),
    "rows": ([{"query": BEYOND, "item": BEYOND, "grade": 1}], str),
    "pandas": (pd.DataFrame({"query": [BEYOND], "item": [BEYOND], "grade": [1]}), str),
    "polars": (
        pl.DataFrame({"query": [BEYOND], "item": [BEYOND], "grade": [1]}, schema_overrides={"query": pl.Int128}),
        str,
    ),
    "decimal": (pa.table({name: pa.array([Decimal(BEYOND)], pa.decimal128(38, 0)) for name in ("query", "item")}), int),
    "duckdb": (duckdb.sql(f"select {BEYOND}::hugeint as query, {BEYOND}::hugeint as item, 1 as grade"), int),
}


@pytest.mark.parametrize("way", WAYS)
def test_id_beyond_64_bits_is_the_same_id_in_every_input(way: str) -> None:
    """It comes back as a number only where the input has a type for it: dicts, decimals, DuckDB's HUGEINT."""
    judgments, kind = WAYS[way]
    assert rg.evaluate(judgments, {str(BEYOND): [str(BEYOND)]}, "ndcg").means == {"ndcg": 1.0}
    assert rg.read_judgments(judgments).queries == [kind(BEYOND)]


@pytest.mark.parametrize("form", [".csv", ".jsonl"])
def test_id_beyond_64_bits_in_a_text_comes_back_as_a_text(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"qrels{form}"
    table = pl.DataFrame({"query": [str(BEYOND)], "item": ["a"], "grade": [1]})
    table.write_csv(path) if form == ".csv" else table.cast({"query": pl.Int128}).write_ndjson(path)
    assert rg.read_judgments(path).queries == [str(BEYOND)]


@pytest.mark.parametrize("kind", [pl.List(pl.Int128), pl.List(pl.UInt128), pl.Array(pl.Int128, 1)])
def test_polars_list_of_128_bits_is_read(kind: Any) -> None:
    lists = pl.DataFrame({"query": ["q"], "item": pl.Series([[BEYOND]], dtype=kind)})
    assert rg.evaluate({"q": [BEYOND]}, lists, "ndcg").means == {"ndcg": 1.0}
    assert rg.evaluate(lists, {"q": [BEYOND]}, "ndcg").means == {"ndcg": 1.0}


def test_polars_list_of_no_type_is_an_empty_list_or_has_no_ids() -> None:
    empty = pl.DataFrame({"query": ["q"], "item": [[]]})
    assert rg.evaluate({"q": ["a"]}, empty, "ndcg").means == {"ndcg": 0.0}
    nulls = pl.DataFrame({"query": ["q"], "item": pl.Series([[None]], dtype=pl.List(pl.Null))})
    assert refused({"q": ["a"]}, nulls).code == "null-value"
