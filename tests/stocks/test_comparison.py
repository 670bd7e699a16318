"""`study.compare`: two models on the dates that both have."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from tests.remarks import lines
from tests.stocks.market import noise, wandering
from tests.stocks.models import (
    GUESSING,
    KNOWING,
    MODELS,
    TABLE,
    differences,
    guessed_study,
    known_study,
    only,
    study_of,
)

from rankgauge.errors import RankgaugeError
from rankgauge.presentation.table import Table
from rankgauge.results.comparison import Comparison
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.stocks.comparison import StudyComparison
from rankgauge.stocks.study import study


def test_compare_two_models_summarises_differences_by_date() -> None:
    first, second = known_study(), guessed_study()
    comparison = first.compare(second)
    assert isinstance(comparison, Comparison)
    assert comparison.measures == tuple(first.chances)
    assert (comparison.runs, comparison.design.baseline) == (("this", "other"), "other")
    assert (comparison.dates, comparison.left_out, comparison.horizon, comparison.care) == (75, (0, 0), 5, first.care)
    for measure in comparison.measures:
        apart = differences(first, second, measure)
        pair = comparison.pair(measure, "this", "other")
        assert pair == only(comparison, measure)
        assert pair.means == pytest.approx((first[measure].mean, second[measure].mean))
        assert (comparison.mean(measure, "this"), comparison.mean(measure, "other")) == pytest.approx(pair.means)
        assert pair.n == len(apart)
        assert pair.difference == pytest.approx(np.mean(apart)) == pytest.approx(pair.means[0] - pair.means[1])
        assert (pair.wins, pair.losses) == (sum(each > 0 for each in apart), sum(each < 0 for each in apart))
        assert pair.wins + pair.ties + pair.losses == pair.n
        assert pair.effect == pytest.approx(np.mean(apart) / np.std(apart, ddof=1))
        assert pair.p_adjusted == pair.p
        if measure in ("top_return", "spread"):
            continue
        expected = mean_over_dates(apart, 5)
        assert (pair.difference, pair.statistic, pair.p) == pytest.approx((expected.mean, expected.t, expected.p))
        assert tuple(pair.interval) == pytest.approx((expected.low, expected.high))
    assert only(comparison, "rank_ic").statistic > 2


def test_compare_of_returns_has_the_error_of_calendar_time() -> None:
    """The difference of two portfolios is a portfolio, whose days are those of one less those of the other."""
    first, second = known_study(), guessed_study()
    assert first.tranches is not None
    assert second.tranches is not None
    for measure in ("top_return", "spread"):
        days = [each.tranches.days_of(measure, range(75)) for each in (first, second) if each.tranches]
        profits = days[0].earned[1:] - days[1].earned[1:]
        apart = profits - profits.sum() / 75 * days[0].held[1:]
        error = math.sqrt(float(apart @ apart) * 79 / 78) / 75
        pair = only(first.compare(second), measure)
        assert pair.statistic == pytest.approx(pair.difference / error)


def test_compare_with_different_dates_uses_common_ones() -> None:
    first, second = study_of(KNOWING.iloc[:65]), study_of(GUESSING.iloc[10:])
    comparison = first.compare(second)
    assert (comparison.dates, comparison.left_out) == (55, (10, 10))
    apart = differences(first, second, "rank_ic")
    assert len(apart) == 55
    assert only(comparison, "rank_ic").difference == pytest.approx(np.mean(apart))
    assert only(comparison, "rank_ic").statistic == pytest.approx(mean_over_dates(apart, 5).t)
    assert "left out: 10 of this, 10 of other" in str(comparison)


def test_compare_weekly_with_daily_uses_the_settings_of_weeks() -> None:
    daily, weekly = known_study(), study_of(GUESSING.iloc[::5])
    assert daily.compare(weekly).care == weekly.compare(daily).care == weekly.care
    assert weekly.care.overlap == 0


def test_compare_missing_value_leaves_out_the_date() -> None:
    flat = GUESSING.copy()
    flat.iloc[10:15] = 1.0
    comparison = known_study().compare(study_of(flat))
    pair = only(comparison, "rank_ic")
    assert (pair.n, only(comparison, "ndcg@4").n) == (70, 75)
    assert pair.difference == pytest.approx(pair.means[0] - pair.means[1])
    flat.iloc[:] = 1.0
    none = only(known_study().compare(study_of(flat)), "rank_ic")
    assert none.n == 0
    assert all(map(math.isnan, (*none.means, none.difference, none.p)))


def test_compare_swapped_models_changes_signs() -> None:
    first, second = known_study(), guessed_study()
    there, back = first.compare(second), second.compare(first)
    for measure in first.chances:
        assert only(there, measure).difference == pytest.approx(-only(back, measure).difference)
        assert only(there, measure).statistic == pytest.approx(-only(back, measure).statistic)
        assert there.pair(measure, "other", "this").difference == -only(there, measure).difference


def test_compare_a_model_with_itself_is_zero() -> None:
    comparison = known_study().compare(known_study())
    assert all(pair.difference == 0 and pair.wins == 0 and math.isnan(pair.statistic) for pair in comparison.pairs)
    assert "no difference shown" in comparison.headline()


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
    comparison = study_of(KNOWING.iloc[:20]).compare(study_of(GUESSING.iloc[18:]))
    assert comparison.dates == 2
    assert lines(comparison.remarks, "few-dates")
    assert all(math.isnan(only(comparison, measure).interval.low) for measure in ("rank_ic", "spread"))
    assert "nan" not in str(comparison)
    assert "no interval), p unknown; " in comparison.headline()
    assert not lines(known_study().compare(known_study()).remarks, "few-dates")


def named(names: tuple[str, str] = ("model", "<b>old</b>")) -> StudyComparison:
    return known_study().compare(guessed_study(), names=names)


def test_comparison_printed_has_both_names() -> None:
    comparison = named()
    table = comparison.table()
    assert table.headers == ["model", "ndcg@4", "rank_ic", "ic", "top_return", "spread", "hit_rate", "turnover"]
    assert [row[0] for row in table.rows] == ["model", "<b>old</b>"]
    assert [row[2] for row in table.rows] == [comparison.mean("rank_ic", run) for run in comparison.runs]
    pairs = comparison.pairs_table()
    for row in pairs.rows:
        pair = only(comparison, str(row[0]))
        assert row[1:6] == [pair.difference, *pair.interval, pair.statistic, pair.p]
        assert row[6:] == [pair.wins, pair.losses, pair.ties]
    assert repr(comparison) == str(comparison)
    assert all(each.to_text() in str(comparison) for each in (table, pairs, comparison.skill_table()))
    assert str(comparison).startswith("model is better than <b>old</b> by ")
    assert " dates better, " in comparison.headline()
    assert "75 that both have" in str(comparison)


def test_comparison_tables_fit_a_terminal() -> None:
    shown = [part for part in named(("momentum", "reversal")).parts() if isinstance(part, Table)]
    assert max(len(line) for table in shown for line in table.to_text().splitlines()) <= 100


def test_comparison_html_escapes_names() -> None:
    html = named()._repr_html_()
    assert html.count("<table>") == 4
    assert "&lt;b&gt;old&lt;/b&gt;" in html
    assert "<b>" not in html


def test_comparison_json_has_the_shape_of_comparisons_without_nan() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    comparison = known_study().compare(study_of(KNOWING.iloc[:30]), names=("a", "b"))
    values = json.loads(comparison.to_json(), parse_constant=refuse)
    assert (values["runs"], values["dates"], values["left_out"]) == (["a", "b"], 30, {"a": 45, "b": 0})
    assert {"convention", "headline", "baseline", "test", "correction", "means", "intervals", "remarks"} <= set(values)
    rank_ic = next(pair for pair in values["pairs"] if pair["measure"] == "rank_ic")
    assert rank_ic["statistic"] is None
    assert rank_ic["means"] == list(only(comparison, "rank_ic").means)
    assert values["means"]["rank_ic"]["a"] == comparison.mean("rank_ic", "a")
    assert values["care"] == comparison.care._asdict()
    assert values["skill"]["rank_ic"]["a"]["mean"] == comparison.skill("rank_ic", "a").mean
    assert comparison.rows_table().headers[:3] == ["measure", "first", "second"]
    assert comparison.pairs.to_pandas()["measure"].tolist() == list(comparison.measures)


def test_compare_different_stocks_subtracts_chance() -> None:
    """Two models that know nothing, of which one ranks fewer stocks: NDCG differs, skill does not."""
    prices = wandering(days=120, stocks=30)
    scores = noise(prices)
    few, all_of_them = study(prices, scores.iloc[:, :12], k=10), study(prices, scores, k=10)
    comparison = few.compare(all_of_them)
    assert comparison.unlike > 0.8 * comparison.dates
    assert lines(comparison.remarks, "chance")[0].startswith("chance: differs")
    pair, first, second = only(comparison, "ndcg@10"), few["ndcg@10"], all_of_them["ndcg@10"]
    assert pair.difference == pytest.approx((first.mean - first.chance) - (second.mean - second.chance))
    assert abs(pair.statistic) < 4


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


def test_compare_under_one_name_raises() -> None:
    with pytest.raises(RankgaugeError, match="expected different runs, got 'x' twice"):
        known_study().compare(guessed_study(), names=("x", "x"))


def test_study_of_several_models_names_the_verb_for_them() -> None:
    with pytest.raises(RankgaugeError, match=r"rg\.stocks\.compare takes several models"):
        study(TABLE, MODELS)  # type: ignore[arg-type]


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
    prices = wandering(days=80)
    scores, others = noise(prices), noise(prices, seed=5)
    first = study(prices, scores, k=3)
    part = first.compare(study(prices.iloc[10:70], others, k=3, max_loss=0.5))
    assert part.dates == 55
    whole = study(prices, scores.iloc[10:65], k=3).compare(study(prices, others.iloc[10:65], k=3))
    assert only(part, "spread").statistic == pytest.approx(only(whole, "spread").statistic)


def test_compare_keeps_the_severe_remarks_of_both() -> None:
    prices = wandering(days=40)
    leaked = prices.shift(-5) / prices - 1
    compared = study(prices, leaked.dropna(), k=3).compare(study(prices, noise(prices), k=3))
    assert lines(compared.remarks, "leak")


def test_comparison_of_studies_has_no_segments() -> None:
    with pytest.raises(RankgaugeError) as caught:
        named().by({"2020-01-01": "first"})
    assert caught.value.code == "no-segments-of-dates"


def test_comparison_of_unknown_measure_or_model_raises() -> None:
    with pytest.raises(RankgaugeError, match="did you mean 'ndcg@4'"):
        named().mean("ndcg", "model")
    with pytest.raises(RankgaugeError, match="expected a run"):
        named().pair("rank_ic", "model", "new")
