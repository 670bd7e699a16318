"""What a worker of a cluster does with its rows: Arrow in, Arrow out, and a row with the exact sums.

A partition holds whole queries, so that its evaluation can be merged with those of the others. An error is sent
as a row too: the driver raises the first one by query id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from rankgauge._core import Stream
from rankgauge.data.common_items import MOST_QUERIES
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines.side_rows import by_side
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles
from rankgauge.measures import Measure
from rankgauge.request import Request

if TYPE_CHECKING:
    import pyarrow as pa

    from rankgauge._core import Evaluation

Noun = TypeVar("Noun", Judgments, Ranking)

# The columns of the rows of all sides, one below the other, beside that of the side; `annotation` is what judgments
# carry beside grades.
QUERY: Final = "query"
ITEM: Final = "item"
ANNOTATION: Final = "annotation"
# Whether the column that gives the order of the rows has no value; there are such rows only where such a column is.
UNORDERED: Final = "unordered"

# The columns that a partition sends per ranking, beside values per query: the bytes of its evaluation, counts of
# grades, the first queries by id with and without an item that is both ranked and judged, and the evaluated queries
# that the ranking lacks.
RUN: Final = "run"
SUMMARY: Final = {
    "evaluation": "binary",
    "grades": "bigint",
    "fractions": "bigint",
    "by_subtopic": "boolean",
    "meeting": "array<string>",
    "apart": "array<string>",
    "lacking": "array<string>",
    "digest": "string",
    "error": "string",
}
# The columns that a partition sends of the items of some queries.
ITEMS: Final = "query string, judged array<string>, ranked array<string>"
# Longer queries are not checked for common items, since the driver would have to collect these.
_LONGEST: Final = 10_000
_ROW: Final = re.compile(r"(?P<column>.*), row (?P<row>\d+)")


class Columns(NamedTuple):
    """Which columns of the rows of both sides belong to one side, and what they are called in the user's table."""

    roles: Roles
    # Role → column of the rows of both sides.
    columns: dict[str, str]
    # The column of the user's table that gives the order of its rows.
    order: str | None = None
    # Whether a row without an item stands for a query without rows, as a mapping may have.
    has_empty: bool = False

    def of(self, rows: pa.Table) -> pa.Table:
        """Return the columns under the names of the user's table, which messages show."""
        named = {"query": self.roles.query, "item": self.roles.item, "value": self.roles.value}
        named["annotation"] = self.roles.annotation
        chosen = [(self.columns[role], name) for role, name in named.items() if name is not None]
        table = rows.select([column for column, _ in chosen]).rename_columns([name for _, name in chosen])
        return _in_lists(table, self.roles) if self.has_empty else table


