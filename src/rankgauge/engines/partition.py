"""What a worker of a cluster does with its rows: Arrow in, Arrow out, and a row with the exact sums.

A partition holds whole queries, so that its evaluation can be merged with those of the others. What goes wrong is a
row too: the driver reports the first error by query id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from rankgauge._core import Stream
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles
from rankgauge.measures import Measure
from rankgauge.request import Request

if TYPE_CHECKING:
    import pyarrow as pa

    from rankgauge._core import Evaluation

Noun = TypeVar("Noun", Judgments, Ranking)

# The columns of the rows of both sides, one below the other. `value` is the grade, and the score where it has the same
# type; `annotation` is what judgments carry beside grades.
QUERY: Final = "query"
ITEM: Final = "item"
JUDGED: Final = "judged"
VALUE: Final = "value"
SCORE: Final = "score"
ANNOTATION: Final = "annotation"

# What a partition says of its sums, beside a column per measure and the query of each value.
SUMMARY: Final = {
    "light": "binary",
    "grades": "bigint",
    "fractions": "bigint",
    "by_subtopic": "boolean",
    "error": "string",
}
_ROW: Final = re.compile(r"(?P<column>.*), row (?P<row>\d+)")


class Columns(NamedTuple):
    """Where the columns of a side are among the rows of both, and what they are called in the user's table."""

    roles: Roles
    # Role → column of the rows of both sides.
    places: dict[str, str]

    def of(self, rows: pa.Table) -> pa.Table:
        """Return the columns under the names that messages say."""
        named = {"query": self.roles.query, "item": self.roles.item, "value": self.roles.value}
        named["annotation"] = self.roles.annotation
        chosen = [(self.places[role], name) for role, name in named.items() if name is not None]
        return rows.select([place for place, _ in chosen]).rename_columns([name for _, name in chosen])


class Work(NamedTuple):
    """What is computed of each partition: sums, values per query, or both."""

    request: Request
    judgments: Columns
    ranking: Columns
    # How judgments are read where an item has several subtopics, though no measure asked for them.
    subtopics: Columns | None = None
    sums: bool = True
    values: bool = False
    threads: int = 1


class Fault(NamedTuple):
    """An error, by the order in which it is reported: the side that is read first, then the query."""

    step: int
    query: str
    code: str
    place: str
    context: dict[str, Any]

    def error(self) -> RankgaugeError:
        """Return the error as it is on one machine."""
        return RankgaugeError(self.code, self.place, **self.context)


class FaultError(Exception):
    """A fault on its way out of a partition."""


def evaluate(work: Work, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Evaluate the rows of a partition."""
    import pyarrow as pa

    collected = [batch for batch in batches if batch.num_rows]
    if not collected:
        return
    rows = pa.Table.from_batches(collected)
    del collected
    try:
        evaluation, judgments = _evaluated(work, rows.filter(rows[JUDGED]), rows.filter(_not(rows[JUDGED])))
    except FaultError as found:
        fault = found.args[0]
        if not work.sums:
            raise fault.error() from None
        yield _batch(work, error=[json.dumps(fault)])
        return
    if work.sums:
        grades, fractions = judgments.handle.fractions()
        light = evaluation.light().to_bytes()
        flags = {"by_subtopic": [judgments.annotation == "subtopic"]}
        yield _batch(work, light=[light], grades=[grades], fractions=[fractions], **flags)
    if work.values:
        yield _batch(work, **_values(evaluation, work.request))


def _not(flags: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return pc.invert(flags)


def _evaluated(work: Work, judged: pa.Table, ranked: pa.Table) -> tuple[Evaluation, Judgments]:
    judgments = _read(Judgments, work.judgments, judged, 0)
    if work.subtopics is not None and judgments.handle.has_duplicates():
        judgments = _read(Judgments, work.subtopics, judged, 0)
    ranking = _read(Ranking, work.ranking, ranked, 1)
    return evaluate_part(judgments, ranking, work.request, work.threads), judgments


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
    try:
        return noun.from_table(Stream(columns.of(rows)), columns.roles)
    except RankgaugeError as error:
        first = _first_fault(partial(noun.from_table, roles=columns.roles), columns, _by_query(rows)) or error
    found = _ROW.fullmatch(first.place)
    if found is None:
        raise FaultError(Fault(step, "", first.code, first.place, first.context)) from None
    query = _by_query(rows)[QUERY][int(found["row"])].as_py()
    place = found["column"] if query is None else f"{found['column']}, query {str(query)!r}"
    raise FaultError(Fault(step, "" if query is None else str(query), first.code, place, first.context)) from None


def _first_fault(read: Callable[[Stream], object], columns: Columns, rows: pa.Table) -> RankgaugeError | None:
    try:
        read(Stream(columns.of(rows)))
    except RankgaugeError as error:
        return error
    return None


def _by_query(rows: pa.Table) -> pa.Table:
    """Return rows by the text of their query, those without one first; a row of a cluster has no number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    queries = rows[QUERY]
    texts = queries.cast(pa.string()) if pa.types.is_integer(queries.type) else queries
    options = pc.SortOptions(sort_keys=[("text", "ascending")], null_placement="at_start")
    return rows.take(pc.sort_indices(pa.table({"text": texts}), options=options))


def _values(evaluation: Evaluation, request: Request) -> dict[str, Any]:
    """Return the values per query by column; what is left out of a mean is null."""
    import numpy as np
    import pyarrow as pa

    skips = request.effective.nothing_relevant == "skip"
    columns: dict[str, Any] = {QUERY: evaluation.queries()}
    for place, measure in enumerate(request.computed):
        numbers = np.frombuffer(evaluation.column(place))
        columns[value_column(place)] = pa.array(numbers, from_pandas=skips or measure.skips)
    return columns


def value_column(place: int) -> str:
    """Return the column of the measure that is computed in that place."""
    return f"value_{place}"


def _types(measures: tuple[Measure, ...]) -> dict[str, str]:
    """Return the columns that a partition returns, with the types of Spark."""
    return {QUERY: "string", **SUMMARY, **{value_column(place): "double" for place in range(len(measures))}}


def schema(measures: tuple[Measure, ...]) -> str:
    """Return the columns that a partition returns, as Spark reads them."""
    return ", ".join(f"{name} {kind}" for name, kind in _types(measures).items())


def _batch(work: Work, **columns: Any) -> pa.RecordBatch:  # noqa: ANN401 - columns of any type
    """Return rows with some of the columns that a partition returns; the others are null."""
    import pyarrow as pa

    length = len(next(iter(columns.values())))
    nulls = [None] * length
    kinds = {"bigint": "int64", "boolean": "bool", "double": "float64"}
    types = {name: pa.type_for_alias(kinds.get(kind, kind)) for name, kind in _types(work.request.computed).items()}
    arrays = [pa.array(columns.get(name, nulls), kind) for name, kind in types.items()]
    return pa.RecordBatch.from_arrays(arrays, list(types))
