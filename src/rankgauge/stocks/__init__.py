"""How well a model orders stocks, day by day: prices and scores in, a study out."""

from rankgauge.stocks.compare import compare
from rankgauge.stocks.comparison import StudyComparison
from rankgauge.stocks.study import study
from rankgauge.stocks.study_result import Study

__all__ = ["Study", "StudyComparison", "compare", "study"]


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)
