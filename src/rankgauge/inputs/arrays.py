"""Arrays in which the label and the score of an item stand at the same place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import frames, groups
from rankgauge.inputs.groups import Groups, GroupsAre
from rankgauge.inputs.types import ArrayInput
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[Any]
    # The parts of a CSR matrix: numbers, columns, where each row starts; and how many columns there are.
    Sparse: TypeAlias = tuple[Numbers, Numbers, Numbers, int]

__all__ = ["ArrayInput", "Arrays", "GroupsAre", "read"]

# An array of any library: only its attributes are looked at.
_Source: TypeAlias = Any


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """Labels and scores end to end, where each query starts among them, and what the queries are called.

    `padded` says that queries are filled up to one length, so that NaN for a score may mark a place without an item.
    """

    labels: Numbers | Sparse
    scores: Numbers
    mask: npt.NDArray[np.bool_] | None
    starts: npt.NDArray[np.int64]
    order: npt.NDArray[np.uint32] | None
    # Their names; how many there are, if they are numbered.
    queries: list[str] | int
    padded: bool


def read(
    labels: ArrayInput,
    scores: ArrayInput,
    query_groups: ArrayInput | None,
    mask: ArrayInput | None,
    groups_are: GroupsAre | None,
) -> tuple[Arrays, tuple[Remark, ...]]:
    """Borrow the arrays; return them with remarks on how they were read."""
    import numpy as np

    label_rows, score_rows = _rows(labels), _rows(scores)
    if label_rows is not None and score_rows is not None and _are_ragged(label_rows, score_rows):
        _refuse_groups(query_groups, f"{len(label_rows)} arrays")
        return _read_ragged(label_rows, score_rows, mask)
    labels, scores = label_rows or labels, score_rows or scores
    ranked, hidden = _numbers("scores", scores)
    judged, unlabelled = _labels(labels)
    shape = judged[3] if isinstance(judged, tuple) else judged.shape
    if shape != ranked.shape:
        raise _bad_shape("labels and scores of one shape", f"{shape} and {ranked.shape}", "each item needs both")
    masks = [part for part in (hidden, unlabelled, _mask(mask, ranked.shape)) if part is not None]
    absent = np.logical_or.reduce(masks).reshape(-1) if masks else None
    grouped = _groups(ranked.shape, query_groups, groups_are)
    flat = (*judged[:3], shape[1]) if isinstance(judged, tuple) else judged.reshape(-1)
    return _grouped(flat, ranked.reshape(-1), absent, grouped, padded=ranked.ndim == 2)


def _grouped(
    labels: Numbers | Sparse,
    scores: Numbers,
    mask: npt.NDArray[np.bool_] | None,
    grouped: Groups,
    *,
    padded: bool,
) -> tuple[Arrays, tuple[Remark, ...]]:
    return Arrays(labels, scores, mask, grouped.starts, grouped.order, grouped.queries, padded), grouped.remarks


# Arrays of different lengths in a list, one per query


def _are_ragged(labels: list[Any], scores: list[Any]) -> bool:
    """Whether lists of one array per query have arrays of different lengths."""
    lengths = [[_length(row) for row in side] for side in (labels, scores)]
    if len(lengths[0]) != len(lengths[1]):
        got = f"{len(lengths[0])} and {len(lengths[1])} arrays"
        raise _bad_shape("as many arrays of scores as of labels", got, "a pair of arrays is a query")
    for query, (judged, ranked) in enumerate(zip(*lengths, strict=True)):
        if judged != ranked:
            got = f"{judged} and {ranked} in query {query}"
            raise _bad_shape("labels and scores of one length", got, "each item needs both")
    return len(set(lengths[0])) > 1


def _rows(source: _Source) -> list[Any] | None:
    """The arrays of a list, or of a column whose values are lists; None for anything else."""
    is_column = str(getattr(source, "dtype", "")).startswith(("object", "List")) and getattr(source, "ndim", 1) == 1
    if not (isinstance(source, list | tuple) or is_column):
        return None
    rows = list(source)
    return rows if rows and all(map(_is_row, rows)) else None


def _is_row(source: _Source) -> bool:
    return isinstance(source, list | tuple) or getattr(source, "ndim", 0) == 1 or frames.is_series(source)


def _length(row: _Source) -> int:
    return int(row.shape[0]) if hasattr(row, "shape") else len(row)


def _read_ragged(labels: list[Any], scores: list[Any], mask: _Source) -> tuple[Arrays, tuple[Remark, ...]]:
    import numpy as np

    lengths = [_length(row) for row in scores]
    if mask is None:
        hidden = None
    else:
        parts = _rows(mask)
        if parts is None or [_length(part) for part in parts] != lengths:
            raise _bad_shape("a mask of bool for each array", "other lengths", "True marks a place without an item")
        hidden = np.concatenate([_mask(part, (length,)) for part, length in zip(parts, lengths, strict=True)])
    judged, unlabelled = _joined("labels", labels)
    ranked, unranked = _joined("scores", scores)
    masks = [part for part in (unlabelled, unranked, hidden) if part is not None]
    absent = np.logical_or.reduce(masks) if masks else None
    return _grouped(judged, ranked, absent, groups.of_lengths(lengths), padded=False)


def _joined(noun: str, rows: list[Any]) -> tuple[Any, Any]:
    """The numbers of all rows end to end, and their masks if any has one."""
    import numpy as np

    parts = [_numbers(noun, row) for row in rows]
    for query, (numbers, _) in enumerate(parts):
        if numbers.ndim != 1:
            raise _bad_shape(
                f"{noun} in one dimension for each query", f"{numbers.shape} in query {query}", "reshape it"
            )
    masked = [np.zeros(len(numbers), bool) if mask is None else mask for numbers, mask in parts]
    absent = np.concatenate(masked) if any(mask is not None for _, mask in parts) else None
    return np.concatenate([numbers for numbers, _ in parts]), absent


# One array


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
        return _stacked(noun, source) if _has_arrays(source) else np.asarray(source)
    except RankgaugeError:
        raise
    except Exception as error:  # whatever the library of the array raises
        hint = "rows of different lengths go end to end, with their sizes as groups"
        raise RankgaugeError("bad-array", noun=noun, got=f"{type(source).__name__} ({error})", hint=hint) from None


def _has_arrays(source: _Source) -> bool:
    return isinstance(source, list | tuple) and len(source) > 0 and all(getattr(row, "ndim", 0) == 1 for row in source)


def _stacked(noun: str, rows: _Source) -> Any:  # noqa: ANN401 - an array
    """Arrays of one length as the rows of one array, which is masked if any of them is."""
    import numpy as np

    parts = [_to_numpy(noun, row) for row in rows]
    is_masked = any(isinstance(part, np.ma.MaskedArray) for part in parts)
    return np.ma.stack(parts) if is_masked else np.stack(parts)


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
        exact = _as_integers(array)
        floats = array.astype(np.float64) if exact is None else exact
    except (TypeError, ValueError, OverflowError):
        raise wrong from None
    if noun == "scores" and exact is None and _merges(array, floats):
        got, hint = "distinct numbers that are equal as 64-bit floats", "give whole numbers as int64"
        raise RankgaugeError("bad-array", noun="scores", got=got, hint=f"{hint}, or subtract the lowest score")
    return floats


def _as_integers(array: Any) -> Any:  # noqa: ANN401 - an array of any type, or nothing
    """Python's own whole numbers, or texts of them, as integers: a float may not hold them."""
    import numpy as np

    if array.dtype.kind not in "OSU":
        return None
    try:
        whole = array.astype(np.int64) if array.dtype.kind in "SU" else np.array(array.tolist())
    except (TypeError, ValueError, OverflowError):
        return None
    return whole if whole.dtype.kind in "iu" and whole.shape == array.shape else None


