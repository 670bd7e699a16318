r"""Measures: what is computed, as data with a text form.

To add one, add a literal to the file of its family: the command line, the help, the docs and the tests find it.
What users of other tools type is understood, and one form is printed.

>>> from rankgauge.measures.parsing import parse
>>> parse("ndcg(gain=exp2)@10")
ndcg(gain=exp2)@10
>>> parse("ndcg@10") == parse("NDCG@10") == parse("ndcg_cut.10")
True
>>> parse("P_5"), parse("recip_rank"), parse("AP(rel=2)@100")
(precision@5, mrr, map(rel=2)@100)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.measures.measure import Measure, Number
from rankgauge.measures.parsing import parse, parse_all
from rankgauge.measures.registry import KNOWN, NAMED

if TYPE_CHECKING:
    from rankgauge.measures.clicks import IPS_DCG, SNIPS_DCG, Clicks
    from rankgauge.measures.counted import (
        AUC,
        BIN_G,
        BPREF,
        CAPPED_MAP,
        CONCORDANCE,
        ELEVEN_POINTS,
        FALLOUT,
        GAUC,
        GM_BPREF,
        GM_MAP,
        HITS,
        INFAP,
        IPREC,
        JUDGED,
        MAP,
        MRR,
        NUM_NONREL_JUDGED_RET,
        NUM_Q,
        NUM_REL,
        NUM_REL_RET,
        NUM_RET,
        PRECISION,
        R_PRECISION,
        RBP_RESIDUAL,
        RECALL,
        RELATIVE_PRECISION,
        SET_MAP,
        SUCCESS,
        UNJUDGED,
        UTILITY,
        YAAP,
        Counted,
        F,
    )
    from rankgauge.measures.coverage import COVERAGE, Coverage
    from rankgauge.measures.diversity import (
        ALPHA_DCG,
        ALPHA_NDCG,
        ERR_IA,
        MAP_IA,
        NERR_IA,
        NNRBP,
        NRBP,
        P_IA,
        STREC,
        Diversity,
    )
    from rankgauge.measures.gains import CG, CORRECTED_NDCG, DCG, IDCG, NDCG, RANDOM_NDCG, RBP, SDCG, Gains
    from rankgauge.measures.graded import BPM, COMPAT, ERR, INSQ, INST, NDCG_REL, NERR, RNDCG, G, Graded
    from rankgauge.measures.letters import RELSTRING, Letters


if not TYPE_CHECKING:  # a type checker that saw it would take any misspelt name for one that exists

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - a measure, or a class of them
        """Find a measure, or a class of measures, in the file of its family."""
        for family in NAMED.modules:
            value = vars(import_module(f"{__name__}.{family}")).get(name)
            if isinstance(value, Measure) or (isinstance(value, type) and issubclass(value, Measure)):
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ALPHA_DCG",
    "ALPHA_NDCG",
    "AUC",
    "BIN_G",
    "BPM",
    "BPREF",
    "CAPPED_MAP",
    "CG",
    "COMPAT",
    "CONCORDANCE",
    "CORRECTED_NDCG",
    "COVERAGE",
    "DCG",
    "ELEVEN_POINTS",
    "ERR",
    "ERR_IA",
    "FALLOUT",
    "GAUC",
    "GM_BPREF",
    "GM_MAP",
    "HITS",
    "IDCG",
    "INFAP",
    "INSQ",
    "INST",
    "IPREC",
    "IPS_DCG",
    "JUDGED",
    "KNOWN",
    "MAP",
    "MAP_IA",
    "MRR",
    "NAMED",
    "NDCG",
    "NDCG_REL",
    "NERR",
    "NERR_IA",
    "NNRBP",
    "NRBP",
    "NUM_NONREL_JUDGED_RET",
    "NUM_Q",
    "NUM_REL",
    "NUM_REL_RET",
    "NUM_RET",
    "PRECISION",
    "P_IA",
    "RANDOM_NDCG",
    "RBP",
    "RBP_RESIDUAL",
    "RECALL",
    "RELATIVE_PRECISION",
    "RELSTRING",
    "RNDCG",
    "R_PRECISION",
    "SDCG",
    "SET_MAP",
    "SNIPS_DCG",
    "STREC",
    "SUCCESS",
    "UNJUDGED",
    "UTILITY",
    "YAAP",
    "Clicks",
    "Counted",
    "Coverage",
    "Diversity",
    "F",
    "G",
    "Gains",
    "Graded",
    "Letters",
    "Measure",
    "Number",
    "parse",
    "parse_all",
]


def __dir__() -> list[str]:
    """Show what a user may use and nothing else."""
    return sorted(__all__)
