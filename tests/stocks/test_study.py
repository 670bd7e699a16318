from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from skfolio.datasets import load_sp500_dataset
from tests.stocks.market import MEASURES, forward, framed, hac_t, known, long, noise, text_of, wandering

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.returns import returns
from rankgauge.stocks.study import Study, study
from rankgauge.timeseries import block_interval, effective_number, newey_west_error

PRICES = wandering(days=40)
SCORES = noise(PRICES)
FOUND = study(PRICES, SCORES, k=4)
TABLE = pl.from_pandas(PRICES.reset_index())


def same_as_evaluate(prices: Any, scores: pd.DataFrame, *, gain: str | None = None, **options: Any) -> Study:
    """Study, and compare the measures of gains with those of an evaluation of the graded prices."""
    convention = options.pop("convention", "trec_eval")
    found = study(prices, scores, k=4, gain=gain, convention=convention, **options)
    terms = f"(gain={gain})" if gain else ""
    names = [f"{name}{terms}@4" for name in ("ndcg", "random_ndcg", "corrected_ndcg")]
    result = rg.evaluate(
        returns(prices, **options), long(scores, "score"), names, convention=convention, unjudged="drop"
    )
    assert [str(measure) for measure in result.measures] == names
    for name in names:
        own = result.per_query[name]
        assert list(found.per_date[name]) == [own[date] for date in found.per_date["date"]]
    return found


@pytest.mark.parametrize(
    ("convention", "digits"),
    [
        *[("trec_eval", 9), ("textbook", 9), ("burges", 9), ("sklearn", 9), ("gdeval", 9), ("rectools", 9)],
        *[("trec_eval", 0), ("sklearn", 0), ("lightgbm", 0), ("xgboost", 0), ("catboost", 0)],
    ],
)
def test_ndcg_is_that_of_an_evaluation(convention: str, digits: int) -> None:
    """Scores without digits are often equal, and conventions differ in what that is worth."""
    found = same_as_evaluate(TABLE, SCORES.round(digits), convention=convention)
    assert str(found.convention) == f"{convention}(unjudged=drop)"
    assert len(found.per_date) == 35


@pytest.mark.parametrize("gain", ["exp2", "binary", "linear"])
def test_the_gain_may_be_chosen(gain: str) -> None:
    found = same_as_evaluate(TABLE, SCORES, gain=gain)
    assert found.ndcg == f"ndcg(gain={gain})@4"


@pytest.mark.parametrize(
    "options",
    [
        {"horizon": 1},
        {"lag": 2},
        {"levels": 3},
        {"levels": "rank"},
        {"thresholds": [-0.02, 0.0, 0.02]},
        {"excess": "mean"},
        {"excess": "T11"},
        {"stopped": "last"},
        {"stopped": -0.3},
        {"gaps": "drop"},
        {"ties": "max"},
    ],
)
def test_grades_are_made_as_asked(options: dict[str, Any]) -> None:
    prices = PRICES.copy()
    prices.loc[prices.index[20:], "T03"] = math.nan
    prices.loc[prices.index[[7, 8, 30]], "T05"] = math.nan
    same_as_evaluate(pl.from_pandas(prices.reset_index(), nan_to_null=True), SCORES, **options)


def test_grades_may_be_made_within_groups() -> None:
    table = long(PRICES, "close")
    table["sector"] = np.where(table["ticker"] < "T05", "banks", "oil")
    found = same_as_evaluate(table, SCORES, group="sector")
    assert "sector" in str(found.audit)
    assert found.per_date["rank_ic"] == FOUND.per_date["rank_ic"]
    assert found.per_date["ndcg@4"] != FOUND.per_date["ndcg@4"]


def test_stocks_without_a_score_count_in_the_ideal() -> None:
    found = same_as_evaluate(TABLE, SCORES.drop(columns=["T00", "T01", "T02"]))
    assert set(found.per_date["n"]) == {9}


def test_a_stock_that_stopped_may_be_sold() -> None:
    prices = framed([[10.0, 10.0, 10.0], [8.0, 11.0, 10.0], [math.nan, 12.0, 10.0], [math.nan, 12.0, 10.0]])
    scores = framed([[3.0, 2.0, 1.0]])
    options: dict[str, Any] = {"k": 1, "horizon": 2, "levels": 2}
    assert study(prices, scores, **options).per_date["top_return"] == [pytest.approx(0.2)]
    assert study(prices, scores, stopped="last", **options).per_date["top_return"] == [pytest.approx(-0.2)]
    assert study(prices, scores, stopped=-0.5, **options).per_date["top_return"] == [pytest.approx(-0.6)]


