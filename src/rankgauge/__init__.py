"""rankgauge measures how good a ranking is, and says under which convention.

>>> import rankgauge as rg
>>> rg.ndcg([3, 2, 3, 0, 1, 2])
0.9608081943360617
>>> rg.evaluate({"q1": {"d1": 2, "d2": 1}}, {"q1": ["d2", "d1"]}, "ndcg@10")["ndcg@10"]
0.8597186998521972
"""

from typing import TYPE_CHECKING, Any

from rankgauge import _core, conventions, measures
from rankgauge.compare import compare
from rankgauge.conventions import Convention
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate, evaluate_arrays
from rankgauge.explain import explain
from rankgauge.inputs import read_judgments, read_ranking
from rankgauge.measures import Measure
from rankgauge.request import Request
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge import grading, stocks
    from rankgauge.scalars import cg, dcg, idcg, ndcg

__version__ = _core.VERSION

__all__ = [
    "Convention",
    "Judgments",
    "Measure",
    "RankgaugeError",
    "Ranking",
    "Request",
    "Result",
    "__version__",
    "cg",
    "compare",
    "conventions",
    "dcg",
    "evaluate",
    "evaluate_arrays",
    "explain",
    "grading",
    "idcg",
    "measures",
    "ndcg",
    "read_judgments",
    "read_ranking",
    "stocks",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module, or a function of one
    """Load what is not needed to evaluate when it is asked for."""
    from importlib import import_module

    if name in ("grading", "stocks"):
        return import_module(f"{__name__}.{name}")
    if name in ("cg", "dcg", "idcg", "ndcg"):
        globals()[name] = function = getattr(import_module(f"{__name__}.scalars"), name)
        return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)
