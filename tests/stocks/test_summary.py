from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median, stdev

import numpy as np
import pytest
from tests.stocks.market import hac_t

from rankgauge.statistics.timeseries import block_interval, default_lag, effective_number
from rankgauge.stocks.summary import HEADERS, ErrorSettings, Summary, summarise, warning


def drawn(days: int, mean: float, seed: int) -> list[float]:
    """Draw days that resemble their neighbours."""
    steps = np.random.default_rng(seed).normal(size=days + 4)
    return [mean + float(steps[day : day + 5].sum()) for day in range(days)]


@pytest.mark.parametrize("days", [30, 250])
@pytest.mark.parametrize("care", [ErrorSettings(0, 3, 4, 0), ErrorSettings(4, 8, 10, 0), ErrorSettings(4, 8, 10, 5)])
def test_summarise_days_equals_plain_computation(days: int, care: ErrorSettings) -> None:
    values, chance = drawn(days, 0.3, 1), drawn(days, 0.0, 2)
    above = [value - base for value, base in zip(values, chance, strict=True)]
    row = summarise(values, chance, care)
    assert row.days == days
    assert row.mean == pytest.approx(np.mean(values))
    assert row.median == median(values)
    assert row.chance == pytest.approx(np.mean(chance))
    assert row.ratio == pytest.approx(np.mean(above) / stdev(above))
    assert row.share == sum(value > 0 for value in above) / days
    assert row.t == pytest.approx(hac_t(above, care.lag), rel=1e-9)
    assert (row.low, row.high) == block_interval(values, care.block, seed=care.seed)
    assert row.effective == effective_number(above, care.lag)


def test_summarise_nan_days_are_left_out() -> None:
    care = ErrorSettings(0, 2, 3, 0)
    values = drawn(40, 0.1, 3)
    gaps = [math.nan if day % 7 == 0 else value for day, value in enumerate(values)]
    kept = [value for day, value in enumerate(values) if day % 7]
    assert summarise(gaps, [0.0] * 40, care) == summarise(kept, [0.0] * len(kept), care)


def test_summarise_without_chance_has_mean_and_interval_only() -> None:
    values = drawn(40, 0.1, 3)
    row = summarise(values, [math.nan] * 40, ErrorSettings(0, 2, 3, 0))
    assert row.mean == pytest.approx(np.mean(values))
    assert (row.days, row.median) == (40, median(values))
    assert all(math.isnan(value) for value in (row.chance, row.ratio, row.share, row.t))
    assert (row.low, row.high) == block_interval(values, 3)
    assert row.effective == effective_number(values, 2)


def test_summarise_no_days_is_nan() -> None:
    for values in ([], [math.nan, math.nan]):
        row = summarise(values, [0.0] * len(values), ErrorSettings(0, 0, 2, 0))
        assert row.days == 0
        assert all(math.isnan(value) for value in row[1:])
        assert row.cells() == [0, *[None] * 9]


def test_summarise_one_day_has_no_error() -> None:
    row = summarise([0.6], [0.5], ErrorSettings(0, 0, 2, 0))
    assert (row.days, row.mean, row.median, row.chance, row.share) == (1, 0.6, 0.6, 0.5, 1.0)
    assert all(math.isnan(value) for value in (row.ratio, row.t, row.low, row.high, row.effective))


def test_summarise_constant_days_have_no_t() -> None:
    row = summarise([0.5] * 30, [0.25] * 30, ErrorSettings(0, 2, 3, 0))
    assert (row.share, row.low, row.high) == (1.0, 0.5, 0.5)
    assert all(math.isnan(value) for value in (row.ratio, row.t, row.effective))


@pytest.mark.parametrize(
    ("days", "care"),
    [(19, ErrorSettings(0, 2, 3, 0)), (29, ErrorSettings(5, 4, 12, 0)), (6, ErrorSettings(10, 20, 22, 0))],
)
def test_summarise_too_few_days_have_neither_interval_nor_t(days: int, care: ErrorSettings) -> None:
    row = summarise(drawn(days, 0.1, 4), [0.0] * days, care)
    assert all(map(math.isnan, (row.low, row.high, row.t)))
    assert (row.days, math.isnan(row.mean)) == (days, False)


def test_summary_cells_match_the_headers() -> None:
    row = summarise(drawn(100, 0.1, 6), [0.0] * 100, ErrorSettings(4, 8, 10, 0))
    cells = row.cells()
    assert len(cells) == len(HEADERS) == len(Summary._fields)
    assert cells[:-1] == list(row[:-1])
    assert cells[-1] == round(row.effective)


@pytest.mark.parametrize(
    ("days", "horizon", "overlap"),
    [
        (range(250), 5, 4),
        (range(250), 1, 0),
        (range(0, 250, 5), 5, 0),
        (range(0, 250, 4), 5, 1),
        (range(0, 250, 5), 20, 3),
        (range(0, 250, 21), 20, 0),
        ([0, 1, 2, 10, 20, 21], 3, 2),
        ([0, 1, 2, 10, 20, 21], 2, 1),
        ([3, 10, 12, 13, 17, 30], 8, 3),
        ([0, 100, 200], 5, 0),
        ([7], 5, 0),
        ([7, 12], 5, 0),
        ([7, 8], 1, 0),
    ],
)
def test_error_settings_overlap_counts_days_that_share_returns(days: Sequence[int], horizon: int, overlap: int) -> None:
    care = ErrorSettings.of(days, horizon, 3)
    slow = max(sum(day <= later < day + horizon for later in days) - 1 for day in days)
    assert care.overlap == overlap == slow
    assert care.lag == default_lag(len(days), overlap + 1) <= max(len(days) - 1, 0)
    assert care.block == max(2 * (overlap + 1), care.lag + 1)
    assert care.seed == 3


def test_error_settings_of_the_shortest_studies_have_known_values() -> None:
    assert ErrorSettings.of([7], 5, 0) == ErrorSettings(overlap=0, lag=0, block=2, seed=0)
    # Two days in a row are the beginning of a daily series.
    assert ErrorSettings.of([7, 8], 5, 0) == ErrorSettings(overlap=4, lag=1, block=10, seed=0)


@pytest.mark.parametrize(
    ("days", "lag", "warned"),
    [(24, 8, False), (23, 8, True), (1, 0, True), (19, 0, True), (20, 0, False), (38, 38, True)],
)
def test_warning_of_few_dates_or_long_lag_is_given(days: int, lag: int, *, warned: bool) -> None:
    overlap = lag // 2
    remarks = warning(days, ErrorSettings(overlap, lag, 10, 0), 5, "it is better")
    assert bool(remarks) == warned
    assert all(remark.text.startswith(f"{days} date") for remark in remarks)
    assert all("cannot tell whether it is better or was lucky, so there are no t" in remark.text for remark in remarks)


def test_warning_with_a_cut_lag_advises_the_full_one() -> None:
    (remark,) = warning(30, ErrorSettings.of(range(30), 60, 0), 60, "it is better")
    assert "that takes at least 354 dates, or 20 that are 60 or more dates apart" in remark.text


def test_warning_of_one_date_assumes_full_overlap() -> None:
    (remark,) = warning(1, ErrorSettings.of([7], 5, 0), 5, "it is better")
    assert remark.text.endswith("at least 24 dates, or 20 that are 5 or more dates apart")
    (remark,) = warning(1, ErrorSettings.of([7], 1, 0), 1, "it is better")
    assert remark.text.endswith("at least 20 dates")
