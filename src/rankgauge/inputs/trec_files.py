"""What the first lines of a TREC file say: which side it is of, and whether its ranks contradict its scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats, values_by_query
from rankgauge.inputs.roles import Side
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge.inputs.files import Input

_QUERY, _ITERATION, _GRADE, _RANK, _SCORE = 0, 1, 3, 3, 4


def require_side(file: Input, side: Side) -> None:
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
    return len({row[_ITERATION] for row in formats.columns_of(path, most=None) if len(row) > _ITERATION}) > 1


def rank_remarks(path: str) -> Iterator[Remark]:
    """Say where ranks contradict the scores, by which trec_eval and we order items."""
    by_query: dict[str, list[tuple[float, float]]] = {}
    for row in formats.columns_of(path, most=None):
        if len(row) < 6 or not (formats.is_number(row[_RANK]) and formats.is_number(row[_SCORE])):
            return
        by_query.setdefault(row[_QUERY], []).append((_number(row[_SCORE]), _number(row[_RANK])))
    scores = [[score for score, _ in pairs] for pairs in by_query.values()]
    ranks = [[rank for _, rank in pairs] for pairs in by_query.values()]
    yield from values_by_query.rank_remarks(scores, ranks, "the fourth column")


def _are_judgments(rows: Sequence[Sequence[str]]) -> bool:
    """Whether all rows are query, iteration, item and grade; the iteration is the same in all rows, and often 0."""
    fit = all(len(row) == 4 and formats.is_grade(row[_GRADE]) for row in rows)
    iterations = {row[_ITERATION] for row in rows} if fit else set()
    return len(iterations) == 1 and iterations <= {"0", "Q0", "q0", "1"}


def _is_run(rows: Sequence[Sequence[str]]) -> bool:
    numbers = all(len(row) == 6 and formats.is_number(row[_RANK]) and formats.is_number(row[_SCORE]) for row in rows)
    return numbers and len({row[_ITERATION] for row in rows}) == 1


def _are_features(row: Sequence[str]) -> bool:
    """Whether a row is a label with numbered features, `1 1:0.5 2:0.3`, as LightGBM takes without a query."""
    return len(row) > 1 and formats.is_number(row[0]) and all(map(_is_feature, row[1:]))


def _is_feature(cell: str) -> bool:
    number, colon, value = cell.partition(":")
    return bool(colon) and number.isascii() and number.isdigit() and formats.is_number(value)


def _number(cell: str) -> float:
    return float(cell.replace(",", "."))
