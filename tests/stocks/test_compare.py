"""`rg.stocks.compare`: several models on the dates that all of them have."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.remarks import lines
from tests.stocks.models import GUESSING, KNOWING, MODELS, PRICES, TABLE, guessed_study, known_study, only, study_of

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import UnknownKeywordError
from rankgauge.statistics.best_by_luck import luckiest_t
from rankgauge.statistics.corrections import holm


def test_compare_several_models_compares_all_pairs_with_holm() -> None:
    comparison = rg.stocks.compare(TABLE, MODELS, k=4)
    assert comparison.runs == ("guess", "knows", "other")
    assert len(comparison.pairs) == 3 * len(comparison.measures)
    for measure in comparison.measures:
        pairs = [pair for pair in comparison.pairs if pair.measure == measure]
        assert [pair.p_adjusted for pair in pairs] == pytest.approx(holm([pair.p for pair in pairs]))
    alone = known_study().compare(guessed_study())
    pair = comparison.pair("rank_ic", "knows", "guess")
    assert (pair.difference, pair.statistic) == (only(alone, "rank_ic").difference, only(alone, "rank_ic").statistic)
    assert "3 of each measure" in str(lines(comparison.remarks, "comparisons"))
    assert f"{len(comparison.pairs_table().rows)} comparisons" in str(lines(comparison.remarks, "comparisons"))
    assert comparison.table().rows[1][0] == "ᵇ knows"
    assert "pair" in comparison.pairs_table().headers


def test_compare_with_a_baseline_compares_with_it_alone() -> None:
    comparison = rg.stocks.compare(TABLE, MODELS, k=4, baseline="guess", correction="bh")
    assert {pair.second for pair in comparison.pairs} == {"guess"}
    assert comparison.design.correction == "bh"
    with pytest.raises(RankgaugeError, match="guess"):
        comparison.pair("rank_ic", "knows", "other")
    with pytest.raises(RankgaugeError, match="did you mean"):
        rg.stocks.compare(TABLE, MODELS, baseline="gues")


def test_compare_several_models_corrects_each_for_their_number() -> None:
    plain, many = (rg.stocks.compare(TABLE, MODELS, k=4, tried=tried) for tried in (None, 50))
    assert (plain.tried, many.tried) == (3, 50)
    for comparison, tests in ((plain, 3), (many, 50)):
        rows = [comparison.skill("rank_ic", run) for run in comparison.runs]
        assert [row.p_adjusted for row in rows] == pytest.approx(holm([row.p for row in rows], tests=tests))
        for row in rows:
            assert row.t_deflated == pytest.approx(row.t - luckiest_t(tests, row.degrees))
        assert lines(comparison.remarks, "tries")
    assert plain.skill("ndcg@4", "knows").t == pytest.approx(known_study()["ndcg@4"].t)
    low, high = plain.interval("ndcg@4", "knows")
    row = known_study()["ndcg@4"]
    assert (low, high) == pytest.approx((row.chance + row.low, row.chance + row.high))
    with pytest.raises(RankgaugeError, match="tried"):
        rg.stocks.compare(TABLE, MODELS, k=4, tried=2)


def test_compare_takes_files_and_tables_with_a_column_of_models(tmp_path: Path) -> None:
    expected = rg.stocks.compare(TABLE, {"guess": GUESSING, "knows": KNOWING}, k=4)
    for name in expected.runs:
        MODELS[name].to_csv(tmp_path / f"{name}.csv")
    listed = [
        MODELS[name].reset_index().melt("date", var_name="ticker", value_name="score").assign(model=name)
        for name in expected.runs
    ]
    files = rg.stocks.compare(TABLE, str(tmp_path), k=4)
    table = rg.stocks.compare(TABLE, pd.concat(listed), k=4)
    for comparison in (files, table):
        assert comparison.runs == expected.runs
        pairs = zip(comparison.pairs, expected.pairs, strict=True)
        assert all(ours.difference == pytest.approx(theirs.difference) for ours, theirs in pairs)


def test_compare_with_a_margin_tests_equivalence() -> None:
    near = known_study().compare(guessed_study(), margin=10.0)
    assert only(near, "rank_ic").p_equivalence == pytest.approx(0.0, abs=1e-4)
    far = known_study().compare(guessed_study(), margin=1e-9)
    value = only(far, "rank_ic").p_equivalence
    assert value is not None
    assert value > 0.5
    assert "within 10: p" in near.pairs_table().headers


def test_compare_power_says_how_many_dates_it_takes() -> None:
    comparison = known_study().compare(guessed_study())
    row = next(row for row in comparison.power(0.01).rows if row[0] == "rank_ic")
    shown, needed = row[3], row[5]
    assert shown == pytest.approx(only(comparison, "rank_ic").detectable)
    assert isinstance(shown, float)
    assert needed == math.ceil(75 * (shown / 0.01) ** 2)
    few = study_of(KNOWING.iloc[:20]).compare(study_of(GUESSING.iloc[:20]))
    assert {row[3] for row in few.power().rows} == {None}


def test_compare_names_the_model_that_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="model 'wrong': scores"):
        rg.stocks.compare(TABLE, {"fine": GUESSING, "wrong": GUESSING.assign(T00=np.inf)}, k=4)
    with pytest.raises(RankgaugeError, match="at least two"):
        rg.stocks.compare(TABLE, {"alone": GUESSING})
    with pytest.raises(UnknownKeywordError, match="horizons"):
        rg.stocks.compare(TABLE, MODELS, horizons=3)  # type: ignore[call-arg]
    with pytest.raises(RankgaugeError, match="correction"):
        rg.stocks.compare(TABLE, MODELS, correction="tukey")


def test_compare_strict_makes_a_severe_remark_an_error() -> None:
    leaked = (PRICES.shift(-5) / PRICES - 1).dropna()
    with pytest.raises(RankgaugeError, match="leak"):
        rg.stocks.compare(PRICES, {"leak": leaked, "guess": GUESSING}, k=3, strict=True)
