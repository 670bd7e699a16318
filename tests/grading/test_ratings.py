from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, kind_of, rows_of, table_of
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.ratings import ratings


def messy(seed: int = 3) -> dict[str, list[Any]]:
    """Draw ratings of users without order, with rows that lack a part, users of one rating and equal ratings."""
    source = random.Random(seed)
    rows: list[tuple[Any, Any, Any]] = [
        (f"u{user}", f"m{movie}", source.choice([1.0, 2.5, 3.0, 3.3, 4.0, 5.0, None, math.nan]))
        for user in range(30)
        for movie in source.sample(range(40), source.randrange(1, 12))
    ]
    rows += [("equal", f"m{movie}", 3.3) for movie in range(7)]
    rows += [(None, "m1", 4.0), ("u1", None, 4.0), (None, None, None), ("u2", None, None)]
    source.shuffle(rows)
    users, movies, stars = zip(*rows, strict=True)
    return {"note": ["x"] * len(rows), "stars": list(stars), "movieId": list(movies), "userId": list(users)}


def complete(columns: dict[str, list[Any]]) -> list[tuple[str, str, float]]:
    rows = zip(columns["userId"], columns["movieId"], columns["stars"], strict=True)
    return sorted(
        (user, movie, stars)
        for user, movie, stars in rows
        if user is not None and movie is not None and stars is not None and not math.isnan(stars)
    )


def expected_grade(row: tuple[str, str, float], rows: list[tuple[str, str, float]], options: dict[str, Any]) -> float:
    user, _, stars = row
    negative = options.get("below") == "negative"
    if "thresholds" in options:
        reached = len([each for each in options["thresholds"] if each <= stars])
        return -1 if negative and reached == 0 else reached
    if "centred" in options:
        others = [other for each, _, other in rows if each == user]
        above = 0.0 if min(others) == max(others) else stars - math.fsum(others) / len(others)
        return above if negative else max(above, 0.0)
    if "least" in options and stars < options["least"]:
        return stars - options["least"] if negative else 0.0
    return stars


OPTIONS: list[dict[str, Any]] = [
    {},
    {"thresholds": [3, 4, 5]},
    {"thresholds": [2.5], "below": "negative"},
    {"centred": True},
    {"centred": True, "below": "negative"},
    {"least": 3.3},
    {"least": 4, "below": "negative"},
]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_ratings_of_any_library_equal_plain_loop(library: str, options: dict[str, Any]) -> None:
    columns = messy()
    rows = complete(columns)
    frame, audit = graded = ratings(table_of(library, columns), **options)
    graded_rows = rows_of(frame)
    assert isinstance(frame, kind_of(library))
    assert graded.roles == {"query": "userId", "item": "movieId", "grade": "grade"}
    assert list(graded_rows[0]) == ["userId", "movieId", "grade"]
    assert [(row["userId"], row["movieId"]) for row in graded_rows] == [row[:2] for row in rows]
    grades = [expected_grade(row, rows, options) for row in rows]
    assert [row["grade"] for row in graded_rows] == pytest.approx(grades, abs=1e-12)
    # Nothing hangs on the rounding of a mean.
    assert [row["grade"] > 0 for row in graded_rows] == [grade > 1e-9 for grade in grades]
    assert (audit.rows, audit.kept) == (len(columns["stars"]), len(rows))
    lost = sum(stars is None or math.isnan(stars) for stars in columns["stars"]) - 2
    assert audit.dropped == {"no user or item": 4, "no rating": lost}
    assert sum(audit.grades.values()) in (0, audit.kept)


@pytest.mark.parametrize("library", LIBRARIES)
def test_ratings_audit_counts_users(library: str) -> None:
    table = table_of(library, {"user": ["a", "a", "b", "c"], "item": [1, 2, 1, 1], "rating": [5.0, 3.0, 2.0, 1.0]})
    audit = ratings(table, centred=True).audit
    assert audit.grades == {0.0: 3, 1.0: 1}
    assert lines(audit.remarks) == [
        "grade: the grade is the rating less the mean of the user's ratings, 0 below it",
        "ratings: from 1 to 5, mean 2.75",
        "graded: 3 users, 2 of them with nothing above 0",
        "one rating: 2 users have no other, and the grade 0",
        "unlisted: items without a rating are unjudged",
    ]


def test_ratings_audit_of_many_grades_has_a_range() -> None:
    table = pl.DataFrame({"user": ["a"] * 21, "item": range(21), "match_rate": [number / 20 for number in range(21)]})
    audit = ratings(table).audit
    assert audit.grades == {}
    assert "many grades: more than 20, from 0 to 1" in lines(audit.remarks)


@pytest.mark.parametrize("library", LIBRARIES)
def test_ratings_duplicate_raises(library: str) -> None:
    table = table_of(library, {"user": ["u1", "u2", "u1"], "item": ["i1", "i1", "i1"], "rating": [1.0, 2.0, 3.0]})
    with pytest.raises(RankgaugeError, match="it 2 times") as error:
        ratings(table)
    assert (error.value.code, error.value.place) == ("duplicate-row", "user 'u1', item 'i1'")


def test_ratings_repeated_row_without_rating_is_dropped() -> None:
    table = pl.DataFrame({"user": ["u1", "u1"], "item": ["i1", "i1"], "rating": [None, 3.0]})
    assert ratings(table).frame.rows() == [("u1", "i1", 3.0)]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("bad", [math.inf, -math.inf])
