"""`rankgauge stocks`: the study of a model, and the comparison of two."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.program import PROGRAM

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
    """Ten stocks whose prices are sine waves of different periods; the first model knows their slopes."""
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


def test_stocks_prints_the_study_of_python(run: Run, market: Market) -> None:
    study = rg.stocks.study(str(market.prices), str(market.scores), k=3)
    assert run("stocks", market.prices, market.scores, "-k", "3").text() == f"{study}\n"
    assert json.loads(run("stocks", market.prices, market.scores, "-k", "3", "--format", "json").text()) == json.loads(
        study.to_json()
    )


def test_stocks_with_per_date_has_a_row_per_date(run: Run, market: Market) -> None:
    arguments = ("stocks", market.prices, market.scores, "-k", "3", "--per-date", "--format")
    listed = list(csv.DictReader(io.StringIO(run(*arguments, "csv").text())))
    assert [row["date"] for row in listed] == DAYS[:-5]
    assert {row["n"] for row in listed} == {"10"}
    assert json.loads(run(*arguments, "json").text())["per_date"]["date"] == DAYS[:-5]


def test_stocks_with_two_models_prints_their_comparison(run: Run, market: Market) -> None:
    actual = json.loads(run("stocks", *market, "-k", "3", "--format", "json").text())
    assert actual["runs"] == ["scores", "other"]
    assert actual["pairs"][0]["measure"] == "ndcg@3"
    assert (actual["pairs"][0]["first"], actual["pairs"][0]["second"]) == ("other", "scores")
    assert actual["pairs"][0]["difference"] < 0
    python = rg.stocks.compare(str(market.prices), [str(market.scores), str(market.other)], k=3)
    assert run("stocks", *market, "-k", "3").text() == f"{python}\n"


def test_stocks_with_several_models_takes_the_switches_of_a_comparison(
    run: Run, market: Market, tmp_path: Path
) -> None:
    third = tmp_path / "third.csv"
    third.write_bytes(market.other.read_bytes())
    switches = ["--baseline", "third", "--tried", "40", "--correction", "bh", "--margin", "0.1"]
    actual = json.loads(run("stocks", *market, third, "-k", "3", *switches, "--format", "json").text())
    assert (actual["runs"], actual["baseline"], actual["tried"]) == (["scores", "other", "third"], "third", 40)
    assert actual["correction"] == "bh"
    assert "p_equivalence" in actual["pairs"][0]
    assert "did you mean" in run("stocks", *market, "--baseline", "othr").refusal()
    one = json.loads(run("stocks", market.prices, market.scores, "--tried", "40", "--format", "json").text())
    assert one["tried"] == 40


def test_stocks_with_a_report_writes_the_tear_sheet(run: Run, market: Market, tmp_path: Path) -> None:
    sectors = tmp_path / "sectors.csv"
    sectors.write_text(
        "\n".join(["ticker,sector", *(f"{ticker},s{place % 2}" for place, ticker in enumerate(TICKERS))])
    )
    target = tmp_path / "tear.html"
    switches = ["--horizons", "1,10", "--by", f"{sectors}:sector", "--report", str(target)]
    done = run("stocks", market.prices, market.scores, "-k", "3", *switches)
    assert "tear.html" in done.stderr
    page = target.read_text(encoding="utf-8")
    assert all(text in page for text in ("By sector", "rank_ic by horizon", "--horizons 1,10"))
    assert "horizon" in done.stdout
    assert run("stocks", *market, "-k", "3", "--report", target).code == 0
    assert "comparison of 2 stock models" in target.read_text(encoding="utf-8")


def test_stocks_of_wrong_horizons_or_over_its_input_is_refused(run: Run, market: Market) -> None:
    assert "expected whole numbers" in run("stocks", market.prices, market.scores, "--horizons", "1,x").refusal()
    assert "horizon" in run("stocks", market.prices, market.scores, "--horizons", "0").refusal()
    assert "scores.csv" in run("stocks", market.prices, market.scores, "--report", market.scores).refusal()


def test_stocks_of_a_folder_compares_its_models(run: Run, market: Market, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    for path in (market.scores, market.other):
        (folder / path.name).write_bytes(path.read_bytes())
    actual = json.loads(run("stocks", market.prices, folder, "-k", "3", "--format", "json").text())
    assert actual["runs"] == ["other", "scores"]


def test_stocks_with_switches_passes_them_to_the_grader_and_the_measure(run: Run, market: Market) -> None:
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
    actual = json.loads(run("stocks", market.prices, market.scores, *switches, "--format", "json").text())
    assert "ndcg(gain=exp2)@10" in actual["measures"]
    assert (actual["horizon"], actual["convention"]) == (2, "trec_eval(ties=average,unjudged=drop)")
    assert actual["dates"] == len(DAYS) - 3
    assert set(actual["audit"]["grades"]) == {"0", "1"}


def test_stocks_on_a_terminal_shows_every_table(run_on_terminal: RunOnTerminal, market: Market) -> None:
    shown = run_on_terminal("stocks", market.prices, market.scores, "-k", "3", columns=120).text()
    assert all(word in shown for word in ("ndcg@3", "rank_ic", "best", "worst", "2026"))


def test_stocks_into_a_markdown_file_writes_a_markdown_table(run: Run, market: Market, tmp_path: Path) -> None:
    target = tmp_path / "study.md"
    assert run("stocks", market.prices, market.scores, "--format", "markdown", "-o", target).text() == ""
    assert target.read_text(encoding="utf-8").startswith("| measure")


def test_stocks_with_scores_from_the_future_is_refused(run: Run, market: Market) -> None:
    late = market.scores.read_text(encoding="utf-8").replace(",T", "T18:00:00,T")
    market.scores.write_text(late, encoding="utf-8")
    assert "to be known no later than the price of 2026-01-01" in run("stocks", market.prices, market.scores).refusal()
    run("stocks", market.prices, market.scores, "--lag", "1").text()


def test_stocks_with_files_of_one_name_shows_their_paths(run: Run, market: Market, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "scores.csv"
    other.write_bytes(market.other.read_bytes())
    actual = json.loads(run("stocks", market.prices, market.scores, other, "--format", "json").text())
    assert actual["runs"] == [str(market.scores), str(other)]


RETURNS = "종목,실제 수익률\nA,+12%\nB,+3%\nC,0%\nD,-1%\nE,-5%\n"
RANKS = "종목,모델 예측 순위\nA,1등\nB,2등\nC,3등\nD,4등\nE,5등\n"
BOTH = """종목,실제 수익률,분위 라벨,모델 예측 순위
A,+12%,4 (최상),1등
B,+3%,3,2등
C,0%,2,3등
D,-1%,1,4등
E,-5%,0 (최하),5등
"""


@pytest.fixture
def five(tmp_path: Path) -> dict[str, Path]:
    """Five stocks with their returns and predicted ranks, in two files and in one."""
    paths = {name: tmp_path / f"{name}.csv" for name in ("ret", "rank", "both")}
    for path, text in zip(paths.values(), (RETURNS, RANKS, BOTH), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_stocks_of_returns_and_ranks_prints_the_one_date(run: Run, five: dict[str, Path]) -> None:
    two, one = (run("stocks", *files, "-k", "5").text() for files in ([five["ret"], five["rank"]], [five["both"]]))
    assert one == two == f"{rg.stocks.study(str(five['both']), k=5)}\n"
    lines = [line.split() for line in one.splitlines()]
    grades = {line[1]: line[3] for line in lines if len(line) == 4 and line[0].isdigit()}
    assert grades == {"A": "4", "B": "3", "C": "2", "D": "1", "E": "0"}
    assert next(line for line in lines if line[:1] == ["ndcg@5"])[1] == "1.0000"


def test_stocks_of_one_table_in_a_pipe_is_read(run: Run, five: dict[str, Path]) -> None:
    command = [PROGRAM, "stocks", "-", "-k", "5"]
    piped = subprocess.run(command, input=five["both"].read_bytes(), stdout=subprocess.PIPE, check=True)
    assert piped.stdout.decode() == run("stocks", five["both"], "-k", "5").text()


def test_stocks_of_one_table_as_json_has_its_stocks(run: Run, five: dict[str, Path]) -> None:
    actual = json.loads(run("stocks", five["both"], "--format", "json").text())
    assert [(row["ticker"], row["grade"]) for row in actual["by_stock"]] == [
        *zip("ABCDE", (4, 3, 2, 1, 0), strict=True)
    ]
    assert actual["measures"]["ndcg@10"]["mean"] == 1.0
    assert actual["measures"]["ndcg@10"]["t"] is None


def test_stocks_of_known_returns_takes_the_switches(run: Run, five: dict[str, Path]) -> None:
    cut = json.loads(run("stocks", five["both"], "--cut", "qcut", "--levels", "3", "--format", "json").text())
    assert [row["grade"] for row in cut["by_stock"]] == [2, 2, 1, 0, 0]
    assert "expected prices for lag=1" in run("stocks", five["both"], "--lag", "1").refusal()
    assert "for score (score, " in run("stocks", five["ret"]).refusal()
    named = run("stocks", five["both"], "--columns-scores", "rank=분위 라벨").refusal()
    assert "ticker 'A', column '분위 라벨': expected a rank of at least 1" in named


def test_stocks_with_dates_on_one_side_is_refused(run: Run, five: dict[str, Path], market: Market) -> None:
    assert "expected dates in both tables or in neither" in run("stocks", market.prices, five["rank"]).refusal()


def test_stocks_with_a_close_takes_scores_of_the_morning(run: Run, market: Market) -> None:
    timed = market.scores.read_text(encoding="utf-8").replace(",T", "T09:30:00,T")
    plain = run("stocks", market.prices, market.scores, "-k", "3").text()
    market.scores.write_text(timed, encoding="utf-8")
    assert "close='16:00'" in run("stocks", market.prices, market.scores, "-k", "3").refusal()
    assert run("stocks", market.prices, market.scores, "-k", "3", "--close", "16:00").text() == plain


def test_stocks_that_lose_scores_is_refused_unless_allowed(run: Run, market: Market) -> None:
    half = market.scores.read_text(encoding="utf-8").replace(",T9", ",X9").replace(",T8", ",X8").replace(",T7", ",X7")
    market.scores.write_text(half.replace(",T6", ",X6"), encoding="utf-8")
    line = run("stocks", market.prices, market.scores).refusal()
    assert "336 of 840 scores without a price" in line
    assert "--max-loss 1 on the command line" in line
    assert "336 of stocks without prices" in run("stocks", market.prices, market.scores, "--max-loss", "0.5").text()


def test_stocks_with_strict_makes_a_severe_remark_an_error(run: Run, market: Market) -> None:
    """The score of a date is what the stock earns afterwards."""
    wide = list(csv.reader(io.StringIO(market.prices.read_text(encoding="utf-8"))))
    leaked = [
        f"{now[0]},{ticker},{float(later[1 + place]) / float(now[1 + place])}"
        for now, later in zip(wide[1:], wide[6:], strict=False)
        for place, ticker in enumerate(TICKERS)
    ]
    market.scores.write_text("\n".join(["date,ticker,score", *leaked]), encoding="utf-8")
    assert "leak: rank_ic is 1.00" in run("stocks", market.prices, market.scores).text()
    assert "leak: rank_ic is 1.00" in run("stocks", market.prices, market.scores, "--strict").refusal()
    assert "leak: rank_ic is 1.00" in run("stocks", *market, "--strict").refusal()
