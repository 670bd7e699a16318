"""How good a model orders stocks, day by day: prices and scores in, a study out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.stocks.comparison import Comparison
    from rankgauge.stocks.study import Study, study

__all__ = ["Comparison", "Study", "study"]

_FILES = {"Comparison": "comparison", "Study": "study", "study": "study"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a function or a class
    """Load what is asked for; the name `study` then stands for the function, not for the file."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_FILES[name]}"), name)
    globals()[name] = found
    return found