def test_ratings_infinite_raises_its_place(library: str, bad: float) -> None:
    table = table_of(library, {"user": ["u1", "u2"], "item": ["i1", "i2"], "rating": [1.0, bad]})
    with pytest.raises(RankgaugeError) as error:
        ratings(table)
    assert (error.value.code, error.value.place) == ("bad-value", "user 'u2', item 'i2'")


@pytest.mark.parametrize("library", LIBRARIES)
def test_ratings_empty_table_has_no_grades(library: str) -> None:
    table = table_of(library, {"user": ["u"], "item": ["i"], "rating": [math.nan]})
    frame, audit = ratings(table, centred=True)
    assert rows_of(frame) == []
    assert (audit.rows, audit.kept, audit.dropped["no rating"]) == (1, 0, 1)


@pytest.mark.parametrize(
    "options",
    [
        {"thresholds": [3], "least": 3},
        {"thresholds": [3], "centred": True},
        {"centred": True, "least": 0},
        {"thresholds": []},
        {"thresholds": [3, 3]},
        {"thresholds": [4, 3]},
        {"thresholds": [3, "4"]},
        {"thresholds": [3, math.inf]},
        {"thresholds": "345"},
        {"thresholds": 3},
        {"least": math.nan},
        {"least": True},
        {"centred": 1},
        {"below": "negative"},
    ],
    ids=str,
)
def test_ratings_contradictory_options_raise(options: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError) as error:
        ratings(pl.DataFrame({"user": ["u"], "item": ["i"], "rating": [1.0]}), **options)
    assert error.value.code == "bad-number"


def test_ratings_unknown_choice_or_column_raises() -> None:
    table = pl.DataFrame({"user": ["u"], "item": ["i"], "opinion": [1.0]})
    with pytest.raises(RankgaugeError, match="below"):
        ratings(table, below="none")  # type: ignore[arg-type]
    with pytest.raises(RankgaugeError, match="for rating"):
        ratings(table)
    with pytest.raises(RankgaugeError, match="columns by role"):
        ratings(table, columns=["user", "item", "opinion"])
    assert ratings(table, columns={"rating": "opinion"}).frame.rows() == [("u", "i", 1.0)]


def test_ratings_of_texts_raise() -> None:
    with pytest.raises(RankgaugeError) as error:
        ratings(pl.DataFrame({"user": ["u"], "item": ["i"], "rating": ["good"]}))
    assert error.value.code == "bad-column"


def test_ratings_thresholds_may_be_an_array() -> None:
    table = pl.DataFrame({"user": ["u"], "item": ["i"], "rating": [4]})
    assert ratings(table, thresholds=np.array([3, 4, 5])).frame.rows() == [("u", "i", 2)]  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_ratings_files_are_read(tmp_path: Path, suffix: str) -> None:
    columns = {"userId": ["1", "1", "2"], "movieId": ["007", "8", "8"], "rating": [4.5, 2.0, None]}
    path = tmp_path / f"ratings.{suffix}"
    if suffix == "csv":
        path.write_text("userId,movieId,rating\n1,007,4.5\n1,8,2\n2,8,\n", encoding="utf-8")
    elif suffix == "jsonl":
        lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
        path.write_text("\n".join(lines), encoding="utf-8")
    else:
        pl.DataFrame(columns).write_parquet(path)
    frame, audit = ratings(path, least=3)
    assert [tuple(row.values()) for row in rows_of(frame)] == [("1", "007", 4.5), ("1", "8", 0.0)]
    assert audit.dropped == {"no user or item": 0, "no rating": 1}


def test_ratings_file_without_header_takes_column_names(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("1,007,4.5\n1,8,2\n", encoding="utf-8")
    frame, _ = ratings(path, columns=["user", "item", "rating"])
    assert [tuple(row.values()) for row in rows_of(frame)] == [("1", "007", 4.5), ("1", "8", 2.0)]


def test_ratings_file_of_texts_raises(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating\n1,7,good\n", encoding="utf-8")
    with pytest.raises(RankgaugeError, match="good"):
        ratings(path)


@pytest.mark.parametrize("library", LIBRARIES)
def test_ratings_result_is_evaluated(library: str) -> None:
    table = table_of(library, {"user": ["u", "u"], "movie": ["m1", "m2"], "stars": [5.0, 2.0]})
    graded = ratings(table, thresholds=[3, 4, 5])
    by_name = graded.roles
    value = rg.evaluate(graded.frame, {"u": ["m2", "m1"]}, "ndcg@2", columns=dict(by_name))["ndcg@2"]
    assert value == pytest.approx(1 / math.log2(3))


def test_ratings_pandas_ids_keep_their_types() -> None:
    frame, _ = ratings(pd.DataFrame({"user": [1, 2], "item": pd.Categorical(["a", "b"]), "rating": [1, 2]}))
    assert (frame["user"].dtype.kind, str(frame["item"].dtype), str(frame["grade"].dtype)) == (
        "i",
        "category",
        "float64",
    )


def test_ratings_of_no_rows_of_a_pandas_table_have_no_grades() -> None:
    table = pd.DataFrame({"user": ["u"], "item": ["i"], "rating": [4]})
    assert ratings(table[:0]).report().headline == "0 of 0 rows graded"
