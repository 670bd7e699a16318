from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from skfolio.datasets import load_sp500_dataset
from tests.remarks import lines
from tests.stocks.market import MEASURES, forward, framed, known, long, noise, wandering

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.returns import returns
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.stocks.study import Study, study

PRICES = wandering(days=40)
SCORES = noise(PRICES)
STUDY = study(PRICES, SCORES, k=4)
TABLE = pl.from_pandas(PRICES.reset_index())


def same_as_evaluate(prices: Any, scores: pd.DataFrame, *, gain: str | None = None, **options: Any) -> Study:
    """Study, and compare the measures of gains with those of an evaluation of the graded prices."""
    convention = options.pop("convention", "trec_eval")
    result = study(prices, scores, k=4, gain=gain, convention=convention, **options)
    terms = f"(gain={gain})" if gain else ""
    names = [f"{name}{terms}@4" for name in ("ndcg", "random_ndcg", "corrected_ndcg")]
    evaluated = rg.evaluate(
        returns(prices, **options), long(scores, "score"), names, convention=convention, unjudged="drop"
    )
    assert [str(measure) for measure in evaluated.measures] == names
    for name in names:
        of_dates = evaluated.per_query[name]
        assert list(result.per_date[name]) == [of_dates[date] for date in result.per_date["date"]]
    return result


@pytest.mark.parametrize(
    ("convention", "digits"),
    [
        *[("trec_eval", 9), ("textbook", 9), ("burges", 9), ("sklearn", 9), ("gdeval", 9), ("rectools", 9)],
        *[("trec_eval", 0), ("sklearn", 0), ("lightgbm", 0), ("xgboost", 0), ("catboost", 0)],
    ],
)
def test_study_ndcg_equals_evaluate(convention: str, digits: int) -> None:
    """Scores without digits are often equal, and conventions differ in what that is worth."""
    result = same_as_evaluate(TABLE, SCORES.round(digits), convention=convention)
    assert str(result.convention) == f"{convention}(unjudged=drop)"
    assert len(result.per_date) == 35


@pytest.mark.parametrize("gain", ["exp2", "binary", "linear"])
def test_study_with_gain_uses_it(gain: str) -> None:
    result = same_as_evaluate(TABLE, SCORES, gain=gain)
    assert result.ndcg == f"ndcg(gain={gain})@4"


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
def test_study_with_options_grades_as_returns(options: dict[str, Any]) -> None:
    prices = PRICES.copy()
    prices.loc[prices.index[20:], "T03"] = math.nan
    prices.loc[prices.index[[7, 8, 30]], "T05"] = math.nan
    same_as_evaluate(pl.from_pandas(prices.reset_index(), nan_to_null=True), SCORES, **options)


def test_study_stocks_without_score_count_in_the_ideal() -> None:
    result = same_as_evaluate(TABLE, SCORES.drop(columns=["T00", "T01", "T02"]))
    assert set(result.per_date["n"]) == {9}


def test_study_stopped_stock_is_sold() -> None:
    prices = framed([[10.0, 10.0, 10.0], [8.0, 11.0, 10.0], [math.nan, 12.0, 10.0], [math.nan, 12.0, 10.0]])
    scores = framed([[3.0, 2.0, 1.0]])
    options: dict[str, Any] = {"k": 1, "horizon": 2, "levels": 2}
    assert study(prices, scores, **options).per_date["top_return"] == [pytest.approx(0.2)]
    assert study(prices, scores, stopped="last", **options).per_date["top_return"] == [pytest.approx(-0.2)]
    assert study(prices, scores, stopped=-0.5, **options).per_date["top_return"] == [pytest.approx(-0.6)]


def test_study_of_perfect_scores_has_ndcg_1() -> None:
    result = study(PRICES, forward(PRICES, 5), k=4)
    assert result.per_date["ndcg@4"] == pytest.approx([1.0] * 35)
    assert result.per_date["corrected_ndcg@4"] == pytest.approx([1.0] * 35)
    assert result.per_date["rank_ic"] == pytest.approx([1.0] * 35)
    assert result.per_date["ic"] == pytest.approx([1.0] * 35)
    assert result["spread"].share == 1.0
    worst = study(PRICES, -forward(PRICES, 5), k=4)
    assert worst.per_date["rank_ic"] == pytest.approx([-1.0] * 35)
    assert worst["corrected_ndcg@4"].mean < -0.9


