from __future__ import annotations

import math
import random

from tests.presentation.learner.random_lists import RandomList

import rankgauge as rg
from rankgauge.conventions import NAMED, Convention, get
from rankgauge.errors import RankgaugeError
from rankgauge.measures.gains import CG, NDCG, RBP, Gains
from rankgauge.presentation.learner.rules import Rules, conventions_by_rules

SOURCE = random.Random(7)
LISTS = [
    *(RandomList.drawn(SOURCE) for _ in range(20)),
    *(RandomList.drawn(SOURCE, (0, 0.5, 1, 2.5)) for _ in range(10)),
    RandomList((0.0, None), (0.0,)),
    RandomList(tuple(float(grade % 4) for grade in range(40)), (3.0,) * 5),
]
NEGATIVE = [RandomList.drawn(SOURCE, (-1, 0, 1, 2)) for _ in range(10)]


def values_of(lists: list[RandomList], convention: Convention) -> list[str]:
    """What a convention says of lists, with and without a cutoff, to ten digits; NaN where it has no value."""
    judged = {f"q{at:02}": one.judgments for at, one in enumerate(lists)}
    ranked = {f"q{at:02}": one.ranking for at, one in enumerate(lists)}
    try:
        result = rg.evaluate(judged, ranked, ["ndcg", "ndcg@3"], convention=convention)
    except RankgaugeError as error:
        return [error.code]
    columns = [result.per_query[measure] for measure in ("ndcg", "ndcg@3")]
    return [f"{column.get(query, math.nan):.10f}" for column in columns for query in judged]


def test_conventions_share_rules_exactly_where_no_list_without_ties_tells_them_apart() -> None:
    by_values: dict[tuple[str, ...], list[str]] = {}
    for convention in NAMED.values():
        negative = [value for one in NEGATIVE for value in values_of([one], convention)]
        by_values.setdefault((*values_of(LISTS, convention), *negative), []).append(convention.name)
    assert sorted(conventions_by_rules(NAMED.values()).values()) == sorted(by_values.values())


def test_every_convention_has_one_entry() -> None:
    groups = conventions_by_rules(NAMED.values())
    assert sorted(name for names in groups.values() for name in names) == sorted(NAMED)
    assert 20 < len(groups) < len(NAMED)


def test_rules_of_a_measure_are_its_own_terms() -> None:
    measure = NDCG(gain="binary(2)", ideal="uncut") @ 5
    assert isinstance(measure, Gains)
    rules = Rules.of(NAMED["trec_eval"], measure.under(NAMED["trec_eval"]))
    assert (rules.gain, rules.discount, rules.ideal, rules.k) == ("binary(2)", "log2", "uncut", 5)
    assert Rules.of(NAMED["textbook"], CG.under(NAMED["textbook"])).discount == "none"
    assert Rules.of(NAMED["textbook"], RBP.under(NAMED["textbook"])).discount == "geometric(0.8)"


def test_values_that_only_a_mean_tells_apart_are_one() -> None:
    assert Rules.of(get("textbook(nothing_relevant=nan)")) == Rules.of(get("textbook(nothing_relevant=skip)"))
