from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.convention_comparison.data import CALM_JUDGED, CALM_RANKED, JUDGED, RANKED

import rankgauge as rg
from rankgauge.conventions import NAMED
from rankgauge.errors import RankgaugeError


def test_compare_value_of_each_convention_equals_evaluate() -> None:
    compared = rg.conventions.compare(JUDGED, RANKED, "ndcg@3")
    assert {str(one.convention) for one in compared.said} == set(NAMED)
    for one in compared.said:
        if one.refusal is None:
            expected = rg.evaluate(JUDGED, RANKED, "ndcg@3", convention=one.convention)["ndcg@3"]
            assert one.value == expected
        else:
            with pytest.raises(RankgaugeError) as caught:
                rg.evaluate(JUDGED, RANKED, "ndcg@3", convention=one.convention)
            assert one.refusal == str(caught.value)
            assert one.value is one.difference is None


def test_compare_rows_are_sorted_by_value_with_refusals_last() -> None:
    values = [one.value for one in rg.conventions.compare(JUDGED, RANKED, "ndcg@3").said]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=True)
    assert values == known + [None] * (len(values) - len(known))
    assert None in values  # sklearn refuses negative grades


def test_compare_groups_hold_equal_values() -> None:
    groups = rg.conventions.compare(CALM_JUDGED, CALM_RANKED, "ndcg@3").groups()
    assert sum(map(len, groups)) == len(NAMED)
    names = [{str(one.convention) for one in group} for group in groups]
    (with_textbook,) = [group for group in names if "textbook" in group]
    assert {"textbook", "textbook-clipped", "trec_eval", "sklearn"} <= with_textbook
    assert not with_textbook & {"lightgbm", "rectools", "lenskit"}


def test_compare_differs_lists_only_answers_that_this_data_needs() -> None:
    compared = rg.conventions.compare(CALM_JUDGED, CALM_RANKED, "ndcg@3", convention="textbook")
    differs = {str(one.convention): one.differs for one in compared.said}
    assert differs["textbook"] == {}
    assert differs["trec_eval"] == {}  # neither ties nor missing queries, and a cutoff is given
    assert differs["lightgbm"] == {"gain": "exp2", "ideal": "ranked"}
    fuller = {str(one.convention): one.differs for one in rg.conventions.compare(JUDGED, RANKED, "ndcg").said}
    assert fuller["textbook"] == {"default_cutoff": "list", "ties": "given", "missing": "zero"}


def test_compare_of_traits_undefined_in_a_tool_marks_its_convention() -> None:
    unclaimed = {str(one.convention): one.unclaimed for one in rg.conventions.compare(JUDGED, RANKED, "ndcg@3").said}
    assert unclaimed["ranx"] == ("ties",)
    assert set(unclaimed["torchmetrics"]) == {"negative grades", "missing queries"}
    assert unclaimed["textbook"] == ()
    calm = rg.conventions.compare(CALM_JUDGED, CALM_RANKED, "ndcg@3")
    assert not any(one.unclaimed for one in calm.said)
    assert "*" not in str(calm)


def test_compare_with_only_takes_conventions_with_changed_answers() -> None:
    compared = rg.conventions.compare(
        JUDGED, RANKED, "ndcg@3", convention="ranx", only=["ranx", "sklearn(negative=zero)"]
    )
    assert {str(one.convention) for one in compared.said} == {"ranx", "sklearn(negative=zero)"}
    with pytest.raises(RankgaugeError, match="did you mean 'sklearn'"):
        rg.conventions.compare(JUDGED, RANKED, "ndcg@3", only=["sklern"])


def test_compare_takes_the_keywords_of_evaluate(tmp_path: Path) -> None:
    judgments = tmp_path / "judgments.csv"
    judgments.write_text("user,thing,stars\nq1,a,1\nq1,b,2\n", encoding="utf-8")
    columns = {"query": "user", "item": "thing", "grade": "stars"}
    compared = rg.conventions.compare(
        judgments, {"q1": ["c", "a", "b"]}, "ndcg", depth=2, columns_judgments=columns, only=["textbook"]
    )
    expected = rg.evaluate(judgments, {"q1": ["c", "a", "b"]}, "ndcg", depth=2, columns_judgments=columns)["ndcg"]
    (yours,) = [one.value for one in compared.said if str(one.convention) == "trec_eval"]
    assert yours == expected


def test_compare_of_a_measure_that_tools_were_not_asked_about_adds_a_remark() -> None:
    shown = str(rg.conventions.compare(CALM_JUDGED, CALM_RANKED, "map"))
    assert "were asked about map; for the others it is ours" in shown
    assert "lightgbm" in shown.partition("not proven: ")[2]
    assert "not proven" not in str(rg.conventions.compare(CALM_JUDGED, CALM_RANKED, "ndcg@3"))


def test_compare_result_is_printed_and_written_as_json() -> None:
    compared = rg.conventions.compare(JUDGED, RANKED, "ndcg@3")
    assert json.loads(compared.to_json()) == compared.to_dict()
    assert compared._repr_html_().count("<tr>") == len(NAMED) + 1
    text = str(compared)
    assert "refused: " in text
    assert f"conventions: {len(NAMED)} compared" in text
    assert repr(compared) == text