def test_a_perfect_forecast_has_ndcg_1_on_every_date() -> None:
    found = study(PRICES, forward(PRICES, 5), k=4)
    assert found.per_date["ndcg@4"] == pytest.approx([1.0] * 35)
    assert found.per_date["corrected_ndcg@4"] == pytest.approx([1.0] * 35)
    assert found.per_date["rank_ic"] == pytest.approx([1.0] * 35)
    assert found.per_date["ic"] == pytest.approx([1.0] * 35)
    assert found["spread"].share == 1.0
    worst = study(PRICES, -forward(PRICES, 5), k=4)
    assert worst.per_date["rank_ic"] == pytest.approx([-1.0] * 35)
    assert worst["corrected_ndcg@4"].mean < -0.9


def test_scores_that_know_nothing_are_near_chance() -> None:
    prices = wandering(days=800, stocks=20, seed=11)
    found = study(prices, noise(prices, seed=12), k=4)
    for measure in ("ndcg@4", "corrected_ndcg@4", "rank_ic", "ic", "top_return", "spread", "hit_rate"):
        values, chance = found.per_date[measure], found.chances[measure]
        above = [value - base for value, base in zip(values, chance, strict=True)]
        assert abs(np.mean(above)) < 4 * newey_west_error(above, found.care.lag), measure
        row = found[measure]
        assert row.low < row.chance < row.high, measure
    assert found["ndcg@4"].chance == pytest.approx(0.5, abs=0.001)
    assert found["ndcg@4"].share == pytest.approx(0.5, abs=0.06)
    assert found["corrected_ndcg@4"].mean == pytest.approx(0.0, abs=0.05)
    assert found["hit_rate"].mean == pytest.approx(found["hit_rate"].chance, abs=0.03)
    assert found["turnover"].mean == pytest.approx(0.8, abs=0.03)


def test_equal_scores_are_worth_what_chance_is_if_they_share_their_gains() -> None:
    found = study(PRICES, SCORES * 0, k=4, convention="sklearn")
    assert found.per_date["ndcg@4"] == pytest.approx(found.per_date["random_ndcg@4"])


def test_a_measure_is_summed_up_over_the_dates() -> None:
    lag, block = FOUND.care.lag, FOUND.care.block
    assert (lag, block) == (8, 10)
    for measure, chance in FOUND.chances.items():
        row, values = FOUND[measure], known(FOUND.per_date[measure])
        assert row.days == len(values) == (34 if measure == "turnover" else 35)
        assert row.mean == pytest.approx(np.mean(values))
        assert row.median == median(values)
        assert (row.low, row.high) == block_interval(values, block)
        if measure == "turnover":
            assert math.isnan(row.chance)
            continue
        above = [value - base for value, base in zip(values, chance, strict=True)]
        assert row.chance == pytest.approx(np.mean(chance))
        assert row.t == pytest.approx(hac_t(above, lag), rel=1e-9)
        assert row.effective == effective_number(above, lag)


def test_chance_is_what_a_random_order_has() -> None:
    earned = forward(PRICES, 5).iloc[:35]
    universe = earned.mean(axis="columns")
    assert FOUND.chances["ndcg@4"] == FOUND.per_date["random_ndcg@4"]
    assert FOUND.chances["top_return"] == pytest.approx(universe.tolist())
    assert FOUND.chances["hit_rate"] == pytest.approx(earned.gt(universe, axis="index").mean(axis="columns").tolist())
    assert all(set(FOUND.chances[name]) == {0.0} for name in ("corrected_ndcg@4", "rank_ic", "ic", "spread"))


def test_the_best_of_no_more_stocks_than_k_are_all_stocks() -> None:
    prices = wandering(days=100, stocks=100)
    row = study(prices, noise(prices), k=100)["top_return"]
    assert row.mean == pytest.approx(row.chance)
    assert row.share == 0.0
    assert math.isnan(row.t)


