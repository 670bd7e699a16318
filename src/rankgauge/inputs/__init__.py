"""Anything → the two nouns. Inputs know no engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

from rankgauge.errors import RankgaugeError
from rankgauge.judgments import Judgments
from rankgauge.ranking import Ranking

JudgmentsInput: TypeAlias = "Judgments | Mapping[Any, Any] | str | os.PathLike[str]"
RankingInput: TypeAlias = "Ranking | Mapping[Any, Any] | str | os.PathLike[str]"


def read_judgments(source: JudgmentsInput) -> Judgments:
    """Read judgments from a TREC file or a mapping, once, to evaluate many rankings with.

    >>> read_judgments({"q1": {"d1": 2}})
    Judgments of 1 queries
    """
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Mapping):
        return Judgments.from_mapping(source)
    if isinstance(source, str | os.PathLike):
        return Judgments.from_trec(source)
    raise RankgaugeError("unknown-judgments", got=type(source).__name__)


def read_ranking(source: RankingInput) -> Ranking:
    """Read a ranking from a TREC file or a mapping.

    >>> read_ranking({"q1": ["d3", "d1"]})
    Ranking from a mapping
    """
    if isinstance(source, Ranking):
        return source
    if isinstance(source, Mapping):
        return Ranking.from_mapping(source)
    if isinstance(source, str | os.PathLike):
        return Ranking.from_trec(source)
    raise RankgaugeError("unknown-ranking", got=type(source).__name__)
