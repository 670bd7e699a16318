"""XGBoost: the metrics `ndcg`, `map` and `auc`; scores are given as the base margin of a model without trees."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Final

import numpy as np
import xgboost
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

MEAN: Final = "all"
ONLY_ROWS: Final = {"missing queries": "there are only rows"}
WHOLE: Final = {
    "fractional grades": "with exponential gain, labels must be whole numbers",
    "negative grades": "with exponential gain, labels must not be negative",
}


def _rows(case: Case, queries: list[str]) -> xgboost.DMatrix:
    items = [(query, item) for query in queries for item in case.ranking[query]]
    return xgboost.DMatrix(
        np.zeros((len(items), 1)),
        [case.judgments[query].get(item, 0.0) for query, item in items],
        group=[len(case.ranking[query]) for query in queries],
        base_margin=[case.ranking[query][item] for query, item in items],
        nthread=1,
    )


def _ask(case: Case, k: int | None, *, measure: str, suffix: str, exp_gain: bool) -> Printed:
    """Ask about all queries, and about each alone, since only means are printed."""
    queries = case.common()
    sets = [(_rows(case, queries), MEAN), *((_rows(case, [query]), query) for query in queries)]
    metric = f"{measure}@{k}{suffix}" if k else f"{measure}{suffix}"
    booster = xgboost.Booster(
        {"objective": "rank:ndcg", "eval_metric": metric, "ndcg_exp_gain": exp_gain, "nthread": 1}, [sets[0][0]]
    )
    values = {}
    for pair in str(booster.eval_set(sets)).split("\t")[1:]:
        name, _, number = pair.rpartition(":")
        values[name.partition("-")[0]] = float(number)
    mean = values.pop(MEAN)
    # A query of which it makes no number is left out of its mean.
    return Printed({query: value for query, value in values.items() if not math.isnan(value)}, mean)


MAP: Final = {"graded": "map takes labels 0 and 1 only"}
AUC: Final = {"cut": "auc has no cutoff"}


def _adapter(
    convention: str, refuses: Mapping[str, str], *, measure: str = "ndcg", suffix: str = "", exp_gain: bool = True
) -> Adapter:
    return Adapter(
        convention=convention,
        package="xgboost-cpu",
        measure=measure,
        ask=functools.partial(_ask, measure=measure, suffix=suffix, exp_gain=exp_gain),
        refuses={**ONLY_ROWS, **refuses},
        # Labels are 32-bit floats, which whole numbers do not show.
        within=1e-9 if exp_gain else 1e-7,
    )


ADAPTERS = [
    _adapter("xgboost", WHOLE),
    _adapter("xgboost-minus", WHOLE, suffix="-"),
    _adapter("xgboost-linear", {}, exp_gain=False),
    _adapter("xgboost", WHOLE | MAP, measure="map"),
    _adapter("xgboost-minus", WHOLE | MAP, measure="map", suffix="-"),
    _adapter("xgboost-linear", MAP, measure="map", exp_gain=False),
    _adapter("xgboost", WHOLE | AUC, measure="auc"),
    _adapter("xgboost-linear", AUC, measure="auc", exp_gain=False),
]
