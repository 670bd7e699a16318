"""Mappings whose classes run code while they are read: what is borrowed from them must not be gone."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any

import pytest

import rankgauge as rg

MEASURES = ["ndcg@10", "map"]
JUDGED = {f"q{query}": {f"d{item}": item % 3 for item in range(20)} for query in range(30)}
RANKED = {f"q{query}": {f"d{item}": 0.5 * (item * 7 % 20) for item in range(20)} for query in range(30)}


def values(ranked: Any) -> list[Any]:
    result = rg.evaluate(JUDGED, ranked, MEASURES)
    return [result.per_query[measure] for measure in MEASURES]


EXPECTED = values(RANKED)


def test_evaluate_dict_whose_metaclass_runs_code_runs_none_of_it() -> None:
    ranked: dict[str, Any] = {}
    lookups: list[str] = []

    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            if ranked:
                lookups.append(name)
                ranked.clear()  # frees the rows that were borrowed
            return super().__getattribute__(name)

    class Rows(dict[str, float], metaclass=Meta):
        pass

    last = Rows(RANKED["q29"])
    ranked.update({query: dict(rows) for query, rows in RANKED.items()})
    ranked["q29"] = last
    assert values(ranked) == EXPECTED
    assert lookups == []


def defaulting(pairs: Any) -> Any:
    return defaultdict(dict, pairs)


@pytest.mark.parametrize("outer", [dict, defaulting, OrderedDict])
@pytest.mark.parametrize("inner", [dict, defaulting, OrderedDict])
def test_evaluate_subclasses_of_dict_give_the_values_of_dicts(outer: Any, inner: Any) -> None:
    assert values(outer((query, inner(rows)) for query, rows in RANKED.items())) == EXPECTED


class Id:
    """An id that removes the rows of its mapping when it is written as text."""

    def __init__(self, rows: dict[Any, Any]) -> None:
        self.rows = rows

    def __index__(self) -> int:
        self.rows.clear()
        return 7


def test_evaluate_ids_that_clear_the_mapping_see_a_copy() -> None:
    rows: dict[Any, Any] = {}
    rows.update({"d1": 1.0, Id(rows): 0.5, "d2": 0.25})
    ranked: dict[Any, Any] = {}
    ranked.update({"q1": {"d1": 1.0}, Id(ranked): rows, "q2": {"d2": 1.0}})
    judged = {"q1": {"d1": 1}, "7": {"7": 1}, "q2": {"d2": 1}}
    result = rg.evaluate(judged, ranked, "rr")
    assert dict(result.per_query["rr"]) == {"7": 0.5, "q1": 1.0, "q2": 1.0}
