"""Evidently: `NDCGKMetric`. The `NDCG` of its newer interface has it computed, and labels the ranks one too high."""

from __future__ import annotations

import pandas as pd
from evidently.legacy.metrics import NDCGKMetric
from evidently.legacy.pipeline.column_mapping import ColumnMapping
from evidently.legacy.report import Report
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

COLUMNS = ColumnMapping(user_id="user", item_id="item", target="target", prediction="prediction")


def _ndcg(rows: pd.DataFrame, k: int) -> float | None:
    """Return the mean over the users, or None: the metric fails if k is beyond the last rank of every user."""
    metric = NDCGKMetric(k=k)
    report = Report(metrics=[metric])
    report.run(reference_data=None, current_data=rows, column_mapping=COLUMNS)
    try:
        return float(metric.get_result().current_value)
    except KeyError:
        return None


def ask(case: Case, k: int | None) -> Printed:
    """Ask with the ranked items as rows, and about each user alone if k is within every list."""
    assert k is not None
    rows = pd.DataFrame(
        [
            (user, item, float(case.judgments[user].get(item, 0.0)), score)
            for user in case.common()
            for item, score in case.ranking[user].items()
        ],
        columns=["user", "item", "target", "prediction"],
    )
    # The others are left out, and a report about nobody fails.
    users = rows.loc[rows["target"] > 0, "user"].unique()
    alone = {str(user): _ndcg(rows[rows["user"] == user].reset_index(drop=True), k) for user in users}
    printed = {user: value for user, value in alone.items() if value is not None}
    return Printed(printed if len(printed) == len(alone) else None, _ndcg(rows, k))


ADAPTERS = [
    Adapter(
        convention="evidently",
        package="evidently",
        ask=ask,
        refuses={"uncut": "NDCGKMetric requires k"},
    )
]
