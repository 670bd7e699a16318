"""The values per query of a cluster, which stay there."""

from __future__ import annotations

from typing import Any, Final

from rankgauge.errors import RankgaugeError


class ValuesFrame:
    """A DataFrame of Spark, which is not pickled; what has none, or lost it on its way here, says so when it is asked.

    >>> NO_FRAME()
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: expected a result that a cluster computed, got one of this machine, ...
    """

    def __init__(self, frame: Any = None) -> None:  # noqa: ANN401 - a DataFrame of Spark
        self._frame = frame

    @property
    def frame(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """The DataFrame."""
        if self._frame is None:
            raise RankgaugeError("no-frame")
        return self._frame

    def __call__(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """Return the DataFrame, where the name is taken for that of a method."""
        return self.frame

    def __reduce__(self) -> tuple[type[ValuesFrame], tuple[()]]:
        return (type(self), ())

    def __copy__(self) -> ValuesFrame:
        return self

    def __deepcopy__(self, memo: object) -> ValuesFrame:
        return self


NO_FRAME: Final = ValuesFrame()
