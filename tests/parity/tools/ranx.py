"""ranx: `evaluate` with `ndcg` and `ndcg_burges`."""

from __future__ import annotations

from ranx import Qrels, Run, evaluate
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def _ask(case: Case, k: int | None, measure: str) -> Printed:
    name = measure if k is None else f"{measure}@{k}"
    run = Run(case.ranking)
    # Other queries on one side than on the other are an error, whose message names the switch that is used here.
    mean = evaluate(Qrels(case.judgments), run, name, make_comparable=True)
    return Printed({query: float(value) for query, value in run.scores[name].items()}, float(mean))


def ask(case: Case, k: int | None) -> Printed:
    """Ask for the measure with the grade as gain."""
    return _ask(case, k, "ndcg")


def ask_burges(case: Case, k: int | None) -> Printed:
    """Ask for the measure with an exponential gain."""
    return _ask(case, k, "ndcg_burges")


REFUSES = {"ties": "the sort is not stable, so the order of equal scores is not defined"}

ADAPTERS = [
    Adapter(convention="ranx", package="ranx", ask=ask, refuses=REFUSES),
    Adapter(convention="ranx-burges", package="ranx", ask=ask_burges, refuses=REFUSES),
]
