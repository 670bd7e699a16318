"""The verb `explain`: one query in, an Explanation out."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rankgauge import conventions
from rankgauge.conventions import Convention
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.inputs import both_sides, read_both
from rankgauge.inputs.input_pair import InputPair
from rankgauge.inputs.reading_options import ColumnsInput, ReadingOptions
from rankgauge.measures import Gains, Measure, parse
from rankgauge.remarks import require_none_severe
from rankgauge.request import Request

if TYPE_CHECKING:
    from rankgauge.inputs.formats import Format
    from rankgauge.inputs.types import JudgmentsInput, RankingInput
    from rankgauge.results.explanation import Explanation


@hinted()
def explain(
    judgments: JudgmentsInput,
    ranking: RankingInput | None = None,
    query: Hashable | None = None,
    measure: str | Measure | None = None,
    *,
    convention: str | Convention | None = None,
    missing: conventions.Missing | None = None,
    unjudged: conventions.Unjudged | None = None,
    relevance_level: float | None = None,
    depth: int | None = None,
    strict: bool = False,
    columns: ColumnsInput = None,
    columns_judgments: ColumnsInput = None,
    columns_ranking: ColumnsInput = None,
    format_judgments: Format | None = None,
    format_ranking: Format | None = None,
) -> Explanation:
    """Explain the value of one query, rank by rank.

    Parameters:
        judgments: what `rg.evaluate` takes; or one list as `rg.ndcg` takes it: its grades in ranked order, or its items
            beside a truth, whichever comes first.
        ranking: what `rg.evaluate` takes.
        query: the id of the query; default: the only one.
        measure: a sum of gains, such as `ndcg@10`, `dcg` or `rbp`; default: as for `rg.evaluate`.
        convention: its name, or an `rg.Convention`; default: as for `rg.evaluate`.
        missing: what a judged query is worth that the ranking lacks; default: as the convention says.
        unjudged: what a ranked item without a judgment is; default: as the convention says.
        relevance_level: the lowest grade that counts as relevant; default: any positive grade.
        depth: how many of the first ranked items count; default: all.
        strict: whether a severe remark is an error; default: it is in `remarks`.
        columns: the columns of tables by role, where they have other names than usual.
        columns_judgments: the columns of one side, where the sides differ.
        columns_ranking: the same for the ranking.
        format_judgments: the format of a file; default: found from its content.
        format_ranking: the same for the ranking.

    >>> import rankgauge as rg
    >>> why = rg.explain({"q1": {"d1": 2, "d2": 1}}, {"q1": ["d2", "d9", "d1"]}, "q1", "ndcg@10")
    >>> why.dcg, why.idcg, why.value
    (2.0, 2.6309297535714578, 0.7601875334318685)
    >>> why.costs[0]
    Cost(item='d1', grade=2.0, rank=3, ideal_rank=1, cost=0.38009376671593426)
    >>> rg.explain([2, 3, 0, 0, 1], measure="ndcg(gain=exp2)").value
    0.8307820888596468
    >>> rg.explain(["C", "A"], {"A": 1, "C": 3}).value, rg.explain({"A": 1, "C": 3}, ["C", "A"]).value
    (1.0, 1.0)

    """
    if measure is not None:
        parse(measure)  # what is not known is refused before anything is read
    reading = ReadingOptions(columns, columns_judgments, columns_ranking, format_judgments, format_ranking)
    given = both_sides(judgments, ranking, reading)
    request = Request.of(
        [given.measure if measure is None else measure],
        given.convention if convention is None else convention,
        missing=missing,
        unjudged=unjudged,
        depth=depth,
        relevance_level=relevance_level,
    )
    return explain_request(given, request, reading, query, strict=strict)


def explain_request(
    given: InputPair, request: Request, reading: ReadingOptions, query: Hashable | None, *, strict: bool = False
) -> Explanation:
    """Read both sides and explain the one measure of a request for a query."""
    from rankgauge.engines.reference.order import grades_of, order  # evaluating needs neither
    from rankgauge.results.explanation import explain_query

    (asked,), chosen = request.measures, request.effective
    if not (isinstance(asked, Gains) and asked.sums in ("ranked", "ideal") and asked.residual is None):
        raise RankgaugeError("not-explained", known="cg, dcg, idcg, ndcg, sdcg, rbp", got=request.labels[0])
    full = asked.under(chosen)
    judged, ranked = read_both(given, reading)
    query = _choose_query(query, judged.text_queries())
    with _collector_paused():
        rows = judged.text_rows(query)
        if rows is None:
            known = judged.text_queries()
            raise RankgaugeError("unknown-query", side="judgments", got=query, nearest=nearest(query, known))
        ranked_rows = ranked.text_rows(query)
        try:
            grades = grades_of(rows, query, chosen)
            ranks = order(ranked_rows, grades, query, chosen, request.depth)
            why = explain_query(query, grades, ranks, full, chosen)
        except RankgaugeError as error:
            raise _located(error, query, judged, ranked) from None
    remarks = (*why.remarks, *given.remarks, *judged.remarks, *ranked.remarks, *request.remarks)
    require_none_severe(remarks, strict=strict)
    return replace(why, measure=asked, label=request.labels[0], remarks=remarks)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the search for cyclic garbage: of a long query there are millions of objects, all of them kept.

    Python looks at every one again whenever their number has grown by a quarter, which takes half of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _located(error: RankgaugeError, query: str, judgments: Judgments, ranking: Ranking) -> RankgaugeError:
    """Add the file and line to an error of the reference engine, which knows no files."""
    in_ranking = error.code in ("unjudged-item", "missing-query") or error.context.get("side") == "ranking"
    item = error.context.get("item")
    handle = ranking.handle if in_ranking else judgments.handle
    place = handle.place(query, item if isinstance(item, str) else None)
    return RankgaugeError(error.code, place, **error.context)


def _choose_query(query: Hashable | None, known: Sequence[str]) -> str:
    if not known:
        raise RankgaugeError("no-rows")
    if query is not None:
        from rankgauge.presentation.ids import id_text

        return id_text(query)
    if len(known) == 1:
        return known[0]
    raise RankgaugeError("which-query", count=len(known), example=known[0])
