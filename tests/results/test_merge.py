"""Evaluations of parts of the queries, merged: equal to the evaluation of the whole, bit for bit."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples
from tests.properties.strategies import Case, cases
from tests.results.evaluated_parts import MISSING, QUERIES, UNJUDGED, evaluate, requests
from tests.results.small_evaluations import evaluated

import rankgauge as rg
from rankgauge import _core
from rankgauge.conventions import NAMED
from rankgauge.errors import RankgaugeError
from rankgauge.request import Request

ROOT = Path(__file__).parents[2]


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


def evaluated_elsewhere(queries: list[str], hash_seed: int) -> list[_core.Evaluation]:
    """Evaluate all requests on some queries in a process with its own seed of hashes."""
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-m", "tests.results.evaluated_parts", ",".join(queries)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    sent: list[bytes] = pickle.loads(done.stdout)  # noqa: S301 - made here
    return [
        _core.Evaluation.from_bytes(each) if number % 2 else pickle.loads(each)  # noqa: S301 - made here
        for number, each in enumerate(sent)
    ]


def merged_in_a_tree(parts: list[Any], source: random.Random) -> Any:
    """Merge two parts or more at a time, in any order, until one is left."""
    while len(parts) > 1:
        source.shuffle(parts)
        count = source.randrange(2, len(parts) + 1)
        first, *others = parts[:count]
        parts = [first.merge(*others), *parts[count:]]
    return parts[0]


def test_merge_of_every_measure_and_convention_from_other_processes_equals_the_whole() -> None:
    queries, source = [*QUERIES, UNJUDGED], random.Random(14)
    source.shuffle(queries)
    parts = [queries[:1], queries[1:4], queries[4:9], queries[9:]]
    by_process = [evaluated_elsewhere(part, hash_seed) for hash_seed, part in enumerate(parts, start=1)]
    for request, *evaluations in zip(requests(), *by_process, strict=True):
        whole = evaluate(request, [*QUERIES, UNJUDGED])
        assert merged_in_a_tree(evaluations, source) == whole, str(request)
        assert merged_in_a_tree(evaluations, source).to_bytes() == whole.to_bytes(), str(request)
        if not whole.letters():
            light = merged_in_a_tree([each.light() for each in evaluations], source)
            assert light.to_bytes() == whole.light().to_bytes(), str(request)


def test_merge_counts_missing_and_unjudged_queries_of_the_parts() -> None:
    whole = evaluate(Request.of("ndcg@10"), [*QUERIES, UNJUDGED])
    counts = rg.Result.of(whole).counts
    assert (counts["judged"], counts["missing"], counts["ignored"]) == (len(QUERIES), 1, 1)
    assert MISSING not in whole.queries()


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
