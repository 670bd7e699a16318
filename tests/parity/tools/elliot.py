"""Elliot: `nDCG` with its default relevance threshold, from the folder of its repository in the variable ELLIOT."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

sys.path.insert(0, os.environ["ELLIOT"])

import elliot
from elliot.evaluation.metrics.accuracy.ndcg import nDCG
from elliot.evaluation.relevance.relevance import Relevance

THRESHOLD = 0


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the ratings as they are; users without ratings have no relevance to be asked about."""
    recommended = {user: [(item, case.ranking[user][item]) for item in case.ranked(user)] for user in case.common()}
    evaluation = SimpleNamespace(relevance=Relevance(case.judgments, THRESHOLD), cutoff=k)
    metric = nDCG(recommended, SimpleNamespace(), None, evaluation)
    return Printed({user: float(value) for user, value in metric.eval_user_metric().items()}, float(metric.eval()))


ADAPTERS = [
    Adapter(
        convention="elliot",
        package="Elliot",
        ask=ask,
        refuses={"uncut": "the cutoff is a required number"},
        version=lambda: str(elliot.__version__),
    )
]
