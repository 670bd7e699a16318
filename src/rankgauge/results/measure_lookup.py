"""Which measure of a request is meant, by any of its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures import Measure
from rankgauge.request import Request

_Value = TypeVar("_Value")


def find_measure(measure: str | Measure, request: Request, *, texts: bool = False) -> Measure:
    """Return the measure of the request that is meant, by any of its names."""
    column = request.meant(measure)
    known = [other for other in request.measures if texts or not other.letters]
    if column in request.measures and column not in known:
        raise RankgaugeError("no-mean", got=request.label(column))
    if column not in known:
        labels = [request.label(other) for other in known]
        raise RankgaugeError(
            "unknown-measure",
            known="evaluated: " + ", ".join(labels),
            got=str(column),
            nearest=nearest(str(column), labels),
        )
    return column


def is_evaluated(measure: object, request: Request, *, texts: bool = False) -> bool:
    """Whether a request has a measure, by any of its names."""
    try:
        find_measure(measure, request, texts=texts)  # type: ignore[arg-type] # anything can be asked for
    except RankgaugeError:
        return False
    return True


class ByMeasure(dict[str, _Value]):
    """Measure → what is known of it: a dict of the measures as they were asked for, which takes any of their names.

    >>> means = ByMeasure({"recip_rank": 0.5}, Request.of("recip_rank"))
    >>> means
    {'recip_rank': 0.5}
    >>> means["mrr"], "RR" in means, means.get("map")
    (0.5, True, None)
    """

    def __init__(self, values: Mapping[str, _Value] | Iterable[tuple[str, _Value]], request: Request) -> None:
        super().__init__(values)
        self.request: Final = request

    def label(self, measure: object) -> str | None:
        """Return the key under which a measure is found; None where there is none.

        Parameters:
            measure: a measure, by any of its names.

        """
        if isinstance(measure, str) and super().__contains__(measure):
            return measure
        try:
            label = self.request.label(measure)  # type: ignore[arg-type] # anything can be asked for
        except RankgaugeError:
            return None
        return label if super().__contains__(label) else None

    def __getitem__(self, measure: str | Measure) -> _Value:
        label = self.label(measure)
        if label is None:
            raise KeyError(measure)
        return super().__getitem__(label)

    def __contains__(self, measure: object) -> bool:
        return self.label(measure) is not None

    def get(self, measure: object, default: Any = None) -> Any:  # noqa: ANN401 - a value, or the default
        """Return what is known of a measure, or the default.

        Parameters:
            measure: a measure, by any of its names.
            default: what is returned where it is not there; default: None.

        """
        label = self.label(measure)
        return default if label is None else super().__getitem__(label)
