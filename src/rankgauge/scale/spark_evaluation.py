"""`rg.evaluate` on DataFrames of Spark: local sides are sent to the cluster, and only sums come back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rankgauge.data.judgments import Judgments, grade_remarks
from rankgauge.data.ranking import Ranking, score_remarks
from rankgauge.engines.native import counts_of
from rankgauge.errors import RankgaugeError
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs import frames_of_spark, read_judgments, read_ranking, run_column, unwrapped
from rankgauge.inputs.input_pair import InputPair, shared_column
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.roles import Roles, by_role
from rankgauge.inputs.spark_frames import backquoted, is_spark
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results import input_checks
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge.engines.spark import MergedRun, PartitionResults, Side
    from rankgauge.inputs.roles import Side as SideName
    from rankgauge.measures.measure import Annotation
    from rankgauge.results.evaluation import Counts

# The columns of a local side on the cluster.
_LOCAL: Final = Roles("query", "item", "value", descending=True)
_ORDER: Final = "row_order"
# How many ids of queries an error compares.
_MOST_QUERIES: Final = 10_000
_ANNOTATED: Final[Mapping[Annotation | None, SideName]] = {"subtopic": "subtopics", "propensity": "propensities"}


class ClusterSide(NamedTuple):
    """A Spark DataFrame with its columns, and the remarks of reading it."""

    side: Side
    remarks: tuple[Remark, ...]


def session_of(sources: Iterable[object]) -> Any:  # noqa: ANN401 - of Spark
    """Return the session of the first DataFrame of Spark among the sides."""
    frames = frames_of_spark(sources)
    if not frames:
        raise RankgaugeError("not-on-cluster", expected="a DataFrame of Spark", got="none on either side")
    return frames[0].sparkSession


def evaluate(given: InputPair, request: Request, reading: ReadingOptions, running: ExecutionOptions) -> Result:
    """Evaluate a request on DataFrames of Spark, where they are."""
    from rankgauge.engines import spark
    from rankgauge.results.cluster_evaluation import ClusterEvaluation
    from rankgauge.results.values_frame import ValuesFrame

    session = session_of(given[:2])
    for measure in request.measures:
        if measure.letters:  # light evaluations, which partitions send, have no texts
            raise RankgaugeError("not-compared", got=request.label(measure))
    judged = judgments_of(given.judgments, request, reading, running, session)
    ranked = ranking_of(given.ranking, reading, running, session)
    task = spark.Task(running.threads or 1, running.persist)
    runs = spark.evaluate(judged.side, [ranked.side], request, task)
    merged = runs.of(0)
    counts = counts_of(merged.evaluation, request)
    remarks = remarks_of(runs, merged, judged, ranked)
    evaluation = ClusterEvaluation(
        queries=(),
        values={},
        counts=counts,
        request=request,
        sums=merged.light,
        values_frame=ValuesFrame(runs.values.drop("run")),
    )
    return Result(evaluation, request, running.seed, running.threads, (*given.remarks, *remarks), runs.query_kind)


def remarks_of(
    runs: PartitionResults, merged: MergedRun, judged: ClusterSide, ranked: ClusterSide
) -> tuple[Remark, ...]:
    """Return the remarks on an evaluated pair of sides.

    Raise if they have no query in common, or if items tie and the convention needs an order of rows that is not known.
    """
    from rankgauge.engines.spark import needs_row_order

    request = runs.work.request
    counts = counts_of(merged.evaluation, request)
    input_checks.require_queries(counts, partial(_queries, judged.side), partial(_queries, ranked.side))
    if counts.tied and needs_row_order(request, ranked.side):
        got = f"none, and items share a rank, which {request.effective.name} keeps as given"
        raise RankgaugeError("no-row-order", got=got)
    judged_remarks, subtopics = judged.remarks, judged.side.subtopics
    if merged.annotation and subtopics:  # read with subtopics, though no measure asked for them
        judged_remarks = (*subtopics.remarks, *judged_remarks[len(judged.side.roles.remarks) :])
    return (
        *judged_remarks,
        *ranked.remarks,
        *input_checks.of_grades(merged.annotation, lambda: merged.grades, request),
        *input_checks.swapped(judged_remarks, ranked.remarks),
        *_shared_column(judged.side, ranked.side),
        *_remarks_on_items(runs, merged, counts),
    )


def _shared_column(judged: Side, ranked: Side) -> Iterator[Remark]:
    """Say if one column of one DataFrame is the grade and the score."""
    value = ranked.roles.value
    if judged.frame is ranked.frame and value is not None and judged.roles.value == value:
        yield shared_column(value)


def _remarks_on_items(runs: PartitionResults, merged: MergedRun, counts: Counts) -> Iterator[Remark]:
    """Say if the first queries by id have no item that is both ranked and judged; the cluster returns their items."""
    from rankgauge.data import common_items  # imported late: rarely needed

    none_met = input_checks.none_met(counts)
    first = sorted(merged.meets)[: common_items.MOST_QUERIES]
    queries = [query for query in first if not merged.meets[query]]
    if none_met is None or 2 * len(queries) <= len(first):
        return
    items = runs.items_of(merged.run, queries)
    disjoint = common_items.DisjointQueries(len(first), [(query, items[query][1]) for query in queries])
    yield from common_items.remarks_of(disjoint, lambda query: items[query][0], runs.known_items, none_met=none_met)


def judgments_of(
    source: Any,  # noqa: ANN401 - of any library
    request: Request,
    reading: ReadingOptions,
    running: ExecutionOptions,
    session: Any,  # noqa: ANN401 - of Spark
) -> ClusterSide:
    """Return the judgments on the cluster; local ones are sent there."""
    from rankgauge.engines.spark import Side
    from rankgauge.inputs.frames import choose_columns

    side = _ANNOTATED.get(request.annotation, "judgments")
    frame, columns = unwrapped(source, reading.for_judgments, side)
    if not is_spark(frame):
        noun = read_judgments(source, columns=columns, format=reading.format_judgments, annotation=request.annotation)
        return ClusterSide(_sent(noun, session), noun.remarks)
    roles = choose_columns(frame, side, by_role(columns or {}))
    by_subtopic = choose_columns(frame, "subtopics", by_role(columns or {})) if roles.has_subtopics else None
    graded = getattr(source, "evaluation_remarks", ()) if hasattr(type(source), "evaluation_remarks") else ()
    remarks = (*roles.remarks, *grade_remarks(graded=roles.value is not None), *graded)
    return ClusterSide(Side(frame, roles, _order(frame, running.order), by_subtopic), remarks)


def ranking_of(
    source: Any,  # noqa: ANN401 - of any library
    reading: ReadingOptions,
    running: ExecutionOptions,
    session: Any,  # noqa: ANN401 - of Spark
) -> ClusterSide:
    """Return a ranking on the cluster; a local one is sent there."""
    from rankgauge.engines.spark import Side
    from rankgauge.inputs.frames import choose_columns

    frame, columns = unwrapped(source, reading.for_ranking, "ranking")
    if not is_spark(frame):
        noun = read_ranking(source, columns=columns, format=reading.format_ranking)
        if noun.handle.marks():
            got = "scores with more digits than a float"
            raise RankgaugeError("not-on-cluster", expected="such scores as a DataFrame of Spark", got=got)
        return ClusterSide(_sent(noun, session), noun.remarks)
    roles = choose_columns(frame, "ranking", by_role(columns or {}))
    run_column.require_one("ranking", frame.columns, roles, partial(run_column.distinct_of_frame, frame))
    order = _order(frame, running.order)
    if order is None and running.order is not None:
        expected = f"the column {running.order!r}, which order= names,"
        raise RankgaugeError(
            "not-on-cluster", expected=expected, got=f"a ranking with the columns {', '.join(frame.columns)}"
        )
    remarks = (*roles.remarks, *score_remarks(scored=roles.value is not None, order=order))
    return ClusterSide(Side(frame, roles, order), remarks)


def _order(frame: Any, column: str | None) -> str | None:  # noqa: ANN401 - a DataFrame of Spark
    return column if column in frame.columns else None


def _sent(noun: Judgments | Ranking, session: Any) -> Side:  # noqa: ANN401 - of Spark
    """Send the rows of a local side to the cluster, with a column that gives their order."""
    import pyarrow as pa

    from rankgauge.engines.spark import Side

    rows = list(_rows(noun))
    queries, items, values, annotations = zip(*rows, strict=True) if rows else ((), (), (), ())
    columns = {
        "query": _ids(queries, noun.query_kind),
        "item": _ids(items, noun.item_kind),
        "value": pa.array(values, pa.float64()),
    }
    columns[_ORDER] = pa.array(range(len(rows)), pa.int64())
    roles, annotation = _LOCAL, noun.annotation if isinstance(noun, Judgments) else None
    if annotation is not None:
        columns["annotation"] = pa.array(annotations, pa.string() if annotation == "subtopic" else pa.float64())
        roles = _LOCAL._replace(annotation="annotation", annotation_role=annotation)
    frame = session.createDataFrame(pa.table(columns))
    return Side(frame, roles, _ORDER, sent_kind=noun.query_kind, has_empty=None in items)


def _rows(noun: Judgments | Ranking) -> Iterator[tuple[str, str | None, float | None, str | float | None]]:
    """Return query, item, value and annotation of each row; one without an item stands for a query without rows."""
    annotations = noun.handle.annotations if isinstance(noun, Judgments) and noun.annotation is not None else None
    for query, rows in noun.text_groups().items():
        if not rows:
            yield query, None, None, None
        entries = repeat(None) if annotations is None else annotations(query)
        for (item, value), entry in zip(rows, entries, strict=False):
            if isinstance(entry, dict):  # of subtopics, each with a grade
                yield from ((query, item, grade, subtopic) for subtopic, grade in entry.items())
            else:
                yield query, item, value, entry


def _ids(texts: Sequence[str | None], kind: str) -> Any:  # noqa: ANN401 - an array of Arrow
    """Return ids as whole numbers where all of them were and fit, otherwise as the text that they have here."""
    import pyarrow as pa

    if kind == "whole":
        with suppress(OverflowError):
            return pa.array([None if text is None else int(text) for text in texts], pa.int64())
    return pa.array(texts, pa.string())


def _queries(side: Side) -> list[str]:
    """Return the first ids of queries as text, in bytewise order: an error shows examples."""
    texts = side.frame.selectExpr(f"CAST({backquoted(side.roles.query)} AS string) AS query")
    first = texts.where("query IS NOT NULL").distinct().orderBy("query").limit(_MOST_QUERIES)
    return [row.query for row in first.collect()]
