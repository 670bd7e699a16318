"""What SQL cannot say exactly: measures, and answers of conventions. It is refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rankgauge.conventions import NAMED, Convention
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Counted, Gains, Measure
from rankgauge.request import Request
from rankgauge.sql.dialects import Dialect

# The measures of relevant items that SQL computes, by the name of their function in each engine.
COUNTED: Final = (
    *("precision", "recall", "relative-precision", "hits", "success"),
    *("reciprocal-rank", "average-precision", "capped-average-precision"),
)
_SUMS: Final = ("ranked", "ideal")
_KNOWN: Final = (
    "cg, dcg, idcg, ndcg, sdcg, rbp, precision, recall, relative_precision, hits, success, mrr, map, capped_map"
)


def require_sayable(request: Request, dialect: Dialect, *, per_query: bool, by_rank: bool) -> None:
    """Raise if a measure or an answer of the convention has no exact form in the dialect."""
    for measure, label in zip(request.measures, request.labels, strict=True):
        if not is_sayable(measure):
            raise RankgaugeError("measure-not-in-sql", known=_KNOWN, got=label)
    refused = list(refusals(request.convention, dialect, per_query=per_query, by_rank=by_rank))
    if refused:
        reasons = ", and ".join(f"{field}={request.convention[field]}, but {reason}" for field, _, reason in refused)
        others = [
            name
            for name, convention in NAMED.items()
            if not any(refusals(convention, dialect, per_query=per_query, by_rank=by_rank))
        ]
        raise RankgaugeError(
            "convention-not-in-sql",
            dialect=dialect.name,
            got=f"{request.convention.name} with {reasons}",
            instead=str(request.convention.replace(**{field: answer for field, answer, _ in refused})),
            known=", ".join(others),
        )


def is_sayable(measure: Measure) -> bool:
    """Return whether SQL computes a measure.

    >>> from rankgauge.measures import BPREF, MAP
    >>> is_sayable(MAP), is_sayable(BPREF)
    (True, False)
    """
    if isinstance(measure, Gains):
        return measure.sums in _SUMS and measure.residual is None
    return isinstance(measure, Counted) and measure.counts in COUNTED and measure.aggregate == "mean"


def refusals(
    convention: Convention, dialect: Dialect, *, per_query: bool = False, by_rank: bool = False
) -> Iterator[tuple[str, object, str]]:
    """Yield each question whose answer SQL cannot give, an answer that it can give, and why.

    The mean alone is rounded, so values per query are not. Ranks have no ties; where they have, the query says so.

    >>> from rankgauge.conventions import get
    >>> from rankgauge.sql.dialects import DIALECTS
    >>> list(refusals(get("textbook"), DIALECTS["sqlite"]))
    [('ties', 'id-descending', 'the rows of a table have no order')]
    >>> list(refusals(get("textbook"), DIALECTS["sqlite"], by_rank=True))
    []
    """
    if goes_by_rows(convention) and not by_rank:
        yield "ties", "id-descending", "the rows of a table have no order"
    if convention.duplicates != "error":
        yield "duplicates", "error", "the rows of a table have no order"
    if convention.precision == "float32" and not dialect.has_float32:
        yield "precision", "float64", f"{dialect.name} has no 32-bit floats"
    if convention.nothing_relevant in ("nan", "error"):
        yield "nothing_relevant", "zero", "SQL has no value for it"
    if convention.decimals is not None and not per_query:
        yield "decimals", None, "databases do not round halves alike"


def goes_by_rows(convention: Convention) -> bool:
    """Return whether equal scores are in the order of their rows."""
    return convention.ties in ("given", "reversed")
