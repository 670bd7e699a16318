from __future__ import annotations

import json
import math
from statistics import median

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines
from tests.stocks.market import MEASURES, forward, framed, known, noise, text_of, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.presentation.table import Table
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.statistics.timeseries import effective_number
from rankgauge.stocks.study import study

PRICES = wandering(days=80)
SCORES = noise(PRICES)
STUDY = study(PRICES, SCORES, k=4)


def test_study_item_is_the_summary_of_its_column() -> None:
    assert STUDY.care.overlap == 4
    for measure, chance in STUDY.chances.items():
        row, values = STUDY[measure], known(STUDY.per_date[measure])
        assert row.days == len(values) == (74 if measure == "turnover" else 75)
        assert row.mean == pytest.approx(np.mean(values))
        assert row.median == median(values)
        if measure == "turnover":
            assert all(map(math.isnan, (row.chance, row.above, row.low, row.high, row.t, row.p, row.degrees)))
            continue
        above = [value - base for value, base in zip(values, chance, strict=True)]
        assert row.chance == pytest.approx(np.mean(chance))
        assert row.effective == effective_number(above, 8)
        assert row.above == pytest.approx(np.mean(above))
        if measure in ("top_return", "spread"):  # tests/stocks/test_tranches.py
            assert row.degrees == 75 + 5 - 2
            continue
        skill = mean_over_dates(above, 5)
        assert (row.above, row.t, row.p, row.degrees) == (skill.mean, skill.t, skill.p, 75 / 9)
        assert (row.low, row.high) == (skill.low, skill.high)


def test_per_date_column_of_nan_stays_numeric() -> None:
    per_date = study(PRICES, SCORES.iloc[:1], k=4).per_date
    assert per_date.to_pandas()["turnover"].dtype == np.float64
    assert per_date.to_polars()["turnover"].dtype == pl.Float64
    assert pl.DataFrame(per_date)["turnover"].dtype == pl.Float64


def test_study_by_year_summarises_each_year() -> None:
    prices = wandering(days=300)
    actual = study(prices, noise(prices), k=4)
    frame = actual.per_date.to_pandas().assign(chance=actual.chances["ndcg@4"])
    table = actual.by_year()
    assert table.headers == ["year", "days", "ndcg@4", "chance", "t", "rank_ic", "top_return", "spread"]
    assert [row[0] for row in table.rows] == ["2020", "2021"]
    for row in table.rows:
        part = frame[frame["date"].str.startswith(str(row[0]))]
        assert row[1] == len(part)
        assert row[2:4] == pytest.approx([part["ndcg@4"].mean(), part["chance"].mean()])
        expected = mean_over_dates((part["ndcg@4"] - part["chance"]).tolist(), 5).t
        assert (row[4] is None) == math.isnan(expected) == (row[0] == "2021")
        assert row[4] is None or row[4] == pytest.approx(expected)
        assert row[5:] == pytest.approx([part[name].mean() for name in ("rank_ic", "top_return", "spread")])


@pytest.mark.parametrize("excess", [None, "mean"])
def test_study_by_market_summarises_rising_and_falling_dates(excess: str | None) -> None:
    """Whether the market rose is a matter of returns as they were traded, in excess or not."""
    actual = study(PRICES, SCORES, k=4, excess=excess)
    rose = forward(PRICES, 5).iloc[:75].mean(axis="columns") > 0
    assert list(actual.rose) == rose.tolist()
    table = actual.by_market()
    assert [row[:2] for row in table.rows] == [["up", rose.sum()], ["down", (~rose).sum()]]
    values = np.array(actual.per_date["rank_ic"])
    assert [row[5] for row in table.rows] == pytest.approx([values[rose].mean(), values[~rose].mean()])


def test_study_by_market_that_only_rises_has_no_falling_dates() -> None:
    prices = framed([[100.0 + day * (1 + stock) for stock in range(6)] for day in range(12)])
    up, down = study(prices, noise(prices), k=2).by_market().rows
    assert (up[1], down[1]) == (7, 0)
    assert set(down[2:]) == {None}


def test_study_best_and_worst_are_furthest_from_chance() -> None:
    frame = STUDY.per_date.to_pandas()
    above = (frame["ndcg@4"] - frame["random_ndcg@4"]).sort_values(kind="stable")
    for days in (1, 3, 75, 100):
        assert [row[0] for row in STUDY.worst(days).rows] == frame["date"][above.index[:days]].tolist()
        assert [row[2] for row in STUDY.best(days).rows] == frame["ndcg@4"][above.index[::-1][:days]].tolist()
    assert STUDY.best().headers[:3] == ["best", "n", "ndcg@4"]
    assert STUDY.worst().headers[:3] == ["worst", "n", "ndcg@4"]
    assert len(STUDY.best().rows) == len(STUDY.worst().rows) == 3


def test_study_best_of_equal_dates_is_the_first() -> None:
    prices = framed([[100.0 + day * (1 + stock) for stock in range(6)] for day in range(12)])
    scores = pd.DataFrame([range(6)] * 12, index=prices.index, columns=prices.columns)
    actual = study(prices, scores, k=2)
    first = list(actual.per_date["date"][:3])
    assert [row[0] for row in actual.best().rows] == [row[0] for row in actual.worst().rows] == first


