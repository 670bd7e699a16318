from __future__ import annotations

import math
import random
import re
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, kind_of, rows_of, table_of
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.actions import GRADES, actions

START = datetime(2026, 1, 1)
WORTH = {"impression": 0.0, "click": 1.0, "addtocart": 2.0, "purchase": 3.0, "none": 0.0}
SPELLINGS = ["impression", "click", "Click", "CLICK", "add_to_cart", "Add to Cart", "add-to-cart", "purchase", None]


def messy(seed: int = 11, *, numbers: bool = False) -> dict[str, list[Any]]:
    """Draw a log without order: spellings, repeated pairs, ties of time, and rows that lack a part."""
    source = random.Random(seed)
    count = 400
    hours = [source.choice([None, *range(0, 240, 6)]) for _ in range(count)]
    return {
        "event": [source.choice(SPELLINGS) for _ in range(count)],
        "note": ["x"] * count,
        "sku": [source.choice([None, *(f"i{number}" for number in range(12))]) for _ in range(count)],
        "visitorId": [source.choice([None, *(f"v{number}" for number in range(8))]) for _ in range(count)],
        "time": [hour if numbers or hour is None else START + timedelta(hours=hour) for hour in hours],
        "weight": [source.choice([None, 0.5, 1.0, 2.0, 0.0]) for _ in range(count)],
        "position": [source.choice([None, 1, 2, 3, 10]) for _ in range(count)],
        "propensity": [source.choice([None, 0.1, 0.5, 1.0]) for _ in range(count)],
    }


def plain_grade(row: dict[str, Any]) -> float:
    name = "".join(letter for letter in (row["event"] or "none").lower() if letter.isalpha())
    return WORTH[name] * (1.0 if row["weight"] is None else float(row["weight"]))


def by_pair(columns: dict[str, list[Any]], *, timed: bool) -> dict[tuple[str, str], list[dict[str, Any]]]:
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for values in zip(*columns.values(), strict=True):
        row = dict(zip(columns, values, strict=True))
        if row["visitorId"] is None or row["sku"] is None or (timed and row["time"] is None):
            continue
        pairs.setdefault((row["visitorId"], row["sku"]), []).append(row)
    return dict(sorted(pairs.items()))


def combined(rows: list[dict[str, Any]], how: str, cap: float, age: Any) -> float:
    grades: list[float] = [plain_grade(row) * 0.5 ** age(row) for row in rows]
    if how == "sum":
        return min(math.fsum(grades), cap)
    if how == "last":
        latest = max(row["time"] for row in rows)
        grades = [grade for grade, row in zip(grades, rows, strict=True) if row["time"] == latest]
    return max(grades)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("combine", ["max", "sum", "last"])
