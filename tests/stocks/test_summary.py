from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median, stdev

import numpy as np
import pytest

from rankgauge.presentation.table import Probability
from rankgauge.statistics.best_by_luck import luckiest_t
from rankgauge.statistics.mean_over_dates import DatesMean, mean_over_dates
from rankgauge.statistics.timeseries import default_lag, effective_number
from rankgauge.stocks.summary import ALL, OVER_DAYS, SKILL, TRIED, ErrorSettings, Summary, summarise, tries, warning


def drawn(days: int, mean: float, seed: int) -> list[float]:
    """Draw days that resemble their neighbours."""
    steps = np.random.default_rng(seed).normal(size=days + 4)
    return [mean + float(steps[day : day + 5].sum()) for day in range(days)]


@pytest.mark.parametrize("days", [50, 250])
@pytest.mark.parametrize("care", [ErrorSettings(0), ErrorSettings(4)])
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
    assert row.above == pytest.approx(row.mean - row.chance)
    skill = mean_over_dates(above, care.overlap + 1)
    assert (row.above, row.low, row.high) == (skill.mean, skill.low, skill.high)
    assert (row.t, row.p, row.degrees) == (skill.t, skill.p, skill.degrees)
    assert row.effective == effective_number(above, default_lag(days, care.overlap + 1))


def test_summarise_interval_excludes_0_where_p_is_small() -> None:
    """One estimator gives them all, so they cannot disagree."""
    rows = [summarise(drawn(250, mean, 1), [0.1] * 250, ErrorSettings(4)) for mean in np.linspace(-1.0, 1.0, 41)]
    assert [row.p < 0.05 for row in rows] == [not row.low <= 0.0 <= row.high for row in rows]
    assert len({row.p < 0.05 for row in rows}) == 2


def test_summarise_nan_days_are_left_out() -> None:
    care = ErrorSettings(0)
    values = drawn(40, 0.1, 3)
    gaps = [math.nan if day % 7 == 0 else value for day, value in enumerate(values)]
    kept = [value for day, value in enumerate(values) if day % 7]
    assert summarise(gaps, [0.0] * 40, care) == summarise(kept, [0.0] * len(kept), care)


def test_summarise_without_chance_has_no_test() -> None:
    values = drawn(40, 0.1, 3)
    row = summarise(values, [math.nan] * 40, ErrorSettings(0))
    assert row.mean == pytest.approx(np.mean(values))
    assert (row.days, row.median) == (40, median(values))
    assert all(map(math.isnan, (row.chance, row.above, row.low, row.high, row.t, row.p, row.degrees)))
    assert all(map(math.isnan, (row.ratio, row.share)))
    assert row.effective == effective_number(values, 3)


def test_summarise_no_days_is_nan() -> None:
    for values in ([], [math.nan, math.nan]):
        row = summarise(values, [0.0] * len(values), ErrorSettings(0))
        assert row.days == 0
        assert all(math.isnan(value) for value in row[1:])
        assert row.cells(*ALL) == [0, *[None] * 15]


def test_summarise_one_day_has_no_error() -> None:
    row = summarise([0.6], [0.5], ErrorSettings(0))
    assert (row.days, row.mean, row.median, row.chance, row.share) == (1, 0.6, 0.6, 0.5, 1.0)
    assert all(math.isnan(value) for value in (row.ratio, row.t, row.p, row.low, row.high, row.effective))


def test_summarise_constant_days_have_no_t() -> None:
    row = summarise([0.5] * 30, [0.25] * 30, ErrorSettings(0))
    assert (row.share, row.low, row.high) == (1.0, 0.25, 0.25)
    assert all(math.isnan(value) for value in (row.ratio, row.t, row.p, row.effective))


@pytest.mark.parametrize(
    ("days", "care"),
    [(19, ErrorSettings(0)), (49, ErrorSettings(4)), (6, ErrorSettings(10))],
)
def test_summarise_too_few_days_have_neither_interval_nor_t(days: int, care: ErrorSettings) -> None:
    row = summarise(drawn(days, 0.1, 4), [0.0] * days, care)
    assert all(map(math.isnan, (row.low, row.high, row.t, row.p, row.degrees)))
    assert (row.days, math.isnan(row.mean), math.isnan(row.above)) == (days, False, False)


