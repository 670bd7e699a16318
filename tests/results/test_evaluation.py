"""Evaluations: merged, light, pickled, and made into results."""

from __future__ import annotations

import contextlib
import copy
import math
import multiprocessing
import pickle
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.grids import examples
from tests.properties.strategies import ALONE, Case, Rows, cases, mapping

import rankgauge as rg
from rankgauge import _core
from rankgauge.conventions import NAMED
from rankgauge.errors import RankgaugeError
from rankgauge.request import Request
from rankgauge.statistics.moments import UNIT


def of_queries(rows: Rows, queries: set[str]) -> dict[str, dict[str, float]]:
    return {query: items for query, items in mapping(rows).items() if query in queries}


def evaluated(case: Case, queries: set[str]) -> _core.Evaluation:
    return case.request.plan().evaluate(of_queries(case.judged, queries), of_queries(case.ranked, queries))


def parts_of(case: Case, split: random.Random) -> list[_core.Evaluation]:
    """Evaluate the queries in a few parts, each query in one."""
    queries = sorted({row[0] for row in (*case.judged, *case.ranked)})
    numbers = {query: split.randrange(3) for query in queries}
    groups = [{query for query in queries if numbers[query] == number} for number in range(3)]
    return [evaluated(case, queries) for queries in groups]


@examples(500)
@given(cases(unique=True), st.randoms(use_true_random=False))
def test_merge_of_any_split_in_any_order_and_tree_equals_the_whole(case: Case, split: random.Random) -> None:
    try:
        whole = evaluated(case, {row[0] for row in (*case.judged, *case.ranked)})
    except RankgaugeError:
        return
    parts = parts_of(case, split)
    split.shuffle(parts)
    first, second, third = parts
    sent = pickle.loads(pickle.dumps(third))  # noqa: S301 - made here
    for merged in (first.merge(second, sent), first.merge(second).merge(third), sent.merge(second.merge(first))):
        assert merged.to_bytes() == whole.to_bytes()
    if whole.letters():
        return
    light = whole.light().to_bytes()
    assert first.light().merge(second.light(), third.light()).to_bytes() == light
    assert third.light().merge(first.light()).merge(second.light()).to_bytes() == light


def in_another_process(part: tuple[str, Any, Any]) -> bytes:
    text, judged, ranked = part
    return Request.parse(text).plan().evaluate(judged, ranked).to_bytes()


def test_merge_of_parts_from_other_processes_equals_the_whole() -> None:
    """Every measure without annotations, in new processes: what a hash of a process decides would differ."""
    measures = ",".join(str(measure) for measure in ALONE)
    text = str(Request.of(measures))
    judged = {f"q{number}": {f"d{item}": item % 4 for item in range(number, number + 9)} for number in range(12)}
    ranked = {query: [*reversed(items), "x"] for query, items in judged.items()}
    parts = [(text, {query: judged[query]}, {query: ranked[query]}) for query in random.Random(0).sample([*judged], 12)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        evaluations = [_core.Evaluation.from_bytes(sent) for sent in pool.map(in_another_process, parts)]
    whole = Request.parse(text).plan().evaluate(judged, ranked)
    assert evaluations[0].merge(*evaluations[1:]).to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("name", NAMED)
def test_merge_under_every_convention_equals_the_whole(name: str) -> None:
    judged = {f"q{number}": {f"d{item}": (item + number) % 3 for item in range(6)} for number in range(6)}
    ranked = {
        query: {item: number // 2 for number, item in enumerate(items)}
        for query, items in judged.items()
        if query != "q3"
    }
    plan = Request.of("ndcg@3,map,gm_map,gauc,coverage@2,num_ret", name).plan()
    parts = [plan.evaluate({query: judged[query]}, {query: ranked.get(query, {})}) for query in judged if query != "q3"]
    if plan.request.convention.missing != "error":
        parts.append(plan.evaluate({"q3": judged["q3"]}, {}))
        whole = plan.evaluate(judged, ranked)
        assert parts[0].merge(*parts[1:]).to_bytes() == whole.to_bytes()
        assert (
            rg.Result.of(whole).to_dict() == rg.evaluate(judged, ranked, plan.request.labels, convention=name).to_dict()
        )


def test_merge_with_a_query_in_both_is_refused() -> None:
    part = Request.of("ndcg").plan().evaluate({"q": {"a": 1}}, {"q": ["a"]})
    with pytest.raises(RankgaugeError, match="'q' in two"):
        part.merge(part)


def test_merge_of_different_requests_is_refused() -> None:
    first, second = (Request.of(text).plan().evaluate({"q": {"a": 1}}, {"q": ["a"]}) for text in ("ndcg", "map"))
    with pytest.raises(RankgaugeError, match="one plan"):
        first.merge(second)
    with pytest.raises(RankgaugeError, match="one plan"):
        first.light().merge(second.light())


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
def test_any_bytes_are_refused(data: bytes) -> None:
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
    assert total * UNIT == sum(map(Fraction, values))
    assert light.aggregates() == [math.fsum(values) / len(values)]
    if all(value == 0 or 1e-100 < abs(value) < 1e100 for value in values):
        assert squares is not None
        assert squares * UNIT == sum(Fraction(value) ** 2 for value in values)


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