@pytest.mark.parametrize("half_life", [None, 2, timedelta(hours=36)], ids=str)
def test_actions_of_any_library_equal_plain_loop(library: str, combine: Any, half_life: Any) -> None:
    columns = messy()
    timed = combine == "last" or half_life is not None
    pairs = by_pair(columns, timed=timed)
    latest = max(row["time"] for rows in pairs.values() for row in rows if row["time"])
    span = timedelta(days=half_life) if isinstance(half_life, int) else half_life
    age = (lambda row: (latest - row["time"]) / span) if span else (lambda _: 0.0)
    frame, audit = graded = actions(table_of(library, columns), combine=combine, half_life=half_life)
    graded_rows = rows_of(frame)
    assert isinstance(frame, kind_of(library))
    assert list(graded_rows[0]) == ["visitorId", "sku", "grade", "position", "propensity"]
    assert [(row["visitorId"], row["sku"]) for row in graded_rows] == list(pairs)
    expected = [combined(rows, combine, 3.0, age) for rows in pairs.values()]
    assert [row["grade"] for row in graded_rows] == pytest.approx(expected, rel=1e-12)
    for name, best in {"position": min, "propensity": max}.items():
        seen = [[row[name] for row in rows if row[name] is not None] for rows in pairs.values()]
        assert [row[name] for row in graded_rows] == [best(values) if values else None for values in seen]
    named = {"query": "visitorId", "item": "sku", "grade": "grade", "position": "position", "propensity": "propensity"}
    assert graded.roles == named
    counts = [user is None or sku is None for user, sku in zip(columns["visitorId"], columns["sku"], strict=True)]
    used = sum(map(len, pairs.values()))
    late = len(counts) - sum(counts) - used
    assert audit.dropped == {"no query or item": sum(counts), "no time": late}
    assert (late > 0) == timed
    assert (audit.rows, audit.kept) == (len(counts), len(pairs))
    assert sum(audit.grades.values()) in (0, len(pairs))


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_numeric_times_decay_in_their_units(library: str) -> None:
    columns = messy(numbers=True)
    pairs = by_pair(columns, timed=True)
    frame, audit = actions(table_of(library, columns), half_life=48, now=300, combine="sum", cap=1.5)
    expected = [combined(rows, "sum", 1.5, lambda row: (300 - row["time"]) / 48) for rows in pairs.values()]
    assert [row["grade"] for row in rows_of(frame)] == pytest.approx(expected, rel=1e-12)
    assert "decay: a grade halves each 48 in the units of 'time' before 300" in lines(audit.remarks)
    assert "combine: the grades of several actions on an item add up, to at most 1.5" in lines(audit.remarks)


def small(**columns: list[Any]) -> dict[str, list[Any]]:
    return {"user": ["a", "a", "b"], "item": ["x", "y", "x"], "action": ["click", "buy", "view"], **columns}


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_audit_has_known_text(library: str) -> None:
    columns: dict[str, list[Any]] = {
        "user": ["a", "a", "a", "b", None],
        "item": ["x", "x", "y", "x", "x"],
        "action": ["Click", "click", "add to cart", None, "unheard of"],
        "quantity": [1, 1, 1, 5, 1],
    }
    audit = actions(table_of(library, columns), columns={"weight": "quantity"}).audit
    assert (audit.title, audit.rows, audit.kept, audit.grades) == ("actions", 5, 3, {0.0: 1, 1.0: 1, 2.0: 1})
    assert audit.dropped == {"no query or item": 1, "no time": 0}
    assert lines(audit.remarks) == [
        "action: none has grade 0, 1 row",
        "action: click has grade 1, 2 rows",
        "action: add_to_cart has grade 2, 1 row",
        "weight: the grade of a row is multiplied by its 'quantity'",
        "combine: of several actions on an item, the highest grade counts",
        "graded: 2 queries, 1 of them with nothing above 0",
        "unlisted: items that are not in the log are unjudged",
    ]


def test_actions_result_keeps_the_order_of_the_log() -> None:
    columns = {"user": ["b", "a", "b"], "item": ["z", "x", "y"], "action": ["view", "view", "view"]}
    for library in ("pandas", "polars"):
        frame, _ = actions(table_of(library, columns))
        assert list(frame["item"]) == ["z", "x", "y"]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("spellings", "grades", "expected"),
    [
        (["1", "0", "-1"], {1: 2, 0: 0, -1: -3}, [2, 0, -3]),
        ([1, 0, -1], {1: 2, 0: 0, -1: -3}, [2, 0, -3]),
        ([1, 0, None], {"1": 2, "0": 0.5, "none": 0.25}, [2, 0.5, 0.25]),
        ([True, False, True], {True: 1, False: 0}, [1, 0, 1]),
        (["Like", "DISLIKE", "dis-like"], {"like": 1, "dislike": -1}, [1, -1, -1]),
        (["A b", "a-b", "ab"], {"a b": 1, "a-b": 2, "ab": 1, "A b": 3}, [3, 2, 1]),
    ],
    ids=str,
)
def test_actions_names_match_as_texts(library: str, spellings: list[Any], grades: Any, expected: list[float]) -> None:
    columns = {"user": ["a", "a", "a"], "item": ["x", "y", "z"], "action": spellings}
    frame, _ = actions(table_of(library, columns), grades=grades)
    assert [row["grade"] for row in rows_of(frame)] == expected


