"""The types of what users may pass in, for type checkers: what a value can do, not which library it is of."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Protocol, TypeAlias

from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking


class ArrowStream(Protocol):
    """A table with the Arrow PyCapsule interface: Polars, PyArrow, a DuckDB relation."""

    def __arrow_c_stream__(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401


class InterchangeFrame(Protocol):
    """A table with the DataFrame interchange protocol: pandas."""

    def __dataframe__(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401


class LazyTable(Protocol):
    """A table that computes its rows when they are collected: a Polars LazyFrame."""

    def collect_schema(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102
    def collect(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102


class SparkTable(Protocol):
    """A table of Spark."""

    def toArrow(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102, N802


class WrappedTable(Protocol):
    """A table inside another object: a narwhals frame, or what a grader made."""

    def to_native(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102


class SupportsArray(Protocol):
    """What NumPy makes an array of: its own arrays, a Series, a tensor."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401


class SupportsDLPack(Protocol):
    """An array that is handed over through DLPack: torch, JAX, CuPy."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401


class SparseMatrix(Protocol):
    """A sparse matrix of scipy."""

    def tocsr(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102


class OpenFile(Protocol):
    """A file that is open for reading, as text or as bytes."""

    def read(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102
    def readline(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102


class HoldsMapping(Protocol):
    """A mapping inside another object: `Qrels` and `Run` of ranx."""

    def to_dict(self, *args: Any, **kwargs: Any) -> Any: ...  # noqa: ANN401, D102


Frame: TypeAlias = ArrowStream | InterchangeFrame | LazyTable | SparkTable | WrappedTable
TableInput: TypeAlias = "Frame | str | os.PathLike[str]"
# Lists are cases, rows of a table, or the grades or items of one list; a set is the relevant items of one list.
_Anything: TypeAlias = (
    "Mapping[Any, Any] | Sequence[Any] | Set[Any] | Iterator[Any] | SupportsArray | str | os.PathLike[str] | Frame"
    " | OpenFile | HoldsMapping"
)
JudgmentsInput: TypeAlias = "Judgments | _Anything"
RankingInput: TypeAlias = "Ranking | _Anything"
ArrayInput: TypeAlias = SupportsArray | SupportsDLPack | SparseMatrix | Frame | Sequence[Any]