def test_summary_cells_are_its_fields() -> None:
    row = summarise(drawn(100, 0.1, 6), [0.0] * 100, ErrorSettings(4))
    assert set(ALL) == set(Summary._fields)
    assert {*SKILL, *TRIED, *OVER_DAYS} == set(ALL) - {"degrees"}
    cells = dict(zip(ALL, row.cells(*ALL), strict=True))
    assert cells == row._asdict() | {"effective": round(row.effective)}
    assert isinstance(cells["p"], Probability)
    assert isinstance(cells["p_adjusted"], Probability)


def test_summary_of_one_of_several_tries_is_corrected() -> None:
    row = summarise(drawn(100, 0.6, 6), [0.0] * 100, ErrorSettings(4))
    assert (row.p_adjusted, row.t_deflated) == (row.p, row.t)
    assert row.after(1) == row
    best = row.after(20)
    assert best.p_adjusted == pytest.approx(min(20 * row.p, 1.0))
    assert best.t_deflated == pytest.approx(row.t - luckiest_t(20, row.degrees))
    assert row.after(10**9).p_adjusted == 1.0
    few = summarise([0.1, 0.2], [0.0, 0.0], ErrorSettings(4)).after(20)
    assert math.isnan(few.p_adjusted)
    assert math.isnan(few.t_deflated)


def test_summarise_with_another_error_takes_its_t_only_where_there_are_enough_days() -> None:
    other = DatesMean(0.25, 0.05, 5.0, 0.001, 30.0, 0.15, 0.35)
    values = drawn(50, 0.1, 6)
    row = summarise(values, [0.0] * 50, ErrorSettings(4), skill=other)
    assert (row.above, row.t, row.p, row.degrees, row.low, row.high) == (0.25, 5.0, 0.001, 30.0, 0.15, 0.35)
    assert math.isnan(summarise(values[:49], [0.0] * 49, ErrorSettings(4), skill=other).t)


def test_tries_of_one_model_are_not_remarked_on() -> None:
    assert tries(1, 100.0) == []
    assert "about" not in tries(3, math.nan)[0].text


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
    care = ErrorSettings.of(days, horizon)
    slow = max(sum(day <= later < day + horizon for later in days) - 1 for day in days)
    assert care.overlap == overlap == slow


def test_error_settings_of_the_shortest_studies_have_known_values() -> None:
    assert ErrorSettings.of([7], 5) == ErrorSettings(overlap=0)
    # Two days in a row are the beginning of a daily series.
    assert ErrorSettings.of([7, 8], 5) == ErrorSettings(overlap=4)


@pytest.mark.parametrize(
    ("days", "overlap", "warned"),
    [(50, 4, False), (49, 4, True), (1, 0, True), (19, 0, True), (20, 0, False), (199, 19, True)],
)
def test_warning_of_few_dates_or_much_overlap_is_given(days: int, overlap: int, *, warned: bool) -> None:
    remarks = warning(days, ErrorSettings(overlap), 5, "it is better")
    assert bool(remarks) == warned
    assert all(remark.text.startswith(f"{days} date") for remark in remarks)
    assert all("cannot tell whether it is better or was lucky, so there are no t" in remark.text for remark in remarks)


@pytest.mark.parametrize("days", [19, 20, 49, 50])
@pytest.mark.parametrize("overlap", [0, 4])
def test_warning_is_given_where_there_is_no_t(days: int, overlap: int) -> None:
    care = ErrorSettings(overlap)
    row = summarise(drawn(days, 0.1, 4), [0.0] * days, care)
    assert bool(warning(days, care, 5, "it is better")) == math.isnan(row.t)


def test_warning_of_a_long_horizon_advises_dates_apart() -> None:
    (remark,) = warning(30, ErrorSettings.of(range(30), 60), 60, "it is better")
    assert "that takes at least 600 dates, or 20 that are 60 or more dates apart" in remark.text


def test_warning_of_one_date_assumes_full_overlap() -> None:
    (remark,) = warning(1, ErrorSettings.of([7], 5), 5, "it is better")
    assert remark.text.endswith("at least 50 dates, or 20 that are 5 or more dates apart")
    (remark,) = warning(1, ErrorSettings.of([7], 1), 1, "it is better")
    assert remark.text.endswith("at least 20 dates")