def test_the_dates_of_the_scores_say_how_much_returns_overlap() -> None:
    prices = wandering(days=60)
    scores = noise(prices)
    assert study(prices, scores, k=4).care.overlap == 4
    assert study(prices, scores.iloc[::5], k=4).care.overlap == 0
    assert study(prices, scores.iloc[::2], k=4).care.overlap == 2
    assert study(prices, scores, k=4, horizon=1).care.overlap == 0
    prices = wandering(days=120)
    assert "no two dates share returns" in str(study(prices, noise(prices).iloc[::5], k=4))


def test_too_few_dates_are_warned_of() -> None:
    short, enough = study(PRICES, SCORES.iloc[:20], k=4), study(PRICES, SCORES.iloc[:30], k=4)
    assert any(remark.startswith("warning: 20 dates cannot tell whether the model is") for remark in short.remarks())
    assert not any(remark.startswith("warning") for remark in enough.remarks())


def test_too_few_dates_give_no_interval_and_no_t() -> None:
    found = study(PRICES, SCORES.iloc[:10], k=4)
    assert len(found.per_date) == 10
    assert math.isnan(found["ndcg@4"].low)
    assert math.isnan(found["ndcg@4"].t)
    assert any(remark.startswith("warning") for remark in found.remarks())


def test_one_date_is_a_study_too() -> None:
    found = study(PRICES, SCORES.iloc[:1], k=4)
    assert len(found.per_date) == 1
    assert found["ndcg@4"].days == 1
    assert found["turnover"].days == 0
    assert math.isnan(found["ndcg@4"].t)
    assert "2020-01-01" in str(found)
    assert found._repr_html_()
    assert json.loads(found.to_json(per_date=True))["dates"] == 1
    assert "warning" in str(found)


def test_a_column_without_a_number_is_a_column_of_numbers() -> None:
    per_date = study(PRICES, SCORES.iloc[:1], k=4).per_date
    assert per_date.to_pandas()["turnover"].dtype == np.float64
    assert per_date.to_polars()["turnover"].dtype == pl.Float64
    assert pl.DataFrame(per_date)["turnover"].dtype == pl.Float64


def test_constant_scores_have_no_correlation() -> None:
    flat = SCORES.copy()
    flat.iloc[[2, 3, 20]] = 1.0
    found = study(PRICES, flat, k=4)
    assert [at for at, value in enumerate(found.per_date["rank_ic"]) if math.isnan(value)] == [2, 3, 20]
    assert [at for at, value in enumerate(found.per_date["ic"]) if math.isnan(value)] == [2, 3, 20]
    assert (found["rank_ic"].days, found["ic"].days, found["ndcg@4"].days) == (32, 32, 35)
    assert found["rank_ic"].mean == pytest.approx(np.mean(known(found.per_date["rank_ic"])))
    assert any(note.startswith("ties: 3 dates") for note in found.notes)
    assert study(PRICES, SCORES * 0, k=4)["rank_ic"].days == 0


def test_notes_count_what_has_no_counterpart() -> None:
    prices = PRICES.copy()
    prices.loc[prices.index[20:], "T03"] = math.nan
    notes = study(prices, SCORES.iloc[10:], k=4).notes
    counts = {note.split(":")[0]: note for note in notes}
    assert "360 rows" in counts["scores"]
    # T03 stops on the 20th date: scores of its last five, and of those after, up to the last graded date.
    assert "20 scores" in counts["no return"]
    assert "5 dates" in counts["no grades"]
    assert "10 dates" in counts["no scores"]


@pytest.mark.parametrize("kind", ["long", "polars", "polars long", "csv", "duckdb"])
def test_prices_and_scores_may_come_from_anywhere(kind: str, tmp_path: Path) -> None:
    import duckdb

    prices, scores = long(PRICES, "close"), long(SCORES, "score")
    prices.to_csv(tmp_path / "prices.csv", index=False)
    scores.to_csv(tmp_path / "scores.csv", index=False)
    given: tuple[Any, Any] = {
        "long": (prices, scores),
        "polars": (pl.from_pandas(PRICES.reset_index()), SCORES),
        "polars long": (pl.from_pandas(prices), tmp_path / "scores.csv"),
        "csv": (tmp_path / "prices.csv", pl.from_pandas(scores)),
        "duckdb": (duckdb.from_arrow(pl.from_pandas(prices).to_arrow()), SCORES),
    }[kind]
    found = study(*given, k=4)
    assert found.per_date["date"] == FOUND.per_date["date"]
    for measure in ("ndcg@4", *MEASURES):
        assert found.per_date[measure] == pytest.approx(FOUND.per_date[measure], abs=1e-12, nan_ok=True)


