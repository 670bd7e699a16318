"""Evaluations: as bytes, light, copied, and made into results."""

from __future__ import annotations

import contextlib
import copy
import math
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.grids import examples
from tests.properties.strategies import Case, cases, mapping
from tests.results.small_evaluations import evaluated

import rankgauge as rg
from rankgauge import _core
from rankgauge.errors import RankgaugeError
from rankgauge.request import Request
from rankgauge.statistics.moments import UNITS


@examples(200)
@given(cases(unique=True), st.randoms(use_true_random=False))
def test_bytes_that_were_damaged_are_refused_or_give_an_evaluation(case: Case, choice: random.Random) -> None:
    try:
        whole = evaluated(case, {row[0] for row in (*case.judged, *case.ranked)})
    except RankgaugeError:
        return
    forms: list[tuple[bytes, Any]] = [(whole.to_bytes(), _core.Evaluation)]
    if not whole.letters():
        forms.append((whole.light().to_bytes(), _core.LightEvaluation))
    for good, kind in forms:
        assert kind.from_bytes(good).to_bytes() == good
        damaged = bytearray(good)
        damaged[choice.randrange(len(damaged))] ^= 1 << choice.randrange(8)
        with contextlib.suppress(RankgaugeError):  # a value may be another value, and nothing else may happen
            kind.from_bytes(bytes(damaged))
        for data in (good[: choice.randrange(len(good))], good + b"x"):
            with pytest.raises(RankgaugeError, match=r"got bytes cut short|got more bytes"):
                kind.from_bytes(data)


@given(st.binary(max_size=200))
@example(b"rgev\x02\0\0\0" + b"\xff" * 64)
@example(b"rgel\x01\0\0\0" + b"\xff" * 64)
def test_evaluation_from_any_bytes_is_refused(data: bytes) -> None:
    for kind in (_core.Evaluation, _core.LightEvaluation):
        with pytest.raises(RankgaugeError):
            kind.from_bytes(data)


def sums_of(values: list[float]) -> tuple[_core.LightEvaluation, list[float]]:
    """Sum any values by way of a measure that returns them: one query each, cg of one item."""
    judged = {f"q{number}": {"a": value} for number, value in enumerate(values)}
    ranked = {query: ["a"] for query in judged}
    plan = Request.of("cg", "trec_eval(negative=keep)").plan()
    return plan.evaluate(judged, ranked).light(), values


numbers = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@examples(500)
@given(st.lists(numbers, min_size=1, max_size=60))
@example([1e300, 1.0, -1e300, 5e-324])
@example([0.1] * 10)
def test_sums_of_a_light_evaluation_are_exact(values: list[float]) -> None:
    light, values = sums_of(values)
    total, squares = light.sums(0)
    assert total is not None
    assert Fraction(total, UNITS) == sum(map(Fraction, values))
    assert light.aggregates() == [math.fsum(values) / len(values)]
    if all(value == 0 or 1e-100 < abs(value) < 1e100 for value in values):
        assert squares is not None
        assert Fraction(squares, UNITS) == sum(Fraction(value) ** 2 for value in values)


def test_light_evaluation_of_a_text_is_refused() -> None:
    whole = Request.of("relstring@5").plan().evaluate({"q": {"a": 1}}, {"q": ["a"]})
    with pytest.raises(RankgaugeError, match="texts"):
        whole.light()


@examples(300)
@given(cases(unique=True))
def test_means_of_the_light_form_are_those_of_the_whole(case: Case) -> None:
    judged, ranked = mapping(case.judged), mapping(case.ranked)
    try:
        whole = case.request.plan().evaluate(judged, ranked)
        full = rg.Result.of(whole, case.request)
        means = [full[measure] for measure in full.measures]
    except RankgaugeError:
        return
    if whole.letters():
        return
    light = rg.Result.of(whole.light(), case.request)
    assert [light[measure] for measure in light.measures] == pytest.approx(means, rel=0, abs=0, nan_ok=True)
    assert light.counts == full.counts
    assert [row[4] for row in light.table().rows] == [row[4] for row in full.table().rows]


