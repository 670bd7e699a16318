"""Measures that sum gain times discount over ranks, of the actual or of the ideal ranking, or their ratio."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final, Literal

from rankgauge.checks import bad_number, require_choice
from rankgauge.conventions import Convention
from rankgauge.conventions.terms import TERMS, Discount, Gain, Ideal, binary
from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Measure, Number, read_level
from rankgauge.notation import format_number

MOST_PERFECT_POSITIONS: Final = 1_000_000


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Gains(Measure):
    """A sum of gain times discount over ranks.

    `sums` says which ranking is summed: the actual, the ideal, or one in random order; `corrected` is the actual one
    above what is expected of a random order. `discounted` says whether ranks are discounted, and `normalised` whether
    the sum is divided by that of the ideal. The terms default to the convention's: `NDCG(gain="exp2") @ 10`.
    """

    family: ClassVar[str] = "gains"
    sums: Literal["ranked", "ideal", "random", "corrected"]
    discounted: bool = True
    normalised: bool = False
    gain: Gain | None = None
    discount: Discount | None = None
    ideal: Ideal | None = None
    # Whether relevant items count 1 each, unless a gain is given.
    counts_relevant: bool = False
    # "low" or "high": the lower or upper bound over all grades of the unjudged items, instead of the value.
    residual: Literal["low", "high"] | None = None

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """The terms that the measure takes, each with the function that reads it."""
        has_ideal = self.normalised or self.sums == "ideal"
        takes_discount = self.discounted and not self.parameters
        has = {"gain": True, "discount": takes_discount, "ideal": has_ideal}
        terms = {name: partial(read_term, name) for name in TERMS if has[name]}
        level = {"rel": read_level} if self.counts_relevant else {}
        return level | terms | ({"residual": _read_end} if self.sums == "ranked" else {})

    def __call__(self, **parameters: Any) -> Measure:  # noqa: ANN401 - a term, a number, or the text of one
        """Return the measure with these parameters; a relevance level becomes a binary gain."""
        if self.counts_relevant and {"rel", "gain"} <= parameters.keys():
            raise RankgaugeError("repeated-parameter", got="gain")
        if self.counts_relevant and "rel" in parameters:
            parameters["gain"] = binary(read_level(parameters.pop("rel")))
        return super(Gains, self).__call__(**parameters)

    def shown(self, parameter: str) -> object:
        """Return a parameter in its text form, or None if it has the default of the declaration."""
        is_level = self.counts_relevant and self.gain is not None and self.gain.kind == "binary"
        if parameter == "rel":
            return format_number(self.gain.threshold) if is_level and self.gain else None
        value = super(Gains, self).shown(parameter)
        declared = value == DECLARED.get((self.name, parameter))
        return None if declared or (parameter == "gain" and is_level) else value

    @property
    def example(self) -> str:
        """A text with a parameter, for messages."""
        return f"{self.name}(gain=exp2)@10"

    def takes_level(self, convention: Convention) -> bool:
        """Whether a relevance level changes anything: not where a gain is given, or grades count."""
        return self.gain is None and (self.counts_relevant or convention.gain.kind == "binary")

    def under(self, convention: Convention, level: float | None = None) -> Gains:
        """Return the measure with every term set: as given, or that of the convention."""
        ideal = self.ideal or convention.ideal
        k = self.k or convention.default_cutoff
        if ideal.kind == "perfect" and isinstance(k, int) and k > MOST_PERFECT_POSITIONS:
            expected = f"at most {MOST_PERFECT_POSITIONS:,} perfect positions"
            raise bad_number("k", expected, k, "each of them is summed")
        threshold = convention.gain.threshold if level is None else level
        return replace(
            self,
            gain=self.gain or (binary(threshold) if self.counts_relevant else convention.gain),
            discount=self._discount() or convention.discount,
            ideal=ideal,
        )

    def _discount(self) -> Discount | None:
        return Discount("geometric", base=self.number("p")) if self.parameters else self.discount


def read_term(name: str, value: object) -> Gain | Discount | Ideal:
    """Return a term; a text is parsed."""
    if isinstance(value, str):
        return TERMS[name].parse(value)
    if not isinstance(value, TERMS[name]):
        raise bad_number(name, "a term or its text", value, "such as 'exp2'")
    return value


def _read_end(value: object) -> object:
    require_choice("residual", value, ("low", "high"), "the lowest or the highest value that unjudged items allow")
    return value


CG: Final = Gains(
    name="cg",
    sums="ranked",
    discounted=False,
    is_share=False,
    title="Cumulative gain",
    formula="CG@k = Σ_{i≤k} gain_i",
    cite="Järvelin & Kekäläinen 2000, SIGIR",
)

DCG: Final = Gains(
    name="dcg",
    sums="ranked",
    is_share=False,
    title="Discounted cumulative gain",
    formula="DCG@k = Σ_{i≤k} gain_i · discount_i",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
)

IDCG: Final = Gains(
    name="idcg",
    sums="ideal",
    is_share=False,
    title="Ideal discounted cumulative gain",
    formula="IDCG@k = Σ_{i≤k} ideal gain_i · discount_i",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
    aliases=("ideal_dcg",),
)

NDCG: Final = Gains(
    name="ndcg",
    sums="ranked",
    normalised=True,
    title="Normalised discounted cumulative gain",
    formula="NDCG@k = DCG@k / IDCG@k",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
    aliases=("normalized_dcg", "ndcg_cut"),
)

RANDOM_NDCG: Final = Gains(
    name="random_ndcg",
    sums="random",
    normalised=True,
    title="NDCG that is expected of a random order of the ranked items",
    formula="E[NDCG@k] = mean gain of the ranked items · Σ_{i≤k} discount_i / IDCG@k",
    cite="Wang et al. 2013, A Theoretical Analysis of NDCG Type Ranking Measures, COLT",
    aliases=("expected_ndcg",),
)

CORRECTED_NDCG: Final = Gains(
    name="corrected_ndcg",
    sums="corrected",
    normalised=True,
    is_share=False,
    title="NDCG corrected for chance",
    formula="(NDCG@k − E[NDCG@k]) / (1 − E[NDCG@k]): 0 is a random order, 1 the ideal",
    cite="Hubert & Arabie 1985, Comparing Partitions, Journal of Classification 2 (the form of the correction)",
)

SDCG: Final = Gains(
    name="sdcg",
    sums="ranked",
    normalised=True,
    gain=Gain("share", top=4.0),
    ideal=Ideal("perfect"),
    title="Scaled discounted cumulative gain",
    formula="SDCG@k = Σ_{i≤k} (grade_i / highest grade) · discount_i / Σ_{i≤k} discount_i",
    cite="Azzopardi, Thomas & Moffat 2019, cwl_eval: An Evaluation Tool for Information Retrieval, SIGIR",
)

RBP: Final = Gains(
    name="rbp",
    sums="ranked",
    counts_relevant=True,
    parameters=(Number(name="p", default=0.8, low=0.0, high=1.0, strict=True, means="persistence"),),
    title="Rank-biased precision",
    formula="RBP@k = (1 − p) Σ_{i≤k} gain_i · p^(i−1), where a relevant item has gain 1 (default)",
    cite="Moffat & Zobel 2008, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1)",
)

# Terms that declarations set; they are left out of the text form.
DECLARED: Final = {
    (measure.name, term): getattr(measure, term)
    for measure in (CG, DCG, IDCG, NDCG, RANDOM_NDCG, CORRECTED_NDCG, SDCG, RBP)
    for term in TERMS
}
