"""Raw signals → grades: prices, actions, ratings, held-out items. Each comes with an audit of what was done.

>>> import polars as pl
>>> import rankgauge as rg
>>> ratings = pl.DataFrame({"user": ["u", "u"], "movie": ["m1", "m2"], "stars": [5.0, 2.0]})
>>> grades = rg.grading.ratings(ratings, thresholds=[3, 4, 5])
>>> rg.evaluate(grades, {"u": ["m2", "m1"]}, "ndcg@2")["ndcg@2"]
0.6309297535714575
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.grading.actions import actions
    from rankgauge.grading.audited import Audit, Audited
    from rankgauge.grading.holdout import Split, holdout
    from rankgauge.grading.ratings import ratings
    from rankgauge.grading.returns import returns

__all__ = ["Audit", "Audited", "Split", "actions", "holdout", "ratings", "returns"]

# A grader has a file of its own name, and is loaded when it is asked for: narwhals takes a while.
_FILES = {"Audit": "audited", "Audited": "audited", "Split": "holdout"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a function or a class
    """Load a grader when it is asked for; its name then stands for the function, not for the file."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_FILES.get(name, name)}"), name)
    globals()[name] = found
    return found
