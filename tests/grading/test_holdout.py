from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import rows_of
from tests.grading.small_interactions import LIBRARIES, every_library, messy, to_pandas, tuples
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading import random_order
from rankgauge.grading.holdout import Split, holdout


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
    rest = sorted((*pair, row.timestamp, row.rating, row.comment) for pair, row in ratings.items() if pair not in held)
    assert tuples(split.train) == rest
    assert split.audit.kept == len(held)


@every_library
@pytest.mark.parametrize("count", [1, 3])
def test_holdout_last_equals_plain_computation(library: str, count: int) -> None:
    frame = messy()
    known = frame.dropna()
    split = holdout(LIBRARIES[library](frame), count=count)
    check(split, known, last_by_hand(known, lambda size: count if size > count else 0))
    assert dict(split.audit.dropped) == {"no user": 3, "no item": 3, "no time": 0, "no rating": 3}
    assert split.audit.rows == len(frame)
    assert type(split.train) is type(LIBRARIES[library](frame))


@every_library
@pytest.mark.parametrize("fraction", [0.1, 0.2, 0.5, 0.99])
def test_holdout_fraction_equals_plain_computation(library: str, fraction: float) -> None:
    frame = messy(2)
    split = holdout(LIBRARIES[library](frame), method="fraction", fraction=fraction)
    check(split, frame.dropna(), last_by_hand(frame.dropna(), lambda size: math.floor(size * fraction + 1e-9)))


@every_library
def test_holdout_time_equals_plain_computation(library: str) -> None:
    frame = messy(3)
    known = frame.dropna()
    split = holdout(LIBRARIES[library](frame), method="time", at=12)
    later = known[known["timestamp"] >= 12]
    check(split, known, set(zip(later["user"], later["item"], strict=True)))
    trained = set(known[known["timestamp"] < 12]["user"])
    judged = set(later["user"])
    seen = set(known[known["timestamp"] < 12]["item"])
    new = later[~later["item"].isin(seen)]
    text = "\n".join(lines(split.audit.remarks))
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
def test_holdout_moment_fits_times_of_any_kind(library: str, times: list[Any], at: object) -> None:
    frame = pd.DataFrame({"user": 1, "item": [1, 2, 3, 4], "time": times})
    split = holdout(LIBRARIES[library](frame), method="time", at=at)
    wanted = [4] if at == dt.date(2026, 1, 3) or at == "2026-01-05" else [3, 4]
    assert [item for _, item, _ in tuples(split.truth.frame)] == wanted


@every_library
def test_holdout_naive_moment_is_in_the_zone_of_the_column(library: str) -> None:
    times = pd.Series(pd.to_datetime(DAYS)).dt.tz_localize("UTC")
    frame = pd.DataFrame({"user": 1, "item": [1, 2, 3, 4], "time": times})
    for at in ("2026-01-02 13:00", "2026-01-02T14:00:00+01:00"):
        split = holdout(LIBRARIES[library](frame), method="time", at=at)
        assert [item for _, item, _ in tuples(split.truth.frame)] == [3, 4]


def test_holdout_random_is_the_same_in_every_library_and_order() -> None:
    frame = messy(4).drop(columns="timestamp")
    splits = [holdout(make(frame), method="random", fraction=0.3, seed=5) for make in LIBRARIES.values()]
    splits.append(holdout(frame.sample(frac=1, random_state=9), method="random", fraction=0.3, seed=5))
    assert len({str(tuples(split.truth.frame)) for split in splits}) == 1
    assert len({str(tuples(split.train)) for split in splits}) == 1
    known = frame.dropna()
    sizes, held = known.groupby("user").size(), to_pandas(splits[0].truth.frame).groupby("user").size()
    assert held.to_dict() == {user: math.floor(n * 0.3 + 1e-9) for user, n in sizes.items() if n * 0.3 >= 1}
    other = holdout(frame, method="random", fraction=0.3, seed=6)
    assert tuples(other.truth.frame) != tuples(splits[0].truth.frame)


def random_by_hand(frame: pd.DataFrame, fraction: float, seed: int) -> set[tuple[str, str]]:
    held: set[tuple[str, str]] = set()
    for number, user in enumerate(sorted(frame["user"].unique()), 1):
        key = random_order.mix(number, random_order.seed_key(seed))
        items = sorted(frame[frame["user"] == user]["item"])
        drawn = sorted((random_order.mix(place, key), item) for place, item in enumerate(items, 1))
        held |= {(user, item) for _, item in drawn[: math.floor(len(items) * fraction + 1e-9)]}
    return held


@every_library
def test_holdout_random_equals_plain_computation(library: str) -> None:
    frame = messy(5)
    split = holdout(LIBRARIES[library](frame), method="random", seed=2**62)
    check(split, frame.dropna(), random_by_hand(frame.dropna(), 0.2, 2**62))


