"""What a tool means by the name of a measure, and for which measures a tool was asked.

A convention says it, as data: `Convention.measures` and `Convention.proven`.

>>> from rankgauge.conventions import get
>>> meant(parse("map@5"), get("xgboost")), meant(parse("map"), get("xgboost")), meant(parse("map"), get("textbook"))
(capped_map(relevant=ranked)@5, capped_map(relevant=ranked)@32, map)
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rankgauge.conventions import Convention
from rankgauge.measures.measure import Measure
from rankgauge.measures.parsing import parse
from rankgauge.measures.registry import KNOWN


def meant(measure: Measure, convention: Convention, level: float | None = None) -> Measure:
    """Return the measure that the tool of a convention means by a name; what was given with the name stays given.

    A relevance level that was asked for replaces that of the tool. A measure with a parameter that the tool's does not
    have is the one that has the name here.

    >>> from rankgauge.conventions import get
    >>> meant(parse("rbp(p=0.8)"), get("trec_eval")), meant(parse("rbp(rel=2)"), get("trec_eval"))
    (rbp(gain=share,p=0.8), rbp(rel=2,p=0.9))
    """
    if measure.judged_only and convention.unjudged == "drop":
        measure = replace(measure, judged_only=False)
    text = convention.measures.get(measure.name)
    if text is None:
        return measure
    tools = _of_tool(text, without_level=level is not None)
    given = {name: value for name in measure.takes if (value := measure.shown(name)) is not None}
    if not given.keys() <= set(tools.takes):
        return measure
    return replace(tools(**given), k=measure.k or tools.k, judged_only=measure.judged_only)


@lru_cache
def _of_tool(text: str, *, without_level: bool) -> Measure:
    from rankgauge.measures.at_level import AtLevel  # imported late: NDCG does not need it

    tools = parse(text)
    return replace(tools, rel=None) if without_level and isinstance(tools, AtLevel) else tools


def is_proven(measure: Measure, convention: Convention) -> bool:
    """Return whether the tool of a convention was asked for a measure, in the form that the tool means by its name.

    >>> from rankgauge.conventions import get
    >>> lightgbm = get("lightgbm")
    >>> [is_proven(meant(parse(name), lightgbm), lightgbm) for name in ("ndcg@5", "map@5", "capped_map@5")]
    [True, True, False]
    """
    return any(_has_form(measure, meant(KNOWN[name], convention)) for name in convention.proven)


def _has_form(measure: Measure, tools: Measure) -> bool:
    """Return whether a measure has the terms of the tool's; levels and numbers are for the caller to choose."""
    terms = [name for name in tools.terms if name != "rel" and tools.shown(name) is not None]
    return measure.name == tools.name and all(measure.shown(name) == tools.shown(name) for name in terms)
