from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from tests.grading.small_interactions import LIBRARIES, every_library, messy, to_pandas, tuples
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.candidates import SAMPLED
from rankgauge.grading.holdout import Split, holdout


def all_items(frame: pd.DataFrame, split: Split) -> pd.DataFrame:
    """A ranking of all items for each user, with those of the truth in the middle, behind what was seen."""
    known = frame.drop(columns="rating").dropna()
    truth = {(user, item) for user, item, _ in tuples(split.truth.frame)}
    had = set(zip(known["user"], known["item"], strict=True))
    rows = [
        (user, item, 2.0 if (user, item) in had - truth else 1.0 if (user, item) in truth else 0.0)
        for user in sorted(known["user"].unique())
        for item in sorted(known["item"].unique())
    ]
    return pd.DataFrame(rows, columns=["user", "item", "score"])


@every_library
@pytest.mark.parametrize("other", [*LIBRARIES, "mapping", "scores"])
def test_unseen_perfect_ranking_has_ndcg_1(library: str, other: str) -> None:
    frame = messy(8)
    split = holdout(LIBRARIES[library](frame.drop(columns="rating")), method="fraction", fraction=0.3)
    ranking = all_items(frame, holdout(frame.drop(columns="rating"), method="fraction", fraction=0.3))
    seen = int((ranking["score"] == 2).sum())
    given: Any = ranking
    if other in LIBRARIES:
        given = LIBRARIES[other](ranking)
    else:
        ordered = ranking.sort_values("score", ascending=False, kind="stable")
        given = {
            user: list(rows_of_user["item"])
            if other == "mapping"
            else dict(zip(rows_of_user["item"], rows_of_user["score"], strict=True))
            for user, rows_of_user in ordered.groupby("user")
        }
    rest = split.unseen(given)
    assert type(rest.frame) is type(given)
    assert (rest.audit.rows, rest.audit.kept) == (len(ranking), len(ranking) - seen)
    assert dict(rest.audit.dropped) == {"seen in training": seen}
    users = ranking["user"].nunique()
    assert lines(rest.audit.remarks) == [
        f"seen: {users} of {users} ranked users lost items, 0 of them all",
        "truth: every user of the truth is in the ranking",
    ]
    assert rg.evaluate(split.truth.frame, rest.frame, "ndcg@100")["ndcg@100"] == 1.0
    assert rg.evaluate(split.truth.frame, given, "ndcg@100")["ndcg@100"] < 1.0


@every_library
def test_unseen_compares_ids_as_texts_and_keeps_rows(library: str) -> None:
    frame = pd.DataFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "time": [1, 2, 1, 2]})
    split = holdout(LIBRARIES[library](frame))
    ranking = pl.DataFrame(
        {"user": ["1"] * 4, "item": ["9", "7", "8", "1"], "rank": [1, 2, 3, 4], "note": list("abcd")}
    )
    rest = split.unseen(ranking)
    assert rest.frame.rows() == [("1", "9", 1, "a"), ("1", "8", 3, "c"), ("1", "1", 4, "d")]
    assert dict(rest.roles) == {"query": "user", "item": "item", "rank": "rank"}
    assert str(rest.audit.remarks[1]) == "not ranked: 1 of 2 users of the truth are not in the ranking"
    assert split.unseen({b"1": (7,), 3: np.array([7])}).frame == {b"1": [], 3: np.array([7])}
    assert split.unseen({1: [(7, 0.5), (8, 0.25)]}).frame == {1: [(8, 0.25)]}
    assert split.unseen(rg.read_ranking({"1": ["7", "8"]})).frame.keys() == {"1"}
    assert split.unseen(rest).audit.kept == 3
    with pytest.raises(RankgaugeError, match="ids as texts or whole numbers"):
        split.unseen(pd.DataFrame({"user": [1.0], "item": [7.0], "score": [1.0]}))


@every_library
@pytest.mark.parametrize("count", [1, 10, 40, 500])
def test_candidates_equal_plain_computation(library: str, count: int) -> None:
    frame = messy(9, rows=900)
    split, wanted = holdout(LIBRARIES[library](frame)), holdout(frame)
    with pytest.warns(UserWarning, match="sampled") as caught:
        candidates = split.candidates(count, seed=3)
    assert [str(each.message) for each in caught] == [SAMPLED]
    assert f"sampled: {SAMPLED}" in lines(candidates.audit.remarks)
    with pytest.warns(UserWarning, match="Krichene"):
        assert tuples(candidates.frame) == tuples(wanted.candidates(count, seed=3).frame)
    known = frame.dropna()
    catalogue = set(known["item"])
    table = to_pandas(candidates.frame)
    assert not table.duplicated(["user", "item"]).any()
    truth = {(user, item) for user, item, _ in tuples(wanted.truth.frame)}
    held = table[table["held_out"] == 1]
    assert set(zip(held["user"], held["item"], strict=True)) == truth
    for user, rows_of_user in table[table["held_out"] == 0].groupby("user"):
        unknown = catalogue - set(known[known["user"] == user]["item"])
        assert set(rows_of_user["item"]) <= unknown
        assert len(rows_of_user) == min(count, len(unknown))
    assert ("fewer" in str(candidates.audit)) == (count == 500)


@pytest.mark.parametrize("items", [60, 400])
def test_candidates_are_drawn_uniformly(items: int) -> None:
    """With 60 items all are put in order; with 400 only as many as are needed are drawn."""
    users = 3000
    frame = pl.DataFrame({"user": np.repeat(np.arange(users), 2), "item": np.arange(2 * users) % items})
    frame = frame.with_columns(time=pl.col("item"))
    with pytest.warns(UserWarning, match="Krichene"):
        candidates = holdout(frame).candidates(10).frame.filter(pl.col("held_out") == 0)
    counts = candidates.group_by("item").len().sort("item")["len"].to_numpy()
    assert len(counts) == items
    assert stats.chisquare(counts).pvalue > 0.001
    # How many of two halves of the items a user gets is as random as it should be.
    halves = candidates.group_by("user").agg((pl.col("item") < items // 2).sum())["item"].to_numpy()
    variance = 10 * 0.25 * (items - 2 - 10) / (items - 3)
    assert halves.mean() == pytest.approx(5, abs=0.15)
    assert halves.var() == pytest.approx(variance, rel=0.1)


def test_holdout_only_candidates_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        split = holdout(messy())
        split.unseen({"u1": ["i1"]})
    with pytest.raises(RankgaugeError, match="count"):
        split.candidates(0)


def test_unseen_lazy_ranking_without_scores_raises(tmp_path: Path) -> None:
    split = holdout(pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "time": [1, 2]}))
    with pytest.raises(RankgaugeError, match="scores or ranks"):
        split.unseen(pl.LazyFrame({"user": [1], "item": ["z"]}))
    path = tmp_path / "run.csv"
    path.write_text("user,item\n1,z\n1,a\n1,b\n", encoding="utf-8")
    assert split.unseen(path).frame == {"1": ["z", "b"]}
