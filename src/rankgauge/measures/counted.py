"""Measures that count relevant items: precision, recall, average precision and their kin.

An item is relevant if its grade is positive and reaches the level `rel`, as in `precision(rel=2)@5`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Measure
from rankgauge.notation import format_number, parse_number

Counts = Literal[
    "precision",
    "recall",
    "f",
    "success",
    "reciprocal-rank",
    "average-precision",
    "r-precision",
    "bpref",
    "judged",
    "rank-biased",
]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Counted(Measure):
    """A measure of the ranks at which relevant items stand.

    >>> from rankgauge.measures import PRECISION
    >>> PRECISION(rel=2) @ 5
    precision(rel=2)@5
    """

    counts: Counts
    rel: float | None = None
    beta: float = 1.0
    p: float = 0.8
    # Whether it is divided by the number of relevant items, so that a query without any has no value of its own.
    of_relevant: bool = False
    takes_cutoff: bool = True

    def __post_init__(self) -> None:
        if self.k is not None and not self.takes_cutoff:
            raise RankgaugeError("no-cutoff", measure=self.name, got=self.k)
        super(Counted, self).__post_init__()

    @property
    def takes(self) -> Mapping[str, Any]:
        """The parameters that the measure has, and how the text of each is read."""
        own = {"f": {"beta": _positive}, "rank-biased": {"p": _share}}.get(self.counts, {})
        return {"rel": _level} | own

    def shown(self, parameter: str) -> object:
        """Return a parameter as it is typed, or None if it is the one of the declaration."""
        value = getattr(self, parameter)
        return None if value == {"rel": None, "beta": 1.0, "p": 0.8}[parameter] else format_number(value)

    @property
    def is_share(self) -> bool:
        """Whether its values are from 0 to 1."""
        return True

    def under(self, convention: Convention, level: float | None = None) -> Counted:
        """Return the measure with the relevance level given: its own, that asked for, or that of a binary gain."""
        asked = convention.gain.threshold if level is None else level
        return self if self.rel is not None else replace(self, rel=asked)


def _number(value: object, name: str) -> float:
    return parse_number(value, name) if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def _level(value: object) -> float:
    return _number(value, "rel")


def _positive(value: object) -> float:
    number = _number(value, "beta")
    if not 0 < number < float("inf"):
        raise RankgaugeError(
            "bad-number", field="beta", expected="greater than 0", got=value, hint="1 weighs both alike"
        )
    return number


def _share(value: object) -> float:
    number = _number(value, "p")
    if not 0 < number < 1:
        raise RankgaugeError("bad-number", field="p", expected="between 0 and 1", got=value, hint="0.8 unless said")
    return number


PRECISION: Final = Counted(
    name="precision",
    counts="precision",
    title="Precision",
    formula="P@k = relevant items in the first k ranks / k",
    cite="van Rijsbergen 1979, Information Retrieval, chapter 7",
    aliases=("p", "prec"),
    trec_cut_name="P",
)

RECALL: Final = Counted(
    name="recall",
    counts="recall",
    of_relevant=True,
    title="Recall",
    formula="R@k = relevant items in the first k ranks / relevant items",
    cite="van Rijsbergen 1979, Information Retrieval, chapter 7",
    aliases=("r",),
    trec_cut_name="recall",
)

F: Final = Counted(
    name="f",
    counts="f",
    of_relevant=True,
    title="F measure",
    formula="F@k = (1 + β²) · P@k · R@k / (β² · P@k + R@k)",
    cite="van Rijsbergen 1979, Information Retrieval, chapter 7",
    aliases=("f1", "f_score"),
)

SUCCESS: Final = Counted(
    name="success",
    counts="success",
    title="Success, also known as hit rate",
    formula="Success@k = 1 if a relevant item stands in the first k ranks, else 0",
    cite="Craswell & Hawking 2004, Overview of the TREC-2004 Web Track, TREC",
    aliases=("hit_rate", "hitrate", "hr", "hit"),
    trec_cut_name="success",
)

MRR: Final = Counted(
    name="mrr",
    counts="reciprocal-rank",
    title="Reciprocal rank, whose mean is MRR",
    formula="RR@k = 1 / rank of the first relevant item, 0 if it is not in the first k ranks",
    cite="Voorhees 1999, The TREC-8 Question Answering Track Report, TREC",
    aliases=("rr", "recip_rank", "reciprocal_rank"),
    trec_name="recip_rank",
)

MAP: Final = Counted(
    name="map",
    counts="average-precision",
    of_relevant=True,
    title="Average precision, whose mean is MAP",
    formula="AP@k = Σ_{i≤k, item i relevant} P@i / relevant items",
    cite="Buckley & Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation",
    aliases=("ap", "average_precision"),
    trec_name="map",
    trec_cut_name="map_cut",
)

R_PRECISION: Final = Counted(
    name="r_precision",
    counts="r-precision",
    of_relevant=True,
    takes_cutoff=False,
    title="R-precision",
    formula="Rprec = relevant items in the first R ranks / R, where R items are relevant",
    cite="Buckley & Voorhees 2005, Retrieval System Evaluation, in TREC: Experiment and Evaluation",
    aliases=("rprec", "r-precision"),
    trec_name="Rprec",
)

BPREF: Final = Counted(
    name="bpref",
    counts="bpref",
    of_relevant=True,
    takes_cutoff=False,
    title="Binary preference",
    formula="bpref = 1/R Σ_{item relevant} (1 − min(irrelevant judged items before it, R) / min(R, N))",
    cite="Buckley & Voorhees 2004, Retrieval Evaluation with Incomplete Information, SIGIR",
    trec_name="bpref",
)

JUDGED: Final = Counted(
    name="judged",
    counts="judged",
    title="Share of judged items",
    formula="Judged@k = judged items in the first k ranks / ranks that hold an item",
    cite="Craswell et al. 2020, Overview of the TREC 2019 Deep Learning Track, TREC",
)

RBP: Final = Counted(
    name="rbp",
    counts="rank-biased",
    title="Rank-biased precision",
    formula="RBP@k = (1 − p) Σ_{i≤k, item i relevant} p^(i−1)",
    cite="Moffat & Zobel 2008, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1)",
)