def test_columns_of_both_tables_may_have_any_name() -> None:
    prices = long(PRICES, "close").rename(columns={"date": "d", "ticker": "t", "close": "c"})
    scores = long(SCORES, "score").rename(columns={"date": "a", "ticker": "b", "score": "z"})
    found = study(
        prices,
        scores,
        k=4,
        columns_prices={"date": "d", "ticker": "t", "close": "c"},
        columns_scores={"date": "a", "ticker": "b", "score": "z"},
    )
    assert found.per_date["ndcg@4"] == FOUND.per_date["ndcg@4"]


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ({"k": 0}, "bad-number"),
        ({"k": 2.5}, "bad-number"),
        ({"seed": -1}, "bad-number"),
        ({"levels": 1}, "bad-number"),
        ({"stopped": -2}, "bad-number"),
        ({"gaps": "fill"}, "unknown-choice"),
        ({"gain": "cubic"}, "unknown-choice"),
        ({"convention": "nobody"}, "unknown-convention"),
        ({"group": "sector"}, "no-such-column"),
        ({"excess": "SPX"}, "no-such-column"),
    ],
)
def test_options_are_checked(option: dict[str, Any], code: str) -> None:
    with pytest.raises(RankgaugeError) as caught:
        study(TABLE, SCORES, **option)
    assert caught.value.code == code


def test_years_are_summed_up_one_by_one() -> None:
    prices = wandering(days=300)
    found = study(prices, noise(prices), k=4)
    frame = found.per_date.to_pandas().assign(chance=found.chances["ndcg@4"])
    table = found.by_year()
    assert table.headers == ["year", "days", "ndcg@4", "chance", "t", "rank_ic", "top_return", "spread"]
    assert [row[0] for row in table.rows] == ["2020", "2021"]
    for row in table.rows:
        part = frame[frame["date"].str.startswith(str(row[0]))]
        assert row[1] == len(part)
        assert row[2:4] == pytest.approx([part["ndcg@4"].mean(), part["chance"].mean()])
        assert row[4] == pytest.approx(hac_t((part["ndcg@4"] - part["chance"]).tolist(), found.care.lag))
        assert row[5:] == pytest.approx([part[name].mean() for name in ("rank_ic", "top_return", "spread")])


@pytest.mark.parametrize("excess", [None, "mean"])
def test_markets_that_rose_and_that_fell_are_summed_up(excess: str | None) -> None:
    """Whether the market rose is a matter of returns as they were traded, in excess or not."""
    found = study(PRICES, SCORES, k=4, excess=excess)
    rose = forward(PRICES, 5).iloc[:35].mean(axis="columns") > 0
    assert list(found.rose) == rose.tolist()
    table = found.by_market()
    assert [row[:2] for row in table.rows] == [["up", rose.sum()], ["down", (~rose).sum()]]
    values = np.array(found.per_date["rank_ic"])
    assert [row[5] for row in table.rows] == pytest.approx([values[rose].mean(), values[~rose].mean()])


def test_a_market_that_only_rises_has_no_days_down() -> None:
    prices = framed([[100.0 + day * (1 + stock) for stock in range(6)] for day in range(12)])
    up, down = study(prices, noise(prices), k=2).by_market().rows
    assert (up[1], down[1]) == (7, 0)
    assert set(down[2:]) == {None}


def test_the_best_and_the_worst_dates_are_those_furthest_from_chance() -> None:
    frame = FOUND.per_date.to_pandas()
    above = (frame["ndcg@4"] - frame["random_ndcg@4"]).sort_values(kind="stable")
    for days in (1, 3, 35, 100):
        assert [row[0] for row in FOUND.worst(days).rows] == frame["date"][above.index[:days]].tolist()
        assert [row[2] for row in FOUND.best(days).rows] == frame["ndcg@4"][above.index[::-1][:days]].tolist()
    assert FOUND.best().headers[:3] == ["best", "n", "ndcg@4"]
    assert FOUND.worst().headers[:3] == ["worst", "n", "ndcg@4"]
    assert len(FOUND.best().rows) == len(FOUND.worst().rows) == 3


