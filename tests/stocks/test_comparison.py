from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.remarks import lines
from tests.stocks.market import forward, known, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.dates import mean_over_dates
from rankgauge.statistics.timeseries import effective_number
from rankgauge.stocks.comparison import Comparison
from rankgauge.stocks.study import Study, study

PRICES = wandering(days=80)
KNOWING = forward(PRICES, 5).fillna(0.0) + 0.1 * noise(PRICES)
GUESSING = noise(PRICES, seed=3)
TABLE = pl.from_pandas(PRICES.reset_index())


def study_of(scores: Any = KNOWING, **options: Any) -> Study:
    return study(TABLE, scores, **{"k": 4, **options})


@cache
def known_study() -> Study:
    return study_of()


@cache
def guessed_study() -> Study:
    return study_of(GUESSING)


def differences(first: Study, second: Study, measure: str) -> list[float]:
    theirs = dict(zip(second.per_date["date"], second.per_date[measure], strict=True))
    pairs = zip(first.per_date["date"], first.per_date[measure], strict=True)
    return known(value - theirs[date] for date, value in pairs if date in theirs)


def test_compare_two_models_summarises_differences_by_date() -> None:
    first, second = known_study(), guessed_study()
    found = first.compare(second)
    assert list(found.measures) == list(first.chances)
    assert (found.dates, found.left_out, found.horizon, found.care) == (75, (0, 0), 5, first.care)
    for measure, (own, other, _) in found.measures.items():
        apart = differences(first, second, measure)
        row = found[measure]
        assert own == pytest.approx(first[measure].mean)
        assert other == pytest.approx(second[measure].mean)
        assert row.days == len(apart)
        assert row.mean == pytest.approx(np.mean(apart)) == pytest.approx(own - other)
        expected = mean_over_dates(apart, 5)
        assert (row.above, row.t, row.p) == pytest.approx((expected.mean, expected.t, expected.p))
        assert row.share == np.mean([value > 0 for value in apart])
        assert (row.low, row.high) == pytest.approx((expected.low, expected.high))
        assert row.effective == effective_number(apart, 8)
    assert found["rank_ic"].t > 2


def test_compare_with_different_dates_uses_common_ones() -> None:
    first, second = study_of(KNOWING.iloc[:65]), study_of(GUESSING.iloc[10:])
    found = first.compare(second)
    assert (found.dates, found.left_out) == (55, (10, 10))
    apart = differences(first, second, "rank_ic")
    assert len(apart) == 55
    assert found["rank_ic"].mean == pytest.approx(np.mean(apart))
    assert found["rank_ic"].t == pytest.approx(mean_over_dates(apart, 5).t)
    assert "10 only this has" in str(found)
    assert "10 only other has" in str(found)


def test_compare_weekly_with_daily_uses_the_settings_of_weeks() -> None:
    daily, weekly = known_study(), study_of(GUESSING.iloc[::5])
    assert daily.compare(weekly).care == weekly.compare(daily).care == weekly.care
    assert weekly.care.overlap == 0


def test_compare_missing_value_leaves_out_the_date() -> None:
    flat = GUESSING.copy()
    flat.iloc[10:15] = 1.0
    found = known_study().compare(study_of(flat))
    own, other, row = found.measures["rank_ic"]
    assert (row.days, found["ndcg@4"].days) == (70, 75)
    assert row.mean == pytest.approx(own - other)
    flat.iloc[:] = 1.0
    own, other, row = known_study().compare(study_of(flat)).measures["rank_ic"]
    assert row.days == 0
    assert math.isnan(own)
    assert math.isnan(other)


def test_compare_swapped_models_changes_signs() -> None:
    first, second = known_study(), guessed_study()
    there, back = first.compare(second), second.compare(first)
    for measure in first.chances:
        assert there[measure].mean == pytest.approx(-back[measure].mean)
        assert there[measure].t == pytest.approx(-back[measure].t)


def test_compare_a_model_with_itself_is_zero() -> None:
    found = known_study().compare(known_study())
    assert all(row.mean == 0 and row.share == 0 and math.isnan(row.t) for _, _, row in found.measures.values())


@pytest.mark.parametrize(
    "options",
    [
        {"k": 3},
        {"horizon": 4},
        {"convention": "sklearn"},
        {"gain": "exp2"},
        {"levels": 3},
        {"thresholds": [0.0]},
        {"lag": 1},
        {"excess": "mean"},
    ],
)
def test_compare_different_options_raises(options: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError) as caught:
        known_study().compare(study_of(GUESSING, **options))
    assert caught.value.code == "different-studies"


def test_compare_without_common_dates_raises() -> None:
    with pytest.raises(RankgaugeError, match="none in common: 2020-01-01") as caught:
        study_of(KNOWING.iloc[:10]).compare(study_of(GUESSING.iloc[10:]))
    assert caught.value.code == "different-studies"


