"""What a parity adapter says: which convention, which tool, how to ask it, and what it cannot be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.parity.cases import Case


class Printed(NamedTuple):
    """What a tool says about a case: values by query, or its mean, or both; None for what it does not say."""

    per_query: dict[str, float] | None
    mean: float | None


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """How to ask one tool for a measure at a cutoff (None: without one), and what to compare."""

    convention: str
    # The distribution on PyPI, from which the version is known, or the tool's name where it has none.
    package: str
    ask: Callable[[Case, int | None], Printed]
    # Trait of `cases.TRAITS` → why the tool cannot be asked, or why its answer is not defined.
    refuses: Mapping[str, str] = field(default_factory=dict)
    # A tool that computes in 32 bits, or prints few digits, is equal to what it can say.
    within: float = 1e-9
    # What the tool is asked for, as it is typed here under the convention, without a cutoff.
    measure: str = "ndcg"
    # How a tool that is no distribution tells its version.
    version: Callable[[], str] | None = None
