"""`rg.compare` on DataFrames of Spark: judgments and all runs are brought together by query in one shuffle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rankgauge._core import Evaluation
from rankgauge.compared_runs import ComparedRuns
from rankgauge.engines import spark
from rankgauge.engines.native import counts_of, view
from rankgauge.engines.partition import RUN
from rankgauge.errors import RankgaugeError, within
from rankgauge.inputs import both_sides
from rankgauge.inputs.spark_frames import backquoted, literal
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.aligned_runs import AlignedRuns, align, require_compared
from rankgauge.results.comparison import Design
from rankgauge.results.result import Result
from rankgauge.results.summed_runs import SummedRuns, digest_of, summed_design
from rankgauge.results.values_frame import ValuesFrame
from rankgauge.scale import spark_evaluation
from rankgauge.scale.spark_evaluation import ClusterSide

if TYPE_CHECKING:
    from rankgauge.engines.spark import MergedRun, PartitionResults, Side

# Up to so many judged queries, the values of all runs are collected and compared as on one machine.
MOST_QUERIES: Final = 1_000_000


class ClusterRuns(NamedTuple):
    """Runs that a cluster evaluated: their values or their sums, and the remarks on them."""

    aligned: AlignedRuns
    request: Request
    design: Design
    remarks: tuple[Remark, ...]
    frame: ValuesFrame


class _Sides(NamedTuple):
    """The judgments and the runs of a comparison, on the cluster."""

    request: Request
    judged: ClusterSide
    ranked: Mapping[str, ClusterSide]
    # The remarks of reading each run.
    remarks: Mapping[str, tuple[Remark, ...]]


def evaluate(compared: ComparedRuns, design: Design, *, has_segments: bool) -> ClusterRuns:
    """Evaluate every run in one shuffle; raise before it if segments need values that would stay on the cluster."""
    runs, running, common = compared.runs, compared.running, compared.common
    sides = _sides(compared)
    request, judged = sides.request, sides.judged.side
    require_compared(request)
    remarks: tuple[Remark, ...] = ()
    is_summed = _queries_of(judged) > MOST_QUERIES
    if is_summed and has_segments:
        raise RankgaugeError("values-on-cluster")
    if is_summed:
        design, remark = summed_design(design, MOST_QUERIES)
        remarks = (remark,)
    task = spark.Task(
        running.threads or 1,
        running.persist,
        whole=not is_summed,
        digest=digest_of(request, design, list(runs), common=common) if is_summed else None,
    )
    results = spark.evaluate(judged, [read.side for read in sides.ranked.values()], request, task)
    merged, run_remarks = _merged(results, sides)
    aligned = _summed(results, merged, request) if is_summed else _aligned(results, merged, request, common=common)
    frame = ValuesFrame(_named(results.values, list(runs)))
    return ClusterRuns(aligned, request, design, (*run_remarks, *remarks), frame)


def _merged(results: PartitionResults, sides: _Sides) -> tuple[dict[str, MergedRun], tuple[Remark, ...]]:
    """Return the merged evaluation and the remarks of each run; raise the error of the first run that has one."""
    merged: dict[str, MergedRun] = {}
    remarks: list[Remark] = []
    for number, (name, ranked) in enumerate(sides.ranked.items()):
        with within(f"run {name!r}"):
            merged[name] = results.of(number)
            remarks += sides.remarks[name]
            remarks += spark_evaluation.remarks_of(results, merged[name], sides.judged, ranked)
    return merged, tuple(dict.fromkeys(remarks))


def _aligned(
    results: PartitionResults, merged: Mapping[str, MergedRun], request: Request, *, common: bool
) -> AlignedRuns:
    by_run, present = {}, {}
    for name, run in merged.items():
        if isinstance(run.evaluation, Evaluation):
            by_run[name] = Result(view(run.evaluation, request), request, query_kind=results.query_kind)
            present[name] = frozenset(run.evaluation.queries()) - run.lacking
    return align(by_run, present, common=common)


def _summed(results: PartitionResults, merged: Mapping[str, MergedRun], request: Request) -> AlignedRuns:
    counts = {name: counts_of(run.evaluation, request) for name, run in merged.items()}
    return SummedRuns.merged(results.digests, request, counts, results.query_kind)


def _sides(compared: ComparedRuns) -> _Sides:
    """Return every side as a DataFrame on the cluster; the judgments are read once."""
    reading, running = compared.reading, compared.running
    session = spark_evaluation.session_of([compared.judgments, *compared.runs.values()])
    request, judged = None, None
    ranked, remarks = {}, {}
    for name, run in compared.runs.items():
        with within(f"run {name!r}"):
            given = both_sides(compared.judgments, run, reading)
            if request is None or judged is None:
                request = compared.request_of(given)
                judged = spark_evaluation.judgments_of(given.judgments, request, reading, running, session)
            ranked[name] = spark_evaluation.ranking_of(given.ranking, reading, running, session)
            remarks[name] = given.remarks
    if request is None or judged is None:
        raise RankgaugeError("few-runs", got="none")
    return _Sides(request, judged, ranked, remarks)


def _queries_of(judged: Side) -> int:
    """Return how many queries are judged."""
    count: int = judged.frame.select(judged.frame[backquoted(judged.roles.query)]).distinct().count()
    return count


def _named(values: Any, runs: list[str]) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    """Return values per query with the names of the runs instead of their numbers."""
    names = ", ".join(map(literal, runs))
    others = [backquoted(column) for column in values.columns if column != RUN]
    return values.selectExpr(f"element_at(array({names}), {RUN} + 1) AS {RUN}", *others)
