"""Measures of how many relevant items stand in the first ranks: precision, recall and their kin.

An item is relevant if its grade is positive and reaches the level `rel`, as in `precision(rel=2)@5`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rankgauge.measures.measure import AtLevel, Number


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
