"""What tools for search compute."""

from __future__ import annotations

from typing import Final

from rankgauge.conventions.convention import Convention
from rankgauge.conventions.terms import EXP2, PERFECT, RANKED

WHOLE: Final = "it cuts grades to whole numbers, 1.9 to 1, where rankgauge keeps them"
REFUSED: Final = "it takes whole grades only"
# The measures of trec_eval 9, which 10.0 has too.
TREC_MEASURES: Final = (
    *("ndcg", "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"),
    *("map", "gm_map", "mrr", "r_precision", "bpref", "gm_bpref", "infap", "iprec", "11pt_avg"),
    *("precision", "relative_precision", "recall", "f", "set_map", "success", "utility"),
    *("bin_g", "g", "ndcg_rel", "rndcg"),
)
# At a recall level r, version 9 asks for floor(r * relevant + 0.9) relevant items.
TREC_9_RECALL: Final = {"iprec": "iprec(rounding=0.9)", "11pt_avg": "11pt_avg(rounding=0.9)"}
MCSHERRY: Final = (
    "McSherry & Najork 2008, Computing Information Retrieval Performance Measures Efficiently with Ties, ECIR"
)

TREC_EVAL: Final = Convention(
    name="trec_eval",
    default_cutoff="all",
    ties="id-descending",
    missing="skip",
    summary="As textbook, but ties go by item id, `ndcg` without k never cuts the ideal, missing queries are left out.",
    measures={"rbp": "rbp(gain=share,p=0.9)", "rbp_residual": "rbp_residual(p=0.9)"},
    proven=(*TREC_MEASURES, "dcg", "idcg", "yaap", "rbp", "rbp_residual", "unjudged", "relstring"),
    reproduces="trec_eval 10.0, all of its measures of qrels",
    source="m_ndcg.c, m_ndcg_cut.c, form_res_rels.c, and m_*.c for the others",
    cite="National Institute of Standards and Technology, trec_eval",
    quirks=(
        "equal scores are ordered by item id, last first; the rank column is ignored",
        "-l, the relevance level, does not touch NDCG",
        "a query whose grades are all negative is worth 0; 10.0 may fail on it",
        "rbp divides grades by the highest of the query, and p is 0.9; 10.0 may take a wrong number for the highest",
    ),
    undefined={
        "fractional grades": WHOLE,
        "missing queries": "10.0 stops, unless -c counts them as 0; 9.0.8 leaves them out, as here",
    },
)

TREC_EVAL_9: Final = Convention(
    name="trec_eval-9",
    default_cutoff="all",
    ties="id-descending",
    precision="float32",
    missing="skip",
    summary="As trec_eval, but scores are 32-bit floats, which makes near ones equal.",
    measures=TREC_9_RECALL,
    proven=TREC_MEASURES,
    reproduces="trec_eval 9.0.8, all of its measures of qrels, as pytrec_eval-terrier 0.5.11 compiles it",
    source="m_ndcg.c, m_ndcg_cut.c, trec_format.h, and m_*.c for the others",
    cite="National Institute of Standards and Technology, trec_eval",
    quirks=("scores that differ by less than one part in ten million are ties, ordered by item id",),
    undefined={"fractional grades": WHOLE},
)

PYTREC_EVAL: Final = Convention(
    name="pytrec_eval",
    default_cutoff="all",
    ties="id-descending",
    precision="float32",
    missing="skip",
    summary="trec_eval 9 from Python: 32-bit scores, missing queries left out; the mean is the caller's.",
    measures=TREC_9_RECALL,
    proven=TREC_MEASURES,
    reproduces="pytrec_eval-terrier 0.5.11, all of its measures",
    source="src/pytrec_eval.cpp over trec_eval's m_ndcg_cut.c and the others",
    cite="Van Gysel & de Rijke 2018, Pytrec_eval: An Extremely Fast Python Interface to trec_eval, SIGIR",
    quirks=("it prints no mean: a query that the ranking lacks is absent from its answer",),
    undefined={"fractional grades": REFUSED},
)

IR_MEASURES_PROVEN: Final = (
    *("ndcg", "map", "mrr", "precision", "recall", "success", "r_precision", "bpref", "infap", "iprec", "judged"),
    *("f", "set_map", "relative_precision", "num_ret", "num_rel_ret", "rbp", "err"),
    *("alpha_ndcg", "alpha_dcg", "err_ia", "nerr_ia", "p_ia", "map_ia", "nrbp", "nnrbp", "strec"),
)

IR_MEASURES: Final = Convention(
    name="ir_measures",
    default_cutoff="all",
    ties="id-descending",
    precision="float32",
    missing="zero",
    duplicates="last",
    summary="As pytrec_eval, but a judged query that the ranking lacks counts as 0.",
    measures={"iprec": "iprec(rounding=0.9)"},
    proven=IR_MEASURES_PROVEN,
    reproduces="ir_measures 0.4.3, with its default providers",
    source="ir_measures/providers/pytrec_eval_provider.py, base.py",
    cite="MacAvaney et al. 2022, Streamlining Evaluation with ir-measures, ECIR",
    quirks=(
        "missing queries count as 0, and no switch changes that",
        "of an item that comes twice in a query, the last row counts, without a word",
        "RR@k, ERR, Judged and RBP come from other providers than the rest, which order equal scores otherwise",
    ),
    undefined={"fractional grades": REFUSED},
)

