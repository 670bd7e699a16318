"""ranx: `evaluate` with the measures that it has."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from typing import Final

from ranx import Qrels, Run, evaluate
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import CUTOFFS, Case

# Ours → theirs.
CUT: Final = {
    "ndcg": "ndcg",
    "dcg": "dcg",
    "precision": "precision",
    "recall": "recall",
    "f": "f1",
    "hits": "hits",
    "success": "hit_rate",
    "mrr": "mrr",
    "map": "map",
}
UNCUT: Final = {"r_precision": "r-precision", "rbp.80": "rbp.80", "rbp.95": "rbp.95"}
BURGES: Final = {"ndcg": "ndcg_burges", "dcg": "dcg_burges"}
TIES: Final = {"ties": "the sort is not stable, so the order of equal scores is not defined"}
REMEMBERED: Final[dict[str, tuple[Mapping[str, Mapping[str, float]], Mapping[str, float]]]] = {}


def _names() -> list[str]:
    cut = [name if k is None else f"{name}@{k}" for name in (*CUT.values(), *BURGES.values()) for k in CUTOFFS]
    return [*cut, *UNCUT.values()]


def _everything(case: Case) -> tuple[Mapping[str, Mapping[str, float]], Mapping[str, float]]:
    """Ask for all measures at once, and remember them by the name of the case."""
    if case.name not in REMEMBERED:
        run = Run(case.ranking)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Other queries on one side than on the other are an error, whose message names this switch.
            means = evaluate(Qrels(case.judgments), run, _names(), make_comparable=True)
        REMEMBERED[case.name] = (run.scores, means)
    return REMEMBERED[case.name]


def _ask(case: Case, k: int | None, *, name: str) -> Printed:
    """Ask for the values by query and the mean."""
    values, means = _everything(case)
    asked = name if k is None else f"{name}@{k}"
    return Printed({query: float(value) for query, value in values[asked].items()}, float(means[asked]))


def _adapter(convention: str, measure: str, name: str, refuses: Mapping[str, str]) -> Adapter:
    ask = functools.partial(_ask, name=name)
    return Adapter(convention=convention, package="ranx", measure=measure, ask=ask, refuses=refuses)


ADAPTERS = [
    *(_adapter("ranx", measure, name, TIES) for measure, name in CUT.items()),
    *(_adapter("ranx", measure, name, TIES | {"cut": "it has no cutoff"}) for measure, name in UNCUT.items()),
    *(_adapter("ranx-burges", measure, name, TIES) for measure, name in BURGES.items()),
]
