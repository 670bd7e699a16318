"""TorchMetrics: `retrieval_normalized_dcg` for each query, and the mean of `RetrievalNormalizedDCG`."""

from __future__ import annotations

import torch
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case
from torchmetrics.functional.retrieval import retrieval_normalized_dcg
from torchmetrics.retrieval import RetrievalNormalizedDCG


def _rows(case: Case, query: str) -> tuple[torch.Tensor, torch.Tensor]:
    scores = torch.tensor(list(case.ranking[query].values()), dtype=torch.float64)
    grades = [case.judgments[query].get(item, 0.0) for item in case.ranking[query]]
    return scores, torch.tensor(grades, dtype=torch.float32)


def ask(case: Case, k: int | None) -> Printed:
    """Ask for each query by the function, and for the mean by the class, which is told the queries by number."""
    metric = RetrievalNormalizedDCG(top_k=k)
    values = {}
    for number, query in enumerate(case.common()):
        scores, grades = _rows(case, query)
        values[query] = float(retrieval_normalized_dcg(scores, grades, top_k=k))
        metric.update(scores, grades, indexes=torch.full(scores.shape, number, dtype=torch.long))
    return Printed(values, float(metric.compute()))


ADAPTERS = [
    Adapter(
        convention="torchmetrics",
        package="torchmetrics",
        ask=ask,
        refuses={
            "negative grades": "where they sum to 0, the class says 0 for nothing relevant and the function does not",
            "missing queries": "there are only rows",
        },
        # It computes in 32 bits.
        within=1e-6,
    )
]
