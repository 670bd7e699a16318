"""What a measure is: a declaration with a text form, an optional cutoff and parameters of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.notation import as_whole


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Measure(ABC):
    """What is computed of a query, by a declaration: its name, formula and citation, what it takes, and a cutoff.

    `aliases` are the names that other tools have for it. `trec_name` is trec_eval's, and `trec_cut_name` that with a
    cutoff. Prints as it is typed.

    >>> from rankgauge.measures import NDCG
    >>> NDCG(discount="reciprocal") @ 5
    ndcg(discount=reciprocal)@5
    """

    name: str
    title: str
    formula: str
    cite: str
    aliases: tuple[str, ...] = ()
    trec_name: str = ""
    trec_cut_name: str = ""
    k: int | None = None

    def __post_init__(self) -> None:
        if self.k is None:
            return
        k = as_whole(self.k)
        if k is None or not 0 < k < 2**31:
            raise RankgaugeError("bad-cutoff", got=self.k)
        object.__setattr__(self, "k", k)  # an int, also where it came as one of NumPy's

    @property
    @abstractmethod
    def takes(self) -> Mapping[str, Any]:
        """The parameters that the measure has, and how the text of each is read."""

    @property
    def example(self) -> str:
        """A text with a parameter, for messages."""
        return f"{self.name}@10"

    def __matmul__(self, k: int) -> Measure:
        return replace(self, k=k)

    def __call__(self, **parameters: Any) -> Measure:  # noqa: ANN401 - a term, a number, or the text of one
        """Return the measure with parameters of its own, as values or in their text form."""
        for name in parameters:
            if name not in self.takes:
                raise RankgaugeError(
                    "unknown-parameter",
                    owner=self.name,
                    known=", ".join(self.takes) or "none",
                    got=name,
                    nearest=nearest(name, self.takes),
                    example=self.example,
                )
        return replace(self, **{name: self.takes[name](value) for name, value in parameters.items()})

    def __str__(self) -> str:
        given = [(name, self.shown(name)) for name in self.takes]
        parameters = ",".join(f"{name}={value}" for name, value in given if value is not None)
        cutoff = f"@{self.k}" if self.k is not None else ""
        return f"{self.name}({parameters}){cutoff}" if parameters else f"{self.name}{cutoff}"

    __repr__ = __str__

    def shown(self, parameter: str) -> object:
        """Return a parameter as it is typed, or None if it is the one of the declaration."""
        return getattr(self, parameter)

    @property
    @abstractmethod
    def is_share(self) -> bool:
        """Whether its values are from 0 to 1."""

    @abstractmethod
    def under(self, convention: Convention, level: float | None = None) -> Measure:
        """Return the measure with everything given that it leaves to the convention or to the relevance level."""
