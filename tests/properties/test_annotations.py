"""Measures that need more of judgments than grades: both engines agree, however the judgments came."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples
from tests.properties.strategies import ANNOTATED, ITEMS, QUERIES, SCORES, conventions, mapping, measures, rows

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Clicks, Diversity
from rankgauge.results.result import Result

SOME = examples(300)
SUBTOPICS = ["a", "b", "10", "9", "é"]


def outcome(judgments: Any, ranked: Any, requested: Any, **options: Any) -> Result | None:
    try:
        return rg.evaluate(judgments, ranked, requested, **options)
    except RankgaugeError:
        return None


def assert_same(actual: Result | None, expected: Result | None) -> None:
    if actual is None or expected is None:
        assert actual is expected
        return
    assert actual.counts == expected.counts
    assert list(actual.evaluation.queries) == list(expected.evaluation.queries)
    for measure, values in expected.evaluation.values.items():
        numbers = list(actual.evaluation.values[measure])
        assert numbers == pytest.approx(list(values), rel=1e-12, abs=1e-12, nan_ok=True), str(measure)


def several(kind: type[Diversity] | type[Clicks]) -> st.SearchStrategy[Any]:
    return st.lists(measures(ANNOTATED[kind]), min_size=1, max_size=3, unique=True)


subtopic_rows = st.lists(
    st.tuples(
        st.sampled_from(QUERIES),
        st.sampled_from(ITEMS),
        st.sampled_from(SUBTOPICS),
        st.sampled_from([-1.0, 0.0, 1.0, 2.0]),
    ),
    min_size=1,
    max_size=40,
    unique_by=lambda row: row[:3],
)


def read_rows(judged: Any) -> rg.Judgments:
    frame = pl.DataFrame(judged, schema=["query", "item", "subtopic", "grade"], orient="row")
    return rg.read_judgments(frame, annotation="subtopic")


@SOME
@given(subtopic_rows, rows(SCORES, unique=True), several(Diversity), conventions())
def test_diversity_of_any_rows_agrees(judged: Any, ranked: Any, requested: Any, convention: Any) -> None:
    frame = pl.DataFrame(judged, schema=["query", "item", "subtopic", "grade"], orient="row")
    options = {"convention": convention}
    expected = outcome(frame, mapping(ranked), requested, engine="reference", **options)
    assert_same(outcome(frame, mapping(ranked), requested, **options), expected)


@SOME
@given(rows([0.0, 1.0, 2.0], unique=True), rows(SCORES, unique=True), several(Clicks), conventions(), st.data())
def test_clicks_of_any_rows_agree(
    judged: Any, ranked: Any, requested: Any, convention: Any, data: st.DataObject
) -> None:
    role = data.draw(st.sampled_from(["propensity", "position"]))
    numbers = [0.1, 0.5, 1.0] if role == "propensity" else [1.0, 2.0, 7.0]
    seen = data.draw(st.lists(st.sampled_from(numbers), min_size=len(judged), max_size=len(judged)))
    frame = pl.DataFrame(judged, schema=["query", "item", "grade"], orient="row").with_columns(pl.Series(role, seen))
    options = {"convention": convention}
    expected = outcome(frame, mapping(ranked), requested, engine="reference", **options)
    assert_same(outcome(frame, mapping(ranked), requested, **options), expected)


@examples(50)
@given(subtopic_rows, rows(SCORES, unique=True))
def test_diversity_of_every_input_agrees(tmp_path_factory: pytest.TempPathFactory, judged: Any, ranked: Any) -> None:
    folder = Path(tmp_path_factory.getbasetemp())
    frame = pl.DataFrame(judged, schema=["query", "item", "subtopic", "grade"], orient="row")
    trec, csv, parquet = folder / "diversity.qrels", folder / "diversity.csv", folder / "diversity.parquet"
    json_lines = folder / "diversity.jsonl"
    frame.write_ndjson(json_lines)
    trec.write_text("".join(f"{q} {topic} {item} {grade}\n" for q, item, topic, grade in judged), encoding="utf-8")
    frame.write_csv(csv)
    frame.write_parquet(parquet)
    nested: dict[str, dict[str, dict[str, float]]] = {}
    for query, item, topic, grade in judged:
        nested.setdefault(query, {}).setdefault(item, {})[topic] = grade
    requested = ["alpha_ndcg@5", "strec@3", "map_ia", "ndcg@5"]
    expected = outcome(frame, mapping(ranked), requested)
    for source in (trec, csv, parquet, json_lines, frame.to_pandas(), frame.lazy()):
        assert_same(outcome(source, mapping(ranked), requested), expected)
    assert_same(outcome(nested, mapping(ranked), requested), expected)


EXACT = [
    "alpha_ndcg(alpha=0.7)@5",
    "alpha_dcg(alpha=0.3)@5",
    "nerr_ia(alpha=0.9)@5",
    "nnrbp(alpha=0.7)",
    "map_ia",
]


def values(judgments: Any, ranked: Any) -> dict[str, tuple[float, ...]]:
    """Return the values of each query, which are compared bit for bit."""
    # A plan takes parts that share no query with the ranking, which rg.evaluate refuses.
    evaluation = rg.Request.of(EXACT, missing="zero").plan().evaluate(judgments.handle, ranked)
    columns = (array("d", evaluation.column(column)) for column in range(len(EXACT)))
    return dict(zip(evaluation.queries(), zip(*columns, strict=True), strict=True))


@SOME
@given(subtopic_rows, rows(SCORES, unique=True), st.randoms(use_true_random=False))
def test_diversity_of_shuffled_rows_gives_the_same_bits(judged: Any, ranked: Any, random: Any) -> None:
    ordered = read_rows(judged)
    shuffled = list(judged)
    random.shuffle(shuffled)
    assert values(read_rows(shuffled), mapping(ranked)) == values(ordered, mapping(ranked))


@SOME
@given(subtopic_rows, rows(SCORES, unique=True), st.sets(st.sampled_from(QUERIES)))
def test_diversity_of_split_queries_gives_the_same_bits(judged: Any, ranked: Any, queries: set[str]) -> None:
    parts = [[row for row in judged if (row[0] in queries) == is_in] for is_in in (True, False)]
    merged: dict[str, tuple[float, ...]] = {}
    for part in filter(None, parts):
        merged |= values(read_rows(part), mapping(ranked))
    assert merged == values(read_rows(judged), mapping(ranked))
