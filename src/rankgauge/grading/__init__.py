"""Raw signals → grades: prices, actions, ratings, held-out items. Each comes with an audit of what was done.

>>> import polars as pl
>>> import rankgauge as rg
>>> ratings = pl.DataFrame({"user": ["u", "u"], "movie": ["m1", "m2"], "stars": [5.0, 2.0]})
>>> grades = rg.grading.ratings(ratings, thresholds=[3, 4, 5])
>>> rg.evaluate(grades, {"u": ["m2", "m1"]}, "ndcg@2")["ndcg@2"]
0.6309297535714575
"""

from rankgauge.grading.actions import actions
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.holdout import Split, holdout
from rankgauge.grading.ratings import ratings
from rankgauge.grading.returns import returns

__all__ = ["Audit", "Audited", "Split", "actions", "holdout", "ratings", "returns"]


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)
