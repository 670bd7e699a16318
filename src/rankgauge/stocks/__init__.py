"""How good a model orders stocks, day by day: prices and scores in, a study out."""

from rankgauge.stocks.comparison import Comparison
from rankgauge.stocks.study import Study, study

__all__ = ["Comparison", "Study", "study"]