def test_study_of_random_scores_is_near_chance() -> None:
    prices = wandering(days=800, stocks=20, seed=11)
    result = study(prices, noise(prices, seed=12), k=4)
    for measure in ("ndcg@4", "corrected_ndcg@4", "rank_ic", "ic", "top_return", "spread", "hit_rate"):
        values, chance = result.per_date[measure], result.chances[measure]
        above = [value - base for value, base in zip(values, chance, strict=True)]
        assert abs(np.mean(above)) < 4 * mean_over_dates(above, 5).error, measure
        row = result[measure]
        assert row.low < 0.0 < row.high, measure
    assert result["ndcg@4"].chance == pytest.approx(0.5, abs=0.001)
    assert result["ndcg@4"].share == pytest.approx(0.5, abs=0.06)
    assert result["corrected_ndcg@4"].mean == pytest.approx(0.0, abs=0.05)
    assert result["hit_rate"].mean == pytest.approx(result["hit_rate"].chance, abs=0.03)
    assert result["turnover"].mean == pytest.approx(0.8, abs=0.03)


def test_study_of_equal_scores_under_average_ties_equals_chance() -> None:
    result = study(PRICES, SCORES * 0, k=4, convention="sklearn")
    assert result.per_date["ndcg@4"] == pytest.approx(result.per_date["random_ndcg@4"])


def test_study_chance_is_the_expected_value_of_a_random_order() -> None:
    earned = forward(PRICES, 5).iloc[:35]
    universe = earned.mean(axis="columns")
    assert STUDY.chances["ndcg@4"] == STUDY.per_date["random_ndcg@4"]
    assert STUDY.chances["top_return"] == pytest.approx(universe.tolist())
    assert STUDY.chances["hit_rate"] == pytest.approx(earned.gt(universe, axis="index").mean(axis="columns").tolist())
    assert all(set(STUDY.chances[name]) == {0.0} for name in ("corrected_ndcg@4", "rank_ic", "ic", "spread"))


def test_study_with_k_above_the_stocks_holds_all() -> None:
    prices = wandering(days=100, stocks=100)
    row = study(prices, noise(prices), k=100)["top_return"]
    assert row.mean == pytest.approx(row.chance)
    assert row.share == 0.0
    assert math.isnan(row.t)


def test_study_settings_follow_the_dates_of_the_scores() -> None:
    prices = wandering(days=60)
    scores = noise(prices)
    assert study(prices, scores, k=4).care.overlap == 4
    assert study(prices, scores.iloc[::5], k=4).care.overlap == 0
    assert study(prices, scores.iloc[::2], k=4).care.overlap == 2
    assert study(prices, scores, k=4, horizon=1).care.overlap == 0
    prices = wandering(days=120)
    assert "no two dates share returns" in str(study(prices, noise(prices).iloc[::5], k=4))


def test_study_of_few_dates_warns() -> None:
    prices = wandering(days=60)
    short, enough = (study(prices, noise(prices).iloc[:days], k=4) for days in (20, 50))
    assert lines(short.remarks, "few-dates")[0].startswith("few dates: 20 dates cannot tell whether the model is")
    assert not lines(enough.remarks, "few-dates")


def test_study_of_few_dates_has_no_interval_and_no_t() -> None:
    result = study(PRICES, SCORES.iloc[:10], k=4)
    assert len(result.per_date) == 10
    assert math.isnan(result["ndcg@4"].low)
    assert math.isnan(result["ndcg@4"].t)
    assert lines(result.remarks, "few-dates")


