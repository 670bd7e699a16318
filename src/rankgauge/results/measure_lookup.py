"""Which measure of a request is meant, by any of its names."""

from __future__ import annotations

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures import Measure
from rankgauge.request import Request


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
    if not isinstance(measure, str | Measure):
        return False
    try:
        find_measure(measure, request, texts=texts)
    except RankgaugeError:
        return False
    return True
