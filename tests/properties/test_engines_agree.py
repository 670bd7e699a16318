"""The native engine equals the reference on every convention, through mappings and through files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples, grid
from tests.properties.strategies import ALONE, Case, cases, group, judgments_file, mapping, ranking_file

from rankgauge import conventions
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines import native
from rankgauge.engines.reference import engine as reference
from rankgauge.errors import RankgaugeError
from rankgauge.results.evaluation import Evaluation

MANY = examples(1000)


def outcome_of_reference(case: Case) -> Evaluation | None:
    try:
        return reference.evaluate(group(case.judged), group(case.ranked), case.request)
    except RankgaugeError:
        return None


def outcome_of_native(judgments: Judgments, ranking: Ranking, case: Case) -> Evaluation | None:
    try:
        return native.evaluate(judgments, ranking, case.request)
    except RankgaugeError:
        return None


def assert_equal(actual: Evaluation | None, expected: Evaluation | None) -> None:
    if expected is None or actual is None:
        assert actual is expected  # both refuse, or none
        return
    assert actual.queries == expected.queries
    assert actual.counts == expected.counts
    assert actual.texts == expected.texts
    for measure, values in expected.values.items():
        assert list(actual.values[measure]) == pytest.approx(values, rel=1e-12, abs=1e-12, nan_ok=True), str(measure)


@MANY
@given(cases(unique=True, huge=True))
def test_engines_on_any_mappings_agree(case: Case) -> None:
    judgments, ranking = Judgments.from_mapping(mapping(case.judged)), Ranking.from_mapping(mapping(case.ranked))
    assert_equal(outcome_of_native(judgments, ranking, case), outcome_of_reference(case))


@MANY
@given(case=cases(huge=True))
def test_engines_on_any_files_agree(case: Case, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "judgments").write_text(judgments_file(case.judged), encoding="utf-8")
    (folder / "ranking").write_text(ranking_file(case.ranked), encoding="utf-8")
    judgments = Judgments.from_trec(str(folder / "judgments"))
    ranking = Ranking.from_trec(str(folder / "ranking"))
    assert judgments.to_dict() == group(case.judged)
    assert ranking.to_dict() == group(case.ranked)
    assert_equal(outcome_of_native(judgments, ranking, case), outcome_of_reference(case))


@pytest.mark.parametrize("name", grid(conventions.NAMED, 8))
@examples(200)
@given(data=st.data())
def test_engines_under_each_convention_agree(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(unique=True))._replace(convention=conventions.get(name))
    judgments, ranking = Judgments.from_mapping(mapping(case.judged)), Ranking.from_mapping(mapping(case.ranked))
    assert_equal(outcome_of_native(judgments, ranking, case), outcome_of_reference(case))


@pytest.mark.parametrize("name", grid(conventions.NAMED, 6))
def test_engines_on_a_file_read_in_pieces_agree(tmp_path: Path, name: str) -> None:
    """Large enough to be read in pieces, with queries whole, split over pieces and row by row apart."""
    whole = [("whole", f"d{number}", float(-number)) for number in range(3000)]
    apart = [(f"apart{number % 7}", f"d{number}", float(number % 11)) for number in range(9000)]
    split = [("split", f"d{number}", float(number % 5)) for number in range(2000)]
    ranked = split[:1000] + whole + apart + split[1000:]
    judged = [
        (query, f"d{number}", float(number % 4))
        for query in ("whole", "split", "apart3")
        for number in range(0, 3000, 17)
    ]
    (tmp_path / "ranking").write_text(ranking_file(ranked), encoding="utf-8")
    measures = [measure @ 10 if measure.takes_cutoff else measure for measure in ALONE]
    case = Case(judged, ranked, measures, conventions.get(name), None)
    judgments = Judgments.from_mapping(mapping(judged))
    actual = outcome_of_native(judgments, Ranking.from_trec(str(tmp_path / "ranking")), case)
    assert_equal(actual, outcome_of_reference(case))