GDEVAL: Final = Convention(
    name="gdeval",
    gain=EXP2,
    default_cutoff=20,
    ties="id-descending",
    nothing_relevant="skip",
    missing="skip",
    decimals=5,
    summary="Gain 2^grade - 1; ties by item id; queries without a positive grade are left out; five decimals.",
    proven=("ndcg",),
    reproduces="gdeval.pl 1.2a of the TREC Web track, as ir_measures 0.4.3 ships it",
    source="gdeval.pl",
    cite="Clarke et al. 2010, Overview of the TREC 2010 Web Track, TREC",
    quirks=("an item that is ranked twice earns its gain twice, so values above 1 are possible; here it is an error",),
    undefined={"fractional grades": REFUSED},
)

RANX: Final = Convention(
    name="ranx",
    default_cutoff="all",
    missing="zero",
    summary="As textbook; missing queries count as 0, and `ndcg` without k never cuts the ideal.",
    measures={"rbp": "rbp(gain=linear)"},
    proven=("ndcg", "dcg", "precision", "recall", "f", "hits", "success", "mrr", "map", "r_precision", "rbp"),
    reproduces="ranx 0.3.21, its measures with make_comparable=True",
    source="ranx/metrics/ndcg.py, ranx/data_structures/qrels.py",
    cite="Bassani 2022, ranx: A Blazing-Fast Python Library for Ranking Evaluation and Comparison, ECIR",
    quirks=(
        "without make_comparable, judgments and ranking must have the same queries",
        "the gain of rbp is the grade, so rbp may exceed 1",
    ),
    undefined={"ties": "its sort is not stable beyond 16 items", "fractional grades": WHOLE},
)

RANX_BURGES: Final = Convention(
    name="ranx-burges",
    gain=EXP2,
    default_cutoff="all",
    missing="zero",
    summary="As ranx with the gain 2^grade - 1.",
    measures={"rbp": "rbp(gain=linear)"},
    proven=("ndcg", "dcg"),
    reproduces="ranx 0.3.21, ndcg_burges and dcg_burges with make_comparable=True",
    source="ranx/metrics/ndcg.py, ranx/data_structures/qrels.py",
    cite=RANX.cite,
    quirks=RANX.quirks,
    undefined=RANX.undefined,
)

BEIR: Final = Convention(
    name="beir",
    default_cutoff="all",
    ties="id-descending",
    precision="float32",
    missing="skip",
    own_id="drop",
    decimals=5,
    summary="As pytrec_eval, but an item with the id of its query is removed; five decimals.",
    proven=("ndcg",),
    reproduces="beir 2.2.0, EvaluateRetrieval.evaluate",
    source="beir/retrieval/evaluation.py",
    cite="Thakur et al. 2021, BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation, NeurIPS Datasets",
    quirks=(
        "an item with the id of its query is removed before ranking (ignore_identical_ids), yet stays in the ideal",
        "queries that the ranking lacks are left out of the mean",
    ),
    undefined={"fractional grades": REFUSED},
)

MTEB: Final = Convention(
    name="mteb",
    default_cutoff="all",
    ties="id-descending",
    precision="float32",
    missing="skip",
    decimals=5,
    summary="As pytrec_eval; missing queries are left out; five decimals.",
    proven=("ndcg",),
    reproduces="mteb 2.26.24, calculate_retrieval_scores",
    source="mteb/_evaluators/retrieval_metrics.py",
    cite="Muennighoff et al. 2023, MTEB: Massive Text Embedding Benchmark, EACL",
    quirks=("some of its tasks remove items with the id of their query: mteb(own_id=drop)",),
    undefined={"fractional grades": REFUSED, "unjudged queries": "it fails on a query without judgments"},
)

CWL: Final = Convention(
    name="cwl",
    ideal=PERFECT,
    missing="skip",
    negative="keep",
    summary="Scaled DCG: divided by k perfect positions of gain 1, not by the judged ideal.",
    proven=("ndcg",),
    reproduces="cwl-eval 1.0.12, NDCG-k",
    source="cwl/ruler/measures/cwl_dcg.py, cwl_metrics.py",
    cite="Azzopardi, Thomas & Moffat 2019, cwl_eval: An Evaluation Tool for Information Retrieval, SIGIR",
    quirks=(
        "grades above 1 give values above 1: scale them, or say perfect(g)",
        "the program takes the rows in the order of the file, whatever their scores; here scores decide",
    ),
    undefined={"unjudged queries": "it prints 0 for a query without judgments, which is ignored here"},
)

SKLEARN: Final = Convention(
    name="sklearn",
    ideal=RANKED,
    ties="average",
    negative="error",
    summary="Linear gain; equal scores share the mean of their gains; the ideal is the best order of the rows given.",
    proven=("ndcg", "dcg"),
    reproduces="scikit-learn 1.9.1, ndcg_score and dcg_score",
    source="sklearn/metrics/_ranking.py",
    cite=MCSHERRY,
    quirks=(
        "relevant items that are not among the rows are not in the ideal",
        "a row with a single item is refused; here it is worth 1 or 0",
    ),
    undefined={"missing queries": "there are only rows"},
)

SKLEARN_IGNORE_TIES: Final = Convention(
    name="sklearn-ignore-ties",
    ideal=RANKED,
    ties="reversed",
    negative="error",
    summary="As sklearn, but equal scores are not averaged.",
    proven=("ndcg", "dcg"),
    reproduces="scikit-learn 1.9.1, ndcg_score with ignore_ties=True",
    source="sklearn/metrics/_ranking.py",
    cite=MCSHERRY,
    quirks=("the last of equal scores comes first in short rows",),
    undefined={"ties": "its sort is not stable", "missing queries": "there are only rows"},
)
