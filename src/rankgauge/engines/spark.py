"""The engine on a cluster: the rows of both sides meet in one shuffle by query, and partitions send exact sums.

It speaks to Spark through its DataFrames alone, so that Spark Connect works too. Results travel as rows of the last
stage: a task that is tried again, or run twice, cannot count twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, Final, NamedTuple

from rankgauge._core import Evaluation, LightEvaluation
from rankgauge.engines import batch_limit, partition
from rankgauge.engines.partition import ANNOTATION, ITEM, QUERY, UNORDERED, Columns, Digest, Fault, Work
from rankgauge.engines.side_rows import SIDE
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles
from rankgauge.inputs.spark_frames import backquoted, literal
from rankgauge.measures.counted import Counted
from rankgauge.request import Request

_WHOLE: Final = ("tinyint", "smallint", "int", "bigint")
# Types whose numbers are floats of 64 bits without loss. A long score keeps its digits, so that ties are known.
_FLOATS: Final = ("boolean", "tinyint", "smallint", "int", "float", "double")
_WHOLE_DECIMAL: Final = re.compile(r"decimal\(\d+,0\)")
# What ids are, by their type.
_KINDS: Final = dict.fromkeys((*_WHOLE, "float", "double"), "whole") | {"date": "date", "timestamp_ntz": "datetime"}
# Types whose text is the same in Spark and in the core.
_SAME_TEXT: Final = re.compile(r"tinyint|smallint|int|bigint|date|void|decimal\(\d+,0\)|(string|varchar|char).*")
# Answers of a convention that depend on the order of rows, which a shuffle does not keep.
_BY_ROW: Final = {"ties": ("given", "reversed"), "duplicates": ("first", "last")}


class Side(NamedTuple):
    """A DataFrame of Spark, its columns by role, and the column that its rows are ordered by."""

    frame: Any
    roles: Roles
    order: str | None = None
    # The columns where subtopics are read too.
    subtopics: Roles | None = None
    # What the ids of its queries were, where the rows came from this machine.
    sent_kind: str | None = None
    # Whether a row without an item stands for a query without rows.
    has_empty: bool = False

    @property
    def query_kind(self) -> str:
        """What the ids of the queries were when they came: `text`, `whole` numbers, `date` or `datetime`."""
        kind = str(self.type_of(self.roles.query))
        return self.sent_kind or _KINDS.get(kind, "whole" if _WHOLE_DECIMAL.fullmatch(kind) else "text")

    @property
    def type_of_values(self) -> str:
        """The type of the ids of the queries beside their values."""
        kind = str(self.type_of(self.roles.query))
        whole = kind if _WHOLE_DECIMAL.fullmatch(kind) else "bigint"
        types = {"date": "date", "datetime": "timestamp_ntz", "whole": "string" if kind == "string" else whole}
        return types.get(self.query_kind, "string")

    def type_of(self, column: str | None) -> str | None:
        """Return the type of a column, as Spark writes it."""
        return None if column is None else dict(self.frame.dtypes)[column]


class MergedRun(NamedTuple):
    """What the partitions computed for a ranking: the merged evaluation, light or whole, and facts on the data.

    `grades` says how many there are, and how many of them are no whole numbers; `lacking` are the queries that were
    evaluated though the ranking lacks them, where rankings are compared.
    """

    run: int
    evaluation: LightEvaluation | Evaluation
    grades: tuple[int, int]
    annotation: str | None
    # The first queries by id of each partition, and whether a ranked item of theirs is judged.
    meets: Mapping[str, bool]
    lacking: frozenset[str]

    @property
    def light(self) -> LightEvaluation:
        """The evaluation, without values."""
        return self.evaluation if isinstance(self.evaluation, LightEvaluation) else self.evaluation.light()


class PartitionResults(NamedTuple):
    """What the partitions computed for all rankings, and the values per query as a DataFrame."""

    layout: _Layout
    work: Work
    parts: Sequence[Any]
    query_kind: str
    values: Any

    def of(self, run: int) -> MergedRun:
        """Merge what the partitions computed for a ranking, or raise its first error by query id."""
        parts = _without_faults([part for part in self.parts if part.run == run])
        return MergedRun(
            run,
            self._merged(parts),
            (sum(part.grades for part in parts), sum(part.fractions for part in parts)),
            "subtopic" if any(part.by_subtopic for part in parts) else None,
            {
                query: meets
                for part in parts
                for meets in (True, False)
                for query in (part.meeting if meets else part.apart)
            },
            frozenset(query for part in parts for query in part.lacking or ()),
        )

    def items_of(self, run: int, queries: Sequence[str]) -> dict[str, tuple[list[str], list[str]]]:
        """Return the judged and the ranked items of a few queries, best first."""
        items = self.layout.rows_of(run, queries).mapInArrow(
            partial(partition.items_of, self.work, run, queries), partition.ITEMS
        )
        return {row.query: (row.judged, row.ranked) for row in _collected(items)}

    def known_items(self, items: list[str]) -> set[str]:
        """Return those of some items that are judged for any query."""
        known = self.layout.judged_rows().mapInArrow(partial(partition.known_items, self.work, items), f"{ITEM} string")
        return {row.item for row in _collected(known)}

    def _merged(self, parts: Sequence[Any]) -> LightEvaluation | Evaluation:
        if not parts:  # no partition has a row
            nothing = self.work.request.plan().evaluate({}, {})
            return nothing if self.work.whole else nothing.light()
        data = [bytes(part.evaluation) for part in parts]
        if self.work.whole:
            return Evaluation.from_bytes(data[0]).merge(*map(Evaluation.from_bytes, data[1:]))
        return LightEvaluation.from_bytes(data[0]).merge(*map(LightEvaluation.from_bytes, data[1:]))

    @property
    def digests(self) -> list[str]:
        """What each partition made of the evaluations of all rankings."""
        return [part.digest for part in _without_faults([part for part in self.parts if part.run is None])]


def _without_faults(parts: Sequence[Any]) -> Sequence[Any]:
    """Return what partitions sent, or raise their first error by query id."""
    faults = [Fault(*json.loads(part.error)) for part in parts if part.error is not None]
    if faults:
        raise min(faults, key=lambda fault: fault.turn).error()
    return parts


class Task(NamedTuple):
    """How rankings are evaluated: with how many threads each partition, and what it sends beside sums."""

    threads: int = 1
    # Whether the cluster keeps the values per query.
    persist: bool = False
    # For comparisons: whether values per query are sent; if not, `digest` summarises them.
    whole: bool = False
    digest: Digest | None = None


def evaluate(judgments: Side, rankings: Sequence[Side], request: Request, task: Task) -> PartitionResults:
    """Evaluate DataFrames of one session in one shuffle, each ranking by the same judgments."""
    _require_no_lists(judgments, rankings)
    for ranking in rankings:
        require_order(request, ranking)
    is_by_row = _is_by_row(request)
    layout = _Layout(judgments if is_by_row else judgments._replace(order=None), rankings)
    rows = layout.rows()
    work = Work(request, *layout.columns(), values=task.persist, threads=task.threads, whole=task.whole)
    work = work._replace(digest=task.digest)
    if is_by_row and judgments.order is None:
        work = work._replace(unordered=f"none in the judgments, and {_duplicates(request)}")
    evaluated = _mapped(rows, work)
    evaluated = evaluated.persist() if task.persist else evaluated
    try:
        parts = _collected(evaluated.where("query IS NULL").select(partition.RUN, *partition.SUMMARY))
    except BaseException:
        if task.persist:
            evaluated.unpersist()
        raise
    values = evaluated if task.persist else _mapped(rows, work._replace(sums=False, values=True, digest=None))
    frame = _named(values.where("query IS NOT NULL"), request, judgments)
    return PartitionResults(layout, work, parts, judgments.query_kind, frame)


def _collected(mapped: Any) -> list[Any]:  # noqa: ANN401 - a DataFrame of Spark
    """Return the rows that Python workers computed."""
    with batch_limit.lifted(mapped.sparkSession):
        rows: list[Any] = mapped.collect()
    return rows


def _mapped(rows: Any, work: Work) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    return rows.mapInArrow(partial(partition.evaluate, work), partition.schema(work.request.computed))


def _named(values: Any, request: Request, judgments: Side) -> Any:  # noqa: ANN401 - a DataFrame of Spark
    """Return the values per query under the names of the measures; ids are again what they were.

    A measure of all queries together, such as coverage, has no value per query.
    """
    query = f"CAST({QUERY} AS {judgments.type_of_values}) AS {QUERY}"
    named = [
        f"{partition.value_column(index)} AS {backquoted(request.label(measure))}"
        for index, measure in enumerate(request.computed)
        if measure in request.measures and measure.aggregate != "union"
    ]
    return values.selectExpr(partition.RUN, query, *named)


def require_order(request: Request, ranking: Side) -> None:
    """Raise if a value depends on the order of the rows of a ranking, and no column says it.

    That of the judgments counts only where an item is judged twice, which the partitions find out.
    """
    convention = request.effective
    if ranking.order is None and ranking.roles.value is None:  # no other convention would help
        got = "none, and a ranking has no column of scores or ranks"
        raise RankgaugeError("no-row-order", got=got, unscored=True)
    if _is_by_row(request) and ranking.order is None:
        raise RankgaugeError("no-row-order", got=f"none, and {_duplicates(request)}")
    if needs_row_order(request, ranking) and ranking.roles.descending:
        raise RankgaugeError("no-row-order", got=f"none, and {convention.name} has ties={convention.ties}")
    by_row = [measure for measure in request.computed if isinstance(measure, Counted) and measure.ordered]
    if by_row and ranking.order is None:
        got = f"none, and {request.label(by_row[0])} takes items of equal grades as the rows came"
        raise RankgaugeError("no-row-order", got=got)


def _require_no_lists(judgments: Side, rankings: Iterable[Side]) -> None:
    """Raise for a column of lists of ids, and say how it becomes rows."""
    for side in (judgments, *rankings):
        for role, expected in (("query", "a query per row"), ("item", "an item per row")):
            column = getattr(side.roles, role)
            if _is_list(side, column):
                rows = _rows_of_lists(side, column, are_ranked=side is not judgments)
                raise RankgaugeError("not-on-cluster", expected=expected, got="lists", rows=rows)


def _rows_of_lists(side: Side, column: str, *, are_ranked: bool) -> str:
    """Return what makes a row of each element of a column of lists; those that only their places order are numbered."""
    lists, value = _readable(column), side.roles.value
    kept = [_readable(name) for name in side.roles.columns if name not in (column, value)]
    if value is not None and _is_list(side, value):
        made = [f"inline(arrays_zip({lists}, {_readable(value)}))"]
    elif value is None and are_ranked and column == side.roles.item:
        made = [f"posexplode({lists}) AS (rank, {lists})"]
    else:
        made = [f"explode({lists}) AS {lists}", *([] if value is None else [_readable(value)])]
    return ", ".join(map(repr, (*kept, *made)))


def _is_list(side: Side, column: str) -> bool:
    return str(side.type_of(column)).startswith("array")


def _readable(name: str) -> str:
    """Return a name as Spark reads it, without quotes where it needs none."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else backquoted(name)


