"""How well a model orders stocks, day by day: prices and scores in, a study out."""

from rankgauge.stocks.comparison import Comparison
from rankgauge.stocks.study import study
from rankgauge.stocks.study_result import Study

__all__ = ["Comparison", "Study", "study"]
