"""Anything → the two nouns. Inputs know no engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Side
from rankgauge.judgments import Judgments
from rankgauge.ranking import Ranking

# A DataFrame may be of any library that has the Arrow PyCapsule interface.
Frame: TypeAlias = Any
JudgmentsInput: TypeAlias = "Judgments | Mapping[Any, Any] | str | os.PathLike[str] | Frame"
RankingInput: TypeAlias = "Ranking | Mapping[Any, Any] | str | os.PathLike[str] | Frame"


def read_judgments(source: JudgmentsInput, *, columns: Mapping[str, str] | None = None) -> Judgments:
    """Read judgments from a file, a DataFrame or a mapping, once, to evaluate many rankings with.

    `columns` says which column of a table is the query, the item and the grade, where their names do not.

    >>> read_judgments({"q1": {"d1": 2}})
    Judgments of 1 queries
    >>> import polars as pl
    >>> read_judgments(pl.DataFrame({"user": [1, 1, 2], "movie": [7, 8, 7], "stars": [5, 3, 4]}))
    Judgments of 2 queries
    """
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Mapping):
        return Judgments.from_mapping(source)
    if isinstance(source, str | os.PathLike):
        return Judgments.from_trec(source)
    return Judgments.from_table(*_columns(source, "judgments", columns))


def read_ranking(source: RankingInput, *, columns: Mapping[str, str] | None = None) -> Ranking:
    """Read a ranking from a file, a DataFrame or a mapping.

    `columns` says which column of a table is the query, the item and the score or rank, where their names do not.

    >>> read_ranking({"q1": ["d3", "d1"]})
    Ranking from a mapping
    """
    if isinstance(source, Ranking):
        return source
    if isinstance(source, Mapping):
        return Ranking.from_mapping(source)
    if isinstance(source, str | os.PathLike):
        return Ranking.from_trec(source)
    return Ranking.from_table(*_columns(source, "ranking", columns))


def _columns(source: object, side: Side, columns: Mapping[str, str] | None) -> Any:  # noqa: ANN401
    from rankgauge.inputs import frames

    if not frames.is_frame(source):
        raise RankgaugeError(f"unknown-{side}", got=type(source).__name__)
    return frames.read(source, side, columns or {})