def test_of_dates_alike_the_first_is_shown() -> None:
    prices = framed([[100.0 + day * (1 + stock) for stock in range(6)] for day in range(12)])
    scores = pd.DataFrame([range(6)] * 12, index=prices.index, columns=prices.columns)
    found = study(prices, scores, k=2)
    first = list(found.per_date["date"][:3])
    assert [row[0] for row in found.best().rows] == [row[0] for row in found.worst().rows] == first


def test_dates_can_be_taken_away() -> None:
    names = ["date", "n", "ndcg@4", "random_ndcg@4", "corrected_ndcg@4", *MEASURES]
    frame = FOUND.per_date.to_pandas()
    assert list(frame) == names
    assert len(frame) == len(FOUND.per_date) == 35
    for name in names[1:]:
        expected = list(FOUND.per_date[name])
        assert frame[name].tolist() == pytest.approx(expected, nan_ok=True)
        for table in (FOUND.per_date.to_polars(), pl.DataFrame(FOUND.per_date)):
            assert table.columns == names
            assert table[name].cast(pl.Float64).fill_null(math.nan).to_list() == pytest.approx(expected, nan_ok=True)
    assert pl.DataFrame(FOUND.per_date)["date"].to_list() == list(FOUND.per_date["date"])
    assert FOUND.per_date.to_polars()["turnover"].null_count() == 1
    assert FOUND.per_date["date"] == [text_of(date) for date in PRICES.index[:35]]
    assert "2020-01-01" in repr(FOUND.per_date)
    assert "<td>2020-01-01</td>" in FOUND.per_date._repr_html_()


def refuse(constant: str) -> None:
    raise AssertionError(constant)


def test_json_has_all_of_it_and_no_nan() -> None:
    values = json.loads(FOUND.to_json(per_date=True), parse_constant=refuse)
    assert (values["convention"], values["k"], values["horizon"]) == ("trec_eval(unjudged=drop)", 4, 5)
    assert values["dates"] == 35
    assert values["measures"].keys() == FOUND.chances.keys()
    assert values["measures"]["ndcg@4"] == FOUND["ndcg@4"]._asdict()
    assert values["measures"]["turnover"]["chance"] is None
    assert values["care"] == FOUND.care._asdict()
    assert [row["year"] for row in values["by_year"]] == ["2020"]
    assert [row["market"] for row in values["by_market"]] == ["up", "down"]
    assert values["best"][0]["ndcg@4"] == max(FOUND.per_date["ndcg@4"])
    assert values["worst"][0]["ndcg@4"] == min(FOUND.per_date["ndcg@4"])
    assert values["audit"]["rows"] == 480
    assert values["notes"] == list(FOUND.notes)
    assert values["per_date"]["turnover"][0] is None
    assert values["per_date"]["ndcg@4"] == list(FOUND.per_date["ndcg@4"])
    assert "per_date" not in json.loads(FOUND.to_json(), parse_constant=refuse)


def test_a_study_is_printed_in_parts() -> None:
    text = str(FOUND)
    assert repr(FOUND) == text
    tables = [FOUND.table(), FOUND.by_market(), FOUND.by_year(), FOUND.best(), FOUND.worst()]
    assert all(table.to_text() in text for table in tables)
    assert all(remark in text for remark in FOUND.remarks())
    assert "nan" not in text
    assert all(line in text for line in ("4 later dates share returns", "lag 8", "blocks of 10 dates"))
    with_dates = FOUND.parts(per_date=True)
    assert with_dates[0] == FOUND.per_date.table()
    assert with_dates[2:] == FOUND.parts()
    assert [row[0] for row in FOUND.table().rows] == list(FOUND.chances)


def test_html_shows_the_same_and_escapes_it() -> None:
    assert FOUND._repr_html_().count("<table>") == 5
    dates = [f"{text_of(date)} <b>&" for date in PRICES.index]
    found = study(PRICES.set_axis(dates).rename_axis("date"), SCORES.set_axis(dates).rename_axis("date"), k=4)
    html = found._repr_html_()
    assert "2020-01-01 &lt;b&gt;&amp;" in found.per_date._repr_html_()
    assert "&lt;b&gt;&amp;</td>" in html
    assert "<b>" not in html