def test_per_date_exported_has_all_columns() -> None:
    names = ["date", "n", "ndcg@4", "random_ndcg@4", "corrected_ndcg@4", *MEASURES]
    frame = STUDY.per_date.to_pandas()
    assert list(frame) == names
    assert len(frame) == len(STUDY.per_date) == 75
    for name in names[1:]:
        expected = list(STUDY.per_date[name])
        assert frame[name].tolist() == pytest.approx(expected, nan_ok=True)
        for table in (STUDY.per_date.to_polars(), pl.DataFrame(STUDY.per_date)):
            assert table.columns == names
            assert table[name].cast(pl.Float64).fill_null(math.nan).to_list() == pytest.approx(expected, nan_ok=True)
    assert pl.DataFrame(STUDY.per_date)["date"].to_list() == list(STUDY.per_date["date"])
    assert STUDY.per_date.to_polars()["turnover"].null_count() == 1
    assert STUDY.per_date["date"] == [text_of(date) for date in PRICES.index[:75]]
    assert "2020-01-01" in repr(STUDY.per_date)
    assert "<td>2020-01-01</td>" in STUDY.per_date._repr_html_()


def refuse(constant: str) -> None:
    raise AssertionError(constant)


def test_study_json_is_complete_without_nan() -> None:
    values = json.loads(STUDY.to_json(per_date=True), parse_constant=refuse)
    assert (values["convention"], values["k"], values["horizon"]) == ("trec_eval(ties=average,unjudged=drop)", 4, 5)
    assert values["dates"] == 75
    assert values["measures"].keys() == STUDY.chances.keys()
    assert values["measures"]["ndcg@4"] == STUDY["ndcg@4"]._asdict()
    assert values["measures"]["turnover"]["chance"] is None
    assert values["care"] == STUDY.care._asdict()
    assert [row["year"] for row in values["by_year"]] == ["2020"]
    assert [row["market"] for row in values["by_market"]] == ["up", "down"]
    assert values["best"][0]["ndcg@4"] == max(STUDY.per_date["ndcg@4"])
    assert values["worst"][0]["ndcg@4"] == min(STUDY.per_date["ndcg@4"])
    assert values["audit"]["rows"] == 960
    assert values["remarks"] == [remark.to_dict() for remark in STUDY.remarks]
    assert values["per_date"]["turnover"][0] is None
    assert values["per_date"]["ndcg@4"] == list(STUDY.per_date["ndcg@4"])
    assert "per_date" not in json.loads(STUDY.to_json(), parse_constant=refuse)


def test_study_printed_has_all_parts() -> None:
    text = str(STUDY)
    assert repr(STUDY) == text
    tables = [STUDY.table(), STUDY.over_days(), STUDY.by_market(), STUDY.by_year(), STUDY.best(), STUDY.worst()]
    assert all(table.to_text() in text for table in tables)
    assert all(line in text for line in lines(STUDY.remarks))
    assert "nan" not in text
    assert all(line in text for line in ("shares returns with 4 later dates", "of mean − chance", "Hansen and Hodrick"))
    with_dates = STUDY.parts(per_date=True)
    assert with_dates[0] == STUDY.per_date.table()
    assert with_dates[2:] == STUDY.parts()
    for table in (STUDY.table(), STUDY.over_days(), STUDY.rows_table()):
        assert [row[0] for row in table.rows] == list(STUDY.chances)


def test_study_tables_fit_a_terminal() -> None:
    shown = [part for part in study(PRICES, SCORES, k=10).parts() if isinstance(part, Table)]
    widths = [max(map(len, table.to_text().splitlines())) for table in shown]
    assert widths[0] <= 80
    assert max(widths) <= 100
    assert max(map(len, study(PRICES, SCORES, k=10, tried=9).table().to_text().splitlines())) <= 110


def test_study_of_several_tries_has_their_columns() -> None:
    tried = study(PRICES, SCORES, k=4, tried=20)
    assert tried.table().headers[-2:] == ["adjusted p", "deflated t"]
    assert tried["rank_ic"] == STUDY["rank_ic"].after(20)
    assert lines(tried.remarks, "tries")
    assert not lines(STUDY.remarks, "tries")
    assert json.loads(tried.to_json())["tried"] == 20
    with pytest.raises(RankgaugeError, match="tried"):
        study(PRICES, SCORES, k=4, tried=0)


def test_study_html_shows_the_tables_and_escapes() -> None:
    assert STUDY._repr_html_().count("<table>") == 7
    dates = [f"{text_of(date)} <b>&" for date in PRICES.index]
    actual = study(PRICES.set_axis(dates).rename_axis("date"), SCORES.set_axis(dates).rename_axis("date"), k=4)
    html = actual._repr_html_()
    assert "2020-01-01 &lt;b&gt;&amp;" in actual.per_date._repr_html_()
    assert "&lt;b&gt;&amp;</td>" in html
    assert "<b>" not in html


def test_study_item_of_unknown_measure_raises() -> None:
    actual = study(PRICES, SCORES, k=4)
    assert actual["universe_return"].days == len(actual.per_date)
    with pytest.raises(RankgaugeError, match="did you mean 'ndcg@4'"):
        actual["ndcg"]


def test_study_by_year_of_numbered_days_is_empty() -> None:
    days = pd.Index(range(len(PRICES)), name="date")
    actual = study(PRICES.set_axis(days), SCORES.set_axis(days[: len(SCORES)]), k=4)
    assert actual.by_year().rows == []
    assert "year" not in str(actual)


def test_study_by_year_with_few_dates_has_no_t() -> None:
    prices = wandering(days=270)
    table = study(prices, noise(prices), k=4).by_year()
    assert [(row[1], row[4] is None) for row in table.rows] == [(262, False), (3, True)]


def test_study_tables_have_html() -> None:
    table = study(PRICES, SCORES, k=4).by_market()
    assert str(table).startswith("market")
    assert table._repr_html_().startswith("<table>")
