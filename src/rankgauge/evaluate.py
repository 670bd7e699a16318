"""The verb `evaluate`: judgments and a ranking in, a Result out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from rankgauge import conventions
from rankgauge.checks import require_choice
from rankgauge.conventions import Convention
from rankgauge.data.judgments import Judgments
from rankgauge.data.kept_inputs import KeptInputs
from rankgauge.data.ranking import Ranking
from rankgauge.engines import native
from rankgauge.errors import RankgaugeError, within
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.execution_options import Engine, ExecutionOptions
from rankgauge.inputs import both_sides, read_judgments, read_within
from rankgauge.inputs.input_pair import InputFile, InputPair
from rankgauge.inputs.reading_options import ColumnsInput, ReadingOptions
from rankgauge.languages import Text
from rankgauge.measures.parsing import MeasuresInput, listed
from rankgauge.remarks import Remark, require_none_severe
from rankgauge.request import Request, RequestSettings
from rankgauge.results import input_checks
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge.data.rows_on_disk import JudgedSide, RankedSide
    from rankgauge.inputs.arrays import ArrayInput, GroupsAre
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.types import JudgmentsInput, RankingInput


@hinted()
def evaluate(
    judgments: JudgmentsInput,
    ranking: RankingInput | None = None,
    measures: MeasuresInput | None = None,
    *,
    convention: str | Convention | None = None,
    missing: conventions.Missing | None = None,
    unjudged: conventions.Unjudged | None = None,
    relevance_level: float | None = None,
    depth: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    columns: ColumnsInput = None,
    format_judgments: Format | None = None,
    format_ranking: Format | None = None,
    columns_judgments: ColumnsInput = None,
    columns_ranking: ColumnsInput = None,
    engine: Engine | None = None,
    strict: bool = False,
    human: JudgmentsInput | None = None,
    order: str | None = None,
    persist: bool = False,
    memory: int | str | None = None,
) -> Result:
    """Measure how good a ranking is.

    A list of truths beside a list of recommendations is a case per position; a list of dicts that hold both, and a
    JSON file of such lists, need no `ranking`. One list of grades in ranked order stands alone. Ids are compared as
    text.

    Parameters:
        judgments: a mapping of query to {item: grade} or to the relevant items, a DataFrame, a file, `rg.Judgments`, or
            cases.
        ranking: a mapping of query to {item: score} or to items in order, a DataFrame, a file, or `rg.Ranking`.
        measures: one or several, as text or as `rg.measures`, or a mapping such as `{"ndcg": [5, 10]}`; default:
            `ndcg@10`, for cases and one list `ndcg`.
        convention: its name, or an `rg.Convention`; default: `trec_eval`, for cases and one list `textbook`.
        missing: what a judged query is worth that the ranking lacks; default: as the convention says.
        unjudged: what a ranked item without a judgment is; default: as the convention says.
        relevance_level: the lowest grade that counts as relevant; default: any positive grade.
        depth: how many of the first ranked items count; default: all.
        seed: that of `result.interval(…, method="bootstrap")`; other intervals draw nothing.
        threads: how many threads to use, which changes no value; default: one per core.
        columns: the columns of tables by role (query, item, grade, score, rank, subtopic, propensity, position), where
            they have other names than usual.
        format_judgments: the format of a file; default: found from its content.
        format_ranking: the same for the ranking.
        columns_judgments: the columns of one side, where the sides differ; they win over `columns`.
        columns_ranking: the same for the ranking.
        engine: `native` is fast, `reference` is slow and reads like the formula, `spark` stays on the cluster; all
            return the same values. Default: `spark` if a side is a DataFrame of Spark, otherwise `native`.
        strict: whether a severe remark is an error; default: it is in `result.remarks`.
        human: judgments by people of a random sample of the queries, at least 25, where `judgments` are by a machine:
            means and intervals are then those that people would have found. Default: none.
        order: on a cluster, the column that gives the order of a ranking's rows, for conventions whose ties or
            duplicates depend on it; judgments need it only where an item is judged twice.
        persist: on a cluster, whether it keeps the values per query; default: they are computed when asked for.
        memory: how much memory may be used, such as `2GB`, which changes no value: rows that come in batches and do
            not fit go to a temporary file. Default: three quarters of what is free.

    >>> import rankgauge as rg
    >>> judgments = {"q1": {"d1": 3, "d2": 2, "d3": 0}, "q2": {"d4": 1}}
    >>> ranking = {"q1": {"d1": 0.2, "d2": 0.9, "d3": 0.5}, "q2": {"d4": 0.1, "d5": 0.1}}
    >>> print(rg.evaluate(judgments, ranking, ["ndcg@10", "dcg@2"]))
    measure    mean  95% from  to  queries
    ndcg@10  0.7261  –         –         2
    dcg@2    1.3155  –         –         2
    <BLANKLINE>
    convention: trec_eval (gain linear, discount log2, ideal judged)
    queries: 2 evaluated of 2 judged and 2 ranked
    ties: 1 query with equal scores in the ranks that count; by item id, bytewise, last first (ties=id-descending)
    unjudged: 1 of 4 items in the top 2, 1 of 5 items in the top 10; gain 0, and it keeps its rank (unjudged=zero)
    few queries: 2 queries are too few for an interval, which takes at least 5
    >>> truth = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
    >>> rg.evaluate([truth, truth], [["A", "B", "C"], ["D", "A", "C", "B", "E"]])["ndcg"]
    0.7356022113638424

    """

    def requested(default_measure: str, default_convention: str) -> Request:
        return Request.of(
            default_measure if asked is None else asked,
            default_convention if convention is None else convention,
            missing=missing,
            unjudged=unjudged,
            depth=depth,
            relevance_level=relevance_level,
        )

    asked = None if measures is None else listed(measures)  # a generator can be read once
    requested("ndcg@10", "trec_eval")  # what makes no sense is refused before anything is read
    reading = ReadingOptions(columns, columns_judgments, columns_ranking, format_judgments, format_ranking)
    given = both_sides(judgments, ranking, reading)
    request = requested(given.measure, given.convention)
    return evaluate_request(
        given, request, reading, ExecutionOptions(seed, threads, engine, strict, order, persist, memory), human
    )


def split_settings(settings: Mapping[str, object]) -> tuple[RequestSettings, ReadingOptions, ExecutionOptions]:
    """Split the keywords of a verb into settings of the request, reading options and execution options."""

    def among(names: Iterable[str]) -> dict[str, Any]:
        return {name: value for name, value in settings.items() if name in names}

    return (
        RequestSettings(**among(RequestSettings._fields)),
        ReadingOptions(**among(ReadingOptions._fields)),
        ExecutionOptions(**among(ExecutionOptions._fields)),
    )


# The keywords that other verbs take too.
KEYWORDS: Final = (*RequestSettings._fields, *ExecutionOptions._fields, *ReadingOptions._fields)


def evaluate_request(
    given: InputPair,
    request: Request,
    reading: ReadingOptions,
    running: ExecutionOptions,
    human: JudgmentsInput | None = None,
) -> Result:
    """Read both sides and evaluate a request on them; with human labels, correct the numbers by these."""
    running = running.checked()
    if running.on_cluster(given[:2], human):
        from rankgauge.scale import spark_evaluation  # imported late: only Spark needs it

        return _strict(spark_evaluation.evaluate(given, request, reading, running), running)
    running.require_no_cluster()
    judged, ranked = read_within(running.budget(), given, reading, request.annotation)
    if human is None:
        return with_sources(evaluate_sides(judged, ranked, request, running, given.remarks), *given[:2])
    from rankgauge.results.combined_result import combine  # imported late: only human labels need it

    # Severe remarks are errors where both results are at hand.
    relaxed = running._replace(strict=False)
    by_machine = evaluate_sides(judged, ranked, request, relaxed, given.remarks)
    with within("human labels"):
        labels = read_judgments(human, columns=reading.for_judgments, annotation=request.annotation)
        by_human = evaluate_nouns(labels, ranked, request, relaxed)
    return _strict(with_sources(combine(by_machine, by_human), *given[:2]), running)


def evaluate_sides(
    judgments: JudgedSide, ranking: RankedSide, request: Request, running: ExecutionOptions, remarks: tuple[Remark, ...]
) -> Result:
    """Evaluate a request on data that was read, and say if the two sides do not belong together."""
    if isinstance(judgments, Judgments) and isinstance(ranking, Ranking):
        result = evaluate_nouns(judgments, ranking, request, running, remarks)
        remarks_on_items = partial(_remarks_on_items, judgments, ranking)
    else:
        result, first = _disk_evaluation().evaluate(judgments, ranking, request, running, remarks)
        remarks_on_items = first.remarks
    none_met = input_checks.none_met(result.evaluation.counts)  # only where most ranked items are unjudged can it be so
    of_items = () if none_met is None else remarks_on_items(none_met=none_met)
    odd = (*input_checks.swapped(judgments.remarks, ranking.remarks), *of_items)
    return _strict(replace(result, input_remarks=result.input_remarks + odd) if odd else result, running)


def with_sources(result: Result, judgments: object, ranking: object) -> Result:
    """Return a result that knows from which files it was computed."""
    sources = _path(judgments), _path(ranking)
    if result.inputs is None or sources == (None, None):
        return result
    return replace(result, inputs=result.inputs._replace(sources=sources))


def _path(side: object) -> str | None:
    if isinstance(side, InputFile):
        return side.path
    return str(os.fspath(side)) if isinstance(side, str | os.PathLike) else None


def _remarks_on_items(judgments: Judgments, ranking: Ranking, *, none_met: bool) -> Iterator[Remark]:
    """Say if most queries have no item that is both ranked and judged."""
    from rankgauge.data import common_items  # imported late: rarely needed

    return common_items.remarks(judgments, ranking, none_met=none_met)


def evaluate_nouns(
    judgments: JudgedSide,
    ranking: RankedSide,
    request: Request,
    running: ExecutionOptions,
    remarks: tuple[Remark, ...] = (),
) -> Result:
    """Evaluate a request on data that was read."""
    if not (isinstance(judgments, Judgments) and isinstance(ranking, Ranking)):
        result, _ = _disk_evaluation().evaluate(judgments, ranking, request, running, remarks)
        return _strict(result, running)
    evaluation = _run(judgments, ranking, request, running)
    input_checks.require_queries(evaluation.counts, judgments.text_queries, ranking.text_queries)
    of_grades = input_checks.of_grades(judgments.annotation, judgments.handle.fractions, request)
    all_remarks = remarks + judgments.remarks + ranking.remarks + of_grades
    kept = KeptInputs(judgments, ranking)
    result = Result(evaluation, request, running.seed, running.threads, all_remarks, judgments.query_kind, kept)
    return _strict(result, running)


def _disk_evaluation() -> ModuleType:
    from rankgauge.scale import disk_evaluation  # most data fit into memory

    return disk_evaluation


def _strict(result: Result, running: ExecutionOptions) -> Result:
    """Return the result, or raise its first severe remark where the caller is strict."""
    require_none_severe(result.remarks if running.strict else (), strict=running.strict)
    return result


def _run(judgments: Judgments, ranking: Ranking, request: Request, running: ExecutionOptions) -> Evaluation:
    if running.engine in (None, "native"):
        return native.evaluate(judgments, ranking, request, running.threads)
    if running.engine == "spark":
        raise RankgaugeError("not-on-cluster", expected="rg.evaluate with two tables", got="another verb")
    from rankgauge.engines.reference.annotations import Annotations
    from rankgauge.engines.reference.engine import evaluate as evaluate_by_reference

    annotations = Annotations(judgments.text_annotations(), judgments.annotation)
    marks = ranking.handle.marks()
    return evaluate_by_reference(judgments.text_groups(), ranking.text_groups(), request, annotations, marks)


@hinted()
def evaluate_arrays(
    labels: ArrayInput,
    scores: ArrayInput,
    measures: MeasuresInput = "ndcg@10",
    groups: ArrayInput | None = None,
    *,
    convention: str | Convention = "sklearn",
    mask: ArrayInput | None = None,
    groups_are: GroupsAre | None = None,
    unjudged: conventions.Unjudged | None = None,
    relevance_level: float | None = None,
    depth: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    strict: bool = False,
) -> Result:
    """Measure how good scores rank labels that stand at the same places.

    Items are known by their place, counted from 0. torch and JAX arrays on the CPU are read where they are. A list of
    arrays has a query per array. An item whose score is -inf is ranked last.

    Parameters:
        labels: the grades; in two dimensions a row is a query. NaN marks a place without an item. A scipy sparse matrix
            is taken too.
        scores: the scores, at the same places. In two dimensions NaN beside the label 0 marks padding; any other NaN is
            an error.
        measures: one or several, as text or as `rg.measures`.
        groups: of arrays in one dimension, the sizes of the queries, their boundaries, or the query id of each item, in
            any order; default: one query.
        convention: its name, or an `rg.Convention`.
        mask: True marks a place without an item.
        groups_are: "sizes", "boundaries" or "ids", where the numbers leave it open.
        unjudged: what an item without a judgment is; default: as the convention says.
        relevance_level: the lowest grade that counts as relevant; default: any positive grade.
        depth: how many of the first ranked items count; default: all.
        seed: that of `result.interval(…, method="bootstrap")`; other intervals draw nothing.
        threads: how many threads to use, which changes no value; default: one per core.
        strict: whether a severe remark is an error; default: it is in `result.remarks`.

    >>> import numpy as np
    >>> labels = np.array([[3, 2, 0, 1], [0, 1, 0, 0]])
    >>> scores = np.array([[0.9, 0.2, 0.5, 0.4], [0.3, 0.2, 0.1, np.nan]])
    >>> evaluate_arrays(labels, scores, "ndcg@3")["ndcg@3"]
    0.6829683693551659
    >>> flat = evaluate_arrays(labels.ravel()[:7], scores.ravel()[:7], "ndcg@3", groups=[4, 3])
    >>> flat.per_query["ndcg@3"]
    {'0': 0.7350069851388743, '1': 0.6309297535714575}

    """
    from rankgauge.inputs import arrays

    request = Request.of(measures, convention, unjudged=unjudged, depth=depth, relevance_level=relevance_level)
    running = ExecutionOptions(seed, threads, strict=strict).checked()
    if groups_are is not None:
        require_choice("groups_are", groups_are, ["sizes", "boundaries", "ids"], "what the numbers in groups are")
    borrowed, remarks = arrays.read(labels, scores, groups, mask, groups_are)
    evaluation = native.evaluate_arrays(borrowed, request, running.threads)
    if evaluation.counts.judged == 0:
        raise RankgaugeError("no-rows")
    absent = evaluation.counts.absent
    if absent:
        text = Text("{:,} of {:,} places have no item (NaN or mask)", absent, len(borrowed.scores))
        remarks = (*remarks, Remark.of("absent", text))
    return _strict(Result(evaluation, request, running.seed, running.threads, remarks), running)