def test_the_same_seed_gives_the_same_json() -> None:
    assert study(PRICES, SCORES, k=4).to_json(per_date=True) == FOUND.to_json(per_date=True)
    other = study(PRICES, SCORES, k=4, seed=1)
    assert other["ndcg@4"].low != FOUND["ndcg@4"].low
    assert other["ndcg@4"].t == FOUND["ndcg@4"].t
    assert other.care.seed == 1


@pytest.mark.parametrize("excess", [None, "mean"])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_order_of_the_rows_does_not_matter(excess: str | None, library: str) -> None:
    scores = SCORES.round(1)
    tables = [long(PRICES, "close"), long(scores, "score")]
    shuffled: list[Any] = [table.sample(frac=1.0, random_state=5) for table in tables]
    if library == "polars":
        shuffled = [pl.from_pandas(table) for table in shuffled]
    expected = study(*tables, k=4, excess=excess).to_json(per_date=True)
    assert study(*shuffled, k=4, excess=excess).to_json(per_date=True) == expected


@pytest.mark.parametrize("first", ["rg.stocks.study", "rg.stocks.Study", "rg.grading.Split"])
def test_functions_keep_their_names_whatever_is_loaded_first(first: str) -> None:
    """A file of the name of a function must not take its place when it is loaded for another reason."""
    asked = "assert all(map(callable, (rg.stocks.study, rg.grading.returns, rg.grading.holdout)))"
    subprocess.run([sys.executable, "-c", f"import rankgauge as rg\n{first}\n{asked}"], check=True)


def test_momentum_of_real_prices() -> None:
    prices = load_sp500_dataset()
    momentum = prices.pct_change(252).dropna()
    found = study(prices, momentum, k=4, horizon=20)
    assert prices.shape == (8313, 20)
    assert len(found.per_date) == 8313 - 252 - 20
    assert set(found.per_date["n"]) == {20}
    assert (found.per_date["date"][0], found.per_date["date"][-1]) == ("1990-12-31", "2022-11-29")
    earned = np.sort(forward(prices, 20).iloc[252:-20].to_numpy(), axis=1)
    distinct = (np.diff(earned, axis=1) > 0).all(axis=1)
    random = np.array(found.per_date["random_ndcg@4"])
    assert distinct.sum() > 7900
    assert random[distinct] == pytest.approx(0.5)
    assert random == pytest.approx(0.5, abs=0.03)
    assert found.care[:3] == (19, 38, 40)
    audit = found.audit
    assert (audit.rows, audit.kept) == (8313 * 20, (8313 - 20) * 20)
    assert audit.dropped["the horizon ends after the last date"] == 400
    assert {note.split(":")[0] for note in found.notes} >= {"scores", "no grades", "no scores"}
    row = found["ndcg@4"]
    assert row.low < row.mean < row.high
    assert 100 < row.effective < 2000
    assert np.mean(known(found.per_date["turnover"])) < 0.1
    years = found.by_year().rows
    assert [row[0] for row in years] == [str(year) for year in range(1990, 2023)]
    assert sum(int(str(row[1])) for row in years) == len(found.per_date)


def test_every_column_of_numbers_is_a_measure_and_nothing_else() -> None:
    found = study(PRICES, SCORES, k=4)
    assert found["universe_return"].days == len(found.per_date)
    with pytest.raises(RankgaugeError, match="did you mean 'ndcg@4'"):
        found["ndcg"]


def test_days_that_are_counted_have_no_years() -> None:
    days = pd.Index(range(len(PRICES)), name="date")
    found = study(PRICES.set_axis(days), SCORES.set_axis(days[: len(SCORES)]), k=4)
    assert found.by_year().rows == []
    assert "year" not in str(found)


def test_small_parts_have_no_t() -> None:
    prices = wandering(days=270)
    table = study(prices, noise(prices), k=4).by_year()
    assert [(row[1], row[4] is None) for row in table.rows] == [(262, False), (3, True)]


def test_tables_are_shown_in_notebooks() -> None:
    table = study(PRICES, SCORES, k=4).by_market()
    assert str(table).startswith("market")
    assert table._repr_html_().startswith("<table>")
