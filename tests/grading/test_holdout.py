from __future__ import annotations

import datetime as dt
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading import random_order
from rankgauge.grading.candidates import SAMPLED
from rankgauge.grading.holdout import Split, holdout

LIBRARIES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "duckdb": duckdb.from_df,
}
every_library = pytest.mark.parametrize("library", LIBRARIES)


def to_pandas(frame: Any) -> pd.DataFrame:
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        frame = frame.df()
    found: pd.DataFrame = frame.to_pandas() if isinstance(frame, pl.DataFrame) else frame
    return found


def tuples(frame: Any) -> list[tuple[Any, ...]]:
    return sorted(to_pandas(frame).itertuples(index=False, name=None))


def messy(seed: int = 1, rows: int = 600, *, unique: bool = True) -> pd.DataFrame:
    """Users of very different activity, unsorted, with equal times and with gaps in each column."""
    source = np.random.default_rng(seed)
    users = [f"u{number}" for number in np.minimum(source.geometric(0.06, rows), 60)]
    items = [f"i{number}" for number in source.integers(0, 90, rows)]
    frame = pd.DataFrame(
        {
            "user": users,
            "item": items,
            "timestamp": source.integers(0, 25, rows),
            "rating": source.integers(1, 6, rows).astype(float),
            "comment": "other columns are left out",
        }
    )
    if unique:
        frame = frame.drop_duplicates(["user", "item"])
    frame = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
    for place, column in enumerate(["user", "item", "rating"]):
        frame.loc[place * 7 : place * 7 + 2, column] = None
    return frame


def last_by_hand(frame: pd.DataFrame, how_many: Callable[[int], int]) -> set[tuple[str, str]]:
    held: set[tuple[str, str]] = set()
    for user in frame["user"].unique():
        rows = [(row.timestamp, str(row.item)) for row in frame.itertuples() if row.user == user]
        wanted = how_many(len(rows))
        if 0 < wanted < len(rows):
            held |= {(user, item) for _, item in sorted(rows)[-wanted:]}
    return held


def check(split: Split, known: pd.DataFrame, held: set[tuple[str, str]]) -> None:
    ratings = {(row.user, row.item): row for row in known.itertuples()}
    assert tuples(split.truth.frame) == sorted((*pair, ratings[pair].rating) for pair in held)
    rest = sorted((*pair, row.timestamp, row.rating) for pair, row in ratings.items() if pair not in held)
    assert tuples(split.train) == rest
    assert split.audit.kept == len(held)


@every_library
@pytest.mark.parametrize("count", [1, 3])
def test_last(library: str, count: int) -> None:
    frame = messy()
    known = frame.dropna()
    split = holdout(LIBRARIES[library](frame), count=count)
    check(split, known, last_by_hand(known, lambda size: count if size > count else 0))
    assert dict(split.audit.dropped) == {"no user": 3, "no item": 3, "no time": 0, "no rating": 3}
    assert split.audit.rows == len(frame)
    assert type(split.train) is type(LIBRARIES[library](frame))


@every_library
@pytest.mark.parametrize("fraction", [0.1, 0.2, 0.5, 0.99])
def test_fraction(library: str, fraction: float) -> None:
    frame = messy(2)
    split = holdout(LIBRARIES[library](frame), method="fraction", fraction=fraction)
    check(split, frame.dropna(), last_by_hand(frame.dropna(), lambda size: math.floor(size * fraction + 1e-9)))


@every_library
def test_time(library: str) -> None:
    frame = messy(3)
    known = frame.dropna()
    split = holdout(LIBRARIES[library](frame), method="time", at=12)
    later = known[known["timestamp"] >= 12]
    check(split, known, set(zip(later["user"], later["item"], strict=True)))
    trained = set(known[known["timestamp"] < 12]["user"])
    judged = set(later["user"])
    seen = set(known[known["timestamp"] < 12]["item"])
    new = later[~later["item"].isin(seen)]
    text = "\n".join(split.audit.remarks)
    assert f"{len(trained | judged)} users, {len(judged)} with a truth" in text
    assert ("no training" in text) == bool(judged - trained)
    if judged - trained:
        assert f"{len(judged - trained)} users have a truth and no training" in text
    if len(new):
        assert f"training never has: {new['item'].nunique()}, in {len(new)} rows" in text


DAYS = [dt.datetime(2026, 1, day, hour) for day, hour in ((1, 0), (2, 12), (2, 13), (5, 0))]


