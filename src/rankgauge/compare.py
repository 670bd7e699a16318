"""The verb `compare`: judgments and several runs in, a Comparison out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from rankgauge import cluster
from rankgauge.conventions import Convention
from rankgauge.errors import within
from rankgauge.evaluate import (
    ClusterSettings,
    Running,
    evaluate_nouns,
    evaluate_sides,
    split_settings,
    with_sources,
)
from rankgauge.inputs import both_sides, read_within
from rankgauge.inputs.cases import Sides
from rankgauge.inputs.reading import Reading
from rankgauge.keywords import hinted
from rankgauge.measures.parsing import MeasuresInput
from rankgauge.remarks import require_none_severe
from rankgauge.request import Request, RequestSettings
from rankgauge.results.result import Result
from rankgauge.statistics.intervals import LEVEL

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgauge.data.spilled import JudgedSide, RankedSide
    from rankgauge.inputs.runs import RunsInput
    from rankgauge.inputs.types import JudgmentsInput, RankingInput
    from rankgauge.results.aligned_runs import AlignedRuns
    from rankgauge.results.comparison import Comparison, Design
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.statistics.corrections import Correction
    from rankgauge.statistics.paired import Test


@hinted(*ClusterSettings.__annotations__)
def compare(
    judgments: JudgmentsInput,
    runs: RunsInput,
    measures: MeasuresInput | None = None,
    *,
    baseline: str | None = None,
    test: Test = "randomisation",
    correction: Correction | None = None,
    margin: float | None = None,
    level: float = LEVEL,
    permutations: int | None = None,
    by: SegmentsInput | None = None,
    human: JudgmentsInput | None = None,
    convention: str | Convention | None = None,
    **settings: Unpack[ClusterSettings],
) -> Comparison:
    """Compare two or more runs on the same queries: which is better, by how much, and how sure that is.

    A query that one run has and another lacks counts 0 for the latter, whatever the convention, with a severe remark;
    `missing="skip"` compares the queries that all runs have instead.

    Parameters:
        judgments: as for `rg.evaluate`.
        runs: a mapping of name to ranking, a list of files, a folder of files, a pattern such as `runs/*.txt`, or a
            table with a column `run` (or system, model, …). A folder in a list is one run, in pieces.
        measures: one or several, as text or as `rg.measures`; default: `ndcg@10`.
        baseline: the run that all others are compared with; default: the first of two runs, all pairs of more.
        test: `randomisation` (exact for up to 20 queries that differ), `t`, `bootstrap`, or `wilcoxon` and `sign`,
            which do not test means.
        correction: of p-values for several comparisons of a measure: `holm`, `tukey` (randomised Tukey HSD), `bh`, or
            `none`; default: `holm` with a baseline, `tukey` for all pairs.
        margin: two runs that differ by less are equivalent; the pairs then have the p-value of that.
        level: the level of intervals, and 1 less it that of significance.
        permutations: how many permutations or resamples a test draws; default: 9,999 to 99,999, by the size of data.
        by: segments of the queries, as for `result.by`: the runs are compared within each, too.
        human: judgments by people of a random sample of the queries, as for `rg.evaluate`; the test is then `t`.
        convention: its name, or an `rg.Convention`; default: `trec_eval`.
        settings: the other keywords of `rg.evaluate`.

    >>> import rankgauge as rg
    >>> judgments = {f"q{number}": {"a": 1, "b": 1} for number in range(8)}
    >>> runs = {"base": {query: ["x", "a"] for query in judgments}, "new": {query: ["a", "x"] for query in judgments}}
    >>> print(rg.compare(judgments, runs, "ndcg@2").headline())
    new is better than base by 0.2263 (95% 0.2263 to 0.2263), p = 0.008; 8 queries better, 0 worse, 0 equal

    """
    # Imported late: evaluating needs neither these nor NumPy.
    from rankgauge.inputs.runs import named_runs
    from rankgauge.results.pairing import design_of

    named = named_runs(runs)
    design = design_of(
        list(named),
        baseline=baseline,
        test=test,
        correction=correction,
        margin=margin,
        level=level,
        permutations=permutations,
    )
    asked, reading, running = split_settings(settings)
    running = running.checked()
    if cluster.is_asked([judgments, *named.values()], running.engine, human):
        ask = partial(requested, measures=measures, convention=convention, settings=asked)
        comparison = _compared_on_cluster(judgments, named, ask, design, reading, running, asked)
    else:
        cluster.require_none(running)
        comparison = _compared(judgments, named, measures, convention, asked, reading, running, design, human)
    if by is not None:
        segments = comparison.by(by, seed=running.seed, threads=running.threads)
        comparison = replace(comparison, segments=segments)
    require_none_severe(comparison.remarks, strict=running.strict)
    return comparison


def requested(
    given: Sides, measures: MeasuresInput | None, convention: str | Convention | None, settings: RequestSettings
) -> Request:
    """Return what is asked of two sides."""
    asked = given.measure if measures is None else measures
    return settings.request(asked, given.convention if convention is None else convention)


def _compared(
    judgments: JudgmentsInput,
    runs: Mapping[str, RankingInput],
    measures: MeasuresInput | None,
    convention: str | Convention | None,
    settings: RequestSettings,
    reading: Reading,
    running: Running,
    design: Design,
    human: JudgmentsInput | None,
) -> Comparison:
    from rankgauge.results.aligned_runs import align
    from rankgauge.results.combined_comparison import compare_combined
    from rankgauge.results.pairing import compare_aligned

    results, present = evaluate_runs(judgments, runs, measures, convention, settings, reading, running)
    aligned = align(results, present, common=settings.missing == "skip")
    request = next(iter(results.values())).request
    remarks = tuple(dict.fromkeys(remark for result in results.values() for remark in result.input_remarks))
    if human is None:
        seed, threads = running.seed, running.threads
        comparison = compare_aligned(aligned, request, design, seed=seed, threads=threads, remarks=remarks)
    else:
        labelled = _aligned_by_human(human, runs, measures, convention, settings, reading, running)
        comparison = compare_combined(aligned, labelled, request, design, remarks)
    return replace(comparison, inputs={name: result.inputs for name, result in results.items()})


def _compared_on_cluster(
    judgments: JudgmentsInput,
    runs: Mapping[str, RankingInput],
    ask: Callable[[Sides], Request],
    design: Design,
    reading: Reading,
    running: Running,
    settings: RequestSettings,
) -> Comparison:
    from rankgauge import cluster_runs
    from rankgauge.results.pairing import compare_aligned
    from rankgauge.results.summed_runs import SummedRuns, compare_summed

    common = settings.missing == "skip"
    found = cluster_runs.evaluate(judgments, runs, ask, design, reading, running, common=common)
    if isinstance(found.aligned, SummedRuns):
        comparison = compare_summed(found.aligned, found.request, found.design, found.remarks)
    else:
        seed, threads, remarks = running.seed, running.threads, found.remarks
        comparison = compare_aligned(
            found.aligned, found.request, found.design, seed=seed, threads=threads, remarks=remarks
        )
    return replace(comparison, values_frame=found.frame)


def _aligned_by_human(
    human: JudgmentsInput,
    runs: Mapping[str, RankingInput],
    measures: MeasuresInput | None,
    convention: str | Convention | None,
    settings: RequestSettings,
    reading: Reading,
    running: Running,
) -> AlignedRuns:
    from rankgauge.results.aligned_runs import align

    of_human = reading._replace(format_judgments=None)
    with within("human labels"):
        results, present = evaluate_runs(human, runs, measures, convention, settings, of_human, running)
        return align(results, present, common=settings.missing == "skip")


def evaluate_runs(
    judgments: JudgmentsInput,
    runs: Mapping[str, RankingInput],
    measures: MeasuresInput | None,
    convention: str | Convention | None,
    settings: RequestSettings,
    reading: Reading,
    running: Running,
) -> tuple[dict[str, Result], dict[str, frozenset[str]]]:
    """Evaluate every run by one plan on judgments that are read once; also return the queries that each run has."""
    results, present = {}, {}
    judged: JudgmentsInput | JudgedSide = judgments
    for name, run in runs.items():
        with within(f"run {name!r}"):
            given = both_sides(cast("JudgmentsInput", judged), run, reading)
            request = requested(given, measures, convention, settings)
            read, ranked = read_within(running.room(), given, reading, request.annotation)
            # Severe remarks of one run are errors of the comparison, where all are at hand.
            relaxed = running._replace(strict=False)
            result = evaluate_sides(read, ranked, request, relaxed, given.remarks)
            results[name] = with_sources(result, judgments, given.ranking)
            present[name] = _present(results[name], read, ranked, relaxed)
        if not given.plain:
            judged = read
    return results, present


def _present(result: Result, judgments: JudgedSide, ranking: RankedSide, running: Running) -> frozenset[str]:
    """Return the judged queries that a run has."""
    if not result.counts["missing"] or result.convention.missing == "skip":
        return frozenset(result.evaluation.queries)
    request = result.request.of_ranked_queries()
    return frozenset(evaluate_nouns(judgments, ranking, request, running).evaluation.queries)