def _in_lists(table: pa.Table, roles: Roles) -> pa.Table:
    """Return a row for each query, with its rows in lists; those of a row without an item are empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    others = [name for name in table.column_names if name != roles.query]
    has_item = pc.is_valid(table[roles.item])
    grouped = (
        table.filter(has_item).group_by(roles.query, use_threads=False).aggregate([(name, "list") for name in others])
    )
    filled = grouped.select([roles.query, *(f"{name}_list" for name in others)]).rename_columns([roles.query, *others])
    empty = table.filter(pc.invert(has_item)).select([roles.query])
    for name in others:
        empty = empty.append_column(name, pa.array([[]] * len(empty), filled.schema.field(name).type))
    return pa.concat_tables([filled, empty])


# Summarises the evaluations of all rankings, and the queries of each, where values per query are not sent.
Digest: TypeAlias = "Callable[[Sequence[Evaluation], Sequence[frozenset[str]]], str]"


class Work(NamedTuple):
    """What is computed of each partition: sums, values per query, or both."""

    request: Request
    judgments: Columns
    rankings: tuple[Columns, ...]
    # How judgments are read where an item has several subtopics, though no measure asked for them.
    subtopics: Columns | None = None
    sums: bool = True
    values: bool = False
    threads: int = 1
    # For comparisons: whether values per query are sent; if not, `digest` summarises them.
    whole: bool = False
    digest: Digest | None = None
    # What is said where an item is judged twice, and no column says which of its rows is the first or the last.
    unordered: str | None = None


class Fault(NamedTuple):
    """An error, by the order in which it is reported: the side that is read first, then the query."""

    step: int
    query: str
    code: str
    place: str
    context: dict[str, Any]

    @property
    def turn(self) -> tuple[int, bytes]:
        """The lowest of several is reported."""
        return self.step, self.query.encode()

    def error(self) -> RankgaugeError:
        """Return the error as it is on one machine."""
        return RankgaugeError(self.code, self.place, **self.context)


class FaultError(Exception):
    """A fault that a partition raises; the arguments are the fault, and what was evaluated before it."""


class EvaluatedRanking(NamedTuple):
    """The evaluation of a ranking in a partition, and what it was computed from."""

    evaluation: Evaluation
    judgments: Judgments
    ranking: Ranking


def evaluate(work: Work, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Evaluate the rankings of a partition."""
    sides = by_side((batch for batch in batches if batch.num_rows), 1 + len(work.rankings))
    if sides is None:
        return
    evaluated: list[EvaluatedRanking] = []
    try:
        evaluated.extend(_evaluated(work, *sides))
    except FaultError as raised:
        fault, evaluated = raised.args
        if not work.sums:
            raise fault.error() from None
        yield _batch(work, run=[len(evaluated)], error=[json.dumps(fault)])
    present: list[frozenset[str]] = []
    for number, each in enumerate(evaluated):
        if work.sums:
            yield _batch(work, run=[number], **_summary(work, each, present))
        if work.values:
            yield _batch(work, **_values(number, each.evaluation, work.request))
    if work.digest is not None and len(evaluated) == len(work.rankings):
        yield _batch(work, **_digest(work.digest, [each.evaluation for each in evaluated], present))


def _digest(
    digest: Digest, evaluations: Sequence[Evaluation], present: Sequence[frozenset[str]]
) -> dict[str, list[Any]]:
    try:
        return {"digest": [digest(evaluations, present)]}
    except RankgaugeError as error:  # no float holds the squares of differences
        return {"error": [json.dumps(Fault(4, "", error.code, error.place, error.context))]}


def _summary(work: Work, evaluated: EvaluatedRanking, present: list[frozenset[str]]) -> dict[str, list[Any]]:
    """Return the summary row of a ranking; if rankings are compared, its query ids are added to `present`."""
    grades, fractions = evaluated.judgments.handle.fractions()
    first = evaluated.ranking.handle.first_queries(evaluated.judgments.handle, MOST_QUERIES, _LONGEST)
    light = evaluated.evaluation if work.whole else evaluated.evaluation.light()
    summary: dict[str, list[Any]] = {
        "evaluation": [light.to_bytes()],
        "grades": [grades],
        "fractions": [fractions],
        "by_subtopic": [evaluated.judgments.annotation == "subtopic"],
        "meeting": [[query for query, meets in first if meets]],
        "apart": [[query for query, meets in first if not meets]],
    }
    if work.whole or work.digest:
        queries = evaluated.evaluation.queries()
        present.append(_present(work, evaluated, queries))
        if work.whole:  # a digest has their number, and a few of them
            summary["lacking"] = [[query for query in queries if query not in present[-1]]]
    return summary


def _present(work: Work, evaluated: EvaluatedRanking, queries: list[str]) -> frozenset[str]:
    """Return the judged queries that a ranking has."""
    if work.request.effective.missing == "skip":
        return frozenset(queries)
    request = work.request.of_ranked_queries()
    evaluation = request.plan().evaluate(evaluated.judgments.handle, evaluated.ranking.handle, threads=work.threads)
    return frozenset(evaluation.queries())