@every_library
@pytest.mark.parametrize(
    ("times", "at"),
    [
        (DAYS, dt.datetime(2026, 1, 2, 13)),
        (DAYS, "2026-01-02T13:00:00"),
        (DAYS, "2026-01-02 12:30"),
        (DAYS, pd.Timestamp("2026-01-02 13:00")),
        (DAYS, dt.date(2026, 1, 3)),
        ([day.isoformat() for day in DAYS], "2026-01-02 13:00"),
        ([day.isoformat(" ") for day in DAYS], dt.datetime(2026, 1, 2, 13)),
        ([day.date() for day in DAYS], "2026-01-05"),
        ([1.5, 2.5, 2.75, 9.0], 2.75),
        (["9", "99", "100", "1000"], 100),
        ([20260101, 20260102, 20260103, 20260105], "2026-01-03"),
        ([10**18, 10**18 + 1, 10**18 + 2, 10**18 + 3], 10**18 + 2),
    ],
)
def test_a_moment_fits_times_of_any_kind(library: str, times: list[Any], at: object) -> None:
    frame = pd.DataFrame({"user": 1, "item": [1, 2, 3, 4], "time": times})
    split = holdout(LIBRARIES[library](frame), method="time", at=at)
    wanted = [4] if at == dt.date(2026, 1, 3) or at == "2026-01-05" else [3, 4]
    assert [item for _, item, _ in tuples(split.truth.frame)] == wanted


@every_library
def test_a_moment_without_a_time_zone_is_in_that_of_the_column(library: str) -> None:
    times = pd.Series(pd.to_datetime(DAYS)).dt.tz_localize("UTC")
    frame = pd.DataFrame({"user": 1, "item": [1, 2, 3, 4], "time": times})
    for at in ("2026-01-02 13:00", "2026-01-02T14:00:00+01:00"):
        split = holdout(LIBRARIES[library](frame), method="time", at=at)
        assert [item for _, item, _ in tuples(split.truth.frame)] == [3, 4]


def test_random_is_the_same_in_every_library_and_order() -> None:
    frame = messy(4).drop(columns="timestamp")
    found = [holdout(make(frame), method="random", fraction=0.3, seed=5) for make in LIBRARIES.values()]
    found.append(holdout(frame.sample(frac=1, random_state=9), method="random", fraction=0.3, seed=5))
    assert len({str(tuples(split.truth.frame)) for split in found}) == 1
    assert len({str(tuples(split.train)) for split in found}) == 1
    known = frame.dropna()
    sizes, held = known.groupby("user").size(), to_pandas(found[0].truth.frame).groupby("user").size()
    assert held.to_dict() == {user: math.floor(n * 0.3 + 1e-9) for user, n in sizes.items() if n * 0.3 >= 1}
    other = holdout(frame, method="random", fraction=0.3, seed=6)
    assert tuples(other.truth.frame) != tuples(found[0].truth.frame)


def random_by_hand(frame: pd.DataFrame, fraction: float, seed: int) -> set[tuple[str, str]]:
    held: set[tuple[str, str]] = set()
    for number, user in enumerate(sorted(frame["user"].unique()), 1):
        key = random_order.mix(number, random_order.seed_key(seed))
        items = sorted(frame[frame["user"] == user]["item"])
        drawn = sorted((random_order.mix(place, key), item) for place, item in enumerate(items, 1))
        held |= {(user, item) for _, item in drawn[: math.floor(len(items) * fraction + 1e-9)]}
    return held


@every_library
def test_random_by_hand(library: str) -> None:
    frame = messy(5)
    split = holdout(LIBRARIES[library](frame), method="random", seed=2**62)
    check(split, frame.dropna(), random_by_hand(frame.dropna(), 0.2, 2**62))


@every_library
@pytest.mark.parametrize("repeats", ["first", "last"])
def test_repeats(library: str, repeats: str) -> None:
    frame = messy(6, unique=False)
    known = frame.dropna().sort_values(["timestamp", "rating"], kind="stable")
    once = known.drop_duplicates(["user", "item"], keep=repeats)  # type: ignore[call-overload]
    split = holdout(LIBRARIES[library](frame), repeats=repeats)
    check(split, once, last_by_hand(once, lambda size: int(size > 1)))
    assert split.audit.dropped[f"not the {repeats} of repeats"] == len(known) - len(once) > 0


@every_library
def test_without_ratings_the_grade_is_1_and_whole_ids_stay_whole(library: str) -> None:
    frame = pd.DataFrame({"user": [1, 1, None, 2], "item": [7, 8, 9, 7], "time": [1, 2, 3, 4]})
    split = holdout(LIBRARIES[library](frame))
    assert tuples(split.truth.frame) == [(1, 8, 1.0)]
    assert rg.evaluate(split.truth.frame, {"1": ["8"]}, "ndcg@5")["ndcg@5"] == 1.0
    assert "2 users, 1 with a truth and 1 without" in str(split)
    train, truth = split
    assert train is split.train
    assert truth is split.truth


