"""LightGBM: the metrics `ndcg` and `map`, over scores that are given as initial scores of a model without trees."""

from __future__ import annotations

import functools
from typing import Any, Final

import lightgbm
import numpy as np
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

NO_TREES: Final[dict[str, Any]] = {"min_data_in_leaf": 10**6, "feature_pre_filter": False, "verbosity": -1}
MEAN: Final = "all"


def _rows(case: Case, queries: list[str], reference: lightgbm.Dataset | None = None) -> lightgbm.Dataset:
    items = [(query, item) for query in queries for item in case.ranking[query]]
    return lightgbm.Dataset(
        np.zeros((len(items), 1)),
        [case.judgments[query].get(item, 0.0) for query, item in items],
        group=[len(case.ranking[query]) for query in queries],
        init_score=[case.ranking[query][item] for query, item in items],
        reference=reference,
        params=NO_TREES,
    )


def _ask(case: Case, k: int | None, *, metric: str) -> Printed:
    """Ask about all queries, and about each as a validation set of its own, since only means are printed.

    LightGBM always cuts (at 1 to 5 unless told), so that without a cutoff it is asked to cut where nothing ends.
    """
    queries = case.common()
    cutoff = k or max(len(case.ranking[query]) for query in queries)
    everything = _rows(case, queries)
    history: dict[str, dict[str, list[float]]] = {}
    lightgbm.train(
        {"objective": "lambdarank", "metric": metric, "eval_at": [cutoff], "num_threads": 1, **NO_TREES},
        everything,
        num_boost_round=1,
        valid_sets=[everything, *(_rows(case, [query], everything) for query in queries)],
        valid_names=[MEAN, *queries],
        callbacks=[lightgbm.record_evaluation(history)],
    )
    values = {name: printed[f"{metric}@{cutoff}"][0] for name, printed in history.items()}
    mean = values.pop(MEAN)
    return Printed(values, mean)


REFUSES: Final = {
    "fractional grades": "labels of lambdarank must be whole numbers",
    "negative grades": "labels of lambdarank must not be negative",
    "missing queries": "there are only rows",
}

ADAPTERS = [
    Adapter(
        convention="lightgbm",
        package="lightgbm",
        measure=metric,
        ask=functools.partial(_ask, metric=metric),
        refuses=REFUSES,
    )
    for metric in ("ndcg", "map")
]
