"""The verb `evaluate`: judgments and a ranking in, a Result out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from rankgauge import conventions
from rankgauge.conventions import Convention
from rankgauge.engines import native
from rankgauge.engines.evaluation import Evaluation, with_weights, without_weights
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import EXTRA_HINTS, Extra, JudgmentsInput, RankingInput, both_sides, read_both
from rankgauge.inputs.reading import Given, Reading
from rankgauge.judgments import Judgments
from rankgauge.measures import Measure, parse_all
from rankgauge.ranking import Ranking
from rankgauge.results import Result
from rankgauge.statistics import whole_number
from rankgauge.terms import binary, require_choice, require_finite

if TYPE_CHECKING:
    from rankgauge.inputs.arrays import ArrayInput, GroupsAre
    from rankgauge.inputs.formats import Format


def evaluate(
    judgments: JudgmentsInput,
    ranking: RankingInput = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    convention: str | Convention | None = None,
    missing: conventions.Missing | None = None,
    unjudged: conventions.Unjudged | None = None,
    relevance_level: float | None = None,
    depth: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    columns: Given = None,
    format_judgments: Format | None = None,
    format_ranking: Format | None = None,
    columns_judgments: Given = None,
    columns_ranking: Given = None,
    engine: Literal["native", "reference"] = "native",
) -> Result:
    """Measure how good a ranking is.

    `judgments` is a mapping of query to {item: grade} or to the relevant items, a DataFrame, a file, or
    `rg.Judgments`; `ranking` a mapping of query to {item: score} or to items in order, a DataFrame, a file, or
    `rg.Ranking`. Ids are compared as text. `columns` names the columns of tables by role (query, item, grade, score,
    rank, subtopic, propensity, position), where they have other names than usual; `columns_judgments` and
    `columns_ranking` are for one side, as are the formats of files, which are found from their content unless said.
    A list of truths beside a list of recommendations is a case per position; a list of dicts that hold both, and a
    JSON file of such lists, need no `ranking`. One list of grades in ranked order stands alone.

    Unless given, `measures` is `ndcg@10` and `convention` is `trec_eval`; for cases and one list, whose formula is
    that of the textbook, they are `ndcg` and `textbook`. `missing` and `unjudged` change that answer of the
    convention; `relevance_level` is the lowest grade that counts as relevant; only the first `depth` ranked items
    count; `seed` is that of the intervals.

    >>> import rankgauge as rg
    >>> judgments = {"q1": {"d1": 3, "d2": 2, "d3": 0}, "q2": {"d4": 1}}
    >>> ranking = {"q1": {"d1": 0.2, "d2": 0.9, "d3": 0.5}, "q2": {"d4": 0.1, "d5": 0.1}}
    >>> print(rg.evaluate(judgments, ranking, ["ndcg@10", "dcg@2"]))
    measure    mean  95% from      to  queries
    ndcg@10  0.7261    0.6309  0.8212        2
    dcg@2    1.3155    0.6309  2.0000        2
    <BLANKLINE>
    convention: trec_eval (gain linear, discount log2, ideal judged)
    queries: 2 evaluated of 2 judged and 2 ranked
    ties: 1 query with equal scores in the ranks that count; by item id, bytewise, last first (ties=id-descending)
    unjudged: 1 of 4 items in the top 2, 1 of 5 items in the top 10; gain 0, and it keeps its rank (unjudged=zero)
    >>> truth = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
    >>> rg.evaluate([truth, truth], [["A", "B", "C"], ["D", "A", "C", "B", "E"]])["ndcg"]
    0.7356022113638424
    """
    requested = None if measures is None else parse_all(measures)
    reading = Reading(columns, columns_judgments, columns_ranking, format_judgments, format_ranking)
    given = both_sides(judgments, ranking, reading)
    requested = requested or parse_all(given.measure)
    chosen = conventions.get(given.convention if convention is None else convention, missing=missing, unjudged=unjudged)
    chosen, notes = with_relevance_level(chosen, requested, relevance_level)
    depth, depth_notes = with_depth(depth)
    threads = None if threads is None else whole_number("threads", threads, 1)
    seed = whole_number("seed", seed, 0)
    require_choice("engine", engine, ["native", "reference"], "native is fast, reference reads like the formula")
    judged, ranked = read_both(given, reading, needed_extra(requested))
    evaluation = _run(engine, judged, ranked, requested, chosen, depth, relevance_level, threads)
    _require_queries(evaluation, judged, ranked)
    return Result(evaluation, chosen, seed, threads, given.notes + judged.notes + ranked.notes + notes + depth_notes)


def evaluate_arrays(
    labels: ArrayInput,
    scores: ArrayInput,
    measures: str | Measure | Iterable[str | Measure] = "ndcg@10",
    groups: ArrayInput = None,
    *,
    convention: str | Convention = "sklearn",
    mask: ArrayInput = None,
    groups_are: GroupsAre | None = None,
    unjudged: conventions.Unjudged | None = None,
    relevance_level: float | None = None,
    depth: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Result:
    """Measure how good scores rank labels that stand at the same places.

    In two dimensions a row is a query; in one, `groups` are the sizes of the queries, their boundaries, or the query
    id of each item, in any order. `groups_are` ("sizes", "boundaries" or "ids") says which where the numbers leave it
    open. NaN in either array, or True in `mask`, marks a place without an item. Labels may be a scipy sparse matrix;
    torch and JAX arrays on the CPU are read where they are. Items are known by their place, counted from 0.

    >>> import numpy as np
    >>> labels = np.array([[3, 2, 0, 1], [0, 1, 0, 0]])
    >>> scores = np.array([[0.9, 0.2, 0.5, 0.4], [0.3, 0.2, 0.1, np.nan]])
    >>> evaluate_arrays(labels, scores, "ndcg@3")["ndcg@3"]
    0.6829683693551659
    >>> flat = evaluate_arrays(labels.ravel(), scores.ravel(), "ndcg@3", groups=[4, 4])
    >>> flat.per_query["ndcg@3"]
    {'0': 0.7350069851388743, '1': 0.6309297535714575}
    """
    from rankgauge.inputs import arrays

    requested = parse_all(measures)
    chosen, notes = with_relevance_level(conventions.get(convention, unjudged=unjudged), requested, relevance_level)
    depth, depth_notes = with_depth(depth)
    threads = None if threads is None else whole_number("threads", threads, 1)
    seed = whole_number("seed", seed, 0)
    if groups_are is not None:
        require_choice("groups_are", groups_are, ["sizes", "boundaries", "ids"], "what the numbers in groups are")
    borrowed, kind = arrays.read(labels, scores, groups, mask, groups_are)
    extra = needed_extra(requested)
    if extra:
        raise RankgaugeError("no-extra", expected=extra, got="arrays", hint=EXTRA_HINTS[extra])
    if any(measure.needs == "ids" for measure in requested):
        raise RankgaugeError("no-ids", got=", ".join(map(str, requested)))
    asked = with_weights(requested)
    whole, absent = native.evaluate_arrays(borrowed, asked, chosen, depth, relevance_level, threads)
    evaluation = without_weights(whole, requested)
    if evaluation.counts.judged == 0:
        raise RankgaugeError("no-rows")
    array_notes: tuple[str, ...] = (f"groups: read as {kind}",) if kind else ()
    if absent:
        array_notes += (f"absent: {absent:,} of {len(borrowed.scores):,} places have no item (NaN or mask)",)
    return Result(evaluation, chosen, seed, threads, array_notes + notes + depth_notes)


def _run(
    engine: str,
    judgments: Judgments,
    ranking: Ranking,
    measures: tuple[Measure, ...],
    convention: Convention,
    depth: int | None,
    level: float | None,
    threads: int | None,
) -> Evaluation:
    asked = with_weights(measures)
    if engine == "native":
        evaluation = native.evaluate(judgments, ranking, asked, convention, depth, level, threads)
        return without_weights(evaluation, measures)
    from rankgauge.engines import reference
    from rankgauge.engines.beside import Beside

    judged, ranked = judgments.to_dict(), ranking.to_dict()
    beside = {query: judgments.beside(query) for query in judged} if judgments.extra else {}
    extra = Beside(beside, judgments.extra)
    evaluation = reference.evaluate(judged, ranked, asked, convention, depth, level, extra)
    return without_weights(evaluation, measures)


def needed_extra(measures: Iterable[Measure]) -> Extra | None:
    """Return what the measures need of judgments beside grades.

    >>> needed_extra(parse_all("ndcg@10,alpha_ndcg@10"))
    'subtopic'
    """
    needed = {measure.needs for measure in measures}
    if {"subtopic", "propensity"} <= needed:
        raise RankgaugeError("two-extras")
    return "subtopic" if "subtopic" in needed else "propensity" if "propensity" in needed else None


def with_relevance_level(
    convention: Convention, measures: tuple[Measure, ...], level: float | None
) -> tuple[Convention, tuple[str, ...]]:
    """Return the convention with that threshold in its binary gain, and a note on measures that it does not touch."""
    if level is None:
        return convention, ()
    require_finite("relevance_level", level)
    others = ", ".join(str(measure) for measure in measures if not measure.takes_level(convention))
    advice = f"relevance level: {level:g} does not apply to {others}; write ndcg(gain=binary({level:g}))@10"
    has_level = convention.gain.kind == "binary"
    return convention.replace(gain=binary(level)) if has_level else convention, (advice,) if others else ()


def with_depth(depth: int | None) -> tuple[int | None, tuple[str, ...]]:
    """Return the depth as a whole number, and a note that says so."""
    if depth is None:
        return None, ()
    number = whole_number("depth", depth, 1)
    return number, (f"depth: only the first {number:,} ranked items of a query count",)


def _require_queries(evaluation: Evaluation, judgments: Judgments, ranking: Ranking) -> None:
    counts = evaluation.counts
    if counts.judged == 0:
        raise RankgaugeError("no-rows")
    if counts.evaluated == 0:
        raise RankgaugeError(
            "no-common-query",
            judged=counts.judged,
            ranked=counts.ranked,
            judged_example=_examples(judgments.queries),
            ranked_example=_examples(ranking.queries),
        )


def _examples(queries: Iterable[str]) -> str:
    ids = [repr(query) for _, query in zip(range(2), queries, strict=False)]
    return ", ".join(ids) or "none"