@every_library
def test_an_empty_table(library: str) -> None:
    frame = messy().head(0)[["user", "item", "timestamp"]].astype({"user": "string", "item": "string"})
    split = holdout(LIBRARIES[library](frame))
    assert (split.audit.rows, split.audit.kept, tuples(split.train)) == (0, 0, [])


def test_files(tmp_path: Path) -> None:
    frame = messy(7)
    frame.to_csv(tmp_path / "interactions.csv", index=False)
    frame[["user", "item", "rating"]].dropna().to_csv(tmp_path / "ranking.csv", index=False)
    split, wanted = holdout(tmp_path / "interactions.csv"), holdout(frame)
    assert tuples(split.truth.frame) == tuples(wanted.truth.frame)
    assert split.audit.to_dict() == wanted.audit.to_dict()
    columns = {"score": "rating"}
    ranking = pl.read_csv(tmp_path / "ranking.csv")
    left = [each.unseen(tmp_path / "ranking.csv", columns) for each in (split, wanted)]
    left.append(split.unseen(ranking, columns))
    assert all(tuples(each.frame)[0][:2] == tuples(wanted.truth.frame)[0][:2] for each in left)
    assert {each.audit.kept for each in left} == {wanted.audit.kept}
    run = "".join(f"{row.user} Q0 {row.item} 1 {row.rating} x\n" for row in frame.dropna().itertuples())
    (tmp_path / "run.txt").write_text(run)
    trec = wanted.unseen(tmp_path / "run.txt")
    assert sum(map(len, trec.frame.values())) == wanted.audit.kept


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("unknown-choice", {"method": "latest"}),
        ("unknown-choice", {"repeats": "any"}),
        ("bad-number", {"count": 0}),
        ("bad-number", {"fraction": 0.3}),
        ("bad-number", {"method": "fraction", "fraction": 1.0}),
        ("bad-number", {"method": "fraction", "fraction": "half"}),
        ("bad-number", {"method": "time"}),
        ("bad-number", {"method": "time", "at": "soon"}),
        ("bad-number", {"method": "random", "count": 2}),
        ("bad-number", {"seed": 3}),
        ("bad-number", {"at": 3}),
        ("bad-number", {"method": "random", "seed": -1}),
        ("duplicate-row", {"columns": {"item": "comment"}}),
        ("missing-column", {"columns": {"item": "thing"}}),
        ("columns-without-roles", {"columns": ["user", "item"]}),
    ],
)
def test_what_is_refused(code: str, options: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError) as caught:
        holdout(messy(), **options)
    assert caught.value.code == code


@every_library
def test_data_that_is_refused(library: str) -> None:
    make = LIBRARIES[library]
    frame = pd.DataFrame({"user": ["a", "a"], "item": ["x", "x"], "time": ["2026-01-01", "2026-01-02"]})
    codes = {
        "duplicate-row": frame,
        "needs-column": frame[["user", "item"]],
        "bad-date": frame.assign(time=["2026-01-01", "yesterday"]),
        "bad-value": frame.assign(rating=[1.0, math.inf]),
        "bad-column": frame.assign(item=[1.5, 2.0]),
    }
    for code, own in codes.items():
        with pytest.raises(RankgaugeError) as caught:
            holdout(make(own))
        assert caught.value.code == code
    with pytest.raises(RankgaugeError, match="user 'a', item 'x': expected an item of a user once, got 2 rows"):
        holdout(make(frame))
    with pytest.raises(RankgaugeError, match="repeats='last' needs") as caught:
        holdout(make(frame[["user", "item"]]), method="random", repeats="last")
    assert "random" not in str(caught.value)


def test_without_times_a_random_split_is_suggested() -> None:
    frame = pd.DataFrame({"user": ["a"] * 5, "item": list("vwxyz")})
    for method in ("last", "fraction"):
        with pytest.raises(RankgaugeError, match=f"method='{method}' needs") as caught:
            holdout(frame, method=method)
        assert 'method="random" in Python, --method random on the command line' in str(caught.value)
    assert len(holdout(frame, method="random").truth.frame) == 1


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
def test_the_perfect_ranking_without_what_was_seen_has_ndcg_1(library: str, other: str) -> None:
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
            user: list(own["item"]) if other == "mapping" else dict(zip(own["item"], own["score"], strict=True))
            for user, own in ordered.groupby("user")
        }
    rest = split.unseen(given)
    assert type(rest.frame) is type(given)
    assert (rest.audit.rows, rest.audit.kept) == (len(ranking), len(ranking) - seen)
    assert dict(rest.audit.dropped) == {"seen in training": seen}
    users = ranking["user"].nunique()
    assert rest.audit.remarks == (
        f"{users} of {users} ranked users lost items, 0 of them all",
        "every user of the truth is in the ranking",
    )
    assert rg.evaluate(split.truth.frame, rest.frame, "ndcg@100")["ndcg@100"] == 1.0
    assert rg.evaluate(split.truth.frame, given, "ndcg@100")["ndcg@100"] < 1.0


