"""rankgauge measures how good a ranking is, and says under which convention.

>>> import rankgauge as rg
>>> rg.ndcg([3, 2, 3, 0, 1, 2])
0.9608081943360617
>>> rg.evaluate({"q1": {"d1": 2, "d2": 1}}, {"q1": ["d2", "d1"]}, "ndcg@10")["ndcg@10"]
0.8597186998521972
"""

from typing import TYPE_CHECKING, Any, Final

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
    from rankgauge import grading, sql, stocks
    from rankgauge.results.comparison import Comparison
    from rankgauge.scalars import cg, dcg, idcg, ndcg

__version__ = _core.VERSION

__all__ = [
    "Comparison",
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
    "sql",
    "stocks",
]


# The module of each name that is loaded when it is asked for; "" is a module itself.
_LATE: Final = {
    "Comparison": "results.comparison",
    **dict.fromkeys(("cg", "dcg", "idcg", "ndcg"), "scalars"),
    **dict.fromkeys(("grading", "sql", "stocks"), ""),
}

if not TYPE_CHECKING:  # a type checker that saw it would take any misspelt name for one that exists

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module, a class or a function
        """Load what is not needed to evaluate when it is asked for."""
        from importlib import import_module

        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if not _LATE[name]:
            return import_module(f"{__name__}.{name}")
        globals()[name] = value = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
        return value


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)
