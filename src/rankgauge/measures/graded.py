"""Measures of the gains by rank that are not linear sums: stopping users (ERR, INST, BPM) and averages of NDCG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

from rankgauge.checks import bad_number
from rankgauge.conventions import Convention
from rankgauge.conventions.terms import Gain
from rankgauge.measures.gains import read_term
from rankgauge.measures.measure import NOTHING, Measure, NothingRelevant, Number, read_nothing


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Graded(Measure):
    """A measure of the gains by rank; `grades` names its function in each engine.

    The gain is the convention's unless the declaration has one or one is given: `ERR(gain="chance(3)") @ 10`.
    """

    family: ClassVar[str] = "graded"
    grades: str
    gain: Gain | None = None
    declared_gain: Gain | None = None
    # Whether the value is undefined for a query without relevant items; the convention decides what it counts as.
    of_relevant: bool = True
    # Whether it is also undefined if no grade reaches the relevance level; `under` stores that level in `rel`.
    asks_level: bool = False
    rel: float | None = None
    nothing_relevant: NothingRelevant | None = None

    def __post_init__(self) -> None:
        super(Graded, self).__post_init__()
        if self.declared_gain and self.gain and not _is_within_one(self.gain):
            expected, hint = "from 0 to 1: share(4), chance(4), binary or a table", f"default: {self.declared_gain}"
            raise bad_number(f"gain of {self.name}", expected, str(self.gain), hint)

    @property
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """The gain; and the value of a query without relevant items, where it has none of its own."""
        divided = {"nothing_relevant": read_nothing} if self.of_relevant else {}
        return {"gain": partial(read_term, "gain"), **divided}

    @property
    def nothing(self) -> float | None:
        """The value of a query without relevant items, where the convention does not say it."""
        return NOTHING[self.nothing_relevant]

    def takes_level(self, convention: Convention) -> bool:
        """Whether a relevance level changes anything."""
        from_convention = self.gain is None and self.declared_gain is None
        return self.asks_level or (from_convention and convention.gain.kind == "binary")

    def under(self, convention: Convention, level: float | None = None) -> Graded:
        """Return the measure with its gain set: as given, as declared, or that of the convention, in this order."""
        rel = level if self.asks_level else None
        gain = self.gain or self.declared_gain or convention.gain
        return replace(self, gain=gain, rel=rel)


def _is_within_one(gain: Gain) -> bool:
    return gain.kind in ("share", "chance", "binary") or (
        gain.kind == "table" and all(worth <= 1 for _, worth in gain.table)
    )


WANTED: Final = Number(name="t", default=1.0, low=0.0, strict=True, means="the gain that the reader wants")
RANKS: Final = Number(name="ranks", default=1000.0, low=1.0, high=1e6, means="the ranks that the weights sum to 1 over")
SHARE: Final = Gain("share", top=4.0)
CHANCE: Final = Gain("chance", top=4.0)

ERR: Final = Graded(
    name="err",
    grades="cascade",
    declared_gain=CHANCE,
    title="Expected reciprocal rank",
    formula="ERR@k = Σ_{i≤k} 1/i · c_i Π_{j<i} (1 − c_j), where c = (2^grade − 1) / 2^4",
    cite="Chapelle et al. 2009, Expected Reciprocal Rank for Graded Relevance, CIKM",
)

NERR: Final = Graded(
    name="nerr",
    grades="normalised-cascade",
    declared_gain=CHANCE,
    title="Expected reciprocal rank, divided by that of the ideal order",
    formula="nERR@k = ERR@k / ideal ERR@k",
    cite="Chapelle et al. 2009, Expected Reciprocal Rank for Graded Relevance, CIKM",
)

INST: Final = Graded(
    name="inst",
    grades="inst",
    declared_gain=SHARE,
    of_relevant=False,
    takes_cutoff=False,
    parameters=(WANTED, RANKS),
    title="INST: a reader who wants T gain and is the more patient the less is found",
    formula="Σ w_i · grade_i/4, w_{i+1} = w_i ((i + T + T_i − 1) / (i + T + T_i))², T_i = T − gain so far, Σ w = 1",
    cite="Moffat et al. 2015, INST: An Adaptive Metric for Information Retrieval Evaluation, ADCS",
)

INSQ: Final = Graded(
    name="insq",
    grades="insq",
    declared_gain=SHARE,
    of_relevant=False,
    takes_cutoff=False,
    parameters=(WANTED, RANKS),
    title="INSQ: a reader who wants T gain",
    formula="Σ w_i · grade_i/4, w_{i+1} = w_i ((i + 2T − 1) / (i + 2T))², Σ w = 1",
    cite="Moffat, Scholer & Thomas 2012, Models and Metrics: IR Evaluation as a User Process, ADCS",
)

BPM: Final = Graded(
    name="bpm",
    grades="bejeweled",
    declared_gain=SHARE,
    of_relevant=False,
    parameters=(WANTED,),
    title="Bejeweled player model: a reader who stops at T gain or k items",
    formula="BPM@k = gain / items seen, down to the rank where the gain reaches T, or to k",
    cite="Zhang et al. 2017, Evaluating Web Search with a Bejeweled Player Model, SIGIR",
)

COMPAT: Final = Graded(
    name="compat",
    grades="compatibility",
    takes_cutoff=False,
    parameters=(
        Number(name="p", default=0.95, low=0.0, high=1.0, strict=True, means="persistence"),
        Number(name="normalised", default=1.0, low=0.0, high=1.0, means="1 divides by the best possible"),
    ),
    title="Compatibility: rank-biased overlap with the ideal order that is most like the ranking",
    formula="RBO(ranking, ideal) / RBO(ideal, ideal), RBO = Σ p^(i−1) · shared items down to i / i",
    cite="Clarke, Vtyurina & Smucker 2021, Assessing Top-k Preferences, ACM TOIS 39(3)",
)

NDCG_REL: Final = Graded(
    name="ndcg_rel",
    grades="ndcg-at-relevant",
    takes_cutoff=False,
    title="NDCG, averaged over the ranks of relevant items",
    formula="1/R Σ_{item i relevant} DCG@i / IDCG@i; for one that is not ranked, DCG / IDCG",
    cite="Buckley 2008, trec_eval 9, m_ndcg_rel",
)

RNDCG: Final = Graded(
    name="rndcg",
    grades="ndcg-at-levels",
    asks_level=True,
    takes_cutoff=False,
    title="NDCG, averaged over the ranks at which the ideal order goes down a level",
    formula="mean of DCG@i / IDCG@i over the ranks i where the ideal gain falls, and the last",
    cite="Buckley 2008, trec_eval 9, m_Rndcg",
)

G: Final = Graded(
    name="g",
    grades="g",
    takes_cutoff=False,
    title="Gain, discounted by how far the ranking lies behind the ideal",
    formula="G = Σ gain_i / log2(2 + max(cost_i − gain so far, 0)) / Σ ideal gain, cost_i = Σ_{j≤i} max(ideal gain_j, "
    "1)",
    cite="Buckley 2008, trec_eval 9, m_G",
)
