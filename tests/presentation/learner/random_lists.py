"""Random lists without ties, as the page and the package take them, and the rules to compute them under."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import rankgauge as rg
from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.measures.gains import CG, NDCG, Gains
from rankgauge.presentation.learner.rules import Rules

# Refusals that the page words as the package does, by their codes.
REFUSED = ("negative-grade", "unjudged-item", "grade-not-in-table", "overflow", "nothing-relevant")


@dataclass(frozen=True)
class RandomList:
    """Grades by rank, None for unjudged, and the grades of judged items that are not ranked."""

    ranked: tuple[float | None, ...]
    unranked: tuple[float, ...]

    @classmethod
    def drawn(cls, source: random.Random, grades: tuple[float, ...] = (0, 0, 1, 2, 3)) -> RandomList:
        """Draw a list of up to 8 ranks; some are longer, so that a cutoff of 32 matters."""
        length = source.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 40])
        ranked = [None if source.random() < 0.15 else float(source.choice(grades)) for _ in range(length)]
        # A query has at least one judged item.
        rest = source.choice([0, 0, 1, 3] if any(grade is not None for grade in ranked) else [1, 2])
        return cls(tuple(ranked), tuple(float(source.choice(grades)) for _ in range(rest)))

    @property
    def judgments(self) -> dict[str, float]:
        """The grades by item; the items have the numbers of their places."""
        return {f"d{at:03}": grade for at, grade in enumerate((*self.ranked, *self.unranked)) if grade is not None}

    @property
    def ranking(self) -> list[str]:
        """The items by rank."""
        return [f"d{at:03}" for at in range(len(self.ranked))]

    @property
    def items(self) -> list[dict[str, Any]]:
        """What `compute` of the page takes."""
        listed = [{"grade": grade, "ranked": True} for grade in self.ranked]
        return [*listed, *({"grade": grade, "ranked": False} for grade in self.unranked)]


@dataclass(frozen=True)
class LearnerCase:
    """A list, a convention and a cutoff."""

    drawn: RandomList
    convention: Convention
    k: int | None = None
    discounted: bool = True

    @property
    def measure(self) -> Gains:
        """NDCG, or its like without a discount, with the cutoff."""
        whole = NDCG if self.discounted else CG
        return whole if self.k is None else whole @ self.k  # type: ignore[return-value]

    def for_page(self) -> list[Any]:
        """Return the arguments of `compute`."""
        full = self.measure.under(self.convention)
        return [self.drawn.items, Rules.of(self.convention, full).to_dict()]

    def in_package(self) -> dict[str, Any]:
        """Return what the package computes, in the words of the page."""
        try:
            why = rg.explain(
                {"q": self.drawn.judgments}, {"q": self.drawn.ranking}, "q", self.measure, convention=self.convention
            )
        except RankgaugeError as error:
            if error.code not in REFUSED:
                raise
            return {"problem": error.code}
        return {
            "ranks": [[rank.gain, rank.discount, rank.contribution, rank.running] for rank in why.ranks],
            "ideal": [[rank.gain, rank.discount, rank.contribution, rank.running] for rank in why.ideal_ranks],
            "dcg": why.dcg,
            "idcg": why.idcg,
            "value": None if math.isnan(why.value) else why.value,
            "costs": [cost.cost for cost in why.costs] if why.idcg > 0 and self.discounted else None,
        }