def test_study_of_one_date_has_values() -> None:
    result = study(PRICES, SCORES.iloc[:1], k=4)
    assert len(result.per_date) == 1
    assert result["ndcg@4"].days == 1
    assert result["turnover"].days == 0
    assert math.isnan(result["ndcg@4"].t)
    assert "2020-01-01" in str(result)
    assert result._repr_html_()
    assert json.loads(result.to_json(per_date=True))["dates"] == 1
    assert "few dates" in str(result)


def test_study_of_constant_scores_has_no_correlation() -> None:
    flat = SCORES.copy()
    flat.iloc[[2, 3, 20]] = 1.0
    result = study(PRICES, flat, k=4)
    assert [at for at, value in enumerate(result.per_date["rank_ic"]) if math.isnan(value)] == [2, 3, 20]
    assert [at for at, value in enumerate(result.per_date["ic"]) if math.isnan(value)] == [2, 3, 20]
    assert (result["rank_ic"].days, result["ic"].days, result["ndcg@4"].days) == (32, 32, 35)
    assert result["rank_ic"].mean == pytest.approx(np.mean(known(result.per_date["rank_ic"])))
    assert lines(result.remarks, "ties")[0].startswith("ties: 3 dates")
    assert study(PRICES, SCORES * 0, k=4)["rank_ic"].days == 0


def test_study_notes_count_rows_without_counterpart() -> None:
    prices = PRICES.copy()
    prices.loc[prices.index[20:], "T03"] = math.nan
    notes = lines(study(prices, SCORES.iloc[10:], k=4).remarks)
    counts = {note.split(":")[0]: note for note in notes}
    assert "360 rows" in counts["scores"]
    # T03 stops on the 20th date: scores of its last five, and of those after, up to the last graded date.
    assert "20 scores" in counts["no return"]
    assert "5 dates" in counts["no grades"]
    assert "10 dates" in counts["no scores"]


@pytest.mark.parametrize("kind", ["long", "polars", "polars long", "csv", "duckdb"])
def test_study_of_any_library_or_file_is_the_same(kind: str, tmp_path: Path) -> None:
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
    result = study(*given, k=4)
    assert result.per_date["date"] == STUDY.per_date["date"]
    for measure in ("ndcg@4", *MEASURES):
        assert result.per_date[measure] == pytest.approx(STUDY.per_date[measure], abs=1e-12, nan_ok=True)


def test_study_with_named_columns_finds_them() -> None:
    prices = long(PRICES, "close").rename(columns={"date": "d", "ticker": "t", "close": "c"})
    scores = long(SCORES, "score").rename(columns={"date": "a", "ticker": "b", "score": "z"})
    result = study(
        prices,
        scores,
        k=4,
        columns_prices={"date": "d", "ticker": "t", "close": "c"},
        columns_scores={"date": "a", "ticker": "b", "score": "z"},
    )
    assert result.per_date["ndcg@4"] == STUDY.per_date["ndcg@4"]


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
def test_study_invalid_option_raises(option: dict[str, Any], code: str) -> None:
    with pytest.raises(RankgaugeError) as caught:
        study(TABLE, SCORES, **option)
    assert caught.value.code == code


def test_study_with_any_seed_is_the_same() -> None:
    assert study(PRICES, SCORES, k=4).to_json(per_date=True) == STUDY.to_json(per_date=True)
    assert study(PRICES, SCORES, k=4, seed=1).to_json(per_date=True) == STUDY.to_json(per_date=True)


@pytest.mark.parametrize("excess", [None, "mean"])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_study_of_shuffled_rows_is_the_same(excess: str | None, library: str) -> None:
    scores = SCORES.round(1)
    tables = [long(PRICES, "close"), long(scores, "score")]
    shuffled: list[Any] = [table.sample(frac=1.0, random_state=5) for table in tables]
    if library == "polars":
        shuffled = [pl.from_pandas(table) for table in shuffled]
    expected = study(*tables, k=4, excess=excess).to_json(per_date=True)
    assert study(*shuffled, k=4, excess=excess).to_json(per_date=True) == expected


