"""Objects of other libraries that hold queries and items: ranx's, named tuples, open files, Series by two levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from io import BytesIO, IOBase
from typing import TYPE_CHECKING, Any, Final

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import roles
from rankgauge.inputs.batches import Batches, as_batches
from rankgauge.inputs.roles import Side

if TYPE_CHECKING:
    import pandas as pd

_VALUES: Final[Mapping[str, str]] = {"judgments": "grade", "ranking": "score"}


def plain_input(source: Any, side: Side, *, named: bool) -> Any:  # noqa: ANN401 - of any kind
    """Return what an object holds as a mapping, a table, a list or a file; anything else as it is.

    `named` says that the caller names the columns, so that those of a Series keep their names.

    >>> from collections import namedtuple
    >>> Qrel = namedtuple("Qrel", "query_id doc_id relevance")
    >>> plain_input(iter([Qrel("q1", "d1", 2)]), "judgments", named=False)
    [{'query_id': 'q1', 'doc_id': 'd1', 'relevance': 2}]
    """
    if type(source).__module__.partition(".")[0] == "ranx" and hasattr(source, "to_dict"):
        return dict(source.to_dict())
    if isinstance(source, IOBase) or (hasattr(source, "read") and hasattr(source, "readline")):
        return _spooled(source)
    source = as_batches(source)
    if isinstance(source, Batches):
        return source
    if isinstance(source, Iterator) and not hasattr(source, "__arrow_c_stream__"):  # a reader of batches is a table
        source = list(source)
    if isinstance(source, list) and source and all(map(_is_record, source)):
        return [_as_dict(record) for record in source]
    if getattr(getattr(source, "index", None), "nlevels", 1) > 1 and getattr(source, "ndim", 0) == 1:
        return _as_table(source, side, named=named)
    return source


def _spooled(file: Any) -> Any:  # noqa: ANN401 - what `locate` returns
    """What is left to read of an open file, in a file of its own."""
    from rankgauge.inputs.files import spool
    from rankgauge.inputs.input_pair import InputFile

    name = getattr(file, "name", None)
    label = name if isinstance(name, str) else "an open file"
    try:
        rest = file.read()
    except (OSError, ValueError) as error:
        raise RankgaugeError("unreadable-file", label, got=str(error)) from None
    return InputFile(spool(BytesIO(rest.encode() if isinstance(rest, str) else rest)), label, None)


def _is_record(row: object) -> bool:
    """Whether this is a row with named values: a named tuple, or an instance of a dataclass."""
    return hasattr(row, "_asdict") or (is_dataclass(row) and not isinstance(row, type))


def _as_dict(record: Any) -> dict[str, Any]:  # noqa: ANN401 - a named tuple or a dataclass
    if hasattr(record, "_asdict"):
        return dict(record._asdict())
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _as_table(series: pd.Series[Any], side: Side, *, named: bool) -> pd.DataFrame:
    """A Series by query and item, such as (date, asset), as a table of three columns."""
    levels = [name if name is None else str(name) for name in series.index.names]
    if named:
        return series.reset_index()
    if len(levels) == 2:
        known = [roles.known_role(name) if name else None for name in levels]
        swapped = known[0] == "item" or known[1] == "query"
        others = ("item", "query") if swapped else ("query", "item")
        levels = [
            name if name and role == other else other for name, role, other in zip(levels, known, others, strict=True)
        ]
    table = series.rename(_VALUES[roles.table_of(side)]).rename_axis(index=levels)
    return table.reset_index()
