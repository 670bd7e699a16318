"""pytrec_eval, in the fork that is maintained: trec_eval 9's own code called from Python."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, Final

import pytrec_eval
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case

# Ours → theirs: measures that have no cutoff, and those that have one.
UNCUT: Final = {
    "num_q": "num_q",
    "num_ret": "num_ret",
    "num_rel": "num_rel",
    "num_rel_ret": "num_rel_ret",
    "num_nonrel_judged_ret": "num_nonrel_judged_ret",
    "gm_map": "gm_map",
    "r_precision": "Rprec",
    "bpref": "bpref",
    "gm_bpref": "gm_bpref",
    "11pt_avg": "11pt_avg",
    "infap": "infAP",
    "utility": "utility",
    "bin_g": "binG",
    "g": "G",
    "ndcg_rel": "ndcg_rel",
    "rndcg": "Rndcg",
    "mrr": "recip_rank",
    "set_map": "set_map",
    "f": "set_F",
    **{f"iprec(recall={n / 10})": f"iprec_at_recall_{n / 10:.2f}" for n in range(11)},
    **{f"r_precision(times={n / 5})": f"Rprec_mult_{n / 5:.2f}" for n in range(1, 11)},
}
CUT: Final = {"ndcg": "ndcg_cut", "precision": "P", "recall": "recall", "map": "map_cut", "success": "success"} | {
    "relative_precision": "relative_P"
}
# What is asked for without a cutoff where there is one with it.
WHOLE: Final = {"ndcg": "ndcg", "precision": "set_P", "recall": "set_recall", "map": "map"} | {
    "relative_precision": "set_relative_P"
}
# The class in C, since the one in Python reads names of its own only.
COMPILED: Any = pytrec_eval.RelevanceEvaluator.__base__
RECALL: Final = re.compile("iprec_at_recall_|Rprec_mult_")
REMEMBERED: Final[dict[tuple[str, int | None], Mapping[str, Mapping[str, float]]]] = {}


def _names(k: int | None) -> set[str]:
    """Return what is asked for; a level of recall is asked for with its default list."""
    uncut = {name.rpartition("_")[0] if RECALL.match(name) else name for name in UNCUT.values()}
    return uncut | set(WHOLE.values()) if k is None else {f"{name}.{k}" for name in CUT.values()}


def _everything(case: Case, k: int | None) -> Mapping[str, Mapping[str, float]]:
    """Ask for all measures at a cutoff at once, and remember it by the name of the case."""
    if (case.name, k) not in REMEMBERED:
        # Whole grades have to be of the type int, or there is a TypeError.
        judgments = {
            query: {item: int(grade) for item, grade in items.items()} for query, items in case.judgments.items()
        }
        evaluator = COMPILED(
            query_relevance=judgments, measures=_names(k), relevance_level=1, judged_docs_only_flag=False
        )
        REMEMBERED[case.name, k] = evaluator.evaluate(case.ranking)
    return REMEMBERED[case.name, k]


def _ask(case: Case, k: int | None, *, measure: str) -> Printed:
    """Ask for the values by query; the mean is left to the caller, and is taken over what came back."""
    whole = WHOLE if measure in WHOLE else UNCUT
    named = whole[measure] if k is None else f"{CUT[measure]}_{k}"
    values = {query: float(measures[named]) for query, measures in _everything(case, k).items()}
    mean = pytrec_eval.compute_aggregated_measure(named, list(values.values()))
    # The values of geometric means are logarithms.
    return Printed(None if measure.startswith("gm_") else values, float(mean))


FRACTIONAL: Final = {"fractional grades": "a grade that is not an int is a TypeError"}


def _refuses(measure: str) -> dict[str, str]:
    if measure in UNCUT:
        return FRACTIONAL | {"cut": "it has no cutoff"}
    return FRACTIONAL if measure in WHOLE else FRACTIONAL | {"uncut": "it has a cutoff"}


# The wheel is compiled from trec_eval 9.0.8, so this is also what trec_eval 9 says, with all its digits.
ADAPTERS = [
    Adapter(
        convention=convention,
        package="pytrec_eval-terrier",
        measure=measure,
        ask=functools.partial(_ask, measure=measure),
        refuses=_refuses(measure),
    )
    for convention in ("pytrec_eval", "trec_eval-9")
    for measure in (*CUT, *UNCUT)
]