@pytest.mark.parametrize("first", ["rg.stocks.study", "rg.stocks.Study", "rg.grading.Split"])
def test_stocks_names_are_functions_whatever_is_imported_first(first: str) -> None:
    """A file of the name of a function must not take its place when it is loaded for another reason."""
    asked = "assert all(map(callable, (rg.stocks.study, rg.grading.returns, rg.grading.holdout)))"
    subprocess.run([sys.executable, "-c", f"import rankgauge as rg\n{first}\n{asked}"], check=True)


def test_study_of_momentum_on_real_prices_has_known_values() -> None:
    prices = load_sp500_dataset()
    momentum = prices.pct_change(252).dropna()
    result = study(prices, momentum, k=4, horizon=20)
    assert prices.shape == (8313, 20)
    assert len(result.per_date) == 8313 - 252 - 20
    assert set(result.per_date["n"]) == {20}
    assert (result.per_date["date"][0], result.per_date["date"][-1]) == ("1990-12-31", "2022-11-29")
    earned = np.sort(forward(prices, 20).iloc[252:-20].to_numpy(), axis=1)
    distinct = (np.diff(earned, axis=1) > 0).all(axis=1)
    random = np.array(result.per_date["random_ndcg@4"])
    assert distinct.sum() > 7900
    assert random[distinct] == pytest.approx(0.5)
    assert random == pytest.approx(0.5, abs=0.03)
    assert result.care.overlap == 19
    audit = result.audit
    assert (audit.rows, audit.kept) == (8313 * 20, (8313 - 20) * 20)
    assert audit.dropped["the horizon ends after the last date"] == 400
    assert {remark.code for remark in result.remarks} >= {"scores", "no-grades", "no-scores"}
    row = result["ndcg@4"]
    assert row.low < row.above < row.high
    assert 100 < row.effective < 2000
    assert np.mean(known(result.per_date["turnover"])) < 0.1
    years = result.by_year().rows
    assert [row[0] for row in years] == [str(year) for year in range(1990, 2023)]
    assert sum(int(str(row[1])) for row in years) == len(result.per_date)


def test_study_of_scores_made_of_the_returns_is_a_leak() -> None:
    leaked = (PRICES.shift(-5) / PRICES - 1).dropna()
    result = study(PRICES, leaked, k=4)
    (remark,) = (each for each in result.remarks if each.code == "leak")
    assert remark.severity == "severe"
    assert "rank_ic is 1.00 on average over 35 dates" in remark.text
    assert "rank_ic is -1.00" in str(study(PRICES, -leaked, k=4))
    assert not lines(STUDY.remarks, "leak")
    assert not lines(study(PRICES, leaked.iloc[:19], k=4).remarks, "leak")
    with pytest.raises(RankgaugeError, match=r"leak: rank_ic is 1\.00") as caught:
        study(PRICES, leaked, k=4, strict=True)
    assert caught.value.code == "severe-remark"
    assert study(PRICES, SCORES, k=4, strict=True).to_json() == STUDY.to_json()


def test_study_prints_its_audit_and_has_its_remarks() -> None:
    shown = str(STUDY)
    assert (
        "returns                                        rows\nrows in                                         480"
        in shown
    )
    assert set(STUDY.audit.remarks) <= set(STUDY.remarks)
    assert "universe: 12 stocks, 40 dates" in shown


def test_study_of_prices_with_a_split_says_so() -> None:
    split = PRICES.copy()
    split.iloc[20:, 2] /= 2
    assert lines(study(split, SCORES, k=4).remarks, "splits")


@pytest.mark.parametrize("option", [{"ignore": "SPY"}, {"benchmark": "SPY"}])
def test_study_without_an_index_leaves_it_out_of_both_tables(option: dict[str, Any]) -> None:
    market = wandering(days=40, stocks=1, seed=9)["T00"]
    result = study(PRICES.assign(SPY=market), SCORES.assign(SPY=1.0), k=4, max_loss=0.0, **option)
    assert set(result.per_date["n"]) == {12}
    assert result.per_date["rank_ic"] == pytest.approx(STUDY.per_date["rank_ic"])
    assert not lines(result.remarks, "index-like")
    assert lines(study(PRICES.assign(SPY=market), SCORES.assign(SPY=1.0), k=4).remarks, "index-like")