@every_library
@pytest.mark.parametrize("repeats", ["first", "last"])
def test_holdout_repeats_keep_first_or_last(library: str, repeats: str) -> None:
    frame = messy(6, unique=False)
    known = frame.dropna().sort_values(["timestamp", "rating"], kind="stable")
    once = known.drop_duplicates(["user", "item"], keep=repeats)  # type: ignore[call-overload]
    split = holdout(LIBRARIES[library](frame), repeats=repeats)
    check(split, once, last_by_hand(once, lambda size: int(size > 1)))
    assert split.audit.dropped[f"not the {repeats} of repeats"] == len(known) - len(once) > 0


@every_library
def test_holdout_without_ratings_has_grade_1_and_whole_ids(library: str) -> None:
    frame = pd.DataFrame({"user": [1, 1, None, 2], "item": [7, 8, 9, 7], "time": [1, 2, 3, 4]})
    split = holdout(LIBRARIES[library](frame))
    assert tuples(split.truth.frame) == [(1, 8, 1.0)]
    assert rg.evaluate(split.truth.frame, {"1": ["8"]}, "ndcg@5")["ndcg@5"] == 1.0
    assert "2 users, 1 with a truth and 1 without" in str(split)
    train, truth = split
    assert train is split.train
    assert truth is split.truth


@every_library
def test_holdout_of_empty_table_is_empty(library: str) -> None:
    frame = messy().head(0)[["user", "item", "timestamp"]].astype({"user": "string", "item": "string"})
    split = holdout(LIBRARIES[library](frame))
    assert (split.audit.rows, split.audit.kept, tuples(split.train)) == (0, 0, [])


def test_holdout_files_are_read(tmp_path: Path) -> None:
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
def test_holdout_invalid_option_raises(code: str, options: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError) as caught:
        holdout(messy(), **options)
    assert caught.value.code == code


@every_library
def test_holdout_invalid_data_raises(library: str) -> None:
    make = LIBRARIES[library]
    frame = pd.DataFrame({"user": ["a", "a"], "item": ["x", "x"], "time": ["2026-01-01", "2026-01-02"]})
    codes = {
        "duplicate-row": frame,
        "needs-column": frame[["user", "item"]],
        "bad-date": frame.assign(time=["2026-01-01", "yesterday"]),
        "bad-value": frame.assign(rating=[1.0, math.inf]),
        "bad-column": frame.assign(item=[1.5, 2.0]),
    }
    for code, sources in codes.items():
        with pytest.raises(RankgaugeError) as caught:
            holdout(make(sources))
        assert caught.value.code == code
    with pytest.raises(RankgaugeError, match="user 'a', item 'x': expected an item of a user once, got 2 rows"):
        holdout(make(frame))
    with pytest.raises(RankgaugeError, match="repeats='last' needs") as caught:
        holdout(make(frame[["user", "item"]]), method="random", repeats="last")
    assert "random" not in str(caught.value)


def test_holdout_without_times_suggests_random() -> None:
    frame = pd.DataFrame({"user": ["a"] * 5, "item": list("vwxyz")})
    for method in ("last", "fraction"):
        with pytest.raises(RankgaugeError, match=f"method='{method}' needs") as caught:
            holdout(frame, method=method)
        assert 'method="random" in Python, --method random on the command line' in str(caught.value)
    assert len(holdout(frame, method="random").truth.frame) == 1


@every_library
@pytest.mark.parametrize("method", [{"method": "last"}, {"method": "random", "fraction": 0.5}])
def test_holdout_keeps_every_column_of_training(library: str, method: dict[str, Any]) -> None:
    """Names of columns that the grader uses itself are kept too."""
    table = pd.DataFrame(
        {
            "held": ["a", "b", "c", "d"],
            "user": [1, 1, 2, 2],
            "nth": [0.5, 1.5, 2.5, 3.5],
            "item": [7, 8, 7, 9],
            "timestamp": [1, 2, 3, 4],
            "query_text": list("wxyz"),
        }
    )
    train = rows_of(holdout(LIBRARIES[library](table), **method).train)
    assert len(train) == 2
    expected = {row["held"]: row for row in table.to_dict("records")}
    assert [dict(row) for row in train] == [expected[row["held"]] for row in train]
    assert list(train[0]) == list(table.columns)


def test_holdout_of_a_file_keeps_every_column_of_training(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("user,item,timestamp,device\nu,a,1,phone\nu,b,2,desk\n", encoding="utf-8")
    assert rows_of(holdout(str(path)).train) == [{"user": "u", "item": "a", "timestamp": "1", "device": "phone"}]
