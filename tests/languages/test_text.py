"""Text: a string that is English, and can be written with other digits or in another language."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark

QUERIES = "{n:,} query", "{n:,} queries"
JUDGMENTS = {"q1": {"d1": 3, "d2": 2}, "q2": {"d4": 1}}
RANKING = {"q1": ["d2", "d1"]}


def test_text_is_a_string_in_english() -> None:
    text = Text("{queries} with an empty ranking", queries=Text.counted(2, *QUERIES))
    assert text == "2 queries with an empty ranking"
    assert hash(text) == hash(str(text))
    assert json.dumps([text]) == '["2 queries with an empty ranking"]'
    assert repr(text) == repr(str(text))
    assert type(str(text)) is str


def test_text_in_korean_translates_its_texts_and_leaves_data() -> None:
    query = "ideal rank"  # an id may be any word, also one that is a template
    text = Text("this query is not in the ranking; {}", query)
    assert text.in_language("ko") == "이 질의는 순위에 없음; ideal rank"
    assert Text("this query is not in the ranking; {}", Text(query)).in_language("ko").endswith("이상적 순위")


def test_text_without_a_translation_is_english_but_its_values_are_translated() -> None:
    text = Text("no such template: {}", Text("ideal rank"))
    assert text.in_language("ko") == "no such template: 이상적 순위"


def test_text_in_english_is_itself() -> None:
    text = Text("ideal rank")
    assert text.in_language("en") is text


@pytest.mark.parametrize("braces", ["{", "}", "{}", "{0}", "{n}", "{0.__class__}"])
def test_text_with_braces_in_its_values_keeps_them(braces: str) -> None:
    text = Text("this query is not in the ranking; {}", braces)
    assert text.endswith(f"; {braces}")
    assert text.in_language("ko").endswith(f"; {braces}")
    assert text.in_language("ko").rounded(2).endswith(f"; {braces}")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])  # noqa: S301
def test_text_after_a_copy_is_the_same(duplicate: Callable[[Any], Any]) -> None:
    text = duplicate(Text("What costs most of the missing {}:", 0.16923))
    assert text == "What costs most of the missing 0.1692:"
    assert text.rounded(2) == "What costs most of the missing 0.17:"
    assert text.in_language("ko").rounded(1) == "모자란 0.2 가운데 손실이 가장 큰 아이템:"
    assert duplicate(Text.counted(1, *QUERIES)).in_language("ko") == "질의 1개"


def test_float_with_a_format_keeps_it_whatever_the_digits() -> None:
    text = Text("{level:.0%} from {low}", level=0.95, low=0.51234)
    assert (text, text.rounded(1)) == ("95% from 0.5123", "95% from 0.5")


def test_table_in_korean_leaves_names_of_runs_and_ids() -> None:
    table = Table([Text("mean"), "mean"], [["mean", Text("nothing")]])
    translated = table.in_language("ko")
    assert list(translated.headers) == ["평균", "mean"]
    assert list(translated.rows[0]) == ["mean", "없음"]
    assert list(table.headers) == ["mean", "mean"]


def test_remark_in_korean_has_its_code_and_severity() -> None:
    remark = Remark.of("reversed-scores", Text("the ideal is 0"))
    korean = remark.in_language("ko")
    assert (korean.code, korean.severity, korean.name) == (remark.code, remark.severity, "뒤집힌 점수")
    assert str(korean).startswith("뒤집힌 점수: ")
    assert ". 해결 방법: " in str(korean)
    assert "columns={'rank': …}" in str(korean)
    assert remark.in_language("en") is remark


def test_to_text_in_korean_changes_nothing_that_programs_read() -> None:
    result = rg.evaluate(JUDGMENTS, RANKING, "ndcg@10")
    before = str(result), result.to_json()
    korean = result.to_text(lang="ko")
    assert korean.splitlines()[0].split() == ["지표", "평균", "95%", "하한", "상한", "질의"]
    assert "빠진 질의: 정답은 있으나 순위에 없는 질의 1개; 평균에서 제외 (missing=skip)" in korean
    assert (str(result), result.to_json()) == before
    assert result.to_text() == result.to_text(lang="en") == str(result)


def test_to_text_takes_digits_in_any_language() -> None:
    why = rg.explain(JUDGMENTS, RANKING, "q1", "ndcg@10")
    assert "ndcg@10 = 0.91, " in why.to_text(places=2, lang="ko")


@pytest.mark.parametrize("lang", ["xx", "", "KO", "ko_KR", None, 1])
def test_unknown_language_is_refused(lang: Any) -> None:
    with pytest.raises(RankgaugeError, match=r"expected lang to be one of en, ko") as raised:
        rg.evaluate(JUDGMENTS, RANKING).to_text(lang=lang)
    assert raised.value.code == "unknown-choice"


def test_languages_of_threads_do_not_touch_each_other() -> None:
    result = rg.evaluate(JUDGMENTS, RANKING, "ndcg@10")
    languages = ["ko", "en"] * 20
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda lang: result.to_text(lang=lang), languages))
    assert texts == [result.to_text(lang=lang) for lang in languages]


def test_text_writes_a_number_of_more_digits_than_a_float_has_as_a_power_of_ten() -> None:
    text = Text("mean {} of {:.1f}", 1e200, 2.0)
    assert (text, text.rounded(2)) == ("mean 1.0000e+200 of 2.0", "mean 1.00e+200 of 2.0")