@pytest.mark.parametrize(
    ("grade", "names"),
    [
        (0, ["무반응", "노출", "no response", "NO_ACTION", "ignored", "viewed", "impression"]),
        (1, ["클릭", "clicked", "Click"]),
        (2, ["장바구니", "장바구니 담기", "addToCart", "add_to_basket", "basket", "carted", "added to cart"]),
        (3, ["구매", "주문", "bought", "purchased", "ordered", "Buy"]),
    ],
)
def test_actions_usual_names_have_grades(grade: int, names: list[str]) -> None:
    log = {"사용자": ["u"] * len(names), "상품": names, "이벤트": names}
    assert {row["grade"] for row in rows_of(actions(pl.DataFrame(log)).frame)} == {grade}


@pytest.mark.parametrize("name", ["checkout", "begin_checkout", "remove_from_cart", "refund", "skip"])
def test_actions_ambiguous_name_raises(name: str) -> None:
    with pytest.raises(RankgaugeError) as error:
        actions(pl.DataFrame({"user": ["u"], "item": ["a"], "action": [name]}))
    assert error.value.code == "unknown-action"


def test_actions_docs_list_every_name() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "actions.md").read_text(encoding="utf-8")
    for grade in range(4):
        names = {name for name, listed in GRADES.items() if listed == grade}
        (row,) = re.findall(rf"^\| {grade} +\| (.*) \|$", guide, re.MULTILINE)
        assert {name.strip(" `") for name in row.split(",")} == names
        (line,) = re.findall(rf"^    - {grade}: ((?:.|\n      )*)", str(actions.__doc__), re.MULTILINE)
        assert {name.strip() for name in line.split(",")} == names


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_unknown_action_raises_its_name(library: str) -> None:
    table = table_of(library, small(action=["click", "purchas", "view"]))
    with pytest.raises(RankgaugeError, match=r"'purchas'.*did you mean 'purchase'") as error:
        actions(table)
    assert error.value.code == "unknown-action"


def test_actions_spelling_with_two_grades_raises() -> None:
    with pytest.raises(RankgaugeError) as error:
        actions(pl.DataFrame(small(action=["a_b"] * 3)), grades={"a-b": 1, "ab": 2})
    assert error.value.code == "unknown-action"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("bad", [-1.0, math.inf, -math.inf])
def test_actions_invalid_weight_raises_its_place(library: str, bad: float) -> None:
    with pytest.raises(RankgaugeError, match="weight") as error:
        actions(table_of(library, small(weight=[1.0, 2.0, bad])))
    assert (error.value.code, error.value.place) == ("bad-value", "query 'b', item 'x'")


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_after_now_raise_look_ahead(library: str) -> None:
    times = [START, START + timedelta(days=1, hours=2), None]
    with pytest.raises(RankgaugeError, match="one at 2026-01-02 02:00:00") as error:
        actions(table_of(library, small(time=times)), half_life=1, now="2026-01-02")
    assert error.value.code == "look-ahead"


