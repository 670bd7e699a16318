from __future__ import annotations

import json

import pytest
from tests.convention_comparison.data import CALM_JUDGED, CALM_RANKED, JUDGED, RANKED

import rankgauge as rg
from rankgauge.conventions import NAMED
from rankgauge.errors import RankgaugeError


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("digits", [2, 4])
def test_identify_value_of_a_convention_finds_that_convention(name: str, digits: int) -> None:
    value = rg.evaluate(CALM_JUDGED, CALM_RANKED, "ndcg@3", convention=name)["ndcg@3"]
    identified = rg.conventions.identify(CALM_JUDGED, CALM_RANKED, "ndcg@3", f"{value:.{digits}f}")
    assert name in identified.matches
    assert all(abs(match - value) <= 10**-digits for match in identified.matches.values())


def test_identify_value_with_more_digits_matches_fewer_conventions() -> None:
    value = rg.evaluate(CALM_JUDGED, CALM_RANKED, "ndcg@3", convention="lenskit")["ndcg@3"]
    few = rg.conventions.identify(CALM_JUDGED, CALM_RANKED, "ndcg@3", f"{value:.1f}").matches
    one = rg.conventions.identify(CALM_JUDGED, CALM_RANKED, "ndcg@3", f"{value:.6f}").matches
    assert set(one) < set(few)


def test_identify_text_with_a_trailing_zero_counts_it_as_a_digit() -> None:
    judgments, ranking = {"q": {"a": 1, "b": 1}}, {"q": ["c", "a"]}
    value = rg.evaluate(judgments, ranking, "ndcg@3", convention="textbook")["ndcg@3"]
    assert 0.38 < value < 0.395
    assert "textbook" in rg.conventions.identify(judgments, ranking, "ndcg@3", "0.4").matches
    assert "textbook" not in rg.conventions.identify(judgments, ranking, "ndcg@3", "0.40").matches


def test_identify_value_above_1_is_read_as_a_percentage() -> None:
    identified = rg.conventions.identify({"q": {"a": 1}}, {"q": ["b", "c", "a"]}, "ndcg@3", "50.0")
    assert identified.percent
    assert "textbook" in identified.matches
    assert "read as a percentage" in str(identified)
    plain = rg.conventions.identify({"q": {"a": 3}}, {"q": ["a"]}, "dcg@3", "3.0")
    assert not plain.percent
    assert "textbook" in plain.matches


def test_identify_value_without_a_match_shows_the_nearest() -> None:
    identified = rg.conventions.identify(JUDGED, RANKED, "ndcg@3", "0.123456")
    assert identified.matches == {}
    assert len(identified.nearest) == 5
    assert "no convention gives 0.123456" in str(identified)
    assert "These come nearest." in str(identified)
    assert json.loads(identified.to_json()) == identified.to_dict()
    assert "<table>" in identified._repr_html_()


def test_identify_of_traits_undefined_in_a_tool_marks_its_convention() -> None:
    value = rg.evaluate(JUDGED, RANKED, "ndcg@3", convention="ranx")["ndcg@3"]
    identified = rg.conventions.identify(JUDGED, RANKED, "ndcg@3", f"{value:.6f}")
    assert identified.unclaimed["ranx"] == ("ties",)
    assert "ranx*" in str(identified)


@pytest.mark.parametrize("value", ["", "half", "nan", "inf", "1,5"])
def test_identify_value_that_is_not_a_number_is_refused(value: str) -> None:
    with pytest.raises(RankgaugeError, match="as it was printed"):
        rg.conventions.identify(JUDGED, RANKED, "ndcg@3", value)
