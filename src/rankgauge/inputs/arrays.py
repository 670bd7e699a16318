"""Arrays in which the label and the score of an item stand at the same place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rankgauge._core import group_rows
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import frames
from rankgauge.inputs.types import ArrayInput

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[Any]
    # The parts of a CSR matrix: numbers, columns, where each row starts; and how many columns there are.
    Sparse: TypeAlias = tuple[Numbers, Numbers, Numbers, int]

__all__ = ["ArrayInput", "Arrays", "GroupsAre", "read"]

GroupsAre: TypeAlias = Literal["sizes", "boundaries", "ids"]


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """Labels and scores end to end, where each query starts among them, and what the queries are called."""

    labels: Numbers | Sparse
    scores: Numbers
    mask: npt.NDArray[np.bool_] | None
    starts: npt.NDArray[np.int64]
    order: npt.NDArray[np.uint32] | None
    # Their names; how many there are, if they are numbered.
    queries: list[str] | int


def read(
    labels: ArrayInput,
    scores: ArrayInput,
    groups: ArrayInput | None,
    mask: ArrayInput | None,
    groups_are: GroupsAre | None,
) -> tuple[Arrays, str]:
    """Borrow the arrays; return them with a word on what the groups were taken for."""
    import numpy as np

    ranked, hidden = _numbers("scores", scores)
    judged, unlabelled = _labels(labels)
    shape = judged[3] if isinstance(judged, tuple) else judged.shape
    if shape != ranked.shape:
        raise _bad_shape("labels and scores of one shape", f"{shape} and {ranked.shape}", "each item needs both")
    masks = [part for part in (hidden, unlabelled, _mask(mask, ranked.shape)) if part is not None]
    absent = np.logical_or.reduce(masks).reshape(-1) if masks else None
    starts, order, queries, kind = _groups(ranked.shape, groups, groups_are)
    flat = (*judged[:3], shape[1]) if isinstance(judged, tuple) else judged.reshape(-1)
    return Arrays(flat, ranked.reshape(-1), absent, starts, order, queries), kind


# An input of which only attributes are looked at.
_Source: TypeAlias = Any


def _numbers(noun: str, source: _Source) -> tuple[Any, Any]:
    """An array in C order of a type that the core reads, and its mask if it has one."""
    import numpy as np

    array = _to_numpy(noun, source)
    mask = np.broadcast_to(array.mask, array.shape) if isinstance(array, np.ma.MaskedArray) else None
    array = np.asarray(array.data if mask is not None else array)
    if array.dtype.kind not in "iub" and array.dtype.newbyteorder("=") not in (np.float32, np.float64):
        array = _to_float(noun, array)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.ndim not in (1, 2):
        expected = f"{noun} in one dimension, or in two: a row per query"
        raise _bad_shape(expected, str(array.shape), "reshape the array")
    return np.require(array, requirements=["C", "A"]), mask


def _to_numpy(noun: str, source: _Source) -> Any:  # noqa: ANN401 - an array of any type
    import numpy as np

    if isinstance(source, np.ndarray):
        return source
    if not _is_on_cpu(source):
        hint = "move it there: .cpu() in torch, jax.device_get in JAX"
        raise RankgaugeError("bad-array", noun=f"{noun} in the memory of the CPU", got="another device", hint=hint)
    if hasattr(source, "detach"):  # a torch tensor that takes part in training
        source = source.detach()
    if hasattr(source, "__dlpack__"):
        try:
            return np.from_dlpack(source)
        except Exception:  # a type that NumPy lacks, such as bfloat16, or nulls
            source = source.float() if hasattr(source, "float") else source
    try:
        return np.asarray(source)
    except Exception as error:  # whatever the library of the array raises
        hint = "rows of different lengths go end to end, with their sizes as groups"
        raise RankgaugeError("bad-array", noun=noun, got=f"{type(source).__name__} ({error})", hint=hint) from None


def _is_on_cpu(source: _Source) -> bool:
    try:
        return bool(source.__dlpack_device__()[0] == 1)
    except Exception:  # no array of DLPack, or one that it cannot hold
        return True


def _to_float(noun: str, array: Any) -> Any:  # noqa: ANN401 - an array of any type
    import numpy as np

    wrong = RankgaugeError("bad-array", noun=noun, got=f"an array of {array.dtype}", hint="convert it to int or float")
    if array.dtype.kind in "cmM":  # NumPy would make numbers of them, but a date or a complex number has no order
        raise wrong
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise wrong from None


def _mask(mask: _Source, shape: tuple[int, ...]) -> Any:  # noqa: ANN401 - an array or nothing
    import numpy as np

    if mask is None:
        return None
    array = np.asarray(_to_numpy("mask", mask))
    if array.shape != shape or array.dtype != np.bool_:
        expected, got = f"a mask of bool in the shape {shape}", f"{array.dtype} in {array.shape}"
        raise _bad_shape(expected, got, "True marks a place without an item")
    return array


def _labels(source: _Source) -> tuple[Any, Any]:
    """An array and its mask; of a sparse matrix, its parts and its shape."""
    import numpy as np

    if not hasattr(source, "tocsr"):
        return _numbers("labels", source)
    if len(source.shape) != 2 or 0 in source.shape:
        return _numbers("labels", source.toarray())
    matrix = source.tocsr()
    try:
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise RankgaugeError("bad-array", noun="labels", got=str(error), hint="make the matrix anew") from None
    numbers, _ = _numbers("labels", matrix.data)
    parts = numbers, np.ascontiguousarray(matrix.indices), np.ascontiguousarray(matrix.indptr)
    return (*parts, matrix.shape), None


def _groups(shape: tuple[int, ...], groups: _Source, groups_are: GroupsAre | None) -> tuple[Any, Any, Any, str]:
    """Where each query starts, the rows by query if they lie apart, the names of the queries, and what groups were."""
    import numpy as np

    if len(shape) == 2:
        if groups is not None:
            raise _bad_shape("no groups beside arrays in two dimensions", f"groups and {shape}", "a row is a query")
        rows, columns = shape
        return np.arange(rows + 1, dtype=np.int64) * columns, None, rows, ""
    if groups is None:
        queries = min(shape[0], 1)
        return np.array([0, shape[0]][: queries + 1], dtype=np.int64), None, queries, ""
    ids = groups if frames.is_series(groups) else np.asarray(_to_numpy("groups", groups))
    dimensions = getattr(ids, "ndim", 1)  # a column of Arrow has one and does not say so
    if dimensions != 1:
        raise _bad_groups(shape[0], f"{dimensions} dimensions")
    kind = groups_are or _kind_of_groups(ids, shape[0])
    if kind == "ids":
        if len(ids) != shape[0]:
            raise _bad_groups(shape[0], f"{len(ids)} ids")
        starts, order, names = group_rows(frames.values(ids, "groups"))
        return starts, order, names, "query ids"
    numbers = np.asarray(ids)
    if numbers.dtype.kind not in "iu":
        raise _bad_groups(shape[0], f"an array of {numbers.dtype}")
    starts = numbers if kind == "boundaries" else np.concatenate([[0], np.cumsum(numbers)])
    starts = starts.astype(np.int64)
    if not _are_boundaries(starts, shape[0]):
        raise _bad_groups(shape[0], f"{kind} that reach {starts[-1] if len(starts) else 0}")
    return starts, None, len(starts) - 1, kind


def _kind_of_groups(groups: Any, rows: int) -> GroupsAre:  # noqa: ANN401 - an array of any type
    """Ids are as many as the rows; boundaries go from 0 to the number of rows; sizes add up to it."""
    import numpy as np

    if len(groups) == rows:
        return "ids"
    numbers = np.asarray(groups)
    if numbers.ndim == 1 and numbers.dtype.kind in "iu":
        if _are_boundaries(numbers, rows):
            return "boundaries"
        if numbers.sum() == rows:
            return "sizes"
    raise _bad_groups(rows, f"{len(groups)} values of {numbers.dtype}")


def _are_boundaries(numbers: Any, rows: int) -> bool:  # noqa: ANN401 - an array
    in_order = bool((numbers[1:] >= numbers[:-1]).all())
    return len(numbers) > 0 and numbers[0] == 0 and numbers[-1] == rows and in_order


def _bad_shape(expected: str, got: str, hint: str) -> RankgaugeError:
    return RankgaugeError("bad-shape", expected=expected, got=got, hint=hint)


def _bad_groups(rows: int, got: str) -> RankgaugeError:
    return RankgaugeError("bad-groups", rows=rows, got=got)