def test_compare_few_dates_warns() -> None:
    found = study_of(KNOWING.iloc[:20]).compare(study_of(GUESSING.iloc[18:]))
    assert found.dates == 2
    assert lines(found.remarks, "few-dates")
    assert math.isnan(found["rank_ic"].low)
    assert not lines(known_study().compare(known_study()).remarks, "few-dates")


def named(names: tuple[str, str] = ("model", "<b>old</b>")) -> Comparison:
    return known_study().compare(guessed_study(), names=names)


def test_comparison_printed_has_both_names() -> None:
    found = named()
    table = found.table()
    assert table.headers[:4] == ["measure", "model", "<b>old</b>", "model − <b>old</b>"]
    assert [row[0] for row in table.rows] == list(found.measures)
    for row in table.rows:
        own, other, difference = found.measures[str(row[0])]
        assert row[1:6] == [own, other, difference.mean, difference.low, difference.high]
        assert row[6:9] == [difference.t, difference.p, difference.share]
    assert repr(found) == str(found)
    assert table.to_text() in str(found)
    assert "75 that both have" in str(found)


def test_comparison_html_escapes_names() -> None:
    html = named()._repr_html_()
    assert html.count("<table>") == 1
    assert "&lt;b&gt;old&lt;/b&gt;" in html
    assert "<b>" not in html


def test_comparison_json_is_complete_without_nan() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found = known_study().compare(study_of(KNOWING.iloc[:30]), names=("a", "b"))
    values = json.loads(found.to_json(), parse_constant=refuse)
    assert (values["names"], values["dates"], values["left_out"]) == (["a", "b"], 30, [45, 0])
    assert values["measures"]["rank_ic"]["difference"]["t"] is None
    assert values["measures"]["rank_ic"]["means"] == list(found.measures["rank_ic"][:2])
    assert values["care"] == found.care._asdict()
    assert found.to_dict()["measures"].keys() == found.measures.keys()


def test_compare_different_stocks_subtracts_chance() -> None:
    """Two models that know nothing, of which one ranks fewer stocks: NDCG differs, skill does not."""
    prices = wandering(days=120, stocks=30)
    scores = noise(prices)
    few, all_of_them = study(prices, scores.iloc[:, :12], k=10), study(prices, scores, k=10)
    found = few.compare(all_of_them)
    assert found.unlike > 0.8 * found.dates
    assert lines(found.remarks, "chance")[0].startswith("chance: differs")
    row, first, second = found["ndcg@10"], few["ndcg@10"], all_of_them["ndcg@10"]
    assert row.mean == pytest.approx((first.mean - first.chance) - (second.mean - second.chance))
    assert abs(row.t) < 4


def test_compare_with_skipped_dates_leaves_out_turnover() -> None:
    prices = wandering(days=60, stocks=12)
    daily, weekly = study(prices, noise(prices), k=3), study(prices, noise(prices).iloc[::5], k=3)
    assert "turnover" not in daily.compare(weekly).measures
    assert "turnover" in daily.compare(study(prices, noise(prices).iloc[10:], k=3)).measures


def test_compare_with_something_else_raises() -> None:
    prices = wandering(days=40, stocks=12)
    with pytest.raises(RankgaugeError, match="a study and a DataFrame") as caught:
        study(prices, noise(prices), k=3).compare(prices)  # type: ignore[arg-type]
    assert caught.value.code == "different-studies"


def test_compare_of_other_prices_raises() -> None:
    prices = wandering(days=40)
    scores = noise(prices)
    adjusted = prices.copy()
    adjusted.iloc[:20, 0] *= 0.98  # a dividend
    first, second = study(prices, scores, k=3), study(adjusted, scores, k=3)
    with pytest.raises(RankgaugeError, match=r"same kind, got prices with mean returns of .* on 2020-01-22") as caught:
        first.compare(second)
    assert caught.value.code == "different-studies"
    with pytest.raises(RankgaugeError, match="got prices of 12 stocks and 11 stocks on 2020-01-01"):
        first.compare(study(prices.drop(columns="T03"), scores, k=3))


def test_compare_of_the_same_prices_over_other_dates_is_made() -> None:
    prices = wandering(days=60)
    scores = noise(prices)
    compared = study(prices, scores, k=3).compare(study(prices.iloc[10:50], noise(prices, seed=5), k=3, max_loss=0.5))
    assert compared.dates == 35


def test_compare_keeps_the_severe_remarks_of_both() -> None:
    prices = wandering(days=40)
    leaked = prices.shift(-5) / prices - 1
    compared = study(prices, leaked.dropna(), k=3).compare(study(prices, noise(prices), k=3))
    assert lines(compared.remarks, "leak")
