"""Logged clicks weighed by propensity, and coverage: against the definitions of the papers and against RecTools."""

from __future__ import annotations

import math
import random
from typing import Any

import pandas as pd
import polars as pl
import pytest
from rectools import Columns
from rectools.metrics import CatalogCoverage

import rankgauge as rg
from rankgauge.errors import RankgaugeError


def clicks(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame({"query": ["q", "q", "q"], "item": ["a", "b", "c"], "grade": [1, 1, 0], **columns})


def value(measure: str, judgments: pl.DataFrame, ranking: list[str]) -> float:
    return rg.evaluate(judgments, {"q": ranking}, measure)[measure]


def test_ips_dcg_equals_the_estimator_of_joachims_2017() -> None:
    """Joachims et al. 2017: a click counts 1 / propensity; here times the discount of its rank in the new ranking."""
    judged = clicks(propensity=[0.5, 0.25, 1.0])
    expected = (1 / 0.25) / math.log2(2) + (1 / 0.5) / math.log2(4)
    assert value("ips_dcg@10", judged, ["b", "x", "a", "c"]) == pytest.approx(expected)
    assert value("ips_dcg@1", judged, ["b", "x", "a", "c"]) == 4.0


def test_ips_dcg_with_a_clip_equals_strehl_2010() -> None:
    """Strehl et al. 2010: propensities below τ count as τ, which bounds a weight by 1 / τ."""
    judged = clicks(propensity=[0.5, 0.01, 1.0])
    assert value("ips_dcg(clip=0.1)@1", judged, ["b"]) == pytest.approx(10.0)


def test_snips_dcg_equals_the_estimator_of_yang_2018() -> None:
    """Yang et al. 2018: Σ c / p over the clicks, divided by Σ 1 / p over the clicks."""
    judged = clicks(propensity=[0.5, 0.25, 1.0])
    expected = (4 / math.log2(2) + 2 / math.log2(4)) / (4 + 2)
    assert value("snips_dcg@10", judged, ["b", "x", "a", "c"]) == pytest.approx(expected)


def test_ips_dcg_of_positions_uses_the_documented_propensity() -> None:
    judged = clicks(position=[1, 4, 2])
    assert value("ips_dcg@10", judged, ["b", "a"]) == pytest.approx(4.0 + 1.0 / math.log2(3))
    assert value("ips_dcg(propensity=table(1,0.8,0.5,0.2))@1", judged, ["b"]) == pytest.approx(5.0)


def test_ips_dcg_of_simulated_clicks_removes_position_bias() -> None:
    """With many logged impressions, weighted clicks find the DCG of the true relevance, within its interval."""
    source = random.Random(7)
    relevance = {"a": 0.9, "b": 0.5, "c": 0.2, "d": 0.7}
    logged, ranking = ["c", "b", "d", "a"], ["a", "d", "b", "c"]
    rows = []
    for impression in range(4000):
        for position, item in enumerate(logged, start=1):
            clicked = source.random() < relevance[item] / position
            rows.append((f"i{impression:04}", item, int(clicked), position))
    judged = pl.DataFrame(rows, schema=["query", "item", "grade", "position"], orient="row")
    result = rg.evaluate(judged, {f"i{number:04}": ranking for number in range(4000)}, "ips_dcg")
    true = sum(relevance[item] / math.log2(rank + 1) for rank, item in enumerate(ranking, start=1))
    low, high = result.interval("ips_dcg", level=0.999)
    assert low < true < high


@pytest.mark.parametrize("bad", [[0.0, 0.5, 1.0], [1.5, 0.5, 1.0], [-0.1, 0.5, 1.0]])
def test_ips_dcg_with_a_propensity_outside_0_to_1_is_refused(bad: list[float]) -> None:
    with pytest.raises(RankgaugeError, match="propensity above 0"):
        value("ips_dcg", clicks(propensity=bad), ["a"])


@pytest.mark.parametrize("k", [1, 3, 10])
def test_coverage_of_random_data_equals_rectools(k: int) -> None:
    source = random.Random(k)
    catalogue = list(range(60))
    ranking = {f"u{user}": source.sample(catalogue, 12) for user in range(9)}
    rows = [(user, item, rank) for user, items in ranking.items() for rank, item in enumerate(items, start=1)]
    reco = pd.DataFrame(rows, columns=[Columns.User, Columns.Item, Columns.Rank])
    theirs = CatalogCoverage(k=k, normalize=True).calc(reco, catalogue)
    measure = f"coverage(items=60)@{k}"
    result = rg.evaluate({user: {source.choice(catalogue): 1} for user in ranking}, ranking, measure)
    assert result[measure] == pytest.approx(theirs)
    assert all(math.isnan(end) for end in result.interval(measure))


def test_coverage_without_a_catalogue_counts_judged_and_ranked_items() -> None:
    result = rg.evaluate({"u": {"a": 1, "z": 0}, "v": ["b"]}, {"u": ["a", "b"], "v": ["b", "c"]}, "coverage@1")
    assert result["coverage@1"] == pytest.approx(2 / 3)
    assert result.per_query["coverage@1"] == {"u": pytest.approx(1 / 3), "v": pytest.approx(1 / 3)}


@pytest.mark.parametrize("name", ["click", "clicked", "reward", "rating"])
def test_ips_dcg_with_grades_in_a_column_of_clicks_counts_unclicked_items_as_0(name: str) -> None:
    judged = clicks(position=[1, 4, 2]).rename({"grade": name})
    assert value("ips_dcg", judged, ["c", "a"]) == pytest.approx(1.0 / math.log2(3))
    with pytest.raises(RankgaugeError, match="for grade"):
        value("ips_dcg", judged.drop(name), ["c", "a"])


def test_columns_with_roles_of_both_sides_are_accepted() -> None:
    judged = clicks(shown=[1, 4, 2])
    result = rg.evaluate(
        judged, {"q": ["b"]}, "ips_dcg", columns={"query": "query", "item": "item", "position": "shown"}
    )
    assert result["ips_dcg"] == pytest.approx(4.0)
