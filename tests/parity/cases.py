"""The inputs that every tool is asked about: calm ones, random ones and nasty ones, the same on every machine.

Pure Python, since the tools run in environments of their own that have little in common.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

Judgments = dict[str, dict[str, float]]
Ranking = dict[str, dict[str, float]]

CUTOFFS: Final = (1, 3, 10, 50, None)
ITEMS: Final = [f"d{number:03}" for number in range(60)]


@dataclass(frozen=True)
class Case:
    """Grades and scores by query and item. The rows of a query come in the order of the dict."""

    name: str
    judgments: Judgments
    ranking: Ranking

    def grades(self) -> Iterator[float]:
        """Yield all grades."""
        return (grade for items in self.judgments.values() for grade in items.values())

    def common(self) -> list[str]:
        """Return the queries that are judged and ranked, in the order of their ids."""
        return sorted(self.judgments.keys() & self.ranking.keys())

    def ranked(self, query: str) -> list[str]:
        """Return the items of a query, highest score first; those with equal scores in the order given."""
        return sorted(self.ranking[query], key=self.ranking[query].__getitem__, reverse=True)


def in_32_bits(score: float) -> float:
    """Return the nearest 32-bit float."""
    return float(struct.unpack("f", struct.pack("f", score))[0])


def _any_query(condition: Callable[[Case, str], bool]) -> Callable[[Case, int | None], bool]:
    return lambda case, _: any(condition(case, query) for query in case.common())


# What may be too much for a tool. A tool that is not asked about a trait says why.
TRAITS: Final[dict[str, Callable[[Case, int | None], bool]]] = {
    "cut": lambda _, k: k is not None,
    "uncut": lambda _, k: k is None,
    "ties": _any_query(lambda case, query: len(set(case.ranking[query].values())) < len(case.ranking[query])),
    "near ties": _any_query(
        lambda case, query: (
            len({in_32_bits(score) for score in case.ranking[query].values()}) < len(set(case.ranking[query].values()))
        )
    ),
    "graded": lambda case, _: any(grade not in (0, 1) for grade in case.grades()),
    "fractional grades": lambda case, _: any(grade != int(grade) for grade in case.grades()),
    "negative grades": lambda case, _: any(grade < 0 for grade in case.grades()),
    "high grades": lambda case, _: any(grade > 4 for grade in case.grades()),
    "judged 0": lambda case, _: any(grade == 0 for grade in case.grades()),
    "nothing relevant": lambda case, _: any(max(items.values()) <= 0 for items in case.judgments.values()),
    "several relevant items": lambda case, _: any(
        sum(grade > 0 for grade in items.values()) > 1 for items in case.judgments.values()
    ),
    "missing queries": lambda case, _: bool(case.judgments.keys() - case.ranking.keys()),
    "unjudged queries": lambda case, _: bool(case.ranking.keys() - case.judgments.keys()),
    "unjudged items": _any_query(lambda case, query: bool(case.ranking[query].keys() - case.judgments[query].keys())),
    "relevant items not ranked": _any_query(
        lambda case, query: any(
            grade > 0 and item not in case.ranking[query] for item, grade in case.judgments[query].items()
        )
    ),
    "one item": _any_query(lambda case, query: len(case.ranking[query]) == 1),
    "short lists": lambda case, k: k is not None and any(len(case.ranking[query]) < k for query in case.common()),
    "uneven lists": lambda case, _: len({len(case.ranking[query]) for query in case.common()}) > 1,
    "unsorted rows": _any_query(lambda case, query: case.ranked(query) != list(case.ranking[query])),
    "item of the query's id": _any_query(lambda case, query: query in case.ranking[query]),
}


def traits(case: Case, k: int | None) -> set[str]:
    """Return what is special about a case at a cutoff."""
    return {name for name, has in TRAITS.items() if has(case, k)}


def make(
    name: str,
    seed: int,
    *,
    grades: Sequence[float] = (0, 0, 1, 2, 3, 4),
    score: Callable[[random.Random], float] = random.Random.random,
    judged: tuple[int, int] = (1, 25),
    ranked: tuple[int, int] = (1, 40),
    inside: float = 0.8,
    sort: bool = False,
    queries: int = 12,
) -> Case:
    """Draw judgments and a ranking; `inside` is the share of the judged items that are ranked."""
    source = random.Random(f"{name} {seed}")
    judgments: Judgments = {}
    ranking: Ranking = {}
    for number in range(1, queries + 1):
        query = str(number)
        items = source.sample(ITEMS, source.randint(*ranked))
        others = [item for item in ITEMS if item not in items]
        pool = [source.choice(items if source.random() < inside else others) for _ in range(source.randint(*judged))]
        judgments[query] = {item: source.choice(grades) for item in pool}
        # No tool is asked what it makes of no judgment above 0 unless the case is about it.
        judgments[query][pool[0]] = max(grades)
        ranking[query] = {item: score(source) for item in items}
        if sort:
            ranking[query] = dict(sorted(ranking[query].items(), key=lambda row: -row[1]))
    return Case(f"{name} {seed}", judgments, ranking)


def _whole_rows(name: str, seed: int, **how: object) -> Case:
    """Draw a case in which the judged items are the ranked ones, as learning to rank has it."""
    case = make(name, seed, **how)  # type: ignore[arg-type]
    judgments = {
        query: {item: case.judgments[query].get(item, 0) for item in case.ranking[query]} for query in case.ranking
    }
    for query, items in judgments.items():
        items[next(iter(items))] = max(case.judgments[query].values())
    return Case(case.name, judgments, case.ranking)


def _without(case: Case, *, judged: Sequence[str] = (), ranked: Sequence[str] = ()) -> Case:
    judgments = {query: items for query, items in case.judgments.items() if query not in judged}
    ranking = {query: items for query, items in case.ranking.items() if query not in ranked}
    return Case(case.name, judgments, ranking)


def _worthless(case: Case, *queries: str) -> Case:
    judgments = {q: dict.fromkeys(items, 0.0) if q in queries else items for q, items in case.judgments.items()}
    return Case(case.name, judgments, case.ranking)


def _with_own_ids(case: Case) -> Case:
    ranking = {query: {**items, query: 2.0} if int(query) % 2 else items for query, items in case.ranking.items()}
    return Case(case.name, case.judgments, ranking)


def _one_of_six(source: random.Random) -> float:
    return source.randrange(6) / 2


SEEDS: Final = (0, 1, 2)
LONG: Final = {"ranked": (50, 50), "sort": True}


def all_cases(seeds: Sequence[int] = SEEDS) -> list[Case]:
    """Return every case, in a fixed order."""
    cases = []
    for seed in seeds:
        cases += [
            make("held-out", seed, grades=(1,), **LONG),  # type: ignore[arg-type]
            make("held-out, all found", seed, grades=(1,), inside=1.0, **LONG),  # type: ignore[arg-type]
            make("held-out, short lists", seed, grades=(1,)),
            make("one held-out", seed, grades=(1,), judged=(1, 1), **LONG),  # type: ignore[arg-type]
            make("one held-out, found", seed, grades=(1,), judged=(1, 1), inside=1.0),
            make("one held-out, ties", seed, grades=(1,), judged=(1, 1), inside=1.0, score=_one_of_six),
            make("graded", seed, **LONG),  # type: ignore[arg-type]
            make("graded, any order", seed),
            _whole_rows("rows", seed, ranked=(50, 50)),
            _whole_rows("rows of many lengths", seed),
            _whole_rows("rows with ties", seed, score=_one_of_six),
            _whole_rows("binary rows", seed, grades=(0, 1)),
            make("ties", seed, score=_one_of_six),
            make("ties of all", seed, score=lambda _: 1.0),
            make("near ties", seed, score=lambda source: 1.0 + source.randrange(6) * 3e-8),
            make("wide scores", seed, score=lambda source: source.choice((-1, 1)) * 10.0 ** source.randrange(-30, 30)),
            make("fractional grades", seed, grades=(0, 0.1, 0.5, 0.7, 1)),
            make("fractional grades above 1", seed, grades=(0, 0.5, 1.9, 3.5)),
            make("negative grades", seed, grades=(-2, -1, 0, 1, 2, 3)),
            make("high grades", seed, grades=(0, 1, 5, 10)),
            _worthless(make("nothing relevant", seed), "2", "5"),
            _worthless(_whole_rows("rows, nothing relevant", seed), "2", "5"),
            _without(make("missing queries", seed), ranked=("3", "7")),
            _without(make("held-out, missing users", seed, grades=(1,), **LONG), ranked=("3", "7")),  # type: ignore[arg-type]
            _without(make("unjudged queries", seed), judged=("4",)),
            make("one item", seed, ranked=(1, 1)),
            _with_own_ids(make("items of the query's id", seed)),
        ]
    return cases