def _merges(array: Any, floats: Any) -> bool:  # noqa: ANN401 - arrays of any type
    """Whether numbers of a longer type are distinct, but equal as floats."""
    import numpy as np

    if array.dtype.kind not in "Of":
        return False
    finite = np.isfinite(floats)
    try:
        return bool(len(np.unique(array[finite])) > len(np.unique(floats[finite])))
    except TypeError:  # objects that have no order
        return False


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


def _groups(shape: tuple[int, ...], query_groups: _Source, groups_are: GroupsAre | None) -> Groups:
    if len(shape) == 2:
        _refuse_groups(query_groups, str(shape))
        return groups.of_matrix(*shape)
    if query_groups is None:
        return groups.one_query(shape[0])
    ids = query_groups if frames.is_series(query_groups) else _to_numpy("groups", query_groups)
    return groups.read(ids, groups_are, shape[0])


def _refuse_groups(query_groups: _Source, got: str) -> None:
    """Raise for groups beside arrays that have a row, or an array, per query."""
    if query_groups is not None:
        raise _bad_shape("no groups beside arrays with a query per row", f"groups and {got}", "a row is a query")


def _bad_shape(expected: str, got: str, hint: str) -> RankgaugeError:
    return RankgaugeError("bad-shape", expected=expected, got=got, hint=hint)
