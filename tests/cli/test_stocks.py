"""`rankgauge stocks`: the study and the comparison, printed."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import TYPE_CHECKING, NamedTuple

import pytest

import rankgauge as rg

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run, RunOnTerminal

DAYS = [f"2026-{month:02}-{day:02}" for month in (1, 2, 3) for day in range(1, 29)]
TICKERS = [f"T{number}" for number in range(10)]


class Market(NamedTuple):
    prices: Path
    scores: Path
    other: Path


@pytest.fixture
def market(tmp_path: Path) -> Market:
    """Ten stocks that swing, each with a period of its own; one of the models knows the swing."""
    paths = Market(*(tmp_path / f"{name}.csv" for name in Market._fields))
    at = {(day, stock): 100 + 10 * math.sin(day / (stock + 3)) for day in range(len(DAYS)) for stock in range(10)}
    wide = [",".join([date, *(f"{at[day, stock]:.4f}" for stock in range(10))]) for day, date in enumerate(DAYS)]
    paths.prices.write_text("\n".join(["date," + ",".join(TICKERS), *wide]), encoding="utf-8")
    for path, knows in ((paths.scores, 1.0), (paths.other, 0.0)):
        noise = {cell: 0.1 * ((cell[0] * 7 + cell[1] * 3) % 10) for cell in at}
        swing = {(day, stock): knows * math.cos((day + 2.5) / (stock + 3)) / (stock + 3) for day, stock in at}
        cells = (f"{DAYS[day]},{TICKERS[stock]},{swing[day, stock] + noise[day, stock]:.6f}" for day, stock in at)
        path.write_text("\n".join(["date,ticker,score", *cells]), encoding="utf-8")
    return paths


def test_it_prints_the_study_of_python(run: Run, market: Market) -> None:
    study = rg.stocks.study(str(market.prices), str(market.scores), k=3)
    assert run("stocks", market.prices, market.scores, "-k", "3").text() == f"{study}\n"
    assert json.loads(run("stocks", market.prices, market.scores, "-k", "3", "--format", "json").text()) == json.loads(
        study.to_json()
    )


def test_the_numbers_of_each_date(run: Run, market: Market) -> None:
    arguments = ("stocks", market.prices, market.scores, "-k", "3", "--per-date", "--format")
    listed = list(csv.DictReader(io.StringIO(run(*arguments, "csv").text())))
    assert [row["date"] for row in listed] == DAYS[:-5]
    assert {row["n"] for row in listed} == {"10"}
    assert json.loads(run(*arguments, "json").text())["per_date"]["date"] == DAYS[:-5]


def test_two_models(run: Run, market: Market) -> None:
    found = json.loads(run("stocks", *market, "-k", "3", "--format", "json").text())
    assert found["names"] == ["scores", "other"]
    assert found["measures"]["ndcg@3"]["difference"]["mean"] > 0
    assert "scores − other" in run("stocks", *market, "-k", "3").text()


def test_switches_reach_the_grader_and_the_measure(run: Run, market: Market) -> None:
    switches = [
        "--horizon",
        "2",
        "--levels",
        "2",
        "--lag",
        "1",
        "--gain",
        "exp2",
        "--convention",
        "trec_eval(ties=average)",
    ]
    found = json.loads(run("stocks", market.prices, market.scores, *switches, "--format", "json").text())
    assert "ndcg(gain=exp2)@10" in found["measures"]
    assert (found["horizon"], found["convention"]) == (2, "trec_eval(ties=average,unjudged=drop)")
    assert found["dates"] == len(DAYS) - 3
    assert set(found["audit"]["grades"]) == {"0", "1"}


def test_on_a_terminal(run_on_terminal: RunOnTerminal, market: Market) -> None:
    shown = run_on_terminal("stocks", market.prices, market.scores, "-k", "3", columns=120).text()
    assert all(word in shown for word in ("ndcg@3", "rank_ic", "best", "worst", "2026"))


def test_into_a_file(run: Run, market: Market, tmp_path: Path) -> None:
    target = tmp_path / "study.md"
    assert run("stocks", market.prices, market.scores, "--format", "markdown", "-o", target).text() == ""
    assert target.read_text(encoding="utf-8").startswith("| measure")


def test_a_look_ahead_is_refused_in_a_line(run: Run, market: Market) -> None:
    late = market.scores.read_text(encoding="utf-8").replace(",T", "T18:00:00,T")
    market.scores.write_text(late, encoding="utf-8")
    assert "to be known no later than the price of 2026-01-01" in run("stocks", market.prices, market.scores).refusal()
    run("stocks", market.prices, market.scores, "--lag", "1").text()


def test_models_in_files_of_one_name_are_told_apart(run: Run, market: Market, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "scores.csv"
    other.write_bytes(market.other.read_bytes())
    found = json.loads(run("stocks", market.prices, market.scores, other, "--format", "json").text())
    assert found["names"] == [str(market.scores), str(other)]
