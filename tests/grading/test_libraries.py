"""Every grader on every library: the table comes back as it came, with the values and the audit of any other."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, kind_of, plain, rows_of, table_of
from tests.grading.plain_returns import messy_prices
from tests.required_programs import require_program

from rankgauge.grading.actions import actions
from rankgauge.grading.audited import Audited
from rankgauge.grading.holdout import Split, holdout
from rankgauge.grading.ratings import ratings
from rankgauge.grading.returns import returns

Columns = dict[str, list[Any]]


class Case(NamedTuple):
    """What is graded, and how."""

    columns: Columns
    grade: Callable[[Any], Audited | Split]


class Outcome(NamedTuple):
    """What came out: the type of each table, its rows in order, and the audits."""

    kinds: list[type]
    rows: list[list[dict[str, Any]]]
    audits: list[dict[str, Any]]


def dated(columns: Columns) -> Columns:
    """Give dates instead of moments."""
    return columns | {"day": [each and each.date() for each in columns["day"]]}


def wide_prices() -> Columns:
    source = random.Random(6)
    days = [date(2026, 1, 1) + timedelta(days=day) for day in range(10)]
    closes = {f"S{stock}": [source.choice([None, 10.0, 10.5, 11.0]) for _ in days] for stock in range(6)}
    return {"date": [*days[:4], None, *days[5:]], "index": [100.0 + day**1.5 for day in range(10)], **closes}


def written_returns(days: int, *, dated: bool) -> Columns:
    """Draw returns as people write them, with equal ones; some parts are absent."""
    source = random.Random(9)
    cells = [(date(2026, 1, 1) + timedelta(days=day), stock) for day in range(days) for stock in range(9)]
    source.shuffle(cells)
    dates = {"date": [source.choice([None, *[day] * 20]) for day, _ in cells]} if dated else {}
    percents = [source.choice([None, "+12%", "-3.5 %", "−1%", "0%", f"{source.randrange(999) / 100}%"]) for _ in cells]
    return {**dates, "종목": [f"S{stock}" for _, stock in cells], "실제 수익률": percents}


def log() -> Columns:
    """Draw what people did: several actions on an item, in several spellings, and rows that lack a part."""
    source = random.Random(7)
    count = 150
    hours = [source.choice([None, *range(0, 240, 6)]) for _ in range(count)]
    return {
        "user": [source.choice([None, *(f"u{number}" for number in range(6))]) for _ in range(count)],
        "item": [source.choice([None, *(f"i{number}" for number in range(9))]) for _ in range(count)],
        "event": [source.choice(["view", "click", "Click", "add to cart", "purchase", None]) for _ in range(count)],
        "time": [None if hour is None else datetime(2026, 1, 1) + timedelta(hours=hour) for hour in hours],
        "weight": [source.choice([None, 0.5, 1.0, 2.0]) for _ in range(count)],
        "position": [source.choice([None, 1, 2, 3, 10]) for _ in range(count)],
    }


def watched() -> Columns:
    """Draw users who rated items once each, at times that may be equal; some parts are absent."""
    source = random.Random(8)
    pairs = [(user, item) for user in range(9) for item in source.sample(range(100, 130), source.randrange(1, 12))]
    source.shuffle(pairs)
    return {
        "userId": [user for user, _ in pairs],
        "movieId": [f"m{item}" for _, item in pairs],
        "rating": [source.choice([1.0, 2.5, 4.0, 5.0, 5.0, math.nan, None]) for _ in pairs],
        "timestamp": [source.choice([1_700_000_000 + 100 * place for place in range(40)]) for _ in pairs],
    }


def sampled(table: Any) -> Audited:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that measures of sampled candidates are not those of all items
        return holdout(table).candidates(3, seed=5)


CASES: dict[str, Case] = {
    "returns": Case(messy_prices(1), lambda table: returns(table, horizon=2)),
    "returns by date": Case(dated(messy_prices(2)), lambda table: returns(table, horizon=1, levels="rank")),
    "returns in excess of the mean, by sector": Case(
        messy_prices(3),
        lambda table: returns(table, horizon=2, levels=3, excess="mean", group="sector", ties="min"),
    ),
    "returns in excess of an index, later": Case(
        messy_prices(4),
        lambda table: returns(table, horizon=2, lag=1, levels=2, excess="index", gaps="drop", ties="max"),
    ),
    "returns that reach thresholds, stopped": Case(
        messy_prices(5), lambda table: returns(table, horizon=3, thresholds=[-0.0521, 0.0137], stopped=-0.3)
    ),
    "returns of a wide table": Case(wide_prices(), lambda table: returns(table, horizon=1, levels=2, excess="index")),
    "returns of no rows": Case(messy_prices(1), lambda table: returns(table, horizon=90, columns={"date": "day"})),
    "returns that are known": Case(written_returns(8, dated=True), lambda table: returns(table, levels=3)),
    "returns that are known, without dates": Case(
        written_returns(1, dated=False), lambda table: returns(table, levels=2, excess="mean")
    ),
    "returns cut as pandas does": Case(
        written_returns(8, dated=True), lambda table: returns(table, levels=3, cut="qcut", least=1)
    ),
    "actions": Case(log(), actions),
    "actions that decay and add up": Case(log(), lambda table: actions(table, combine="sum", cap=4, half_life=2)),
    "the last of the actions": Case(log(), lambda table: actions(table, combine="last")),
    "ratings": Case(watched(), ratings),
    "ratings that reach thresholds": Case(
        watched(), lambda table: ratings(table, thresholds=[2, 4, 5], below="negative")
    ),
    "ratings about the mean of a user": Case(watched(), lambda table: ratings(table, centred=True)),
    "the last interactions": Case(watched(), lambda table: holdout(table, count=2)),
    "a share of the interactions": Case(watched(), lambda table: holdout(table, method="fraction")),
    "interactions after a moment": Case(watched(), lambda table: holdout(table, method="time", at=1_700_002_000)),
    "interactions by chance": Case(watched(), lambda table: holdout(table, method="random", fraction=0.3, seed=4)),
    "candidates": Case(watched(), sampled),
    "a ranking without what was seen": Case(
        watched(), lambda table: holdout(table).unseen(table, columns={"score": "rating"})
    ),
    "returns in excess of an index, sold at the last price": Case(
        messy_prices(4), lambda table: returns(table, horizon=2, levels=2, excess="index", stopped="last")
    ),
}


def outcome(result: Audited | Split) -> Outcome:
    if isinstance(result, Split):
        tables, audits = [result.train, result.truth.frame], [result.audit, result.truth.audit]
    else:
        tables, audits = [result.frame], [result.audit]
    return Outcome(
        [type(each) for each in tables], [sorted_rows(each) for each in tables], [a.to_dict() for a in audits]
    )


def sorted_rows(frame: Any) -> list[dict[str, Any]]:
    if not hasattr(frame, "toPandas"):
        return rows_of(frame)
    rows = [{name: plain(value) for name, value in row.asDict().items()} for row in frame.collect()]
    return sorted(rows, key=lambda row: [str(value) for value in list(row.values())[:2]])


def check(name: str, table: Any, kind: type) -> None:
    """Compare with what Polars gives."""
    case = CASES[name]
    actual, expected = outcome(case.grade(table)), outcome(case.grade(pl.DataFrame(case.columns, strict=False)))
    assert all(issubclass(each, kind) for each in actual.kinds), name
    assert actual.audits == expected.audits, name
    for rows, others in zip(actual.rows, expected.rows, strict=True):
        assert len(rows) == len(others), name
        for row, other in zip(rows, others, strict=True):
            assert list(row) == list(other), name
            assert {key: same_as(value) for key, value in other.items()} == row, name


def same_as(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", CASES)
def test_graders_of_any_library_return_the_same_in_that_library(library: str, name: str) -> None:
    check(name, table_of(library, CASES[name].columns), kind_of(library))


SPARK_CASES = ["returns", "actions", "ratings", "the last interactions"]


@pytest.mark.parametrize(
    ("server", "names"),
    [
        pytest.param("classic", SPARK_CASES, id="a case per grader"),
        pytest.param("connect", SPARK_CASES[2:], id="behind Connect"),
        pytest.param("classic", [*CASES], id="every case", marks=pytest.mark.full),
        pytest.param("connect", [*CASES], id="every case behind Connect", marks=pytest.mark.full),
    ],
)
def test_graders_on_spark_give_what_polars_gives(server: str, names: list[str]) -> None:
    """In a process of its own: Spark forks to start Java, which JAX, that other tests load, forbids."""
    require_program("java", "openjdk-17-jre-headless")
    root = Path(__file__).parents[2]
    command = [sys.executable, "-W", "error", "-m", "tests.grading.on_spark", server, *names]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(names)} cases agree\n"), done.stderr
