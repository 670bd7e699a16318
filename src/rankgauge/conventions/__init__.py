"""Conventions: an answer to every question that the formula leaves open, named after the tool or text that gives it.

A convention is data. To add one, add a literal to the file of its field: the command line, the help, the docs and
the tests find it, and a test asks for its proof.

>>> get("trec_eval").ties
'id-descending'
>>> get("trec_eval(missing=zero)").missing
'zero'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.conventions.convention import (
    NAMED,
    QUESTIONS,
    UNCLAIMED,
    Convention,
    Missing,
    Question,
    Unjudged,
)
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.notation import plain_name, split_call, split_parameters

if TYPE_CHECKING:
    from rankgauge.convention_comparison.compare import compare
    from rankgauge.convention_comparison.identify import identify
    from rankgauge.convention_comparison.why import why

__all__ = [
    "NAMED",
    "QUESTIONS",
    "UNCLAIMED",
    "Convention",
    "Missing",
    "Question",
    "Unjudged",
    "compare",
    "get",
    "identify",
    "why",
]


def get(convention: str | Convention, **changes: object) -> Convention:
    """Return the convention of that name, with changes in parentheses or as keywords.

    Parameters:
        convention: its name, with or without changes, or an `rg.Convention`.
        changes: answers to questions of `rg.conventions.QUESTIONS`; None changes nothing.

    >>> get("jarvelin(discount=jarvelin(10))").discount
    jarvelin(10)
    >>> get("LightGBM").name, get("implicit_feedback").name
    ('lightgbm', 'implicit-feedback')
    >>> get("trek_eval")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: expected a convention, got 'trek_eval'. Hint: did you mean ...

    """
    given = {field: value for field, value in changes.items() if value is not None}
    if isinstance(convention, Convention):
        return convention.replace(**given)
    name, arguments = split_call(str(convention), "convention(field=value,…)")
    named = NAMED.get(name) or _named_otherwise(name)
    changes = {**split_parameters(arguments), **given}
    return named.replace(**changes) if changes else named


def _named_otherwise(name: str) -> Convention:
    """Return the convention of a name in another case, or with - for _ and the other way round; or raise."""
    plain = plain_name(name)
    for known, convention in NAMED.items():
        if plain_name(known) == plain:
            return convention
    raise RankgaugeError("unknown-convention", count=len(NAMED), got=name, nearest=nearest(name, NAMED))


if not TYPE_CHECKING:  # a type checker that saw it would take any misspelt name for one that exists

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - a function of one of three kinds
        """Import `compare`, `why` and `identify` on first use: they evaluate, so their modules import this package."""
        if name in ("compare", "why", "identify"):
            return getattr(import_module(f"rankgauge.convention_comparison.{name}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)