def items_of(
    work: Work, run: int, queries: Sequence[str], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Return the judged and the ranked items of those queries that a partition has, best first."""
    import pyarrow as pa

    sides = by_side((batch for batch in batches if batch.num_rows), 1 + len(work.rankings))
    if sides is None:
        return
    judgments = _judgments(work, sides[0])
    ranking = _read(Ranking, work.rankings[run], sides[1 + run], 1)
    judged = [query for query in queries if query in judgments.handle]
    columns = [judged, *([_best_first(side, query) for query in judged] for side in (judgments, ranking))]
    types = (pa.string(), pa.list_(pa.string()), pa.list_(pa.string()))
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    yield pa.RecordBatch.from_arrays(arrays, ["query", "judged", "ranked"])


def _best_first(side: Judgments | Ranking, query: str) -> list[str]:
    rows = sorted(side.text_rows(query) or (), key=lambda row: (-row[1], row[0]))
    return [item for item, _ in rows]


def known_items(work: Work, items: list[str], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return those of some items that are judged in a partition of judgments."""
    import pyarrow as pa

    known: set[str] = set()
    for batch in batches:
        known |= _judgments(work, pa.Table.from_batches([batch])).handle.known_items(items)
    yield pa.RecordBatch.from_arrays([pa.array(sorted(known), pa.string())], [ITEM])


def _evaluated(work: Work, judged: pa.Table, *rankings: pa.Table) -> list[EvaluatedRanking]:
    """Evaluate the rankings one after the other; a `FaultError` carries those that were evaluated before it."""
    evaluated: list[EvaluatedRanking] = []
    try:
        judgments = _judgments(work, judged)
        if work.unordered is not None:
            _require_distinct(judgments, work.unordered)
        for columns, rows in zip(work.rankings, rankings, strict=True):
            ranking = _read(Ranking, columns, rows, 1)
            evaluated.append(
                EvaluatedRanking(evaluate_part(judgments, ranking, work.request, work.threads), judgments, ranking)
            )
    except FaultError as raised:
        raise FaultError(*raised.args, evaluated) from None
    return evaluated


def _judgments(work: Work, rows: pa.Table) -> Judgments:
    judgments = _read(Judgments, work.judgments, rows, 0)
    if work.subtopics is not None and judgments.handle.has_duplicates():
        return _read(Judgments, work.subtopics, rows, 0)
    return judgments


def _require_distinct(judgments: Judgments, got: str) -> None:
    """Raise at the first query by id that has an item twice, which trec_eval refuses wherever it is."""
    try:
        evaluate_part(judgments, Ranking.from_mapping({}), Request.of("num_q", "trec_eval(missing=skip)"), 1)
    except FaultError as raised:
        fault: Fault = raised.args[0]
        raise FaultError(fault._replace(step=0, code="no-row-order", context={"got": got})) from None


def evaluate_part(judgments: Judgments, ranking: Ranking, request: Request, threads: int | None) -> Evaluation:
    """Evaluate a part of the queries; an error is a fault, of which the first by query is reported."""
    try:
        return request.plan().evaluate(judgments.handle, ranking.handle, threads=threads)
    except RankgaugeError as error:
        step = 3 if error.code == "missing-query" else 2  # as on one machine, which looks for these at the end
        query = _query_in(error.place, [*judgments.text_queries(), *ranking.text_queries()])
        raise FaultError(Fault(step, query, error.code, error.place, error.context)) from None


def _query_in(place: str, queries: list[str]) -> str:
    """Return the query that a place names: `query 'q1', item 'd1'`, in brackets behind the name of a file."""
    place_of = Judgments.from_mapping({}).handle.place
    whole = f"{place.removesuffix(')')}, item "
    named = (query for query in queries if f"{place_of(query)}, item " in whole)
    return min(named, default="")


def _read(noun: type[Noun], columns: Columns, rows: pa.Table, step: int) -> Noun:
    """Read a side; of several faults the one of the first query by id is raised."""
    faults = list(_unordered(columns, rows, step))
    try:
        read = noun.from_table(Stream(columns.of(rows)), columns.roles)
    except RankgaugeError as error:
        first = _first_fault(partial(noun.from_table, roles=columns.roles), columns, _by_query(rows)) or error
        faults.append(_placed(first, rows, step))
    else:
        if not faults:
            return read
    raise FaultError(min(faults, key=lambda fault: fault.turn))


def _placed(error: RankgaugeError, rows: pa.Table, step: int) -> Fault:
    """Return an error of reading as a fault that names the query in place of the row."""
    match = _ROW.fullmatch(error.place)
    if match is None:
        return Fault(step, "", error.code, error.place, error.context)
    return _of_query(
        step, _by_query(rows)[QUERY][int(match["row"])].as_py(), error.code, match["column"], error.context
    )


def _of_query(step: int, query: object, code: str, column: str, context: dict[str, Any]) -> Fault:
    if query is None:
        return Fault(step, "", code, column, context)
    return Fault(step, str(query), code, f"{column}, query {str(query)!r}", context)


def _unordered(columns: Columns, rows: pa.Table, step: int) -> Iterator[Fault]:
    """Find the first query by id with a row whose place in the order is not known."""
    if columns.order is None or UNORDERED not in rows.column_names:
        return
    unordered = rows.filter(rows[UNORDERED])
    if unordered.num_rows:
        query = _by_query(unordered)[QUERY][0].as_py()
        yield _of_query(step, query, "null-value", f"column {columns.order!r}", {})


def _first_fault(read: Callable[[Stream], object], columns: Columns, rows: pa.Table) -> RankgaugeError | None:
    try:
        read(Stream(columns.of(rows)))
    except RankgaugeError as error:
        return error
    return None


def _by_query(rows: pa.Table) -> pa.Table:
    """Return rows sorted by the text of their query, null first: rows of a cluster have no order of their own."""
    import pyarrow as pa
    import pyarrow.compute as pc

    queries = rows[QUERY]
    texts = queries.cast(pa.string()) if pa.types.is_integer(queries.type) else queries
    keys = pa.table({"known": pc.is_valid(texts), "text": texts})
    return rows.take(pc.sort_indices(keys, sort_keys=[("known", "ascending"), ("text", "ascending")]))


def _values(run: int, evaluation: Evaluation, request: Request) -> dict[str, Any]:
    """Return the values per query by column; what is left out of a mean is null."""
    import numpy as np
    import pyarrow as pa

    skips = request.effective.nothing_relevant == "skip"
    texts, starts = map(pa.py_buffer, evaluation.packed_queries())
    queries = pa.LargeStringArray.from_buffers(len(evaluation), starts, texts).cast(pa.string())
    columns: dict[str, Any] = {QUERY: queries, RUN: pa.repeat(run, len(evaluation))}
    for index, measure in enumerate(request.computed):
        numbers = np.frombuffer(evaluation.column(index))
        columns[value_column(index)] = pa.array(numbers, from_pandas=skips or measure.skips)
    return columns


def value_column(index: int) -> str:
    """Return the column of a measure by its index in `request.computed`."""
    return f"value_{index}"


def _types(measures: tuple[Measure, ...]) -> dict[str, str]:
    """Return the columns that a partition returns, with the types of Spark."""
    return {QUERY: "string", RUN: "int", **SUMMARY, **{value_column(index): "double" for index in range(len(measures))}}


def schema(measures: tuple[Measure, ...]) -> str:
    """Return the columns that a partition returns, as Spark reads them."""
    return ", ".join(f"{name} {kind}" for name, kind in _types(measures).items())


def _batch(work: Work, **columns: Any) -> pa.RecordBatch:  # noqa: ANN401 - columns of any type
    """Return rows with some of the columns that a partition returns; the others are null."""
    import pyarrow as pa

    length = len(next(iter(columns.values())))
    kinds = {"int": pa.int32(), "bigint": pa.int64(), "boolean": pa.bool_(), "double": pa.float64()}
    kinds |= {"string": pa.string(), "binary": pa.binary(), "array<string>": pa.list_(pa.string())}
    types = {name: kinds[kind] for name, kind in _types(work.request.computed).items()}
    arrays = [
        pa.array(columns[name], kind) if name in columns else pa.nulls(length, kind) for name, kind in types.items()
    ]
    return pa.RecordBatch.from_arrays(arrays, list(types))
