"""Measures that sum gain times discount over ranks, of the actual or of the ideal ranking, or their ratio."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Measure
from rankgauge.terms import TERMS, Discount, Gain, Ideal

MOST_PERFECT_POSITIONS: Final = 1_000_000


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Gains(Measure):
    """A sum of gain times discount over ranks.

    `sums` says which ranking is summed, `discounted` whether ranks are discounted, and `normalised` whether the sum
    is divided by that of the ideal. The terms are the convention's unless given: `NDCG(gain="exp2") @ 10`.
    """

    sums: Literal["ranked", "ideal"]
    discounted: bool
    normalised: bool
    gain: Gain | None = None
    discount: Discount | None = None
    ideal: Ideal | None = None

    @property
    def takes(self) -> Mapping[str, Any]:
        """The terms that it has: no discount where ranks are not discounted, no ideal where none is summed."""
        has_ideal = self.normalised or self.sums == "ideal"
        has = {"gain": True, "discount": self.discounted, "ideal": has_ideal}
        return {name: partial(_term, name) for name in TERMS if has[name]}

    @property
    def example(self) -> str:
        """A text with a parameter, for messages."""
        return f"{self.name}(gain=exp2)@10"

    @property
    def is_share(self) -> bool:
        """Whether its values are from 0 to 1."""
        return self.normalised

    def under(self, convention: Convention, level: float | None = None) -> Gains:  # noqa: ARG002 - of what is counted
        """Return the measure with every term given: its own, or the convention's."""
        ideal = self.ideal or convention.ideal
        k = self.k or convention.default_cutoff
        if ideal.kind == "perfect" and isinstance(k, int) and k > MOST_PERFECT_POSITIONS:
            expected = f"at most {MOST_PERFECT_POSITIONS:,} perfect positions"
            raise RankgaugeError("bad-number", field="k", expected=expected, got=k, hint="each of them is summed")
        return replace(
            self,
            gain=self.gain or convention.gain,
            discount=self.discount or convention.discount,
            ideal=ideal,
        )


def _term(name: str, value: object) -> Gain | Discount | Ideal:
    if isinstance(value, str):
        return TERMS[name].parse(value)
    if not isinstance(value, TERMS[name]):
        raise RankgaugeError("bad-number", field=name, expected="a term or its text", got=value, hint="such as 'exp2'")
    return value


CG: Final = Gains(
    name="cg",
    sums="ranked",
    discounted=False,
    normalised=False,
    title="Cumulative gain",
    formula="CG@k = Σ_{i≤k} gain_i",
    cite="Järvelin & Kekäläinen 2000, SIGIR",
)

DCG: Final = Gains(
    name="dcg",
    sums="ranked",
    discounted=True,
    normalised=False,
    title="Discounted cumulative gain",
    formula="DCG@k = Σ_{i≤k} gain_i · discount_i",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
)

IDCG: Final = Gains(
    name="idcg",
    sums="ideal",
    discounted=True,
    normalised=False,
    title="Ideal discounted cumulative gain",
    formula="IDCG@k = Σ_{i≤k} ideal gain_i · discount_i",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
)

NDCG: Final = Gains(
    name="ndcg",
    sums="ranked",
    discounted=True,
    normalised=True,
    title="Normalised discounted cumulative gain",
    formula="NDCG@k = DCG@k / IDCG@k",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
    aliases=("normalized_dcg",),
    trec_name="ndcg",
    trec_cut_name="ndcg_cut",
)
