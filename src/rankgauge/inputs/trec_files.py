"""What the first lines of a TREC file say: which side it is of, and whether its ranks contradict its scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats, sampled_values
from rankgauge.languages import Text
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge.inputs.input_pair import InputFile
    from rankgauge.inputs.roles import Side

_QUERY, _ITERATION, _GRADE, _RANK, _SCORE = 0, 1, 3, 3, 4
# The second column of judgments and of runs, where it means nothing.
_FILLERS: Final = frozenset({b"0", b"1", b"Q0", b"q0"})
# Lines in which subtopics are looked for, and contradictions between ranks and scores: enough for some queries, few
# enough to take no time beside an evaluation.
_MOST_LINES: Final = 500


def require_side(file: InputFile, side: Side) -> None:
    """Raise if the columns are those of the other side, or if features have no query."""
    rows = formats.columns_of(file.path)
    if not rows:
        return
    if side == "ranking" and _are_judgments(rows):
        raise RankgaugeError("swapped-sides", file.label, expected="a ranking", got="TREC judgments, in four columns")
    if side != "ranking" and _is_run(rows):
        raise RankgaugeError("swapped-sides", file.label, expected="judgments", got="a TREC run, in six columns")
    if side != "ranking" and _are_features(rows[0]):
        raise RankgaugeError("no-query", file.label)


def has_subtopics(path: str) -> bool:
    """Whether the second column of judgments may be subtopics: it is not the same in all of the first rows.

    >>> has_subtopics("missing.txt")
    False
    """
    return len({row[_ITERATION] for row in formats.columns_of(path, _MOST_LINES) if len(row) > _ITERATION}) > 1


def rank_remarks(path: str) -> Iterator[Remark]:
    """Say where ranks contradict the scores, by which trec_eval and we order items."""
    by_query: dict[bytes, tuple[list[float], list[float]]] = {}
    rows = formats.columns_of(path, _MOST_LINES)
    if any(len(row) <= _SCORE for row in rows):
        return
    try:
        for row in rows:
            scores, ranks = by_query.setdefault(row[_QUERY], ([], []))
            scores.append(float(row[_SCORE]))
            ranks.append(float(row[_RANK]))
    except ValueError:  # ranks need not be numbers, and the reader refuses scores that are none
        return
    scores_by_query, ranks_by_query = zip(*by_query.values(), strict=True) if by_query else ((), ())
    yield from sampled_values.rank_remarks(scores_by_query, ranks_by_query, Text("the fourth column"))


def _are_judgments(rows: Sequence[Sequence[bytes]]) -> bool:
    """Whether all rows are query, iteration, item and a small whole grade."""
    fit = all(len(row) == 4 and row[_GRADE].removeprefix(b"-").isdigit() and len(row[_GRADE]) < 4 for row in rows)
    return fit and _are_fillers(rows)


def _is_run(rows: Sequence[Sequence[bytes]]) -> bool:
    numbers = all(
        len(row) == 6 and not math.isnan(_number(row[_RANK])) and not math.isnan(_number(row[_SCORE])) for row in rows
    )
    return numbers and _are_fillers(rows)


def _are_fillers(rows: Sequence[Sequence[bytes]]) -> bool:
    iterations = {row[_ITERATION] for row in rows}
    return len(iterations) == 1 and iterations <= _FILLERS


def _are_features(row: Sequence[bytes]) -> bool:
    """Whether a row is a label with numbered features, `1 1:0.5 2:0.3`, as LightGBM takes without a query."""
    return len(row) > 1 and not math.isnan(_number(row[0])) and all(map(_is_feature, row[1:]))


def _is_feature(cell: bytes) -> bool:
    number, colon, value = cell.partition(b":")
    return bool(colon) and number.isdigit() and not math.isnan(_number(value))


def _number(cell: bytes) -> float:
    """The number in a cell; NaN where there is none."""
    try:
        return float(cell)
    except ValueError:
        return math.nan
