"""Measures that evaluate a new ranking on logged clicks, each weighted by its inverse propensity.

The judgments have a column `propensity`, the chance that the item was seen, or `position`, at which it was shown; then
`propensity` says how likely each position is to be seen, default: 1 / position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final, Literal

from rankgauge.conventions import Convention
from rankgauge.conventions.terms import RECIPROCAL, Discount
from rankgauge.measures.gains import read_term
from rankgauge.measures.measure import Measure, Number


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Clicks(Measure):
    """DCG of clicks, each divided by its propensity; `self_normalised` divides by the sum of the weights.

    >>> from rankgauge.measures import IPS_DCG
    >>> IPS_DCG(propensity="table(1,0.6,0.3)", clip=0.1) @ 10
    ips_dcg(propensity=table(1,0.6,0.3),clip=0.1)@10
    """

    family: ClassVar[str] = "clicks"
    self_normalised: bool
    discount: Discount | None = None
    propensity: Discount | None = None

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """The discount of ranks, and the propensity of positions."""
        return {name: partial(read_term, "discount") for name in ("discount", "propensity")}

    @property
    def annotation(self) -> Literal["propensity"]:
        """The annotation that judgments must carry beside grades."""
        return "propensity"

    def takes_level(self, convention: Convention) -> bool:  # noqa: ARG002 - grades count
        """Whether a relevance level changes anything."""
        return False

    def under(self, convention: Convention, level: float | None = None) -> Clicks:  # noqa: ARG002 - of what is counted
        """Return the measure with its terms given."""
        discount, propensity = self.discount or convention.discount, self.propensity or RECIPROCAL
        return replace(self, discount=discount, propensity=propensity)


CLIP: Final = Number(
    name="clip", default=0.0, low=0.0, high=1.0, means="a lower propensity counts as this, 0 clips nothing"
)

IPS_DCG: Final = Clicks(
    name="ips_dcg",
    self_normalised=False,
    is_share=False,
    parameters=(CLIP,),
    title="DCG of logged clicks, weighed by inverse propensity",
    formula="IPS-DCG@k = Σ_{i≤k, item i clicked} grade_i / max(propensity_i, clip) · discount_i",
    cite="Joachims, Swaminathan & Schnabel 2017, Unbiased Learning-to-Rank with Biased Feedback, WSDM; "
    "Strehl et al. 2010, Learning from Logged Implicit Exploration Data, NIPS (clipping)",
    aliases=("ips-dcg", "dcg_ips"),
)

SNIPS_DCG: Final = Clicks(
    name="snips_dcg",
    self_normalised=True,
    parameters=(CLIP,),
    title="DCG of logged clicks, weighed by inverse propensity and divided by the sum of the weights",
    formula="SNIPS-DCG@k = IPS-DCG@k / Σ_{item clicked} grade / max(propensity, clip)",
    cite="Yang et al. 2018, Unbiased Offline Recommender Evaluation for Missing-Not-At-Random Implicit Feedback, "
    "RecSys; Swaminathan & Joachims 2015, The Self-Normalized Estimator for Counterfactual Learning, NIPS",
    aliases=("snips-dcg", "dcg_snips"),
)