@every_library
def test_ids_compare_as_texts_and_rows_keep_their_order_and_columns(library: str) -> None:
    frame = pd.DataFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "time": [1, 2, 1, 2]})
    split = holdout(LIBRARIES[library](frame))
    ranking = pl.DataFrame(
        {"user": ["1"] * 4, "item": ["9", "7", "8", "1"], "rank": [1, 2, 3, 4], "note": list("abcd")}
    )
    rest = split.unseen(ranking)
    assert rest.frame.rows() == [("1", "9", 1, "a"), ("1", "8", 3, "c"), ("1", "1", 4, "d")]
    assert dict(rest.roles) == {"query": "user", "item": "item", "rank": "rank"}
    assert rest.audit.remarks[1] == "1 of 2 users of the truth are not in the ranking"
    assert split.unseen({b"1": (7,), 3: np.array([7])}).frame == {b"1": [], 3: np.array([7])}
    assert split.unseen({1: [(7, 0.5), (8, 0.25)]}).frame == {1: [(8, 0.25)]}
    assert split.unseen(rg.read_ranking({"1": ["7", "8"]})).frame.keys() == {"1"}
    assert split.unseen(rest).audit.kept == 3
    with pytest.raises(RankgaugeError, match="ids as texts or whole numbers"):
        split.unseen(pd.DataFrame({"user": [1.0], "item": [7.0], "score": [1.0]}))


@every_library
@pytest.mark.parametrize("count", [1, 10, 40, 500])
def test_candidates(library: str, count: int) -> None:
    frame = messy(9, rows=900)
    split, wanted = holdout(LIBRARIES[library](frame)), holdout(frame)
    with pytest.warns(UserWarning, match="sampled") as caught:
        found = split.candidates(count, seed=3)
    assert [str(each.message) for each in caught] == [SAMPLED]
    assert SAMPLED in found.audit.remarks
    with pytest.warns(UserWarning, match="Krichene"):
        assert tuples(found.frame) == tuples(wanted.candidates(count, seed=3).frame)
    known = frame.dropna()
    catalogue = set(known["item"])
    table = to_pandas(found.frame)
    assert not table.duplicated(["user", "item"]).any()
    truth = {(user, item) for user, item, _ in tuples(wanted.truth.frame)}
    held = table[table["held_out"] == 1]
    assert set(zip(held["user"], held["item"], strict=True)) == truth
    for user, own in table[table["held_out"] == 0].groupby("user"):
        unknown = catalogue - set(known[known["user"] == user]["item"])
        assert set(own["item"]) <= unknown
        assert len(own) == min(count, len(unknown))
    assert ("fewer" in str(found.audit)) == (count == 500)


@pytest.mark.parametrize("items", [60, 400])
def test_every_item_is_as_likely_a_candidate(items: int) -> None:
    """With 60 items all are put in order; with 400 only as many as are needed are drawn."""
    users = 3000
    frame = pl.DataFrame({"user": np.repeat(np.arange(users), 2), "item": np.arange(2 * users) % items})
    frame = frame.with_columns(time=pl.col("item"))
    with pytest.warns(UserWarning, match="Krichene"):
        found = holdout(frame).candidates(10).frame.filter(pl.col("held_out") == 0)
    counts = found.group_by("item").len().sort("item")["len"].to_numpy()
    assert len(counts) == items
    assert stats.chisquare(counts).pvalue > 0.001
    # How many of two halves of the items a user gets is as random as it should be.
    halves = found.group_by("user").agg((pl.col("item") < items // 2).sum())["item"].to_numpy()
    variance = 10 * 0.25 * (items - 2 - 10) / (items - 3)
    assert halves.mean() == pytest.approx(5, abs=0.15)
    assert halves.var() == pytest.approx(variance, rel=0.1)


def test_nothing_warns_but_candidates() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        split = holdout(messy())
        split.unseen({"u1": ["i1"]})
    with pytest.raises(RankgaugeError, match="count"):
        split.candidates(0)


def test_a_lazy_ranking_needs_scores_or_ranks(tmp_path: Path) -> None:
    split = holdout(pl.DataFrame({"user": [1, 1], "item": ["a", "b"], "time": [1, 2]}))
    with pytest.raises(RankgaugeError, match="scores or ranks"):
        split.unseen(pl.LazyFrame({"user": [1], "item": ["z"]}))
    path = tmp_path / "run.csv"
    path.write_text("user,item\n1,z\n1,a\n1,b\n", encoding="utf-8")
    assert split.unseen(path).frame == {"1": ["z", "b"]}
