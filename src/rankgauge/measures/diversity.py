"""Measures of novelty and diversity: how well the first ranks cover the subtopics of a query, without repeating one.

An item is relevant to a subtopic if its grade there is positive and reaches the level `rel`, as in `strec(rel=2)@5`.
A subtopic to which no judged item is relevant does not count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

from rankgauge.checks import bad_number
from rankgauge.conventions import Convention
from rankgauge.measures.at_level import AtLevel
from rankgauge.measures.gains import MOST_PERFECT_POSITIONS
from rankgauge.measures.measure import Number

ALPHA: Final = Number(
    name="alpha", default=0.5, low=0.0, high=1.0, means="what a subtopic loses each time that it is covered"
)
BETA: Final = Number(name="beta", default=0.5, low=0.0, high=1.0, means="the chance that the reader goes on")
DIVIDED_FROM: Final = Number(
    name="divided_from",
    default=2.0,
    low=0.0,
    means="the first cutoff that is divided by what perfect items reach, 0 for none; ndeval leaves cutoff 1 as it is",
)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Diversity(AtLevel):
    """A measure of the subtopics that each rank covers; `covers` names its function in each engine."""

    family: ClassVar[str] = "diversity"
    covers: str
    of_relevant: bool = True

    @property
    def annotation(self) -> Literal["subtopic"]:
        """The annotation that judgments must carry beside grades."""
        return "subtopic"

    def under(self, convention: Convention, level: float | None = None) -> AtLevel:
        """Return the measure with its relevance level set: as given, as requested, or that of a binary gain."""
        filled = super(Diversity, self).under(convention, level)
        return _divided(filled) if DIVIDED_FROM in self.parameters else filled


def _divided(measure: AtLevel) -> AtLevel:
    """Return the measure; without a cutoff, lists of one item are divided as longer ones are."""
    if measure.k is not None and measure.k > MOST_PERFECT_POSITIONS:
        expected = f"at most {MOST_PERFECT_POSITIONS:,} perfect positions"
        raise bad_number("k", expected, measure.k, "each of them is summed")
    if measure.k is not None:
        return measure
    first = min(1.0, measure.number(DIVIDED_FROM.name))
    declared = zip(measure.parameters, measure.numbers, strict=True)
    return replace(measure, given=tuple(first if number is DIVIDED_FROM else value for number, value in declared))


NOVELTY: Final = "Clarke et al. 2008, Novelty and Diversity in Information Retrieval Evaluation, SIGIR"
INTENT_AWARE: Final = "Agrawal et al. 2009, Diversifying Search Results, WSDM"
CASCADE: Final = (
    "Chapelle et al. 2009, Expected Reciprocal Rank for Graded Relevance, CIKM; Chapelle et al. 2011, Intent-Based "
    "Diversification of Web Search Results: Metrics and Algorithms, Information Retrieval 14(6)"
)
# The gain of the subtopics that are new at a rank.
NEW: Final = "g_i = Σ_{s of item i} (1−α)^(items before i with s)"
RANK_BIASED: Final = (
    "Clarke, Kolla & Vechtomova 2009, An Effectiveness Measure for Ambiguous and Underspecified Queries, ICTIR"
)

# The greedy ideal order need not be the best one, so values divided by it may exceed 1.
ALPHA_DCG: Final = Diversity(
    name="alpha_dcg",
    covers="alpha-dcg",
    parameters=(ALPHA, DIVIDED_FROM),
    is_share=False,
    title="α-DCG, divided by that of items that all cover every subtopic",
    formula="α-DCG@k = Σ_{i≤k} g_i / log2(i+1) / the same of g_i = S (1−α)^(i−1), S subtopics; " + NEW,
    cite=NOVELTY,
    aliases=("alpha-dcg", "α_dcg", "α-dcg"),
)

ALPHA_NDCG: Final = Diversity(
    name="alpha_ndcg",
    covers="alpha-ndcg",
    parameters=(ALPHA,),
    is_share=False,
    title="α-nDCG: DCG of what is new at each rank, divided by that of the greedy ideal order",
    formula="α-nDCG@k = Σ_{i≤k} g_i / log2(i+1) / the same of the ideal order; " + NEW,
    cite=NOVELTY,
    aliases=("alpha-ndcg", "α_ndcg", "α-ndcg"),
)

ERR_IA: Final = Diversity(
    name="err_ia",
    covers="err-ia",
    parameters=(ALPHA, DIVIDED_FROM),
    is_share=False,
    title="Intent-aware expected reciprocal rank, divided by that of items that all cover every subtopic",
    formula="ERR-IA@k = Σ_{i≤k} g_i / i / the same of g_i = S (1−α)^(i−1), S subtopics; " + NEW,
    cite=CASCADE,
    aliases=("err-ia",),
)

NERR_IA: Final = Diversity(
    name="nerr_ia",
    covers="nerr-ia",
    parameters=(ALPHA,),
    is_share=False,
    title="Intent-aware expected reciprocal rank, divided by that of the greedy ideal order",
    formula="nERR-IA@k = Σ_{i≤k} g_i / i / the same of the ideal order; " + NEW,
    cite=CASCADE,
    aliases=("nerr-ia",),
)

NRBP: Final = Diversity(
    name="nrbp",
    covers="nrbp",
    parameters=(ALPHA, BETA),
    takes_cutoff=False,
    title="Novelty- and rank-biased precision",
    formula="NRBP = (1 − (1−α)β) / S · Σ g_i β^(i−1); " + NEW,
    cite=RANK_BIASED,
)

NNRBP: Final = Diversity(
    name="nnrbp",
    covers="nnrbp",
    parameters=(ALPHA, BETA),
    takes_cutoff=False,
    is_share=False,
    title="Novelty- and rank-biased precision, divided by that of the greedy ideal order",
    formula="nNRBP = Σ g_i β^(i−1) / the same of the ideal order; " + NEW,
    cite=RANK_BIASED,
)

MAP_IA: Final = Diversity(
    name="map_ia",
    covers="map-ia",
    takes_cutoff=False,
    title="Intent-aware average precision",
    formula="AP-IA = 1/S Σ_s AP of s = 1/S Σ_s 1/R_s Σ_{item i relevant to s} (items relevant to s down to i) / i",
    cite=INTENT_AWARE,
    aliases=("ap_ia", "map-ia", "ap-ia"),
)

P_IA: Final = Diversity(
    name="p_ia",
    covers="p-ia",
    title="Intent-aware precision",
    formula="P-IA@k = 1/S Σ_s P@k of s = Σ_{i≤k} subtopics of item i / (k · S)",
    cite=INTENT_AWARE,
    aliases=("p-ia", "precision_ia"),
)

STREC: Final = Diversity(
    name="strec",
    covers="subtopic-recall",
    title="Subtopic recall",
    formula="S-recall@k = subtopics that the first k ranks cover / S",
    cite="Zhai, Cohen & Lafferty 2003, Beyond Independent Relevance: Methods and Evaluation Metrics for Subtopic "
    "Retrieval, SIGIR",
    aliases=("strecall", "s_recall", "s-recall", "subtopic_recall"),
)
