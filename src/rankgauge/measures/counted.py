"""Measures that count relevant items and their ranks: precision, recall, average precision and their kin.

An item is relevant if its grade is positive and reaches the level `rel`, as in `precision(rel=2)@5`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rankgauge.conventions import Convention
from rankgauge.measures.at_level import AtLevel
from rankgauge.measures.measure import NOTHING, NothingRelevant, Number, Relevant, read_nothing, read_relevant


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Counted(AtLevel):
    """A measure of the ranks at which relevant items stand; `counts` names its function in each engine.

    >>> from rankgauge.measures import PRECISION
    >>> PRECISION(rel=2) @ 5
    precision(rel=2)@5
    """

    family: ClassVar[str] = "counted"
    counts: str
    # Whether it looks at all ranks, whatever its cutoff.
    whole: bool = False
    # Whether it looks at the order of all grades, whatever the level, and at the rows as they came.
    ordered: bool = False
    relevant: Relevant | None = None
    nothing_relevant: NothingRelevant | None = None

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """The relevance level; and which relevant items there are, where it is divided by their number."""
        if self.ordered:
            return {}
        divided = {"relevant": read_relevant, "nothing_relevant": read_nothing} if self.of_relevant else {}
        return {**super(Counted, self).terms, **divided}

    @property
    def of_ranked(self) -> bool:
        """Whether only relevant items of the ranking count."""
        return self.relevant == "ranked"

    @property
    def nothing(self) -> float | None:
        """The value of a query without relevant items, where the convention does not say it."""
        return NOTHING[self.nothing_relevant]

    def takes_level(self, convention: Convention) -> bool:  # noqa: ARG002 - of measures of gains
        """Whether a relevance level changes anything."""
        return not self.ordered


# How many relevant items the first ranks have

VAN_RIJSBERGEN: Final = "van Rijsbergen 1979, Information Retrieval, chapter 7"

PRECISION: Final = Counted(
    name="precision",
    counts="precision",
    title="Precision",
    formula="P@k = relevant items in the first k ranks / k",
    cite=VAN_RIJSBERGEN,
    aliases=("p", "prec", "set_p", "setp"),
)

RECALL: Final = Counted(
    name="recall",
    counts="recall",
    of_relevant=True,
    title="Recall",
    formula="R@k = relevant items in the first k ranks / relevant items",
    cite=VAN_RIJSBERGEN,
    aliases=("r", "set_recall", "setr"),
)

F: Final = Counted(
    name="f",
    counts="f",
    parameters=(Number(name="beta", default=1.0, low=0.0, means="1 weighs both alike, 0 is precision"),),
    of_relevant=True,
    title="F measure",
    formula="F@k = (1 + β²) · P@k · R@k / (β² · P@k + R@k)",
    cite=VAN_RIJSBERGEN,
    aliases=("f1", "f_score", "set_f", "setf"),
)

HITS: Final = Counted(
    name="hits",
    counts="hits",
    is_share=False,
    title="Relevant items in the first ranks",
    formula="hits@k = relevant items in the first k ranks",
    cite=VAN_RIJSBERGEN,
)

SUCCESS: Final = Counted(
    name="success",
    counts="success",
    title="Success, also known as hit rate",
    formula="Success@k = 1 if a relevant item stands in the first k ranks, else 0",
    cite="Craswell & Hawking 2004, Overview of the TREC-2004 Web Track, TREC",
    aliases=("hit_rate", "hitrate", "hr", "hit"),
)

RELATIVE_PRECISION: Final = Counted(
    name="relative_precision",
    counts="relative-precision",
    of_relevant=True,
    title="Precision relative to the best possible, also known as capped recall",
    formula="relative P@k = relevant items in the first k ranks / min(k, relevant items)",
    cite="Thakur et al. 2021, BEIR, NeurIPS Datasets and Benchmarks",
    aliases=("relative_p", "set_relative_p", "setrelp", "capped_recall", "r_cap", "recall_cap"),
)

SET_MAP: Final = Counted(
    name="set_map",
    counts="set-map",
    of_relevant=True,
    title="Precision times recall of the ranking as a set",
    formula="set_map@k = P@k · R@k",
    cite="Buckley & Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation",
    aliases=("setap", "set_ap"),
)

FALLOUT: Final = Counted(
    name="fallout",
    counts="fallout",
    parameters=(Number(name="documents", default=0.0, low=0.0, means="the items of the collection, if known"),),
    whole=True,
    title="Fallout",
    formula="fallout@k = irrelevant items in the first k ranks / irrelevant items, of those ranked or judged",
    cite=VAN_RIJSBERGEN,
    aliases=("fall_out",),
)

JUDGED: Final = Counted(
    name="judged",
    counts="judged",
    title="Share of judged items",
    formula="Judged@k = judged items in the first k ranks / ranks that hold an item",
    cite="Craswell et al. 2020, Overview of the TREC 2019 Deep Learning Track, TREC",
)

UNJUDGED: Final = Counted(
    name="unjudged",
    counts="unjudged",
    title="Share of unjudged items",
    formula="unj@k = unjudged items in the first k ranks / k; a negative grade is none",
    cite="Buckley & Voorhees 2004, Retrieval Evaluation with Incomplete Information, SIGIR",
    aliases=("unj",),
)


# The rank of each relevant item

RETRIEVAL_EVALUATION: Final = "Buckley & Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation"
ROUNDING: Final = "what is added before a number of items is rounded down; trec_eval 9 adds 0.9"

MRR: Final = Counted(
    name="mrr",
    counts="reciprocal-rank",
    title="Reciprocal rank, whose mean is MRR",
    formula="RR@k = 1 / rank of the first relevant item, 0 if it is not in the first k ranks",
    cite="Voorhees 1999, The TREC-8 Question Answering Track Report, TREC",
    aliases=("rr", "recip_rank", "reciprocal_rank"),
)

MAP: Final = Counted(
    name="map",
    counts="average-precision",
    of_relevant=True,
    title="Average precision, whose mean is MAP",
    formula="AP@k = Σ_{i≤k, item i relevant} P@i / relevant items",
    cite=RETRIEVAL_EVALUATION,
    aliases=("ap", "average_precision", "map_cut"),
)

CAPPED_MAP: Final = Counted(
    name="capped_map",
    counts="capped-average-precision",
    of_relevant=True,
    title="Average precision that can reach 1 at any cutoff",
    formula="AP@k = Σ_{i≤k, item i relevant} P@i / min(relevant items, k); default k: the length of the ranking",
    cite="Bertin-Mahieux et al. 2012, The Million Song Dataset Challenge, WWW Companion",
    aliases=("mapk", "apk", "capped_ap"),
)

GM_MAP: Final = Counted(
    name="gm_map",
    counts="average-precision",
    of_relevant=True,
    aggregate="geometric",
    title="Average precision, by its geometric mean over queries",
    formula="GMAP@k = exp(mean of ln max(AP@k, 0.00001))",
    cite="Robertson 2006, On GMAP and Other Transformations, CIKM",
    aliases=("gmap",),
)

R_PRECISION: Final = Counted(
    name="r_precision",
    counts="r-precision",
    parameters=(
        Number(name="times", default=1.0, low=0.0, strict=True, means="the rank as a multiple of R"),
        Number(name="rounding", default=0.9, low=0.0, high=1.0, means=ROUNDING),
    ),
    of_relevant=True,
    takes_cutoff=False,
    title="R-precision",
    formula="Rprec = relevant items in the first R ranks / R, where R items are relevant",
    cite=RETRIEVAL_EVALUATION,
    aliases=("rprec", "r-precision"),
)

IPREC: Final = Counted(
    name="iprec",
    counts="interpolated-precision",
    parameters=(
        Number(name="recall", default=0.5, low=0.0, high=1.0, means="the share of relevant items to be found"),
        Number(name="rounding", default=0.5, low=0.0, high=1.0, means=ROUNDING),
    ),
    of_relevant=True,
    takes_cutoff=False,
    title="Interpolated precision at a level of recall",
    formula="iprec = max P@i over the ranks i that have the recall, 0 if none has",
    cite=RETRIEVAL_EVALUATION,
    aliases=("iprec_at_recall",),
)

ELEVEN_POINTS: Final = Counted(
    name="11pt_avg",
    counts="mean-interpolated-precision",
    parameters=(
        Number(name="rounding", default=0.5, low=0.0, high=1.0, means=ROUNDING),
        Number(
            name="points",
            default=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
            low=0.0,
            high=1.0,
            means="the levels of recall",
        ),
    ),
    of_relevant=True,
    takes_cutoff=False,
    title="Interpolated precision, averaged over levels of recall",
    formula="11pt_avg = mean of iprec at recall 0, 0.1, …, 1",
    cite=RETRIEVAL_EVALUATION,
)

BPREF: Final = Counted(
    name="bpref",
    counts="bpref",
    of_relevant=True,
    takes_cutoff=False,
    title="Binary preference",
    formula="bpref = 1/R Σ_{item relevant} (1 − min(irrelevant judged items before it, R) / min(R, N))",
    cite="Buckley & Voorhees 2004, Retrieval Evaluation with Incomplete Information, SIGIR",
)

GM_BPREF: Final = Counted(
    name="gm_bpref",
    counts="bpref",
    of_relevant=True,
    aggregate="geometric",
    takes_cutoff=False,
    title="Binary preference, by its geometric mean over queries",
    formula="exp(mean of ln max(bpref, 0.00001))",
    cite="Robertson 2006, On GMAP and Other Transformations, CIKM",
)

INFAP: Final = Counted(
    name="infap",
    counts="inferred-average-precision",
    of_relevant=True,
    takes_cutoff=False,
    title="Inferred average precision",
    formula="infAP = 1/R Σ_{item i relevant} (1/i + (i−1)/i · pooled/(i−1) · (rel + ε)/(rel + nonrel + 2ε)), before i",
    cite="Yilmaz & Aslam 2006, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM",
    aliases=("inf_ap",),
)

YAAP: Final = Counted(
    name="yaap",
    counts="yaap",
    takes_cutoff=False,
    is_share=False,
    title="Average precision on the scale of log odds",
    formula="yaap = ln((1 + R · AP) / (1 + R − R · AP))",
    cite="Robertson 2012, On Smoothing Average Precision, ECIR",
)

BIN_G: Final = Counted(
    name="bin_g",
    counts="binary-g",
    of_relevant=True,
    takes_cutoff=False,
    title="Binary G: relevant items, discounted by the irrelevant ones before them",
    formula="binG = 1/R Σ_{item relevant} 1 / log2(2 + irrelevant items before it)",
    cite="Buckley 2008, trec_eval 9, m_binG",
    aliases=("bing",),
)

AUC: Final = Counted(
    name="auc",
    counts="auc",
    of_relevant=True,
    skips=True,
    takes_cutoff=False,
    title="Area under the ROC curve of a query",
    formula="AUC = share of (relevant, irrelevant) pairs of ranked items in the right order; a tie is half a pair",
    cite="Hanley & McNeil 1982, The Meaning and Use of the Area under a ROC Curve, Radiology 143(1)",
    aliases=("auroc", "roc_auc"),
)

GAUC: Final = Counted(
    name="gauc",
    counts="auc",
    of_relevant=True,
    skips=True,
    takes_cutoff=False,
    aggregate="weighted",
    title="AUC of each query, averaged by the number of its ranked items",
    formula="GAUC = Σ_q n_q · AUC_q / Σ_q n_q, over the queries that have an AUC",
    cite="Zhu et al. 2017, Optimized Cost per Click in Taobao Display Advertising, KDD",
)

CONCORDANCE: Final = Counted(
    name="concordance",
    counts="concordance",
    whole=True,
    ordered=True,
    skips=True,
    takes_cutoff=False,
    title="Pairs of items in the order of their grades: what XGBoost calls AUC where there are queries",
    formula="pairs of ranked items in the order of their grades, equal grades as the rows came / all pairs; a tie is "
    "half a pair",
    cite="Chen & Guestrin 2016, XGBoost: A Scalable Tree Boosting System, KDD (metric auc, src/metric/auc.cc)",
)

RBP_RESIDUAL: Final = Counted(
    name="rbp_residual",
    counts="rank-biased-residual",
    parameters=(Number(name="p", default=0.8, low=0.0, high=1.0, strict=True, means="persistence"),),
    takes_cutoff=False,
    title="What unjudged items could add to rank-biased precision",
    formula="p^n + (1 − p) Σ_{item i unjudged} p^(i−1) over the n ranked items; 0 if all are judged",
    cite="Moffat & Zobel 2008, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1)",
    aliases=("rbp_resid",),
)


# Numbers of items and queries, added up over queries, and the utility of a set


def _total(name: str, title: str, formula: str, *aliases: str) -> Counted:
    return Counted(
        name=name,
        counts=name.replace("_", "-"),
        aggregate="sum",
        is_share=False,
        takes_cutoff=False,
        title=title,
        formula=formula,
        cite=RETRIEVAL_EVALUATION,
        aliases=aliases,
    )


NUM_Q: Final = _total("num_q", "Number of queries", "1 per query, added up", "numq")
NUM_RET: Final = _total("num_ret", "Number of ranked items", "ranked items, added up", "numret")
NUM_REL: Final = _total("num_rel", "Number of relevant items", "relevant items, added up", "numrel")
NUM_REL_RET: Final = _total(
    "num_rel_ret", "Number of relevant items in the ranking", "relevant ranked items, added up", "numrelret"
)
NUM_NONREL_JUDGED_RET: Final = _total(
    "num_nonrel_judged_ret", "Number of irrelevant judged items in the ranking", "irrelevant judged items, added up"
)

UTILITY: Final = Counted(
    name="utility",
    counts="utility",
    parameters=(
        Number(name="hit", default=1.0, means="the worth of a relevant item that is ranked"),
        Number(name="noise", default=-1.0, means="the worth of another item that is ranked"),
        Number(name="miss", default=0.0, means="the worth of a relevant item that is not ranked"),
        Number(name="rest", default=0.0, means="the worth of another item that is not ranked"),
        Number(name="documents", default=0.0, low=0.0, means="the items of the collection, for the rest"),
    ),
    takes_cutoff=False,
    is_share=False,
    title="Utility of the ranking as a set",
    formula="hit · relevant ranked + noise · others ranked + miss · relevant not ranked + rest · others not ranked",
    cite="Lewis 1996, The TREC-4 Filtering Track, TREC",
)
