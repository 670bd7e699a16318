"""Which columns a table is read by, and what is said of the choice."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.column_choice import choose

QUERIES = ["q1", "q1", "q1", "q2", "q2"]
ITEMS = ["a", "b", "c", "a", "b"]
JUDGED = {"q1": {"b": 1}, "q2": {"b": 1}}
Columns = dict[str, list[Any]]


class Reader:
    """A table that can be read once, as a stream of Arrow."""

    def __init__(self, columns: Columns) -> None:
        self.reader = pa.table(columns).to_reader(max_chunksize=2)

    def __arrow_c_stream__(self, requested: object = None) -> object:
        return self.reader.__arrow_c_stream__(requested)


FRAMES: dict[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "arrow": pa.table,
    "reader": Reader,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
    "rows": lambda columns: pl.DataFrame(columns).to_dicts(),
}


def csv(frame: pl.DataFrame, path: Path) -> None:
    frame.write_csv(path)


def quoted(frame: pl.DataFrame, path: Path) -> None:
    frame.write_csv(path, quote_style="always")


def sqlite(frame: pl.DataFrame, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        frame.to_pandas().to_sql("ranking", connection, index=False)


FILES: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "table.csv": csv,
    "quoted.csv": quoted,
    "table.jsonl": pl.DataFrame.write_ndjson,
    "table.parquet": pl.DataFrame.write_parquet,
    "table.arrow": pl.DataFrame.write_ipc,
    "table.sqlite": sqlite,
}
KINDS = [*FRAMES, *FILES]


def table(kind: str, columns: Columns, folder: Path) -> Any:
    if kind in FRAMES:
        return FRAMES[kind](columns)
    FILES[kind](pl.DataFrame(columns), folder / kind)
    return folder / kind


def ranked(**values: list[Any]) -> Columns:
    return {"query": QUERIES, "item": ITEMS, **values}


def order(source: Any, query: str = "q1") -> list[str]:
    rows = rg.read_ranking(source).rows(query)
    assert rows is not None
    return [item for item, _ in sorted(rows, key=lambda row: -row[1])]


@pytest.mark.parametrize("kind", KINDS)
def test_evaluate_of_a_table_says_which_columns_were_taken(kind: str, tmp_path: Path) -> None:
    ranking = table(kind, ranked(score=[3, 2, 1, 2, 1]), tmp_path)
    judgments = pl.DataFrame({"user_id": ["q1"], "movieId": ["a"], "rating": [1]})
    assert lines(rg.evaluate(judgments, ranking).remarks, "columns") == [
        "columns: judgments query=user_id, item=movieId, grade=rating",
        "columns: ranking query=query, item=item, score=score",
    ]


def test_evaluate_with_given_columns_says_nothing_of_them() -> None:
    frame = pd.DataFrame({"query": ["q1"], "user": ["u1"], "item": ["a"], "score": [1.0], "prediction": [2.0]})
    given = {"query": "user", "item": "item", "score": "prediction"}
    result = rg.evaluate({"u1": ["a"]}, frame, columns=given)
    assert lines(result.remarks, "columns", "other-columns") == []
    result = rg.evaluate({"u1": ["a"]}, frame, columns={"query": "user"})
    assert lines(result.remarks, "other-columns") == [
        "other columns: the ranking also has 'prediction' for score ('score' was taken)"
    ]


@pytest.mark.parametrize(
    ("names", "taken", "others"),
    [
        (["item", "user", "score", "prediction"], "score", ["prediction"]),
        (["user_id", "session_id", "item", "score"], "user_id", ["session_id"]),
        (["qid", "query", "docno", "score"], "qid", ["query"]),
        (["qid", "docno", "docid", "rank", "score"], "docno", ["docid"]),
    ],
)
def test_choose_of_two_columns_that_fit_takes_the_preferred_and_names_the_other(
    names: list[str], taken: str, others: list[str]
) -> None:
    chosen = choose(names, "ranking", {})
    assert taken in chosen.columns
    (remark,) = (remark for remark in chosen.remarks if remark.code == "other-columns")
    assert remark.severity == "caution"
    assert all(repr(name) in remark.text for name in [taken, *others])


def test_choose_for_judgments_with_two_grades_names_the_other() -> None:
    chosen = choose(["user", "item", "rating", "label"], "judgments", {})
    assert chosen.value == "label"
    assert lines(chosen.remarks, "other-columns") == [
        "other columns: the judgments also have 'rating' for grade ('label' was taken)"
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["rating", "weight", "relevance", "logit"])
def test_ranking_with_one_number_is_ordered_by_it(kind: str, name: str, tmp_path: Path) -> None:
    source = table(kind, ranked(**{name: [0.1, 0.9, 0.5, 0.2, 0.4]}), tmp_path)
    result = rg.evaluate(JUDGED, source, "mrr")
    assert result["mrr"] == 1.0
    code = "number-as-score" if name == "logit" else "grades-as-scores"
    (remark,) = (remark for remark in result.remarks if remark.code == code)
    assert remark.severity == "caution"
    assert repr(name) in remark.text


@pytest.mark.parametrize("name", ["propensity", "examination"])
def test_ranking_whose_only_number_is_a_propensity_is_ordered_by_it(name: str) -> None:
    result = rg.evaluate(JUDGED, pd.DataFrame(ranked(**{name: [0.1, 0.9, 0.5, 0.2, 0.4]})), "mrr")
    assert result["mrr"] == 1.0
    (line,) = lines(result.remarks, "number-as-score")
    assert f"{name!r}, the only number, was taken for the score, highest first" in line


def test_ranking_with_a_position_and_a_propensity_is_ordered_by_position() -> None:
    assert order(pd.DataFrame(ranked(position=[3, 1, 2, 2, 1], propensity=[0.9, 0.2, 0.5, 0.9, 0.5])))[0] == "b"


@pytest.mark.parametrize("kind", KINDS)
def test_ranking_with_one_number_that_counts_from_one_is_ordered_by_rank(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(place=[1, 2, 3, 1, 2]), tmp_path)
    result = rg.evaluate(JUDGED, source, "mrr")
    assert result["mrr"] == 0.5
    assert lines(result.remarks, "number-as-score") == [
        "number as score: no column of scores or ranks; 'place' counts from 1 in each query and was taken for the rank"
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["position", "pos", "place", "slot"])
def test_ranking_by_position_is_the_same_in_any_order_of_rows(kind: str, name: str, tmp_path: Path) -> None:
    columns: Columns = {
        "query": ["q2", "q1", "q1", "q2", "q1"],
        "item": ["b", "b", "c", "a", "a"],
        name: [2, 2, 3, 1, 1],
    }
    result = rg.evaluate(JUDGED, table(kind, columns, tmp_path), "mrr")
    assert result["mrr"] == 0.5
    (line,) = lines(result.remarks, "number-as-score")
    assert f"{name!r}, the only number, was taken for the rank, lowest first" in line


def test_ranking_by_position_that_counts_from_0_or_has_gaps_is_ordered_by_it() -> None:
    for places in ([2, 0, 1, 1, 0], [9, 1, 4, 3, 2]):
        assert order(pd.DataFrame(ranked(position=places))) == ["b", "c", "a"]


@pytest.mark.parametrize("places", [[2, 2, 1, 1, 2], [0.5, 2, 1, 1, 2], [300, 100, 200, 50, 20], [-1, 2, 1, 1, 2]])
def test_ranking_by_position_that_is_no_rank_is_refused(places: list[float]) -> None:
    with pytest.raises(RankgaugeError, match="'position', of which the lowest may be the best"):
        rg.evaluate(JUDGED, pd.DataFrame(ranked(position=places)))


@pytest.mark.parametrize("values", [[2, 3, 1, 2, 1], [1, 0, 2, 0, 1], [3, 2, 1, 2, 1]])
def test_ranking_by_an_unknown_number_that_counts_in_no_order_is_refused(values: list[int]) -> None:
    with pytest.raises(RankgaugeError, match="'value', of which the lowest may be the best") as caught:
        rg.evaluate(JUDGED, pd.DataFrame(ranked(value=values)))
    assert caught.value.code == "ambiguous-score"


@pytest.mark.parametrize("rows", [3000, 2001])
def test_ranking_that_is_longer_than_the_sample_is_ordered_by_position(rows: int) -> None:
    frame = pd.DataFrame({"query": 1, "item": range(rows), "position": range(rows, 0, -1)})
    many = pd.concat([frame.iloc[-5:], frame.assign(query=2)])
    assert rg.evaluate({1: [rows - 1], 2: [rows - 1]}, many, "mrr")["mrr"] == 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_ranking_with_two_numbers_is_refused(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(price=[5, 2, 9, 4, 1], rating=[1, 5, 3, 2, 4]), tmp_path)
    with pytest.raises(RankgaugeError, match=r"got the columns of numbers 'price', 'rating'") as caught:
        rg.evaluate(JUDGED, source)
    assert caught.value.code == "ambiguous-score"


@pytest.mark.parametrize(
    "values", [{"distance": [0.4, 0.2, 0.9, 0.1, 0.8]}, {"value": [0.1, 0.2, 0.3, 0.4, 0.9, 1.0, 2.0, 3.0]}]
)
def test_ranking_with_a_number_of_which_the_lowest_may_be_best_is_refused(values: Columns) -> None:
    size = len(next(iter(values.values())))
    frame = pd.DataFrame({"query": ["q1"] * size, "item": list("abcdefgh")[:size], **values})
    with pytest.raises(RankgaugeError, match="of which the lowest may be the best") as caught:
        rg.evaluate(JUDGED, frame)
    assert caught.value.code == "ambiguous-score"
    (name,) = values
    assert order(frame.rename(columns={name: "rank"}))[0] != order(frame.rename(columns={name: "score"}))[0]


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"title": ["x", "y", "z", "x", "y"]},
        {"timestamp": [5, 4, 3, 2, 1]},
        {"model": [7, 7, 7, 7, 7]},
        {"session_id": [3, 1, 2, 5, 4]},
        {"Unnamed: 0": [0, 1, 2, 3, 4]},
    ],
)
def test_ranking_without_a_number_that_orders_is_in_the_order_of_its_rows(others: Columns) -> None:
    result = rg.evaluate(JUDGED, pd.DataFrame(ranked(**others)), "mrr")
    assert result["mrr"] == 0.5
    assert lines(result.remarks, "order") == [
        "order: no column of scores or ranks, so items are ranked in the order of the rows"
    ]


def test_ranking_of_lists_with_one_list_of_numbers_is_ordered_by_it() -> None:
    frame = pl.DataFrame({"user": [1, 2], "item": [["a", "b"], ["c", "a"]], "logits": [[0.1, 0.2], [0.9, 0.3]]})
    assert rg.evaluate({1: ["b"], 2: ["c"]}, frame, "mrr")["mrr"] == 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_ranks_that_reverse_the_scores_are_a_severe_remark(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(score=[0.1, 0.2, 0.3, 0.5, 0.6], rank=[1, 2, 3, 1, 2]), tmp_path)
    result = rg.evaluate(JUDGED, source, "mrr")
    assert result["mrr"] == 0.75  # by score, highest first
    (remark,) = (remark for remark in result.remarks if remark.severity == "severe")
    assert remark.code == "reversed-scores"
    assert remark.text == (
        "the column 'rank' gives the best rank to the lowest score in 2 of 2 queries among the first 5 rows"
    )
    (tmp_path / "again").mkdir()
    again = table(kind, ranked(score=[1, 2, 3, 5, 6], rank=[1, 2, 3, 1, 2]), tmp_path / "again")
    with pytest.raises(RankgaugeError, match="reversed scores"):
        rg.evaluate(JUDGED, again, strict=True)


@pytest.mark.parametrize("kind", KINDS)
def test_ranks_that_contradict_some_scores_are_a_caution(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(score=[0.9, 0.7, 0.8, 0.5, 0.4], rank=[1, 2, 3, 1, 2]), tmp_path)
    (remark,) = (remark for remark in rg.evaluate(JUDGED, source).remarks if remark.code == "ranks-and-scores")
    assert remark.severity == "caution"
    assert "in 1 of 2 queries among the first 5 rows" in remark.text


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [([3, 2, 1, 2, 1], [1, 2, 3, 1, 2]), ([3, 3, 3, 2, 2], [3, 2, 1, 2, 1]), ([1, 2, 3, 1, 2], [1, 1, 1, 1, 1])],
)
def test_ranks_that_agree_or_say_nothing_are_not_remarked(scores: list[int], ranks: list[int]) -> None:
    result = rg.evaluate(JUDGED, pd.DataFrame(ranked(score=scores, rank=ranks)))
    assert lines(result.remarks, "reversed-scores", "ranks-and-scores") == []


SCORED = pd.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "score": [0.25, 0.75]})
RATED = pd.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "rating": [2, 1]})


def test_evaluate_of_swapped_frames_is_a_severe_remark() -> None:
    for judgments in (SCORED, SCORED.assign(score=[2, 1], rank=[1, 2]), SCORED[["user", "item"]].assign(rank=[1, 2])):
        (remark,) = (remark for remark in rg.evaluate(judgments, RATED).remarks if remark.severity == "severe")
        assert remark.code == "swapped"
        with pytest.raises(RankgaugeError, match="swapped"):
            rg.evaluate(judgments, RATED, strict=True)


def test_evaluate_of_scores_as_judgments_beside_a_ranking_without_scores_is_a_severe_remark() -> None:
    items = SCORED[["user", "item"]]
    (remark,) = (remark for remark in rg.evaluate(SCORED, items).remarks if remark.severity == "severe")
    assert remark.code == "swapped"
    assert lines(rg.evaluate(SCORED.assign(score=[2, 1]), items).remarks, "swapped") == []  # as BEIR has them


def test_evaluate_of_frames_in_their_places_is_not_remarked_as_swapped() -> None:
    beir = SCORED.assign(score=[2, 1])
    for judgments, ranking in [(RATED, SCORED), (beir, SCORED), (beir, RATED), (RATED, RATED), (RATED, beir)]:
        assert lines(rg.evaluate(judgments, ranking).remarks, "swapped") == []


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_judgments_without_grades_are_named(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(fondness=[3, 1, 1, 2, 1], why=list("abcde")), tmp_path)
    result = rg.evaluate(source, {"q1": ["a"], "q2": ["a"]})
    (remark,) = (remark for remark in result.remarks if remark.code == "unused-numbers")
    assert remark.severity == "caution"
    assert remark.text == (
        "'fondness' holds numbers and was not used; columns_judgments={'grade': 'fondness'} or "
        "--columns-judgments grade=fondness takes it for the grade"
    )
    assert lines(result.remarks, "grades")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["y_true", "is_relevant", "relevant", "purchased", "bought", "liked", "converted"])
def test_judgments_with_a_column_of_outcomes_take_it_for_the_grade(kind: str, name: str, tmp_path: Path) -> None:
    columns: Columns = {name: [0, 1, 0, 0, 1], "y_pred": [0.9, 0.8, 0.7, 0.6, 0.5]}
    source = table(kind, ranked(**columns), tmp_path)
    assert rg.evaluate(source, {"q1": ["a", "b", "c"], "q2": ["a", "b"]}, "mrr")["mrr"] == 0.5


DAYS = [f"2024-01-0{day}" for day in range(1, 6)]


@pytest.mark.parametrize("times", [[1704153600 + day for day in range(5)], DAYS, pd.to_datetime(DAYS)])
def test_judgments_with_times_of_purchases_do_not_take_them_for_the_grade(times: list[Any]) -> None:
    result = rg.evaluate(pd.DataFrame(ranked(purchased=times)), {"q1": ["a"], "q2": ["a"]})
    assert lines(result.remarks, "grades") == ["grades: no column of grades, so every listed item has grade 1"]
    scored = rg.evaluate(pd.DataFrame(ranked(purchased=times, score=[2, 1, 1, 2, 1])), {"q1": ["a"], "q2": ["a"]})
    assert "columns: judgments query=query, item=item, grade=score" in lines(scored.remarks, "columns")


@pytest.mark.parametrize("values", [["true", "false", "true", "true", "true"], [1, None, 0, 0, 1]])
def test_judgments_with_outcomes_that_are_no_numbers_are_refused(values: list[Any]) -> None:
    with pytest.raises(RankgaugeError, match="expected a"):
        rg.read_judgments(pd.DataFrame(ranked(liked=values)))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"reader"}))
def test_one_column_as_grade_and_score_is_a_severe_remark(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(truth=["x"] * 5, y_pred=[0.9, 0.8, 0.7, 0.6, 0.5]), tmp_path)
    result = rg.evaluate(source, source)
    (remark,) = (remark for remark in result.remarks if remark.code == "shared-column")
    assert remark.severity == "severe"
    assert remark.text == "'y_pred' of one table was taken for the grade and for the score"
    with pytest.raises(RankgaugeError, match="shared column"):
        rg.evaluate(source, source, strict=True)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"reader"}))
def test_one_table_with_grades_and_scores_is_not_remarked(kind: str, tmp_path: Path) -> None:
    source = table(kind, ranked(y_true=[0, 1, 0, 0, 1], y_pred=[0.9, 0.8, 0.7, 0.6, 0.5]), tmp_path)
    result = rg.evaluate(source, source, "mrr", strict=True)
    assert result["mrr"] == 0.5


def test_several_numbers_of_judgments_without_grades_are_named_with_the_switch_of_the_first() -> None:
    columns: Columns = {"how good": [3, 1, 1, 2, 1], "price": [2.5, 1, 1, 1, 1]}
    source = pd.DataFrame(ranked(**columns))
    (line,) = lines(rg.read_judgments(source).remarks, "unused-numbers")
    assert "'how good', 'price' hold numbers" in line
    assert "--columns-judgments 'grade=how good' takes the first" in line


@pytest.mark.parametrize(
    "others",
    [
        {"grade": [3, 1, 1, 2, 1], "price": [2, 1, 1, 2, 1]},
        {"fondness": [1, 1, 1, 1, 1]},
        {"order_id": [3, 1, 4, 2, 5]},
        {"bought": [1704153600 + day for day in range(5)]},
        {"timestamp": [1, 2, 3, 4, 5]},
        {"note": ["a", "b", "c", "d", "e"]},
        {"spans": pd.to_timedelta([1, 2, 3, 4, 5])},
        {"gaps": [1, None, 2, 3, 4]},
        {"lists": [[1], [2], [3], [4], [5]]},
        {"objects": [{}, {"a": 1}, None, 2, "x"]},
    ],
)
def test_columns_that_are_no_grades_are_not_named(others: Columns) -> None:
    judged = rg.read_judgments(pd.DataFrame(ranked(**others)))
    assert lines(judged.remarks, "unused-numbers") == []