def _is_by_row(request: Request) -> bool:
    """Whether the order of rows says which of an item's rows counts."""
    return request.effective.duplicates in _BY_ROW["duplicates"]


def _duplicates(request: Request) -> str:
    return f"{request.effective.name} has duplicates={request.effective.duplicates}"


def needs_row_order(request: Request, ranking: Side) -> bool:
    """Whether the order of rows breaks ties, and no column gives it; ranks tie only if two of them are equal."""
    return ranking.order is None and request.effective.ties in _BY_ROW["ties"]


class _Layout:
    """The columns of the rows of all sides, one below the other.

    Values of one type share a column, and so do the orders: a side reads its own rows.
    """

    def __init__(self, judgments: Side, rankings: Sequence[Side]) -> None:
        self.sides = (judgments, *rankings)
        kinds = [_number_type(judgments, "bigint"), *map(_number_type, rankings)]
        self.values, value_types = _by_type("value", kinds)
        self.orders, order_types = _by_type("order", [side.type_of(side.order) for side in self.sides])
        annotated = judgments.subtopics or judgments.roles
        self.annotation = annotated.annotation
        annotation_type = judgments.type_of(self.annotation)
        self.types: dict[str, str] = {
            QUERY: _id_type(self.sides, "query"),
            ITEM: _id_type(self.sides, "item"),
            **value_types,
            **({ANNOTATION: "double" if annotation_type in _FLOATS else annotation_type} if annotation_type else {}),
            **order_types,
        }

    def rows(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """Return the rows of all sides, those of a query in one partition, and in their order where they have one."""
        meeting = self._meeting(range(len(self.sides)))
        orders = list(dict.fromkeys(name for name in self.orders if name is not None))
        if not orders:
            return meeting
        values = [name for name in dict.fromkeys(self.values) if name is not None]
        # Rows with equal order values are sorted by item, and by value, so that no two shuffles differ.
        ordered = meeting.sortWithinPartitions(*orders, ITEM, *values)
        kept = [name for name in meeting.columns if name not in orders]
        return ordered.selectExpr(*kept, f"{self._is_unordered()} AS {UNORDERED}")

    def _is_unordered(self) -> str:
        """Return the condition that a row has no value in the column that gives its order."""
        conditions = []
        for number, order in enumerate(self.orders):
            if order is not None:
                is_nan = f" OR isnan({order})" if self.types[order] in ("float", "double") else ""
                conditions.append(f"({SIDE} = {number} AND ({order} IS NULL{is_nan}))")
        return " OR ".join(conditions)

    def rows_of(self, run: int, queries: Sequence[str]) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """Return at least the rows of some queries, those of the judgments and of one ranking."""
        rows, kind = self._meeting((0, 1 + run)), self.types[QUERY]
        text = f"CAST({QUERY} AS bigint)" if kind in ("float", "double") else QUERY
        # Ids that Spark formats differently than the core cannot be filtered here: the workers filter them.
        is_chosen = f"CAST({text} AS string) IN ({', '.join(map(literal, queries))})"
        return rows.where(is_chosen) if text != QUERY or _SAME_TEXT.fullmatch(kind) else rows

    def judged_rows(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """Return the rows of the judgments, as they are partitioned."""
        return self._select(0)

    def _meeting(self, numbers: Iterable[int]) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        return reduce(lambda above, below: above.union(below), map(self._select, numbers)).repartition(QUERY)

    def _select(self, number: int) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        side = self.sides[number]
        names = {QUERY: side.roles.query, ITEM: side.roles.item, self.values[number]: side.roles.value}
        names |= {self.orders[number]: side.order} | ({ANNOTATION: self.annotation} if number == 0 else {})
        expressions = [
            f"CAST({'NULL' if names.get(name) is None else backquoted(str(names[name]))} AS {kind}) AS {name}"
            for name, kind in self.types.items()
        ]
        return side.frame.selectExpr(f"{number} AS {SIDE}", *expressions)

    def columns(self) -> tuple[Columns, tuple[Columns, ...], Columns | None]:
        """Return how a partition reads the judgments, the rankings, and judgments with subtopics."""
        judgments, *rankings = (
            Columns(
                _plain(side.roles),
                {"query": QUERY, "item": ITEM, "value": value or "", "annotation": ANNOTATION},
                side.order,
                side.has_empty,
            )
            for side, value in zip(self.sides, self.values, strict=True)
        )
        by_subtopic = self.sides[0].subtopics
        subtopics = None if by_subtopic is None else judgments._replace(roles=_plain(by_subtopic))
        return judgments, tuple(rankings), subtopics


def _by_type(name: str, kinds: Sequence[str | None]) -> tuple[list[str | None], dict[str, str]]:
    """Return the column of each side, those of one type in the same, and the type of each column.

    >>> _by_type("value", ["double", "bigint", None, "double"])
    (['value', 'value1', None, 'value'], {'value': 'double', 'value1': 'bigint'})
    """
    known = [kind for kind in dict.fromkeys(kinds) if kind is not None]
    names = {kind: f"{name}{number or ''}" for number, kind in enumerate(known)}
    return [None if kind is None else names[kind] for kind in kinds], {names[kind]: kind for kind in known}


def _plain(roles: Roles) -> Roles:
    """Return roles without their remarks, which workers do not need."""
    return roles._replace(remarks=())


def _number_type(side: Side, *others: str) -> str | None:
    """Return the type in which the grades or scores travel; none where there are none."""
    kind = side.type_of(side.roles.value)
    return "double" if kind in (*_FLOATS, *others) else kind


def _id_type(sides: Sequence[Side], role: str) -> str:
    """Return the type in which ids of all sides travel: their own, or text where that is the same text everywhere."""
    judged, *others = kinds = [str(side.type_of(getattr(side.roles, role))) for side in sides]
    if all(kind in _WHOLE for kind in kinds):
        return "bigint"
    if len(set(kinds)) == 1 and not judged.startswith(("string ", "varchar", "char", "void")):
        return judged
    if all(map(_SAME_TEXT.fullmatch, kinds)):
        return "string"
    odd = next((kind for kind in others if not _are_alike(judged, kind)), others[0])
    got = f"{judged} in the judgments and {odd} in the ranking"
    raise RankgaugeError("not-on-cluster", expected=f"ids of each {role} of one type", got=got)


def _are_alike(judged: str, ranked: str) -> bool:
    return judged == ranked or all(map(_SAME_TEXT.fullmatch, (judged, ranked)))