def test_light_result_has_an_interval_and_no_queries() -> None:
    judged = {f"q{number}": {"a": 1} for number in range(30)}
    ranked = {query: ["b"] * (number % 3) + ["a"] for number, query in enumerate(judged)}
    ranked = {query: [f"x{place}" for place in range(len(items) - 1)] + ["a"] for query, items in ranked.items()}
    whole = Request.of("ndcg@10,gm_map,num_rel,gauc").plan().evaluate(judged, ranked)
    light, full = rg.Result.of(whole.light()), rg.Result.of(whole)
    low, high = light.interval("ndcg@10")
    assert (low, high) == pytest.approx(full.interval("ndcg@10"), abs=0.01)
    assert "ndcg@10" in str(light)
    assert light.evaluation.counts == full.evaluation.counts
    with pytest.raises(RankgaugeError, match="light"):
        _ = light.per_query


@pytest.mark.parametrize("other", [3, None, {"ndcg": 1.0}])
def test_result_of_what_is_no_evaluation_is_refused(other: Any) -> None:
    with pytest.raises(TypeError, match="what a plan returns"):
        rg.Result.of(other)


def test_evaluation_is_copied_and_compared_by_content() -> None:
    whole = Request.of("ndcg").plan().evaluate({"q": {"a": 1}}, {"q": ["a"]})
    assert copy.deepcopy(whole) == whole
    assert whole.light() == copy.copy(whole.light())
    other = Request.of("ndcg").plan().evaluate({"q": {"a": 1}}, {"q": ["b", "a"]})
    assert whole != other


def older_bytes(evaluation: _core.Evaluation | _core.LightEvaluation) -> bytes:
    """The bytes of version 2, which end before what version 3 added: the request as typed, and the kind of the ids."""
    added = 8 + len(evaluation.asked.encode()) + isinstance(evaluation, _core.Evaluation)
    written = evaluation.to_bytes()
    return written[:4] + b"\x02" + written[5:-added]


def test_bytes_of_version_2_are_read() -> None:
    whole = Request.of("P@5,coverage@5").plan().evaluate({7: {"a": 1}}, {7: ["a"]})
    for evaluation, kind in ((whole, _core.Evaluation), (whole.light(), _core.LightEvaluation)):
        read = kind.from_bytes(older_bytes(evaluation))
        assert read == evaluation
        assert read.asked == read.request == "precision@5,coverage@5 [trec_eval]"
    with pytest.raises(RankgaugeError, match="another version"):
        _core.Evaluation.from_bytes(b"rgev\x04" + whole.to_bytes()[5:])


def test_result_of_an_evaluation_shows_measures_as_they_were_asked_for() -> None:
    judged, ranked = {"q": {"a": 1}}, {"q": ["a"]}
    evaluation = Request.of("P@5,nDCG@10").plan().evaluate(judged, ranked)
    for each in (evaluation, evaluation.light(), _core.Evaluation.from_bytes(evaluation.to_bytes())):
        assert list(rg.Result.of(each)) == ["P@5", "nDCG@10"]
    assert rg.Result.of(evaluation)["precision@5"] == 0.2
    assert list(rg.Result.of(evaluation, Request.of("precision@5,ndcg@10"))) == ["precision@5", "ndcg@10"]


def test_merge_of_two_spellings_has_the_first() -> None:
    one, other = (
        Request.of(measure).plan().evaluate({query: {"a": 1}}, {query: ["a"]})
        for measure, query in (("P@5", "q1"), ("precision@5", "q2"))
    )
    assert list(rg.Result.of(one.merge(other))) == list(rg.Result.of(one.light().merge(other.light()))) == ["P@5"]
    assert list(rg.Result.of(other.merge(one))) == ["precision@5"]
    assert one.merge(other) == other.merge(one)
    assert one.light().merge(other.light()) == other.light().merge(one.light())
