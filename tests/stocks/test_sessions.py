from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines
from tests.stocks.market import long, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.sessions import Sessions
from rankgauge.stocks.study import study

PRICES = wandering(days=30, stocks=6)
SCORES = noise(PRICES)
EXPECTED = study(PRICES, SCORES, k=2).per_date.values


def at(clock: str, table: pd.DataFrame = SCORES) -> pd.DataFrame:
    """Return a table with a time of day on each of its dates."""
    return table.set_axis(pd.DatetimeIndex([day + pd.Timedelta(clock) for day in table.index], name="date"))


def refusal(prices: Any, scores: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        study(prices, scores, k=2, **options)
    return caught.value


def same(prices: Any, scores: Any, **options: Any) -> None:
    actual = study(prices, scores, k=2, **options).per_date.values
    for name in EXPECTED.keys() - {"date"}:
        assert actual[name] == pytest.approx(EXPECTED[name], nan_ok=True), name


@pytest.mark.parametrize("clock", ["09:30:00", "15:59:59", "16:00:00"])
def test_study_with_a_close_takes_scores_before_it(clock: str) -> None:
    same(PRICES, at(clock), close="16:00")


def test_study_with_a_close_refuses_scores_after_it() -> None:
    error = refusal(PRICES, at("16:30:00"), close="16:00")
    assert error.code == "look-ahead"
    assert "the score of 2020-01-01T16:30:00 to be known no later than the price of 2020-01-01T16:00:00" in str(error)
    assert study(PRICES, at("16:30:00"), k=2, close="16:00", lag=1).per_date["date"][0] == "2020-01-01"


def test_study_without_a_close_refuses_a_time_and_names_the_option() -> None:
    assert "close='16:00'" in str(refusal(PRICES, at("09:30:00")))
    assert "close=" not in str(refusal(at("16:00:00", PRICES), at("17:00:00")))


@pytest.mark.parametrize(("hours", "fine"), [(10, True), (18, False)])
def test_study_with_a_close_checks_when_a_score_was_known(hours: int, *, fine: bool) -> None:
    table = long(SCORES, "score")
    table = table.assign(known_at=table["date"] + pd.Timedelta(hours=hours))
    if fine:
        same(PRICES, table, close="16:00")
    else:
        assert refusal(PRICES, table, close="16:00").code == "look-ahead"


@pytest.mark.parametrize("close", ["4pm", "25:00", "16:00 Mars/Olympus", 16, ""])
def test_study_with_a_close_that_is_no_time_raises(close: Any) -> None:
    assert "expected close to be a time of day" in str(refusal(PRICES, SCORES, close=close))


def test_study_of_scores_in_utc_matches_the_session_of_the_exchange() -> None:
    """A score of 20:30 in New York is of the next day in UTC, and of the same session there."""
    evening = at("20:30:00").tz_localize("America/New_York").tz_convert("UTC")
    actual = study(PRICES, evening, k=2, lag=1, close="16:00 America/New_York")
    assert actual.per_date["date"][0] == "2020-01-01"
    assert actual.per_date["rank_ic"] == study(PRICES, SCORES, k=2, lag=1).per_date["rank_ic"]


def test_study_of_scores_in_utc_beside_dates_asks_for_the_zone() -> None:
    error = refusal(PRICES, at("14:30:00").tz_localize("UTC"), lag=1)
    assert error.code == "which-session"
    assert "close='16:00 America/New_York'" in str(error)
    same(PRICES, SCORES.tz_localize("UTC"))


def test_study_of_prices_in_utc_at_midnight_of_the_exchange_matches_its_dates() -> None:
    """Midnight in Seoul is 15:00 of the day before in UTC."""
    prices = PRICES.tz_localize("Asia/Seoul").tz_convert("UTC")
    same(prices, SCORES, close="15:30 Asia/Seoul")
    same(prices, at("09:00:00"), close="15:30 Asia/Seoul")
    remarked = study(prices, at("-24:00:00"), k=2, max_loss=1)
    assert lines(remarked.remarks, "utc-sessions")


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Seoul"])
def test_study_of_prices_and_scores_in_zones_matches_local_dates(zone: str) -> None:
    same(PRICES.tz_localize(zone), SCORES)
    same(PRICES.tz_localize(zone), SCORES.tz_localize(zone).tz_convert("UTC"))
    same(PRICES, SCORES.tz_localize(zone))


def test_study_of_texts_with_offsets_matches_the_session(tmp_path: Path) -> None:
    table = long(SCORES, "score")
    table["date"] = table["date"].dt.strftime("%Y-%m-%dT01:30:00Z")
    table.to_csv(tmp_path / "scores.csv", index=False)
    same(PRICES, tmp_path / "scores.csv", close="15:30 Asia/Seoul")


FORMS = ["%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%Y.%m.%d"]


@pytest.mark.parametrize("of_prices", [*FORMS, "number", "date"])
@pytest.mark.parametrize("of_scores", [*FORMS, "number", "date"])
def test_study_of_dates_in_any_form_matches(of_prices: str, of_scores: str) -> None:
    def written(table: pd.DataFrame, form: str) -> pd.DataFrame:
        index = pd.DatetimeIndex(table.index)
        if form == "date":
            return table
        texts = index.strftime("%Y%m%d" if form == "number" else form)
        return table.set_axis((texts.astype(int) if form == "number" else texts).rename("date"))

    same(written(PRICES, of_prices), written(SCORES, of_scores))


def test_study_of_numbered_days_matches_numbers() -> None:
    days = pd.Index(range(1, 31), name="date")
    same(PRICES.set_axis(days), SCORES.set_axis(days))
    table = long(SCORES.set_axis(days), "score").assign(known_at=lambda each: each["date"])
    same(PRICES.set_axis(days), table)
    late = table.assign(known_at=table["date"] + 1)
    assert refusal(PRICES.set_axis(days), late).code == "look-ahead"


def test_sessions_text_of_a_polars_time_is_local() -> None:
    moment = pl.Series([datetime(2026, 1, 2, 0, 30, tzinfo=timezone.utc)])[0]
    assert Sessions.of("15:30 Asia/Seoul").text(moment) == "2026-01-02T09:30:00"
    assert Sessions.of("16:00 America/New_York").text(moment) == "2026-01-01T19:30:00"
