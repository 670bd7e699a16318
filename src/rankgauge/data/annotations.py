"""Annotations: whether judgments carry what measures need beside grades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Annotation

# How to give judgments an annotation.
HINTS: Final[Mapping[Annotation, str]] = {
    "subtopic": "a table needs a column of subtopics, a mapping is {query: {item: {subtopic: grade}}}, and judgments "
    "that are read first need rg.read_judgments(source, annotation='subtopic')",
    "propensity": "give a table with a column propensity or position, or rg.read_judgments(table, "
    "annotation='propensity')",
}


def require_annotation(needed: Annotation | None, kind: str | None) -> None:
    """Raise unless judgments with annotations of this kind, or none, have what is needed.

    >>> require_annotation("propensity", "position")
    """
    offered = "propensity" if kind == "position" else kind
    if needed is not None and offered != needed:
        raise RankgaugeError("no-annotation", expected=needed, got=offered or "grades alone", hint=HINTS[needed])
