"""RecBole: `NDCG` through its `Collector` and `Evaluator`, as its trainer evaluates a batch of users."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import torch
from recbole.config import Config
from recbole.evaluator import NDCG, Collector, Evaluator
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import ITEMS, Case

# RecBole has to be told a k. No list and no ideal is longer than this one.
UNCUT: Final = 2 * len(ITEMS)
TIES: Final = "torch.topk does not define the order of equal scores"


@cache
def _config(k: int) -> Any:
    """Return the tool's own defaults but for the metric. It also restores the `np.float` that the metric needs."""
    return Config(model="BPR", dataset="ml-100k", config_dict={"metrics": ["NDCG"], "topk": [k], "use_gpu": False})


def ask(case: Case, k: int | None) -> Printed:
    """Ask with scores for a whole catalogue, since RecBole ranks all items: those of the case and others.

    What is not in the ranking comes after it: first items that nobody wants, which fill the first k of a short list,
    then the relevant ones that were not ranked, with the -inf that RecBole gives to items out of question.
    """
    cutoff = k or UNCUT
    users = case.common()
    known = sorted({item for user in users for item in (*case.ranking[user], *case.judgments[user])})
    # Item 0 is RecBole's padding.
    column = {item: number for number, item in enumerate(known, start=1)}
    scores = torch.full((len(users), 1 + len(known) + UNCUT), -torch.inf)
    scores[:, 1 + len(known) :] = torch.finfo(scores.dtype).min
    relevant = []
    for row, user in enumerate(users):
        for item, score in case.ranking[user].items():
            scores[row, column[item]] = score
        relevant += [(row, column[item]) for item, grade in case.judgments[user].items() if grade > 0]
    rows, columns = torch.tensor(relevant).T

    config = _config(cutoff)
    collector = Collector(config)
    collector.eval_batch_collect(scores, None, rows, columns)
    collected = collector.get_data_struct()
    metric = NDCG(config)
    values = metric.metric_info(*metric.used_info(collected))[:, cutoff - 1]
    mean = Evaluator(config).evaluate(collected)[f"ndcg@{cutoff}"]
    return Printed(dict(zip(users, values.tolist(), strict=True)), float(mean))


ADAPTERS = [
    Adapter(
        convention="recbole",
        package="recbole",
        ask=ask,
        refuses={
            "ties": TIES,
            "near ties": f"scores are 32-bit floats, and {TIES}",
            "missing queries": "a model scores every user of the test set",
        },
    )
]
