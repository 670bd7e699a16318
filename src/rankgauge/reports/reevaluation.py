"""The runs evaluated again, for what a result does not hold: other cutoffs, counts, and the first ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.data.kept_inputs import KeptInputs
from rankgauge.engines.top_ranks import TopRanks, top_ranks
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate_nouns
from rankgauge.execution_options import ExecutionOptions
from rankgauge.measures import NDCG, Gains, Measure, parse
from rankgauge.request import Request

if TYPE_CHECKING:
    from rankgauge.reports.runs import ReportedRuns
    from rankgauge.results.result import Result

CUTOFFS: Final = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
RECALLS: Final = tuple(level / 10 for level in range(11))
# How many ranks a heat map shows, and how many the explorer shows at most.
RANKS: Final = 20
# More queries than this add nothing to what is shown of ranks.
MOST_QUERIES: Final = 50_000


@dataclass(frozen=True, slots=True)
class ReevaluatedRuns:
    """What was computed anew: a result per run, and its first ranks.

    `results` have the measures of the report, those of the curves, and the ideal sum of the explained measure.
    `sampled` is how many queries `top` is of, where these are a random sample.
    """

    inputs: Mapping[str, KeptInputs]
    results: Mapping[str, Result]
    top: Mapping[str, TopRanks]
    by_cutoff: Mapping[int, Measure]
    by_recall: Mapping[float, Measure]
    ideal_sum: Measure | None
    sampled: int | None = None


def evaluate_again(runs: ReportedRuns, running: ExecutionOptions | None = None) -> ReevaluatedRuns | str:
    """Evaluate the runs of a report again, or say why that cannot be done."""
    inputs = {name: kept for name, kept in runs.inputs.items() if kept is not None}
    if len(inputs) < len(runs.names):
        return "the inputs are not at hand: the result was pickled, merged or computed from arrays"
    by_cutoff, by_recall = _by_cutoff(runs), {level: parse(f"iprec(recall={level:g})") for level in RECALLS}
    ideal = _ideal_sum(runs)
    measures = dict.fromkeys([*runs.values, *by_cutoff.values(), *by_recall.values(), *([ideal] if ideal else [])])
    request = replace(runs.request, measures=tuple(measures), labels=())
    chosen = _sample(runs)
    try:
        results = {
            name: evaluate_nouns(kept.judgments, kept.ranking, request, running or ExecutionOptions())
            for name, kept in inputs.items()
        }
        if not _are_same(runs, results):
            return "the inputs have changed since the result was computed"
        asked = explained_request(runs)
        top = {name: top_ranks(kept.judgments, kept.ranking, asked, RANKS, chosen) for name, kept in inputs.items()}
    except RankgaugeError as error:
        return f"the inputs cannot be read again: {error}"
    return ReevaluatedRuns(inputs, results, top, by_cutoff, by_recall, ideal, len(chosen) if chosen else None)


def explained_request(runs: ReportedRuns) -> Request:
    """Return the request whose gains are those of the explained measure."""
    return replace(runs.request, measures=(runs.explained or runs.main,), labels=())


def _by_cutoff(runs: ReportedRuns) -> dict[int, Measure]:
    measure = next((m for m in runs.values if isinstance(m, Gains) and m.normalised and m.sums == "ranked"), NDCG)
    return {k: replace(measure, k=k) for k in CUTOFFS}


def _ideal_sum(runs: ReportedRuns) -> Measure | None:
    measure = runs.explained
    return None if measure is None else replace(measure, sums="ideal", normalised=False)


def _sample(runs: ReportedRuns) -> list[str] | None:
    if len(runs.queries) <= MOST_QUERIES:
        return None
    rows = np.random.default_rng(0).choice(len(runs.queries), MOST_QUERIES, replace=False)
    return [runs.queries[row] for row in sorted(rows)]


def _are_same(runs: ReportedRuns, results: Mapping[str, Result]) -> bool:
    """Whether the values are those of the report: a mapping or a file may have changed since."""
    for number, name in enumerate(runs.names):
        evaluation = results[name].evaluation
        values = dict(zip(evaluation.queries, evaluation.values[runs.main], strict=True))
        now = np.array([values.get(query, 0.0) for query in runs.queries])
        if not np.array_equal(now, runs.values[runs.main][:, number], equal_nan=True):
            return False
    return True


def cutoff_of(measure: Gains, convention: Convention) -> int | None:
    """Return the rank down to which a measure looks under a convention; None where it looks at all.

    >>> from rankgauge.conventions import get
    >>> cutoff_of(NDCG @ 5, get("trec_eval")), cutoff_of(NDCG, get("trec_eval"))
    (5, None)
    """
    k = measure.k if measure.k is not None else convention.default_cutoff
    return k if isinstance(k, int) else None