def test_actions_dropped_rows_are_not_checked_against_now() -> None:
    columns = small(user=["a", "a", None], time=[START, START, START + timedelta(days=9)])
    frame, _ = actions(pl.DataFrame(columns), half_life=1, now=START + timedelta(days=1))
    assert frame["grade"].to_list() == [0.5, 1.5]
    assert actions(pl.DataFrame(columns), half_life=1).frame["grade"].to_list() == [1.0, 3.0]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "days",
    [
        [date(2024, 2, 28), date(2024, 3, 1), None],
        ["2024-02-28", "2024-03-01T00:00:00Z", None],
        [20240228, 20240301, None],
        ["20240228", "20240301", None],
    ],
    ids=["dates", "texts", "numbers", "texts of numbers"],
)
def test_actions_dates_of_any_kind_decay_by_days(library: str, days: list[Any]) -> None:
    frame, audit = actions(table_of(library, small(date=days)), half_life=1)
    assert [row["grade"] for row in rows_of(frame)] == [0.25, 3.0]
    assert "decay: a grade halves each day before 2024-03-01" in lines(audit.remarks)
    frame, _ = actions(table_of(library, small(date=days)), half_life=timedelta(days=1), now=date(2024, 3, 2))
    assert [row["grade"] for row in rows_of(frame)] == [0.125, 1.5]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_actions_now_is_converted_to_the_zone_of_the_column(library: str) -> None:
    times = pd.to_datetime(["2026-01-01 12:00"] * 3).tz_localize("America/New_York")
    frame = pd.DataFrame(small()).assign(time=times)
    table = frame if library == "pandas" else pl.from_pandas(frame)
    now = datetime(2026, 1, 2, 17, tzinfo=timezone.utc)
    assert [row["grade"] for row in rows_of(actions(table, half_life=1, now=now).frame)] == [0.5, 1.5, 0.0]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("options", [{"half_life": 3}, {"combine": "last"}])
def test_actions_without_needed_times_raise(library: str, options: Any) -> None:
    with pytest.raises(RankgaugeError, match=next(iter(options))) as error:
        actions(table_of(library, small()), **options)
    assert error.value.code == "needs-column"


@pytest.mark.parametrize(
    "options",
    [
        {"cap": 3},
        {"cap": math.nan, "combine": "sum"},
        {"now": START},
        {"half_life": 0},
        {"half_life": "3 days"},
        {"half_life": timedelta(-1)},
        {"half_life": 1, "now": "soon"},
        {"grades": {}},
        {"grades": ["click"]},
        {"grades": {"click": math.inf, "buy": 1, "view": 0}},
        {"grades": {"click": "1"}},
    ],
    ids=str,
)
def test_actions_invalid_option_raises(options: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError) as error:
        actions(pl.DataFrame(small(time=[START] * 3)), **options)
    assert error.value.code == "bad-number"


def test_actions_timedelta_with_numeric_times_raises() -> None:
    with pytest.raises(RankgaugeError, match="units of the times"):
        actions(pl.DataFrame(small(time=[1, 2, 3])), half_life=timedelta(1))


def test_actions_unknown_choice_table_or_column_raises() -> None:
    with pytest.raises(RankgaugeError, match="combine"):
        actions(pl.DataFrame(small()), combine="mean")  # type: ignore[arg-type]
    with pytest.raises(RankgaugeError, match="log as a DataFrame"):
        actions([1, 2])  # type: ignore[arg-type]
    with pytest.raises(RankgaugeError, match="for action"):
        actions(pl.DataFrame({"user": ["a"], "item": ["x"]}))
    with pytest.raises(RankgaugeError, match="a role in columns"):
        actions(pl.DataFrame(small()), columns={"grade": "action"})


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_log_of_nulls_has_no_grades(library: str) -> None:
    table = table_of(library, {"user": [None], "item": ["x"], "action": ["click"], "time": [START]})
    frame, audit = actions(table, half_life=1)
    assert rows_of(frame) == []
    assert (audit.rows, audit.kept, audit.dropped["no query or item"]) == (1, 0, 1)


def test_actions_empty_log_has_no_grades() -> None:
    empty = pl.DataFrame(small(time=[START] * 3)).clear()
    for table in (empty, empty.lazy(), empty.to_pandas(), duckdb.from_arrow(empty.to_arrow())):
        frame, audit = actions(table, half_life=1, combine="last")
        assert rows_of(frame) == []
        assert (audit.rows, audit.kept) == (0, 0)


def test_actions_numpy_options_are_accepted() -> None:
    table = pl.DataFrame(small(time=[1, 1, 2]))
    grades: dict[str, Any] = {"click": np.int64(2), "buy": np.float64(4), "view": 0}
    assert actions(table, grades=grades).frame["grade"].to_list() == [2.0, 4.0, 0.0]
    span: Any = np.int64(1)
    assert actions(table, half_life=span).frame["grade"].to_list() == [0.5, 1.5, 0.0]


