"""PerQuery: the value of each measure for each query, as a table and by measure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rankgauge.data.id_kinds import known_forms, native_ids
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.ids import id_text, order_as_numbers
from rankgauge.presentation.table import Table
from rankgauge.request import Request
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.measure_lookup import find_measure, is_evaluated

if TYPE_CHECKING:
    from rankgauge.presentation.parts import Part

# Of more queries than these, a prompt and a notebook show the first and the last.
MOST_SHOWN: Final = 60
_FIRST: Final = 10
_LAST: Final = 5


class ValuesByQuery(dict[Any, Any]):
    """Query → value. Ids are compared as text, so that 7 and "7" find the same query, and a date and its text too.

    >>> values = ValuesByQuery({7: 0.5})
    >>> values["7"], values.get(8), "7" in values
    (0.5, None, True)
    >>> import datetime
    >>> ValuesByQuery({"2026-01-02": 0.5})[datetime.datetime(2026, 1, 2)]
    0.5
    """

    def __missing__(self, query: object) -> Any:  # noqa: ANN401 - a number or a text
        key = self._stored(query)
        if key is None:
            raise KeyError(query)
        return self[key]

    def __contains__(self, query: object) -> bool:
        return super().__contains__(query) or self._stored(query) is not None

    def get(self, query: object, default: Any = None) -> Any:  # noqa: ANN401
        """Return the value of a query, or the default.

        Parameters:
            query: the id of a query, as text or as it came.
            default: what is returned where it is not there; default: None.

        """
        try:
            return self[query]
        except KeyError:
            return default

    def _stored(self, query: object) -> object:
        """Return the text under which an id is stored."""
        text = id_text(query)
        return next((id_ for id_ in known_forms(text) if dict.__contains__(self, id_) and id_text(id_) == text), None)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PerQuery(DataFrameMixin):
    """The value of each measure for each query; a query that is left out of a mean is left out here too.

    By measure it is a mapping (`per_query["ndcg@10"]`, `keys`, `items`, `in`); iterated, it is a table: `len` is the
    number of its rows, one per query.
    Ids of queries have the type that they had in the judgments, where all of them had the same.

    >>> import rankgauge as rg
    >>> result = rg.evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": ["d1"], "q2": ["d1", "d2"]}, "ndcg@10")
    >>> result.per_query["ndcg@10"]
    {'q1': 1.0, 'q2': 0.6309297535714575}
    >>> list(result.per_query)
    [('q1', 1.0), ('q2', 0.6309297535714575)]
    >>> import pandas as pd
    >>> list(pd.DataFrame(result.per_query).columns)
    ['query', 'ndcg@10']
    >>> import polars as pl
    >>> pl.DataFrame(result.per_query).rows()  # any library that takes Arrow
    [('q1', 1.0), ('q2', 0.6309297535714575)]
    """

    evaluation: Evaluation
    request: Request
    # What the ids of the queries were when they came: `text`, `whole` numbers, `date` or `datetime`.
    query_kind: str = "text"

    def __getitem__(self, measure: str | Measure) -> ValuesByQuery:
        column = find_measure(measure, self.request, texts=True)
        if column.letters:
            return self._by_query(zip(self._queries(), self.evaluation.texts[column], strict=True))
        pairs = zip(self._queries(), self.evaluation.values[column], strict=True)
        skip_nan = self._skips_nan(column)
        return self._by_query((query, value) for query, value in pairs if not (skip_nan and math.isnan(value)))

    def _skips_nan(self, measure: Measure) -> bool:
        """Whether NaN is the mark of a query that is left out."""
        return measure.skips or self.request.effective.nothing_relevant == "skip"

    def _by_query(self, pairs: Iterable[tuple[Any, Any]]) -> ValuesByQuery:
        listed = list(pairs)
        whole = self.query_kind == "whole" and all(isinstance(query, int) for query, _ in listed)
        return ValuesByQuery(sorted(listed) if whole else listed)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        table = self.table()
        # pandas makes a table of any iterable of tuples, and takes the names of its columns from `_fields`.
        row = type("QueryRow", (tuple,), {"_fields": tuple(table.headers)})
        return map(row, table.rows)

    def __len__(self) -> int:
        return len(self.evaluation.queries)

    def __contains__(self, measure: object) -> bool:
        return is_evaluated(measure, self.request, texts=True)

    def keys(self) -> list[str]:
        """Return the measures as they were asked for, numbers first."""
        return list(map(self.request.label, (*self.evaluation.values, *self.evaluation.texts)))

    def items(self) -> list[tuple[str, ValuesByQuery]]:
        """Return (measure, {query: value}) pairs."""
        return [(measure, self[measure]) for measure in self.keys()]

    def to_dict(self) -> dict[str, dict[Any, Any]]:
        """Return measure → query → value, the queries in the order of `table`."""
        queries, *columns = self.columns().values()
        return {
            measure: {query: value for query, value in zip(queries, column, strict=True) if value is not None}
            for measure, column in zip(self.keys(), columns, strict=True)
        }

    def table(self) -> Table:
        """Return a row per query and a column per measure; queries that are all whole numbers are sorted as such."""
        rows = list(map(list, zip(*self.columns().values(), strict=True)))
        return Table([Text("query"), *self.keys()], rows)

    def __repr__(self) -> str:
        from rankgauge.presentation.parts import parts_to_text  # most results are not shown

        return parts_to_text(self._shown())

    def _repr_html_(self) -> str:
        from rankgauge.presentation.html import parts_to_html

        return parts_to_html(self._shown())

    def _shown(self) -> list[Part]:
        """Return what a prompt and a notebook show."""
        table = self.table()
        if len(self) <= MOST_SHOWN:
            return [table]
        return [table.abridged(_FIRST, _LAST), counted(len(self), "query", "queries")]

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns of `table` by name; None is a query that is left out."""
        queries = self._queries()
        order = order_as_numbers(queries)
        columns = {"query": [queries[place] for place in order]}
        for measure, values in (*self.evaluation.values.items(), *self.evaluation.texts.items()):
            column: list[Any] = [values[place] for place in order]
            if not measure.letters and self._skips_nan(measure):
                column = [None if math.isnan(value) else value for value in column]
            columns[self.request.label(measure)] = column
        return columns

    def _queries(self) -> list[Any]:
        """Return the ids in the order of the evaluation, with the type that they had."""
        return native_ids(self.evaluation.queries, self.query_kind)
