"""recometrics: `calc_reco_metrics`, whose factors are the scores themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from recometrics import calc_reco_metrics
from scipy.sparse import csr_matrix
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import CUTOFFS, Case

# The whole catalogue is ranked. After the items of the case come as many that are worth nothing as the longest cutoff.
OTHERS = max(k for k in CUTOFFS if k is not None)


def _scores(scores: dict[str, float], items: list[str]) -> list[float]:
    """Return the scores of the items, then of the others; what is not ranked comes after the others."""
    last = min(scores.values()) - 1.0
    unranked = last - abs(last) - 1.0
    return [scores.get(item, unranked) for item in items] + [last] * OTHERS


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the default k if there is none. The mean is the caller's."""
    users = sorted(case.ranking)
    items = sorted({item for rows in (case.judgments, case.ranking) for scores in rows.values() for item in scores})
    grades: Any = np.zeros((len(users), len(items) + OTHERS))
    for row, user in enumerate(users):
        for item, grade in case.judgments.get(user, {}).items():
            grades[row, items.index(item)] = grade
    scores = np.array([_scores(case.ranking[user], items) for user in users], dtype=np.float64)
    cutoff = {} if k is None else {"k": k}
    table = calc_reco_metrics(
        None, csr_matrix(grades), scores, np.eye(scores.shape[1]), rename_k=False, nthreads=1, **cutoff
    )
    values = dict(zip(users, table["NDCG@K"].tolist(), strict=True))
    return Printed({user: value for user, value in values.items() if not math.isnan(value)}, None)


ADAPTERS = [
    Adapter(
        convention="recometrics",
        package="recometrics",
        ask=ask,
        refuses={"ties": "noise decides by default", "missing queries": "each user is a row of scores"},
    )
]
