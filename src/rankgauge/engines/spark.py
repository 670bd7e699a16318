"""The engine on a cluster: the rows of both sides meet in one shuffle by query, and partitions send exact sums.

It speaks to Spark through its DataFrames alone, so that Spark Connect works too. Results travel as rows of the last
stage: a task that is tried again, or run twice, cannot count twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from rankgauge._core import LightEvaluation
from rankgauge.engines import partition
from rankgauge.engines.partition import ANNOTATION, ITEM, JUDGED, QUERY, SCORE, VALUE, Columns, Fault, Work
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles
from rankgauge.inputs.spark_frames import backquoted
from rankgauge.request import Request

_WHOLE: Final = ("tinyint", "smallint", "int", "bigint")
# Types whose numbers are floats of 64 bits without loss. A long score keeps its digits, so that ties are known.
_FLOATS: Final = ("boolean", "tinyint", "smallint", "int", "float", "double")
# Types whose text is the same in Spark and in the core.
_SAME_TEXT: Final = re.compile(r"tinyint|smallint|int|bigint|date|void|decimal\(\d+,0\)|(string|varchar|char).*")
_ORDERS: Final = {"ranking": "ranked_order", "judgments": "judged_order"}
# Answers of a convention that depend on the order of rows, which a shuffle does not keep.
_BY_ROW: Final = {"ties": ("given", "reversed"), "duplicates": ("first", "last")}


class Side(NamedTuple):
    """A DataFrame of Spark, its columns by role, and the column that its rows are ordered by."""

    frame: Any
    roles: Roles
    order: str | None = None
    # The columns where subtopics are read too.
    subtopics: Roles | None = None

    def type_of(self, column: str | None) -> str | None:
        """Return the type of a column, as Spark writes it."""
        return None if column is None else dict(self.frame.dtypes)[column]


class Found(NamedTuple):
    """What the partitions found: the merged sums, and the values per query as a DataFrame.

    `grades` says how many there are, and how many of them are no whole numbers.
    """

    light: LightEvaluation
    grades: tuple[int, int]
    annotation: str | None
    query_kind: str
    values: Any


def evaluate(
    judgments: Side, ranking: Side, request: Request, *, threads: int | None = None, persist: bool = False
) -> Found:
    """Evaluate two DataFrames of one session; with `persist`, values per query are kept by the cluster."""
    require_order(request, judgments, ranking)
    layout = _Layout(judgments, ranking)
    rows = layout.rows()
    work = Work(request, *layout.columns(), values=persist, threads=threads or 1)
    evaluated = _mapped(rows, work)
    evaluated = evaluated.persist() if persist else evaluated
    try:
        parts = evaluated.where("query IS NULL").select(*partition.SUMMARY).collect()
        light = _merged(parts, work)
    except BaseException:
        if persist:
            evaluated.unpersist()
        raise
    values = evaluated if persist else _mapped(rows, work._replace(sums=False, values=True))
    whole = judgments.type_of(judgments.roles.query) in (*_WHOLE, "float", "double")
    return Found(
        light,
        (sum(part.grades for part in parts), sum(part.fractions for part in parts)),
        "subtopic" if any(part.by_subtopic for part in parts) else None,
        "whole" if whole else "text",
        _named(values.where("query IS NOT NULL"), request, whole=whole),
    )


def _mapped(rows: Any, work: Work) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    return rows.mapInArrow(partial(partition.evaluate, work), partition.schema(work.request.computed))


def _merged(parts: Sequence[Any], work: Work) -> LightEvaluation:
    """Merge the sums of all partitions, or raise the first error by query id."""
    faults = [Fault(*json.loads(part.error)) for part in parts if part.error is not None]
    if faults:
        raise min(faults, key=lambda fault: (fault.step, fault.query.encode())).error()
    lights = [LightEvaluation.from_bytes(bytes(part.light)) for part in parts]
    if not lights:  # no partition has a row
        lights = [work.request.plan().evaluate({}, {}).light()]
    return lights[0].merge(*lights[1:])


def _named(values: Any, request: Request, *, whole: bool) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    """Return the values per query under the names of the measures; ids that were whole numbers are such again.

    A measure of all queries together has none: what one query covers is a share of what all others have.
    """
    query = f"CAST({QUERY} AS bigint) AS {QUERY}" if whole else QUERY
    named = [
        f"{partition.value_column(place)} AS {backquoted(request.label(measure))}"
        for place, measure in enumerate(request.computed)
        if measure in request.measures and measure.aggregate != "union"
    ]
    return values.selectExpr(query, *named)


def require_order(request: Request, judgments: Side, ranking: Side) -> None:
    """Raise if a value depends on the order of rows, and no column says it."""
    convention = request.effective
    if convention.duplicates in _BY_ROW["duplicates"] and not (judgments.order and ranking.order):
        raise RankgaugeError("no-row-order", got=f"{convention.name} has duplicates={convention.duplicates}")
    if ranking.order is None and convention.ties in _BY_ROW["ties"]:
        raise RankgaugeError("no-row-order", got=f"{convention.name} has ties={convention.ties}")
    if ranking.order is None and ranking.roles.value is None:
        raise RankgaugeError("no-row-order", got="a ranking has no column of scores or ranks")


class _Layout:
    """The columns of the rows of both sides, one below the other."""

    def __init__(self, judgments: Side, ranking: Side) -> None:
        self.judgments, self.ranking = judgments, ranking
        types = _number_type(judgments, "bigint"), _number_type(ranking)
        self.score = VALUE if None in types or types[0] == types[1] else SCORE
        annotated = judgments.subtopics or judgments.roles
        annotation_type = judgments.type_of(annotated.annotation)
        self.types: dict[str, str | None] = {
            QUERY: _id_type(judgments, ranking, "query"),
            ITEM: _id_type(judgments, ranking, "item"),
            VALUE: types[0] or types[1],
            SCORE: types[1] if self.score == SCORE else None,
            ANNOTATION: "double" if annotation_type in _FLOATS else annotation_type,
            "judged_order": judgments.type_of(judgments.order),
            "ranked_order": ranking.type_of(ranking.order),
        }
        self.annotation = annotated.annotation

    def rows(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """Return the rows of both sides, those of a query in one partition, and in their order where they have one."""
        judged, ranked = self.judgments, self.ranking
        both = self._select(
            judged, {VALUE: judged.roles.value, ANNOTATION: self.annotation, "judged_order": judged.order}
        ).union(self._select(ranked, {self.score: ranked.roles.value, "ranked_order": ranked.order}))
        orders = [name for name in _ORDERS.values() if self.types[name] is not None]
        meeting = both.repartition(QUERY)
        # Of rows that are in one place of the order, the item decides.
        return meeting.sortWithinPartitions(*orders, ITEM).drop(*orders) if orders else meeting

    def _select(self, side: Side, others: Mapping[str, str | None]) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        names = {QUERY: side.roles.query, ITEM: side.roles.item, **others}
        expressions = [
            f"CAST({'NULL' if names.get(name) is None else backquoted(str(names[name]))} AS {kind}) AS {name}"
            for name, kind in self.types.items()
            if kind is not None
        ]
        return side.frame.selectExpr(f"{'true' if side is self.judgments else 'false'} AS {JUDGED}", *expressions)

    def columns(self) -> tuple[Columns, Columns, Columns | None]:
        """Return how a partition reads the judgments, the ranking, and judgments with subtopics."""
        judged = {"query": QUERY, "item": ITEM, "value": VALUE, "annotation": ANNOTATION}
        by_subtopic = self.judgments.subtopics
        return (
            Columns(_plain(self.judgments.roles), judged),
            Columns(_plain(self.ranking.roles), {**judged, "value": self.score}),
            None if by_subtopic is None else Columns(_plain(by_subtopic), judged),
        )


def _plain(roles: Roles) -> Roles:
    """Return roles without their remarks, which workers do not need."""
    return roles._replace(remarks=())


def _number_type(side: Side, *others: str) -> str | None:
    """Return the type in which the grades or scores travel; none where there are none."""
    kind = side.type_of(side.roles.value)
    return "double" if kind in (*_FLOATS, *others) else kind


def _id_type(judgments: Side, ranking: Side, role: str) -> str:
    """Return the type in which ids of both sides travel: their own, or text where that is the same text everywhere."""
    judged, ranked = (str(side.type_of(getattr(side.roles, role))) for side in (judgments, ranking))
    for kind in (judged, ranked):
        if kind.startswith("array"):
            raise RankgaugeError("not-on-cluster", expected=f"an {role} per row", got="lists")
    if judged in _WHOLE and ranked in _WHOLE:
        return "bigint"
    if judged == ranked and not judged.startswith(("string ", "varchar", "char", "void")):
        return judged
    if _SAME_TEXT.fullmatch(judged) and _SAME_TEXT.fullmatch(ranked):
        return "string"
    got = f"{judged} in the judgments and {ranked} in the ranking"
    raise RankgaugeError("not-on-cluster", expected=f"ids of each {role} of one type", got=got)