@pytest.mark.parametrize("backend", ["numpy_nullable", "pyarrow"])
def test_actions_pandas_nullable_types_are_read(backend: Any) -> None:
    frame = pd.DataFrame(small(time=[1, 2, None], weight=[1, 2, None])).convert_dtypes(dtype_backend=backend)
    assert [row["grade"] for row in rows_of(actions(frame, half_life=1).frame)] == [0.5, 6.0]


def test_actions_query_column_named_grade_raises() -> None:
    with pytest.raises(RankgaugeError, match="rename the column"):
        actions(pl.DataFrame(small()).rename({"user": "grade"}), columns={"query": "grade"})


def test_actions_pandas_categories_are_kept() -> None:
    frame = pd.DataFrame(small()).astype({"action": "category", "item": "category"})
    graded = actions(frame).frame
    assert list(graded["grade"]) == [1.0, 3.0, 0.0]
    assert str(graded["item"].dtype) == "category"


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_result_is_evaluated(library: str) -> None:
    graded = actions(table_of(library, small()))
    result = rg.evaluate(graded.frame, {"a": ["x", "y"]}, "dcg@2", columns=dict(graded.roles))
    assert result["dcg@2"] == pytest.approx(1.0 + 3.0 / math.log2(3))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("beside", "weight"), [({"position": [4, 1, 1]}, 4.0), ({"propensity": [0.5, 1.0, 1.0]}, 2.0)], ids=str
)
def test_actions_propensities_weigh_clicks(library: str, beside: Any, weight: float) -> None:
    graded = actions(table_of(library, small(action=["click", "view", "view"], **beside)))
    assert list(graded.roles)[3:] == list(beside)
    result = rg.evaluate(graded.frame, {"a": ["x", "y"]}, "ips_dcg", columns=dict(graded.roles))
    assert result["ips_dcg"] == pytest.approx(weight)


@pytest.mark.parametrize("nothing", [None, ""])
def test_actions_row_without_action_has_grade_0(nothing: str | None) -> None:
    log = pl.DataFrame({"user": ["a", "a"], "item": ["x", "y"], "action": ["click", nothing]})
    assert sorted(actions(log, grades={"click": 2}).frame.rows()) == [("a", "x", 2.0), ("a", "y", 0.0)]


def test_actions_amount_column_is_no_weight() -> None:
    log = pl.DataFrame({"user": ["a"], "item": ["x"], "action": ["purchase"], "amount": [199.99]})
    assert actions(log).frame.rows() == [("a", "x", 3.0)]


def test_actions_negative_cap_raises() -> None:
    log = pl.DataFrame({"user": ["a"], "item": ["x"], "action": ["click"]})
    with pytest.raises(RankgaugeError, match="cap to be at least 0"):
        actions(log, combine="sum", cap=-5)


@pytest.mark.parametrize("library", LIBRARIES)
def test_actions_audit_says_which_row_a_position_comes_from(library: str) -> None:
    log: dict[str, list[Any]] = {
        "user": ["a", "a", "a", "b"],
        "item": ["x", "x", "y", "x"],
        "action": ["view", "click", "view", "view"],
        "position": [1, 7, 2, 3],
        "propensity": [0.9, 0.2, 0.5, 0.5],
    }
    frame, audit = actions(table_of(library, log))
    assert [(row["grade"], row["position"]) for row in rows_of(frame)] == [(1.0, 1.0), (0.0, 2.0), (0.0, 3.0)]
    position, propensity = lines(audit.remarks, "merged-rows")
    assert position.startswith("merged rows: 1 item has several; the lowest position of its rows is kept, whichever of")
    assert position.endswith("(query 'a', item 'x': 1 of the row 'view', not 7 of the row 'click')")
    assert propensity.endswith("(query 'a', item 'x': 0.9 of the row 'view', not 0.2 of the row 'click')")
    once = {name: values[1:] for name, values in log.items()}
    assert not lines(actions(table_of(library, once)).audit.remarks, "merged-rows")
