"""The verb `compare`: judgments and several runs in, a Comparison out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from rankgauge.conventions import Convention
from rankgauge.errors import within
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.evaluate import KEYWORDS, evaluate_nouns, evaluate_sides, split_settings, with_sources
from rankgauge.inputs import both_sides, read_within
from rankgauge.measures.parsing import MeasuresInput
from rankgauge.remarks import require_none_severe
from rankgauge.statistics import LEVEL

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgauge.compared_runs import ComparedRuns
    from rankgauge.data.rows_on_disk import JudgedSide, RankedSide
    from rankgauge.execution_options import ExecutionOptions
    from rankgauge.inputs.runs import RunsInput
    from rankgauge.inputs.types import JudgmentsInput
    from rankgauge.results.comparison import Comparison, Design
    from rankgauge.results.result import Result
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.shared_keywords import ClusterSettings
    from rankgauge.statistics.corrections import Correction
    from rankgauge.statistics.paired import Test


@hinted(*KEYWORDS)
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
            table or its file with a column `run` (or system, model, …). A folder or a pattern in a list is one run.
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
    from rankgauge.compared_runs import ComparedRuns
    from rankgauge.inputs.runs import named_runs
    from rankgauge.results.pairing import design_of

    asked, reading, running = split_settings(settings)
    named = named_runs(runs, reading)
    design = design_of(
        list(named),
        baseline=baseline,
        test=test,
        correction=correction,
        margin=margin,
        level=level,
        permutations=permutations,
    )
    running = running.checked()
    compared = ComparedRuns(judgments, named, measures, convention, asked, reading, running)
    if running.on_cluster([judgments, *named.values()], human):
        comparison = _compared_on_cluster(compared, design, has_segments=by is not None)
    else:
        running.require_no_cluster()
        comparison = _compared(compared, design, human)
    if by is not None:
        segments = comparison.by(by, seed=running.seed, threads=running.threads)
        comparison = replace(comparison, segments=segments)
    require_none_severe(comparison.remarks, strict=running.strict)
    return comparison


def _compared(compared: ComparedRuns, design: Design, human: JudgmentsInput | None) -> Comparison:
    from rankgauge.results.aligned_runs import align
    from rankgauge.results.combined_comparison import compare_combined
    from rankgauge.results.pairing import compare_aligned

    results, present = _evaluate_runs(compared)
    aligned = align(results, present, common=compared.common)
    request = next(iter(results.values())).request
    remarks = tuple(dict.fromkeys(remark for result in results.values() for remark in result.input_remarks))
    if human is None:
        seed, threads = compared.running.seed, compared.running.threads
        comparison = compare_aligned(aligned, request, design, seed=seed, threads=threads, remarks=remarks)
    else:
        with within("human labels"):
            labelled = align(*_evaluate_runs(compared.by_human(human)), common=compared.common)
        comparison = compare_combined(aligned, labelled, request, design, remarks)
    return replace(comparison, inputs={name: result.inputs for name, result in results.items()})


def _evaluate_runs(compared: ComparedRuns) -> tuple[dict[str, Result], dict[str, frozenset[str]]]:
    """Evaluate every run by one plan on judgments that are read once; also return the queries that each run has."""
    results, present = {}, {}
    judgments: JudgmentsInput | JudgedSide = compared.judgments
    # Severe remarks of one run are errors of the comparison, where all are at hand.
    relaxed = compared.running._replace(strict=False)
    for name, run in compared.runs.items():
        with within(f"run {name!r}"):
            given = both_sides(cast("JudgmentsInput", judgments), run, compared.reading)
            request = compared.request_of(given)
            judged, ranked = read_within(relaxed.budget(), given, compared.reading, request.annotation)
            result = evaluate_sides(judged, ranked, request, relaxed, given.remarks)
            results[name] = with_sources(result, compared.judgments, given.ranking)
            present[name] = _queries_in_run(results[name], judged, ranked, relaxed)
        if not given.plain:
            judgments = judged
    return results, present


def _queries_in_run(
    result: Result, judged: JudgedSide, ranked: RankedSide, running: ExecutionOptions
) -> frozenset[str]:
    """Return the judged queries that a run has."""
    if not result.counts["missing"] or result.convention.missing == "skip":
        return frozenset(result.evaluation.queries)
    request = result.request.of_ranked_queries()
    return frozenset(evaluate_nouns(judged, ranked, request, running).evaluation.queries)


def _compared_on_cluster(compared: ComparedRuns, design: Design, *, has_segments: bool) -> Comparison:
    from rankgauge.results.pairing import compare_aligned
    from rankgauge.results.summed_runs import SummedRuns, compare_summed
    from rankgauge.scale import spark_comparison

    evaluated = spark_comparison.evaluate(compared, design, has_segments=has_segments)
    if isinstance(evaluated.aligned, SummedRuns):
        comparison = compare_summed(evaluated.aligned, evaluated.request, evaluated.design, evaluated.remarks)
    else:
        seed, threads, remarks = compared.running.seed, compared.running.threads, evaluated.remarks
        comparison = compare_aligned(
            evaluated.aligned, evaluated.request, evaluated.design, seed=seed, threads=threads, remarks=remarks
        )
    return replace(comparison, values_frame=evaluated.frame)
