"""`horizon=[1, 5, 10]`: how skill decays with time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stocks.market import forward, long, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.study import study

PRICES = wandering(days=120)
SCORES = noise(PRICES)


def test_study_of_several_horizons_is_that_of_the_first() -> None:
    several, first = study(PRICES, SCORES, k=4, horizon=[5, 1, 10]), study(PRICES, SCORES, k=4, horizon=5)
    assert several.horizon == 5
    assert several["rank_ic"] == first["rank_ic"]
    assert list(several.horizons) == [1, 5, 10]
    assert list(study(PRICES, SCORES, k=4, horizon=np.array([5, 1])).horizons) == [1, 5]
    for horizon, of_measures in several.horizons.items():
        alone = study(PRICES, SCORES, k=4, horizon=horizon)
        for measure in alone.chances:
            assert tuple(of_measures[measure]) == pytest.approx(tuple(alone[measure]), nan_ok=True)
    assert first.horizons == {}
    assert first.by_horizon().rows == []


def test_by_horizon_has_a_row_for_each() -> None:
    actual = study(PRICES, SCORES, k=4, horizon=[1, 5])
    table = actual.by_horizon()
    assert [row[0] for row in table.rows] == [1, 5]
    for row in table.rows:
        ic = actual.horizons[int(row[0] or 0)]["rank_ic"]
        assert row[5:8] == [ic.mean, ic.t, ic.ratio]
    assert table.to_text() in str(actual)
    assert set(json.loads(actual.to_json())["horizons"]) == {"1", "5"}


def test_study_of_several_horizons_reads_files(tmp_path: Path) -> None:
    PRICES.to_csv(tmp_path / "prices.csv")
    SCORES.to_csv(tmp_path / "scores.csv")
    actual = study(tmp_path / "prices.csv", tmp_path / "scores.csv", k=4, horizon=(1, 5))
    assert actual.horizons[5]["rank_ic"].mean == pytest.approx(study(PRICES, SCORES, k=4)["rank_ic"].mean)


@pytest.mark.parametrize("horizon", [[], [0], [1, "five"], "5", 1.5, [5, -1]])
def test_study_of_impossible_horizons_raises(horizon: Any) -> None:
    with pytest.raises(RankgaugeError, match="horizon"):
        study(PRICES, SCORES, k=4, horizon=horizon)


def test_study_of_known_returns_has_one_horizon() -> None:
    with pytest.raises(RankgaugeError, match="expected horizon to be one"):
        study(long(forward(PRICES, 5), "return"), SCORES, k=4, horizon=[5, 10])


def test_ranking_of_a_date_is_in_the_order_of_the_model() -> None:
    actual = study(PRICES, SCORES, k=4)
    table = actual.ranking("2020-01-08")
    scores = SCORES.iloc[5].sort_values(ascending=False)
    assert [row[0] for row in table.rows] == list(range(1, 13))
    assert [row[1] for row in table.rows] == list(scores.index)
    assert [row[2] for row in table.rows] == scores.tolist()
    assert [row[3] for row in table.rows] == pytest.approx(forward(PRICES, 5).iloc[5][scores.index].tolist())
    assert actual.ranking(pd.Timestamp("2020-01-08")).rows == table.rows
    with pytest.raises(RankgaugeError, match="one of the study, from 2020-01-01 to 2020-06-09, got '2020-01-9'"):
        actual.ranking("2020-01-9")
